// The shared vectors, through every build of the package.
import assert from "node:assert/strict";
import { test } from "node:test";
import { builds, file, hex, json, nameOfError, polynomial, SETS, statementOf, unhex } from "./setup.js";

const PROFILES = ["strict", "zip215", "rfc8032", "cofactorless", "zig-std"];

/** A number of cases below which a test would look at nothing. */
function atLeast(wanted, got) {
  assert.ok(got >= wanted, `${got} cases, ${wanted} wanted`);
}

const fnv = (bytes) => bytes.reduce((hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
const digestOf = (bytes) => fnv(Array.from(bytes));
const numbers = (digits) => digits.map((each) => BigInt(`0x${each}`));
const corner = (number, count) => Array.from({ length: count }, (_, j) => BigInt((number >>> j) & 1));
const pointAt = (i, count) => Array.from({ length: count }, (_, j) => BigInt((i + 1) * (j + 3)));

/** Words whose first eight are those of the vectors: at `z` the planes are known. */
function knownBits() {
  const [known] = json("ligerito-v2/planes_algebra.json").filter(({ field_bits }) => field_bits === 128);
  const words = polynomial(10, 78);
  words.set(known.f.map((each) => Number.parseInt(each, 16)));
  return { known, words, points: [[...numbers(known.z), ...corner(0, 7)], corner(777, 10)] };
}

const BITS = new TextEncoder().encode("bits");
const all = await builds();
// The verifiers alone prove nothing: what they judge is made by the first of all.
const prover = all[0][1].ligerito;

for (const [name, phalanx] of all) {
  const { xmss, ed25519, rescue, ligerito } = phalanx;

  test(`${name}: xmss verifies`, () => {
    let cases = 0;
    for (const [profile, set] of Object.entries(SETS)) {
      for (const key of json(`xmss/${profile}.e2e.json`)) {
        const publicKey = unhex(key.pk_ssz);
        const claims = key.signatures.map(({ epoch, message, sig_ssz }) => ({
          set,
          publicKey,
          epoch,
          message: unhex(message),
          signature: unhex(sig_ssz),
        }));
        claims.forEach((claim) => xmss.verify(claim));
        for (const claim of claims) {
          const moved = { ...claim, epoch: (claim.epoch ^ 1) >>> 0 };
          assert.equal(nameOfError(() => xmss.verify(moved)), "InvalidSignature");
        }
        const mixed = claims.flatMap((claim) => [claim, { ...claim, message: new Uint8Array(32).fill(9) }]);
        assert.deepEqual(xmss.verifyMany(mixed), mixed.map((_, i) => i % 2 === 0));
        for (const [format, cases_] of [
          ["ssz", key.verify_cases_ssz ?? []],
          ["bincode", key.verify_cases_bincode1 ?? []],
        ]) {
          for (const each of cases_) {
            const ssz = format === "ssz";
            const claim = {
              set,
              format,
              publicKey: unhex(ssz ? each.pk_ssz : key.pk_bincode1),
              epoch: each.epoch,
              message: unhex(each.message),
              signature: unhex(ssz ? each.sig_ssz : each.sig_bincode1),
            };
            const error = nameOfError(() => xmss.verify(claim));
            const accepted = error === null;
            assert.equal(accepted, each.required === "accept", `${profile} ${each.case}: ${error}`);
            assert.deepEqual(xmss.verifyMany([claim]), [accepted], each.case);
            if (!accepted) assert.ok(["InvalidSignature", "Malformed"].includes(error), error);
            cases += 1;
          }
        }
        cases += claims.length;
      }
    }
    atLeast(300, cases);
  });

  test(`${name}: xmss over blake2s verifies`, () => {
    let cases = 0;
    const names = { b: "xmss-blake2s-l32-d42b8", a: "xmss-blake2s-a-l32-d42b8" };
    const wanted = { valid: null, bad_length: "Malformed" };
    for (const [profile, other] of [["a", "b"], ["b", "a"]]) {
      const set = names[profile];
      assert.ok(xmss.parameterSets.includes(set));
      const listed = json(`xmss-blake2s/profile-${profile}.json`).verify;
      const claims = listed.map(({ public_key, epoch, message, signature }) => ({
        set,
        publicKey: unhex(public_key),
        epoch,
        message: unhex(message),
        signature: unhex(signature),
      }));
      const errors = listed.map(({ result }) => (result in wanted ? wanted[result] : "InvalidSignature"));
      assert.deepEqual(claims.map((claim) => nameOfError(() => xmss.verify(claim))), errors);
      assert.deepEqual(xmss.verifyMany(claims), errors.map((error) => error === null));
      const [good] = claims.filter((_, i) => errors[i] === null);
      const altered = (change) => nameOfError(() => xmss.verify({ ...good, ...change }));
      assert.equal(altered({ format: "bincode2" }), null);
      assert.equal(altered({ format: "bincode-padded" }), "NoEncoding");
      assert.equal(altered({ set: names[other] }), "InvalidSignature");
      assert.equal(altered({ set: "xmss-poseidon2-l32-d64b8" }), "Malformed");
      assert.equal(altered({ signature: good.signature.slice(1) }), "Malformed");
      assert.equal(altered({ publicKey: good.publicKey.slice(1) }), "Malformed");
      const bent = good.signature.slice();
      bent[700] ^= 1;
      assert.equal(altered({ signature: bent }), "InvalidSignature");
      cases += claims.length;
    }
    atLeast(150, cases);
  });

  test(`${name}: ed25519 verifies under every profile`, () => {
    let cases = 0;
    for (const set of ["cctv", "speccheck", "wycheproof"]) {
      for (const { id, pk, msg, sig, verdict } of json(`ed25519/${set}.json`).cases) {
        const claim = { publicKey: unhex(pk), message: unhex(msg), signature: unhex(sig) };
        for (const profile of PROFILES) {
          const why = ed25519.explain({ ...claim, profile });
          assert.equal(why === null, verdict[profile], `${id} under ${profile}: ${why}`);
          const error = nameOfError(() => ed25519.verify({ ...claim, profile }));
          assert.equal(error, verdict[profile] ? null : "InvalidSignature");
          cases += 1;
        }
      }
    }
    atLeast(5000, cases);
  });

  test(`${name}: ed25519 verifies many, and batches`, () => {
    const { batches } = json("ed25519/batches.json");
    atLeast(5, batches.length);
    for (const { id, entries, bad, all_ok } of batches) {
      const claims = entries.map(({ pk, msg, sig }) => ({
        publicKey: unhex(pk),
        message: unhex(msg),
        signature: unhex(sig),
      }));
      for (const profile of PROFILES) {
        const verdicts = ed25519.verifyMany(claims, { profile });
        const wrong = verdicts.flatMap((good, i) => (good ? [] : [i]));
        assert.deepEqual(wrong, bad[profile], `${id} under ${profile}`);
        const error = nameOfError(() => ed25519.verifyBatch(claims, { profile }));
        assert.equal(error, all_ok[profile] ? null : "InvalidSignature", `${id} under ${profile}`);
      }
    }
  });

  test(`${name}: ligerito verifies its own proofs`, () => {
    const registered = ["proofs", "proof_16", "proof_20"]
      .flatMap((set) => json(`ligerito-own/${set}.json`))
      .filter(({ profile }) => profile !== undefined);
    atLeast(5, registered.length);
    for (const each of registered) {
      const statement = statementOf(each);
      ligerito.verify(statement);
      const { profile, variables } = statement.accepted;
      ligerito.verify({ ...statement, accepted: { profiles: ["balanced", "compact"], maxVariables: 30 } });
      const altered = (change) => nameOfError(() => ligerito.verify({ ...statement, ...change }));
      assert.equal(altered({ accepted: { profile, variables: variables + 1 } }), "UnacceptedParams");
      assert.equal(altered({ claims: [] }), "NoClaims");
      const [first, ...others] = statement.claims;
      const moved = { ...first, value: first.value ^ 1n };
      assert.notEqual(altered({ claims: [moved, ...others] }), null);
      assert.equal(altered({ claims: [{ ...first, point: first.point.slice(1) }, ...others] }), "PointLength");
      assert.equal(altered({ proof: new Uint8Array(1 << 20) }), "ProofLength");
      assert.notEqual(altered({ proof: statement.proof.slice(1) }), null);
      assert.equal(altered({ commitment: statement.commitment.slice(1) }), "Malformed");
      const bent = statement.proof.slice();
      bent[bent.length >> 1] ^= 1;
      assert.notEqual(altered({ proof: bent }), null);
    }
  });

  test(`${name}: ligerito verifies planes of bits and bytes`, () => {
    const { known, words, points } = knownBits();
    const [z, at] = points;
    const { commitment, proof } = prover.openPlanes({ polynomial: words, points, context: BITS });
    const planes = [numbers(known.s), corner(words[777], 32)];
    const [first, second] = points.map((point, i) => ({ point, planes: planes[i] }));
    const good = { accepted: { profile: "balanced", variables: 10 }, commitment, claims: [first, second], proof, context: BITS };
    ligerito.verifyPlanes(good);
    ligerito.verifyPlanes({ ...good, accepted: { profiles: ["balanced", "compact"], maxVariables: 30 } });
    const named = (change) => nameOfError(() => ligerito.verifyPlanes({ ...good, ...change }));
    // The queries are others, and with them sometimes the length.
    const changed = /^(MerkleRoot|ProofLength)$/;
    for (const claim of [0, 1]) {
      for (const wrong of [0, 17, 31]) {
        const one = good.claims[claim];
        const bent = one.planes.with(wrong, one.planes[wrong] ^ 1n);
        assert.match(named({ claims: good.claims.with(claim, { ...one, planes: bent }) }), changed, `${claim} ${wrong}`);
      }
    }
    assert.match(named({ claims: [first] }), changed);
    assert.match(named({ claims: [second, first] }), changed);
    assert.match(named({ context: new Uint8Array(4) }), changed);
    assert.equal(named({ claims: [] }), "NoClaims");
    assert.equal(named({ claims: [{ ...first, point: z.slice(1) }] }), "PointLength");
    assert.equal(named({ claims: [{ ...first, planes: first.planes.slice(1) }] }), "RangeError");
    assert.equal(named({ accepted: { profile: "balanced", variables: 11 } }), "UnacceptedParams");
    assert.equal(named({ commitment: commitment.slice(1) }), "Malformed");

    const basis = ligerito.aesBasis();
    const lowestFirst = (element) => Array.from({ length: 16 }, (_, i) => Number((element >> BigInt(8 * i)) & 255n));
    assert.equal(digestOf(basis.flatMap(lowestFirst)), 0xdf7f4a8e518c1717n, "the powers of the root of AES' polynomial");
    for (let byte = 0; byte < 4; byte++) {
      const sum = basis.reduce((sum, each, i) => ((words[777] >>> (8 * byte + i)) & 1 ? sum ^ each : sum), 0n);
      assert.equal(ligerito.valueOfPlanes(corner(byte, 2), basis, second.planes), sum);
    }
    for (let bit = 0; bit < 32; bit++) {
      assert.equal(ligerito.valueOfPlanes(corner(bit, 5), [1n], second.planes), BigInt((words[777] >>> bit) & 1));
    }
    const other = { name: "BasisLength", message: "the basis of a coefficient has 8 elements, wanted 1" };
    assert.throws(() => ligerito.valueOfPlanes(corner(5, 5), basis, second.planes), other);
    assert.equal(nameOfError(() => ligerito.valueOfPlanes(at, [1n], second.planes.slice(1))), "RangeError");
  });

  test(`${name}: ligerito has what its types say`, () => {
    const verifying = ["aesBasis", "profiles", "valueOfPlanes", "verify", "verifyPlanes", "verifyRefV08"];
    const proving = rescue ? ["commit", "open", "openPlanes", "openTogether", "verifyTogether"] : [];
    assert.deepEqual(Object.keys(ligerito).sort(), [...verifying, ...proving].sort());
  });

  test(`${name}: ligerito verifies proofs of the published crate`, () => {
    const { files } = json("ligerito/tampered.json");
    const [base] = json("ligerito/proofs.json").filter((each) => each.file === "proof12_0.bin");
    const root = unhex(base.sha256_transcript.initial_root);
    const verify = (path, claims, transcript) =>
      nameOfError(() => ligerito.verifyRefV08({ variables: 12, root, claims, transcript, proof: file(`ligerito/${path}`) }));
    assert.equal(verify("proof12_0.bin"), null);
    assert.notEqual(verify("proof12_0.bin", [], "merlin"), null);
    atLeast(10, files.length);
    files.forEach(({ file: path, what }) => assert.notEqual(verify(path), null, what));
    for (const { file: path, claims } of json("ligerito/eval_proofs.json")) {
      const given = claims.map(({ index, value }) => ({ index, value: Number.parseInt(value, 16) }));
      assert.equal(verify(path, given), null, path);
      const wrong = [{ ...given[0], value: (given[0].value ^ 1) >>> 0 }, ...given.slice(1)];
      assert.notEqual(verify(path, wrong), null, path);
    }
  });

  if (!rescue) continue;

  test(`${name}: ed25519 signs`, () => {
    const cases = [...json("ed25519/rfc8032.json").cases, ...json("ed25519/sign_input.json").cases];
    atLeast(50, cases.length);
    for (const { id, seed, pk, msg, sig } of cases) {
      const key = ed25519.SigningKey.fromSeed(unhex(seed));
      assert.equal(hex(key.publicKey), pk, id);
      assert.equal(hex(key.sign(unhex(msg))), sig, id);
      assert.equal(hex(key.toSeed()), seed, id);
      key.free();
      assert.throws(() => key.sign(unhex(msg)), TypeError);
    }
    const [one, other] = [ed25519.SigningKey.generate(), ed25519.SigningKey.generate()];
    assert.notEqual(hex(one.publicKey), hex(other.publicKey));
    const message = new TextEncoder().encode("a message");
    ed25519.verify({ publicKey: one.publicKey, message, signature: one.sign(message) });
  });

  test(`${name}: xmss makes keys and signs`, () => {
    for (const profile of ["p2-top-l8-d64b8", "p1-abort-l8-d4b8-test"]) {
      const set = SETS[profile];
      for (const each of json(`xmss/${profile}.e2e.json`)) {
        const calls = [];
        const key = xmss.SigningKey.generate({
          set,
          start: each.requested_activation_epoch,
          count: each.requested_active_epochs,
          seed: unhex(each.seed),
          onProgress: (done, total) => void calls.push([done, total]),
        });
        assert.equal(hex(key.publicKey()), each.pk_ssz);
        assert.equal(hex(key.publicKey({ format: "bincode" })), each.pk_bincode1);
        assert.equal(key.toBytes().length, each.sk_ssz_len);
        assert.deepEqual([key.activation.start, key.activation.end], each.activation_interval);
        assert.deepEqual([key.prepared.start, key.prepared.end], each.prepared_interval);
        assert.ok(calls.length > 0 && calls.every(([done, total]) => done <= total));
        const copy = xmss.SigningKey.fromBytes(set, key.toBytes({ format: "bincode" }), { format: "bincode" });
        assert.equal(copy.parameterSet, set);
        // Upwards: the key moves on. Of several messages at an epoch, the first.
        const signed = new Set();
        for (const { epoch, message, sig_ssz } of each.signatures.toSorted((a, b) => a.epoch - b.epoch)) {
          if (signed.has(epoch)) {
            assert.equal(nameOfError(() => copy.sign(epoch, unhex(message))), "EpochUsed");
            continue;
          }
          signed.add(epoch);
          assert.equal(hex(copy.sign(epoch, unhex(message))), sig_ssz, `${profile} epoch ${epoch}`);
        }
        const { epoch, message } = each.signatures.at(-1);
        const other = unhex(message).map((byte) => byte ^ 1);
        assert.equal(nameOfError(() => key.sign(epoch, other)), "EpochUsed");
        assert.equal(nameOfError(() => key.sign(2 ** 20, other)), "Exhausted");
        assert.equal(nameOfError(() => key.sign(0, other.slice(1))), "Malformed");
        key.free();
        copy.free();
      }
    }
    const generate = (more) => xmss.SigningKey.generate({ set: "xmss-poseidon2-l8-d64b8", count: 16, ...more });
    assert.equal(nameOfError(() => generate({ onProgress: () => false })), "Unfinished");
    const own = () => {
      throw new SyntaxError("my own");
    };
    assert.equal(nameOfError(() => generate({ onProgress: own })), "SyntaxError");
    assert.equal(nameOfError(() => generate({ count: 300 })), "Interval");
    assert.equal(nameOfError(() => generate({ start: 200, count: 100 })), "Interval");
    assert.equal(nameOfError(() => generate({ set: "xmss" })), "UnknownName");
    const fresh = generate({});
    const message = new Uint8Array(32);
    xmss.verify({ set: fresh.parameterSet, publicKey: fresh.publicKey(), epoch: 3, message, signature: fresh.sign(3, message) });
  });

  test(`${name}: xmss over blake2s makes keys and signs`, () => {
    const set = "xmss-blake2s-l32-d42b8";
    const { sign, key_gen } = json("xmss-blake2s/profile-b.json");
    atLeast(5, sign.length);
    for (const { seed, epoch_start, epoch_end, public_key } of key_gen) {
      const count = epoch_end + 1 - epoch_start;
      const generate = () => xmss.SigningKey.generate({ set, start: epoch_start, count, seed: unhex(seed) });
      if (public_key === null) {
        assert.equal(nameOfError(generate), "Interval");
        continue;
      }
      const key = generate();
      assert.equal(hex(key.publicKey()), public_key);
      assert.deepEqual(key.activation, { start: epoch_start, end: epoch_end + 1 });
      key.free();
    }
    for (const { seed, epoch_start, epoch_end, epoch, message, signature } of sign) {
      const count = epoch_end + 1 - epoch_start;
      const key = xmss.SigningKey.generate({ set, start: epoch_start, count, seed: unhex(seed) });
      assert.equal(hex(key.sign(epoch, unhex(message))), signature);
      assert.equal(nameOfError(() => key.sign(epoch, unhex(seed))), "EpochUsed");
      key.free();
    }
    const profileA = { set: "xmss-blake2s-a-l32-d42b8", count: 8 };
    assert.equal(nameOfError(() => xmss.SigningKey.generate(profileA)), "VerificationOnly");
    const key = xmss.SigningKey.generate({ set, start: 5, count: 3 });
    const message = new Uint8Array(32).fill(1);
    assert.equal(nameOfError(() => key.sign(5, message, { format: "bincode-padded" })), "NoEncoding");
    const claim = { set: key.parameterSet, publicKey: key.publicKey(), epoch: 5, message, signature: key.sign(5, message) };
    xmss.verify(claim);
    assert.equal(nameOfError(() => xmss.verify({ ...claim, epoch: 6 })), "InvalidSignature");
    assert.equal(nameOfError(() => key.sign(4, message)), "NotActive");
    assert.equal(nameOfError(() => key.sign(8, message)), "Exhausted");
  });

  test(`${name}: rescue hashes`, () => {
    const words = (list) => BigUint64Array.from(list, BigInt);
    const digest = (list) => hex(new Uint8Array(words(list).buffer));
    let cases = 0;
    for (const [path, fn] of [
      ["rp64_256", "rescue-rp64-256"],
      ["rp64_256_jive", "rescue-jive-256"],
      ["rpo256", "rpo-256"],
      ["rpx256", "rpx-256"],
    ]) {
      const vectors = json(`rescue/${path}.json`);
      for (const each of vectors.permutation) {
        assert.deepEqual([...rescue.permute(fn, words(each.in))].map(String), each.out);
      }
      const lists = vectors.hash_elements.map((each) => words(each.in));
      const many = rescue.hashElementsMany(fn, lists).map(hex);
      vectors.hash_elements.forEach((each, i) => {
        assert.equal(hex(rescue.hashElements(fn, lists[i])), digest(each.out));
        assert.equal(many[i], digest(each.out));
      });
      for (const each of vectors.hash_bytes) {
        const input = unhex(each.in_hex);
        if (each.out) assert.equal(hex(rescue.hash(fn, input)), digest(each.out));
        else assert.equal(nameOfError(() => rescue.hash(fn, input)), "UndefinedLength");
        assert.equal(rescue.hashPadded(fn, input).length, 32);
      }
      for (const { left, right, out } of vectors.merge) {
        assert.equal(hex(rescue.merge(fn, unhex(digest(left)), unhex(digest(right)))), digest(out));
      }
      cases += vectors.permutation.length + lists.length + vectors.hash_bytes.length + vectors.merge.length;
      assert.equal(nameOfError(() => rescue.permute(fn, new BigUint64Array(5))), "PartialState");
      assert.equal(nameOfError(() => rescue.merge(fn, new Uint8Array(32).fill(255), new Uint8Array(32))), "Malformed");
    }
    atLeast(800, cases);
  });

  test(`${name}: ligerito commits and opens`, () => {
    const made = json("ligerito-own/proofs.json").filter(({ profile }) => profile !== undefined);
    atLeast(3, made.length);
    for (const each of made) {
      const { accepted, commitment, claims, proof, context } = statementOf(each);
      const task = { profile: accepted.profile, polynomial: polynomial(each.mu, each.poly_seed), context };
      assert.equal(hex(ligerito.commit(accepted.profile, task.polynomial)), hex(commitment));
      const opening = ligerito.open({ ...task, points: claims.map(({ point }) => point) });
      assert.equal(hex(opening.commitment), hex(commitment));
      assert.deepEqual(opening.values, claims.map(({ value }) => value));
      assert.equal(hex(opening.proof), hex(proof));
    }
    const open = (task) => nameOfError(() => ligerito.open({ points: [[1n]], ...task }));
    assert.equal(open({ polynomial: new Uint32Array(1000) }), "PolynomialLength");
    assert.equal(open({ polynomial: new Uint32Array(1 << 21) }), "PolynomialLength");
    assert.equal(open({ polynomial: new Uint32Array(1 << 10) }), "PointLength");
    assert.equal(open({ polynomial: new Uint32Array(1 << 10), points: [] }), "NoClaims");
    assert.equal(open({ polynomial: new Uint32Array(1 << 10), points: [[1n << 128n]] }), "RangeError");
  });

  test(`${name}: ligerito opens planes of bits and bytes`, () => {
    const { known, words, points } = knownBits();
    const wanted = hex(ligerito.commit("balanced", words));
    const shifted = [1, 4].map((by) => new Uint8Array(4096 + by).subarray(by));
    shifted.forEach((view) => view.set(new Uint8Array(words.buffer)));
    const views = [Uint8Array, Uint16Array, BigUint64Array].map((Type) => new Type(words.buffer));
    for (const view of [...views, ...shifted]) assert.equal(hex(ligerito.commit("balanced", view)), wanted);
    assert.throws(() => ligerito.commit("balanced", new Uint8Array(4095)), RangeError);
    assert.throws(() => ligerito.commit("balanced", new Int32Array(1024)), TypeError);

    const opening = ligerito.openPlanes({ polynomial: views[0], points, context: BITS });
    assert.equal(hex(opening.commitment), wanted);
    assert.deepEqual(opening.planes, [numbers(known.s), corner(words[777], 32)]);
    assert.equal(ligerito.open({ polynomial: words, points }).values[0], BigInt(`0x${known.t[0]}`));
    const own = ligerito.openPlanes({ polynomial: polynomial(10, 80), points: [pointAt(0, 10), pointAt(1, 10)], context: BITS });
    assert.equal(digestOf(own.proof), 0xc3aa151de6d1003dn);
    const named = (change) => nameOfError(() => ligerito.openPlanes({ polynomial: words, points, ...change }));
    assert.equal(named({ points: [] }), "NoClaims");
    assert.equal(named({ points: [points[0].slice(1)] }), "PointLength");
    assert.equal(named({ polynomial: new Uint8Array(4000) }), "PolynomialLength");
  });

  test(`${name}: ligerito opens several polynomials with one proof`, () => {
    const sizes = [10, 11, 10];
    const polynomials = sizes.map((size, k) => polynomial(size, 80 + k));
    const points = [2, 0, 1, 0].map((commitment, i) => ({ commitment, point: pointAt(i, sizes[commitment]) }));
    const context = new TextEncoder().encode("several");
    const { commitments, values, proof } = ligerito.openTogether({ polynomials, points, context });
    assert.equal(digestOf(proof), 0x39f5efc3dbac3573n);
    assert.deepEqual(commitments.map(hex), polynomials.map((each) => hex(ligerito.commit("balanced", each))));
    const claims = points.map((point, i) => ({ ...point, value: values[i] }));
    const statement = { accepted: { profiles: ["balanced"], maxVariables: 11 }, commitments, claims, proof, context };
    ligerito.verifyTogether(statement);
    const named = (change) => nameOfError(() => ligerito.verifyTogether({ ...statement, ...change }));
    claims.forEach((claim, i) => {
      const false_ = claims.with(i, { ...claim, value: claim.value ^ 1n });
      assert.match(named({ claims: false_ }), /^(MerkleRootOf|ProofLength)$/);
    });
    assert.equal(named({ claims: claims.with(0, { ...claims[0], commitment: 3 }) }), "CommitmentIndex");
    assert.match(named({ commitments: commitments.toReversed() }), /^(MerkleRootOf|ProofLength)$/);
    assert.equal(named({ commitments: [commitments[0].slice(1), ...commitments.slice(1)] }), "Malformed");
    const whole = Uint8Array.from(commitments.flatMap((each) => [...each]));
    assert.equal(named({ commitments: [whole.slice(0, 33), whole.slice(33, 68), whole.slice(68)] }), "Malformed");
    assert.equal(named({ commitments: [] }), "UnacceptedParams");
    assert.equal(named({ accepted: { profiles: ["balanced"], maxVariables: 10 } }), "UnacceptedParams");
    const opening = (change) => nameOfError(() => ligerito.openTogether({ polynomials, points, ...change }));
    assert.equal(opening({ polynomials: [] }), "Together");
    assert.equal(opening({ points: [{ commitment: 3, point: pointAt(0, 10) }] }), "CommitmentIndex");
    assert.equal(opening({ points: [{ point: pointAt(0, 10) }] }), "RangeError");
  });

  test(`${name}: identify knows what the vectors are`, () => {
    const kinds = (bytes) => phalanx.identify(bytes).readings.map(({ kind, scheme, format }) => `${kind} ${scheme} ${format}`);
    const has = (bytes, wanted) => assert.ok(kinds(bytes).includes(wanted), `${wanted}: ${kinds(bytes)}`);
    const set = "xmss-poseidon2-l8-d64b8";
    const [key] = json("xmss/p2-top-l8-d64b8.e2e.json");
    has(unhex(key.pk_ssz), `public key ${set} ssz`);
    has(unhex(key.signatures[0].sig_ssz), `signature ${set} ssz`);
    has(unhex(key.signatures[0].sig_bincode1), `signature ${set} bincode`);
    const secret = file("xmss/p2-top-l8-d64b8.k0.sk.ssz");
    has(secret, `secret key ${set} ssz`);
    const [reading] = phalanx.identify(secret).readings;
    assert.deepEqual(reading.activation, [0, 256]);
    assert.equal(reading.publicKey, key.pk_ssz);
    const [ed] = json("ed25519/keys.json").cases;
    const text = (words) => new TextEncoder().encode(words);
    has(text(ed.pkcs8_v1_pem), "secret key ed25519 pkcs8");
    has(unhex(ed.pkcs8_v1_der), "secret key ed25519 der");
    has(unhex(ed.pk), "public key ed25519 raw");
    const seeds = JSON.stringify(phalanx.identify(text(ed.pkcs8_v1_pem)));
    assert.ok(!seeds.includes(ed.seed), "a secret was told");
    has(unhex(json("ed25519/rfc8032.json").cases[0].sig), "signature ed25519 raw");
    const [own] = json("ligerito-own/proof_16.json");
    has(statementOf(own).commitment, "commitment ligerito-v1-provable100 raw");
    has(statementOf(own).proof, "possible proof ligerito-v1-provable100 or ligerito-v2-johnson128 undefined");
    has(file("ligerito/proof12_0.bin"), "proof ligerito-ref-v08 undefined");
    has(text(`validators:\n- index: 0\n  pubkey_hex: 0x${key.pk_ssz}\n`), "validator keys manifest undefined yaml");
    has(text(`{"public_key": [${unhex(key.pk_ssz).join(", ")}]}`), `public key ${set} ssz within json`);
    const sure = (bytes) => phalanx.identify(bytes).readings.map(({ kind, confidence }) => `${confidence} ${kind}`);
    assert.equal(sure(text(ed.pkcs8_v1_pem))[0], "certain secret key");
    assert.equal(sure(unhex(ed.pk))[0], "possible public key");
    assert.deepEqual(phalanx.identify(new Uint8Array()).readings, []);
    assert.equal(phalanx.identify(text("hello")).problems.length, 1);
    // A command for every reading, with the name that the file has.
    for (const bytes of [unhex(key.pk_ssz), secret, unhex(ed.pk), statementOf(own).commitment, new Uint8Array(3112), new Uint8Array(2948)]) {
      const { readings } = phalanx.identify(bytes, "a b");
      assert.ok(readings.length && readings.every(({ next }) => next.startsWith("phalanx ")), JSON.stringify(readings));
    }
    const openssh = text(ed.openssh_public);
    assert.equal(phalanx.identify(openssh, "my key").readings[0].next, "phalanx verify -k 'my key' FILE SIGNATURE");
    assert.equal(phalanx.identify(openssh).readings[0].next, "phalanx verify -k FILE FILE SIGNATURE");
    assert.equal(phalanx.nextCommand({ kind: "keystore" }, "k.json"), "phalanx key inspect --open k.json");
    assert.equal(phalanx.nextCommand({ kind: "nothing known" }), undefined);
    assert.throws(() => phalanx.identify(unhex(ed.pk), 7), TypeError);
  });
}
