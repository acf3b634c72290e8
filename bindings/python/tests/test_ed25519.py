"""Ed25519: the vectors of vectors/ed25519, key files, signature files, and what must not verify."""

import hashlib
import pickle
import random

import pytest
from conftest import load, unhex

from phalanx import InvalidSignature, ed25519, errors
from phalanx.ed25519 import minisign, sshsig

CORPORA = ["cctv", "wycheproof", "speccheck"]


@pytest.mark.parametrize("name", ["rfc8032", "sign_input"])
def test_signing(name):
    for case in load(f"ed25519/{name}.json")["cases"]:
        key = ed25519.SigningKey.from_seed(unhex(case["seed"]))
        message, signature = unhex(case["msg"]), unhex(case["sig"])
        assert bytes(key.verifying_key) == unhex(case["pk"])
        assert key.sign(message) == key.sign_checked(message) == signature, case["id"]
        assert key.sign(bytearray(message)) == key.sign(memoryview(message)) == signature
        for profile in ed25519.PROFILES:
            key.verifying_key.verify(message, signature, profile=profile)


def test_signing_with_noise():
    for case in load("ed25519/sign_noise.json")["cases"]:
        key = ed25519.SigningKey.from_seed(unhex(case["seed"]))
        message = unhex(case["msg"])
        assert key.sign(message) == unhex(case["sig_deterministic"])
        assert key.sign_with_noise(message, unhex(case["noise"])) == unhex(case["sig_noise"])


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("profile", ed25519.PROFILES)
def test_verdicts(name, profile):
    """Every way to ask gives the verdict of the vectors."""
    cases = load(f"ed25519/{name}.json")["cases"]
    claims = [(unhex(case["pk"]), unhex(case["msg"]), unhex(case["sig"])) for case in cases]
    wanted = [case["verdict"][profile] for case in cases]
    assert {True, False} == set(wanted)
    assert ed25519.verify_many(claims, profile=profile) == wanted
    assert ed25519.verify_many(claims, profile=profile, threads=3) == wanted
    assert ed25519.verify_columns(*zip(*claims), profile=profile) == wanted
    batch = ed25519.BatchVerifier(profile=profile)
    for claim, verdict in zip(claims, wanted):
        batch.add(*claim)
        reason = ed25519.explain(*claim, profile=profile)
        assert (reason is None) == verdict
        if not verdict:
            with pytest.raises(InvalidSignature):
                ed25519.verify(*claim, profile=profile)
            assert str(reason) and reason.name != "Reason"
    assert len(batch) == len(claims)
    assert batch.verify() == batch.verify(threads=2) == wanted
    batch.clear()
    assert batch.verify() == []


def test_batches():
    for batch in load("ed25519/batches.json")["batches"]:
        claims = [(unhex(e["pk"]), unhex(e["msg"]), unhex(e["sig"])) for e in batch["entries"]]
        for profile, bad in batch["bad"].items():
            verdicts = ed25519.verify_many(claims, profile=profile)
            assert [i for i, valid in enumerate(verdicts) if not valid] == bad, batch["id"]
            for deterministic in (False, True):
                judge = lambda: ed25519.verify_batch(claims, profile=profile, deterministic=deterministic)  # noqa: E731
                if batch["all_ok"][profile]:
                    judge()
                else:
                    with pytest.raises(InvalidSignature):
                        judge()


def test_key_files():
    vectors = load("ed25519/keys.json")
    for case in vectors["cases"]:
        key = ed25519.SigningKey.from_seed(unhex(case["seed"]))
        public = key.verifying_key
        assert key.to_seed() == unhex(case["seed"]) and public.to_bytes() == unhex(case["pk"])
        assert key.to_keypair_bytes() == unhex(case["seed"] + case["pk"])
        same = [
            ed25519.SigningKey.from_keypair_bytes(bytearray(key.to_keypair_bytes())),
            ed25519.SigningKey.from_hex(case["seed"]),
            ed25519.SigningKey.from_jwk(key.to_jwk()),
            ed25519.SigningKey.from_openssh(case["openssh_private"])[0],
            ed25519.SigningKey.from_openssh(key.to_openssh("a comment"))[0],
        ]
        for version in ("v1", "v2"):
            same.append(ed25519.SigningKey.from_pkcs8_der(unhex(case[f"pkcs8_{version}_der"])))
            same.append(ed25519.SigningKey.from_pkcs8_pem(case[f"pkcs8_{version}_pem"]))
            same.append(ed25519.SigningKey.from_pkcs8_pem(case[f"pkcs8_{version}_pem"].encode()))
        assert all(other.to_seed() == key.to_seed() for other in same)
        assert key.to_pkcs8_der() == unhex(case["pkcs8_v1_der"])
        assert key.to_pkcs8_v2_der() == unhex(case["pkcs8_v2_der"])
        assert key.to_pkcs8_pem().split() == case["pkcs8_v1_pem"].split()
        assert key.to_pkcs8_v2_pem().split() == case["pkcs8_v2_pem"].split()
        assert public.to_spki_der() == unhex(case["spki_der"])
        assert public.to_spki_pem().split() == case["spki_pem"].split()
        line, comment = ed25519.VerifyingKey.from_openssh(case["openssh_public"])
        assert line == public and line.to_openssh(comment).split() == case["openssh_public"].split()
        assert public == ed25519.VerifyingKey.from_spki_der(unhex(case["spki_der"]))
        assert public == ed25519.VerifyingKey.from_spki_pem(case["spki_pem"])
        assert public == ed25519.VerifyingKey.from_jwk(public.to_jwk())
        assert public == ed25519.VerifyingKey.from_hex(public.to_hex()) == ed25519.VerifyingKey(public.to_bytes())
        assert ed25519.detect(case["pkcs8_v1_pem"].encode()) == "pkcs8-pem"
        assert ed25519.detect(b"nothing") is None
    for case in vectors["reject"]:
        error = getattr(errors, case["error"])
        if case["id"].startswith("keypair"):
            reader, data = ed25519.SigningKey.from_keypair_bytes, case["keypair"]
        else:
            spki = case["id"].startswith("spki")
            reader, data = (ed25519.VerifyingKey.from_spki_der if spki else ed25519.SigningKey.from_pkcs8_der), case["der"]
        with pytest.raises(error):
            reader(unhex(data))


