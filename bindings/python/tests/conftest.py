"""What the tests share: the repository's vectors, and the package as it is installed."""

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "vectors"
PACKAGE = ROOT / "bindings" / "python"

# There is no Ray for newer ones yet.
HAS_RAY = importlib.util.find_spec("ray") is not None
collect_ignore = [] if HAS_RAY or sys.version_info < (3, 15) else ["test_cluster.py"]


def load(name):
    """The vector file `name`. Nothing to run is a failure."""
    value = json.loads((VECTORS / name).read_text())
    assert value, name
    return value


def unhex(text):
    return bytes.fromhex(text)


def xorshift_words(seed, count):
    """The polynomials of the vectors: low halves of a generator's words."""
    from array import array

    x, words = seed, array("I", bytes(4 * count))
    for i in range(count):
        x = (x ^ x << 13) & 0xFFFF_FFFF_FFFF_FFFF
        x ^= x >> 7
        x = (x ^ x << 17) & 0xFFFF_FFFF_FFFF_FFFF
        words[i] = x & 0xFFFF_FFFF
    return words


def pytest_report_header(config):
    import phalanx

    installed = Path(phalanx.__file__).resolve()
    assert PACKAGE not in installed.parents, f"the tests want the installed wheel, not {installed}"
    not_run = "".join(f", not run: {name}" for name in collect_ignore)
    return f"phalanx {phalanx.__version__}, {phalanx.backend()}, {installed.parent}{not_run}"


def pytest_sessionfinish(session, exitstatus):
    """With PHALANX_SKIP_NOTHING=1 a test that was skipped is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("PHALANX_SKIP_NOTHING") == "1" and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
