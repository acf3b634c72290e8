from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from ..errors import Refusal as Refusal
from . import SigningKey, VerifyingKey

__all__ = ["AllowedSigners", "Refusal", "SshSignature"]

_Profile: TypeAlias = Literal["strict", "zip215", "rfc8032", "cofactorless", "zig-std"]

@final
class SshSignature:
    """A signature with the key that made it, its namespace and its hash."""

    @staticmethod
    def sign(
        key: SigningKey, namespace: str, message: Buffer, *, hash: Literal["sha512", "sha256"] = "sha512"
    ) -> SshSignature:
        """Signs. The namespace says what the signature is for (`file`, `git`, an address of yours)."""
    @staticmethod
    def parse(text: str | Buffer) -> SshSignature:
        """Reads the armored file. Raises `InvalidKeyFormat`."""
    def to_armored(self) -> str:
        """The armored file, to the byte as ssh-keygen writes it."""
    @property
    def public_key(self) -> VerifyingKey:
        """The key inside the file, which anyone may have put there."""
    @property
    def namespace(self) -> str:
        """What the signature claims to be for."""
    @property
    def hash(self) -> str:
        """How the message was hashed: "sha512" or "sha256"."""
    @property
    def signature(self) -> bytes:
        """The Ed25519 signature."""
    def verify(
        self, key: VerifyingKey, namespace: str, message: Buffer, *, profile: _Profile = "strict"
    ) -> None:
        """Verifies that `key` signed `message` for `namespace`. Raises `InvalidSignature`."""
    def check_novalidate(self, namespace: str, message: Buffer, *, profile: _Profile = "strict") -> None:
        """Verifies that the key *inside the file* signed `message`, which says nothing about who that is."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class AllowedSigners:
    """The lines of an allowed signers file of OpenSSH: which key may sign for whom, for what, and when."""

    def __new__(cls, text: str | Buffer) -> AllowedSigners: ...
    def verify(
        self,
        identity: str,
        namespace: str,
        time: int,
        signature: SshSignature,
        message: Buffer,
        *,
        utc_offset: int = 0,
        profile: _Profile = "strict",
    ) -> None:
        """Verifies the signature and that a line allows its key to sign for `identity` at `time` (seconds
        since 1970, UTC; `utc_offset` is local time minus UTC, for lines whose times do not end in Z).
        Raises `Refusal`."""
