"""Generalized XMSS: hash-based signatures, byte-compatible with leanSig, and the generation after it, over BLAKE2s.

A key signs one message an epoch.
"""

from ._phalanx import xmss as _xmss
from .errors import (
    EncodingAttempts,
    EpochUsed,
    Exhausted,
    Forked,
    Interval,
    InvalidSignature,
    Malformed,
    NoEncoding,
    NotActive,
    NotPrepared,
    OtherInstance,
    Passed,
    Unfinished,
    VerificationOnly,
    WrongTree,
)

KeyGeneration = _xmss.KeyGeneration
NextTree = _xmss.NextTree
ParameterSet = _xmss.ParameterSet
Signature = _xmss.Signature
SigningKey = _xmss.SigningKey
VerifyingKey = _xmss.VerifyingKey
verify_columns = _xmss.verify_columns
verify_many = _xmss.verify_many

__all__ = [
    "EncodingAttempts",
    "EpochUsed",
    "Exhausted",
    "Forked",
    "Interval",
    "InvalidSignature",
    "KeyGeneration",
    "Malformed",
    "NextTree",
    "NoEncoding",
    "NotActive",
    "NotPrepared",
    "OtherInstance",
    "ParameterSet",
    "Passed",
    "Signature",
    "SigningKey",
    "Unfinished",
    "VerificationOnly",
    "VerifyingKey",
    "WrongTree",
    "verify_columns",
    "verify_many",
]
