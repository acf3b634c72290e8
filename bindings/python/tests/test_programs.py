"""The README's program, the examples and the benchmark run; the stubs say what is there."""

import re
import subprocess
import sys

import pytest
import stub_docs
from conftest import HAS_RAY, PACKAGE


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
        # That of the cluster is run where there is one, in test_cluster.py.
        if path.name != "cluster.py":
            run(path)


def test_tqdm_example_shows_progress():
    pytest.importorskip("tqdm")
    text = run(PACKAGE / "examples" / "keygen_tqdm.py")
    assert "100%" in text and "verifies" in text


def test_benchmark():
    text = run(PACKAGE / "bench" / "verify_many.py", "--count", "200", "--rounds", "2")
    for name in ("ed25519", "xmss"):
        assert re.search(rf"{name}.* ratio [0-9.]+", text), text


def test_stubs(tmp_path):
    """mypy's stubtest: every name, argument and default of the stubs is there, and nothing else is."""
    pytest.importorskip("mypy")
    absent = tmp_path / "absent"
    absent.write_text("" if HAS_RAY else "phalanx.cluster\n")
    run("-m", "mypy.stubtest", "phalanx", "--concise", "--allowlist", absent)


def test_stubs_are_documented():
    """Editors show what the extension module says."""
    assert stub_docs.differences() == [], "python bindings/python/tests/stub_docs.py writes them"


BAD = """from phalanx import ed25519, xmss
ed25519.verify_many([(b'', b'')])
ed25519.verify(b'', b'', b'', profile='lenient')
xmss.SigningKey.generate('x', 0, 1).sign(0, 'text')
ed25519.SigningKey.from_seed('text')
"""


def programs(folder):
    """Every program that the package shows, the README's among them."""
    readme = folder / "readme.py"
    readme.write_text(re.search(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL).group(1))
    return [readme, *sorted((PACKAGE / "examples").glob("*.py"))]


def test_types(tmp_path):
    """The README's program and the examples are well typed; mistakes are not."""
    pytest.importorskip("mypy")
    good = programs(tmp_path)
    bad = tmp_path / "bad.py"
    bad.write_text(BAD)
    run("-m", "mypy", "--strict", "--ignore-missing-imports", *good, cwd=tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(bad)], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 1 and "Found 4 errors" in done.stdout, done.stdout


def test_types_by_pyright(tmp_path):
    """The same by pyright, as strict as it is, which editors run."""
    pytest.importorskip("pyright")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "reportMissingModuleSource": false}')
    for path in programs(tmp_path):
        (tmp_path / path.name).write_text(path.read_text())
    check = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(check, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "bad.py").write_text(BAD)
    done = subprocess.run([*check, "bad.py"], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 1 and "4 errors" in done.stdout, done.stdout
