"""Uses the installed wheel."""

import sys
import sysconfig

from phalanx import ed25519, rescue, xmss

key = ed25519.SigningKey.generate()
claim = (bytes(key.verifying_key), b"a message", key.sign(b"a message"))
assert ed25519.verify_many([claim, (claim[0], b"another", claim[2])]) == [True, False]
signer = xmss.SigningKey.generate("xmss-poseidon2-l8-d64b8", 0, 256)
signer.verifying_key.verify(17, bytes(32), signer.sign(17, bytes(32)))
print(rescue.Function("rescue-rp64-256").hash_elements([1, 2, 3]).hex())
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    assert not sys._is_gil_enabled(), "the module has brought the interpreter lock back"
