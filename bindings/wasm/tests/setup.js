// What the tests share: the package that was built, and the vectors.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.env.PHALANX_PACKAGE;
if (!folder) throw new Error("PHALANX_PACKAGE names the folder of the built package");

/** A module of the package. */
export const fromPackage = (file) => import(pathToFileURL(`${folder}/${file}`).href);

const vectors = process.env.PHALANX_VECTORS;
if (!vectors) throw new Error("PHALANX_VECTORS names the folder of the vectors");

/** The bytes of a vector file. */
export const file = (path) => new Uint8Array(readFileSync(`${vectors}/${path}`));

/** A vector file. */
export const json = (path) => JSON.parse(Buffer.from(file(path)).toString());

export const unhex = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));
export const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** Both builds of both parts. */
export async function builds() {
  const full = (await fromPackage("index.js")).load;
  const verify = (await fromPackage("verify.js")).load;
  return [
    ["everything, simd", await full({ simd: true })],
    ["everything, scalar", await full({ simd: false })],
    ["verifiers, simd", await verify({ simd: true })],
    ["verifiers, scalar", await verify({ simd: false })],
  ];
}

/** The parameter set of a vector file's profile. */
export const SETS = {
  "p2-top-l8-d64b8": "xmss-poseidon2-l8-d64b8",
  "p2-top-l18-d64b8": "xmss-poseidon2-l18-d64b8",
  "p2-top-l32-d64b8": "xmss-poseidon2-l32-d64b8",
  "p2-top-l32-d48b10": "xmss-poseidon2-l32-d48b10",
  "p2-top-l32-d32b26": "xmss-poseidon2-l32-d32b26",
  "p1-abort-l32-d46b8": "xmss-poseidon1-l32-d46b8",
  "p1-abort-l8-d4b8-test": "xmss-poseidon1-l8-d4b8-test",
};

/** Whether a call throws an error, and of which name. */
export function nameOfError(call) {
  try {
    call();
  } catch (error) {
    return error.name;
  }
  return null;
}

/** A commitment of our own suite, from a case of the vectors. */
export const commitmentOf = ({ profile, mu, root0 }) => Uint8Array.of(profile, mu, ...unhex(root0));

/** The claims of a case. */
export const claimsOf = ({ claims }) =>
  claims.map(({ point, value }) => ({ point: point.map((digits) => BigInt(`0x${digits}`)), value: BigInt(`0x${value}`) }));

/** What a case states, for `ligerito.verify`. */
export function statementOf(test) {
  return {
    accepted: { profile: test.profile === 1 ? "balanced" : "compact", variables: test.mu },
    commitment: commitmentOf(test),
    claims: claimsOf(test),
    proof: file(`ligerito-own/${test.proof_file}`),
    context: unhex(test.ctx_hex),
  };
}

/** The polynomials of the vectors: xorshift with 64 bits of state. */
export function polynomial(variables, seed) {
  let state = BigInt(seed);
  return Uint32Array.from({ length: 1 << variables }, () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return Number(state & 0xffffffffn);
  });
}

/** How many bad inputs a function is tried with. */
export const INPUTS = 1000;

/** Random numbers that are the same in every run. */
function generator(seed) {
  let state = seed;
  // A Weyl sequence, mixed.
  const next = (limit) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  };
  const bytes = (length) => Uint8Array.from({ length }, () => next(256));
  /** Other bytes: random ones, or real ones bent, cut, lengthened, filled. */
  const bad = (real) => {
    const out = real.slice();
    const at = next(out.length + 1);
    switch (next(7)) {
      case 0:
        return bytes(next(2 * real.length + 2));
      case 1:
        return out.slice(0, at);
      case 2:
        return Uint8Array.of(...out, ...bytes(1 + next(40)));
      case 3:
        return out.fill(next(2) * 255, at);
      case 4:
        out.set(bytes(8).slice(0, out.length - at), at);
        return out;
      case 5:
        out.set(Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 127]).slice(0, out.length - at), at);
        return out;
      default:
        if (at < out.length) out[at] ^= 1 << next(8);
        return out;
    }
  };
  return { next, bytes, bad };
}

/** Calls a function with bad inputs, which may throw what it likes but a trap; says how often it threw. */
export function survives(call) {
  const random = generator(0x5eed);
  let threw = 0;
  for (let i = 0; i < INPUTS; i++) {
    try {
      call(random);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || !(error instanceof Error)) throw error;
      threw += 1;
    }
  }
  return threw;
}
