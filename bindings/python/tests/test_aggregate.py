"""Aggregates: the files of vectors/aggregate, verified and made again, and what is refused."""

import hashlib
import pickle

import pytest
from conftest import VECTORS, load, unhex

import phalanx
from phalanx import aggregate, errors, xmss

FOLDER = VECTORS / "aggregate"
P100, P128 = aggregate.PROFILES
BOTH = aggregate.Limits(aggregate.PROFILES)
EPOCH = 0x89ABCDEF
SET = "xmss-blake2s-l32-d42b8"


def read(name):
    return (FOLDER / name).read_bytes()


def changed(case, which):
    """The bytes of a case's statement or aggregate, with the change that it names."""
    data = bytearray(read(case[which]))
    if (flip := case.get("flip", {})).get("file") == which:
        data[flip["offset"]] ^= flip["xor"]
    if (cut := case.get("cut", {})).get("file") == which:
        del data[cut["length"] :]
    if (append := case.get("append", {})).get("file") == which:
        data += unhex(append["bytes_hex"])
    return bytes(data)


def verdict(case):
    proof = changed(case, "aggregate")
    if "blake2s_of_aggregate" in case:
        assert hashlib.blake2s(proof).hexdigest() == case["blake2s_of_aggregate"]
    try:
        statement = aggregate.Statement.from_bytes(changed(case, "statement"))
        aggregate.verify(BOTH, statement, proof, context=unhex(case["context_hex"]))
    except (errors.DecodingError, errors.ProofError):
        return "refuse"
    return "accept"


def test_every_case_has_its_verdict():
    cases = load("aggregate/cases.json")
    for case in cases:
        assert verdict(case) == case["verdict"], case["name"]
    verdicts = [case["verdict"] for case in cases]
    assert 0 < verdicts.count("accept") < len(cases)


@pytest.fixture(scope="module")
def signed():
    """The statement and the signature of the published aggregates."""
    key = xmss.SigningKey.generate(SET, EPOCH, 1, seed=bytes(range(32)))
    message = bytes(range(100, 132))
    signature = key.sign(EPOCH, message)
    return aggregate.Statement([(EPOCH, message, [key.verifying_key])]), signature


def test_the_published_aggregates_are_made_again(signed):
    statement, signature = signed
    assert bytes(statement) == read("statement1.bin") == read("statement3.bin")
    for profile, name, signatures in [
        (P100, "aggregate1.bin", [signature]),
        (P128, "aggregate3.bin", (xmss.Signature.from_bytes(SET, bytes(signature)),)),
    ]:
        takes = aggregate.memory_len(profile, 1)
        made = aggregate.aggregate(profile, statement, signatures, context=b"context", memory_limit=takes, threads=2)
        assert made == read(name) and len(made) <= aggregate.max_len_bytes(profile, 1)
        aggregate.verify(aggregate.Limits(profile), statement, made, context=b"context")


def test_what_the_prover_refuses(signed):
    statement, signature = signed
    with pytest.raises(errors.SignatureCount) as raised:
        aggregate.aggregate(P100, statement, [])
    assert (raised.value.got, raised.value.wanted) == (0, 1)
    takes = aggregate.memory_len(P100, 1)
    with pytest.raises(errors.Memory) as raised:
        aggregate.aggregate(P100, statement, [signature], memory_limit=takes - 1)
    assert (raised.value.wanted, raised.value.limit) == (takes, takes - 1)
    bent = bytearray(bytes(signature))
    bent[700] ^= 1
    with pytest.raises(errors.InvalidSignature) as raised:
        aggregate.aggregate(P100, statement, [bent])
    assert raised.value.index == 0 and str(raised.value) == "signature 0 does not verify"
    with pytest.raises(errors.MalformedSignature) as raised:
        aggregate.aggregate(P100, statement, [bytes(signature)[1:]])
    assert (raised.value.index, raised.value.got, raised.value.wanted) == (0, 1207, 1208)
    old = xmss.SigningKey.generate("xmss-poseidon2-l8-d64b8", 0, 256)
    with pytest.raises(errors.ParameterSet):
        aggregate.aggregate(P100, statement, [xmss.Signature.from_bytes("xmss-poseidon2-l8-d64b8", old.sign(0, bytes(32)))])
    with pytest.raises(errors.ParameterSet):
        aggregate.Statement([(0, bytes(32), [old.verifying_key])])
    with pytest.raises(ValueError, match="aggregate-v1-provable128"):
        aggregate.aggregate("balanced", statement, [signature])
    with pytest.raises(TypeError):
        aggregate.aggregate(P100, statement, ["text"])


