// No input traps: a module that trapped is unusable, so each of these runs a thousand bad inputs through one module, and
// then a good one. A trap is a `WebAssembly.RuntimeError`, and fails the test wherever it comes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { builds, file, INPUTS, json, polynomial, SETS, statementOf, survives, unhex } from "./setup.js";

const [xmssKey] = json("xmss/p2-top-l8-d64b8.e2e.json");
const XMSS = {
  set: SETS["p2-top-l8-d64b8"],
  publicKey: unhex(xmssKey.pk_ssz),
  epoch: xmssKey.signatures[0].epoch,
  message: unhex(xmssKey.signatures[0].message),
  signature: unhex(xmssKey.signatures[0].sig_ssz),
};
const [ed] = json("ed25519/rfc8032.json").cases.slice(1);
const ED25519 = { publicKey: unhex(ed.pk), message: unhex(ed.msg), signature: unhex(ed.sig) };
const OWN = statementOf(json("ligerito-own/proofs.json").find(({ profile }) => profile !== undefined));
const REF = {
  variables: 12,
  root: unhex(json("ligerito/proofs.json")[0].sha256_transcript.initial_root),
  proof: file("ligerito/proof12_0.bin"),
};
// Proofs about bits are made by everything, with SIMD, for all.
const all = await builds();
const POINT = Array.from({ length: 10 }, (_, j) => BigInt(j + 3));
const { planes: [PLANES], ...opened } = all[0][1].ligerito.openPlanes({ polynomial: polynomial(10, 5), points: [POINT] });
const BITS = {
  ...opened,
  accepted: { profile: "balanced", variables: 10 },
  claims: [{ point: POINT, planes: PLANES }],
  context: new Uint8Array(),
};
const FORMATS = ["ssz", "bincode", "bincode2", "bincode-padded", "json", "", "ssz\0", "\ud800"];
const PROFILES = ["strict", "zip215", "rfc8032", "cofactorless", "zig-std", "none"];

/** One of the fields is bad. */
const bend = (random, all, names) => {
  const name = names[random.next(names.length)];
  return { ...all, [name]: random.bad(all[name]) };
};

