// The shapes that JavaScript's users meet, on top of the module's flat functions. What is given is checked here, so that
// only arrays, numbers and texts reach the module.

import { callingAll, verifying } from "./errors.js";
import { array, bytes, integer, joined, list, object, text } from "./given.js";
import { subtle } from "./subtle.js";

// ---- what callers give ----

const epochOf = (value) => integer("epoch", value, 2 ** 32);

/** Elements of GF(2^128), as integers or as the bytes they are: 16 for each, little-endian. */
function elements(name, value) {
  if (value instanceof Uint8Array) return value;
  const out = new BigUint64Array(2 * list(name, value).length);
  value.forEach((element, i) => {
    if (typeof element !== "bigint" || element < 0n || element >> 128n) {
      throw new RangeError(`${name}: element ${i} is no integer below 2^128`);
    }
    out[2 * i] = BigInt.asUintN(64, element);
    out[2 * i + 1] = element >> 64n;
  });
  return littleEndian(out);
}

/** WebAssembly's memory is little-endian, and so are almost all machines. */
function littleEndian(words) {
  const view = new DataView(new ArrayBuffer(8 * words.length));
  words.forEach((word, i) => view.setBigUint64(8 * i, word, true));
  return new Uint8Array(view.buffer);
}

function integers(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (i) => view.getBigUint64(8 * i, true);
  return Array.from({ length: bytes.length / 16 }, (_, i) => word(2 * i) | (word(2 * i + 1) << 64n));
}

/** Words of 64 bits, as an array of them or as integers. */
function words(value) {
  if (value instanceof BigUint64Array) return value;
  if (!Array.isArray(value)) throw new TypeError("elements is no BigUint64Array and no array of bigints");
  return BigUint64Array.from(value, (element, i) => {
    if (typeof element !== "bigint") throw new TypeError(`elements: element ${i} is no bigint`);
    if (element < 0n || element >> 64n) throw new RangeError(`elements: element ${i} is no integer below 2^64`);
    return element;
  });
}

function points(value) {
  const each = list("points", value).map((point, i) => elements(`point ${i}`, point));
  each.forEach((point, i) => {
    if (point.length % 16) throw new RangeError(`point ${i} is no whole number of elements`);
  });
  return [joined(each), Uint32Array.from(each, (point) => point.length / 16)];
}

const results = (answer) => Array.from(answer, (result) => result === 1);

// ---- verifiers ----

function xmssClaim(claim) {
  const { set, format = "ssz", publicKey, epoch, message, signature } = object("claim", claim);
  return [
    text("set", set),
    text("format", format),
    bytes("publicKey", publicKey),
    epochOf(epoch),
    bytes("message", message),
    bytes("signature", signature),
  ];
}

function xmssVerifiers(glue) {
  return {
    parameterSets: Object.freeze(glue.xmssParameterSets()),
    verify: verifying((claim) => glue.xmssVerify(...xmssClaim(claim))),
    verifyMany(claims) {
      const all = new glue.XmssClaims();
      try {
        for (const claim of list("claims", claims)) all.push(...xmssClaim(claim));
        return results(all.verify());
      } finally {
        all.free();
      }
    },
  };
}

function ed25519Claim(claim) {
  const { publicKey, message, signature } = object("claim", claim);
  return [bytes("publicKey", publicKey), bytes("message", message), bytes("signature", signature)];
}

/** What Ed25519ctx and Ed25519ph sign beside the message; nothing for plain Ed25519. */
function ed25519Kind({ context, prehash = false }) {
  if (typeof prehash !== "boolean") throw new TypeError("prehash is no boolean");
  if (context === undefined && !prehash) return undefined;
  return [context === undefined ? new Uint8Array() : bytes("context", context), prehash];
}

function ed25519Plain(claim) {
  if (ed25519Kind(object("claim", claim))) throw new TypeError("context and prehash are for verify alone");
  return ed25519Claim(claim);
}

function ed25519Verifiers(glue) {
  const profileOf = ({ profile = "strict" } = {}) => text("profile", profile);
  const together = (claims, options, answer) => {
    const all = new glue.Ed25519Claims(profileOf(options));
    try {
      for (const claim of list("claims", claims)) all.push(...ed25519Plain(claim));
      return answer(all);
    } finally {
      all.free();
    }
  };
  return {
    profiles: Object.freeze(glue.ed25519Profiles()),
    verify: verifying((claim) => {
      const parts = [profileOf(object("claim", claim)), ...ed25519Claim(claim)];
      const kind = ed25519Kind(claim);
      return kind ? glue.ed25519VerifyIn(...parts, ...kind) : glue.ed25519Verify(...parts);
    }),
    explain: (claim) => glue.ed25519Explain(profileOf(object("claim", claim)), ...ed25519Plain(claim)) ?? null,
    verifyMany: (claims, options) => together(claims, options, (all) => results(all.verifyMany())),
    verifyBatch: (claims, options) => together(claims, options, (all) => all.verifyBatch()),
  };
}

