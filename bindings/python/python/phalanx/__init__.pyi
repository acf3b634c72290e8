from collections.abc import Iterable
from typing import Literal, NoReturn, final

from typing_extensions import Buffer

from . import aggregate as aggregate
from . import bulk as bulk
from . import ed25519 as ed25519
from . import errors as errors
from . import keystore as keystore
from . import ligerito as ligerito
from . import rescue as rescue
from . import xmss as xmss
from .errors import DecodingError as DecodingError
from .errors import InternalError as InternalError
from .errors import InvalidSignature as InvalidSignature
from .errors import Malformed as Malformed
from .errors import PhalanxError as PhalanxError
from .errors import VerificationError as VerificationError
from .keystore import _Path, _Role
from .xmss import SigningKey, VerifyingKey, _Format

__all__ = [
    "DecodingError",
    "GuardedKey",
    "InternalError",
    "InvalidSignature",
    "Ledger",
    "Malformed",
    "PhalanxError",
    "Standing",
    "Threads",
    "VerificationError",
    "__version__",
    "aggregate",
    "available_backends",
    "backend",
    "bulk",
    "ed25519",
    "errors",
    "keystore",
    "ligerito",
    "load",
    "rescue",
    "xmss",
]

__version__: str

def backend() -> str:
    """The kernels that are chosen on this machine: "portable", "avx2", "avx512", ..."""
def available_backends() -> list[str]:
    """The names of all kernels that this machine can run."""
def load(
    data: str | Buffer,
    password: str | Buffer | None = None,
    *,
    parameter_set: xmss.ParameterSet | str | None = None,
    threads: int | Threads = ...,
) -> ed25519.SigningKey | ed25519.VerifyingKey | xmss.SigningKey | xmss.VerifyingKey:
    """Reads a key, whatever form it is in: Ed25519 in PEM, DER, OpenSSH's files, JWK or minisign's files,
    encrypted or not; XMSS in SSZ, bincode or JSON; a keystore. Gives the signing or verifying key of the
    scheme. `data` is the file's bytes or text; a password is for the forms that have one, `threads` for
    keystores, whose keys are computed.

    32 bytes, or 64 digits, are a seed as well as a public key, and are refused: `SigningKey.from_seed`,
    `VerifyingKey`. Where a key of XMSS fits several parameter sets, `parameter_set` says which; bytes
    that are a key in SSZ and another in bincode are the one in SSZ (`from_bytes` takes the format). What
    a key of XMSS has signed is not in its file: see `Ledger`.

    Raises `DecodingError` for bytes that are no key, or keys of several kinds; `EncryptedKey`,
    `WrongPassword`, `KeystoreError`."""

@final
class Threads:
    """Threads that stay between calls: `threads=workers` in place of a number. A number starts threads for
    its call and ends them, which takes up to a hundred microseconds for each; these are started once, by
    the first call that needs them, and end with this object. `count` includes the calling thread; 0
    stands for as many as the system can run. Several Python threads may use them at a time. After a fork
    the child starts its own."""

    def __new__(cls, count: int = 0) -> Threads: ...
    @property
    def count(self) -> int:
        """How many threads work on a call, the calling one included."""

