"""One proof that many signatures of XMSS over BLAKE2s verify.

An aggregate saves bytes, not verifier time: on average it is shorter than the signatures from 199 on with 100 bits, from 307
with 128. It is not zero-knowledge, and two of them cannot be merged.
"""

from ._phalanx import aggregate as _aggregate
from .errors import (
    EmptyGroup,
    GroupOrder,
    InvalidSignature,
    KeyOrder,
    Memory,
    NoGroups,
    ProofError,
    SignatureCount,
    StatementLength,
    TooManySignatures,
)

DEFAULT_MEMORY_LIMIT = _aggregate.DEFAULT_MEMORY_LIMIT
DEFAULT_SIGNATURES = _aggregate.DEFAULT_SIGNATURES
MAX_SIGNATURES = _aggregate.MAX_SIGNATURES
PROFILES = _aggregate.PROFILES
Limits = _aggregate.Limits
Statement = _aggregate.Statement
aggregate = _aggregate.aggregate
max_len_bytes = _aggregate.max_len_bytes
memory_len = _aggregate.memory_len
verify = _aggregate.verify

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