def test_contexts_and_prehash():
    key = ed25519.SigningKey.from_seed(b"\7" * 32)
    public, prepared = key.verifying_key, ed25519.PreparedKey(key.verifying_key)
    signature = key.sign_ctx(b"message", b"context")
    public.verify_ctx(b"message", b"context", signature)
    prepared.verify_ctx(b"message", b"context", signature)
    for message, context in [(b"message", b"other"), (b"other", b"context")]:
        for verify in (public.verify_ctx, prepared.verify_ctx):
            with pytest.raises(InvalidSignature):
                verify(message, context, signature)
    with pytest.raises(errors.ContextEmpty):
        key.sign_ctx(b"", b"")
    with pytest.raises(errors.ContextTooLong) as raised:
        key.sign_ph(b"", bytes(256))
    assert raised.value.got == 256 and isinstance(raised.value, ValueError)
    digest = hashlib.sha512(b"message").digest()
    signature = key.sign_ph(b"message", b"")
    assert signature == key.sign_prehashed(digest, b"")
    public.verify_ph(b"message", b"", signature)
    public.verify_prehashed(digest, b"", signature)
    prepared.verify_ph(b"message", b"", signature)
    with pytest.raises(InvalidSignature):
        public.verify(b"message", signature)
    prepared.verify(b"m", key.sign(b"m"))
    assert prepared.verifying_key == public


def test_many_forms():
    keys = [ed25519.SigningKey.generate() for _ in range(3)]
    messages = [bytes([i]) * 5 for i in range(20)]
    signers = [keys[i % 3] for i in range(20)]
    signatures = ed25519.sign_many(signers, messages, threads=2)
    assert signatures == [key.sign(message) for key, message in zip(signers, messages)]
    assert ed25519.sign_many(keys[0], messages) == [keys[0].sign(message) for message in messages]
    publics = [bytes(key.verifying_key) for key in signers]
    flat = [b"".join(column) for column in (publics, messages, signatures)]
    for columns in (flat, [bytearray(c) for c in flat], [publics, flat[1], memoryview(flat[2])]):
        assert ed25519.verify_columns(*columns) == [True] * 20
    damaged = bytearray(flat[2])
    damaged[64 * 7] ^= 1
    assert [i for i, ok in enumerate(ed25519.verify_columns(flat[0], flat[1], damaged)) if not ok] == [7]
    assert ed25519.verify_many([]) == ed25519.verify_columns([], [], []) == ed25519.verify_columns(b"", b"", b"") == []
    with pytest.raises(errors.LengthMismatch):
        ed25519.verify_columns(publics, messages[:-1], signatures)
    with pytest.raises(errors.LengthMismatch):
        ed25519.sign_many(keys, messages)
    for wrong in ([(b"", b"")], [b"abc"], [(b"", b"", b"", b"")], [("", b"", b"")], 7, [None]):
        with pytest.raises(TypeError):
            ed25519.verify_many(wrong)
    # Lengths are judged, not refused.
    assert ed25519.verify_many([(b"", b"", b""), (publics[0], messages[0], signatures[0] + b"x")]) == [False, False]
    for call in (ed25519.verify_many, ed25519.verify_batch):
        with pytest.raises(ValueError, match="known are strict, zip215"):
            call([], profile="nonsense")
        with pytest.raises(ValueError, match="1025 threads"):
            call([], threads=1025)


def test_numpy_rows():
    numpy = pytest.importorskip("numpy")
    key = ed25519.SigningKey.generate()
    messages = numpy.arange(64, dtype=numpy.uint8).reshape(8, 8)
    signatures = numpy.array([list(key.sign(row.tobytes())) for row in messages], dtype=numpy.uint8)
    publics = numpy.frombuffer(bytes(key.verifying_key) * 8, dtype=numpy.uint8).reshape(8, 32)
    assert ed25519.verify_columns(publics, messages, signatures).tolist() == [True] * 8
    with pytest.raises(BufferError):
        ed25519.verify_columns(publics, messages.T, signatures)


