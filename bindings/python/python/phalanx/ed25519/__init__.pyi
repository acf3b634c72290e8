from collections.abc import Iterable, Sequence
from typing import Any, Literal, NoReturn, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, TypeAlias

from .. import Threads
from ..errors import ContextEmpty as ContextEmpty
from ..errors import ContextTooLong as ContextTooLong
from ..errors import EncryptedKey as EncryptedKey
from ..errors import InvalidKeyFormat as InvalidKeyFormat
from ..errors import InvalidLength as InvalidLength
from ..errors import InvalidPublicKey as InvalidPublicKey
from ..errors import InvalidSignature as InvalidSignature
from ..errors import KeyMismatch as KeyMismatch
from ..errors import LengthMismatch as LengthMismatch
from ..errors import RngFailed as RngFailed
from ..errors import SelfCheckFailed as SelfCheckFailed
from ..errors import WrongPassword as WrongPassword
from . import minisign as minisign
from . import sshsig as sshsig

__all__ = [
    "PROFILES",
    "BatchVerifier",
    "ContextEmpty",
    "ContextTooLong",
    "EncryptedKey",
    "InvalidKeyFormat",
    "InvalidLength",
    "InvalidPublicKey",
    "InvalidSignature",
    "KeyMismatch",
    "LengthMismatch",
    "PreparedKey",
    "Reason",
    "RngFailed",
    "SelfCheckFailed",
    "SigningKey",
    "VerifyingKey",
    "WrongPassword",
    "detect",
    "explain",
    "minisign",
    "sign_many",
    "sshsig",
    "verify",
    "verify_batch",
    "verify_columns",
    "verify_many",
]

_Profile: TypeAlias = Literal["strict", "zip215", "rfc8032", "cofactorless", "zig-std"]
_Claims: TypeAlias = Iterable[tuple[VerifyingKey | Buffer, Buffer, Buffer]]
_Column: TypeAlias = Buffer | Sequence[Buffer]
_Keys: TypeAlias = VerifyingKey | Buffer | Sequence[VerifyingKey | Buffer]
_Rows: TypeAlias = npt.NDArray[Any]

PROFILES: tuple[str, ...]

@final
class SigningKey:
    """A secret key with the public key that belongs to it. It is not shown, not pickled, and wiped when the
    object goes."""

    @staticmethod
    def from_seed(seed: Buffer) -> SigningKey:
        """The key of a seed of 32 bytes (the "private key" of RFC 8032)."""
    @staticmethod
    def generate() -> SigningKey:
        """A new key from the system's randomness."""
    @staticmethod
    def from_keypair_bytes(data: Buffer) -> SigningKey:
        """Of 64 bytes: seed, then public key, which must be the seed's. Raises `KeyMismatch`."""
    @staticmethod
    def from_hex(text: str | Buffer) -> SigningKey:
        """Of 64 hexadecimal digits (the seed) or 128 (seed, then public key)."""
    @staticmethod
    def from_pkcs8_der(data: Buffer) -> SigningKey:
        """Reads PKCS#8, DER, version 1 or 2."""
    @staticmethod
    def from_pkcs8_pem(text: str | Buffer) -> SigningKey:
        """Reads PKCS#8, PEM. Raises `EncryptedKey` for a file under a passphrase."""
    @staticmethod
    def from_openssh(text: str | Buffer) -> tuple[SigningKey, str]:
        """Reads OpenSSH's private file: the key and its comment."""
    @staticmethod
    def from_jwk(text: str | Buffer) -> SigningKey:
        """Reads a private JSON Web Key."""
    def to_seed(self) -> bytes:
        """The seed. Python cannot wipe the `bytes` that this and the other `to_` methods return."""
    def to_keypair_bytes(self) -> bytes:
        """Seed, then public key."""
    def to_hex(self) -> str:
        """The seed in hexadecimal digits."""
    def to_pkcs8_der(self) -> bytes:
        """PKCS#8 version 1, DER."""
    def to_pkcs8_pem(self) -> str:
        """PKCS#8 version 1, PEM."""
    def to_pkcs8_v2_der(self) -> bytes:
        """PKCS#8 version 2, with the public key, DER."""
    def to_pkcs8_v2_pem(self) -> str:
        """PKCS#8 version 2, with the public key, PEM."""
    def to_openssh(self, comment: str = "") -> str:
        """OpenSSH's private file, without a passphrase."""
    def to_jwk(self) -> str:
        """A private JSON Web Key."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The public half."""
    def sign(self, message: Buffer) -> bytes:
        """Signs: 64 bytes, deterministic, RFC 8032 Ed25519."""
    def sign_with_noise(self, message: Buffer, noise: Buffer) -> bytes:
        """Signs with 32 bytes of noise hashed in before the prefix, as Zig's standard library does."""
    def sign_checked(self, message: Buffer) -> bytes:
        """Signs, and verifies the signature before it is released. Raises `SelfCheckFailed`."""
    def sign_ctx(self, message: Buffer, context: Buffer) -> bytes:
        """Ed25519ctx: `context` is 1 to 255 bytes. Raises `ContextEmpty` or `ContextTooLong`."""
    def sign_ph(self, message: Buffer, context: Buffer) -> bytes:
        """Ed25519ph: signs the SHA-512 digest of the message; `context` is 0 to 255 bytes. Raises
        `ContextTooLong`."""
    def sign_prehashed(self, digest: Buffer, context: Buffer) -> bytes:
        """`sign_ph` of a message whose SHA-512 digest is known."""
    def __reduce__(self) -> NoReturn: ...

