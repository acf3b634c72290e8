"""XMSS: the keys of vectors/xmss, signed and verified in every encoding; epochs; many signatures; key generation."""

import hashlib
import pickle
import random
import signal
import threading
import time
from array import array

import pytest
from conftest import VECTORS, load, unhex

from phalanx import InvalidSignature, errors, xmss

PROFILES = {key_set.profile: key_set for key_set in xmss.ParameterSet.all() if key_set.profile}
FORMATS = {"ssz": "ssz", "bincode1": "bincode", "bincode2_standard": "bincode2"}
SMALL = "xmss-poseidon2-l8-d64b8"


def keys_of(profile):
    return load(f"xmss/{profile}.e2e.json")


def verifying_key(key):
    return xmss.VerifyingKey.from_bytes(PROFILES[key["profile"]], unhex(key["pk_ssz"]))


@pytest.mark.parametrize("profile", PROFILES)
def test_verifies(profile):
    """Public keys and signatures in all encodings; every listed case of `verify_cases`."""
    key_set, rows = PROFILES[profile], []
    for key in keys_of(profile):
        public = verifying_key(key)
        assert public.parameter_set == key_set and bytes(public) == unhex(key["pk_ssz"])
        for name, form in FORMATS.items():
            if f"pk_{name}" in key:
                data = unhex(key[f"pk_{name}"])
                assert xmss.VerifyingKey.from_bytes(key_set, data, format=form) == public
                assert public.to_bytes(format=form) == data
        assert xmss.VerifyingKey.from_bytes(key_set, public.to_bytes(format="json"), format="json") == public
        for case in key["signatures"]:
            message, data = unhex(case["message"]), unhex(case["sig_ssz"])
            signature = xmss.Signature.from_bytes(key_set, data)
            public.verify(case["epoch"], message, data)
            public.verify(case["epoch"], bytearray(message), signature)
            for form in ("ssz", "bincode", "bincode2", "json", "bincode-padded"):
                encoded = signature.to_bytes(format=form)
                assert xmss.Signature.from_bytes(key_set, encoded, format=form) == signature
                public.verify(case["epoch"], message, encoded, format=form)
            for name, form in FORMATS.items():
                if name != "ssz":
                    encoded = signature.to_bytes(format=form)
                    assert hashlib.sha256(encoded).hexdigest() == case[f"sig_{name}_sha256"]
            rows.append(((public, case["epoch"], message, data), True))
            rows.append(((public, case["epoch"] ^ 1, message, data), False))
        for case in key.get("verify_cases_ssz", []):
            wanted = case["required"] == "accept"
            try:
                other = xmss.VerifyingKey.from_bytes(key_set, unhex(case["pk_ssz"]))
            except errors.Malformed:
                assert not wanted
                continue
            rows.append(((other, case["epoch"], unhex(case["message"]), unhex(case["sig_ssz"])), wanted))
        for case in key.get("verify_cases_bincode1", []):
            args = case["epoch"], unhex(case["message"]), unhex(case["sig_bincode1"])
            if case["required"] == "accept":
                public.verify(*args, format="bincode")
            else:
                with pytest.raises((InvalidSignature, errors.Malformed)):
                    public.verify(*args, format="bincode")
    claims, wanted = [claim for claim, _ in rows], [verdict for _, verdict in rows]
    for (public, *args), verdict in rows:
        if verdict:
            public.verify(*args)
        else:
            with pytest.raises((InvalidSignature, errors.Malformed)):
                public.verify(*args)
    assert xmss.verify_many(claims) == xmss.verify_many(claims, threads=2) == wanted


def signs_as_listed(signer, used, case):
    """The reference signed some epochs twice, which is refused here."""
    if used.setdefault(case["epoch"], case["message"]) == case["message"]:
        assert signer.sign(case["epoch"], unhex(case["message"])) == unhex(case["sig_ssz"])
    else:
        with pytest.raises(errors.EpochUsed):
            signer.sign(case["epoch"], unhex(case["message"]))


