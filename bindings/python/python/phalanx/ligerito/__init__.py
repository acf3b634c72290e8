"""A multilinear polynomial commitment over binary fields. Elements of GF(2^128) are int."""

from .._phalanx import ligerito as _ligerito
from ..errors import Malformed, NoClaims, PointLength, PolynomialLength, ProofError, TooLarge, TooManyClaims

MAX_CLAIMS = _ligerito.MAX_CLAIMS
MAX_VARIABLES = _ligerito.MAX_VARIABLES
MIN_VARIABLES = _ligerito.MIN_VARIABLES
PROFILES = _ligerito.PROFILES
SUITE = _ligerito.SUITE
Accepted = _ligerito.Accepted
Commitment = _ligerito.Commitment
ProverData = _ligerito.ProverData
commit = _ligerito.commit
verify = _ligerito.verify

from . import provable128, ref_v08  # noqa: E402

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
