from os import PathLike
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from . import Threads, ed25519
from .errors import KeystoreError as KeystoreError
from .xmss import SigningKey

__all__ = ["Header", "KeystoreError", "inspect", "loads", "loads_ed25519", "read", "write"]

_Path: TypeAlias = str | PathLike[str]
_Role: TypeAlias = Literal["attester", "proposer", "aggregator", "builder", "consensus", "other"]

@final
class Header:
    """What a keystore says of its key, without its password: none of it is proved."""

    @property
    def scheme(self) -> str:
        """The parameter set, or another scheme's name."""
    @property
    def role(self) -> _Role | None:
        """What the key is for, where the file says it."""
    @property
    def description(self) -> str:
        """A text for people."""
    @property
    def epochs(self) -> tuple[int, int] | None:
        """First epoch, and first after the last, where the file says them."""
    @property
    def public_key(self) -> bytes:
        """The public key, in SSZ."""
    @property
    def key_id(self) -> bytes:
        """The name of the key."""
    @property
    def is_recovery_only(self) -> bool:
        """Whether nobody signs from the file."""
    @property
    def is_bound(self) -> bool:
        """Whether what it says is bound to its password."""
    @property
    def has_weak_kdf(self) -> bool:
        """Whether its password can be guessed cheaply."""

def read(
    path: _Path,
    password: str | Buffer,
    *,
    threads: int | Threads = ...,
    cache_trees: bool = False,
    accept_weak_kdf: bool = False,
    for_recovery: bool = False,
    accept_group_of_root: bool = False,
) -> SigningKey:
    """Reads the key in the keystore at `path`, which its owner alone may read (0600, one name). `password`
    is text or bytes. The key is computed from its secret, which takes the time of making it;
    `cache_trees` keeps the trees beside the file. What the key has signed is not in it: guard it by its
    ledger.

    Raises `KeystoreError`, whose `code` says why ("wrong_password", "weak_kdf", "header_changed",
    "insecure_file", ...). `accept_weak_kdf`: also files whose password can be guessed cheaply.
    `for_recovery`: also files from which nobody signs. `accept_group_of_root`: also files of root that
    their group may read."""
def loads(
    data: Buffer,
    password: str | Buffer,
    *,
    threads: int | Threads = ...,
    accept_weak_kdf: bool = False,
    for_recovery: bool = False,
) -> SigningKey:
    """As `read`, of the bytes of a keystore."""
def loads_ed25519(
    data: Buffer,
    password: str | Buffer,
    *,
    accept_weak_kdf: bool = False,
    for_recovery: bool = False,
) -> ed25519.SigningKey:
    """As `loads`, of a keystore of a key of Ed25519, which needs no ledger: nothing is computed."""
def inspect(path: _Path) -> Header:
    """What the keystore at `path` says of its key."""
def write(
    path: _Path,
    key: SigningKey,
    password: str | Buffer,
    *,
    role: _Role,
    seed: Buffer | None = None,
    description: str = "",
    kdf: Literal["argon2id", "scrypt"] = "argon2id",
) -> None:
    """Writes `key` to a new keystore at `path`, where nothing may stand, in a folder for its owner alone.
    Register the key with its ledger before. `seed` is the 32 bytes that the key was made from; without it
    the expanded key is written, which only phalanx reads (a key over BLAKE2s has none, and wants its
    seed). `kdf` is "argon2id" or "scrypt": 256 MiB, and some time on purpose.

    Raises `KeystoreError`: "key_mismatch" if the seed is another key's, "exists", "insecure_file",
    "password_empty"."""
