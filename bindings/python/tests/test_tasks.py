"""What people who come from PyCA, PyNaCl and numpy try first."""

import os

import pytest

import phalanx
from phalanx import DecodingError, InvalidSignature, VerificationError, ed25519, errors, ligerito, rescue, xmss

SET = "xmss-poseidon2-l8-d64b8"

# Made by ssh-keygen and by openssl, with the password "correct horse".
ENCRYPTED = [
    (
        """-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABA/iJ16aB
N9AkzlCh2HEwTAAAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIAzeWyVQU9c/n+qE
Ciddd3j87kFsDwSxxOJU6xu1QH8DAAAAkIr9aYHwdGf4dQe84o7ihrgJdG1LP3cAYSaPSn
XOjT/SsCnTg69Ntw37CxDQjv98TzK2eOpl1l0XxEv/cFeb2PbV39kBw+SZUKUK4IoEE9RW
iHTOFhdm2tFNt3XBeekwXqWOkzCnKN9c0eRVvWDYoMj47D8TQtXSLt5TYTQ8la9Sk7KKAl
TI/9XP8jinv4syjw==
-----END OPENSSH PRIVATE KEY-----
""",
        "5c54d98783a7b43171ef83b2cee4acc97881ebf9b5cd68d38bce49338fd727f0",
    ),
    (
        """-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGTME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAjWhm1ka8jPugICQAAC
AQgCAQEwHQYJYIZIAWUDBAEqBBCKfotdEK0ZkjV9Uxvh0WqbBEDbqI7517NIzN77
VfA1RQfZJC3QkmniWo6JKbbBaBj6wOZqhz7wpF6TUcZdyZeLHY4eYIgkwzQnwY5n
jvAVvaEx
-----END ENCRYPTED PRIVATE KEY-----
""",
        "0371621c1de420d64dcdc4ba11cb5b2b1946d4009e4ef08b40899ab8fd12f540",
    ),
]


@pytest.fixture(scope="module")
def key():
    return ed25519.SigningKey.from_seed(bytes(range(32)))


@pytest.fixture(scope="module")
def signer():
    return xmss.SigningKey.generate(SET, 0, 256, seed=b"\7" * 32)


def test_a_pem_key_and_a_thousand_signatures_in_numpy(key):
    numpy = pytest.importorskip("numpy")
    public = phalanx.load(key.verifying_key.to_spki_pem())
    assert isinstance(public, ed25519.VerifyingKey) and public == key.verifying_key
    messages = numpy.arange(1000 * 40, dtype=numpy.uint16).astype(numpy.uint8).reshape(1000, 40)
    signatures = numpy.frombuffer(
        b"".join(ed25519.sign_many(key, [row.tobytes() for row in messages])), dtype=numpy.uint8
    ).reshape(1000, 64)
    wanted = numpy.ones(1000, dtype=bool)
    valid = ed25519.verify_columns(public, messages, signatures)
    assert isinstance(valid, numpy.ndarray) and valid.dtype == bool and valid.flags.writeable
    assert (valid == wanted).all()
    # A table whose rows are key, message and signature; some of its columns, its rows backwards, one key for all.
    keys = numpy.broadcast_to(numpy.frombuffer(bytes(public), dtype=numpy.uint8), (1000, 32))
    table = numpy.concatenate([keys, messages, signatures], axis=1)
    table[5, 40] ^= 1
    wanted[5] = False
    columns = (table[:, :32], table[:, 32:72], table[:, 72:])
    for given in [
        columns,
        (public, *columns[1:]),
        (bytes(public), *columns[1:]),
        (keys, *columns[1:]),
        ([public] * 1000, *columns[1:]),
    ]:
        assert (ed25519.verify_columns(*given) == wanted).all()
    assert (ed25519.verify_columns(*(column[::-1] for column in columns)) == wanted[::-1]).all()
    assert (ed25519.verify_columns(*(column[::7] for column in columns)) == wanted[::7]).all()
    # Lists stay lists.
    rows = [column[:9].tobytes() for column in columns]
    assert ed25519.verify_columns(*rows) == wanted[:9].tolist()
    claims = [(public, row[32:72], row[72:]) for row in table]
    assert ed25519.verify_many(claims) == wanted.tolist()
    records = numpy.zeros(1000, dtype=[("key", "u1", 32), ("message", "u1", 40), ("signature", "u1", 64)])
    records["key"], records["message"], records["signature"] = columns
    assert (ed25519.verify_columns(records["key"], records["message"], records["signature"]) == wanted).all()


