"""Signatures, hashes and commitments that run side by side in SIMD lanes chosen at run time.

Modules: `phalanx.ed25519`, `phalanx.xmss`, `phalanx.rescue`, `phalanx.ligerito`, `phalanx.aggregate`, `phalanx.bulk`;
with Ray `phalanx.cluster`. On Unix custody, too: `Ledger`,
`GuardedKey` and `phalanx.keystore`, for keys that never sign an epoch twice. Errors are exceptions named like those of
the Rust library; all of them are in `phalanx.errors` and derive from `PhalanxError`.
"""

from . import aggregate, bulk, ed25519, errors, ligerito, rescue, xmss
from ._phalanx import Threads, __version__, available_backends, backend, load
from .errors import (
    DecodingError,
    InternalError,
    InvalidSignature,
    Malformed,
    PhalanxError,
    VerificationError,
)

try:
    from . import keystore
except ImportError:  # elsewhere than on Unix
    pass
else:
    from ._phalanx import custody as _custody

    GuardedKey = _custody.GuardedKey
    Ledger = _custody.Ledger
    Standing = _custody.Standing

__all__ = [
    "DecodingError",
    "GuardedKey",
    "InternalError",
    "InvalidSignature",
    "Ledger",
    "Malformed",
    "PhalanxError",
    "Standing",
    "Threads",
    "VerificationError",
    "__version__",
    "aggregate",
    "available_backends",
    "backend",
    "bulk",
    "ed25519",
    "errors",
    "keystore",
    "ligerito",
    "load",
    "rescue",
    "xmss",
]
