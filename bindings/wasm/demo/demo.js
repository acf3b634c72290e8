// The page, the part of it that computes: what is pasted is identified and put into the form it belongs to; the form is verified.
import { hasSimd, load } from "./phalanx/index.js";
import { field, hex, pasted } from "./bytes.js";
import { chart } from "./chart.js";
import { addBrowser } from "./charts.js";
import { marked } from "./files.js";

const $ = (id) => document.getElementById(id);
const SYSTEMS = ["xmss", "ed25519", "ligerito", "aggregate"];

const phalanx = await load().catch((error) => {
  $("build").textContent = `The module did not start: ${error.message}`;
  throw error;
});
const { xmss, ed25519, ligerito } = phalanx;
const examples = await (await fetch("data/examples.json")).json();

$("build").textContent = `${phalanx.version} · ${phalanx.build} build · ${phalanx.backend} kernels`;
const options = (names) => names.map((name) => new Option(name, name));
$("xmss").elements.set.replaceChildren(...options(xmss.parameterSets));
$("ed25519").elements.profile.replaceChildren(...options(ed25519.profiles));

/** The verifier of aggregates is a module of its own, fetched when it is first asked for. */
const aggregates = async () => (await import("./phalanx/aggregate.js")).load();

// ---- tabs ----

let system = "xmss";

function select(name, focus) {
  system = name;
  for (const each of SYSTEMS) {
    const tab = $(`tab-${each}`);
    $(`panel-${each}`).hidden = each !== name;
    tab.setAttribute("aria-selected", each === name);
    tab.tabIndex = each === name ? 0 : -1;
    if (focus && each === name) tab.focus();
  }
  $("verdict").hidden = true;
}

for (const [i, name] of SYSTEMS.entries()) {
  const tab = $(`tab-${name}`);
  tab.addEventListener("click", () => select(name));
  tab.addEventListener("keydown", (event) => {
    const { key } = event;
    const last = SYSTEMS.length - 1;
    const to = { ArrowRight: i < last ? i + 1 : 0, ArrowLeft: i ? i - 1 : last, Home: 0, End: last }[key];
    if (to === undefined) return;
    event.preventDefault();
    select(SYSTEMS[to], true);
  });
}

// ---- what is it? ----

