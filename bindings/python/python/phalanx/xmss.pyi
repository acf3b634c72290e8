from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NoReturn, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, TypeAlias

from . import Threads
from .errors import EncodingAttempts as EncodingAttempts
from .errors import EpochUsed as EpochUsed
from .errors import Exhausted as Exhausted
from .errors import Forked as Forked
from .errors import Interval as Interval
from .errors import InvalidSignature as InvalidSignature
from .errors import Malformed as Malformed
from .errors import NoEncoding as NoEncoding
from .errors import NotActive as NotActive
from .errors import NotPrepared as NotPrepared
from .errors import OtherInstance as OtherInstance
from .errors import Passed as Passed
from .errors import Unfinished as Unfinished
from .errors import VerificationOnly as VerificationOnly
from .errors import WrongTree as WrongTree

__all__ = [
    "EncodingAttempts",
    "EpochUsed",
    "Exhausted",
    "Forked",
    "Interval",
    "InvalidSignature",
    "KeyGeneration",
    "Malformed",
    "NextTree",
    "NoEncoding",
    "NotActive",
    "NotPrepared",
    "OtherInstance",
    "ParameterSet",
    "Passed",
    "Signature",
    "SigningKey",
    "Unfinished",
    "VerificationOnly",
    "VerifyingKey",
    "WrongTree",
    "verify_columns",
    "verify_many",
]

_Format: TypeAlias = Literal["ssz", "bincode", "bincode2", "json", "bincode-padded"]
_Set: TypeAlias = ParameterSet | str
_Rows: TypeAlias = npt.NDArray[Any]
_Progress: TypeAlias = Callable[[int, int], object]

