// What people who come from noble or WebCrypto try first, through the package as it is installed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import {
  DecodingError,
  fromHex,
  load,
  PhalanxError,
  toHex,
  VerificationError,
} from "@phalanx-crypto/phalanx";
import { load as loadVerifiers } from "@phalanx-crypto/phalanx/verify";
import { file, hex, json, unhex } from "./setup.js";

const { ed25519, rescue, subtle, xmss } = await load();
const utf8 = new TextEncoder();

test("a signature of XMSS given in hexadecimal", () => {
  const [key] = json("xmss/p2-top-l32-d64b8.e2e.json");
  const [signed] = key.signatures;
  const claim = {
    set: "xmss-poseidon2-l32-d64b8",
    publicKey: fromHex(key.pk_ssz),
    epoch: signed.epoch,
    message: fromHex(`0x${signed.message}`),
    signature: fromHex(signed.sig_ssz.toUpperCase()),
  };
  xmss.verify(claim);
  assert.equal(toHex(claim.publicKey), key.pk_ssz);
  for (const wrong of ["0", "zz", "0x0", " 00", "00 "]) assert.throws(() => fromHex(wrong), RangeError, wrong);
  assert.throws(() => fromHex(12), TypeError);
  assert.throws(() => toHex("00"), TypeError);
  assert.deepEqual(fromHex(""), new Uint8Array());
});

