from collections.abc import Iterable
from typing import Literal, final

from typing_extensions import Buffer, TypeAlias

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
    @staticmethod
    def published(variables: int) -> Config: ...
    @staticmethod
    def autosized(variables: int) -> Config: ...
    @property
    def variables(self) -> int: ...
    @property
    def max_proof_len_bytes(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def commit(config: Config, polynomial: _Polynomial, *, threads: int = 1) -> bytes: ...
def prove(
    config: Config,
    polynomial: _Polynomial,
    *,
    transcript: _Transcript = "merlin",
    claims: _Claims | None = None,
    threads: int = 1,
) -> bytes: ...
def verify(
    config: Config,
    root: Buffer,
    proof: Buffer,
    *,
    transcript: _Transcript = "merlin",
    claims: _Claims | None = None,
) -> None: ...
