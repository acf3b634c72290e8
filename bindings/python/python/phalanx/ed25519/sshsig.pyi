from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from ..errors import Refusal as Refusal
from . import SigningKey, VerifyingKey

__all__ = ["AllowedSigners", "Refusal", "SshSignature"]

_Profile: TypeAlias = Literal["strict", "zip215", "rfc8032", "cofactorless", "zig-std"]

@final
class SshSignature:
    @staticmethod
    def sign(
        key: SigningKey, namespace: str, message: Buffer, *, hash: Literal["sha512", "sha256"] = "sha512"
    ) -> SshSignature: ...
    @staticmethod
    def parse(text: str | Buffer) -> SshSignature: ...
    def to_armored(self) -> str: ...
    @property
    def public_key(self) -> VerifyingKey: ...
    @property
    def namespace(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def signature(self) -> bytes: ...
    def verify(
        self, key: VerifyingKey, namespace: str, message: Buffer, *, profile: _Profile = "strict"
    ) -> None: ...
    def check_novalidate(self, namespace: str, message: Buffer, *, profile: _Profile = "strict") -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class AllowedSigners:
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
    ) -> None: ...
