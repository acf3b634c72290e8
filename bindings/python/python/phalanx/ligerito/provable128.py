"""Suite `ligerito-v1-provable128`: 128 bits of security proved instead of 100. Elements of GF(2^192) are int. The names are
those of `phalanx.ligerito`, and its objects are none of these."""

from .._phalanx import ligerito as _ligerito
from ..errors import Malformed, NoClaims, PointLength, PolynomialLength, ProofError, TooLarge, TooManyClaims

MAX_CLAIMS = _ligerito.provable128.MAX_CLAIMS
MAX_VARIABLES = _ligerito.provable128.MAX_VARIABLES
MIN_VARIABLES = _ligerito.provable128.MIN_VARIABLES
PROFILES = _ligerito.provable128.PROFILES
SUITE = _ligerito.provable128.SUITE
Accepted = _ligerito.provable128.Accepted
Commitment = _ligerito.provable128.Commitment
ProverData = _ligerito.provable128.ProverData
commit = _ligerito.provable128.commit
verify = _ligerito.provable128.verify

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
    "verify",
]