/** A node with children or text. */
function node(name, attributes, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

/** The best of several spellings of what is called `file`: the one with most to say. */
function identified(spellings, file) {
  for (const bytes of spellings) {
    const known = marked(bytes);
    if (known) return { bytes, readings: [{ next: phalanx.nextCommand(known, file), ...known }], problems: [] };
  }
  const all = spellings.map((bytes) => ({ bytes, ...phalanx.identify(bytes, file) }));
  return all.find(({ readings }) => readings.length) ?? all[0];
}

function systemOf({ kind, scheme = "" }) {
  if (kind === "statement of an aggregate") return "aggregate";
  return SYSTEMS.find((name) => scheme.startsWith(name));
}

/** Puts what was read into the form that it belongs to. Gives what was done, in words. */
function fill(reading, bytes) {
  const name = systemOf(reading);
  if (!name || reading.scheme === "ligerito-ref-v08") return null;
  const fields = $(name).elements;
  const secret = reading.kind === "secret key";
  const targets = {
    "public key": "publicKey",
    "secret key": "publicKey",
    "possible proof": "proof",
    "statement of an aggregate": "statement",
  };
  const target = targets[reading.kind] ?? reading.kind;
  if (!fields[target]) return null;
  const plain = name === "xmss" ? reading.format === "ssz" : ["raw", "hex", undefined].includes(reading.format);
  if (target === "publicKey") fields[target].value = reading.publicKey;
  else if (plain) fields[target].value = reading.format === "hex" ? new TextDecoder().decode(bytes).trim() : hex(bytes);
  else return null;
  if (name === "xmss") fields.set.value = reading.scheme;
  select(name);
  return secret ? "Its public key is filled in below." : "Filled in below.";
}

function describe(reading, length, note) {
  const { kind, confidence, next, schemes, format, insecure, activation, prepared, publicKey, root, details } = reading;
  const facts = [
    ["profile", kind === "aggregate" && schemes[0]],
    ["fits the sets", schemes.length > 1 && schemes.join(", ")],
    ["active epochs", activation && `${activation[0]} to ${activation[1] - 1}`],
    ["prepared epochs", prepared && `${prepared[0]} to ${prepared[1] - 1}`],
    ["root", root],
    ["public key", publicKey],
    ...Object.entries(details),
    ["next", next],
  ].filter(([, value]) => value);
  const of = schemes.length > 1 ? schemes[0].split("-")[0] : schemes[0];
  const title = `${kind[0].toUpperCase()}${kind.slice(1)}${of && kind !== "aggregate" ? ` of ${of}` : ""}`;
  const words = [confidence !== "certain" && confidence, format && `in ${format}`, `${length} bytes`, insecure && "a test set without security", note];
  return node(
    "article",
    {},
    node("h3", { textContent: title }),
    node("p", { className: "hint", textContent: words.filter(Boolean).join(" · ") }),
    node("dl", {}, ...facts.flatMap(([name, value]) => [node("dt", { textContent: name }), node("dd", { textContent: value })])),
  );
}

/** What some bytes are, as cards, `name` above them; fills in the form that they belong to. Commands call them `file`. */
function cardsOf(spellings, name, file) {
  const { bytes, readings, problems } = identified(spellings, file);
  // Of several sets the chosen one, if the bytes fit it.
  const chosen = $("xmss").elements.set.value;
  const fitting = readings.find(({ scheme, format }) => scheme === chosen && format === readings[0].format);
  const note = readings.length ? fill(fitting ?? readings[0], bytes) : null;
  // Sets of one shape read the same bytes as the same value: said once, with all their names.
  const groups = new Map();
  for (const reading of readings) {
    const alike = [reading.kind, reading.format, reading.publicKey].join();
    const known = groups.get(alike);
    // The command is of the chosen set, or else of the first.
    const next = known && reading.scheme !== chosen ? known.next : reading.next;
    groups.set(alike, { ...reading, next, insecure: !known && reading.insecure, schemes: [...(known?.schemes ?? []), reading.scheme] });
  }
  const cards = name ? [node("h3", { className: "file", textContent: name })] : [];
  cards.push(...[...groups.values()].map((reading, i) => describe(reading, bytes.length, i ? null : note)));
  if (groups.size > 1) {
    cards.push(node("p", { className: "hint", textContent: "Its bytes alone do not tell these apart." }));
  }
  for (const problem of problems) {
    const title = readings.length ? "Problem" : `Nothing known, ${bytes.length} bytes`;
    const text = node("p", { className: "hint", textContent: problem });
    cards.push(node("article", { className: "problem" }, node("h3", { textContent: title }), text));
  }
  return cards;
}

function show(spellings) {
  $("verdict").hidden = true;
  $("readings").replaceChildren(...cardsOf(spellings));
}

/** A page has to hold what it reads; nothing that is known here is larger. */
const MOST_BYTES = 64 << 20;

async function take(files) {
  $("verdict").hidden = true;
  const cards = [];
  const lines = [];
  for (const file of files) {
    if (file.size > MOST_BYTES) {
      lines.push(`${file.name}: ${file.size} bytes, too large for this page`);
      continue;
    }
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      lines.push(`${file.name}: not readable; drop the files of a folder, not the folder`);
      continue;
    }
    const printable = bytes.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
    // Secrets are not shown by dropping them.
    lines.push(`${file.name}: ${bytes.length} bytes`);
    const spellings = printable ? [bytes, ...pasted(new TextDecoder().decode(bytes))] : [bytes];
    cards.push(...cardsOf(spellings, files.length > 1 ? file.name : null, file.name));
  }
  $("input").value = lines.join("\n");
  $("readings").replaceChildren(...cards);
  // Both parts of an aggregate are there: no need to ask.
  const { statement, aggregate } = $("aggregate").elements;
  if (system === "aggregate" && statement.value && aggregate.value) $("verify").click();
}

