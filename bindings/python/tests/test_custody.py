"""Ledgers, guarded keys and keystores: one message an epoch, over threads, forks, kills and lives."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest
from conftest import PACKAGE, VECTORS

import phalanx
from phalanx import ed25519, errors, keystore, xmss

SMALL = "xmss-poseidon2-l8-d64b8"
KEYSTORES = VECTORS / "custody" / "keystore"
PASSWORD = "correct horse battery staple"


def message(byte):
    return bytes([byte]) * 32


def key(seed, count=256):
    return xmss.SigningKey.generate(SMALL, 0, count, seed=bytes([seed]) * 32)


class Place:
    """A ledger's folder and that of its side log."""

    def __init__(self, folder):
        self.path, self.files = folder / "ledger", {"witness": folder / "witness", "allow_file_systems": ["overlay"]}

    def create(self, **more):
        phalanx.Ledger.create(self.path, **self.files, **more)
        return self

    def open(self, **more):
        return phalanx.Ledger(self.path, allow_unsynchronised_clock=True, **self.files, **more)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path).create()


def refused(code, is_final, call, *args, **kwargs):
    with pytest.raises(errors.CustodyError) as raised:
        call(*args, **kwargs)
    assert (raised.value.code, raised.value.is_final) == (code, is_final), raised.value
    return raised.value


def test_one_message_an_epoch_over_two_lives(place):
    signer = key(1)
    with place.open() as ledger:
        assert ledger.health == "open" and len(ledger.ledger_id) == 16 and ledger.ledger_id.hex() in repr(ledger)
        refused("in_use", False, place.open)
        refused("no_state", False, phalanx.GuardedKey, ledger, signer)
        # The key is still there.
        ledger.register(signer, "attester")
        with phalanx.GuardedKey(ledger, signer) as guarded:
            with pytest.raises(RuntimeError, match="taken over"):
                signer.sign(3, message(9))
            first, repeated = guarded.answer(3, message(1))
            assert not repeated and guarded.answer(3, message(1)) == (first, True)
            guarded.verifying_key.verify(3, message(1), first)
            assert isinstance(refused("epoch_used", True, guarded.sign, 3, message(2)), errors.Refused)
            refused("exhausted", True, guarded.sign, 256, message(2))
            with pytest.raises(errors.Exhausted):
                guarded.sign(2**32, message(2))
            with pytest.raises(errors.InvalidLength):
                guarded.sign(4, b"short")
            assert guarded.key_id == guarded.verifying_key.key_id and guarded.prepared_interval == (0, 32)
            with pytest.raises(TypeError, match="not pickled"):
                guarded.__reduce__()
        with pytest.raises(ValueError, match="closed"):
            guarded.sign(4, message(1))
    with place.open() as ledger, phalanx.GuardedKey(ledger, key(1)) as guarded:
        assert guarded.sign(3, message(1)) == first
        refused("epoch_used", True, guarded.sign, 3, message(2))
    with pytest.raises(ValueError, match="closed"):
        ledger.health


def test_what_operators_do(place):
    with place.open() as ledger:
        ledger.register(key(2), "attester", low=5)
        guarded = phalanx.GuardedKey(ledger, key(2))
        refused("passed", True, guarded.sign, 4, message(1))
        refused("same_one_time_keys", False, ledger.register, key(2, 64), "attester")
        refused("unknown_key", False, ledger.standing, bytes(32))
        ledger.raise_low(guarded.key_id, 9, "a test")
        refused("backwards", False, ledger.raise_low, guarded.key_id, 8, "a test")
        ledger.quarantine(guarded.key_id, "a test")
        refused("quarantined", False, guarded.sign, 10, message(1))
        standing = ledger.standing(guarded.key_id)
        assert (standing.state, standing.role, standing.epochs) == ("quarantined", "attester", (0, 256))
        assert (standing.low, standing.high, standing.highest, standing.is_strict) == (9, None, None, False)
        ledger.adopt(key(2), "attester", i_accept_epoch=20, reason="looked at")
        refused("passed", True, guarded.sign, 19, message(1))
        guarded.sign(20, message(1))
        # A key from elsewhere, which signs only forward.
        ledger.adopt(key(3), "proposer", i_accept_epoch=7, reason="of another tool", strict=True)
        other = phalanx.GuardedKey(ledger, key(3))
        other.sign(9, message(1))
        refused("out_of_order", True, other.sign, 8, message(1))
        for wrong in ({"role": "king"}, {"role": "attester", "low": 257}):
            with pytest.raises(ValueError):
                ledger.register(key(4), **wrong)
        guarded.close()
        other.close()


