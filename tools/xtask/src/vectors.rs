//! `cargo xtask vectors`: the runner of vector files (`tools/vectors`), built as the command line is.

use crate::cargo::root;
use std::process::{Command, ExitCode, Stdio};

/// Runs the runner where we were started, since paths are seen from there, and gives its exit code.
pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", "phalanx-vectors", "--manifest-path"]);
    command.arg(root().join("Cargo.toml")).arg("--").args(arguments).stdin(Stdio::null());
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(4)),
        Err(error) => {
            eprintln!("xtask: error: cargo does not start: {error}");
            ExitCode::from(4)
        }
    }
}
