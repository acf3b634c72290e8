//! The Python package: a wheel, installed in a fresh environment, and its tests.

use crate::steps::{Outcome, Steps, Stop};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What builds wheels.
pub(crate) const MATURIN: &str = "maturin==1.16.0";

/// The oldest minor version of Python 3 that the wheel is for.
const OLDEST: u32 = 9;

/// The oldest without an interpreter lock that PyO3 is for.
const OLDEST_THREADED: u32 = 14;

/// Builds and tests it: one wheel, under the oldest and the newest interpreter that are at hand.
pub(super) fn run(steps: &mut Steps) -> Result<Outcome, Stop> {
    let mut found = interpreters();
    found.sort_by_key(|interpreter| interpreter.minor);
    let (threaded, found): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|interpreter| interpreter.is_free_threaded);
    let (Some(oldest), Some(newest)) = (found.first(), found.last()) else {
        return Ok(Outcome::Skipped(format!("no Python 3.{OLDEST} or later, with venv, is here")));
    };
    let root = crate::cargo::root();
    let place = crate::cargo::target().join("bindings").join("python");
    let tools = place.join("tools");
    if let Err(reason) = provide(newest, &tools) {
        return Ok(Outcome::Skipped(reason));
    }
    let wheel = build(steps, &place, &tools, newest)?;
    test(steps, &root, &place, newest, &wheel, true)?;
    if oldest.minor < newest.minor {
        test(steps, &root, &place, oldest, &wheel, false)?;
    }
    match threaded.last() {
        Some(interpreter) => {
            let wheel = build(steps, &place, &tools, interpreter)?;
            test(steps, &root, &place, interpreter, &wheel, false)?;
        }
        None => steps.not_run("Python without the interpreter lock", "no free-threaded interpreter is here"),
    }
    Ok(Outcome::Ran)
}

/// An interpreter that can make environments.
struct Interpreter {
    program: PathBuf,
    /// Of version 3.
    minor: u32,
    is_free_threaded: bool,
}

impl Interpreter {
    fn version(&self) -> String {
        format!("3.{}{}", self.minor, if self.is_free_threaded { "t" } else { "" })
    }
}

/// Names a free-threaded interpreter that is not on the path.
const THREADED: &str = "PHALANX_THREADED_PYTHON";

/// The newest free-threaded interpreter at hand.
pub(crate) fn free_threaded() -> Option<PathBuf> {
    let found = interpreters().into_iter().filter(|interpreter| interpreter.is_free_threaded);
    found.max_by_key(|interpreter| interpreter.minor).map(|interpreter| interpreter.program)
}

/// Interpreters on the path, and those that pyenv has.
fn interpreters() -> Vec<Interpreter> {
    let mut candidates = vec![PathBuf::from("python3"), PathBuf::from("python")];
    candidates.extend(std::env::var_os(THREADED).map(PathBuf::from));
    for minor in OLDEST..20 {
        candidates.push(PathBuf::from(format!("python3.{minor}")));
        candidates.push(PathBuf::from(format!("python3.{minor}t")));
    }
    let home = || std::env::home_dir().map(|home| home.join(".pyenv"));
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(home);
    let versions = pyenv.and_then(|pyenv| std::fs::read_dir(pyenv.join("versions")).ok());
    candidates.extend(
        versions.into_iter().flatten().flatten().map(|entry| entry.path().join("bin").join("python3")),
    );
    candidates.into_iter().filter_map(|program| probe(&program)).collect()
}

/// What `program` is, if it is a Python that the wheel is for.
fn probe(program: &Path) -> Option<Interpreter> {
    let script = "import sys, sysconfig, venv, ensurepip\n\
        print(sys.implementation.name, *sys.version_info[:2], sysconfig.get_config_var('Py_GIL_DISABLED') or 0)";
    let output = Command::new(program).args(["-c", script]).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let (minor, is_free_threaded) = fitting(&text)?;
    Some(Interpreter { program: program.to_owned(), minor, is_free_threaded })
}

/// The minor version in what an interpreter says of itself, and whether it is free-threaded; `None` if no wheel is for it.
fn fitting(told: &str) -> Option<(u32, bool)> {
    let mut words = told.split_whitespace();
    let (name, major) = (words.next()?, words.next()?);
    let minor: u32 = words.next()?.parse().ok()?;
    let is_free_threaded = words.next()? == "1";
    let oldest = if is_free_threaded { OLDEST_THREADED } else { OLDEST };
    (name == "cpython" && major == "3" && minor >= oldest).then_some((minor, is_free_threaded))
}