def test_refusals_of_places(tmp_path):
    place = Place(tmp_path)
    assert "(no_ledger)" in str(refused("no_ledger", False, place.open))
    for wrong in ({"epoch_seconds": 4}, {"genesis_time": 0, "epoch_seconds": 0}, {"max_gap": 0}, {"ahead": 2**63}):
        with pytest.raises(ValueError):
            place.create(**wrong)
    place.create()
    refused("exists", False, place.create)
    with pytest.raises(ValueError, match="resume"):
        place.open(resume="never")
    with place.open():
        pass
    before = (place.path / "ledger.sqlite3").read_bytes()
    with place.open() as ledger:
        ledger.register(key(5), "attester")
    (place.path / "ledger.sqlite3").write_bytes(before)
    refused("store_older", False, place.open)


def test_a_clock(tmp_path):
    place = Place(tmp_path).create(genesis_time=int(time.time()) - 100 * 10**6 - 1000, epoch_seconds=10**6)
    with place.open() as ledger:
        ledger.register(key(6), "attester")
        with phalanx.GuardedKey(ledger, key(6)) as guarded:
            refused("ahead", False, guarded.sign, 105, message(1))
            refused("behind", True, guarded.sign, 35, message(1))
            guarded.sign(101, message(1))
    with place.open(resume="trust-store") as ledger, phalanx.GuardedKey(ledger, key(6)) as guarded:
        guarded.sign(102, message(1))
    with place.open() as ledger, phalanx.GuardedKey(ledger, key(6)) as guarded:
        refused("passed", True, guarded.sign, 103, message(1))