@final
class VerifyingKey:
    """A public key. Any encoding that some profile accepts makes one; what a profile refuses, it refuses at
    verification."""

    def __new__(cls, data: Buffer) -> VerifyingKey: ...
    @staticmethod
    def from_hex(text: str | Buffer) -> VerifyingKey:
        """Of 64 hexadecimal digits."""
    @staticmethod
    def from_spki_der(data: Buffer) -> VerifyingKey:
        """Reads SubjectPublicKeyInfo, DER."""
    @staticmethod
    def from_spki_pem(text: str | Buffer) -> VerifyingKey:
        """Reads SubjectPublicKeyInfo, PEM."""
    @staticmethod
    def from_openssh(line: str | Buffer) -> tuple[VerifyingKey, str]:
        """Reads OpenSSH's public line: the key and its comment."""
    @staticmethod
    def from_jwk(text: str | Buffer) -> VerifyingKey:
        """Reads a public JSON Web Key."""
    def to_bytes(self) -> bytes:
        """The 32 bytes, as they came."""
    def to_hex(self) -> str:
        """The 32 bytes in hexadecimal digits."""
    def to_spki_der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""
    def to_spki_pem(self) -> str:
        """SubjectPublicKeyInfo, PEM."""
    def to_openssh(self, comment: str = "") -> str:
        """OpenSSH's public line."""
    def to_jwk(self) -> str:
        """A public JSON Web Key."""
    @property
    def is_canonical(self) -> bool:
        """Whether the bytes are the canonical encoding of the point."""
    @property
    def is_weak(self) -> bool:
        """Whether the point has small order: anyone can make signatures under such a key."""
    @property
    def is_torsion_free(self) -> bool:
        """Whether the point lies in the subgroup of prime order: no part of order 2, 4 or 8. Costs a
        verification."""
    def verify(self, message: Buffer, signature: Buffer, *, profile: _Profile = "strict") -> None:
        """Verifies a signature of 64 bytes. Raises `InvalidSignature`."""
    def verify_ctx(
        self, message: Buffer, context: Buffer, signature: Buffer, *, profile: _Profile = "strict"
    ) -> None:
        """Verifies an Ed25519ctx signature; `context` is 1 to 255 bytes. Raises `InvalidSignature`."""
    def verify_ph(
        self, message: Buffer, context: Buffer, signature: Buffer, *, profile: _Profile = "strict"
    ) -> None:
        """Verifies an Ed25519ph signature; `context` is 0 to 255 bytes. Raises `InvalidSignature`."""
    def verify_prehashed(
        self, digest: Buffer, context: Buffer, signature: Buffer, *, profile: _Profile = "strict"
    ) -> None:
        """`verify_ph` of a message whose SHA-512 digest is known."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[bytes]: ...

@final
class PreparedKey:
    """A public key with tables of its multiples, for a signer seen often: each verification takes about half
    the time."""

    def __new__(cls, key: VerifyingKey) -> PreparedKey: ...
    @property
    def verifying_key(self) -> VerifyingKey:
        """The key without its tables."""
    def verify(self, message: Buffer, signature: Buffer, *, profile: _Profile = "strict") -> None:
        """As `VerifyingKey.verify`."""
    def verify_ctx(
        self, message: Buffer, context: Buffer, signature: Buffer, *, profile: _Profile = "strict"
    ) -> None:
        """As `VerifyingKey.verify_ctx`."""
    def verify_ph(
        self, message: Buffer, context: Buffer, signature: Buffer, *, profile: _Profile = "strict"
    ) -> None:
        """As `VerifyingKey.verify_ph`."""

@final
class BatchVerifier:
    """Collects signatures and verifies them together; every entry has a result of its own."""

    def __new__(cls, *, profile: _Profile = "zip215", deterministic: bool = False) -> BatchVerifier: ...
    def add(self, public_key: VerifyingKey | Buffer, message: Buffer, signature: Buffer) -> None:
        """Adds an entry, which keeps 200 bytes of it. Key and signature of a wrong length make it invalid."""
    def verify(self, *, threads: int | Threads = ...) -> list[bool]:
        """Verifies all entries: a list of bool, in the order of adding. The entries stay."""
    def clear(self) -> None:
        """Forgets all entries."""
    def __len__(self) -> int: ...

@final
class Reason:
    """Why a signature does not verify: the first check of the profile that fails."""

    @property
    def name(self) -> str:
        """The name of the check, such as "WeakPublicKey"."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def verify(public_key: VerifyingKey | Buffer, message: Buffer, signature: Buffer, *, profile: _Profile = "strict") -> None:
    """Verifies one signature given as bytes of any length, under a key or the bytes of one. Raises
    `InvalidSignature`."""
