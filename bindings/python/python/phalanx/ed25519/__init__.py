"""Ed25519 with five named acceptance rules ("profiles") and a result for every signature."""

from .._phalanx import ed25519 as _ed25519
from ..errors import (
    ContextEmpty,
    ContextTooLong,
    EncryptedKey,
    InvalidKeyFormat,
    InvalidLength,
    InvalidPublicKey,
    InvalidSignature,
    KeyMismatch,
    LengthMismatch,
    RngFailed,
    SelfCheckFailed,
    WrongPassword,
)

PROFILES = _ed25519.PROFILES
BatchVerifier = _ed25519.BatchVerifier
PreparedKey = _ed25519.PreparedKey
Reason = _ed25519.Reason
SigningKey = _ed25519.SigningKey
VerifyingKey = _ed25519.VerifyingKey
detect = _ed25519.detect
explain = _ed25519.explain
sign_many = _ed25519.sign_many
verify = _ed25519.verify
verify_batch = _ed25519.verify_batch
verify_columns = _ed25519.verify_columns
verify_many = _ed25519.verify_many

from . import minisign, sshsig  # noqa: E402

__all__ = [
    "PROFILES",
    "BatchVerifier",
    "ContextEmpty",
    "ContextTooLong",
    "EncryptedKey",
    "InvalidKeyFormat",
    "InvalidLength",
    "InvalidPublicKey",
    "InvalidSignature",
    "KeyMismatch",
    "LengthMismatch",
    "PreparedKey",
    "Reason",
    "RngFailed",
    "SelfCheckFailed",
    "SigningKey",
    "VerifyingKey",
    "WrongPassword",
    "detect",
    "explain",
    "minisign",
    "sign_many",
    "sshsig",
    "verify",
    "verify_batch",
    "verify_columns",
    "verify_many",
]
