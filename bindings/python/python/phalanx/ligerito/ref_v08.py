"""The proofs of the published crate `ligerito`, version 0.8.0, bit for bit: about coefficients, without its level of
security being proved."""

from .._phalanx import ligerito as _ligerito
from ..errors import ClaimIndex, ClaimValue, PolynomialLength, ProofError, TooLarge

SUITE = _ligerito.ref_v08.SUITE
Config = _ligerito.ref_v08.Config
commit = _ligerito.ref_v08.commit
prove = _ligerito.ref_v08.prove
verify = _ligerito.ref_v08.verify

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