/** Which commitments are accepted: names of profiles, variables, and whether exactly so many. */
function acceptance(accepted) {
  const { profile, variables, profiles, maxVariables } = object("accepted", accepted);
  const exactly = profile !== undefined;
  const names = exactly ? text("profile", profile) : list("profiles", profiles).map((name) => text("profile", name)).join();
  return [names, integer("variables", exactly ? variables : maxVariables, 256), exactly];
}

const claimsOf = ({ claims }) => list("claims", claims).map((claim) => object("claim", claim));
const valuesOf = (claims) => elements("values", claims.map(({ value }) => value));
const proofOf = ({ proof, context = new Uint8Array() }) => [bytes("proof", proof), bytes("context", context)];
/** Which of several commitments each point or claim is of. */
const numbersOf = (each) => Uint32Array.from(each, ({ commitment }) => integer("commitment", commitment, 2 ** 32));

/** Planes, 32 for each point. */
function planesOf(each) {
  const parts = each.map((planes, i) => elements(`planes ${i}`, planes));
  parts.forEach((planes, i) => {
    if (planes.length !== 32 * 16) throw new RangeError(`planes ${i} are not 32 elements`);
  });
  return joined(parts);
}

function ligeritoVerifiers(glue) {
  const judged = (ofPlanes, valuesOf) =>
    verifying((statement) => {
      const { accepted, commitment } = object("statement", statement);
      const each = claimsOf(statement);
      const parts = [bytes("commitment", commitment), ...points(each.map(({ point }) => point)), valuesOf(each)];
      glue.ligeritoVerify(...acceptance(accepted), ofPlanes, ...parts, ...proofOf(statement));
    });
  return {
    profiles: Object.freeze(glue.ligeritoProfiles()),
    verify: judged(false, valuesOf),
    verifyPlanes: judged(true, (claims) => planesOf(claims.map(({ planes }) => planes))),
    valueOfPlanes: (low, basis, planes) =>
      integers(glue.ligeritoValueOfPlanes(elements("low", low), elements("basis", basis), planesOf([planes])))[0],
    aesBasis: () => integers(glue.ligeritoAesBasis()),
    verifyRefV08: verifying((statement) => {
      const { variables, sizes = "published", transcript = "sha256", root, claims = [], proof } =
        object("statement", statement);
      const each = list("claims", claims).map((claim) => object("claim", claim));
      const indexOf = ({ index }) =>
        typeof index === "bigint" && index >= 0n && index < 1n << 64n
          ? index
          : BigInt(integer("index", index, Number.MAX_SAFE_INTEGER + 1));
      glue.ligeritoVerifyRefV08(
        text("sizes", sizes),
        integer("variables", variables, 256),
        text("transcript", transcript),
        bytes("root", root),
        BigUint64Array.from(each, indexOf),
        Uint32Array.from(each, ({ value }) => integer("value", value, 2 ** 32)),
        bytes("proof", proof),
      );
    }),
  };
}

/** Done: errors in their classes, and nothing to change. */
const finished = (part) => Object.freeze(callingAll(part));

/** What `@phalanx-crypto/phalanx/verify` gives. */
export function verifiers(glue, build) {
  return Object.freeze({
    build,
    backend: glue.backend(),
    version: glue.version(),
    xmss: finished(xmssVerifiers(glue)),
    ed25519: finished(ed25519Verifiers(glue)),
    ligerito: finished(ligeritoVerifiers(glue)),
  });
}

// ---- everything ----

const OWN = Symbol("made by this module");

/** Around a key in the module's memory, which is wiped when the key is freed. */
class Key {
  #inner;

  constructor(own, inner) {
    if (own !== OWN) throw new TypeError("keys are made by generate, fromSeed or fromBytes");
    this.#inner = inner;
  }

