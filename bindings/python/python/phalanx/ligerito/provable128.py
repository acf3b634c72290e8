"""Suite `ligerito-v1-provable128`: 128 bits of security proved instead of 100. Elements of GF(2^192) are int. The names are
those of `phalanx.ligerito`, and its objects are none of these."""

from .._phalanx import ligerito as _ligerito
from ..errors import (
    BasisLength,
    CommitmentIndex,
    Malformed,
    NoClaims,
    PointLength,
    PolynomialLength,
    ProofError,
    Together,
    TooLarge,
    TooManyClaims,
)

MAX_CLAIMS = _ligerito.provable128.MAX_CLAIMS
MAX_VARIABLES = _ligerito.provable128.MAX_VARIABLES
MIN_VARIABLES = _ligerito.provable128.MIN_VARIABLES
PLANES = _ligerito.provable128.PLANES
PROFILES = _ligerito.provable128.PROFILES
SUITE = _ligerito.provable128.SUITE
Accepted = _ligerito.provable128.Accepted
Commitment = _ligerito.provable128.Commitment
ProverData = _ligerito.provable128.ProverData
aes_basis = _ligerito.provable128.aes_basis
commit = _ligerito.provable128.commit
open_together = _ligerito.provable128.open_together
value_of_planes = _ligerito.provable128.value_of_planes
verify = _ligerito.provable128.verify
verify_planes = _ligerito.provable128.verify_planes
verify_together = _ligerito.provable128.verify_together

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
