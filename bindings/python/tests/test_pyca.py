"""Keys in the shape of the package `cryptography`, beside its own: the same bytes, the same exceptions, either way round."""

import copy
import datetime
import json
import os
from pathlib import Path

import pytest

pytest.importorskip("cryptography")

from cryptography import x509  # noqa: E402
from cryptography.exceptions import InvalidSignature  # noqa: E402
from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ed25519 as theirs  # noqa: E402
from cryptography.x509.oid import NameOID  # noqa: E402

from phalanx.ed25519 import pyca  # noqa: E402

Encoding, Public, Private = serialization.Encoding, serialization.PublicFormat, serialization.PrivateFormat
VECTORS = Path(__file__).resolve().parents[3] / "vectors" / "ed25519"
SEED = bytes(range(32))


def pair(seed=SEED):
    return pyca.Ed25519PrivateKey.from_private_bytes(seed), theirs.Ed25519PrivateKey.from_private_bytes(seed)


def test_signatures_and_formats_are_theirs():
    for seed in [SEED, os.urandom(32)]:
        ours, other = pair(seed)
        for message in [b"", b"message", bytearray(b"a buffer"), os.urandom(1000)]:
            signature = ours.sign(message)
            assert signature == other.sign(message)
            other.public_key().verify(signature, message)
            ours.public_key().verify(bytearray(signature), message)
        plain = serialization.NoEncryption()
        for encoding, form in [
            (Encoding.Raw, Private.Raw),
            (Encoding.DER, Private.PKCS8),
            (Encoding.PEM, Private.PKCS8),
        ]:
            assert ours.private_bytes(encoding, form, plain) == other.private_bytes(encoding, form, plain)
        for encoding, form in [
            (Encoding.Raw, Public.Raw),
            (Encoding.DER, Public.SubjectPublicKeyInfo),
            (Encoding.PEM, Public.SubjectPublicKeyInfo),
            (Encoding.OpenSSH, Public.OpenSSH),
        ]:
            assert ours.public_key().public_bytes(encoding, form) == other.public_key().public_bytes(encoding, form)
        assert ours.private_bytes_raw() == other.private_bytes_raw() == seed
        assert ours.public_key() == other.public_key() and other.public_key() == pyca.adopt(other.public_key())


def test_refusals_are_theirs():
    ours, _ = pair()
    signature = ours.sign(b"message")
    for bad, message in [(signature, b"massage"), (signature[:-1], b"message"), (b"", b"message")]:
        with pytest.raises(InvalidSignature):
            ours.public_key().verify(bad, message)
    for length in [0, 31, 33]:
        with pytest.raises(ValueError):
            pyca.Ed25519PrivateKey.from_private_bytes(bytes(length))
        with pytest.raises(ValueError):
            pyca.Ed25519PublicKey.from_public_bytes(bytes(length))
    for wrong in [object(), 32, "0" * 32]:
        with pytest.raises(TypeError):
            pyca.Ed25519PrivateKey.from_private_bytes(wrong)
        with pytest.raises(TypeError):
            pyca.Ed25519PublicKey.from_public_bytes(wrong)
    with pytest.raises(ValueError):
        ours.private_bytes(Encoding.DER, Private.OpenSSH, serialization.NoEncryption())


def test_verdicts_are_openssls():
    """Every vector, strange ones too: its verdict here is that of OpenSSL in `cryptography`."""
    compared = rejected = 0
    triples, verdicts = [], []
    for path in sorted(VECTORS.glob("*.json")):
        for case in json.loads(path.read_text()).get("cases", []):
            try:
                key, message, signature = (bytes.fromhex(case[name]) for name in ("pk", "msg", "sig"))
            except (KeyError, TypeError, ValueError):
                continue
            if len(key) != 32:
                continue
            verdict = []
            for kind in (pyca, theirs):
                try:
                    kind.Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
                    verdict.append(True)
                except (InvalidSignature, ValueError):
                    verdict.append(False)
            assert verdict[0] == verdict[1], (path.name, case)
            compared += 1
            rejected += not verdict[0]
            triples.append((pyca.Ed25519PublicKey.from_public_bytes(key), signature, message))
            verdicts.append(verdict[0])
    assert compared > 500 and 50 < rejected < compared
    assert pyca.verify_many(triples) == verdicts
    assert pyca.verify_many(triples, threads=0) == verdicts
    assert pyca.verify_many([]) == []


def test_bytes_that_are_no_point_make_a_key_that_verifies_nothing():
    no_point = next(
        bytes([low]) + bytes(31)
        for low in range(2, 256)
        if type(pyca.Ed25519PublicKey.from_public_bytes(bytes([low]) + bytes(31))) is not pyca.Ed25519PublicKey
    )
    key = pyca.Ed25519PublicKey.from_public_bytes(no_point)
    assert key.public_bytes_raw() == no_point and key == copy.copy(key)
    with pytest.raises(InvalidSignature):
        key.verify(bytes(64), b"")
    assert pyca.verify_many([(key, bytes(64), b"")]) == [False]


def test_keys_go_there_and_back():
    ours, _ = pair()
    for encryption, password in [(serialization.NoEncryption(), None), (serialization.BestAvailableEncryption(b"p"), b"p")]:
        text = ours.private_bytes(Encoding.PEM, Private.PKCS8, encryption)
        back = pyca.adopt(serialization.load_pem_private_key(text, password))
        assert isinstance(back, pyca.Ed25519PrivateKey) and back.private_bytes_raw() == SEED
    assert pyca.adopt(ours) is ours and pyca.adopt(7) == 7
    assert len({ours.public_key(), copy.deepcopy(ours).public_key()}) == 1
    with pytest.raises(TypeError):
        _ = ours.public_key() < ours.public_key()


def test_certificates_are_signed():
    ours, _ = pair()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "phalanx")])
    day = datetime.datetime(2026, 1, 1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(ours.public_key())
        .serial_number(1)
        .not_valid_before(day)
        .not_valid_after(day + datetime.timedelta(days=1))
        .sign(ours, None)
    )
    ours.public_key().verify(certificate.signature, certificate.tbs_certificate_bytes)
