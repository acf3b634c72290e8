// Commit to a polynomial, open it at a point, verify; another value has no proof.
// `node ligerito.js`, in a folder where the package is installed.
import { load, VerificationError } from "@phalanx-crypto/phalanx";

const { ligerito } = await load();
const variables = 12;
const profile = "balanced";
const context = new TextEncoder().encode("an example");

// Word x is the value at the bits of x. In a protocol the point comes from a transcript that has the commitment in it.
const polynomial = Uint32Array.from({ length: 2 ** variables }, (_, x) => Math.imul(x, 0x9e3779b9));
const point = Array.from({ length: variables }, (_, j) => BigInt(3 + j * j));
const { commitment, values, proof } = ligerito.open({ profile, polynomial, points: [point], context });

// The verifier has the bytes, its own statement, and its own idea of which commitments it takes.
/** @param {bigint} value */
const verify = (value) =>
  ligerito.verify({ accepted: { profile, variables }, commitment, claims: [{ point, value }], proof, context });
verify(values[0]);
console.log(`the value is right: a proof of ${proof.length} bytes`);
try {
  verify(values[0] ^ 1n);
  throw new Error("a wrong value verifies");
} catch (error) {
  if (!(error instanceof VerificationError)) throw error;
  console.log(`another value: ${error.message}`);
}