$("input").addEventListener("input", ({ target }) => {
  if (target.value.trim()) show(pasted(target.value));
  else $("readings").replaceChildren();
});
$("clear").addEventListener("click", () => {
  $("input").value = "";
  $("readings").replaceChildren();
  $("input").focus();
});
$("choose").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async ({ target }) => {
  if (target.files.length) await take([...target.files]);
  target.value = "";
});
const drop = $("drop");
for (const event of ["dragenter", "dragover"]) {
  drop.addEventListener(event, (each) => {
    each.preventDefault();
    drop.classList.add("over");
  });
}
for (const event of ["dragleave", "drop"]) drop.addEventListener(event, () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (files.length) await take(files);
});

// ---- does it verify? ----

function epochOf(text) {
  if (!/^[0-9]+$/.test(text.trim())) throw new Error("epoch: a number from 0 to 4294967295");
  return Number(text);
}

function element(text) {
  if (!/^\s*[0-9a-f]{1,32}\s*$/i.test(text)) throw new Error("claims: elements are up to 32 hexadecimal digits");
  return BigInt(`0x${text.trim()}`);
}

function claimOf(line) {
  const [point, value, ...more] = line.split("=");
  if (value === undefined || more.length) throw new Error("claims: one a line, coordinates = value");
  return { point: point.split(",").map(element), value: element(value) };
}

const verifiers = {
  xmss({ set, epoch, publicKey, message, signature }) {
    xmss.verify({
      set,
      epoch: epochOf(epoch),
      publicKey: field("public key", publicKey),
      message: field("message", message),
      signature: field("signature", signature),
    });
  },
  ed25519({ profile, kind, publicKey, message, signature }) {
    const claim = {
      profile,
      publicKey: field("public key", publicKey),
      message: kind === "text" ? new TextEncoder().encode(message) : field("message", message),
      signature: field("signature", signature),
    };
    const why = ed25519.explain(claim);
    if (why !== null) throw new Error(why);
    ed25519.verify(claim);
  },
  ligerito({ commitment, claims, context, proof }) {
    ligerito.verify({
      accepted: { profiles: ligerito.profiles, maxVariables: 30 },
      commitment: field("commitment", commitment),
      claims: claims.split("\n").filter((line) => line.trim()).map(claimOf),
      context: field("context", context),
      proof: field("proof", proof),
    });
  },
  aggregate({ statement, context, aggregate }, { profiles, verify, statement: read }) {
    const bytes = field("statement", statement);
    showStatement(read(bytes));
    verify({
      accepted: { profiles },
      statement: bytes,
      context: field("context", context),
      aggregate: field("aggregate", aggregate),
    });
  },
};

/** Of a long list the first few, and how many more there are. */
const MOST_SHOWN = 200;

function shown(items, describe) {
  const list = items.slice(0, MOST_SHOWN).map(describe);
  return items.length > MOST_SHOWN ? [...list, node("li", { textContent: `and ${items.length - MOST_SHOWN} more` })] : list;
}

/** What a statement says: its groups with their epochs, messages and keys. */
function showStatement({ groups, equivocations }) {
  const item = (bytes) => node("li", { textContent: hex(bytes) });
  const count = groups.reduce((sum, { keys }) => sum + keys.length, 0);
  const of = ({ epoch, message, keys }) =>
    node(
      "li",
      {},
      node("strong", { textContent: `Epoch ${epoch}: ${keys.length} ${keys.length === 1 ? "key" : "keys"}` }),
      node("p", { className: "bytes", textContent: `message ${hex(message)}` }),
      node("details", { open: keys.length <= 4 }, node("summary", { textContent: "keys" }), node("ul", { className: "bytes" }, ...shown(keys, item))),
    );
  const title = `Says that ${count} ${count === 1 ? "signature is" : "signatures are"} known`;
  const parts = [node("h3", { textContent: title }), node("ul", {}, ...shown(groups, of))];
  if (equivocations.length) {
    const pairs = equivocations.slice(0, MOST_SHOWN).map(([a, b]) => `${a} and ${b}`).join(", ");
    parts.push(node("p", { className: "hint", textContent: `Signed two messages at one epoch, and so broke their keys: signatures ${pairs}.` }));
  }
  $("statement").replaceChildren(node("article", {}, ...parts));
}