for (const [name, phalanx] of all) {
  const { xmss, ed25519, ligerito, rescue } = phalanx;

  const good = () => {
    xmss.verify(XMSS);
    assert.deepEqual(xmss.verifyMany([XMSS]), [true]);
    ed25519.verify(ED25519);
    assert.deepEqual(ed25519.verifyMany([ED25519]), [true]);
    ed25519.verifyBatch([ED25519]);
    ligerito.verify(OWN);
    ligerito.verifyPlanes(BITS);
    ligerito.verifyRefV08(REF);
  };

  const garbage = {
    "xmss.verify": (random) => {
      const sets = xmss.parameterSets;
      const claim = bend(random, XMSS, ["publicKey", "message", "signature", "signature"]);
      const set = random.next(3) ? XMSS.set : sets[random.next(sets.length)];
      const format = random.next(3) ? "ssz" : FORMATS[random.next(FORMATS.length)];
      xmss.verify({ ...claim, set, format, epoch: random.next(3) ? XMSS.epoch : random.next(2 ** 32) });
    },
    "xmss.verifyMany": (random) => {
      const claims = Array.from({ length: random.next(4) }, () => bend(random, XMSS, ["publicKey", "message", "signature"]));
      const verdicts = xmss.verifyMany([...claims, XMSS]);
      assert.equal(verdicts.length, claims.length + 1);
      assert.ok(verdicts.at(-1));
    },
    "ed25519.verify": (random) => {
      const claim = bend(random, ED25519, ["publicKey", "message", "signature"]);
      const profile = PROFILES[random.next(PROFILES.length)];
      ed25519.explain({ ...claim, profile });
      ed25519.verify({ ...claim, profile });
    },
    "ed25519.verifyMany and verifyBatch": (random) => {
      const claims = Array.from({ length: random.next(4) }, () => bend(random, ED25519, ["publicKey", "message", "signature"]));
      const profile = PROFILES[random.next(PROFILES.length)];
      assert.ok(ed25519.verifyMany([...claims, ED25519], { profile }).at(-1));
      ed25519.verifyBatch([...claims, ED25519], { profile });
    },
    "ligerito.verify": (random) => {
      const statement = bend(random, OWN, ["commitment", "proof", "proof", "context"]);
      if (random.next(4) === 0) statement.accepted = { profiles: ["balanced", "compact"], maxVariables: random.next(256) };
      if (random.next(4) === 0) {
        const point = random.bytes(16 * random.next(40));
        statement.claims = Array.from({ length: random.next(4) }, () => ({ point, value: BigInt(random.next(2 ** 32)) }));
      }
      ligerito.verify(statement);
    },
    "ligerito.verifyPlanes": (random) => {
      const statement = bend(random, BITS, ["commitment", "proof", "proof", "context"]);
      if (random.next(4) === 0) statement.accepted = { profiles: ["balanced", "compact"], maxVariables: random.next(256) };
      if (random.next(4) === 0) {
        const claim = () => ({ point: random.bytes(16 * random.next(40)), planes: random.bytes(16 * (31 + random.next(3))) });
        statement.claims = Array.from({ length: random.next(4) }, claim);
      }
      ligerito.verifyPlanes(statement);
    },
    "ligerito.valueOfPlanes": (random) => {
      const [low, basis, planes] = [6, 40, 34].map((most) => random.bytes(16 * random.next(most) + random.next(2)));
      ligerito.valueOfPlanes(low, basis, random.next(2) ? PLANES : planes);
    },
    "ligerito.verifyRefV08": (random) => {
      const statement = bend(random, REF, ["root", "proof", "proof", "proof"]);
      if (random.next(3) === 0) statement.variables = random.next(36);
      if (random.next(3) === 0) statement.sizes = ["published", "autosized", "x"][random.next(3)];
      if (random.next(3) === 0) statement.transcript = ["sha256", "merlin", "x"][random.next(3)];
      if (random.next(3) === 0) {
        const claim = () => ({ index: random.next(2) ? random.next(8000) : 2n ** 64n - 1n, value: random.next(2 ** 32) });
        statement.claims = Array.from({ length: random.next(4) }, claim);
      }
      ligerito.verifyRefV08(statement);
    },
  };

  if (rescue) {
    const secret = file("xmss/p2-top-l8-d64b8.k0.sk.ssz");
    const pem = new TextEncoder().encode(json("ed25519/keys.json").cases[0].pkcs8_v1_pem);
    const real = [XMSS.publicKey, XMSS.signature, secret, ED25519.publicKey, ED25519.signature, pem, OWN.commitment, REF.proof];
    const words = (random) => new BigUint64Array(random.bytes(8 * random.next(40)).buffer);
    const fns = [...rescue.functions, "none"];
    const fn = (random) => fns[random.next(fns.length)];
    const poly = polynomial(10, 5);
    const places = [0, 1].map((commitment) => ({ commitment, point: POINT }));
    const { values, ...together } = ligerito.openTogether({ polynomials: [poly, polynomial(10, 6)], points: places });
    const TOGETHER = {
      ...together,
      accepted: { profile: "balanced", variables: 10 },
      claims: places.map((place, i) => ({ ...place, value: values[i] })),
      context: new Uint8Array(),
    };
    ligerito.verifyTogether(TOGETHER);
    Object.assign(garbage, {
      "xmss.SigningKey.fromBytes, sign": (random) => {
        const format = random.next(3) ? "ssz" : FORMATS[random.next(FORMATS.length)];
        const key = xmss.SigningKey.fromBytes(XMSS.set, random.bad(secret), { format });
        try {
          key.publicKey();
          // The first prepared epochs only: further ones compute trees, which takes its time with good keys too.
          key.sign(random.next(32), random.bad(XMSS.message));
        } finally {
          key.free();
        }
      },
      "xmss.SigningKey.generate": (random) => {
        const seed = random.bad(new Uint8Array(32));
        const start = random.next(2 ** 32) * (random.next(2) ? 1 : 2 ** 20);
        xmss.SigningKey.generate({ set: XMSS.set, seed, start: start + 256, count: random.next(2 ** 32) }).free();
      },
      "ed25519.SigningKey": (random) => {
        const key = ed25519.SigningKey.fromSeed(random.bad(new Uint8Array(32)));
        key.sign(random.bytes(random.next(300)));
        key.free();
      },
      rescue: (random) => {
        rescue.hash(fn(random), random.bytes(random.next(300)));
        rescue.hashPadded(fn(random), random.bytes(random.next(300)));
        rescue.hashElements(fn(random), words(random));
        rescue.hashElementsMany(fn(random), Array.from({ length: random.next(5) }, () => words(random)));
        rescue.permute(fn(random), words(random));
        rescue.merge(fn(random), random.bad(new Uint8Array(32)), random.bad(new Uint8Array(32)));
      },
      "ligerito.commit and open": (random) => {
        const length = [0, 1, 1 << 9, 1000, 1 << 21, 1 << 10][random.next(6)];
        const polynomial = length === 1 << 10 && random.next(8) ? new Uint32Array(3) : poly.slice(0, length);
        const points = Array.from({ length: random.next(3) }, () => random.bytes(16 * random.next(12)));
        ligerito.open({ profile: ["balanced", "compact", "x"][random.next(3)], polynomial, points });
      },
      "ligerito.openPlanes": (random) => {
        const polynomial = random.next(8) ? random.bytes(4 * random.next(600) + random.next(2)) : poly;
        const points = Array.from({ length: random.next(3) }, () => random.bytes(16 * (9 + random.next(3))));
        ligerito.openPlanes({ profile: ["balanced", "compact", "x"][random.next(3)], polynomial, points });
      },
      "ligerito.openTogether": (random) => {
        const polynomials = Array.from({ length: random.next(4) }, () => (random.next(2) ? poly : poly.slice(0, 1000)));
        const point = () => ({ commitment: random.next(4), point: random.next(4) ? POINT : random.bytes(16 * random.next(12)) });
        const points = Array.from({ length: random.next(3) }, point);
        ligerito.openTogether({ profile: ["balanced", "compact", "x"][random.next(3)], polynomials, points });
      },
      "ligerito.verifyTogether": (random) => {
        const statement = bend(random, { ...TOGETHER, commitment: TOGETHER.commitments[1] }, ["commitment", "proof", "proof", "context"]);
        const { commitment, ...rest } = statement;
        const commitments = [TOGETHER.commitments[0], commitment].slice(0, random.next(8) || 2);
        const claims = TOGETHER.claims.map((claim) => (random.next(4) ? claim : { ...claim, commitment: random.next(4) }));
        ligerito.verifyTogether({ ...rest, commitments, claims: claims.slice(0, random.next(8) || 2) });
      },
      identify: (random) => {
        const { readings, problems } = phalanx.identify(random.bad(real[random.next(real.length)]));
        assert.ok(readings.length + problems.length > 0);
      },
    });
  }

  for (const [what, call] of Object.entries(garbage)) {
    test(`${name}: ${what} survives ${INPUTS} bad inputs`, () => {
      good();
      const threw = survives(call);
      assert.ok(what === "identify" || what === "xmss.verifyMany" || threw > INPUTS / 10, `only ${threw} inputs were refused`);
      good();
    });
  }

  test(`${name}: values of other types are refused`, () => {
    const odd = [undefined, null, 7, "text", {}, [], { length: 1e9 }, Symbol("s"), () => 0, -1, 1.5, NaN, 2 ** 32, 1n];
    const bytesLike = ["publicKey", "message", "signature"];
    for (const value of odd) {
      for (const field of [...bytesLike, "epoch", "set"]) {
        assert.throws(() => xmss.verify({ ...XMSS, [field]: value }), Error, `${field}: ${String(value)}`);
      }
      for (const field of bytesLike) assert.throws(() => ed25519.verify({ ...ED25519, [field]: value }), TypeError);
      for (const field of ["accepted", "commitment", "proof", "claims"]) {
        assert.throws(() => ligerito.verify({ ...OWN, [field]: value }), Error, `${field}: ${String(value)}`);
        assert.throws(() => ligerito.verifyPlanes({ ...BITS, [field]: value }), Error, `${field}: ${String(value)}`);
      }
      assert.throws(() => xmss.verify(value), Error);
      assert.throws(() => ed25519.verify(value), Error);
    }
    good();
  });
}