def test_the_verifier_says_which_check_failed():
    statement = aggregate.Statement.from_bytes(read("statement1.bin"))
    proof = read("aggregate1.bin")

    def fails(data, limits=BOTH):
        with pytest.raises(errors.ProofError) as raised:
            aggregate.verify(limits, statement, data, context=b"context")
        assert isinstance(raised.value, phalanx.VerificationError)
        return raised.value

    def flipped(offset):
        data = bytearray(proof)
        data[offset] ^= 1
        return data

    assert fails(proof, aggregate.Limits([P128])).name == "UnacceptedProfile"
    assert fails(proof, aggregate.Limits(aggregate.PROFILES, signatures=0)).name == "TooManySignatures"
    assert fails(b"").name == fails(proof[:3000]).name == "Length"
    no_encoding = fails(flipped(37))
    assert (no_encoding.name, no_encoding.index) == ("NoEncoding", 0)
    assert fails(flipped(5)).name == "Zerocheck"
    opening = fails(proof[:-1])
    assert (opening.name, opening.reason) == ("Opening", "ProofLength")


def test_statements():
    a, b, one, two = b"a" * 32, b"b" * 32, bytes([1]) * 32, bytes([2]) * 32
    key = xmss.VerifyingKey.from_bytes(SET, one)
    statement = aggregate.Statement([(7, a, [one]), (6, bytearray(b), (two,)), (6, a, [two, key])])
    assert statement.groups == [(6, a, [one, two]), (6, b, [two]), (7, a, [one])]
    assert statement.signers() == [(6, a, one), (6, a, two), (6, b, two), (7, a, one)]
    assert len(statement) == 4 and statement.equivocations() == [(1, 2)]
    assert repr(statement) == "<Statement of 3 groups, 4 signatures>"
    again = aggregate.Statement.from_bytes(statement.to_bytes())
    assert again == statement == pickle.loads(pickle.dumps(statement)) != aggregate.Statement([(7, a, [one])])
    for error, groups in [
        (errors.NoGroups, []),
        (errors.EmptyGroup, [(6, a, [])]),
        (errors.KeyOrder, [(6, a, [one, one])]),
        (errors.TooManySignatures, [(6, a, [one] * (aggregate.MAX_SIGNATURES + 1))]),
        (errors.Malformed, [(6, a, [one[1:]])]),
        (errors.InvalidLength, [(6, a[1:], [one])]),
        (TypeError, [(6, a)]),
        (TypeError, [(6, a, ["key"])]),
        (OverflowError, [(2**32, a, [one])]),
    ]:
        with pytest.raises(error):
            aggregate.Statement(groups)
    data = bytes(statement)
    for error, bent in [
        (errors.StatementLength, data[:-1]),
        (errors.StatementLength, data + b"\0"),
        (errors.NoGroups, bytes(4) + data[4:]),
        (errors.EmptyGroup, data[:40] + bytes(4) + data[44:]),
        (errors.KeyOrder, data[:44] + two + data[76:]),
        (errors.GroupOrder, data[:4] + b"\x09" + data[5:]),
    ]:
        with pytest.raises(error) as raised:
            aggregate.Statement.from_bytes(bent)
        assert isinstance(raised.value, phalanx.DecodingError)
    for signatures in (0, aggregate.MAX_SIGNATURES + 1):
        with pytest.raises(ValueError):
            aggregate.max_len_bytes(P100, signatures)
        with pytest.raises(ValueError):
            aggregate.memory_len(P128, signatures)
    with pytest.raises(ValueError):
        aggregate.Limits("strict")
    assert aggregate.Limits(P100) == aggregate.Limits([P100], signatures=aggregate.DEFAULT_SIGNATURES) != BOTH