def test_sshsig():
    key = ed25519.SigningKey.generate()
    for name in ("sha512", "sha256"):
        signature = sshsig.SshSignature.sign(key, "file", b"message", hash=name)
        again = sshsig.SshSignature.parse(signature.to_armored())
        assert again == signature and (again.namespace, again.hash) == ("file", name)
        assert again.public_key == key.verifying_key and len(again.signature) == 64
        again.verify(key.verifying_key, "file", b"message")
        again.check_novalidate("file", b"message")
        for namespace, message in [("git", b"message"), ("file", b"other")]:
            with pytest.raises(InvalidSignature):
                again.verify(key.verifying_key, namespace, message)
    with pytest.raises(InvalidSignature):
        again.verify(ed25519.SigningKey.generate().verifying_key, "file", b"message")
    allowed = sshsig.AllowedSigners(f'a@b namespaces="file" {key.verifying_key.to_openssh()}\n')
    allowed.verify("a@b", "file", 0, again, b"message")
    for args, reason in [(("c@d", "file", 0), "NotListed"), (("a@b", "git", 0), "InvalidSignature")]:
        with pytest.raises(errors.Refusal) as raised:
            allowed.verify(*args, again, b"message")
        assert raised.value.name == reason
    with pytest.raises(errors.InvalidKeyFormat):
        sshsig.SshSignature.parse("nonsense")


def test_minisign():
    secret = minisign.SecretKey(b"12345678", ed25519.SigningKey.from_seed(bytes(32)))
    public = minisign.PublicKey.parse(secret.public_key.to_file())
    assert public == secret.public_key == minisign.PublicKey.parse(public.to_base64()) and public.key_id == b"12345678"
    plain = secret.to_file()
    cheap = secret.to_encrypted_file(b"password", opslimit=32768, memlimit=1 << 21)
    assert not minisign.SecretKey.is_encrypted(plain) and minisign.SecretKey.is_encrypted(cheap)
    for again in (minisign.SecretKey.parse(plain), minisign.SecretKey.parse(cheap, "password")):
        assert again.public_key == public
    with pytest.raises(errors.EncryptedKey):
        minisign.SecretKey.parse(cheap)
    with pytest.raises(errors.WrongPassword):
        minisign.SecretKey.parse(cheap, b"another")
    box = minisign.SignatureBox.sign(secret, b"message", trusted_comment="trust me")
    again = minisign.SignatureBox.parse(box.to_file())
    assert again == box and again.is_prehashed and again.key_id == public.key_id
    assert again.verify(public, b"message") == "trust me" == again.unverified_trusted_comment
    with pytest.raises(errors.Refusal) as raised:
        again.verify(public, b"another")
    assert raised.value.name == "InvalidSignature"
    other = minisign.SecretKey.generate().public_key
    with pytest.raises(errors.Refusal) as raised:
        again.verify(other, b"message")
    assert raised.value.name == "KeyId"


def test_keys_show_and_pickle_what_is_public():
    seed = bytes(range(32))
    key = ed25519.SigningKey.from_seed(seed)
    assert seed.hex() not in repr(key) + str(key)
    for secret in (key, minisign.SecretKey(bytes(8), key)):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(secret)
        assert seed.hex() not in repr(secret)
    assert pickle.loads(pickle.dumps(key.verifying_key)) == key.verifying_key
    assert hash(key.verifying_key) == hash(ed25519.SigningKey.from_seed(seed).verifying_key)


def test_garbage():
    """Bytes from outside raise an error of phalanx, whatever they are."""
    rng = random.Random(6)
    readers = [
        ed25519.SigningKey.from_pkcs8_der, ed25519.SigningKey.from_pkcs8_pem, ed25519.SigningKey.from_openssh,
        ed25519.SigningKey.from_jwk, ed25519.SigningKey.from_hex, ed25519.SigningKey.from_keypair_bytes,
        ed25519.VerifyingKey, ed25519.VerifyingKey.from_spki_der, ed25519.VerifyingKey.from_spki_pem,
        ed25519.VerifyingKey.from_openssh, ed25519.VerifyingKey.from_jwk, ed25519.VerifyingKey.from_hex,
        sshsig.SshSignature.parse, minisign.PublicKey.parse, minisign.SecretKey.parse, minisign.SignatureBox.parse,
    ]  # fmt: skip
    key = ed25519.SigningKey.from_seed(bytes(32))
    good = [key.to_pkcs8_der(), key.to_pkcs8_pem().encode(), key.to_openssh().encode(), key.to_jwk().encode()]
    good += [sshsig.SshSignature.sign(key, "file", b"").to_armored().encode(), bytes(32), bytes(64), b""]
    for i in range(1000):
        data = bytearray(rng.choice(good)) if i % 2 else bytearray(rng.randbytes(rng.randrange(200)))
        for _ in range(rng.randrange(4)):
            if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        for reader in readers:
            try:
                reader(bytes(data))
            except (errors.PhalanxError, ValueError):
                pass
        assert ed25519.detect(data) is None or ed25519.detect(data)