@pytest.mark.parametrize("profile", ["p2-top-l8-d64b8", "p1-abort-l8-d4b8-test", "p2-top-l18-d64b8"])
def test_keys(profile):
    """Key generation from a seed, all encodings, signing, moving on: byte for byte what the reference does."""
    key_set = PROFILES[profile]
    for key in keys_of(profile):
        start, count = key["requested_activation_epoch"], key["requested_active_epochs"]
        signer = xmss.SigningKey.generate(key_set, start, count, seed=unhex(key["seed"]), threads=2)
        assert bytes(signer.verifying_key) == unhex(key["pk_ssz"]) and signer.parameter_set == key_set
        assert list(signer.activation_interval) == key["activation_interval"]
        assert list(signer.prepared_interval) == key["prepared_interval"]
        for name, form in FORMATS.items():
            data = signer.to_bytes(format=form)
            assert hashlib.sha256(data).hexdigest() == key[f"sk_{name}_sha256"]
            again = xmss.SigningKey.from_bytes(key_set, data, format=form)
            assert again.to_bytes(format="json") == signer.to_bytes(format="json")
        used = {}
        for case in key["signatures"]:
            signs_as_listed(signer, used, case)
        after = key.get("after_advance_preparation")
        if after:
            again = xmss.SigningKey.from_bytes(key_set, signer.to_bytes())
            while list(again.prepared_interval) != after["prepared_interval"]:
                assert again.advance()
            signs_as_listed(again, used, after)
        for case in key.get("sign_out_of_range", []):
            if case["required"] == "error":
                with pytest.raises((errors.NotActive, errors.Exhausted)) as raised:
                    signer.sign(case["epoch"], bytes(32))
                assert raised.value.epoch == case["epoch"] and isinstance(raised.value, ValueError)


def test_key_files():
    paths = sorted((VECTORS / "xmss").glob("*.sk.ssz"))
    assert paths
    for path in paths:
        key_set = next(PROFILES[name] for name in PROFILES if path.name.startswith(name))
        stem = str(path)[: -len("ssz")]
        signer = xmss.SigningKey.from_bytes(key_set, path.read_bytes())
        for suffix, form in (("bincode1", "bincode"), ("bincode2std", "bincode2")):
            with open(stem + suffix, "rb") as file:
                assert file.read() == signer.to_bytes(format=form)
        public = path.with_name(path.name.replace(".sk.", ".pk.")).read_bytes()
        assert bytes(signer.verifying_key) == public


@pytest.mark.parametrize("profile", ["p2-top-l8-d64b8", "p1-abort-l8-d4b8-test"])
def test_damaged_secret_keys(profile):
    cases = [case for key in keys_of(profile) for case in key.get("sk_cases_ssz", [])]
    assert len(cases) > 10
    for case in cases:
        if case["case"] == "valid":
            xmss.SigningKey.from_bytes(PROFILES[profile], unhex(case["sk_ssz"]))
        else:
            with pytest.raises(errors.Malformed) as raised:
                xmss.SigningKey.from_bytes(PROFILES[profile], unhex(case["sk_ssz"]))
            assert raised.value.what in str(raised.value)


def test_long_lifetime():
    """A key of 2^32 epochs, as the reference makes it, with progress."""
    profile = "p2-top-l32-d64b8"
    key = keys_of(profile)[0]
    calls = []
    signer = xmss.SigningKey.generate(
        PROFILES[profile], 0, 10, seed=unhex(key["seed"]), threads=2, progress=lambda *call: calls.append(call)
    )
    assert bytes(signer.verifying_key) == unhex(key["pk_ssz"])
    assert hashlib.sha256(signer.to_bytes()).hexdigest() == key["sk_ssz_sha256"]
    assert calls == sorted(calls) and calls[-1] == (131072, 131072) and len(calls) > 5


def test_epochs():
    signer = xmss.SigningKey.generate(SMALL, 0, 256)
    first = signer.sign(3, b"\1" * 32)
    assert signer.sign(3, b"\1" * 32) == first
    with pytest.raises(errors.EpochUsed) as raised:
        signer.sign(3, b"\2" * 32)
    assert raised.value.epoch == 3 and str(raised.value) == "epoch 3 has already signed another message"
    copy = xmss.SigningKey.from_bytes(SMALL, signer.to_bytes())
    with pytest.raises(errors.EpochUsed):
        copy.sign(3, b"\2" * 32)
    narrow, wide = (xmss.SigningKey.generate(SMALL, 0, count, seed=b"\3" * 32) for count in (32, 48))
    narrow.sign(3, b"\1" * 32)
    with pytest.raises(errors.OtherInstance) as raised:
        wide.sign(3, b"\2" * 32)
    assert (raised.value.scheme, raised.value.start, raised.value.end) == (SMALL, 0, 32)
    signer.sign(100, bytes(32))
    assert signer.prepared_interval[0] <= 100 < signer.prepared_interval[1]
    with pytest.raises(errors.Passed):
        signer.sign(4, bytes(32))
    for epoch in (256, 1 << 32, (1 << 64) - 1):
        with pytest.raises(errors.Exhausted):
            signer.sign(epoch, bytes(32))
        with pytest.raises(InvalidSignature):
            signer.verifying_key.verify(epoch, b"\1" * 32, first)
    for length in (0, 31, 33):
        with pytest.raises(errors.InvalidLength):
            signer.sign(200, bytes(length))
    while signer.advance():
        pass
    assert signer.prepared_interval[1] == 256 and signer.next_tree() is None
    for start, count in ((250, 7), (256, 1), (1 << 63, 1 << 63), ((1 << 64) - 1, 2)):
        with pytest.raises(errors.Interval) as raised:
            xmss.SigningKey.generate(SMALL, start, count)
        assert raised.value.lifetime == 256
    with pytest.raises(OverflowError):
        signer.sign(-1, bytes(32))


