// Make a key, sign, verify; a changed message is refused: one signature, then many at once.
// `node ed25519.js`, in a folder where the package is installed.
import { load, VerificationError } from "@phalanx-crypto/phalanx";

const { ed25519 } = await load(); // with SIMD where the engine has it
const message = new TextEncoder().encode("a message");
const changed = new TextEncoder().encode("another message");

const key = ed25519.SigningKey.generate();
const { publicKey } = key;
const signature = key.sign(message);
key.free(); // wipes it

// What travels is bytes. `verify` is under the rule `strict`; others are named.
ed25519.verify({ publicKey, message, signature });
ed25519.verify({ publicKey, message, signature, profile: "zip215" });
try {
  ed25519.verify({ publicKey, message: changed, signature });
  throw new Error("a changed message verifies");
} catch (error) {
  if (!(error instanceof VerificationError)) throw error;
  console.log(`another message: ${error.message}`);
}

// Many at once, a result for each.
const [good, bad] = ed25519.verifyMany([{ publicKey, message, signature }, { publicKey, message: changed, signature }]);
if (!good || bad) throw new Error("these are the wrong results");
console.log(`of two: ${good}, ${bad}`);
