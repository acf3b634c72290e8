"""Where Python calls Rust: memory, the interpreter lock, panics, errors, names."""

import mmap
import re
import sys
import threading
import time
from array import array
from pathlib import Path

import pytest
from conftest import PACKAGE, ROOT

import phalanx
from phalanx import ed25519, errors, ligerito, rescue, xmss
from phalanx.ligerito import ref_v08


def resident():
    """Bytes of memory in use, and the most that ever were."""
    status = Path("/proc/self/status").read_text()
    return [1024 * int(re.search(rf"{name}:\s+(\d+) kB", status).group(1)) for name in ("VmRSS", "VmHWM")]


needs_proc = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="reads Linux's /proc")

MIB = 1 << 20
SIZE = 128 * MIB


def memory_taken(call):
    """Bytes of memory that `call` takes at its peak beyond what is in use before."""
    Path("/proc/self/clear_refs").write_text("5")
    before = resident()[0]
    call()
    return resident()[1] - before


def large(kind):
    """`SIZE` bytes that are there already, as an object of some kind."""
    if kind == "bytes":
        return b"\1" * SIZE
    if kind == "mmap":
        memory = mmap.mmap(-1, SIZE)
        memory.write(b"\1" * SIZE)
        return memory
    if kind == "array":
        return array("Q", b"\1" * SIZE)
    if kind == "numpy":
        numpy = pytest.importorskip("numpy")
        return numpy.full(SIZE // 8, 0x0101_0101_0101_0101, dtype=numpy.uint64)
    return {"bytearray": bytearray, "memoryview": memoryview}[kind](b"\1" * SIZE)


@needs_proc
@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview", "mmap", "array", "numpy"])
def test_large_inputs_are_not_copied(kind):
    """A call that is given 128 MiB takes next to no memory."""
    data, key = large(kind), ed25519.SigningKey.from_seed(bytes(32))
    signature = key.sign(b"")
    public = bytes(key.verifying_key)
    taken = memory_taken(lambda: ed25519.verify_many([(public, data, signature)]))
    assert taken < 16 * MIB, f"{taken / MIB:.0f} MiB for a message of {SIZE / MIB:.0f}"
    # The length is wrong, which is seen after the memory was: no state of 12 words divides it.
    with pytest.raises(errors.PartialState):
        rescue.Function("rpo-256").permute(data, out=bytearray(0))
    # No configuration has so few coefficients.
    config = ref_v08.Config.published(12)
    words = data if kind != "array" and kind != "numpy" else memoryview(data).cast("B")

    def refuse():
        with pytest.raises(errors.PolynomialLength) as raised:
            ref_v08.commit(config, words)
        assert raised.value.got == SIZE // 4

    taken = memory_taken(refuse)
    assert taken < 16 * MIB, f"{taken / MIB:.0f} MiB for a polynomial of {SIZE / MIB:.0f}"
    # A list is copied, so that the measure itself can be seen to work.
    if kind == "bytes":
        assert memory_taken(lambda: bytearray(data)) > 100 * MIB


@needs_proc
def test_polynomial_is_not_copied_and_held():
    numpy = pytest.importorskip("numpy")
    log2 = 20
    polynomial = numpy.arange(1 << log2, dtype=numpy.uint32)
    references = sys.getrefcount(polynomial)
    commitment, data = ligerito.commit(polynomial)
    assert sys.getrefcount(polynomial) > references, "held, not copied"
    assert commitment == ligerito.commit(polynomial.tobytes())[0] == ligerito.commit(bytearray(polynomial))[0]
    values, proof = data.open([range(log2)])
    ligerito.verify(ligerito.Accepted.exactly("balanced", log2), commitment, [(range(log2), values[0])], proof)
    del data
    assert sys.getrefcount(polynomial) == references


def test_buffers_are_held_in_place():
    polynomial = bytearray(4096)
    _, data = ligerito.commit(polynomial)
    with pytest.raises(BufferError):
        polynomial.append(0)
    with pytest.raises(BufferError):
        polynomial.clear()
    del data
    polynomial.append(0)
    # Released after a failure too.
    with pytest.raises(errors.PolynomialLength):
        ligerito.commit(polynomial[:8])
    holder = bytearray(8)
    for call in (rescue.Function("rpo-256").permute, ligerito.commit, lambda x: ed25519.verify(x, x, x)):
        with pytest.raises(errors.PhalanxError):
            call(holder)
        holder.append(0)
        holder.pop()


def test_odd_addresses():
    data = bytes(range(256)) * 17
    for shift in range(5):
        view = memoryview(data)[shift : shift + 4096]
        assert ligerito.commit(view)[0] == ligerito.commit(bytes(view))[0]
        words = [int.from_bytes(view[i : i + 8], "little") for i in range(0, 96, 8)]
        assert rescue.Function("rpo-256").permute(view[:96]) == rescue.Function("rpo-256").permute(words)


def in_the_background(call, *args, **kwargs):
    """How often another thread got to run while `call` ran, and how long that took."""
    count, done = 0, threading.Event()

    def beat():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    time.sleep(0.02)
    before, begun = count, time.perf_counter()
    call(*args, **kwargs)
    beats, took = count - before, time.perf_counter() - begun
    done.set()
    thread.join()
    return beats, took


def test_other_threads_run_meanwhile():
    signer = xmss.SigningKey.generate("xmss-poseidon2-l8-d64b8", 0, 256)
    claim = (signer.verifying_key, 0, bytes(32), signer.sign(0, bytes(32)))
    key = ed25519.SigningKey.from_seed(bytes(32))
    entry = (bytes(key.verifying_key), b"", key.sign(b""))
    batch = ed25519.BatchVerifier(profile="strict")
    for _ in range(5000):
        batch.add(*entry)
    _, data = ligerito.commit(bytes(1 << 24))
    states = array("Q", bytes(8 * 12 * 50_000))
    long_calls = [
        lambda: xmss.SigningKey.generate("xmss-poseidon2-l18-d64b8", 0, 4096),
        lambda: xmss.verify_many([claim] * 4000),
        lambda: ed25519.verify_many([entry] * 10_000),
        lambda: ed25519.sign_many(key, [b""] * 10_000),
        batch.verify,
        lambda: rescue.Function("rpo-256").permute(states, out=states),
        lambda: rescue.Function("rpo-256").hash(bytes(1 << 19)),
        lambda: ligerito.commit(bytes(1 << 24)),
        lambda: data.open([[3] * 22]),
    ]
    for number, call in enumerate(long_calls):
        for _ in range(3):
            beats, took = in_the_background(call)
            # A beat a millisecond if nothing is in the way; with the lock held there would be none.
            if beats >= 3 and (beats >= 200 * took or took > 0.05):
                break
        assert beats >= 3, f"call {number}: {beats} beats in {took * 1000:.0f} ms"


def test_what_is_signed_does_not_change():
    """A message that another thread writes to is signed as it was at some moment. Signing hashes it twice: two hashes of
    different messages would give the key away."""
    key, states = ed25519.SigningKey.from_seed(bytes(32)), [bytes(1 << 22), b"\1" + bytes((1 << 22) - 1)]
    message, done = bytearray(states[0]), threading.Event()

    def write():
        while not done.is_set():
            message[0] ^= 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        signatures = [key.sign(message) for _ in range(20)] + ed25519.sign_many([key], [message])
    finally:
        done.set()
        writer.join()
    # A signature whose nonce is of one state and whose hash is of the other verifies too, and gives the key away.
    assert set(signatures) <= {key.sign(state) for state in states}


def test_no_panic_reaches_python():
    with pytest.raises(phalanx.InternalError) as raised:
        phalanx._phalanx._fault()
    assert "on purpose" in str(raised.value) and isinstance(raised.value, RuntimeError)


def test_errors_are_named_like_those_of_rust():
    """Every exception that the Rust side raises by name exists, and every variant of the library's errors is there."""
    files = {str(path.relative_to(PACKAGE / "src")): path.read_text() for path in (PACKAGE / "src").rglob("*.rs")}
    # The last function of the file gives names of checks, not of exceptions.
    files["errors.rs"] = files["errors.rs"].split("fn ref_v08_proof")[0]
    raised = set(re.findall(r'(?:Raised::new\(\s*py,\s*|raised\()"(\w+)"', "".join(files.values())))
    assert len(raised) > 30
    for name in raised:
        assert issubclass(getattr(errors, name), errors.PhalanxError), name
    # Of the crates whose errors Python raises by name: those of custody have codes.
    paths = [path for path in sorted((ROOT / "crates").glob("*/src/**/*.rs")) if "custody" not in path.parts]
    sources = [path.read_text() for path in paths]
    enums = [body for source in sources for body in re.findall(r"^pub enum Error \{(.*?)\n\}", source, re.DOTALL | re.MULTILINE)]
    assert len(enums) == 7, "one for each scheme, one for the published Ligerito, one for aggregates, one for files"
    for body in enums:
        variants = set(re.findall(r"^    ([A-Z]\w+)", body, re.MULTILINE))
        assert variants
        # What cannot be asked for from Python: test shapes, openings in callers' transcripts, polynomials that are streamed,
        # compressions.
        absent = {"InvalidShape", "LateCommitment", "StreamingMemory"}
        absent |= {"StackSizes", "StackedPolynomials", "StackedLength", "NotStacked"}
        absent |= {"NoBlocks", "TooManyBlocks", "UnknownSlot", "InputCount", "FalseSlot"}
        assert variants - absent <= set(errors.__all__), variants - set(errors.__all__)
    assert set(errors.__all__) == {
        name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)
    }


def test_errors_pickle():
    import pickle

    with pytest.raises(errors.Malformed) as raised:
        ligerito.Commitment.from_bytes(b"short")
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and (again.what, again.got, again.wanted) == ("length in bytes", 5, 34)


def test_version_is_the_workspaces():
    from importlib.metadata import version

    text = (ROOT / "Cargo.toml").read_text()
    wanted = re.search(r'\[workspace\.package\]\s+version = "([^"]+)"', text).group(1)
    assert phalanx.__version__ == version("phalanx") == wanted


def test_backends():
    assert phalanx.backend() in phalanx.available_backends()
    assert "portable" in phalanx.available_backends()
