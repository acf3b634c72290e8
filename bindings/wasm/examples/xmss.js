// Make a key for 256 epochs, sign at one of them, verify; a changed message and a second one at the epoch are refused.
// `node xmss.js`, in a folder where the package is installed.
import { load, PhalanxError } from "@phalanx-crypto/phalanx";

const { xmss } = await load();
const set = "xmss-poseidon2-l8-d64b8";
const epoch = 17;
const message = new Uint8Array(32).fill(1);
const changed = new Uint8Array(32).fill(2);

const key = xmss.SigningKey.generate({ set, count: 256 });
const publicKey = key.publicKey();
const signature = key.sign(epoch, message);
// An epoch signs one message. The record of that ends with the program: longer than that, `phalanx serve` signs.
try {
  key.sign(epoch, changed);
  throw new Error("the epoch signs twice");
} catch (error) {
  if (!(error instanceof PhalanxError && error.name === "EpochUsed")) throw error;
  console.log(`another message at this epoch: ${error.message}`);
}
key.free(); // wipes it

// What travels is bytes; both sides name the parameter set. `verify` throws what it refuses, `verifyMany` says it.
const claim = { set, publicKey, epoch, message, signature };
xmss.verify(claim);
const [good, bad] = xmss.verifyMany([claim, { ...claim, message: changed }]);
if (!good || bad) throw new Error("these are the wrong results");
console.log(`${signature.length} bytes: ${good}, of another message: ${bad}`);
