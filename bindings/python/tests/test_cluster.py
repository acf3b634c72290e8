"""Work spread over a Ray of several processes on this machine: what comes out is what one process makes."""

import base64
import mmap
import os
import pickle
import runpy
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from conftest import PACKAGE
from test_bulk import rows, same

from phalanx import __version__, aggregate, bulk, errors, xmss

ray = pytest.importorskip("ray", reason="Ray is not installed: the extra phalanx[ray]")
from phalanx import cluster  # noqa: E402

SET = "xmss-poseidon2-l8-d64b8"
SEED = bytes(range(160, 192))
# Of Ray itself: what older ones say of newer ones, and processes that they leave to the collector.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found in /proc")


@pytest.fixture(scope="module", autouse=True)
def session():
    """The folder of a Ray with two processors."""
    # A short path, since those of sockets are in it.
    folder = Path(tempfile.mkdtemp(prefix="phalanx-ray-"))
    os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0", PHALANX_TEST_SEED=SEED.hex())
    context = ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=80 << 20,
        _temp_dir=str(folder),
        log_to_driver=False,
        configure_logging=False,
    )
    yield Path(context.address_info["session_dir"])
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def processes(title):
    """Numbers of processes that this one started, or they did, whose title has `title` in it."""
    parents, found = {}, []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if title in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        except OSError:
            pass

    def is_ours(process):
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    return [process for process in found if process != os.getpid() and is_ours(process)]


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    """Three files, chunks that take a while, and what one process says of them."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "a.jsonl").write_text(rows(500, {3}) * 72)
    (folder / "b.jsonl").write_text(rows(500) * 24 + "no row\n")
    (folder / "c.parquet").write_text("nothing of the kind")
    files = [folder / "a.jsonl", str(folder / "b.jsonl"), folder / "c.parquet"]
    report = bulk.run(files, folder / "whole", chunk_rows=2000)
    assert report["totals"] == {"total": 48001, "valid": 47928, "invalid": 72, "malformed": 1}
    return files, folder / "whole", report


def test_the_report_is_that_of_one_process(job, tmp_path):
    files, whole, report = job
    told = []
    out = tmp_path / "out"
    assert cluster.verify_files(files, out, chunk_rows=2000, progress=lambda *each: told.append(each)) == report
    same(whole, out)
    assert told[0] == (0, 48001) and told[-1] == (48001, 48001) and len(told) == 26 and told == sorted(told)
    with pytest.raises(errors.Usage, match="not empty"):
        cluster.verify_files(files, out, chunk_rows=2000)
    # What is there whole is not done again, what is damaged is.
    chunks = sorted((out / "chunks").iterdir())
    assert len(chunks) == 25
    data = bytearray(chunks[4].read_bytes())
    data[100] ^= 1
    chunks[4].write_bytes(data)
    before = [chunk.stat().st_mtime_ns for chunk in chunks]
    told.clear()
    cluster.verify_files(files, out, chunk_rows=2000, resume=True, progress=lambda *each: told.append(each))
    assert told == [(46001, 48001), (48001, 48001)]
    changed = [index for index, chunk in enumerate(chunks) if chunk.stat().st_mtime_ns != before[index]]
    assert changed == [4]
    same(whole, out)


@linux
def test_workers_that_are_killed(job, tmp_path):
    """Workers at work are killed, up to three: without a second try their chunks are in quarantine, with it nothing is seen."""
    files, whole, report = job
    killed, over = [], threading.Event()

    def kill():
        while not over.is_set() and len(killed) < 3:
            for worker in processes(b"ray::_call")[:1]:
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)
            time.sleep(0.005)

    def verify(out, **options):
        killed.clear()
        over.clear()
        killer = threading.Thread(target=kill)
        # Once the files are planned.
        begin = lambda done, total: done or killer.start()  # noqa: E731
        try:
            return cluster.verify_files(files, out, chunk_rows=2000, progress=begin, **options)
        finally:
            over.set()
            killer.join()

    once = verify(tmp_path / "once", tries=1)
    assert killed and len(once["quarantined"]) >= 1
    assert all("died" in each["reason"] or "crash" in each["reason"].lower() for each in once["quarantined"]), once
    lost = sum(each["rows"] for each in once["quarantined"])
    assert once["totals"]["malformed"] >= lost and once["verdicts_root"] != report["verdicts_root"]
    assert cluster.verify_files(files, tmp_path / "once", chunk_rows=2000, resume=True) == report
    same(whole, tmp_path / "once")

    assert verify(tmp_path / "again", tries=9) == report
    assert killed
    same(whole, tmp_path / "again")


def test_a_chunk_that_keeps_failing_stops_no_other(job, tmp_path):
    files, whole, report = job
    second, out = Path(files[1]), tmp_path / "out"
    contents = second.read_bytes()

    def cut(done, total):
        if not done:
            second.write_bytes(contents[:-1])

    try:
        failed = cluster.verify_files(files, out, chunk_rows=2000, tries=2, progress=cut)
    finally:
        second.write_bytes(contents)
    assert [(each["input"], each["rows"]) for each in failed["quarantined"]] == [(1, 2000)] * 6 + [(1, 1)]
    assert all("has changed since it was planned" in each["reason"] for each in failed["quarantined"])
    assert failed["inputs"][0] == report["inputs"][0] and failed["inputs"][1]["totals"]["malformed"] == 12001
    assert "were not verified" in (out / "report.html").read_text()
    assert cluster.verify_files(files, out, chunk_rows=2000, resume=True) == report
    same(whole, out)


def test_what_is_no_job(job, tmp_path):
    files, _, _ = job
    with pytest.raises(errors.System, match="nowhere"):
        cluster.verify_files([files[0], tmp_path / "nowhere"], tmp_path / "out", tries=1)
    with pytest.raises(errors.Usage):
        cluster.verify_files(files, tmp_path / "out", profile="lenient", tries=1)
    with pytest.raises(errors.Usage):
        cluster.verify_files([], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_not_shared(job, tmp_path, monkeypatch):
    """A worker whose result the driver does not see, and one that sees another plan."""
    files, whole, _ = job
    plan = bulk.Plan.from_json((whole / "plan.json").read_bytes())
    with pytest.raises(errors.Usage, match="another plan on this host"):
        cluster._verified(str(whole), bytes(32), 0)
    monkeypatch.setattr(cluster, "_verified", print)
    report = cluster.verify_files(files, tmp_path / "out", chunk_rows=2000)
    assert len(report["quarantined"]) == len(plan) == 25
    assert all("is the folder shared?" in each["reason"] for each in report["quarantined"])


def odd_or_deadly(number):
    if number == 3:
        os._exit(1)
    if number == 5:
        raise ValueError("five")
    return number * number


def test_tasks_are_tried_again_and_given_up():
    """Two that never come to an end hold up nobody: as many as there are come out, each once."""
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        outcomes = dict(cluster._spread(odd_or_deadly, ((n, (n,)) for n in range(12)), tries=2))
    finally:
        ray.cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    good = {n: n * n for n in range(12) if n not in (3, 5)}
    assert {n: outcome for n, outcome in outcomes.items() if n in good} == good and len(outcomes) == 12
    assert isinstance(outcomes[3], ray.exceptions.WorkerCrashedError) and isinstance(outcomes[5], ValueError)
    assert cluster._reason(outcomes[5]) == "ValueError: five"
    with pytest.raises(RuntimeError, match=f"has phalanx {__version__}, the job is of 0.0.0"):
        cluster._call("0.0.0", odd_or_deadly, (1,))


# ---- keys ----


@pytest.fixture()
def seed_file(tmp_path):
    path = tmp_path / "seed"
    path.write_bytes(SEED)
    path.chmod(0o600)
    return path


def forms(secret):
    return [secret, secret.hex().encode(), secret.hex().upper().encode(), base64.b64encode(secret)]


def memory_holds(process, secret):
    """Whether a process has `secret` in memory that it can write to, what it shares with others included."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in maps:
            place, access = line.split()[:2]
            if not access.startswith("rw"):
                continue
            start, end = (int(number, 16) for number in place.split("-"))
            try:
                for at in range(start, end, 16 << 20):
                    memory.seek(at)
                    if secret in memory.read(min(end - at, (16 << 20) + len(secret))):
                        return True
            except (OSError, ValueError):
                continue
    return False