@final
class ParameterSet:
    """A named, versioned choice of hash family, chains, encoding and lifetime, such as
    "xmss-poseidon2-l32-d64b8" or "xmss-blake2s-l32-d42b8"."""

    def __new__(cls, name: str) -> ParameterSet: ...
    @staticmethod
    def all() -> list[ParameterSet]:
        """All sets of this version."""
    @property
    def name(self) -> str:
        """The name, as it stands in files and errors."""
    @property
    def profile(self) -> str | None:
        """The name in leanSig's vector files; `None` for the sets over BLAKE2s, which are not in any."""
    @property
    def lifetime(self) -> int:
        """Number of epochs a key of this set could have."""
    @property
    def tree_leaves(self) -> int | None:
        """Leaves of one bottom tree: the unit in which keys are computed and advance. `None` for the sets
        over BLAKE2s, whose keys have exactly the epochs asked for, in trees of a size that depends on how
        many those are."""
    @property
    def chains(self) -> int:
        """Number of hash chains."""
    @property
    def base(self) -> int:
        """Number of positions of a chain."""
    @property
    def signs(self) -> bool:
        """Whether keys of the set are made and sign. Else the set is for verification only."""
    @property
    def is_insecure(self) -> bool:
        """Whether the set exists for tests only: signatures under it can be forged."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

@final
class VerifyingKey:
    """What verifies signatures."""

    @staticmethod
    def from_bytes(parameter_set: _Set, data: Buffer, *, format: _Format = "ssz") -> VerifyingKey:
        """The key of `parameter_set` that `data` holds. Raises `Malformed`."""
    def to_bytes(self, *, format: _Format = "ssz") -> bytes:
        """The key in `format`."""
    @property
    def parameter_set(self) -> ParameterSet:
        """The parameter set of the key."""
    @property
    def key_id(self) -> bytes:
        """The name of the one-time keys, 32 bytes, by which ledgers know the key: equal for all keys of one
        seed."""
    def verify(
        self, epoch: int, message: Buffer, signature: Buffer | Signature, *, format: _Format = "ssz"
    ) -> None:
        """Verifies that this key signed `message` (32 bytes) at `epoch`. Raises `InvalidSignature` if it did
        not; of which `MalformedSignature` is for bytes that are no signature of the key's parameter set."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Signature:
    """A signature, decoded: always of the right shape. Whether it verifies is another question."""

    @staticmethod
    def from_bytes(parameter_set: _Set, data: Buffer, *, format: _Format = "ssz") -> Signature:
        """The signature under `parameter_set` that `data` holds. Raises `Malformed`."""
    def to_bytes(self, *, format: _Format = "ssz") -> bytes:
        """The signature in `format`."""
    @property
    def parameter_set(self) -> ParameterSet:
        """The parameter set it was made or decoded for."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class SigningKey:
    """What signs: one message an epoch, for the epochs of its activation interval. It holds a secret: it is
    not shown, not pickled, not copied, and wiped when the object goes."""

    @staticmethod
    def generate(
        parameter_set: _Set,
        start: int,
        count: int,
        *,
        seed: Buffer | None = None,
        threads: int | Threads = ...,
        progress: _Progress | None = None,
    ) -> SigningKey:
        """Generates a key for `count` epochs from `start` on, rounded outwards to bottom trees, at least two
        (over BLAKE2s for exactly these). Without a `seed` of 32 bytes, from the system's randomness.
        `progress(done, total)` is called every 50 ms or so and may raise an exception to stop. `threads`
        = 0 takes as many as the system can run."""
    @staticmethod
    def from_bytes(parameter_set: _Set, data: Buffer, *, format: _Format = "ssz") -> SigningKey:
        """The key of `parameter_set` that `data` holds, secret part included, after checking all that can be
        checked. Raises `Malformed`."""
    def to_bytes(self, *, format: _Format = "ssz") -> bytes:
        """The key in `format`, secret part included. Python cannot wipe the `bytes` that this returns."""
    @property
    def parameter_set(self) -> ParameterSet:
        """The parameter set of the key."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The key that verifies what this one signs."""
    @property
    def activation_interval(self) -> tuple[int, int]:
        """First epoch that the key can ever sign, and the first after the last."""
    @property
    def prepared_interval(self) -> tuple[int, int]:
        """First epoch that the key can sign without computing a bottom tree, and the first after the last."""
    def sign(self, epoch: int, message: Buffer, *, format: _Format = "ssz") -> bytes:
        """For keys that must not sign an epoch twice across restarts: `phalanx.GuardedKey`. This forgets: it
        signs `message` (32 bytes) at `epoch`, noting it in a record that ends with the process. Moves the
        prepared interval on if it has to. Raises `NotActive`, `Exhausted`, `Passed`, `EpochUsed`,
        `OtherInstance` if another key of the same seed has signed, `Forked` in a fork of the process that
        loaded the key."""
    def advance(self) -> bool:
        """Moves the prepared interval on by one bottom tree, which is computed now. False at the end of the
        activation interval."""
    def next_tree(self) -> NextTree | None:
        """The bottom tree by which the prepared interval moves on, to be computed in another thread while
        this key goes on signing. `None` at the end of the activation interval."""
    def advance_with(self, tree: NextTree) -> None:
        """Moves the prepared interval on by a tree that was computed before, and takes it. Raises
        `Unfinished` or `WrongTree`; the key is then unchanged."""
    def __reduce__(self) -> NoReturn: ...

@final
class NextTree:
    """A bottom tree on its way to a key; see `SigningKey.next_tree`. Holds a copy of the key's secret."""

    @property
    def epochs(self) -> tuple[int, int] | None:
        """First epoch of the tree, and the first after it; `None` once a key has taken it."""
    def compute(self, *, threads: int | Threads = ..., progress: _Progress | None = None) -> None:
        """Computes the tree. `progress(done, total)` may raise an exception to stop."""
    def __reduce__(self) -> NoReturn: ...

