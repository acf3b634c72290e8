from os import PathLike
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from .errors import KeystoreError as KeystoreError
from .xmss import SigningKey

__all__ = ["Header", "KeystoreError", "inspect", "loads", "read", "write"]

_Path: TypeAlias = str | PathLike[str]
_Role: TypeAlias = Literal["attester", "proposer", "aggregator", "builder", "consensus", "other"]

@final
class Header:
    @property
    def scheme(self) -> str: ...
    @property
    def role(self) -> _Role | None: ...
    @property
    def description(self) -> str: ...
    @property
    def epochs(self) -> tuple[int, int] | None: ...
    @property
    def public_key(self) -> bytes: ...
    @property
    def key_id(self) -> bytes: ...
    @property
    def is_recovery_only(self) -> bool: ...
    @property
    def is_bound(self) -> bool: ...
    @property
    def has_weak_kdf(self) -> bool: ...

def read(
    path: _Path,
    password: str | Buffer,
    *,
    threads: int = 1,
    cache_trees: bool = False,
    accept_weak_kdf: bool = False,
    for_recovery: bool = False,
    accept_group_of_root: bool = False,
) -> SigningKey: ...
def loads(
    data: Buffer,
    password: str | Buffer,
    *,
    threads: int = 1,
    accept_weak_kdf: bool = False,
    for_recovery: bool = False,
) -> SigningKey: ...
def inspect(path: _Path) -> Header: ...
def write(
    path: _Path,
    key: SigningKey,
    password: str | Buffer,
    *,
    role: _Role,
    seed: Buffer | None = None,
    description: str = "",
    kdf: Literal["argon2id", "scrypt"] = "argon2id",
) -> None: ...