def in_logs(session, secret):
    for path in session.rglob("*"):
        if path.is_file() and path.stat().st_size:
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
                if contents.find(secret) >= 0:
                    return str(path)
    return None


def test_the_key_is_that_of_one_machine(seed_file, tmp_path):
    whole = xmss.SigningKey.generate(SET, 0, 256, seed=SEED)
    for name, source in [("file", {"seed_file": seed_file}), ("variable", {"seed_variable": "PHALANX_TEST_SEED"})]:
        told = []
        key = cluster.generate_key(
            SET,
            0,
            256,
            checkpoint=tmp_path / f"{name}.roots",
            trees_per_task=3,
            progress=lambda *each: told.append(each),
            **source,
        )
        assert key.to_bytes() == whole.to_bytes()
        assert told[0] == (0, 16) and told[-1] == (16, 16) and told == sorted(told)
    seed_file.write_text(SEED.hex().upper() + "\n")
    blake = "xmss-blake2s-l32-d42b8"
    key = cluster.generate_key(
        xmss.ParameterSet(blake), 7, 600, checkpoint=tmp_path / "blake.roots", seed_file=str(seed_file)
    )
    assert key.to_bytes() == xmss.SigningKey.generate(blake, 7, 600, seed=SEED).to_bytes()


def test_an_interrupted_generation_goes_on(seed_file, tmp_path):
    checkpoint = tmp_path / "roots"

    def generate(**options):
        return cluster.generate_key(SET, 0, 256, checkpoint=checkpoint, seed_file=seed_file, **options)

    def stop(done, total):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(progress=stop)
    head, *lines = checkpoint.read_text().splitlines()
    assert len(lines) == 5
    # One torn, one damaged: three are left.
    tree, root, digest = lines[0].split()
    damaged = " ".join([tree, ("0" if root[0] != "0" else "1") + root[1:], digest])
    checkpoint.write_text("\n".join([head, damaged, *lines[1:4], lines[4][:-3]]))
    told = []
    key = generate(progress=lambda *each: told.append(each))
    assert told[0] == (3, 16) and told[1] == (4, 16)
    assert key.to_bytes() == xmss.SigningKey.generate(SET, 0, 256, seed=SEED).to_bytes()
    assert len(checkpoint.read_text().splitlines()) == 15
    told.clear()
    generate(progress=lambda *each: told.append(each))
    assert told[0] == (14, 16)
    # Of another interval, or of another seed.
    with pytest.raises(ValueError, match="no roots of this seed"):
        cluster.generate_key(SET, 0, 128, checkpoint=checkpoint, seed_file=seed_file)
    seed_file.write_bytes(bytes(32))
    with pytest.raises(ValueError, match="no roots of this seed"):
        generate()


