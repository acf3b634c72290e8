"""Signatures, hashes and commitments that run side by side in SIMD lanes chosen at run time.

Four modules: `phalanx.ed25519`, `phalanx.xmss`, `phalanx.rescue`, `phalanx.ligerito`. Errors are exceptions named like those of
the Rust library; all of them are in `phalanx.errors` and derive from `PhalanxError`.
"""

from . import ed25519, errors, ligerito, rescue, xmss
from ._phalanx import __version__, available_backends, backend
from .errors import InternalError, InvalidSignature, Malformed, PhalanxError

__all__ = [
    "InternalError",
    "InvalidSignature",
    "Malformed",
    "PhalanxError",
    "__version__",
    "available_backends",
    "backend",
    "ed25519",
    "errors",
    "ligerito",
    "rescue",
    "xmss",
]
