from collections.abc import Iterable
from typing import Literal, NoReturn, final

from typing_extensions import Buffer

from . import ed25519 as ed25519
from . import errors as errors
from . import keystore as keystore
from . import ligerito as ligerito
from . import rescue as rescue
from . import xmss as xmss
from .errors import InternalError as InternalError
from .errors import InvalidSignature as InvalidSignature
from .errors import Malformed as Malformed
from .errors import PhalanxError as PhalanxError
from .keystore import _Path, _Role
from .xmss import SigningKey, VerifyingKey, _Format

__all__ = [
    "GuardedKey",
    "InternalError",
    "InvalidSignature",
    "Ledger",
    "Malformed",
    "PhalanxError",
    "Standing",
    "__version__",
    "available_backends",
    "backend",
    "ed25519",
    "errors",
    "keystore",
    "ligerito",
    "rescue",
    "xmss",
]

__version__: str

def backend() -> str: ...
def available_backends() -> list[str]: ...

@final
class Ledger:
    def __new__(
        cls,
        path: _Path,
        *,
        witness: _Path | None = None,
        allow_file_systems: list[str] = ...,
        allow_unsynchronised_clock: bool = False,
        resume: Literal["burn-forward", "trust-store"] = "burn-forward",
        timeout: float = 2.0,
    ) -> Ledger: ...
    @staticmethod
    def create(
        path: _Path,
        *,
        witness: _Path | None = None,
        allow_file_systems: list[str] = ...,
        genesis_time: int | None = None,
        epoch_seconds: int | None = None,
        genesis_validators_root: Buffer | None = None,
        ahead: int = 4,
        behind: int = 64,
        max_gap: int = 262144,
    ) -> None: ...
    @property
    def ledger_id(self) -> bytes: ...
    @property
    def health(self) -> Literal["open", "poisoned", "forked", "fenced"]: ...
    def register(self, key: SigningKey, role: _Role, *, low: int = 0, strict: bool = False) -> None: ...
    def adopt(
        self, key: SigningKey, role: _Role, *, i_accept_epoch: int, reason: str, strict: bool = False
    ) -> None: ...
    def raise_low(self, key_id: Buffer, low: int, reason: str) -> None: ...
    def quarantine(self, key_id: Buffer, reason: str) -> None: ...
    def standing(self, key_id: Buffer) -> Standing: ...
    def close(self) -> None: ...
    def __enter__(self) -> Ledger: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Standing:
    @property
    def state(self) -> Literal["active", "quarantined", "retired"]: ...
    @property
    def role(self) -> str: ...
    @property
    def epochs(self) -> tuple[int, int]: ...
    @property
    def low(self) -> int: ...
    @property
    def high(self) -> int | None: ...
    @property
    def highest(self) -> int | None: ...
    @property
    def remaining(self) -> int: ...
    @property
    def is_strict(self) -> bool: ...

@final
class GuardedKey:
    def __new__(cls, ledger: Ledger, key: SigningKey) -> GuardedKey: ...
    def sign(self, epoch: int, message: Buffer, *, format: _Format = "ssz") -> bytes: ...
    def answer(self, epoch: int, message: Buffer, *, format: _Format = "ssz") -> tuple[bytes, bool]: ...
    @staticmethod
    def sign_many(
        wanted: Iterable[tuple[GuardedKey, int, Buffer]], *, threads: int = 1, format: _Format = "ssz"
    ) -> list[bytes | PhalanxError]: ...
    @property
    def verifying_key(self) -> VerifyingKey: ...
    @property
    def key_id(self) -> bytes: ...
    @property
    def prepared_interval(self) -> tuple[int, int]: ...
    def close(self) -> None: ...
    def __enter__(self) -> GuardedKey: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> NoReturn: ...