function verdict(good, title, text) {
  const place = $("verdict");
  place.className = good ? "good" : "bad";
  place.replaceChildren(node("strong", { textContent: `${good ? "✓" : "✗"} ${title}` }), node("span", { textContent: text }));
  place.hidden = false;
}

const CLAIMED = {
  xmss: "The key signed this message at this epoch.",
  ed25519: "The key signed this message.",
  ligerito: "The committed polynomial has these values at these points.",
  aggregate: "For every key of the statement somebody knows a signature.",
};

/** A signature that does not verify says no more: nobody honest needs it. */
const OTHERWISE = "Another message, epoch or key, or a damaged signature.";

$("verify").addEventListener("click", async () => {
  const asked = system;
  const form = $(asked);
  $("statement").replaceChildren();
  if (!form.reportValidity()) return;
  $("verdict").hidden = true;
  try {
    const module = asked === "aggregate" ? await aggregates() : null;
    // Something else may have been chosen meanwhile.
    if (asked !== system) return;
    const begin = performance.now();
    verifiers[asked](Object.fromEntries(new FormData(form)), module);
    const took = (performance.now() - begin).toFixed(1);
    verdict(true, "It verifies.", `${CLAIMED[asked]} ${took} ms.`);
  } catch (error) {
    const text = error.name === "InvalidSignature" ? OTHERWISE : error.message;
    verdict(false, "It does not verify.", text);
  }
});

$("example").addEventListener("click", () => {
  for (const [name, value] of Object.entries({ kind: "hex", ...examples[system] })) {
    if ($(system).elements[name]) $(system).elements[name].value = value;
  }
  $("verdict").hidden = true;
});

$("tamper").addEventListener("click", () => {
  const place = $(system).elements[{ ligerito: "proof", aggregate: "aggregate" }[system] ?? "signature"];
  try {
    const bytes = field("signature", place.value);
    if (!bytes.length) return;
    bytes[bytes.length >> 1] ^= 1;
    place.value = hex(bytes);
    $("verdict").hidden = true;
  } catch (error) {
    verdict(false, "No bit to flip.", error.message);
  }
});

for (const name of SYSTEMS) {
  $(name).addEventListener("submit", (event) => {
    event.preventDefault();
    $("verify").click();
  });
  $(name).addEventListener("input", () => {
    $("verdict").hidden = true;
    $("statement").replaceChildren();
  });
}

// ---- how fast? ----

let last = null;

function draw() {
  if (!last) return;
  const figure = $("chart");
  figure.hidden = false;
  const key = "This browser. Upper bars: with SIMD. Lower bars: without. Best of several rounds; each pair on its own scale.";
  const width = Math.max(280, Math.round(figure.clientWidth));
  figure.replaceChildren(chart(last, width), node("figcaption", { textContent: key }));
}

$("run").addEventListener("click", () => {
  if (!hasSimd()) {
    $("progress").textContent = "This engine knows no SIMD: there is nothing to compare.";
    return;
  }
  $("run").disabled = true;
  const worker = new Worker(new URL("bench.js", import.meta.url), { type: "module" });
  const end = (text) => {
    worker.terminate();
    $("run").disabled = false;
    $("progress").textContent = text;
  };
  worker.onerror = ({ message }) => end(message || "The worker did not start.");
  worker.onmessage = ({ data }) => {
    if (data.progress) $("progress").textContent = `${data.done + 1} of ${data.total}: ${data.progress}`;
    if (data.error) end(data.error);
    if (data.rows) {
      last = data.rows;
      end("This browser is in the charts.");
      addBrowser(last, data.backend);
      draw();
    }
  };
  worker.postMessage(examples);
});
addEventListener("resize", draw);

document.documentElement.dataset.ready = "true";
