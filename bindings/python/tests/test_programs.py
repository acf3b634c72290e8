"""The README's program, the examples and the benchmark run; the stubs say what is there."""

import re
import subprocess
import sys

import pytest
from conftest import PACKAGE


def run(*args, **kwargs):
    done = subprocess.run([sys.executable, *map(str, args)], capture_output=True, text=True, timeout=300, **kwargs)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_readme(tmp_path):
    program = re.search(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL).group(1)
    assert len(program.splitlines()) <= 15
    path = tmp_path / "readme.py"
    path.write_text(program)
    assert "Commitment balanced, 10 variables" in run(path, cwd=tmp_path)


def test_examples():
    examples = sorted((PACKAGE / "examples").glob("*.py"))
    assert examples
    for path in examples:
        if "tqdm" in path.name:
            pytest.importorskip("tqdm")
        run(path)


def test_tqdm_example_shows_progress():
    pytest.importorskip("tqdm")
    text = run(PACKAGE / "examples" / "keygen_tqdm.py")
    assert "100%" in text and "verifies" in text


def test_benchmark():
    text = run(PACKAGE / "bench" / "verify_many.py", "--count", "200", "--rounds", "2")
    for name in ("ed25519", "xmss"):
        assert re.search(rf"{name}.* ratio [0-9.]+", text), text


def test_stubs():
    """mypy's stubtest: every name, argument and default of the stubs is there, and nothing else is."""
    pytest.importorskip("mypy")
    run("-m", "mypy.stubtest", "phalanx", "--concise")


def test_types(tmp_path):
    """The README's program and the examples are well typed; mistakes are not."""
    pytest.importorskip("mypy")
    good = sorted((PACKAGE / "examples").glob("*.py"))
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from phalanx import ed25519, xmss\n"
        "ed25519.verify_many([(b'', b'')])\n"
        "ed25519.verify(b'', b'', b'', profile='lenient')\n"
        "xmss.SigningKey.generate('x', 0, 1).sign(0, 'text')\n"
    )
    run("-m", "mypy", "--strict", "--ignore-missing-imports", *good, cwd=tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(bad)], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 1 and "Found 3 errors" in done.stdout, done.stdout