def test_trees_computed_aside():
    signer = xmss.SigningKey.generate(SMALL, 0, 256)
    tree = signer.next_tree()
    assert tree.epochs == (32, 48)
    with pytest.raises(errors.Unfinished):
        signer.advance_with(signer.next_tree())
    worker = threading.Thread(target=tree.compute)
    worker.start()
    signer.sign(1, bytes(32))
    worker.join()
    signer.advance_with(tree)
    assert signer.prepared_interval == (16, 48) and tree.epochs is None
    with pytest.raises(errors.Unfinished):
        signer.advance_with(tree)
    other = xmss.SigningKey.generate(SMALL, 0, 256).next_tree()
    other.compute(threads=2)
    with pytest.raises(errors.WrongTree):
        signer.advance_with(other)
    assert signer.prepared_interval == (16, 48)


def test_generation_in_steps():
    seed, roots = b"\5" * 32, {}
    wanted = xmss.SigningKey.generate(SMALL, 0, 256, seed=seed)
    first = xmss.KeyGeneration(SMALL, 0, 256, seed=bytearray(seed))
    with pytest.raises(errors.Unfinished):
        first.finish()
    for _ in range(7):
        index = first.step()
        roots[index] = first.root(index)
    second = xmss.KeyGeneration(SMALL, 0, 256, seed=seed)
    assert first.commitment == second.commitment != xmss.KeyGeneration(SMALL, 0, 128, seed=seed).commitment
    for index, root in roots.items():
        second.restore(index, root)
    steps = 0
    while second.step(threads=2) is not None:
        steps += 1
    assert steps == 16 - 7 and second.trees == (0, 16) and second.activation_interval == (0, 256)
    assert second.progress == (9 * 16, 9 * 16)
    assert second.finish().to_bytes() == wanted.to_bytes()
    with pytest.raises(errors.Unfinished):
        second.step()
    with pytest.raises(errors.WrongTree):
        first.restore(16, bytes(32))
    with pytest.raises(errors.Malformed):
        first.restore(3, b"short")


class Enough(Exception):
    pass


def test_progress_can_stop():
    calls = []

    def stop(done, total):
        calls.append((done, total))
        raise Enough

    with pytest.raises(Enough):
        xmss.SigningKey.generate("xmss-poseidon2-l32-d64b8", 0, 1, threads=2, progress=stop)
    assert len(calls) == 1 and calls[0][0] < calls[0][1] == 131072
    with pytest.raises(Enough):
        xmss.KeyGeneration(SMALL, 0, 256).step(progress=stop)
    with pytest.raises(Enough):
        xmss.SigningKey.generate(SMALL, 0, 256).next_tree().compute(progress=stop)
    with pytest.raises(TypeError):
        xmss.SigningKey.generate(SMALL, 0, 256, progress=lambda: None)


def test_callbacks_that_ask_back():
    """A progress callable that uses what is being worked on is told so; it does not wait for itself."""
    generation = xmss.KeyGeneration(SMALL, 0, 256)
    with pytest.raises(RuntimeError, match="in use"):
        generation.step(progress=lambda done, total: generation.progress)
    assert generation.progress == (0, 256) and generation.step() is not None
    signer = xmss.SigningKey.generate(SMALL, 0, 256)
    tree = signer.next_tree()
    with pytest.raises(RuntimeError, match="in use"):
        tree.compute(progress=lambda done, total: signer.advance_with(tree))
    tree.compute(progress=lambda done, total: signer.sign(0, bytes(32)))
    signer.advance_with(tree)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="wants alarms")
