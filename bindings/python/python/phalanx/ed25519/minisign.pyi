from typing import Literal, NoReturn, final

from typing_extensions import Buffer, TypeAlias

from ..errors import Refusal as Refusal
from . import SigningKey, VerifyingKey

__all__ = ["PublicKey", "Refusal", "SecretKey", "SignatureBox"]

_Profile: TypeAlias = Literal["strict", "zip215", "rfc8032", "cofactorless", "zig-std"]

@final
class PublicKey:
    """A public key with its name."""

    def __new__(cls, key_id: Buffer, key: VerifyingKey) -> PublicKey: ...
    @staticmethod
    def parse(text: str | Buffer) -> PublicKey:
        """Reads a public key file, or only its second line."""
    def to_file(self) -> str:
        """The public key file."""
    def to_base64(self) -> str:
        """The key in one line, for `minisign -P`."""
    @property
    def key_id(self) -> bytes:
        """The name, 8 bytes."""
    @property
    def key(self) -> VerifyingKey:
        """The key."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class SecretKey:
    """A secret key with its name. It is not shown, not pickled, and wiped when the object goes."""

    def __new__(cls, key_id: Buffer, key: SigningKey) -> SecretKey: ...
    @staticmethod
    def generate() -> SecretKey:
        """A new key with a random name."""
    @staticmethod
    def parse(text: str | Buffer, password: str | Buffer | None = None) -> SecretKey:
        """Reads a secret key file; an encrypted one wants the password, and what its hash costs in time and
        memory (1 GiB at most) stands in the file. Raises `EncryptedKey`, `WrongPassword`,
        `InvalidKeyFormat`."""
    @staticmethod
    def is_encrypted(text: str | Buffer) -> bool:
        """Whether a secret key file wants a password."""
    def to_file(self, comment: str = "minisign secret key") -> str:
        """The secret key file without encryption. Python cannot wipe the text that this returns."""
    def to_encrypted_file(
        self,
        password: str | Buffer,
        *,
        comment: str = "minisign encrypted secret key",
        opslimit: int = 33554432,
        memlimit: int = 1073741824,
    ) -> str:
        """The secret key file under a password. The default costs what minisign's does: 1 GiB of memory, and
        seconds."""
    @property
    def public_key(self) -> PublicKey:
        """The public half."""
    def __reduce__(self) -> NoReturn: ...

@final
class SignatureBox:
    """A signature with its comments."""

    @staticmethod
    def sign(
        key: SecretKey,
        message: Buffer,
        *,
        untrusted_comment: str = "signature from a minisign secret key",
        trusted_comment: str = "",
    ) -> SignatureBox:
        """Signs a message, prehashed. The trusted comment is signed too, the untrusted one is not."""
    @staticmethod
    def parse(text: str | Buffer) -> SignatureBox:
        """Reads a signature file."""
    def to_file(self) -> str:
        """The signature file."""
    @property
    def key_id(self) -> bytes:
        """The name of the key that made it, as the file says."""
    @property
    def is_prehashed(self) -> bool:
        """Whether the message's hash is signed, and not the message."""
    @property
    def untrusted_comment(self) -> str:
        """The comment that nobody signed."""
    @property
    def unverified_trusted_comment(self) -> str:
        """The trusted comment before it has earned its name: `verify` gives it when it has."""
    def verify(self, key: PublicKey, message: Buffer, *, profile: _Profile = "strict") -> str:
        """Verifies the signatures of the message and of the trusted comment, which it returns. Raises
        `Refusal`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