def test_many_and_threads(place):
    with place.open() as ledger:
        keys = []
        for seed in (10, 11, 12):
            ledger.register(key(seed), "attester")
            keys.append(phalanx.GuardedKey(ledger, key(seed)))
        answers = phalanx.GuardedKey.sign_many([(one, 7, message(1)) for one in keys] + [(keys[0], 7, message(2))], threads=2)
        assert [type(answer) for answer in answers] == [bytes, bytes, bytes, errors.Refused]
        assert answers[3].code == "epoch_used"
        assert phalanx.GuardedKey.sign_many([]) == []
        with pytest.raises(TypeError):
            phalanx.GuardedKey.sign_many([(1, 7, message(1))])
        outcomes = []

        def race(byte):
            for epoch in range(8, 12):
                try:
                    outcomes.append((epoch, byte, keys[0].sign(epoch, message(byte))))
                except errors.Refused as error:
                    outcomes.append((epoch, byte, error.code))

        threads = [threading.Thread(target=race, args=(byte,)) for byte in range(6)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert len(outcomes) == 24
        assert sorted(epoch for epoch, _, outcome in outcomes if isinstance(outcome, bytes)) == [8, 9, 10, 11]
        assert {outcome for *_, outcome in outcomes if isinstance(outcome, str)} == {"epoch_used"}
        [one.close() for one in keys]


def test_a_fork_signs_nothing(place):
    with place.open() as ledger:
        ledger.register(key(20), "attester")
        guarded = phalanx.GuardedKey(ledger, key(20))
        guarded.sign(1, message(1))
        with warnings.catch_warnings():
            # The ledger has a thread, of which later versions of Python warn: that is what is tried.
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            wrong = 0
            try:
                for epoch in (1, 2):
                    refused("forked", False, guarded.sign, epoch, message(1))
                assert ledger.health == "forked"
                refused("forked", False, ledger.standing, guarded.key_id)
                refused("in_use", False, place.open)
                guarded.close()
                ledger.close()
            except BaseException as error:
                print(error, file=sys.stderr)
                wrong = 1
            os._exit(wrong)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        guarded.sign(2, message(2))
        guarded.close()


SIGNER = """
import sys
from pathlib import Path
import phalanx
from phalanx import xmss
folder, first = Path(sys.argv[1]), int(sys.argv[2])
ledger = phalanx.Ledger(folder / "ledger", witness=folder / "witness", allow_file_systems=["overlay"])
key = phalanx.GuardedKey(ledger, xmss.SigningKey.generate("xmss-poseidon2-l8-d64b8", 0, 256, seed=bytes([30]) * 32))
for epoch in range(first, 256):
    try:
        key.sign(epoch, bytes([first]) * 32)
    except phalanx.errors.Refused:
        continue
    print(epoch, flush=True)
"""


def test_kills(place, tmp_path):
    with place.open() as ledger:
        ledger.register(key(30), "attester")
    released = set()
    for life in range(3):
        command = [sys.executable, "-c", SIGNER, str(tmp_path), str(1 + 60 * life)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for _ in range(4 + life):
                released.add(int(child.stdout.readline()))
            child.send_signal(signal.SIGKILL)
            released.update(int(line) for line in child.stdout.read().splitlines())
    assert len(released) >= 15
    with place.open() as ledger, phalanx.GuardedKey(ledger, key(30)) as guarded:
        for epoch in released:
            refused("epoch_used", True, guarded.sign, epoch, message(0))


def test_keystores_of_the_vectors(tmp_path):
    data = (KEYSTORES / "ok-pbkdf2-p2-l8.json").read_bytes()
    refused("weak_kdf", False, keystore.loads, data, PASSWORD)
    refused("wrong_password", False, keystore.loads, data, "another", accept_weak_kdf=True)
    refused("malformed", False, keystore.loads, data[:-20], PASSWORD)
    signer = keystore.loads(data, PASSWORD.encode(), accept_weak_kdf=True)
    assert signer.verifying_key.key_id.hex() == "8d2274428f221e54b28a408b0572a7d61c8d09c55f76693c412e0ac0f3e7e3b5"
    for name, code in (("tamper-role", "header_changed"), ("tamper-tag", "damaged"), ("recovery-only", "recovery_only")):
        refused(code, False, keystore.loads, (KEYSTORES / f"{name}.json").read_bytes(), PASSWORD, accept_weak_kdf=True)
    path = tmp_path / "key.json"
    shutil.copy(KEYSTORES / "ok-pbkdf2-p2-l8.json", path)
    path.chmod(0o644)
    refused("insecure_file", False, keystore.read, path, PASSWORD, accept_weak_kdf=True)
    path.chmod(0o600)
    assert keystore.read(path, PASSWORD, accept_weak_kdf=True).verifying_key == signer.verifying_key
    header = keystore.inspect(path)
    assert (header.scheme, header.role, header.epochs, header.is_bound) == (SMALL, "attester", (0, 256), True)
    assert header.key_id == signer.verifying_key.key_id and header.has_weak_kdf and not header.is_recovery_only
    assert header.public_key == bytes(signer.verifying_key)
    refused("system", False, keystore.read, tmp_path / "none.json", PASSWORD)


def test_keystores_of_ed25519():
    for name in ("ok-ed25519", "ok-ed25519-sealed"):
        path = KEYSTORES / f"{name}.json"
        data, public_key = path.read_bytes(), keystore.inspect(path).public_key
        key = keystore.loads_ed25519(data, PASSWORD, accept_weak_kdf=True)
        assert isinstance(key, ed25519.SigningKey) and bytes(key.verifying_key) == public_key
        refused("wrong_password", False, keystore.loads_ed25519, data, "another", accept_weak_kdf=True)
        refused("unsupported_scheme", False, keystore.loads, data, PASSWORD, accept_weak_kdf=True)
        # `load` finds the scheme, and accepts nothing weak.
        for call in (keystore.loads_ed25519, phalanx.load):
            refused("weak_kdf", False, call, data, PASSWORD)
    of_xmss = (KEYSTORES / "ok-pbkdf2-p2-l8.json").read_bytes()
    refused("unsupported_scheme", False, keystore.loads_ed25519, of_xmss, PASSWORD, accept_weak_kdf=True)


def test_keystores_written(tmp_path):
    signer, path = key(40), tmp_path / "keys" / "key.json"
    refused("key_mismatch", False, keystore.write, path, signer, "a", role="attester", seed=bytes(32))
    refused("password_empty", False, keystore.write, path, signer, "", role="attester")
    keystore.write(path, signer, "a password", role="attester", seed=bytes([40]) * 32, description="a test")
    refused("exists", False, keystore.write, path, signer, "a password", role="attester")
    back = keystore.read(path, b"a password\n", cache_trees=True)
    assert back.verifying_key == signer.verifying_key and (tmp_path / "keys" / "key.json.trees").exists()
    with pytest.raises(ValueError):
        keystore.write(path, signer, "a", role="attester", kdf="bcrypt")


def test_example(tmp_path):
    done = subprocess.run(
        [sys.executable, str(PACKAGE / "examples" / "custody.py"), str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and "epoch_used" in done.stdout, done.stdout + done.stderr