def explain(
    public_key: VerifyingKey | Buffer, message: Buffer, signature: Buffer, *, profile: _Profile = "strict"
) -> Reason | None:
    """Says which check a signature fails first, or `None` if it verifies."""
def detect(data: Buffer) -> str | None:
    """What kind of key or signature file `data` looks like: "pkcs8-pem", "openssh-private", ...; `None` if
    like none."""
def sign_many(
    keys: SigningKey | Iterable[SigningKey], messages: Iterable[Buffer], *, threads: int | Threads = ...
) -> list[bytes]:
    """Signs `messages[i]` with `keys[i]`, or with one key for all, side by side in lanes. Returns a list of
    bytes."""
def verify_many(claims: _Claims, *, profile: _Profile = "strict", threads: int | Threads = ...) -> list[bool]:
    """Verifies many signatures, given as tuples (public key, message, signature): a list of bool, each what
    `verify` would say. A public key is a `VerifyingKey` or its bytes."""
@overload
def verify_columns(  # type: ignore[overload-overlap]
    public_keys: _Rows,
    messages: _Column,
    signatures: _Column,
    *,
    profile: _Profile = "strict",
    threads: int | Threads = ...,
) -> npt.NDArray[np.bool_]:
    """`verify_many` of columns: public keys, messages and signatures, each a sequence of bytes or the rows
    of one buffer (keys of 32 bytes, signatures of 64, messages of an equal length), which may lie apart,
    as `table[:, :32]` does. One key is for all: a `VerifyingKey`, or 32 bytes. Returns a list of bool, or
    an array of numpy if any column is one."""
@overload
def verify_columns(  # type: ignore[overload-overlap]
    public_keys: _Keys,
    messages: _Rows,
    signatures: _Column,
    *,
    profile: _Profile = "strict",
    threads: int | Threads = ...,
) -> npt.NDArray[np.bool_]: ...
@overload
def verify_columns(  # type: ignore[overload-overlap]
    public_keys: _Keys,
    messages: _Column,
    signatures: _Rows,
    *,
    profile: _Profile = "strict",
    threads: int | Threads = ...,
) -> npt.NDArray[np.bool_]: ...
@overload
def verify_columns(
    public_keys: _Keys,
    messages: _Column,
    signatures: _Column,
    *,
    profile: _Profile = "strict",
    threads: int | Threads = ...,
) -> list[bool]: ...
def verify_batch(
    claims: _Claims, *, profile: _Profile = "zip215", threads: int | Threads = ..., deterministic: bool = False
) -> None:
    """Whether all signatures are valid, given as for `verify_many`; profiles "zip215" and "rfc8032" check
    one equation for many. Raises `InvalidSignature` if any is not."""
