from . import ed25519 as ed25519
from . import errors as errors
from . import ligerito as ligerito
from . import rescue as rescue
from . import xmss as xmss
from .errors import InternalError as InternalError
from .errors import InvalidSignature as InvalidSignature
from .errors import Malformed as Malformed
from .errors import PhalanxError as PhalanxError

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

__version__: str

def backend() -> str: ...
def available_backends() -> list[str]: ...