/// The environment `tools` with maturin, unless it is there. The reason if there is none to be had.
fn provide(interpreter: &Interpreter, tools: &Path) -> Result<(), String> {
    let has = |tools: &Path| {
        let version = Command::new(python_in(tools)).args(["-m", "maturin", "--version"]).output();
        let wanted = MATURIN.replace("==", " ");
        version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == wanted)
    };
    if has(tools) {
        return Ok(());
    }
    let venv = Command::new(&interpreter.program)
        .args(["-m", "venv", "--clear"])
        .arg(tools)
        .stdin(Stdio::null())
        .status();
    if !venv.is_ok_and(|status| status.success()) {
        return Err(format!("Python {} makes no environment", interpreter.version()));
    }
    let installed = pip(&python_in(tools)).arg(MATURIN).stdin(Stdio::null()).status();
    if installed.is_ok_and(|status| status.success()) && has(tools) {
        Ok(())
    } else {
        Err(format!("pip installs no {MATURIN} here"))
    }
}

/// What builds the wheel for `interpreter`: maturin of the environment of `python`.
pub(crate) fn maturin(python: &Path, interpreter: &Path) -> Command {
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--release", "--locked"]);
    maturin.args(["--manifest-path", "bindings/python/Cargo.toml", "--interpreter"]).arg(interpreter);
    maturin.current_dir(crate::cargo::root());
    maturin
}

/// Builds the wheel, in the workspace's own target folder, and gives its path.
fn build(steps: &mut Steps, place: &Path, tools: &Path, interpreter: &Interpreter) -> Result<PathBuf, Stop> {
    let wheels = place.join(format!("wheel-{}", interpreter.version()));
    // What an earlier version left.
    std::fs::remove_dir_all(&wheels).ok();
    let mut maturin = maturin(&python_in(tools), &interpreter.program);
    maturin.arg("--out").arg(&wheels);
    steps.run(&format!("Python {}: wheel", interpreter.version()), &mut maturin)?;
    let built = std::fs::read_dir(&wheels).into_iter().flatten().flatten().map(|entry| entry.path());
    let wheel = built.into_iter().find(|path| path.extension() == Some(OsStr::new("whl")));
    wheel.ok_or_else(|| steps.fail("Python wheel", "maturin left none"))
}

/// Installs `wheel` in a fresh environment and runs the tests; those of types only if `whole`, when none may be skipped.
fn test(
    steps: &mut Steps,
    root: &Path,
    place: &Path,
    interpreter: &Interpreter,
    wheel: &Path,
    whole: bool,
) -> Result<(), Stop> {
    let version = interpreter.version();
    let venv = place.join(format!("venv-{version}"));
    let mut make = Command::new(&interpreter.program);
    make.args(["-m", "venv", "--clear"]).arg(&venv);
    steps.run(&format!("Python {version}: fresh environment"), &mut make)?;
    let mut install = pip(&python_in(&venv));
    if whole {
        let mut with_tests = wheel.as_os_str().to_owned();
        with_tests.push("[tests]");
        install.arg(with_tests);
    } else {
        install.arg(wheel).args(["pytest", "numpy", "tqdm"]);
    }
    steps.run(&format!("Python {version}: install the wheel"), &mut install)?;
    let mut tests = Command::new(python_in(&venv));
    tests
        .args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "bindings/python/tests"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(root);
    // Elsewhere there is no /proc to read memory from, and perhaps no alarm.
    if whole && cfg!(target_os = "linux") {
        tests.env("PHALANX_SKIP_NOTHING", "1");
    }
    steps.run(&format!("Python {version}: tests"), &mut tests)
}

/// The interpreter of an environment.
fn python_in(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts").join("python.exe") } else { venv.join("bin").join("python") }
}

/// `pip install` for an environment, without chatter.
fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]);
    command
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn wheels_are_for_the_interpreters_that_pyo3_is_for() {
        assert_eq!(fitting("cpython 3 9 0\n"), Some((9, false)));
        assert_eq!(fitting("cpython 3 14 1\n"), Some((14, true)));
        for other in [
            "cpython 3 8 0",
            "cpython 3 13 1",
            "cpython 2 14 0",
            "pypy 3 11 0",
            "cpython 3 x 0",
            "cpython 3 9",
        ] {
            assert_eq!(fitting(other), None, "{other}");
        }
    }
}
