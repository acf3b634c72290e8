// Compiled, never run: what the types promise. A line after @ts-expect-error must not compile.
import { fromHex, hasSimd, load, toHex, VerificationError } from "@phalanx-crypto/phalanx";
import type { Opening, Phalanx, Report, XmssSigningKey } from "@phalanx-crypto/phalanx";
import { load as loadAggregates } from "@phalanx-crypto/phalanx/aggregate";
import { load as loadVerifiers } from "@phalanx-crypto/phalanx/verify";
import type { LigeritoPlanesStatement } from "@phalanx-crypto/phalanx/verify";

const phalanx: Phalanx = await load({ simd: hasSimd() });
const { xmss, ed25519, rescue, ligerito } = phalanx;

const key = ed25519.SigningKey.generate();
const message = new Uint8Array(3);
ed25519.verify({ publicKey: key.publicKey, message, signature: key.sign(message), profile: "zip215" });
ed25519.verify({ publicKey: key.publicKey, message, signature: key.sign(message, { prehash: true }), prehash: true });
const why: string | null = ed25519.explain({ publicKey: key.publicKey, message, signature: message });
const good: boolean[] = ed25519.verifyMany([{ publicKey: key.publicKey, message, signature: message }], { profile: "strict" });
key.free();

const signing: XmssSigningKey = xmss.SigningKey.generate({
  set: "xmss-poseidon2-l8-d64b8",
  count: 256,
  onProgress: (done, total) => done < total,
});
const signature: Uint8Array = signing.sign(3, new Uint8Array(32), { format: "bincode" });
const from: number = signing.activation.start;
xmss.verify({ set: signing.parameterSet, publicKey: signing.publicKey(), epoch: 3, message, signature });

const digest: Uint8Array = rescue.hashElements("rpo-256", BigUint64Array.of(1n, 2n));
rescue.merge("rescue-rp64-256", digest, digest);

const opening: Opening = ligerito.open({ polynomial: new Uint32Array(1 << 10), points: [[1n], new Uint8Array(16)] });
ligerito.verify({
  accepted: { profile: "balanced", variables: 10 },
  commitment: opening.commitment,
  claims: [{ point: [1n], value: opening.values[0] ?? 0n }],
  proof: opening.proof,
});

const bits = ligerito.openPlanes({ polynomial: new BigUint64Array(1 << 9), points: [[1n]] });
const planes: bigint[] = bits.planes[0] ?? [];
const several = ligerito.openTogether({ polynomials: [message], points: [{ commitment: 0, point: [1n] }] });
ligerito.verifyTogether({
  accepted: { profiles: ["balanced"], maxVariables: 10 },
  commitments: several.commitments,
  claims: [{ commitment: 0, point: [1n], value: several.values[0] ?? 0n }],
  proof: several.proof,
});

const report: Report = phalanx.identify(digest);
const kinds: string[] = report.readings.map(({ kind }) => kind);

const verifiers = await loadVerifiers();
verifiers.xmss.verifyMany([]);
// @ts-expect-error verifiers do not sign
verifiers.ed25519.SigningKey.generate();
const planesStatement: LigeritoPlanesStatement = {
  accepted: { profile: "balanced", variables: 10 },
  commitment: bits.commitment,
  claims: [{ point: [1n], planes }],
  proof: bits.proof,
};
verifiers.ligerito.verifyPlanes(planesStatement);
const bit: bigint = verifiers.ligerito.valueOfPlanes([0n, 0n, 0n, 0n, 0n], [1n], planes);
// @ts-expect-error the verifiers alone take one commitment
verifiers.ligerito.verifyTogether({});
// @ts-expect-error signed integers are no bits
ligerito.commit("balanced", new Int32Array(1 << 10));
// @ts-expect-error no such rule
ed25519.verify({ publicKey: message, message, signature, profile: "lax" });
// @ts-expect-error verified one by one
ed25519.verifyMany([{ publicKey: message, message, signature: message, prehash: true }]);
rescue.hashElements("rpo-256", [1n, 2n]);
const aggregates = await loadAggregates();
const statement: Uint8Array = aggregates.statementOf([{ epoch: 3, message, keys: [message] }]);
aggregates.verify({ accepted: { profiles: ["aggregate-v1-provable128"] }, statement, aggregate: message });
const epochs: number[] = aggregates.statement(statement).groups.map(({ epoch }) => epoch);
// @ts-expect-error the profiles are named
aggregates.verify({ accepted: {}, statement, aggregate: message });
const pem: string = key.export("pem");
const imported = ed25519.SigningKey.import("jwk", key.export("jwk"));
ed25519.SigningKey.import("any", key.export("pem"));
const raw: Uint8Array = ed25519.importPublicKey("openssh", ed25519.exportPublicKey("openssh", imported.publicKey));
const pair = await phalanx.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
const made: ArrayBuffer = await phalanx.subtle.sign("Ed25519", pair.privateKey, fromHex("00"));
const holds: boolean = await phalanx.subtle.verify("Ed25519", pair.publicKey, made, message);
const isForgery = (error: unknown): boolean => error instanceof VerificationError && error.name === toHex(message);
await load({ module: new WebAssembly.Module(message), simd: false });
// @ts-expect-error a public key has no PKCS#8
ed25519.importPublicKey("pkcs8", message);
// @ts-expect-error only Ed25519
phalanx.subtle.sign("RSA-PSS", pair.privateKey, message);
// @ts-expect-error elements are not plain numbers
rescue.hashElements("rpo-256", [1, 2]);
// @ts-expect-error an epoch is needed
xmss.verify({ set: "x", publicKey: message, message, signature });

export { bit, digest, epochs, from, good, holds, isForgery, kinds, pem, raw, why };