// RFC 8032, sections 7.2 and 7.3.
test("contexts and prehashes sign as the RFC does", () => {
  const seed = unhex("0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6");
  const key = ed25519.SigningKey.fromSeed(seed);
  const [message, context] = [unhex("f726936d19c800494e3fdaff20b276a8"), utf8.encode("foo")];
  const signature = key.sign(message, { context });
  assert.equal(
    hex(signature),
    "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d",
  );
  const claim = { publicKey: key.publicKey, message, signature };
  for (const profile of ed25519.profiles) ed25519.verify({ ...claim, context, profile });
  for (const other of [{}, { context: utf8.encode("bar") }, { context, prehash: true }, { context: new Uint8Array() }]) {
    assert.throws(() => ed25519.verify({ ...claim, ...other }), { name: "InvalidSignature" });
  }
  for (const part of ["publicKey", "signature"]) {
    assert.throws(() => ed25519.verify({ ...claim, context, [part]: new Uint8Array(31) }), VerificationError);
  }
  assert.throws(() => key.sign(message, { context: new Uint8Array() }), { name: "ContextEmpty" });
  assert.throws(() => key.sign(message, { context: new Uint8Array(256) }), { name: "ContextTooLong" });
  assert.throws(() => key.sign(message, { prehash: 1 }), TypeError);
  assert.throws(() => key.sign(message, "foo"), TypeError);

  const hashed = ed25519.SigningKey.fromSeed(unhex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42"));
  const abc = { publicKey: hashed.publicKey, message: utf8.encode("abc"), signature: hashed.sign(utf8.encode("abc"), { prehash: true }) };
  assert.equal(
    hex(abc.signature),
    "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406",
  );
  ed25519.verify({ ...abc, prehash: true });
  assert.throws(() => ed25519.verify(abc), { name: "InvalidSignature" });
  // Where they are not verified they are not passed over.
  for (const call of [ed25519.explain, (one) => ed25519.verifyMany([one]), (one) => ed25519.verifyBatch([one])]) {
    assert.throws(() => call({ ...abc, prehash: true }), TypeError);
  }
});

test("errors have classes", () => {
  const key = ed25519.SigningKey.fromSeed(new Uint8Array(32));
  const good = { publicKey: key.publicKey, message: new Uint8Array(1), signature: key.sign(new Uint8Array(1)) };
  const thrown = (call) => {
    try {
      call();
    } catch (error) {
      return error;
    }
    throw new Error("nothing thrown");
  };
  const forged = thrown(() => ed25519.verify({ ...good, message: new Uint8Array(2) }));
  assert.ok(forged instanceof VerificationError && forged instanceof PhalanxError && forged instanceof Error);
  assert.equal(forged.name, "InvalidSignature");
  assert.ok(thrown(() => ed25519.verifyBatch([{ ...good, message: new Uint8Array(2) }])) instanceof VerificationError);
  const short = thrown(() => ed25519.SigningKey.fromSeed(new Uint8Array(31)));
  assert.ok(short instanceof DecodingError && !(short instanceof VerificationError));
  assert.equal(short.name, "Malformed");
  const unknown = thrown(() => ed25519.verify({ ...good, profile: "lax" }));
  assert.equal(unknown.constructor, PhalanxError);
  const signer = xmss.SigningKey.generate({ set: "xmss-poseidon2-l8-d64b8", count: 256, seed: new Uint8Array(32).fill(7) });
  signer.sign(3, new Uint8Array(32));
  const used = thrown(() => signer.sign(3, new Uint8Array(32).fill(1)));
  assert.ok(used instanceof PhalanxError && used.name === "EpochUsed");
  assert.ok(thrown(() => ed25519.verify(7)) instanceof TypeError);
  key.free();
  assert.ok(thrown(() => key.sign(new Uint8Array())) instanceof TypeError);
});

test("a worker that is handed the module and can fetch nothing", async () => {
  const path = fileURLToPath(import.meta.resolve("@phalanx-crypto/phalanx/full-scalar.wasm"));
  const script = `
    const { parentPort, workerData } = require("node:worker_threads");
    globalThis.fetch = () => { throw new Error("no network here"); };
    import(workerData.index).then(async ({ load }) => {
      const { ed25519, build } = await load({ module: workerData.module, simd: false });
      const key = ed25519.SigningKey.fromSeed(new Uint8Array(32));
      parentPort.postMessage([build, key.sign(new Uint8Array())]);
    });`;
  const index = import.meta.resolve("@phalanx-crypto/phalanx");
  const module = new WebAssembly.Module(readFileSync(path));
  const worker = new Worker(script, { eval: true, workerData: { index, module } });
  const [build, signature] = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  await worker.terminate();
  assert.equal(build, "scalar");
  assert.equal(hex(signature), hex(ed25519.SigningKey.fromSeed(new Uint8Array(32)).sign(new Uint8Array())));
  const bytes = readFileSync(fileURLToPath(import.meta.resolve("@phalanx-crypto/phalanx/verify-scalar.wasm")));
  assert.equal((await loadVerifiers({ module: bytes, simd: false })).build, "scalar");
});

test("elements of Rescue as bigints", () => {
  for (const name of rescue.functions) {
    const wanted = rescue.hashElements(name, BigUint64Array.of(1n, 2n));
    assert.deepEqual(rescue.hashElements(name, [1n, 2n]), wanted);
    assert.deepEqual(rescue.hashElementsMany(name, [[1n, 2n], BigUint64Array.of(1n, 2n)]), [wanted, wanted]);
    assert.deepEqual(rescue.permute(name, Array(24).fill(3n)), rescue.permute(name, new BigUint64Array(24).fill(3n)));
  }
  assert.throws(() => rescue.hashElements("rpo-256", [1]), TypeError);
  for (const wrong of [-1n, 1n << 64n]) assert.throws(() => rescue.hashElements("rpo-256", [wrong]), RangeError);
});

test("PEM, DER, OpenSSH and JWK are those of the vectors", () => {
  for (const each of json("ed25519/keys.json").cases) {
    const key = ed25519.SigningKey.fromSeed(unhex(each.seed));
    const words = (text) => text.trim().split(/\s+/);
    assert.deepEqual(words(key.export("pem")), words(each.pkcs8_v1_pem));
    assert.equal(hex(key.export("pkcs8")), each.pkcs8_v1_der);
    assert.deepEqual(words(ed25519.exportPublicKey("pem", key.publicKey)), words(each.spki_pem));
    assert.equal(hex(ed25519.exportPublicKey("spki", key.publicKey)), each.spki_der);
    const files = [
      ["pem", each.pkcs8_v1_pem],
      ["pem", each.pkcs8_v2_pem],
      ["pkcs8", unhex(each.pkcs8_v2_der)],
      ["openssh", each.openssh_private],
      ["openssh", key.export("openssh")],
      ["jwk", key.export("jwk")],
      ["jwk", JSON.stringify(key.export("jwk"))],
    ];
    for (const [format, data] of files) {
      const asBytes = typeof data === "string" ? [["any", utf8.encode(data)]] : [];
      for (const [form, file] of [[format, data], ["any", data], ...asBytes]) {
        assert.equal(hex(ed25519.SigningKey.import(form, file).toSeed()), each.seed, format);
      }
    }
    for (const format of ["raw", "spki", "pem", "openssh", "jwk"]) {
      const file = ed25519.exportPublicKey(format, key.publicKey);
      for (const form of [format, "any"]) assert.equal(hex(ed25519.importPublicKey(form, file)), each.pk, format);
    }
    assert.equal(hex(ed25519.importPublicKey("openssh", each.openssh_public)), each.pk);
  }
  for (const format of ["pem", "any"]) {
    assert.throws(() => ed25519.SigningKey.import(format, "nonsense"), DecodingError);
  }
  // A seed looks like a public key, and is named by fromSeed.
  assert.throws(() => ed25519.SigningKey.import("any", new Uint8Array(32)), DecodingError);
  assert.throws(() => ed25519.SigningKey.import("any", 7), TypeError);
  assert.throws(() => ed25519.SigningKey.import("spki", new Uint8Array(44)), { name: "UnknownName" });
  assert.throws(() => ed25519.importPublicKey("raw", new Uint8Array(31)), DecodingError);
});

const own = globalThis.crypto.subtle;

test("subtle does what WebCrypto's does", async () => {
  const data = new TextEncoder().encode("a message");
  for (const algorithm of ["Ed25519", { name: "ed25519" }]) {
    const pair = await subtle.generateKey(algorithm, true, ["sign", "verify"]);
    assert.deepEqual([pair.privateKey.usages, pair.publicKey.usages], [["sign"], ["verify"]]);
    const signature = await subtle.sign(algorithm, pair.privateKey, data);
    assert.ok(signature instanceof ArrayBuffer && signature.byteLength === 64);
    assert.equal(await subtle.verify(algorithm, pair.publicKey, signature, data), true);
    assert.equal(await subtle.verify(algorithm, pair.publicKey, signature, data.slice(1)), false);
    assert.equal(await subtle.verify(algorithm, pair.publicKey, new Uint8Array(3), data), false);

    // What the engine's own writes we read, and the other way round.
    for (const [format, usage, from] of [["pkcs8", "sign", pair.privateKey], ["spki", "verify", pair.publicKey], ["raw", "verify", pair.publicKey], ["jwk", "sign", pair.privateKey], ["jwk", "verify", pair.publicKey]]) {
      const written = await subtle.exportKey(format, from);
      const theirs = await own.importKey(format, written, { name: "Ed25519" }, true, [usage]);
      const back = await subtle.importKey(format, await own.exportKey(format, theirs), algorithm, true, [usage]);
      assert.deepEqual([back.type, back.usages, back.algorithm], [from.type, [usage], { name: "Ed25519" }]);
      if (usage === "sign") {
        assert.deepEqual(new Uint8Array(await own.sign("Ed25519", theirs, data)), new Uint8Array(signature));
        assert.deepEqual(new Uint8Array(await subtle.sign("Ed25519", back, data)), new Uint8Array(signature));
        back.free();
        await assert.rejects(subtle.sign("Ed25519", back, data), TypeError);
      } else {
        assert.equal(await own.verify("Ed25519", theirs, signature, data), true);
        assert.equal(await subtle.verify("Ed25519", back, signature, data), true);
      }
    }
  }
});

test("subtle refuses what WebCrypto refuses, by the same names", async () => {
  const kept = await subtle.generateKey("Ed25519", false, ["sign"]);
  const jwk = { ...ed25519.SigningKey.generate().export("jwk"), ext: false };
  const calls = {
    NotSupportedError: (s) => s.generateKey("X25519000", true, ["sign"]),
    SyntaxError: (s) => s.generateKey("Ed25519", true, ["encrypt"]),
    DataError: (s) => s.importKey("jwk", jwk, "Ed25519", true, ["sign"]),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(call(subtle), (error) => error instanceof DOMException && error.name === name, name);
    await assert.rejects(call(own), { name }, `the engine's own: ${name}`);
  }
  const refused = (name) => (error) => error instanceof DOMException && error.name === name;
  await assert.rejects(subtle.generateKey("Ed25519", true, ["verify"]), refused("SyntaxError"));
  await assert.rejects(subtle.exportKey("pkcs8", kept.privateKey), refused("InvalidAccessError"));
  await assert.rejects(subtle.exportKey("raw", (await subtle.generateKey("Ed25519", true, ["sign"])).privateKey), refused("InvalidAccessError"));
  await assert.rejects(subtle.verify("Ed25519", kept.publicKey, new Uint8Array(64), new Uint8Array()), refused("InvalidAccessError"));
  await assert.rejects(subtle.importKey("pkcs8", new Uint8Array(48), "Ed25519", true, ["sign"]), refused("DataError"));
  await assert.rejects(subtle.importKey("raw", new Uint8Array(31), "Ed25519", true, ["verify"]), refused("DataError"));
  await assert.rejects(subtle.importKey("spki", new Uint8Array(44), "Ed25519", true, ["sign"]), refused("SyntaxError"));
  await assert.rejects(subtle.sign("Ed25519", {}, new Uint8Array()), TypeError);
});

test("secrets leave the module in memory of JavaScript alone", () => {
  const key = ed25519.SigningKey.fromSeed(new Uint8Array(32).fill(0xa7));
  // Each is a buffer of its own, of no more than the secret: none is a view of the module's memory.
  for (const secret of [key.toSeed(), key.export("pkcs8")]) assert.equal(secret.buffer.byteLength, secret.length);
  const signer = xmss.SigningKey.fromBytes("xmss-poseidon2-l8-d64b8", file("xmss/p2-top-l8-d64b8.k0.sk.ssz"));
  const bytes = signer.toBytes();
  assert.equal(bytes.buffer.byteLength, bytes.length);
  assert.equal(hex(bytes), hex(file("xmss/p2-top-l8-d64b8.k0.sk.ssz")));
});
