"""Ed25519 keys in the shape of the package `cryptography`: a program changes one import, and signs and verifies here.

    from phalanx.ed25519.pyca import Ed25519PrivateKey, Ed25519PublicKey

The classes derive from those of `cryptography` (the extra `phalanx[cryptography]`), raise its exceptions and write what it
writes: what takes its keys takes these, certificates too. They verify by the profile `cofactorless`, which is OpenSSL's rule.
`verify_many` is what `cryptography` does not have: a result for each of many signatures, in SIMD lanes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from cryptography.exceptions import InvalidSignature as _InvalidSignature
from cryptography.hazmat.primitives import serialization as _serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as _PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey as _PublicKey

from .. import Threads
from ..errors import DecodingError, VerificationError
from . import SigningKey, VerifyingKey
from . import verify_many as _verify_many

_PROFILE: Literal["cofactorless"] = "cofactorless"


def _octets(data: Any) -> bytes:
    """A copy of a buffer's bytes. What is no buffer is a `TypeError`, numbers and text too."""
    return bytes(memoryview(data))


class Ed25519PublicKey(_PublicKey):
    """A public key."""

    __slots__ = ("_key",)

    def __init__(self, key: VerifyingKey) -> None:
        self._key = key

    @classmethod
    def from_public_bytes(cls, data: Any) -> Ed25519PublicKey:
        """Of 32 bytes. As with OpenSSL any will do: those that encode no point verify nothing."""
        octets = _octets(data)
        if len(octets) != 32:
            raise ValueError("An Ed25519 public key is 32 bytes long")
        try:
            return cls(VerifyingKey(octets))
        except DecodingError:
            return _NoPoint(octets)

    def public_bytes(
        self,
        encoding: _serialization.Encoding,
        format: _serialization.PublicFormat,
    ) -> bytes:
        """The key in a format, as `cryptography` writes it."""
        theirs = _PublicKey.from_public_bytes(self.public_bytes_raw())
        return theirs.public_bytes(encoding, format)

    def public_bytes_raw(self) -> bytes:
        """The 32 bytes."""
        return bytes(self._key)

    def verify(self, signature: Any, data: Any) -> None:
        """Raises `cryptography.exceptions.InvalidSignature` if the signature of `data` does not verify."""
        try:
            self._key.verify(data, signature, profile=_PROFILE)
        except VerificationError:
            raise _InvalidSignature from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _PublicKey):
            return NotImplemented
        return self.public_bytes_raw() == other.public_bytes_raw()

    def __hash__(self) -> int:
        return hash(self.public_bytes_raw())

    def __copy__(self) -> Ed25519PublicKey:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Ed25519PublicKey:
        return self


class _NoPoint(Ed25519PublicKey):
    """32 bytes that are no point of the curve, which OpenSSL takes for a key until it verifies."""

    __slots__ = ("_octets",)

    def __init__(self, octets: bytes) -> None:
        self._octets = octets

    def public_bytes_raw(self) -> bytes:
        return self._octets

    def verify(self, signature: Any, data: Any) -> None:
        _octets(signature), _octets(data)
        raise _InvalidSignature


class Ed25519PrivateKey(_PrivateKey):
    """A private key. Like those of `cryptography` it is wiped when it goes, and what it writes is not."""

    __slots__ = ("_key",)

    def __init__(self, key: SigningKey) -> None:
        self._key = key

    @classmethod
    def generate(cls) -> Ed25519PrivateKey:
        """A new key from the system's randomness."""
        return cls(SigningKey.generate())

    @classmethod
    def from_private_bytes(cls, data: Any) -> Ed25519PrivateKey:
        """Of a seed of 32 bytes."""
        if memoryview(data).nbytes != 32:
            raise ValueError("An Ed25519 private key is 32 bytes long")
        return cls(SigningKey.from_seed(data))

    def public_key(self) -> Ed25519PublicKey:
        """The public half."""
        return Ed25519PublicKey(self._key.verifying_key)

    def private_bytes(
        self,
        encoding: _serialization.Encoding,
        format: _serialization.PrivateFormat,
        encryption_algorithm: _serialization.KeySerializationEncryption,
    ) -> bytes:
        """The key in a format, as `cryptography` writes and encrypts it."""
        theirs = _PrivateKey.from_private_bytes(self._key.to_seed())
        return theirs.private_bytes(encoding, format, encryption_algorithm)

    def private_bytes_raw(self) -> bytes:
        """The seed of 32 bytes."""
        return self._key.to_seed()

    def sign(self, data: Any) -> bytes:
        """The signature of `data`, 64 bytes."""
        return self._key.sign(data)

    def __copy__(self) -> Ed25519PrivateKey:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Ed25519PrivateKey:
        return self


def adopt(key: Any) -> Any:
    """A key that `cryptography` loaded, as one of these; any other key, such as one of RSA, as it is."""
    if isinstance(key, (Ed25519PrivateKey, Ed25519PublicKey)):
        return key
    if isinstance(key, _PrivateKey):
        return Ed25519PrivateKey.from_private_bytes(key.private_bytes_raw())
    if isinstance(key, _PublicKey):
        return Ed25519PublicKey.from_public_bytes(key.public_bytes_raw())
    return key


def verify_many(
    signatures: Iterable[tuple[_PublicKey, Any, Any]], *, threads: int | Threads = 1
) -> list[bool]:
    """Whether each of many signatures verifies: triples of public key, signature and data, as `verify` takes them.

    `threads` as everywhere in phalanx: 0 is as many as the process may use.
    """
    claims = [(key.public_bytes_raw(), data, signature) for key, signature, data in signatures]
    return _verify_many(claims, profile=_PROFILE, threads=threads)
