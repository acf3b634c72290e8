"""Encrypted key files: EIP-8310 version 5. A keystore brings back a key, never the right to sign: guard it by its ledger."""

from ._phalanx import custody as _custody
from .errors import KeystoreError

Header = _custody.Header
inspect = _custody.inspect
loads = _custody.loads
loads_ed25519 = _custody.loads_ed25519
read = _custody.read
write = _custody.write

__all__ = ["Header", "KeystoreError", "inspect", "loads", "loads_ed25519", "read", "write"]