def test_a_memory_mapped_table(key, tmp_path):
    numpy = pytest.importorskip("numpy")
    messages = [bytes([i]) * 32 for i in range(16)]
    rows = [bytes(key.verifying_key) + message + key.sign(message) for message in messages]
    (tmp_path / "table").write_bytes(b"".join(rows))
    table = numpy.memmap(tmp_path / "table", dtype=numpy.uint8, mode="r", shape=(16, 128))
    assert ed25519.verify_columns(table[:, :32], table[:, 32:64], table[:, 64:]).all()
    with pytest.raises(BufferError):
        ed25519.verify_columns(table[:, :64:2], table[:, 32:64], table[:, 64:])


def test_arrays_of_objects_and_text_are_refused(key):
    numpy = pytest.importorskip("numpy")
    messages = numpy.array([b"one", b"two"], dtype=object)
    for call in (key.sign, lambda data: ed25519.verify_columns(key.verifying_key, data, bytes(128))):
        with pytest.raises(TypeError, match="tolist"):
            call(messages)
        with pytest.raises(TypeError, match="encode"):
            call(numpy.array(["one", "two"]))
    records = numpy.zeros(2, dtype=[("O", "u1", 4), ("value", "O")])
    with pytest.raises(TypeError, match="tolist"):
        key.sign(records)
    # A field may be called what it likes.
    assert key.sign(numpy.zeros(2, dtype=[("O", "u1", 4)])) == key.sign(bytes(8))
    signatures = ed25519.sign_many(key, messages.tolist())
    assert ed25519.verify_columns(key.verifying_key, messages.tolist(), signatures) == [True, True]


def test_keys_and_their_bytes_everywhere(key):
    public, message, signature = key.verifying_key, b"message", key.sign(b"message")
    for given in (public, bytes(public), bytearray(bytes(public)), memoryview(bytes(public))):
        ed25519.verify(given, message, signature)
        assert ed25519.explain(given, message, signature) is None
        assert ed25519.verify_many([(given, message, signature)]) == [True]
        ed25519.verify_batch([(given, message, signature)])
        assert ed25519.verify_columns(given, [message] * 3, [signature] * 3) == [True] * 3
        batch = ed25519.BatchVerifier()
        batch.add(given, message, signature)
        assert batch.verify() == [True]
    assert ed25519.verify_columns(public, [], []) == []
    for count in (2, 4):
        with pytest.raises(errors.LengthMismatch):
            ed25519.verify_columns([public] * count, [message] * 3, [signature] * 3)


def test_xmss_takes_bytes_and_objects_alike(signer):
    numpy = pytest.importorskip("numpy")
    public, messages = signer.verifying_key, [bytes([i]) * 32 for i in range(4)]
    signatures = [signer.sign(epoch, message) for epoch, message in enumerate(messages)]
    decoded = [xmss.Signature.from_bytes(SET, signature) for signature in signatures]
    wanted = [True] * 4
    for keys in (public, [public] * 4, [bytes(public)] * 4, bytes(public) * 4):
        for given in (signatures, decoded, b"".join(signatures)):
            assert xmss.verify_columns(keys, [0, 1, 2, 3], messages, given, parameter_set=SET) == wanted
    claims = [(bytes(public), epoch, message, signatures[epoch]) for epoch, message in enumerate(messages)]
    assert xmss.verify_many(claims, parameter_set=SET) == wanted
    # Bytes that are no key verify nothing, as bytes that are no signature do.
    assert xmss.verify_many([(b"\xff" * 52, *claims[0][1:]), claims[1]], parameter_set=SET) == [False, True]
    for call in (lambda: xmss.verify_many(claims), lambda: xmss.verify_columns(bytes(public), [0], messages[:1], signatures[:1])):
        with pytest.raises(TypeError, match="parameter_set"):
            call()
    rows = numpy.array([[epoch, *signature] for epoch, signature in enumerate(signatures)], dtype=numpy.uint8)
    table = numpy.zeros((4, 2), dtype=numpy.uint32)
    table[:, 1] = range(4)
    result = xmss.verify_columns(public, table[:, 1], messages, rows[:, 1:])
    assert isinstance(result, numpy.ndarray) and result.tolist() == wanted
    with pytest.raises(errors.LengthMismatch):
        xmss.verify_columns([public] * 3, [0, 1, 2, 3], messages, signatures)


