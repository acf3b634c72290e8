"""Work spread over the hosts of a Ray cluster: files of signatures verified, keys of XMSS generated, aggregates proved.

The extra `phalanx[ray]` brings Ray. Every host has this version of the package. Without a call of `ray.init` before, Ray
starts on this machine, or goes to the cluster that RAY_ADDRESS names. docs/scale.md says what spreading costs, and how
clusters are guarded.
"""

from __future__ import annotations

import hashlib
import math
import os
import stat
from binascii import unhexlify
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from io import FileIO
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import ray

from . import __version__
from . import aggregate as _aggregate
from .bulk import Plan as _Plan
from .errors import SelfCheckFailed, Usage
from .xmss import KeyGeneration as _KeyGeneration
from .xmss import ParameterSet as _ParameterSet

if TYPE_CHECKING:
    from .aggregate import Statement, _Profile as _Aggregate
    from .bulk import _Format, _Path, _Profile
    from .xmss import Signature, SigningKey

    _Progress = Callable[[int, int], object]

__all__ = ["aggregate_many", "generate_key", "verify_files"]

# ---- tasks ----


def _call(version: str, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """On a worker."""
    if version != __version__:
        raise RuntimeError(f"this host has phalanx {__version__}, the job is of {version}")
    return work(*arguments)


def _spread(
    work: Callable[..., Any],
    items: Iterable[tuple[Any, tuple[Any, ...]]],
    *,
    tries: int,
    **options: float,
) -> Iterator[tuple[Any, Any]]:
    """Calls `work` on the cluster with the arguments of every item, and yields its name with what came of it, as they end.
    At any time two items wait or run for each processor. One that fails, or whose worker dies, comes again, up to `tries`
    times in all; then what came of it is the exception."""
    if not ray.is_initialized():
        ray.init()
    # Ray would try again itself, but only after a death, and without a word.
    task = ray.remote(max_retries=0, **{"num_cpus": 1.0, **options})(_call)
    fresh = iter(items)
    again: deque[tuple[Any, tuple[Any, ...], int]] = deque()
    running: dict[Any, tuple[Any, tuple[Any, ...], int]] = {}
    try:
        while True:
            # Clusters grow and shrink.
            room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(running) < room:
                item = again.popleft() if again else next(((*item, 1) for item in fresh), None)
                if item is None:
                    break
                running[task.remote(__version__, work, item[1])] = item
            if not running:
                return
            for done in ray.wait(list(running), num_returns=1)[0]:
                name, arguments, nth = running.pop(done)
                try:
                    outcome = ray.get(done)
                except ray.exceptions.RayError as error:
                    outcome = getattr(error, "cause", None) or error
                    if nth < tries:
                        again.append((name, arguments, nth + 1))
                        continue
                yield name, outcome
    finally:
        for left in running:
            ray.cancel(left)


def _given(outcome: Any) -> Any:
    """What came of an item, if it was no exception."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _reason(error: BaseException) -> str:
    """Why an item failed, on one line: Ray adds others, with the numbers of processes."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].strip()}" if lines else type(error).__name__


# ---- files of signatures ----


def verify_files(
    files: Sequence[_Path],
    folder: _Path,
    *,
    profile: _Profile = "strict",
    scheme: str | None = None,
    format: _Format | None = None,
    chunk_rows: int = 1 << 15,
    memory_limit: int = 512 << 20,
    resume: bool = False,
    tries: int = 3,
    progress: _Progress | None = None,
) -> dict[str, Any]:
    """Verifies all rows of `files`, as `phalanx.bulk.run` does, and writes the same report, byte for byte.

    Every host sees the files and `folder` under the same paths: a shared file system. `memory_limit` is for a chunk. A chunk
    that fails, or whose worker dies, is tried again, `tries` times in all, and is then left in quarantine: the report names
    it, its rows count as malformed, and other chunks go on. `resume` does again what is missing, those too. `progress(done,
    total)` is told rows, and may raise an exception to stop. Raises `Usage` or `System`, as `bulk.run`.
    """
    options = (profile, scheme, format, chunk_rows, memory_limit)
    paths = [os.fspath(path) for path in files]
    parts: dict[int, _Plan] = {}
    for number, outcome in _spread(_planned, ((n, (path, *options)) for n, path in enumerate(paths)), tries=tries):
        parts[number] = _Plan.from_json(_given(outcome))
    plan = _Plan.join([parts[number] for number in range(len(paths))])
    place = os.path.abspath(folder)
    plan.take_folder(place, resume=resume)
    rows = plan.rows
    is_done = [plan.is_done(index, place) for index in range(len(plan))]
    done, total = sum(each for each, is_one in zip(rows, is_done) if is_one), sum(rows)
    tell = progress or (lambda done, total: None)
    tell(done, total)
    items = ((index, (place, plan.digest, index)) for index in range(len(plan)) if not is_done[index])
    quarantine: dict[int, str] = {}
    for index, outcome in _spread(_verified, items, tries=tries, memory=plan.memory_len + (32 << 20)):
        if isinstance(outcome, BaseException):
            quarantine[index] = _reason(outcome)
        elif not plan.is_done(index, place):
            quarantine[index] = "its result is not where this host looks: is the folder shared?"
        done += rows[index]
        tell(done, total)
    return plan.report(place, quarantine=quarantine)


def _planned(
    path: str, profile: _Profile, scheme: str | None, format: _Format | None, chunk_rows: int, memory_limit: int
) -> bytes:
    """On a worker: the plan of one file, as JSON."""
    plan = _Plan.make(
        [path], profile=profile, scheme=scheme, format=format, chunk_rows=chunk_rows, memory_limit=memory_limit
    )
    return plan.to_json()


def _verified(folder: str, digest: bytes, index: int) -> None:
    """On a worker: writes the result of a chunk."""
    _plan_in(folder, digest).verify_chunk(index, folder)


@lru_cache(maxsize=1)
def _plan_in(folder: str, digest: bytes) -> _Plan:
    """The plan of the job, read once by each worker: that of many files is long."""
    plan = _Plan.from_json(Path(folder, "plan.json").read_bytes())
    if plan.digest != digest:
        raise Usage(f"'{folder}' has another plan on this host")
    return plan


# ---- keys ----


def generate_key(
    parameter_set: _ParameterSet | str,
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
    progress: _Progress | None = None,
) -> SigningKey:
    """The key of a seed for `count` epochs from `start` on: that of `SigningKey.generate`, its bottom trees computed by the
    cluster. Two of them, and the top, are computed here.

    The seed, 32 bytes or 64 hexadecimal digits, is on every host: in `seed_file`, which its owner alone may read, or in the
    environment variable `seed_variable` of the host. Only the path or the name is sent. Whoever runs code on the cluster can
    read it: these are hosts that are trusted with the key.

    Roots are kept in the file `checkpoint`, from which an interrupted call goes on; they are no secret. A part of them, `recheck`,
    drawn at random, is computed again: raises `SelfCheckFailed` if one is another then, and there is no key. `progress(done,
    total)` is told trees. A host with another seed is refused, and fails its task.
    """
    source = _source(seed_file, seed_variable)
    name = parameter_set if isinstance(parameter_set, str) else parameter_set.name
    key = (name, start, count, source)
    generation = _begun(*key)
    first, end = generation.trees
    trees = range(first + 2, end)
    roots = _Roots(Path(checkpoint), generation.commitment)
    missing = [tree for tree in trees if tree not in roots.known]
    runs = [missing[at : at + trees_per_task] for at in range(0, len(missing), trees_per_task)]
    tell = progress or (lambda done, total: None)
    tell(len(trees) - len(missing), end - first)
    for run, outcome in _computed(key, generation.commitment, runs, tries):
        roots.add(run, outcome)
        tell(len(roots.known), end - first)
    drawn = SystemRandom().sample(trees, min(len(trees), math.ceil(recheck * len(trees))))
    for (tree,), (root,) in _computed(key, generation.commitment, [[tree] for tree in drawn], tries):
        if root != roots.known[tree]:
            raise SelfCheckFailed(f"bottom tree {tree} has another root when it is computed again: a fault in a machine")
    for tree in trees:
        generation.restore(tree, roots.known[tree])
    while (held := generation.step(threads=threads)) is not None:
        tell(len(trees) + held - first + 1, end - first)
    return generation.finish()


def _computed(
    key: tuple[Any, ...], commitment: bytes, runs: list[list[int]], tries: int
) -> Iterator[tuple[list[int], list[bytes]]]:
    """The roots of runs of bottom trees, as they come."""
    items = ((number, (*key, commitment, run)) for number, run in enumerate(runs))
    for number, outcome in _spread(_roots_of, items, tries=tries):
        yield runs[number], _given(outcome)


def _roots_of(
    name: str, start: int, count: int, source: tuple[str, str], commitment: bytes, trees: list[int]
) -> list[bytes]:
    """On a worker: the roots of bottom trees, from the seed that is there."""
    generation = _begun(name, start, count, source)
    if generation.commitment != commitment:
        raise Usage(f"the seed of this host, in the {source[0]} '{source[1]}', is another")
    return [generation.compute_root(tree) for tree in trees]


def _source(file: _Path | None, variable: str | None) -> tuple[str, str]:
    """Where the seed is: what is sent in its place."""
    if (file is None) == (variable is None):
        raise TypeError("either seed_file or seed_variable says where the seed is")
    return ("variable", variable) if variable is not None else ("file", os.path.abspath(str(file)))


def _begun(name: str, start: int, count: int, source: tuple[str, str]) -> _KeyGeneration:
    """A key generation from the seed that this host has."""
    seed = _seed(*source)
    try:
        return _KeyGeneration(name, start, count, seed=seed)
    finally:
        seed[:] = bytes(len(seed))


def _seed(kind: str, where: str) -> bytearray:
    """The 32 bytes. No error repeats any of them."""
    held = bytearray(os.environ.get(where, "").encode()) if kind == "variable" else _read_secret(where)
    if len(held) == 32:
        return held
    try:
        seed = bytearray(unhexlify(held.strip()))
    except ValueError:
        seed = bytearray()
    held[:] = bytes(len(held))
    if len(seed) != 32:
        raise ValueError(f"the {kind} '{where}' holds no seed: 32 bytes or 64 hexadecimal digits")
    return seed


def _read_secret(path: str) -> bytearray:
    """What a file holds that its owner alone may read, without a copy in the buffers of Python."""
    with FileIO(path) as file:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise PermissionError(f"'{path}' can be read by others: chmod 600")
        held = bytearray(1024)
        del held[file.readinto(held) or 0 :]
    return held


class _Roots:
    """Roots of bottom trees in a file: a line for each, with a digest, so that no damaged one is taken for a root."""

    known: dict[int, bytes]

    def __init__(self, path: Path, commitment: bytes) -> None:
        self._path, self._commitment, self.known = path, commitment, {}
        head = f"phalanx roots v1 {commitment.hex()}"
        if path.exists():
            first, *lines = path.read_text(errors="replace").splitlines() or [""]
            if first != head:
                raise ValueError(f"'{path}' has no roots of this seed, set and interval")
            for line in lines:
                self._take(line)
        # Written anew, so that what comes does not stand behind half a line.
        partial = path.with_name(path.name + ".partial")
        partial.write_text("\n".join([head, *(self._line(*each) for each in self.known.items()), ""]))
        os.replace(partial, path)

    def add(self, trees: list[int], roots: list[bytes]) -> None:
        """Keeps further roots: on the disk when this returns."""
        self.known.update(zip(trees, roots))
        with self._path.open("a") as file:
            file.write("".join(self._line(*each) + "\n" for each in zip(trees, roots)))
            file.flush()
            os.fsync(file.fileno())

    def _line(self, tree: int, root: bytes) -> str:
        digest = hashlib.sha256(self._commitment + tree.to_bytes(8, "little") + root).hexdigest()
        return f"{tree} {root.hex()} {digest[:16]}"

    def _take(self, line: str) -> None:
        try:
            tree, root = int(line.split()[0]), bytes.fromhex(line.split()[1])
            if line == self._line(tree, root):
                self.known[tree] = root
        except (ValueError, IndexError, OverflowError):
            pass


# ---- aggregates ----


def aggregate_many(
    profile: _Aggregate,
    work: Iterable[tuple[Statement, Iterable[Signature | bytes]]],
    *,
    context: bytes | None = None,
    memory_limit: int = _aggregate.DEFAULT_MEMORY_LIMIT,
    threads: int = 1,
    tries: int = 3,
) -> Iterator[tuple[int, bytes | BaseException]]:
    """One aggregate for every statement and its signatures, each by one worker on so many threads: yields their numbers, from
    0, and the aggregates, as they come; where it failed `tries` times, the exception. Arguments as for `aggregate.aggregate`.
    """
    items = (
        (number, (profile, bytes(statement), [bytes(each) for each in signatures], context, memory_limit, threads))
        for number, (statement, signatures) in enumerate(work)
    )
    return _spread(_proved, items, tries=tries, num_cpus=float(max(1, threads)))


def _proved(
    profile: _Aggregate, statement: bytes, signatures: list[bytes], context: bytes | None, memory_limit: int, threads: int
) -> bytes:
    """On a worker."""
    said = _aggregate.Statement.from_bytes(statement)
    return _aggregate.aggregate(
        profile, said, signatures, context=context, memory_limit=memory_limit, threads=threads
    )
