"""The files of minisign: public keys, secret keys (also encrypted) and signatures."""

from .._phalanx import ed25519 as _ed25519
from ..errors import Refusal

PublicKey = _ed25519.minisign.PublicKey
SecretKey = _ed25519.minisign.SecretKey
SignatureBox = _ed25519.minisign.SignatureBox

__all__ = ["PublicKey", "Refusal", "SecretKey", "SignatureBox"]
