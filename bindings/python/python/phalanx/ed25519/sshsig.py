"""The signature files of `ssh-keygen -Y`, and OpenSSH's allowed signers."""

from .._phalanx import ed25519 as _ed25519
from ..errors import Refusal

AllowedSigners = _ed25519.sshsig.AllowedSigners
SshSignature = _ed25519.sshsig.SshSignature

__all__ = ["AllowedSigners", "Refusal", "SshSignature"]
