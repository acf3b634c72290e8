"""XMSS over BLAKE2s: the files of vectors/xmss-blake2s through the classes of all sets, and what is refused."""

import pickle
import sys

import pytest
from conftest import load, unhex

from phalanx import InvalidSignature, errors, xmss

SET = xmss.ParameterSet("xmss-blake2s-l32-d42b8")
PROFILE_A = xmss.ParameterSet("xmss-blake2s-a-l32-d42b8")
MESSAGE = bytes(range(32))


def test_sets():
    assert SET in xmss.ParameterSet.all() and PROFILE_A in xmss.ParameterSet.all()
    assert (SET.lifetime, SET.chains, SET.base) == (2**32, 42, 8)
    assert SET.profile is None and SET.tree_leaves is None
    assert SET.signs and not PROFILE_A.signs and not SET.is_insecure
    assert pickle.loads(pickle.dumps(SET)) == SET != PROFILE_A


@pytest.mark.parametrize("file, key_set", [("profile-a", PROFILE_A), ("profile-b", SET)])
def test_verifies(file, key_set):
    rows, cut = [], 0
    for case in load(f"xmss-blake2s/{file}.json")["verify"]:
        public, data = unhex(case["public_key"]), unhex(case["signature"])
        try:
            key = xmss.VerifyingKey.from_bytes(key_set, public)
            signature = xmss.Signature.from_bytes(key_set, data, format="bincode")
        except errors.Malformed as error:
            assert case["result"] == "bad_length" and error.what == "length in bytes"
            cut += 1
            continue
        assert bytes(key) == public and signature.to_bytes(format="bincode2") == bytes(signature) == data
        assert pickle.loads(pickle.dumps(key)) == key and hash(key) == hash(pickle.loads(pickle.dumps(key)))
        claim = (key, case["epoch"], unhex(case["message"]), data)
        if case["result"] == "valid":
            key.verify(*claim[1:])
            key.verify(*claim[1:3], signature)
            other = xmss.ParameterSet.all()[-1] if key_set == SET else SET
            with pytest.raises(InvalidSignature):
                xmss.VerifyingKey.from_bytes(other, public).verify(*claim[1:])
        else:
            with pytest.raises(InvalidSignature):
                key.verify(*claim[1:])
        rows.append((claim, case["result"] == "valid"))
    claims, wanted = [claim for claim, _ in rows], [valid for _, valid in rows]
    assert wanted.count(True) > 2 and wanted.count(False) > 20 and (cut > 0) == (key_set == SET)
    assert xmss.verify_many(claims) == xmss.verify_many(claims, threads=2) == wanted
    columns = zip(*claims)
    assert xmss.verify_columns(*(list(column) for column in columns)) == wanted


def test_keys_and_signatures_are_those_of_the_model():
    file = load("xmss-blake2s/profile-b.json")
    for case in file["key_gen"]:
        make = (SET, case["epoch_start"], case["epoch_end"] + 1 - case["epoch_start"])
        if case["public_key"] is None:
            with pytest.raises(errors.Interval):
                xmss.SigningKey.generate(*make, seed=unhex(case["seed"]))
            continue
        signer = xmss.SigningKey.generate(*make, seed=unhex(case["seed"]))
        assert bytes(signer.verifying_key) == unhex(case["public_key"]) and signer.parameter_set == SET
        assert signer.activation_interval == (make[1], make[1] + make[2])
    for case in file["sign"]:
        count = case["epoch_end"] + 1 - case["epoch_start"]
        signer = xmss.SigningKey.generate(SET, case["epoch_start"], count, seed=unhex(case["seed"]), threads=2)
        epoch, message = case["epoch"], unhex(case["message"])
        assert signer.sign(epoch, message) == signer.sign(epoch, message, format="bincode") == unhex(case["signature"])
        with pytest.raises(errors.EpochUsed):
            signer.sign(epoch, MESSAGE)


def test_a_fresh_key():
    done = []
    signer = xmss.SigningKey.generate(SET, 100, 300, progress=lambda *leaves: done.append(leaves))
    assert done[-1] == (300, 300) and "xmss-blake2s-l32-d42b8, epochs 100..400" in repr(signer)
    key, signature = signer.verifying_key, signer.sign(100, MESSAGE)
    key.verify(100, MESSAGE, signature)
    assert len(bytes(key)) == 32 and len(signature) == 1208 and len(key.key_id) == 32
    for epoch, message, data in [
        (101, MESSAGE, signature),
        (100, bytes(32), signature),
        (100, MESSAGE, bytes([signature[0] ^ 1]) + signature[1:]),
        (2**40, MESSAGE, signature),
    ]:
        with pytest.raises(InvalidSignature):
            key.verify(epoch, message, data)
        assert xmss.verify_many([(key, epoch, message, data), (key, 100, MESSAGE, signature)]) == [False, True]
    for data in (signature[:-1], signature + b"\0", b""):
        with pytest.raises(errors.Malformed):
            key.verify(100, MESSAGE, data)
        with pytest.raises(errors.Malformed):
            xmss.Signature.from_bytes(SET, data)
    with pytest.raises(errors.NotActive):
        signer.sign(99, MESSAGE)
    with pytest.raises(errors.Exhausted):
        signer.sign(400, MESSAGE)
    # On by one tree, computed beside the key.
    tree = signer.next_tree()
    tree.compute()
    signer.advance_with(tree)
    with pytest.raises(errors.Passed):
        signer.sign(100, MESSAGE)
    key.verify(399, MESSAGE, signer.sign(399, MESSAGE))
    assert not signer.advance() and signer.next_tree() is None
    with pytest.raises(errors.EpochUsed):
        signer.sign(399, bytes(32))


