// Ed25519 in the shape of WebCrypto's SubtleCrypto, for programs that are written for it.

const ALGORITHM = Object.freeze({ name: "Ed25519" });

const refuse = (name, text) => {
  throw new DOMException(text, name);
};

function isEd25519(algorithm) {
  const name = typeof algorithm === "string" ? algorithm : algorithm?.name;
  if (String(name).toLowerCase() !== "ed25519") refuse("NotSupportedError", "Ed25519 is the only algorithm here");
}

function bytes(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError("data is no ArrayBuffer or view of one");
}

const buffer = ({ buffer: whole, byteOffset, byteLength }) => whole.slice(byteOffset, byteOffset + byteLength);

/** Usages in WebCrypto's order, all of them allowed. */
function allowed(usages, possible) {
  const wanted = [...usages];
  for (const usage of wanted) {
    if (!possible.includes(usage)) refuse("SyntaxError", `a key of this kind is not for ${usage}`);
  }
  return Object.freeze(possible.filter((usage) => wanted.includes(usage)));
}

/** What the keys stand for, which their holders do not see. */
const held = new WeakMap();

/** As WebCrypto's CryptoKey, whose constructor is not for others. `free` wipes a private key before its object goes. */
class Key {
  constructor(type, extractable, usages, value) {
    Object.assign(this, { type, extractable, algorithm: ALGORITHM, usages });
    held.set(this, value);
    Object.freeze(this);
  }

  free() {
    const value = held.get(this);
    if (this.type === "private") value.free();
  }
}

function the(key, type, usage) {
  if (!held.has(key)) throw new TypeError("the key is none of this module");
  if (key.type !== type || (usage && !key.usages.includes(usage))) {
    refuse("InvalidAccessError", `a ${type} key${usage ? ` for ${usage}` : ""} is wanted`);
  }
  return held.get(key);
}

/** `work`, whose errors of bytes are WebCrypto's. */
function reading(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof DOMException) throw error;
    return refuse("DataError", error.message);
  }
}

/** The members of a JSON Web Key that are the key, after those that say what it may be used for. */
function jwk(data, extractable, usages) {
  if (data === null || typeof data !== "object") throw new TypeError("data is no object");
  const { kty, crv, x, d, ext, key_ops: operations, use } = data;
  if (ext === false && extractable) refuse("DataError", "the key says that it is not extractable");
  if (use !== undefined && use !== "sig") refuse("DataError", "the key says that it is not for signatures");
  if (operations !== undefined && !usages.every((usage) => operations.includes(usage))) {
    refuse("DataError", "the key says that it is for other operations");
  }
  return d === undefined ? { kty, crv, x } : { kty, crv, x, d };
}

/** `generateKey`, `importKey`, `exportKey`, `sign` and `verify` of Ed25519, each a promise. */
export function subtle({ SigningKey, verify, importPublicKey, exportPublicKey }) {
  const privateKey = (value, extractable, usages) => new Key("private", extractable, allowed(usages, ["sign"]), value);
  const publicKey = (value, extractable, usages) => new Key("public", extractable, allowed(usages, ["verify"]), value);
  return Object.freeze({
    async generateKey(algorithm, extractable, usages) {
      isEd25519(algorithm);
      const wanted = allowed(usages, ["sign", "verify"]);
      if (!wanted.includes("sign")) refuse("SyntaxError", "a private key without a usage");
      const key = SigningKey.generate();
      const only = (usage) => wanted.filter((each) => each === usage);
      return { privateKey: privateKey(key, Boolean(extractable), only("sign")), publicKey: publicKey(key.publicKey, true, only("verify")) };
    },
    async importKey(format, data, algorithm, extractable, usages) {
      isEd25519(algorithm);
      const wanted = [...usages];
      const given = format === "jwk" ? jwk(data, Boolean(extractable), wanted) : bytes(data);
      if (format === "pkcs8" || (format === "jwk" && given?.d !== undefined)) {
        if (!wanted.length) refuse("SyntaxError", "a private key without a usage");
        const checked = allowed(wanted, ["sign"]);
        return privateKey(reading(() => SigningKey.import(format, given)), Boolean(extractable), checked);
      }
      if (!["raw", "spki", "jwk"].includes(format)) refuse("NotSupportedError", `there is no format ${format}`);
      const checked = allowed(wanted, ["verify"]);
      return publicKey(reading(() => importPublicKey(format, given)), Boolean(extractable), checked);
    },
    async exportKey(format, key) {
      if (!held.has(key)) throw new TypeError("the key is none of this module");
      if (!key.extractable) refuse("InvalidAccessError", "the key is not extractable");
      if (format === "jwk") {
        const jwk = key.type === "private" ? the(key, "private").export("jwk") : exportPublicKey("jwk", the(key, "public"));
        return { ...jwk, key_ops: [...key.usages], ext: key.extractable };
      }
      if (format === "pkcs8") return buffer(the(key, "private").export("pkcs8"));
      if (format === "raw") return buffer(the(key, "public"));
      if (format === "spki") return buffer(exportPublicKey("spki", the(key, "public")));
      return refuse("NotSupportedError", `there is no format ${format}`);
    },
    async sign(algorithm, key, data) {
      isEd25519(algorithm);
      return buffer(the(key, "private", "sign").sign(bytes(data)));
    },
    async verify(algorithm, key, signature, data) {
      isEd25519(algorithm);
      const claim = { publicKey: the(key, "public", "verify"), message: bytes(data), signature: bytes(signature) };
      try {
        verify(claim);
        return true;
      } catch (error) {
        if (error.name === "InvalidSignature") return false;
        throw error;
      }
    },
  });
}