  /** The key, if it is not freed. */
  static inner(key) {
    if (!key.#inner) throw new TypeError("the key is freed");
    return key.#inner;
  }

  /** Wipes it. */
  free() {
    this.#inner?.free();
    this.#inner = undefined;
  }
}
callingAll(Key.prototype);
if (Symbol.dispose) Key.prototype[Symbol.dispose] = Key.prototype.free;

const inner = Key.inner;

/** A class of keys, done. */
function keyClass(Class) {
  callingAll(Class.prototype);
  return callingAll(Class);
}

const utf8 = new TextEncoder();

/** A key file as bytes: of text for the forms that are text, of an object or its text for JWK. */
function fileOf(format, data) {
  if (text("format", format) === "jwk") return utf8.encode(typeof data === "string" ? data : JSON.stringify(object("data", data)));
  return typeof data === "string" && ["pem", "openssh"].includes(format) ? utf8.encode(data) : bytes("data", data);
}

/** The form of a key file and the file: where any is allowed, by how it begins. `binary` is the form of what is no text. */
function anyFile(format, data, binary) {
  if (text("format", format) !== "any") return [format, data];
  const isText = typeof data === "string";
  if (!isText && !ArrayBuffer.isView(data) && !(data instanceof ArrayBuffer)) return ["jwk", data];
  if (!isText && data.byteLength === 32) return [binary === "spki" ? "raw" : binary, data];
  const decoded = (file) => (isText ? file : new TextDecoder().decode(file));
  const start = decoded(isText ? data : bytes("data", data).subarray(0, 32)).trimStart();
  if (start.startsWith("{")) return ["jwk", decoded(data)];
  if (/^(-----BEGIN OPENSSH |ssh-ed25519 )/.test(start)) return ["openssh", data];
  return [isText || start.startsWith("-----BEGIN ") ? "pem" : binary, data];
}

/** A key file as its users have it. */
function fileAs(format, file) {
  if (!["pem", "openssh", "jwk"].includes(format)) return file;
  const found = new TextDecoder().decode(file);
  return format === "jwk" ? JSON.parse(found) : found;
}

function publicKeys(glue) {
  return {
    importPublicKey: (given, file) => {
      const [format, data] = anyFile(given, file, "spki");
      return glue.ed25519ReadPublicKey(format, fileOf(format, data));
    },
    exportPublicKey: (format, publicKey) =>
      fileAs(format, glue.ed25519WritePublicKey(text("format", format), bytes("publicKey", publicKey))),
  };
}

function ed25519Key(glue) {
  class SigningKey extends Key {
    static generate() {
      return new SigningKey(OWN, glue.Ed25519SigningKey.generate());
    }
    static fromSeed(seed) {
      return new SigningKey(OWN, glue.Ed25519SigningKey.fromSeed(bytes("seed", seed)));
    }
    get publicKey() {
      return inner(this).publicKey();
    }
    static import(given, file) {
      const [format, data] = anyFile(given, file, "pkcs8");
      return new SigningKey(OWN, glue.Ed25519SigningKey.read(format, fileOf(format, data)));
    }
    export(format) {
      return fileAs(format, inner(this).write(text("format", format)));
    }
    toSeed() {
      return inner(this).toSeed();
    }
    sign(message, options = {}) {
      const kind = ed25519Kind(object("options", options));
      const key = inner(this);
      return kind ? key.signIn(bytes("message", message), ...kind) : key.sign(bytes("message", message));
    }
  }
  return keyClass(SigningKey);
}

function xmssKey(glue) {
  const encoding = (options) => text("format", options?.format ?? "ssz");
  const interval = (key, at) => {
    const ends = inner(key).intervals();
    return { start: ends[at], end: ends[at + 1] };
  };
  class SigningKey extends Key {
    static generate({ set, start = 0, count, seed, onProgress } = {}) {
      if (onProgress !== undefined && typeof onProgress !== "function") throw new TypeError("onProgress is no function");
      const made = glue.XmssSigningKey.generate(
        text("set", set),
        seed === undefined ? undefined : bytes("seed", seed),
        integer("start", start, 2 ** 53),
        integer("count", count, 2 ** 53),
        onProgress,
      );
      return new SigningKey(OWN, made);
    }
    static fromBytes(set, secret, options) {
      return new SigningKey(OWN, glue.XmssSigningKey.fromBytes(text("set", set), encoding(options), bytes("secret", secret)));
    }
    get parameterSet() {
      return inner(this).parameterSet();
    }
    get activation() {
      return interval(this, 0);
    }
    get prepared() {
      return interval(this, 2);
    }
    publicKey(options) {
      return inner(this).publicKey(encoding(options));
    }
    toBytes(options) {
      return inner(this).toBytes(encoding(options));
    }
    sign(epoch, message, options) {
      return inner(this).sign(encoding(options), epochOf(epoch), bytes("message", message));
    }
  }
  return keyClass(SigningKey);
}

function rescue(glue) {
  const name = (value) => text("function", value);
  return {
    functions: Object.freeze(glue.rescueFunctions()),
    permute: (fn, states) => glue.rescuePermute(name(fn), words(states)),
    hashElements: (fn, input) => glue.rescueHashElements(name(fn), words(input)),
    hashElementsMany(fn, inputs) {
      const each = list("inputs", inputs).map(words);
      const lengths = Uint32Array.from(each, (input) => input.length);
      const digests = glue.rescueHashElementsMany(name(fn), joined(each, BigUint64Array), lengths);
      return each.map((_, i) => digests.slice(32 * i, 32 * (i + 1)));
    },
    hash: (fn, input) => glue.rescueHash(name(fn), bytes("input", input)),
    hashPadded: (fn, input) => glue.rescueHashPadded(name(fn), bytes("input", input)),
    merge: (fn, left, right) => glue.rescueMerge(name(fn), bytes("left", left), bytes("right", right)),
  };
}

/** A polynomial as words of 32 bits: an array of them, or of other unsigned integers, as they lie in memory. */
function polynomialOf(value) {
  if (value instanceof Uint32Array) return value;
  const types = [Uint8Array, Uint16Array, BigUint64Array];
  if (!types.some((type) => value instanceof type)) throw new TypeError("polynomial is no array of unsigned integers");
  const { buffer, byteOffset, byteLength } = value;
  if (byteLength % 4) throw new RangeError("polynomial is no whole number of words of 32 bits");
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

/** What an opening of the module is, whose memory it then gives back. */
function taken(opening) {
  try {
    const { commitment, values, proof } = opening;
    return { commitment, values: integers(values), proof };
  } finally {
    opening.free();
  }
}

function ligerito(glue) {
  const parts = ({ profile = "balanced", polynomial, points: at, context = new Uint8Array() }) => [
    text("profile", profile),
    polynomialOf(polynomial),
    ...points(at),
    bytes("context", context),
  ];
  return {
    ...ligeritoVerifiers(glue),
    verifyTogether: verifying((statement) => {
      const { accepted, commitments } = object("statement", statement);
      const each = claimsOf(statement);
      // One by one, so that a wrong length cannot move those behind it.
      const all = list("commitments", commitments).map((one) => bytes("commitment", one));
      const whole = joined(all.every(({ length }) => length === 34) ? all : [new Uint8Array(1)]);
      const parts = [whole, numbersOf(each), ...points(each.map(({ point }) => point)), valuesOf(each)];
      glue.ligeritoVerifyTogether(...acceptance(accepted), ...parts, ...proofOf(statement));
    }),
    commit: (profile, polynomial) => glue.ligeritoCommit(text("profile", profile), polynomialOf(polynomial)),
    open: (task) => taken(glue.ligeritoOpen(...parts(object("task", task)))),
    openPlanes(task) {
      const { commitment, values, proof } = taken(glue.ligeritoOpenPlanes(...parts(object("task", task))));
      return { commitment, planes: Array.from({ length: values.length / 32 }, (_, i) => values.slice(32 * i, 32 * (i + 1))), proof };
    },
    openTogether(task) {
      const { profile = "balanced", polynomials, points: at, context = new Uint8Array() } = object("task", task);
      const each = list("polynomials", polynomials).map(polynomialOf);
      const all = list("points", at).map((one) => object("point", one));
      const { commitment, values, proof } = taken(
        glue.ligeritoOpenTogether(
          text("profile", profile),
          joined(each, Uint32Array),
          Uint32Array.from(each, ({ length }) => length),
          numbersOf(all),
          ...points(all.map(({ point }) => point)),
          bytes("context", context),
        ),
      );
      return { commitments: each.map((_, i) => commitment.slice(34 * i, 34 * (i + 1))), values, proof };
    },
  };
}

/** What `@phalanx-crypto/phalanx` gives. */
export function full(glue, build) {
  const verify = verifiers(glue, build);
  const ed25519 = { ...verify.ed25519, SigningKey: ed25519Key(glue), ...callingAll(publicKeys(glue)) };
  return Object.freeze({
    ...verify,
    xmss: Object.freeze({ ...verify.xmss, SigningKey: xmssKey(glue) }),
    ed25519: Object.freeze(ed25519),
    rescue: finished(rescue(glue)),
    ligerito: finished(ligerito(glue)),
    subtle: subtle(ed25519),
    identify: (input, file = "FILE") => glue.identify(bytes("input", input), text("file", file)),
    nextCommand: ({ kind, scheme, format }, file = "FILE") => glue.nextCommand(text("kind", kind), scheme, format, text("file", file)),
  });
}
