from collections.abc import Callable, Iterable
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from .. import Threads
from ..errors import BasisLength as BasisLength
from ..errors import CommitmentIndex as CommitmentIndex
from ..errors import Malformed as Malformed
from ..errors import NoClaims as NoClaims
from ..errors import PointLength as PointLength
from ..errors import PolynomialLength as PolynomialLength
from ..errors import ProofError as ProofError
from ..errors import Together as Together
from ..errors import TooLarge as TooLarge
from ..errors import TooManyClaims as TooManyClaims

__all__ = [
    "MAX_CLAIMS",
    "MAX_VARIABLES",
    "MIN_VARIABLES",
    "PLANES",
    "PROFILES",
    "SUITE",
    "Accepted",
    "BasisLength",
    "Commitment",
    "CommitmentIndex",
    "Malformed",
    "NoClaims",
    "PointLength",
    "PolynomialLength",
    "ProofError",
    "ProverData",
    "Together",
    "TooLarge",
    "TooManyClaims",
    "aes_basis",
    "commit",
    "open_together",
    "value_of_planes",
    "verify",
    "verify_planes",
    "verify_together",
]

_Profile: TypeAlias = Literal["balanced"]
_Polynomial: TypeAlias = Buffer | list[int] | tuple[int, ...]
_Point: TypeAlias = Iterable[int]

MAX_CLAIMS: int
MAX_VARIABLES: int
MIN_VARIABLES: int
PLANES: int
PROFILES: tuple[str, ...]
SUITE: str

@final
class Commitment:
    """What is published of a polynomial: 34 bytes."""

    def __new__(cls, profile: _Profile, variables: int, root: Buffer) -> Commitment: ...
    @staticmethod
    def from_bytes(data: Buffer) -> Commitment:
        """From its 34 bytes. Raises `Malformed`."""
    def to_bytes(self) -> bytes:
        """The 34 bytes."""
    @property
    def profile(self) -> str:
        """The profile it claims."""
    @property
    def variables(self) -> int:
        """The number of variables it claims."""
    @property
    def root(self) -> bytes:
        """The root of the tree over the encoded rows."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, int, bytes]: ...

@final
class ProverData:
    """What the prover keeps of a commitment, to open it: the encoded polynomial, and a hold on the
    polynomial itself."""

    def open(
        self, points: Iterable[_Point], *, context: Buffer | None = None, threads: int | Threads = ...
    ) -> tuple[list[int], bytes]:
        """The values at `points` (each a sequence of as many elements of the suite's field, as int, as there
        are variables), and one proof for all of them, bound to `context`. Raises `NoClaims`,
        `TooManyClaims` or `PointLength`."""
    def open_planes(
        self, points: Iterable[_Point], *, context: Buffer | None = None, threads: int | Threads = ...
    ) -> tuple[list[list[int]], bytes]:
        """The 32 planes at each of `points`, for polynomials that hold bits or small elements, and one proof
        for all of them: plane i is the sum of eq(point, x) over the x whose word has bit i. Raises as
        `open`; planes count as 32 points."""
    @property
    def root(self) -> bytes:
        """The root of the tree over the encoded rows."""
    @property
    def variables(self) -> int:
        """The number of variables."""
    @property
    def max_proof_len_bytes(self) -> int:
        """Length of the longest proof, in bytes."""

@final
class Accepted:
    """Which commitments a verifier is ready to look at."""

    @staticmethod
    def exactly(profile: _Profile, variables: int) -> Accepted:
        """This profile with this number of variables and nothing else."""
    @staticmethod
    def up_to(profiles: _Profile | Iterable[_Profile], max_variables: int) -> Accepted:
        """Any of `profiles` with at most `max_variables` variables."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def commit(
    polynomial: _Polynomial,
    *,
    profile: _Profile = "balanced",
    threads: int | Threads = ...,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Commitment, ProverData]:
    """Commits to the polynomial whose 2^n values on the Boolean cube are `polynomial`, elements of GF(2^32)
    as uint32: an array or another buffer, which is not copied and must not change while the returned data
    is used. An array of other unsigned integers is the words of its memory, the lowest first: bits in
    uint64 or uint8, bytes, uint16. `progress(done, total)` hears how far it is; an exception of its is
    raised when all is done."""
def verify(
    accepted: Accepted,
    commitment: Commitment,
    claims: Iterable[tuple[_Point, int]],
    proof: Buffer,
    *,
    context: Buffer | None = None,
) -> None:
    """Verifies that the polynomial under `commitment` has the claimed values: tuples (point, value) of int.
    `context` is what the prover bound the proof to. Raises `ProofError`, whose `name` is the check that
    failed."""
def verify_planes(
    accepted: Accepted,
    commitment: Commitment,
    claims: Iterable[tuple[_Point, Iterable[int]]],
    proof: Buffer,
    *,
    context: Buffer | None = None,
) -> None:
    """Verifies that the polynomial under `commitment` has the claimed planes: tuples (point, planes), planes
    being 32 int. The proof is one of `open_planes`. Raises `ProofError`."""
def open_together(
    data: list[ProverData],
    points: Iterable[tuple[int, _Point]],
    *,
    context: Buffer | None = None,
    threads: int | Threads = ...,
) -> tuple[list[int], bytes]:
    """The values of several committed polynomials of one profile, of any sizes, and one proof for all of
    them: `data` are what `commit` gave, `points` tuples (number in `data`, point). Raises as `open`,
    `Together` or `CommitmentIndex`."""
def verify_together(
    accepted: Accepted,
    commitments: list[Commitment],
    claims: Iterable[tuple[int, _Point, int]],
    proof: Buffer,
    *,
    context: Buffer | None = None,
) -> None:
    """Verifies values of several polynomials: tuples (number in `commitments`, point, value). The proof is
    one of `open_together`. Raises `ProofError`."""
def value_of_planes(low: _Point, basis: Iterable[int], planes: Iterable[int]) -> int:
    """A value of small coefficients, from the planes at a point: `low` are the coordinates inside a word
    (five for bits, two for bytes, one for GF(2^16), none), `basis` what each bit of a coefficient stands
    for ([1] for bits, `aes_basis()` for bytes). Raises `BasisLength`."""
def aes_basis() -> list[int]:
    """The images of 1, x, ... x^7 of the field of AES, GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, that of x
    being the smallest int."""
