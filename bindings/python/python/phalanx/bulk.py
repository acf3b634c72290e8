"""Files of signatures verified, as JSON lines, CSV or Parquet: `run`, or chunk by chunk with `Plan`.

docs/bulk.md says what is read and what is written. `phalanx.cluster` does the same on many hosts.
"""

from ._phalanx import bulk as _bulk
from .errors import Stopped, System, Usage

Plan = _bulk.Plan
run = _bulk.run

__all__ = ["Plan", "Stopped", "System", "Usage", "run"]