@final
class Ledger:
    """A ledger of used epochs in the folder `path`, opened for this process alone: a store and a side log
    that must agree. Raises `LedgerError` if they do not, or another process has it open. Usable by
    several threads, and as a context manager; see `close`.

    `witness`: the folder of the side log, best on another disk; by default in the user's state folder,
    where the command line has it. `allow_file_systems`: of "9p", "afs", "ceph", "fuse", "overlay", on
    which flushes and locks are not the disk's. `allow_unsynchronised_clock`: open a ledger with a clock
    although the system says that nobody keeps it right. `resume`: with a clock, "burn-forward" closes the
    epochs that can have been signed by now; "trust-store" closes none, and raises unless the last process
    stopped cleanly. `timeout`: how many seconds a call waits for the disk."""

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
    ) -> None:
        """Makes an empty ledger in the folder `path`, once in the life of a set of keys: a program that
        makes one wherever it finds none begins anew after a loss. Raises `LedgerError` ("exists").

        With `genesis_time` (Unix seconds of epoch 0) and `epoch_seconds` it has a clock: epochs more than
        `ahead` before it or `behind` after it are refused. A key passes over `max_gap` epochs at most."""
    @property
    def ledger_id(self) -> bytes:
        """The name of the ledger, 16 bytes."""
    @property
    def health(self) -> Literal["open", "poisoned", "forked", "fenced"]:
        """"open"; "poisoned" after a fault of the storage: nothing is signed until the ledger was closed and
        opened anew; "forked" in a fork of the process that opened it; "fenced" while another signer holds
        its lease."""
    def register(self, key: SigningKey, role: _Role, *, low: int = 0, strict: bool = False) -> None:
        """Registers a key that has just been made, durably: before it is written anywhere. Nothing below
        `low` is ever signed; with `strict` the key signs only forward. A key that the ledger knows stays
        as it is. Raises `LedgerError` ("same_one_time_keys") if it knows another key of the same seed."""
    def adopt(
        self, key: SigningKey, role: _Role, *, i_accept_epoch: int, reason: str, strict: bool = False
    ) -> None:
        """An operator answers for a key that has been elsewhere, or is quarantined: it has signed nothing
        from `i_accept_epoch` on, and signs nothing below. The reason is written down. Nothing lowers a
        watermark."""
    def raise_low(self, key_id: Buffer, low: int, reason: str) -> None:
        """Nothing new below `low` is signed any more. Nothing lowers it again. The reason is written down."""
    def quarantine(self, key_id: Buffer, reason: str) -> None:
        """The key signs nothing until it was adopted. The reason is written down."""
    def standing(self, key_id: Buffer) -> Standing:
        """Where a key stands. Raises `LedgerError` ("unknown_key")."""
    def close(self) -> None:
        """Lets go of the ledger, which is closed, and its lock released, when the keys that it guards were
        closed, too."""
    def __enter__(self) -> Ledger: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Standing:
    """Where a key stands in a ledger."""

    @property
    def state(self) -> Literal["active", "quarantined", "retired"]:
        """"active", "quarantined" or "retired"."""
    @property
    def role(self) -> str:
        """What the key is for."""
    @property
    def epochs(self) -> tuple[int, int]:
        """Its first epoch, and the first after its last."""
    @property
    def low(self) -> int:
        """Nothing new below this is signed."""
    @property
    def high(self) -> int | None:
        """Nothing new from here on, if there is such a bound."""
    @property
    def highest(self) -> int | None:
        """The greatest epoch ever reserved."""
    @property
    def remaining(self) -> int:
        """How many epochs are left."""
    @property
    def is_strict(self) -> bool:
        """Whether the key signs only forward."""

@final
class GuardedKey:
    """An XMSS key and the ledger that every signature of it goes through. Takes `key` over, which signs by
    itself no more; if the ledger does not know it (`LedgerError`, "no_state"), the key is still there.
    Usable by several threads, and as a context manager."""

    def __new__(cls, ledger: Ledger, key: SigningKey) -> GuardedKey: ...
    def sign(self, epoch: int, message: Buffer, *, format: _Format = "ssz") -> bytes:
        """Signs `message` (32 bytes) at `epoch`, if the ledger gives the epoch to it: when this returns,
        both are on the disk. The same message again gives the identical signature. Raises `Refused`,
        whose `code` says why ("epoch_used", "passed", "forked", "unavailable", ...) and whose `is_final`
        whether to ask again is pointless."""
    def answer(self, epoch: int, message: Buffer, *, format: _Format = "ssz") -> tuple[bytes, bool]:
        """As `sign`, and says whether the signature was given before."""
    @staticmethod
    def sign_many(
        wanted: Iterable[tuple[GuardedKey, int, Buffer]], *, threads: int | Threads = ..., format: _Format = "ssz"
    ) -> list[bytes | PhalanxError]:
        """Signs many: of (key, epoch, message) each, whose epochs are made durable together where the keys
        are of one ledger. Returns a list with a signature for each, or the exception that `sign` would
        have raised."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The key that verifies what this one signs."""
    @property
    def key_id(self) -> bytes:
        """The name of the key, 32 bytes."""
    @property
    def prepared_interval(self) -> tuple[int, int]:
        """First epoch that the key can sign without computing a bottom tree, and the first after the last."""
    def close(self) -> None:
        """Lets go of the key, which is wiped, and of its ledger."""
    def __enter__(self) -> GuardedKey: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> NoReturn: ...
