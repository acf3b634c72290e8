// The classes of errors. `name` is what the Rust error is called, whichever the class.

/** Any error of this package but those of wrong JavaScript types. */
export class PhalanxError extends Error {}

/** What was given does not verify: a signature, or a proof. */
export class VerificationError extends PhalanxError {}

/** Bytes that are not what they should be: a key, a signature, a commitment, a digest. */
export class DecodingError extends PhalanxError {}

const DECODING = new Set([
  "Malformed",
  "InvalidLength",
  "InvalidPublicKey",
  "KeyMismatch",
  "InvalidKeyFormat",
  "NoGroups",
  "EmptyGroup",
  "GroupOrder",
  "KeyOrder",
  "StatementLength",
]);
/** What is the caller's mistake where proofs are verified: each other name is a check that failed. */
const MISTAKES = new Set(["UnknownName", "LengthMismatch", "NoEncoding"]);

/** An error of the module in its class; any other as it is. */
function classed(error, mistakes) {
  const isOurs = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype && error.name !== "Error";
  if (!isOurs) return error;
  const fails = error.name === "InvalidSignature" || mistakes?.has(error.name) === false;
  const Class = DECODING.has(error.name) ? DecodingError : fails ? VerificationError : PhalanxError;
  return Object.setPrototypeOf(error, Class.prototype);
}

/** `call`, with its errors in their classes; `mistakes` if it verifies. */
const around = (mistakes) => (call) =>
  function (...given) {
    try {
      return call.apply(this, given);
    } catch (error) {
      throw classed(error, mistakes);
    }
  };

export const calling = around();
export const verifying = around(MISTAKES);
/** Of aggregates: `NoEncoding` is a check of theirs. */
export const verifyingAggregates = around(new Set(["UnknownName"]));

/** The methods of an object or a class, `calling`. */
export function callingAll(target) {
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (["constructor", "prototype"].includes(name)) continue;
    if (get) Object.defineProperty(target, name, { get: calling(get) });
    else if (typeof value === "function") Object.defineProperty(target, name, { value: calling(value) });
  }
  return target;
}
