"""A multilinear polynomial commitment over binary fields. Elements of GF(2^128) are int."""

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

MAX_CLAIMS = _ligerito.MAX_CLAIMS
MAX_VARIABLES = _ligerito.MAX_VARIABLES
MIN_VARIABLES = _ligerito.MIN_VARIABLES
PLANES = _ligerito.PLANES
PROFILES = _ligerito.PROFILES
SUITE = _ligerito.SUITE
Accepted = _ligerito.Accepted
Commitment = _ligerito.Commitment
ProverData = _ligerito.ProverData
aes_basis = _ligerito.aes_basis
commit = _ligerito.commit
open_together = _ligerito.open_together
value_of_planes = _ligerito.value_of_planes
verify = _ligerito.verify
verify_planes = _ligerito.verify_planes
verify_together = _ligerito.verify_together

from . import provable128, ref_v08  # noqa: E402

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
    "provable128",
    "ref_v08",
    "value_of_planes",
    "verify",
    "verify_planes",
    "verify_together",
]
