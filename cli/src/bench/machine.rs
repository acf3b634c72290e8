//! Where and of what a measurement was taken.

use super::measure::Plan;
use phalanx::Threads;
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine, and the program on it.
#[derive(Serialize)]
pub(super) struct Machine {
    /// Name of the CPU, as far as the system tells.
    pub(super) cpu: String,
    /// Threads the system can run at the same time.
    pub(super) cores: usize,
    /// Operating system.
    pub(super) os: &'static str,
    /// Architecture.
    pub(super) arch: &'static str,
    /// Backends measured.
    pub(super) backends: Vec<&'static str>,
    /// Version of the program.
    pub(super) version: &'static str,
    /// Seconds since 1970.
    pub(super) time_unix: u64,
}

impl Machine {
    /// This one, now.
    pub(super) fn this(plan: &Plan<'_>) -> Self {
        Self {
            cpu: cpu().unwrap_or_else(|| "unknown".to_owned()),
            cores: Threads::available().count(),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            backends: plan.backends.iter().map(|backend| backend.name()).collect(),
            version: env!("CARGO_PKG_VERSION"),
            time_unix: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        }
    }
}

/// Linux tells the name of the CPU in a file.
fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The commit: from `PHALANX_COMMIT` now or when the program was built, else from the repository one works in if it is
/// phalanx's, else unknown.
pub(super) fn commit() -> String {
    let given = std::env::var("PHALANX_COMMIT").ok().filter(|commit| !commit.is_empty());
    given
        .or_else(|| option_env!("PHALANX_COMMIT").map(str::to_owned))
        .or_else(commit_here)
        .unwrap_or_else(|| "unknown".to_owned())
}

fn commit_here() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let root = here.ancestors().find(|folder| folder.join(".git").is_dir())?;
    if !root.join("crates/phalanx/src/lib.rs").is_file() {
        return None;
    }
    head(&root.join(".git"))
}

/// The commit that `HEAD` of a git folder names.
fn head(git: &Path) -> Option<String> {
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let head = head.trim();
    let Some(reference) = head.strip_prefix("ref: ") else { return Some(head.to_owned()) };
    if let Ok(commit) = fs::read_to_string(git.join(reference)) {
        return Some(commit.trim().to_owned());
    }
    let packed = fs::read_to_string(git.join("packed-refs")).ok()?;
    let line = packed.lines().find_map(|line| line.strip_suffix(reference));
    line.map(|commit| commit.trim().to_owned())
}
