// Writes the page's charts, from the measurements that BENCHMARKS.md is made from: node make-charts.js MEASUREMENTS FILE
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const MACHINE = "epyc-zen5";

/** The charts: the README's operations, and what the visitor's browser measures of each. */
const CHARTS = [
  { id: "ed25519", title: "Ed25519: verify 64 signatures, each", operation: "ed25519/verify-many-per-signature", n: 64 },
  {
    id: "xmss",
    title: "XMSS: verify many signatures, each",
    note: "Set xmss-poseidon2-l32-d64b8, which no published crate has: its hash stands beside others' in BENCHMARKS.md.",
    name: "xmss/verify-many-per-signature",
    scheme: "xmss-poseidon2-l32-d64b8",
  },
  { id: "rescue", title: "Rescue: hash 64 inputs of 8 elements, each", operation: "rescue-rp64-256/hash-many-8", n: 64 },
  {
    id: "ligerito",
    title: "Ligerito: commit to 2^20 coefficients and open",
    operation: "ligerito/prove",
    n: 1 << 20,
    profile: "balanced",
  },
];

const MICROSECONDS = { ns: 1e-3, us: 1, ms: 1e3, s: 1e6 };

/** Every row of the machine's files, the newest file of each kind alone, with where it is from. */
function measured(folder) {
  const index = JSON.parse(readFileSync(`${folder}/runs.json`));
  const newest = new Map();
  for (const file of readdirSync(folder).sort()) {
    const [, date, kind] = /^(20\d\d-\d\d-\d\d)-(.*)\.json$/.exec(file) ?? [];
    if (kind === MACHINE || kind?.startsWith(`${MACHINE}-`)) newest.set(kind, { file, date });
  }
  const runs = [...newest].map(([kind, { file, date }]) => {
    const json = JSON.parse(readFileSync(`${folder}/${file}`));
    const { commit } = Array.isArray(json) ? index[file] : json;
    const build = /-compare-([a-z]+)/.exec(kind)?.[1] ?? "plain";
    return { build, machine: json.machine, rows: json.results ?? json, origin: `${date}, commit ${commit.slice(0, 12)}` };
  });
  if (!runs.length) throw new Error(`${folder} has nothing of ${MACHINE}`);
  return runs;
}

/** How a peer was built, if that matters to it. */
function built({ build }, { peer_version: said }) {
  if (said.includes("at run time") || build === "plain") return "";
  return build === "native" ? ", built for this CPU" : ", built for AVX2";
}

/** The bars of a chart: ours in plain builds, one for each backend; of each peer the fastest of its builds. */
function barsOf({ operation, name, n, profile, scheme }, runs) {
  const bars = new Map();
  const origins = new Set();
  const keep = (key, bar, run) => {
    if (!(bars.get(key)?.us <= bar.us)) bars.set(key, bar);
    origins.add(run.origin);
  };
  for (const run of runs) {
    for (const row of run.rows) {
      const same = operation ? row.operation === operation && row.peer : row.name === name && row.scheme === scheme;
      if (!same || row.threads !== 1 || (n && row.n !== n) || (profile && row.profile !== profile)) continue;
      const us = (value) => value * MICROSECONDS[row.unit];
      if (run.build === "plain") keep(row.backend, { name: `phalanx, ${row.backend}`, us: us(row.ours ?? row.median), ours: true }, run);
      if (row.peer) {
        const version = row.peer_version.split(",")[0];
        keep(row.peer, { name: `${row.peer} ${version}${built(run, row)}`, us: us(row.peer_value), ours: false }, run);
      }
    }
  }
  if (!bars.size) throw new Error(`no row of ${operation ?? name}`);
  return { bars: [...bars.values()].sort((a, b) => a.us - b.us), origin: [...origins].join("; ") };
}

const [folder, out] = process.argv.slice(2);
const runs = measured(folder);
const { cpu, os, arch } = runs.find(({ machine }) => machine).machine;
const charts = CHARTS.map((chart) => ({ id: chart.id, title: chart.title, note: chart.note ?? "", ...barsOf(chart, runs) }));
writeFileSync(out, JSON.stringify({ machine: `${MACHINE}: ${cpu}, ${os} on ${arch}`, charts }));
