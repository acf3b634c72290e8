//! What packaging needs beside Rust: programs from PyPI, in an environment of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bindings::MATURIN;
use crate::cargo::{root, target};
use crate::programs::said;

/// With their versions: two machines make the same with the same tools.
const PROGRAMS: [&str; 5] =
    [MATURIN, "ziglang==0.15.2", "cargo-zigbuild==0.24.0", "wheel==0.45.1", "twine==6.2.0"];

/// The environment.
pub(super) struct Tools {
    folder: PathBuf,
    /// When the sources were committed, in seconds of Unix: the time of everything in an archive.
    pub(super) epoch: String,
}

impl Tools {
    /// Installs what is missing below the target folder.
    pub(super) fn install() -> Result<Self, String> {
        let folder = target().join("package").join("tools");
        let tools = Self { folder, epoch: epoch()? };
        if !tools.python().is_file() {
            let make = |name: &str| said(Command::new(name).args(["-m", "venv"]).arg(&tools.folder));
            make("python3").or_else(|problem| make("python").map_err(|_| problem))?;
        }
        let listed = said(Command::new(tools.python()).args(["-m", "pip", "freeze", "--all"]))?;
        let missing: Vec<_> =
            PROGRAMS.into_iter().filter(|program| !listed.lines().any(|line| line == *program)).collect();
        if !missing.is_empty() {
            said(Command::new(tools.python()).args(["-m", "pip", "install", "--quiet"]).args(missing))?;
        }
        Ok(tools)
    }

    pub(super) fn python(&self) -> PathBuf {
        self.bin().join(if cfg!(windows) { "python.exe" } else { "python" })
    }

    /// Where the programs are.
    pub(super) fn bin(&self) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts" } else { "bin" })
    }

    /// One of our scripts, run by the environment's Python.
    pub(super) fn script(&self, name: &str) -> Command {
        let mut command = Command::new(self.python());
        command.arg(root().join("tools/xtask/src/package").join(name)).env("SOURCE_DATE_EPOCH", &self.epoch);
        command
    }
}

/// Packs `folder` into `archive`, the same on every machine, with any Python.
pub(crate) fn pack(python: &Path, folder: &Path, archive: &Path) -> Result<(), String> {
    let script = root().join("tools/xtask/src/package/archive.py");
    said(Command::new(python).arg(script).arg(folder).arg(archive).arg(epoch()?)).map(drop)
}

/// `SOURCE_DATE_EPOCH`, or the time of the last commit.
fn epoch() -> Result<String, String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(given) = std::env::var("SOURCE_DATE_EPOCH").ok().filter(|given| digits(given)) {
        return Ok(given);
    }
    let answer = said(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()));
    let answer = answer.map_err(|why| format!("the time of the sources: set SOURCE_DATE_EPOCH ({why})"))?;
    let time = answer.trim();
    if digits(time) { Ok(time.to_owned()) } else { Err(format!("git gives no time: {time}")) }
}
