from collections.abc import Callable, Iterable
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

from ..errors import Malformed as Malformed
from ..errors import NoClaims as NoClaims
from ..errors import PointLength as PointLength
from ..errors import PolynomialLength as PolynomialLength
from ..errors import ProofError as ProofError
from ..errors import TooLarge as TooLarge
from ..errors import TooManyClaims as TooManyClaims
from . import provable128 as provable128
from . import ref_v08 as ref_v08

__all__ = [
    "MAX_CLAIMS",
    "MAX_VARIABLES",
    "MIN_VARIABLES",
    "PROFILES",
    "SUITE",
    "Accepted",
    "Commitment",
    "Malformed",
    "NoClaims",
    "PointLength",
    "PolynomialLength",
    "ProofError",
    "ProverData",
    "TooLarge",
    "TooManyClaims",
    "commit",
    "provable128",
    "ref_v08",
    "verify",
]

_Profile: TypeAlias = Literal["balanced", "compact"]
_Polynomial: TypeAlias = Buffer | list[int] | tuple[int, ...]
_Point: TypeAlias = Iterable[int]

MAX_CLAIMS: int
MAX_VARIABLES: int
MIN_VARIABLES: int
PROFILES: tuple[str, ...]
SUITE: str

@final
class Commitment:
    def __new__(cls, profile: _Profile, variables: int, root: Buffer) -> Commitment: ...
    @staticmethod
    def from_bytes(data: Buffer) -> Commitment: ...
    def to_bytes(self) -> bytes: ...
    @property
    def profile(self) -> str: ...
    @property
    def variables(self) -> int: ...
    @property
    def root(self) -> bytes: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, int, bytes]: ...

@final
class ProverData:
    def open(
        self, points: Iterable[_Point], *, context: Buffer | None = None, threads: int = 1
    ) -> tuple[list[int], bytes]: ...
    @property
    def root(self) -> bytes: ...
    @property
    def variables(self) -> int: ...
    @property
    def max_proof_len_bytes(self) -> int: ...

@final
class Accepted:
    @staticmethod
    def exactly(profile: _Profile, variables: int) -> Accepted: ...
    @staticmethod
    def up_to(profiles: _Profile | Iterable[_Profile], max_variables: int) -> Accepted: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def commit(
    polynomial: _Polynomial,
    *,
    profile: _Profile = "balanced",
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Commitment, ProverData]: ...
def verify(
    accepted: Accepted,
    commitment: Commitment,
    claims: Iterable[tuple[_Point, int]],
    proof: Buffer,
    *,
    context: Buffer | None = None,
) -> None: ...