def test_interrupts_stop():
    """A signal handler that raises, as that of Ctrl-C does, stops key generation."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            xmss.SigningKey.generate("xmss-poseidon2-l32-d64b8", 0, 1 << 24)
        assert time.monotonic() - begun < 20
    finally:
        signal.signal(signal.SIGALRM, before)


def test_many_forms():
    signer = xmss.SigningKey.generate(SMALL, 0, 256, seed=bytes(32))
    public = signer.verifying_key
    messages = [bytes([i]) * 32 for i in range(40)]
    signatures = [signer.sign(i, message) for i, message in enumerate(messages)]
    other = xmss.SigningKey.generate("xmss-poseidon1-l8-d4b8-test", 0, 256)
    claims = [(public, i, messages[i], signatures[i]) for i in range(40)]
    claims[3] = (public, 3, messages[3], signatures[4])
    claims[5] = (public, 5, messages[5], b"garbage")
    claims[6] = (public, 6, b"short", signatures[6])
    claims[7] = (public, (1 << 32) + 7, messages[7], signatures[7])
    claims[8] = (other.verifying_key, 8, messages[8], other.sign(8, messages[8]))
    claims[9] = (public, 9, memoryview(messages[9]), xmss.Signature.from_bytes(SMALL, signatures[9]))
    claims[10] = (other.verifying_key, 10, messages[10], signatures[10])
    wanted = [i not in (3, 5, 6, 7, 10) for i in range(40)]
    assert xmss.verify_many(claims) == xmss.verify_many(iter(claims), threads=3) == wanted
    flat = b"".join(signatures)
    epochs = array("I", range(40))
    for columns in (
        (public, epochs, messages, signatures),
        (public, list(epochs), b"".join(messages), flat),
        ([public] * 40, epochs, bytearray(b"".join(messages)), memoryview(flat)),
    ):
        assert xmss.verify_columns(*columns) == [True] * 40
        assert xmss.verify_columns(*columns, threads=2) == [True] * 40
    assert xmss.verify_columns(public, array("I", [1, *range(1, 40)]), messages, signatures) == [False] + [True] * 39
    assert xmss.verify_many([]) == xmss.verify_columns(public, [], [], []) == []
    with pytest.raises(errors.LengthMismatch):
        xmss.verify_columns(public, epochs, messages[1:], signatures)
    with pytest.raises(errors.LengthMismatch):
        xmss.verify_columns([public], epochs, messages, signatures)
    for wrong in ([(public, 1, messages[1])], [(b"", 1, messages[1], b"")], [(public, "1", messages[1], b"")], 5):
        with pytest.raises(TypeError):
            xmss.verify_many(wrong)
    with pytest.raises(ValueError, match="known are ssz"):
        xmss.verify_many([], format="xml")


def test_what_is_secret():
    seed = bytes(range(32))
    signer = xmss.SigningKey.generate(SMALL, 0, 256, seed=seed)
    secret = signer.to_bytes()[:32].hex()
    assert secret not in repr(signer) and seed.hex() not in repr(signer)
    for value in (signer, signer.next_tree(), xmss.KeyGeneration(SMALL, 0, 256, seed=seed)):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(value)
        assert secret not in repr(value)
    signature = xmss.Signature.from_bytes(SMALL, signer.sign(0, bytes(32)))
    for value in (signer.verifying_key, signature, xmss.ParameterSet(SMALL)):
        assert pickle.loads(pickle.dumps(value)) == value
    for seed in (b"", bytes(31), bytes(33)):
        with pytest.raises(errors.InvalidLength):
            xmss.SigningKey.generate(SMALL, 0, 256, seed=seed)
    # Without a seed: keys differ.
    assert xmss.SigningKey.generate(SMALL, 0, 1).verifying_key != xmss.SigningKey.generate(SMALL, 0, 1).verifying_key


def test_one_key_in_many_threads():
    """Who comes second waits; nobody is turned away."""
    signer, signatures = xmss.SigningKey.generate(SMALL, 0, 256), {}

    def sign(first):
        for epoch in range(first, 32, 4):
            signatures[epoch] = signer.sign(epoch, bytes([epoch]) * 32)

    threads = [threading.Thread(target=sign, args=(first,)) for first in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    claims = [(signer.verifying_key, epoch, bytes([epoch]) * 32, data) for epoch, data in signatures.items()]
    assert xmss.verify_many(claims) == [True] * 32


def test_garbage():
    rng = random.Random(5)
    signer = xmss.SigningKey.generate(SMALL, 0, 256, seed=bytes(32))
    good = {form: signer.to_bytes(format=form) for form in ("ssz", "bincode", "bincode2", "json")}
    readers = (xmss.SigningKey, xmss.VerifyingKey, xmss.Signature)
    for i in range(1000):
        form = rng.choice(list(good))
        data = bytearray(good[form]) if i % 2 else bytearray(rng.randbytes(rng.randrange(300)))
        data = data[: rng.randrange(len(data) + 1)] if rng.random() < 0.5 else data
        for _ in range(1 + rng.randrange(3)):
            if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        for reader in readers:
            try:
                reader.from_bytes(SMALL, data, format=form)
            except errors.Malformed:
                pass
