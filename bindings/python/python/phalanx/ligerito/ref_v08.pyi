from collections.abc import Iterable
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from .. import Threads
from ..errors import ClaimIndex as ClaimIndex
from ..errors import ClaimValue as ClaimValue
from ..errors import PolynomialLength as PolynomialLength
from ..errors import ProofError as ProofError
from ..errors import TooLarge as TooLarge

__all__ = [
    "SUITE",
    "ClaimIndex",
    "ClaimValue",
    "Config",
    "PolynomialLength",
    "ProofError",
    "TooLarge",
    "commit",
    "prove",
    "verify",
]

_Polynomial: TypeAlias = Buffer | list[int] | tuple[int, ...]
_Transcript: TypeAlias = Literal["sha256", "merlin"]
_Claims: TypeAlias = Iterable[tuple[int, int]]

SUITE: str

@final
class Config:
    """The levels of a proof."""

    @staticmethod
    def published(variables: int) -> Config:
        """The crate's configuration for 2^`variables` coefficients: 12, 16, 20, 24, 26, 28 or 30."""
    @staticmethod
    def autosized(variables: int) -> Config:
        """The configuration that the crate's command line chooses for 2^`variables` coefficients: 20 to 30."""
    @property
    def variables(self) -> int:
        """The polynomial has 2^variables coefficients."""
    @property
    def max_proof_len_bytes(self) -> int:
        """Length of the longest proof, in bytes."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def commit(config: Config, polynomial: _Polynomial, *, threads: int | Threads = ...) -> bytes:
    """The root that proofs about `polynomial` begin with: 32 bytes. The polynomial is not copied. Raises
    `PolynomialLength`."""
def prove(
    config: Config,
    polynomial: _Polynomial,
    *,
    transcript: _Transcript = "sha256",
    claims: _Claims | None = None,
    threads: int | Threads = ...,
) -> bytes:
    """Proves `claims` (tuples of index and value) about coefficients of `polynomial`: the bytes that the
    crate gives. `transcript` is "sha256" or "merlin". Raises `PolynomialLength`, `ClaimIndex` or
    `ClaimValue`."""
def verify(
    config: Config,
    root: Buffer,
    proof: Buffer,
    *,
    transcript: _Transcript = "sha256",
    claims: _Claims | None = None,
) -> None:
    """Verifies that the polynomial committed under `root` has the claimed coefficients. Raises `ProofError`."""
