import { load } from "@phalanx-crypto/phalanx";

const { ed25519, xmss, identify } = await load(); // with SIMD where the engine has it

const key = ed25519.SigningKey.generate();
const message = new TextEncoder().encode("a message");
const signature = key.sign(message);
ed25519.verify({ publicKey: key.publicKey, message, signature }); // throws InvalidSignature if it does not hold

const signer = xmss.SigningKey.generate({ set: "xmss-poseidon2-l8-d64b8", count: 256 });
const vote = new Uint8Array(32).fill(1);
const signed = signer.sign(17, vote); // an epoch signs one message
const claim = { set: signer.parameterSet, publicKey: signer.publicKey(), epoch: 17, message: vote, signature: signed };
console.log(xmss.verifyMany([claim, { ...claim, epoch: 18 }])); // [ true, false ]

console.log(identify(signed).readings[0].kind); // signature
