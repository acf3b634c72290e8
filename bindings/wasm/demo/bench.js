// The benchmark, in a worker: the page stays alive. For each operation the two builds take turns, and the best time of
// each counts.
import { load } from "./phalanx/index.js";
import { field } from "./bytes.js";

const ROUNDS = 8;
const ROUND_MS = 40;
const OPERATION_MS = 2000;

/** The best time of a call in microseconds. */
function measure(call) {
  let best = Infinity;
  const end = performance.now() + ROUND_MS;
  do {
    const begin = performance.now();
    let calls = 0;
    // Clocks of browsers are coarse: a sample lasts several ticks.
    while (performance.now() - begin < 4) {
      call();
      calls += 1;
    }
    best = Math.min(best, (1000 * (performance.now() - begin)) / calls);
  } while (performance.now() < end);
  return best;
}

function operations(phalanx, examples) {
  const { xmss, ed25519, rescue, ligerito } = phalanx;
  const bytes = (example) =>
    Object.fromEntries(
      Object.entries(example).map(([name, value]) => [
        name,
        ["publicKey", "message", "signature"].includes(name) ? field(name, value) : value,
      ]),
    );
  const [hashed, signed] = [bytes(examples.xmss), bytes(examples.ed25519)];
  const key = ed25519.SigningKey.fromSeed(new Uint8Array(32));
  const elements = new BigUint64Array(8).map((_, i) => BigInt(i));
  const polynomial = (variables) => Uint32Array.from({ length: 2 ** variables }, (_, i) => Math.imul(i, 0x9e3779b9));
  const pointOf = (variables) => Array.from({ length: variables }, (_, i) => BigInt(i + 1));
  const [small, point] = [polynomial(16), pointOf(16)];
  const opened = ligerito.open({ polynomial: small, points: [point] });
  const [large, far] = [polynomial(20), pointOf(20)];
  const statement = {
    accepted: { profile: "balanced", variables: 16 },
    commitment: opened.commitment,
    claims: [{ point, value: opened.values[0] }],
    proof: opened.proof,
  };
  const many = Array.from({ length: 32 }, () => hashed);
  const lists = Array.from({ length: 64 }, () => elements);
  const message = new Uint8Array(32);
  const votes = Array.from({ length: 64 }, () => ({ publicKey: key.publicKey, message, signature: key.sign(message) }));
  // Name, items of a call, the call; the page's chart that it is a bar of.
  return [
    ["xmss verify", 1, () => xmss.verify(hashed)],
    ["xmss verify, 32 together", 32, () => xmss.verifyMany(many), "xmss"],
    ["ed25519 verify", 1, () => ed25519.verify(signed)],
    ["ed25519 verify, 64 together", 64, () => ed25519.verifyMany(votes), "ed25519"],
    ["ed25519 sign", 1, () => key.sign(signed.message)],
    ["rescue hash", 1, () => rescue.hashElements("rescue-rp64-256", elements)],
    ["rescue hash, 64 together", 64, () => rescue.hashElementsMany("rescue-rp64-256", lists), "rescue"],
    ["ligerito prove, 2^16", 1, () => ligerito.open({ polynomial: small, points: [point] })],
    ["ligerito prove, 2^20", 1, () => ligerito.open({ polynomial: large, points: [far] }), "ligerito"],
    ["ligerito verify, 2^16", 1, () => ligerito.verify(statement)],
  ];
}

self.onmessage = async ({ data: examples }) => {
  try {
    const [simd, scalar] = await Promise.all([load({ simd: true }), load({ simd: false })]);
    const pairs = [operations(simd, examples), operations(scalar, examples)];
    const rows = pairs[0].map(([name, items, , chart], i) => {
      self.postMessage({ progress: `${name}…`, done: i, total: pairs[0].length });
      const best = [Infinity, Infinity];
      // What takes long is steady: fewer rounds will do.
      const end = performance.now() + OPERATION_MS;
      for (let round = 0; round < ROUNDS && (round < 2 || performance.now() < end); round++) {
        pairs.forEach((all, j) => (best[j] = Math.min(best[j], measure(all[i][2]) / items)));
      }
      return { name: items > 1 ? `${name}, each` : name, chart, simd: best[0], scalar: best[1] };
    });
    self.postMessage({ rows, backend: simd.backend });
  } catch (error) {
    self.postMessage({ error: `${error.name}: ${error.message}` });
  }
};