def test_the_order_of_others_is_said(key):
    message, signature = b"a message of 22 bytes.", key.sign(b"a message of 22 bytes.")
    public = key.verifying_key
    calls = [
        lambda: public.verify(signature, message),
        lambda: ed25519.PreparedKey(public).verify(signature, message),
        lambda: ed25519.verify(public, signature, message),
    ]
    for call in calls:
        with pytest.raises(InvalidSignature, match="signature has 22 bytes, 64 wanted: the message comes before") as raised:
            call()
        assert (raised.value.got, raised.value.wanted) == (22, 64)
    with pytest.raises(InvalidSignature) as raised:
        public.verify(message, signature[:-1])
    assert str(raised.value) == "signature has 63 bytes, 64 wanted"


def test_one_base_for_what_does_not_verify(key, signer):
    """Whatever a forger sends raises `VerificationError`, or `DecodingError` before it comes to that."""
    from phalanx.ed25519 import minisign, sshsig

    public = key.verifying_key
    box = minisign.SignatureBox.sign(minisign.SecretKey(bytes(8), key), b"message")
    name = minisign.SecretKey(bytes(8), key).public_key
    ssh = sshsig.SshSignature.sign(key, "file", b"message")
    tree = rescue.MerkleTree("rpo-256", [bytes(32)] * 4)
    leaf, path = tree.open(1)
    commitment, data = ligerito.commit(bytes(4096))
    values, proof = data.open([[1] * 10])
    accepted = ligerito.Accepted.exactly("balanced", 10)
    calls = {
        "another message": lambda: public.verify(b"another", key.sign(b"message")),
        "no signature": lambda: public.verify(b"message", b""),
        "minisign": lambda: box.verify(name, b"another"),
        "ssh": lambda: ssh.verify(public, "file", b"another"),
        "allowed signers": lambda: sshsig.AllowedSigners("").verify("a", "file", 0, ssh, b"message"),
        "xmss": lambda: signer.verifying_key.verify(0, bytes(32), signer.sign(9, bytes(32))),
        "no signature of xmss": lambda: signer.verifying_key.verify(0, bytes(32), b"short"),
        "tree": lambda: rescue.MerkleTree.verify("rpo-256", tree.root, 2, 1, b"\1" + bytes(31), path),
        "path": lambda: rescue.MerkleTree.verify("rpo-256", tree.root, 2, 1, leaf, path[:1]),
        "proof": lambda: ligerito.verify(accepted, commitment, [([1] * 10, values[0] ^ 1)], proof),
        "no proof": lambda: ligerito.verify(accepted, commitment, [([1] * 10, values[0])], b""),
    }
    for what, call in calls.items():
        with pytest.raises(VerificationError):
            call()
            pytest.fail(what)
    decodings = {
        "key": lambda: ed25519.VerifyingKey(b"short"),
        "point": lambda: ed25519.VerifyingKey(b"\2" + bytes(31)),
        "file": lambda: ed25519.SigningKey.from_pkcs8_pem("nonsense"),
        "pair": lambda: ed25519.SigningKey.from_keypair_bytes(bytes(64)),
        "xmss": lambda: xmss.VerifyingKey.from_bytes(SET, b"short"),
        "digest": lambda: rescue.Function("rpo-256").merge(b"\xff" * 32, bytes(32)),
        "commitment": lambda: ligerito.Commitment.from_bytes(b""),
        "any": lambda: phalanx.load(b"nonsense"),
    }
    for what, call in decodings.items():
        with pytest.raises(DecodingError) as raised:
            call()
            pytest.fail(what)
        assert isinstance(raised.value, ValueError)


