// Aggregates: the shared vectors through their module, what is refused, and that no input traps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { file, fromPackage, hex, json, nameOfError, survives, unhex } from "./setup.js";

const { load, DecodingError, VerificationError } = await fromPackage("aggregate.js");
const aggregates = await load();
const PROFILES = ["aggregate-v1-provable100", "aggregate-v1-provable128"];
const accepted = { profiles: PROFILES };
const GOOD = {
  accepted,
  statement: file("aggregate/statement1.bin"),
  aggregate: file("aggregate/aggregate1.bin"),
  context: new TextEncoder().encode("context"),
};

/** The bytes of a case's statement or aggregate, with the change that it names. */
function changed({ flip, cut, append, ...files }, which) {
  let bytes = file(`aggregate/${files[which]}`);
  if (flip?.file === which) bytes[flip.offset] ^= flip.xor;
  if (cut?.file === which) bytes = bytes.slice(0, cut.length);
  if (append?.file === which) bytes = Uint8Array.of(...bytes, ...unhex(append.bytes_hex));
  return bytes;
}

test("every case has its verdict", () => {
  const cases = json("aggregate/cases.json");
  let good = 0;
  for (const each of cases) {
    const claim = { accepted, statement: changed(each, "statement"), aggregate: changed(each, "aggregate") };
    try {
      aggregates.verify({ ...claim, context: unhex(each.context_hex) });
      assert.equal(each.verdict, "accept", each.name);
      good += 1;
    } catch (error) {
      if (!(error instanceof VerificationError || error instanceof DecodingError)) throw error;
      assert.equal(each.verdict, "refuse", each.name);
    }
  }
  assert.ok(good > 0 && good < cases.length);
});

test("the verifier says which check failed", () => {
  assert.deepEqual(aggregates.profiles, PROFILES);
  aggregates.verify(GOOD);
  const fails = (claim) => {
    let name = null;
    const call = () => aggregates.verify({ ...GOOD, ...claim });
    assert.throws(call, (error) => ((name = error.name), error instanceof VerificationError));
    return name;
  };
  const flipped = (at) => GOOD.aggregate.map((byte, i) => byte ^ Number(i === at));
  assert.equal(fails({ accepted: { profiles: PROFILES.slice(1) } }), "UnacceptedProfile");
  assert.equal(fails({ accepted: { profiles: PROFILES, maxSignatures: 0 } }), "TooManySignatures");
  assert.equal(fails({ aggregate: new Uint8Array() }), "Length");
  assert.equal(fails({ aggregate: flipped(37) }), "NoEncoding");
  assert.equal(fails({ context: new Uint8Array() }), "Zerocheck");
  assert.equal(fails({ aggregate: GOOD.aggregate.slice(0, -1) }), "Opening");
  assert.throws(() => aggregates.verify({ ...GOOD, statement: new Uint8Array(3) }), DecodingError);
  assert.equal(nameOfError(() => aggregates.verify({ ...GOOD, accepted: { profiles: ["balanced"] } })), "UnknownName");
  for (const field of ["accepted", "statement", "aggregate"]) {
    assert.equal(nameOfError(() => aggregates.verify({ ...GOOD, [field]: 7 })), "TypeError", field);
  }
});

test("groups in, groups out", () => {
  const [a, b, one, two] = [97, 98, 1, 2].map((byte) => new Uint8Array(32).fill(byte));
  const groups = [
    { epoch: 2 ** 32 - 1, message: a, keys: [one] },
    { epoch: 6, message: b, keys: [two] },
    { epoch: 6, message: a, keys: [two, one] },
  ];
  const bytes = aggregates.statementOf(groups);
  const said = aggregates.statement(bytes);
  assert.deepEqual(said.groups.map(({ epoch, message, keys }) => [epoch, hex(message), keys.map(hex)]), [
    [6, hex(a), [hex(one), hex(two)]],
    [6, hex(b), [hex(two)]],
    [2 ** 32 - 1, hex(a), [hex(one)]],
  ]);
  assert.deepEqual(said.equivocations, [[1, 2]]);
  assert.deepEqual(aggregates.statementOf(said.groups), bytes);
  const { groups: published } = aggregates.statement(GOOD.statement);
  assert.deepEqual(aggregates.statementOf(published), GOOD.statement);
  const refused = (groups) => nameOfError(() => aggregates.statementOf(groups));
  assert.equal(refused([]), "NoGroups");
  assert.equal(refused([{ epoch: 1, message: a, keys: [] }]), "EmptyGroup");
  assert.equal(refused([{ epoch: 1, message: a, keys: [one, one] }]), "KeyOrder");
  assert.equal(refused([{ epoch: 2 ** 32, message: a, keys: [one] }]), "RangeError");
  assert.equal(refused([{ epoch: 1, message: a, keys: [one.slice(1)] }]), "Malformed");
  assert.equal(refused([{ epoch: 1, message: a, keys: "key" }]), "TypeError");
  assert.throws(() => aggregates.statement(bytes.slice(1)), DecodingError);
});

test("bad inputs are survived", () => {
  const threw = survives((random) => {
    const which = ["statement", "aggregate", "aggregate", "context"][random.next(4)];
    const claim = { ...GOOD, [which]: random.bad(GOOD[which]) };
    if (random.next(4) === 0) claim.accepted = { profiles: PROFILES, maxSignatures: random.next(2 ** 32) };
    if (random.next(2)) aggregates.statement(claim.statement);
    aggregates.verify(claim);
  });
  assert.ok(threw > 100, `only ${threw} inputs were refused`);
  aggregates.verify(GOOD);
});