@final
class KeyGeneration:
    """A key being generated: one bottom tree after another. The roots of finished trees can be kept
    elsewhere, and given back to a generation that has the same `commitment`."""

    def __new__(cls, parameter_set: _Set, start: int, count: int, *, seed: Buffer | None = None) -> KeyGeneration: ...
    @property
    def activation_interval(self) -> tuple[int, int]:
        """First epoch that the key will be able to sign, and the first after the last."""
    @property
    def trees(self) -> tuple[int, int]:
        """Index of the key's first bottom tree, and the first after its last."""
    @property
    def commitment(self) -> bytes:
        """32 bytes that tell generations of other secrets, sets or intervals apart, and reveal nothing of
        the secret."""
    @property
    def progress(self) -> tuple[int, int]:
        """Leaves computed, and leaves to compute in all."""
    def root(self, index: int) -> bytes | None:
        """The root of finished bottom tree `index`; `None` if it is not finished."""
    def compute_root(self, index: int, *, threads: int | Threads = ...) -> bytes:
        """Computes bottom tree `index` and returns its root, for `restore` of another generation of the same
        `commitment`; this one is as before. Raises `WrongTree`."""
    def restore(self, index: int, root: Buffer) -> None:
        """Takes the root of bottom tree `index` from an earlier run with the same `commitment`. Raises
        `WrongTree` or `Malformed`."""
    def step(self, *, threads: int | Threads = ..., progress: _Progress | None = None) -> int | None:
        """Computes the next missing bottom tree and returns its index, or `None` if all are done. An
        exception of `progress(done, total)` stops it; the step can be taken again."""
    def finish(self) -> SigningKey:
        """The key, once all steps are done; the generation is over then. Raises `Unfinished` if they are
        not."""
    def __reduce__(self) -> NoReturn: ...

def verify_many(
    claims: Iterable[tuple[VerifyingKey | Buffer, int, Buffer, Buffer | Signature]],
    *,
    parameter_set: _Set | None = None,
    format: _Format = "ssz",
    threads: int | Threads = ...,
) -> list[bool]:
    """Verifies many signatures, given as tuples (verifying key, epoch, message, signature), of any keys and
    parameter sets; a signature is bytes in `format`, or a `Signature`; a key a `VerifyingKey`, or bytes
    in `format` if `parameter_set` says of which. Returns a list of bool."""
@overload
def verify_columns(  # type: ignore[overload-overlap]
    keys: _Rows,
    epochs: Buffer | Sequence[int],
    messages: Buffer | Sequence[Buffer],
    signatures: Buffer | Sequence[Buffer | Signature],
    *,
    parameter_set: _Set | None = None,
    format: _Format = "ssz",
    threads: int | Threads = ...,
) -> npt.NDArray[np.bool_]:
    """`verify_many` of columns: keys, epochs (a sequence or an array of uint32), messages and signatures,
    each a sequence or the rows of one buffer, which may lie apart, as `table[:, :32]` does. One
    `VerifyingKey` is for all. Keys of bytes want their `parameter_set`. Returns a list of bool, or an
    array of numpy if keys, messages or signatures are one."""
@overload
def verify_columns(  # type: ignore[overload-overlap]
    keys: VerifyingKey | Buffer | Iterable[VerifyingKey | Buffer],
    epochs: Buffer | Sequence[int],
    messages: _Rows,
    signatures: Buffer | Sequence[Buffer | Signature],
    *,
    parameter_set: _Set | None = None,
    format: _Format = "ssz",
    threads: int | Threads = ...,
) -> npt.NDArray[np.bool_]: ...
@overload
def verify_columns(  # type: ignore[overload-overlap]
    keys: VerifyingKey | Buffer | Iterable[VerifyingKey | Buffer],
    epochs: Buffer | Sequence[int],
    messages: Buffer | Sequence[Buffer],
    signatures: _Rows,
    *,
    parameter_set: _Set | None = None,
    format: _Format = "ssz",
    threads: int | Threads = ...,
) -> npt.NDArray[np.bool_]: ...
@overload
def verify_columns(
    keys: VerifyingKey | Buffer | Iterable[VerifyingKey | Buffer],
    epochs: Buffer | Sequence[int],
    messages: Buffer | Sequence[Buffer],
    signatures: Buffer | Sequence[Buffer | Signature],
    *,
    parameter_set: _Set | None = None,
    format: _Format = "ssz",
    threads: int | Threads = ...,
) -> list[bool]: ...