def test_seeds_are_no_text():
    for text in ("x" * 32, "0" * 64):
        with pytest.raises(TypeError):
            ed25519.SigningKey.from_seed(text)
        with pytest.raises(TypeError):
            ed25519.SigningKey.from_keypair_bytes(text)
        with pytest.raises(TypeError):
            xmss.SigningKey.generate(SET, 0, 256, seed=text)
        with pytest.raises(TypeError):
            xmss.KeyGeneration(SET, 0, 256, seed=text)


def test_load_knows_every_form(key, signer, tmp_path):
    from phalanx.ed25519 import minisign

    secret = minisign.SecretKey(b"12345678", key)
    files = [
        key.to_pkcs8_der(), key.to_pkcs8_pem(), key.to_pkcs8_v2_der(), key.to_pkcs8_v2_pem(), key.to_openssh("me"),
        key.to_jwk(), key.to_keypair_bytes(), secret.to_file(),
    ]  # fmt: skip
    for file in files:
        for data in {file, file.encode() if isinstance(file, str) else file}:
            found = phalanx.load(data)
            assert isinstance(found, ed25519.SigningKey) and found.to_seed() == key.to_seed()
    public = key.verifying_key
    for file in [public.to_spki_der(), public.to_spki_pem(), public.to_openssh(), public.to_jwk(), secret.public_key.to_file()]:
        assert phalanx.load(file) == public
    cheap = secret.to_encrypted_file("password", opslimit=32768, memlimit=1 << 21)
    found = phalanx.load(cheap, "password")
    assert isinstance(found, ed25519.SigningKey) and found.to_seed() == key.to_seed()
    with pytest.raises(errors.EncryptedKey):
        phalanx.load(cheap)
    with pytest.raises(errors.WrongPassword):
        phalanx.load(cheap, b"another")
    for file, seed in ENCRYPTED:
        for data in (file, file.encode()):
            found = phalanx.load(data, "correct horse")
            assert isinstance(found, ed25519.SigningKey) and found.to_seed().hex() == seed
        with pytest.raises(errors.EncryptedKey):
            phalanx.load(file)
        with pytest.raises(errors.WrongPassword):
            phalanx.load(file, "correct horsf")
    for raw in (bytes(32), key.to_hex(), bytes(public)):
        with pytest.raises(errors.InvalidKeyFormat, match="it can be several keys.*public key of ed25519.*secret key of ed25519"):
            phalanx.load(raw)
    with pytest.raises(errors.InvalidKeyFormat, match="it is a signature"):
        phalanx.load(signer.sign(77, bytes(32)))
    found = phalanx.load(signer.to_bytes(), parameter_set=SET)
    assert isinstance(found, xmss.SigningKey) and found.verifying_key == signer.verifying_key
    with pytest.raises(errors.InvalidKeyFormat, match="say parameter_set"):
        phalanx.load(bytes(signer.verifying_key))
    assert phalanx.load(bytes(signer.verifying_key), parameter_set=SET) == signer.verifying_key
    for nothing in (b"", "", b"certainly nothing", "{}", '{"crypto": {}}'):
        with pytest.raises((DecodingError, errors.EncryptedKey)):
            phalanx.load(nothing)


def test_threads_that_stay(key):
    claims = [(key.verifying_key, bytes([i]), key.sign(bytes([i]))) for i in range(64)]
    workers = phalanx.Threads(3)
    assert workers.count == 3 and repr(workers) == "Threads(3)" and phalanx.Threads().count >= 1
    for threads in (workers, workers, 0, 2):
        assert ed25519.verify_many(claims, threads=threads) == [True] * 64
    for wrong in ("2", 1.5, None):
        with pytest.raises(TypeError, match=r"phalanx\.Threads"):
            ed25519.verify_many(claims, threads=wrong)
    with pytest.raises(ValueError, match="1025 threads"):
        phalanx.Threads(1025)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads_after_a_fork(key):
    """The parent's threads are not in the child, which neither waits for them nor for their end."""
    claims = [(key.verifying_key, bytes([i]), key.sign(bytes([i]))) for i in range(64)]
    workers = phalanx.Threads(3)
    assert ed25519.verify_many(claims, threads=workers) == [True] * 64
    child = os.fork()
    if child == 0:
        good = ed25519.verify_many(claims, threads=workers) == [True] * 64
        del workers
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ed25519.verify_many(claims, threads=workers) == [True] * 64