def test_a_wrong_root_makes_no_key(seed_file, tmp_path):
    """A machine that computed another root, and wrote it as it should be written, is found when all are computed again."""
    checkpoint = tmp_path / "roots"
    cluster.generate_key(SET, 0, 256, checkpoint=checkpoint, seed_file=seed_file)
    generation = xmss.KeyGeneration(SET, 0, 256, seed=SEED)
    roots = cluster._Roots(checkpoint, generation.commitment)
    roots.add([9], [roots.known[10]])
    with pytest.raises(errors.SelfCheckFailed, match="bottom tree 9"):
        cluster.generate_key(SET, 0, 256, checkpoint=checkpoint, seed_file=seed_file, recheck=1.0)


def test_seeds_that_are_none(seed_file, tmp_path):
    def generate(**source):
        return cluster.generate_key(SET, 0, 256, checkpoint=tmp_path / "roots", **source)

    with pytest.raises(TypeError, match="either"):
        generate()
    with pytest.raises(TypeError, match="either"):
        generate(seed_file=seed_file, seed_variable="PHALANX_TEST_SEED")
    with pytest.raises(ValueError, match="'PHALANX_NO_SEED' holds no seed"):
        generate(seed_variable="PHALANX_NO_SEED")
    with pytest.raises(FileNotFoundError):
        generate(seed_file=tmp_path / "nowhere")
    for wrong in (b"", SEED + b"\n", SEED[:31], SEED.hex().encode()[:-1], SEED.hex().encode() + b"00", b"x" * 64, b"a" * 2000):
        seed_file.write_bytes(wrong)
        with pytest.raises(ValueError, match="holds no seed") as raised:
            generate(seed_file=seed_file)
        assert SEED.hex()[:8] not in str(raised.value)
    seed_file.write_bytes(SEED)
    if os.name == "posix":
        seed_file.chmod(0o640)
        with pytest.raises(PermissionError, match="can be read by others"):
            generate(seed_file=seed_file)
        seed_file.chmod(0o600)
    with pytest.raises(errors.Interval):
        cluster.generate_key(SET, 0, 257, checkpoint=tmp_path / "roots", seed_file=seed_file)
    assert not (tmp_path / "roots").exists()
    # A host whose seed is another does not take part.
    source = ("file", str(seed_file))
    with pytest.raises(errors.Usage, match="is another"):
        cluster._roots_of(SET, 0, 256, source, bytes(32), [2])


