from collections.abc import Sequence
from typing import Any, TypeVar, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, TypeAlias

from . import Threads
from .errors import LeafCount as LeafCount
from .errors import LeafIndex as LeafIndex
from .errors import Length as Length
from .errors import Malformed as Malformed
from .errors import NoDomain as NoDomain
from .errors import PartialState as PartialState
from .errors import PathLength as PathLength
from .errors import UndefinedLength as UndefinedLength
from .errors import WrongRoot as WrongRoot

__all__ = [
    "MODULUS",
    "Function",
    "Hasher",
    "LeafCount",
    "LeafIndex",
    "Length",
    "Malformed",
    "MerkleTree",
    "NoDomain",
    "PartialState",
    "PathLength",
    "UndefinedLength",
    "WrongRoot",
    "digest_elements",
    "digest_from_bytes_lenient",
    "digest_from_elements",
]

_Words: TypeAlias = Buffer | list[int] | tuple[int, ...]
_Digests: TypeAlias = Buffer | list[Buffer] | tuple[Buffer, ...] | list[bytes]
_Array: TypeAlias = npt.NDArray[np.uint64]
_Out = TypeVar("_Out", bound=Buffer)

MODULUS: int

def digest_elements(digest: Buffer) -> tuple[int, int, int, int]:
    """The four elements of a digest."""
def digest_from_elements(elements: _Words) -> bytes:
    """The digest of four elements, reduced modulo p."""
def digest_from_bytes_lenient(data: Buffer) -> bytes:
    """The digest that any 32 bytes stand for, each element reduced modulo p as the reference does: two
    inputs may give one."""

@final
class Function:
    """A hash function over Goldilocks elements and over bytes: "rescue-rp64-256", "rescue-jive-256",
    "rpo-256" or "rpx-256". Elements are integers below 2^64, taken modulo p; a digest is 32 bytes."""

    def __new__(cls, name: str) -> Function: ...
    @staticmethod
    def all() -> list[Function]:
        """All four."""
    @property
    def name(self) -> str:
        """The name, as on the command line and in files."""
    @property
    def width(self) -> int:
        """Words in a state of the permutation."""
    @overload
    def permute(self, states: _Words, *, out: _Out, threads: int | Threads = ...) -> _Out:
        """Permutes the states that stand one after the other in `states`. An array of numpy gives a new one
        of the same shape, anything else a list of int; or `out`, a writable array of uint64 that may be
        `states` itself, is filled and returned. Raises `PartialState`."""
    @overload
    def permute(self, states: _Array, *, out: None = None, threads: int | Threads = ...) -> _Array: ...  # type: ignore[overload-overlap]
    @overload
    def permute(self, states: _Words, *, out: None = None, threads: int | Threads = ...) -> list[int]: ...
    @overload
    def permute_secret(self, states: _Words, *, out: _Out) -> _Out:
        """`permute` for secret states: in constant time, and slower. What comes out is the caller's to wipe."""
    @overload
    def permute_secret(self, states: _Array, *, out: None = None) -> _Array: ...  # type: ignore[overload-overlap]
    @overload
    def permute_secret(self, states: _Words, *, out: None = None) -> list[int]: ...
    def hash_elements(self, elements: _Words) -> bytes:
        """Hashes elements. By the references' rules a digest of elements can also be one of bytes (Rp64_256
        and Jive) or of a merge (all but Jive): use one form in one domain."""
    def hash_elements_in_domain(self, elements: _Words, domain: int) -> bytes:
        """Hashes elements in a domain. Raises `NoDomain` unless the function is RPO or RPX."""
    def hash_elements_secret(self, elements: _Words) -> bytes:
        """Hashes secret elements: in constant time, and slower."""
    def hash(self, data: Buffer) -> bytes:
        """Hashes bytes as the reference does. Raises `UndefinedLength` where it has no answer: Rp64_256,
        above 56 bytes, no multiple of 7."""
    def hash_secret(self, data: Buffer) -> bytes:
        """Hashes secret bytes: in constant time, and slower. Their number is no secret."""
    def hash_padded(self, data: Buffer) -> bytes:
        """Hashes bytes of any length with the terminator at every length. Rp64_256 shares digests between
        this form and others: of 62 bytes it is `hash` of these and a byte 1. Use one form in one domain."""
    def hash_padded_secret(self, data: Buffer) -> bytes:
        """`hash_padded` of secret bytes: in constant time, and slower."""
    def merge(self, left: Buffer, right: Buffer) -> bytes:
        """The digest of two digests."""
    def merge_secret(self, left: Buffer, right: Buffer) -> bytes:
        """The digest of two secret digests: in constant time, and slower."""
    def merge_in_domain(self, left: Buffer, right: Buffer, domain: int) -> bytes:
        """The digest of two digests in a domain. Raises `NoDomain` unless the function is RPO or RPX."""
    def merge_with_int(self, seed: Buffer, value: int) -> bytes:
        """The digest of a digest and an integer below 2^64."""
    def merge_many(self, digests: _Digests) -> bytes:
        """The digest of any number of digests: a sequence of 32 bytes each, or one buffer of them."""
    @overload
    def hash_elements_many(self, inputs: _Array, *, threads: int | Threads = ...) -> _Array:
        """`hash_elements` of each input, side by side in lanes: a sequence of arrays, or the rows of one
        array of uint64. An array gives an array with a row of four elements for each digest; a sequence
        gives a list of bytes."""
    @overload
    def hash_elements_many(self, inputs: Sequence[_Words], *, threads: int | Threads = ...) -> list[bytes]: ...
    @overload
    def hash_many(self, inputs: npt.NDArray[np.uint8], *, threads: int | Threads = ...) -> _Array:
        """`hash` of each input, side by side in lanes: a sequence of bytes, or the rows of an array of
        uint8. Gives what `hash_elements_many` gives. Raises `UndefinedLength`."""
    @overload
    def hash_many(self, inputs: Sequence[Buffer], *, threads: int | Threads = ...) -> list[bytes]: ...
    @overload
    def hash_padded_many(self, inputs: npt.NDArray[np.uint8], *, threads: int | Threads = ...) -> _Array:
        """`hash_padded` of each input, side by side in lanes; see `hash_many`."""
    @overload
    def hash_padded_many(self, inputs: Sequence[Buffer], *, threads: int | Threads = ...) -> list[bytes]: ...
    @overload
    def merge_pairs(self, pairs: npt.NDArray[Any], *, threads: int | Threads = ...) -> _Array:
        """`merge` of each pair, side by side in lanes: a sequence of pairs of 32 bytes, or one buffer of
        digests, two and two. Gives what `hash_elements_many` gives."""
    @overload
    def merge_pairs(self, pairs: Sequence[tuple[Buffer, Buffer]] | bytes, *, threads: int | Threads = ...) -> list[bytes]: ...
    @overload
    def merge_with_ints(self, seed: Buffer, values: _Array, *, threads: int | Threads = ...) -> _Array:  # type: ignore[overload-overlap]
        """`merge_with_int` of one digest and each value, side by side in lanes. Gives what
        `hash_elements_many` gives."""
    @overload
    def merge_with_ints(self, seed: Buffer, values: _Words, *, threads: int | Threads = ...) -> list[bytes]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