def test_what_there_is_not():
    with pytest.raises(errors.VerificationOnly) as refused:
        xmss.SigningKey.generate(PROFILE_A, 0, 8)
    assert refused.value.scheme == PROFILE_A.name and isinstance(refused.value, ValueError)
    signer = xmss.SigningKey.generate(SET, 0, 8, seed=bytes([0xE2]) * 32)
    for form in ("json", "bincode-padded"):
        for act in (
            lambda form=form: signer.sign(1, MESSAGE, format=form),
            lambda form=form: signer.verifying_key.to_bytes(format=form),
            lambda form=form: xmss.Signature.from_bytes(SET, bytes(1208), format=form),
            lambda form=form: signer.to_bytes(format=form),
        ):
            with pytest.raises(errors.NoEncoding) as refused:
                act()
            assert refused.value.format == form and refused.value.scheme == SET.name
    # No epoch was used for what cannot be written.
    signature = signer.sign(1, bytes(32))
    signer.verifying_key.verify(1, bytes(32), signature)
    # Of two keys from one seed, for two intervals, one signs.
    with pytest.raises(errors.OtherInstance):
        xmss.SigningKey.generate(SET, 0, 16, seed=bytes([0xE2]) * 32).sign(2, MESSAGE)


def test_generation_in_steps():
    generation = xmss.KeyGeneration(SET, 100, 300, seed=bytes([0xE3]) * 32)
    assert generation.activation_interval == (100, 400) and generation.progress == (0, 300)
    with pytest.raises(errors.Unfinished):
        generation.finish()
    first, end = generation.trees
    while generation.step() is not None:
        pass
    roots = {index: generation.root(index) for index in range(first, end)}
    # Taken up again from the roots of an earlier run.
    again = xmss.KeyGeneration(SET, 100, 300, seed=bytes([0xE3]) * 32)
    assert again.commitment == generation.commitment and again.root(end - 1) is None
    again.restore(end - 1, roots[end - 1])
    assert again.root(end - 1) == roots[end - 1]
    with pytest.raises(errors.WrongTree):
        again.restore(end, roots[first])
    while again.step() is not None:
        pass
    assert bytes(again.finish().verifying_key) == bytes(generation.finish().verifying_key)
    generation = xmss.KeyGeneration(SET, 100, 300, seed=bytes([0xE3]) * 32)
    while generation.step() is not None:
        pass
    whole = xmss.SigningKey.generate(SET, 100, 300, seed=bytes([0xE3]) * 32)
    assert bytes(generation.finish().verifying_key) == bytes(whole.verifying_key)


@pytest.mark.skipif(sys.platform == "win32", reason="custody is for Unix")
def test_signing_through_a_ledger(tmp_path):
    import phalanx

    options = {"witness": tmp_path / "witness", "allow_file_systems": ["overlay"]}
    seed = bytes([0xE4]) * 32
    phalanx.Ledger.create(tmp_path / "ledger", **options)
    with phalanx.Ledger(tmp_path / "ledger", **options) as ledger:
        signer = xmss.SigningKey.generate(SET, 0, 8, seed=seed)
        with pytest.raises(errors.CustodyError) as refused:
            phalanx.GuardedKey(ledger, signer)
        assert refused.value.code == "no_state"
        # It is still there.
        signer.verifying_key.verify(1, MESSAGE, signer.sign(1, MESSAGE))
        ledger.register(signer, "other")
        folder = tmp_path / "keys"
        folder.mkdir(mode=0o700)
        with pytest.raises(ValueError, match="with its seed"):
            phalanx.keystore.write(folder / "none.json", signer, b"a password", role="other")
        phalanx.keystore.write(folder / "key.json", signer, b"a password", role="other", seed=seed)
        signer = phalanx.keystore.read(folder / "key.json", b"a password")
        public = signer.verifying_key
        with phalanx.GuardedKey(ledger, signer) as key:
            assert bytes(key.verifying_key) == bytes(public)
            with pytest.raises(errors.NoEncoding):
                key.sign(2, MESSAGE, format="json")
            signature, repeated = key.answer(2, MESSAGE)
            public.verify(2, MESSAGE, xmss.Signature.from_bytes(SET, signature))
            assert not repeated and key.answer(2, MESSAGE) == (signature, True)
            with pytest.raises(errors.Refused):
                key.sign(2, bytes(32))
        # Another interval of the same seed is another key of the same one-time keys.
        with pytest.raises(errors.CustodyError) as refused:
            ledger.register(xmss.SigningKey.generate(SET, 0, 16, seed=seed), "other")
        assert refused.value.code == "same_one_time_keys"

