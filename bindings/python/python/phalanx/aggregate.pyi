from collections.abc import Iterable
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from . import Threads
from .errors import EmptyGroup as EmptyGroup
from .errors import GroupOrder as GroupOrder
from .errors import InvalidSignature as InvalidSignature
from .errors import KeyOrder as KeyOrder
from .errors import Memory as Memory
from .errors import NoGroups as NoGroups
from .errors import ProofError as ProofError
from .errors import SignatureCount as SignatureCount
from .errors import StatementLength as StatementLength
from .errors import TooManySignatures as TooManySignatures
from .xmss import Signature, VerifyingKey

__all__ = [
    "DEFAULT_MEMORY_LIMIT",
    "DEFAULT_SIGNATURES",
    "MAX_SIGNATURES",
    "PROFILES",
    "EmptyGroup",
    "GroupOrder",
    "InvalidSignature",
    "KeyOrder",
    "Limits",
    "Memory",
    "NoGroups",
    "ProofError",
    "SignatureCount",
    "Statement",
    "StatementLength",
    "TooManySignatures",
    "aggregate",
    "max_len_bytes",
    "memory_len",
    "verify",
]

_Profile: TypeAlias = Literal["aggregate-v1-provable100", "aggregate-v1-provable128"]

DEFAULT_MEMORY_LIMIT: int
DEFAULT_SIGNATURES: int
MAX_SIGNATURES: int
PROFILES: tuple[str, ...]

@final
class Statement:
    """What an aggregate says, of `groups`: tuples (epoch, message of 32 bytes, keys), in any order, where
    keys are `VerifyingKey` of "xmss-blake2s-l32-d42b8" or their bytes. For every group and every key of
    it somebody knows a signature that verifies. Signatures are numbered in the statement's order: by
    epoch, message, key. A key counts once for an epoch and a message. Raises `NoGroups`, `EmptyGroup`,
    `KeyOrder` (a key is there twice), `ParameterSet`, `TooManySignatures`."""

    def __new__(cls, groups: Iterable[tuple[int, Buffer, Iterable[VerifyingKey | Buffer]]]) -> Statement: ...
    @staticmethod
    def from_bytes(data: Buffer) -> Statement:
        """The statement of these bytes, strictly. Raises `NoGroups`, `EmptyGroup`, `GroupOrder`, `KeyOrder`,
        `TooManySignatures` or `StatementLength`."""
    def to_bytes(self) -> bytes:
        """The bytes that aggregates are bound to."""
    @property
    def groups(self) -> list[tuple[int, bytes, list[bytes]]]:
        """Tuples (epoch, message, keys) in the statement's order, keys as bytes."""
    def signers(self) -> list[tuple[int, bytes, bytes]]:
        """Tuples (epoch, message, key) in the statement's order, one for each signature: the order in which
        `aggregate` takes them."""
    def equivocations(self) -> list[tuple[int, int]]:
        """Pairs of signatures, by their numbers, of one key at one epoch for different messages: the signer
        has broken its key. The statement is true all the same."""
    def __len__(self) -> int: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Limits:
    """What a verifier accepts: any of `profiles`, names of `PROFILES`, at most so many signatures. Time and
    memory grow with their number."""

    def __new__(cls, profiles: _Profile | Iterable[_Profile], *, signatures: int = ...) -> Limits: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def aggregate(
    profile: _Profile,
    statement: Statement,
    signatures: Iterable[Signature | Buffer],
    *,
    context: Buffer | None = None,
    memory_limit: int = ...,
    threads: int | Threads = ...,
) -> bytes:
    """One aggregate for the signatures of `statement`, in its order: bytes, or `Signature`s. `profile` is
    "aggregate-v1-provable100", which is weaker than what it aggregates, or "aggregate-v1-provable128";
    there is no default. `context` is bound to it: who verifies has to name the same. The same input gives
    the same bytes. Shorter than the signatures from 199 on with 100 bits, from 307 with 128, and no
    faster to check. Raises `SignatureCount`; `MalformedSignature` or `InvalidSignature`, whose `index` is
    the first that is not good; `Memory` above `memory_limit`, in bytes, before it computes anything."""
def verify(limits: Limits, statement: Statement, aggregate: Buffer, *, context: Buffer | None = None) -> None:
    """Verifies that for every group and every key of `statement` somebody knows a signature. `context` is
    what the prover bound the aggregate to. Raises `ProofError`, whose `name` is the check that failed."""
def max_len_bytes(profile: _Profile, signatures: int) -> int:
    """The length of the longest aggregate of so many signatures, in bytes."""
def memory_len(profile: _Profile, signatures: int) -> int:
    """The memory that `aggregate` takes for so many signatures, in bytes."""
