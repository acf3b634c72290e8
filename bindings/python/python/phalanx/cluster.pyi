from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .aggregate import Statement
from .aggregate import _Profile as _Aggregate
from .bulk import _Format, _Path, _Profile
from .xmss import ParameterSet, Signature, SigningKey

__all__ = ["aggregate_many", "generate_key", "verify_files"]

def verify_files(
    files: Sequence[_Path],
    folder: _Path,
    *,
    profile: _Profile = "strict",
    scheme: str | None = None,
    format: _Format | None = None,
    chunk_rows: int = ...,
    memory_limit: int = ...,
    resume: bool = False,
    tries: int = 3,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, Any]:
    """Verifies all rows of `files`, as `phalanx.bulk.run` does, and writes the same report, byte for byte.

    Every host sees the files and `folder` under the same paths: a shared file system. `memory_limit` is
    for a chunk. A chunk that fails, or whose worker dies, is tried again, `tries` times in all, and is
    then left in quarantine: the report names it, its rows count as malformed, and other chunks go on.
    `resume` does again what is missing, those too. `progress(done, total)` is told rows, and may raise an
    exception to stop. Raises `Usage` or `System`, as `bulk.run`."""
def generate_key(
    parameter_set: ParameterSet | str,
    start: int,
    count: int,
    *,
    checkpoint: _Path,
    seed_file: _Path | None = None,
    seed_variable: str | None = None,
    trees_per_task: int = 1,
    recheck: float = 0.01,
    tries: int = 3,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> SigningKey:
    """The key of a seed for `count` epochs from `start` on: that of `SigningKey.generate`, its bottom trees
    computed by the cluster. Two of them, and the top, are computed here.

    The seed, 32 bytes or 64 hexadecimal digits, is on every host: in `seed_file`, which its owner alone
    may read, or in the environment variable `seed_variable` of the host. Only the path or the name is
    sent. Whoever runs code on the cluster can read it: these are hosts that are trusted with the key.

    Roots are kept in the file `checkpoint`, from which an interrupted call goes on; they are no secret. A
    part of them, `recheck`, drawn at random, is computed again: raises `SelfCheckFailed` if one is
    another then, and there is no key. `progress(done, total)` is told trees. A host with another seed is
    refused, and fails its task."""
def aggregate_many(
    profile: _Aggregate,
    work: Iterable[tuple[Statement, Iterable[Signature | bytes]]],
    *,
    context: bytes | None = None,
    memory_limit: int = ...,
    threads: int = 1,
    tries: int = 3,
) -> Iterator[tuple[int, bytes | BaseException]]:
    """One aggregate for every statement and its signatures, each by one worker on so many threads: yields
    their numbers, from 0, and the aggregates, as they come; where it failed `tries` times, the exception.
    Arguments as for `aggregate.aggregate`."""