@final
class Hasher:
    """Hashes bytes that come in pieces, of a length known before: these functions absorb the length first."""

    def __new__(cls, function: Function | str, len_bytes: int, *, padded: bool = False) -> Hasher: ...
    def update(self, data: Buffer) -> None:
        """Takes the next bytes."""
    def finalize(self) -> bytes:
        """The digest of what came so far, if it is as long as announced. Raises `Length`."""

@final
class MerkleTree:
    """A full binary tree whose nodes are `merge` of their children. Holds all nodes, 64 bytes for each leaf."""

    def __new__(cls, function: Function | str, leaves: _Digests, *, threads: int | Threads = ...) -> MerkleTree: ...
    @property
    def function(self) -> Function:
        """The function that the tree is made with."""
    @property
    def root(self) -> bytes:
        """The root."""
    @property
    def log2_leaves(self) -> int:
        """The base-2 logarithm of the number of leaves, which is the number of digests in a path."""
    @property
    def leaves(self) -> list[bytes]:
        """The leaves, as a new list."""
    def open(self, index: int) -> tuple[bytes, list[bytes]]:
        """Leaf `index` and its path, the siblings on the way to the root, lowest first. Raises `LeafIndex`."""
    @staticmethod
    def verify(
        function: Function | str,
        root: Buffer,
        log2_leaves: int,
        index: int,
        leaf: Buffer,
        path: _Digests,
    ) -> None:
        """Checks that `leaf` is the one with this index in the tree of `2**log2_leaves` leaves that has this
        root. Raises `PathLength`, `LeafIndex` or `WrongRoot`."""
    def __len__(self) -> int: ...
