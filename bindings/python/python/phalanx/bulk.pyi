from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, final

from typing_extensions import Buffer, TypeAlias

from .errors import Stopped as Stopped
from .errors import System as System
from .errors import Usage as Usage

__all__ = ["Plan", "Stopped", "System", "Usage", "run"]

_Path: TypeAlias = str | PathLike[str]
_Profile: TypeAlias = Literal["strict", "zip215", "rfc8032", "cofactorless", "zig-std"]
_Format: TypeAlias = Literal["jsonl", "csv", "parquet"]

@final
class Plan:
    """A job: files with their digests, cut into chunks of rows."""

    @staticmethod
    def make(
        files: Sequence[_Path],
        *,
        profile: _Profile = ...,
        scheme: str | None = None,
        format: _Format | None = None,
        chunk_rows: int = ...,
        memory_limit: int = ...,
        threads: int = 1,
    ) -> Plan:
        """Reads all `files` once, for their digests and to see where rows are; `threads` of them at a time.
        `profile` is that of Ed25519 rows that name none, `scheme` that of rows that name none, `format`
        "jsonl", "csv" or "parquet", told from each file unless given. No chunk has more than `chunk_rows`
        rows, or needs more than `memory_limit` bytes. Raises `Usage` or `System`."""
    @staticmethod
    def from_json(data: Buffer) -> Plan:
        """The plan that `to_json` wrote. Raises `Usage`."""
    @staticmethod
    def join(plans: Sequence[Plan]) -> Plan:
        """One plan of several, in their order: that of all their files, where each was made of some of them.
        Raises `Usage`."""
    def to_json(self) -> bytes:
        """The plan as JSON, which is what `plan.json` holds."""
    @property
    def digest(self) -> bytes:
        """What results say they belong to: SHA-256 of the plan as JSON."""
    @property
    def rows(self) -> list[int]:
        """The rows of every chunk."""
    @property
    def memory_len(self) -> int:
        """Bytes of memory that are enough for any one of the chunks."""
    def take_folder(self, folder: _Path, *, resume: bool = False) -> None:
        """Makes `folder` the place of the results, and writes `plan.json` there. It is new, or empty, or
        that of the same plan if the job is to `resume`; else raises `Usage`."""
    def verify_chunk(self, index: int, folder: _Path) -> None:
        """Verifies chunk `index`, and writes its result to `folder`. Raises `Usage` if its file has changed,
        `System` if it cannot be read."""
    def is_done(self, index: int, folder: _Path) -> bool:
        """Whether the result of chunk `index` lies whole in `folder`."""
    def report(self, folder: _Path, *, quarantine: Mapping[int, str] | None = None) -> dict[str, Any]:
        """Puts the results of all chunks in `folder` together, writes the report there, and returns what
        `report.json` holds. `quarantine` are chunks without a result, by number, and why: the report
        names them, and their rows count as malformed. Raises `Usage` if another result is missing or
        damaged."""
    def __len__(self) -> int: ...

def run(
    files: Sequence[_Path],
    folder: _Path,
    *,
    profile: _Profile = ...,
    scheme: str | None = None,
    format: _Format | None = None,
    chunk_rows: int = ...,
    memory_limit: int = ...,
    threads: int = 1,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, Any]:
    """Verifies all rows of `files`, writes plan, results and report to `folder`, and returns what
    `report.json` holds. Arguments as for `Plan.make`; `memory_limit` is for all chunks that are worked on
    at a time, and `threads` = 0 takes as many as the system can run. `resume` goes on with what is in the
    folder. `progress(done, total)` is told rows every 50 ms or so and may raise an exception to stop.
    Raises `Usage` or `System`: what is wrong with a row stands in the report."""