@linux
def test_a_seed_goes_nowhere(session, seed_file, tmp_path, monkeypatch):
    """Not into arguments of tasks, nor into the logs, the checkpoint, or the memory of Ray's own processes."""
    seed = bytes(os.urandom(32))
    seed_file.write_bytes(seed)
    sent, spread = [], cluster._spread

    def watched(work, items, **options):
        items = list(items)
        sent.append(pickle.dumps(items))
        return spread(work, items, **options)

    monkeypatch.setattr(cluster, "_spread", watched)
    checkpoint = tmp_path / "roots"
    key = cluster.generate_key(SET, 0, 256, checkpoint=checkpoint, seed_file=seed_file, recheck=0.2)
    assert len(sent) == 2 and str(seed_file).encode() in sent[0]
    servers = processes(b"raylet/raylet") + processes(b"gcs_server")
    assert len(servers) >= 2
    for form in forms(seed):
        assert form not in b"".join(sent) and form not in checkpoint.read_bytes()
        assert in_logs(session, form) is None
        assert not any(memory_holds(process, form) for process in servers)
    for form in forms(SEED):
        assert in_logs(session, form) is None
    # What goes through Ray is found: the name of a task that was given one, and an object.
    held = ray.put(seed * 10_000)
    assert any(memory_holds(process, seed) for process in servers)
    (session / "logs" / "of-this-test.log").write_bytes(b"... " + seed.hex().encode())
    assert in_logs(session, seed.hex().encode())
    del held, key


# ---- aggregates ----


def test_a_worker_for_each_aggregate():
    made = "xmss-blake2s-l32-d42b8"
    profile = aggregate.PROFILES[0]
    work = []
    for number in range(3):
        key = xmss.SigningKey.generate(made, 0, 1, seed=bytes([number]) * 32)
        statement = aggregate.Statement([(0, bytes(32), [key.verifying_key])])
        work.append((statement, [key.sign(0, bytes(32))]))
    work[1][1][0] = work[2][1][0]
    proofs = dict(cluster.aggregate_many(profile, work, context=b"c", tries=1))
    assert sorted(proofs) == [0, 1, 2] and isinstance(proofs[1], errors.InvalidSignature)
    for number in (0, 2):
        statement, signatures = work[number]
        aggregate.verify(aggregate.Limits(profile), statement, proofs[number], context=b"c")
        assert proofs[number] == aggregate.aggregate(profile, statement, signatures, context=b"c")


def test_the_example(capsys):
    runpy.run_path(str(PACKAGE / "examples" / "cluster.py"), run_name="__main__")
    assert "'total': 3001, 'valid': 3000, 'invalid': 1, 'malformed': 0" in capsys.readouterr().out
