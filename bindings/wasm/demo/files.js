// Files that are kept around keys, known by the mark that each bears. What they hold is not read here, only what they say
// openly: `phalanx inspect` checks them, too.

const asText = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const begins = (bytes, mark) => mark.length <= bytes.length && [...mark].every((c, i) => bytes[i] === c.charCodeAt(0));

/** A JSON object, or nothing. */
function json(bytes) {
  try {
    const value = JSON.parse(asText(bytes));
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

const reading = (kind, known = {}, details = {}) => ({
  kind,
  confidence: "certain",
  ...known,
  details: Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === "string" && value)),
});

const text = (value) => (typeof value === "string" ? value : undefined);

/** The words of the first line after a mark. */
const firstLine = (bytes, mark) => new TextDecoder().decode(bytes.slice(mark.length, 1024)).split("\n")[0].split(" ");

function ofObject(object) {
  const { kind, crypto } = object;
  if (kind === "phalanx key v1") {
    const { scheme, encoding, public_key: publicKey, activation } = object;
    const active = Number.isInteger(activation?.start) && Number.isInteger(activation?.end) ? [activation.start, activation.end] : undefined;
    return reading("key.json", { scheme: text(scheme), format: text(encoding), publicKey: text(publicKey), activation: active });
  }
  if (kind === "phalanx keygen checkpoint v1") return reading("keygen.checkpoint", { scheme: text(object.scheme) });
  if (crypto?.kdf && crypto?.cipher) {
    const { description, pubkey, path, uuid } = object;
    const known = object.version === 5 ? "keystore" : "keystore of another version";
    return reading(known, { publicKey: text(pubkey) }, { description, path, uuid, version: String(object.version ?? "") });
  }
  return null;
}

/** Profiles of aggregates by the number in them. */
const PROFILES = { 1: "aggregate-v1-provable100", 3: "aggregate-v1-provable128" };

/**
 * A statement of an aggregate, which bears no mark but says its own length: groups of an epoch, a message and keys of 32
 * bytes. How many there are, or nothing. Whether they are in order is for the verifier to say.
 */
function statement(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (at) => (at + 4 <= bytes.length ? view.getUint32(at, true) : 0);
  const groups = number(0);
  let [at, signatures] = [4, 0];
  for (let i = 0; i < groups && at < bytes.length; i++) {
    const keys = number(at + 36);
    if (!keys) return null;
    signatures += keys;
    at += 40 + 32 * keys;
  }
  return groups && at === bytes.length ? { groups: String(groups), signatures: String(signatures) } : null;
}

/** What the bytes are by their mark; `null` if they bear none. */
export function marked(bytes) {
  const object = json(bytes);
  if (object) return ofObject(object);
  if (begins(bytes, "PXA1") && PROFILES[bytes[4]]) return reading("aggregate", { scheme: PROFILES[bytes[4]] });
  const said = statement(bytes);
  if (said) return { ...reading("statement of an aggregate", {}, said), confidence: "likely" };
  if (begins(bytes, "SQLite format 3\0") && begins(bytes.slice(68), "PHLX")) return reading("store of a ledger", {}, { store: "SQLite" });
  if (begins(bytes, "phalanx-ledger-log 1 ")) return reading("side log of a ledger");
  if (begins(bytes, "phalanx-trees 1\n")) return reading("trees of a keystore");
  const record = "phalanx-epochs ";
  if (begins(bytes, `${record}v`)) {
    // One that a ledger has taken over names no set.
    const [version, scheme] = firstLine(bytes, record);
    return reading("epoch record", version === "v1" ? { scheme } : {});
  }
  const keeper = "phalanx-key v1 ";
  if (begins(bytes, keeper)) {
    const [scheme] = firstLine(bytes, keeper);
    return reading("keeper of a key", { scheme });
  }
  const head = new TextDecoder().decode(bytes.slice(0, 200));
  if (head.includes("phalanx keygen checkpoint v1")) return reading("keygen.checkpoint");
  const words = bytes.length < 4096 ? new TextDecoder().decode(bytes).trim().split(/\s+/) : [];
  if (words.length === 3 && words.slice(0, 2).every((id) => /^[0-9a-f]{32}$/.test(id)) && words[2].startsWith("postgres")) {
    return reading("place of a ledger in a database", {}, { ledger: words[0], "side log": words[1] });
  }
  return null;
}
