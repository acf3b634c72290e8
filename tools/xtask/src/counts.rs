//! `cargo xtask counts`: counts of instructions, by the program in `tools/counts`.

use crate::cargo::{cargo, root};
use std::process::ExitCode;

/// Runs it. Of some operations only, the tables go to the target folder: those of the repository have all.
pub(crate) fn run(operations: &[&str]) -> ExitCode {
    let folder = if operations.is_empty() {
        root().join("docs/counts")
    } else {
        crate::cargo::target().join("counts")
    };
    let mut counts = cargo("run --quiet --release -p phalanx-counts --");
    counts.arg(folder).args(operations);
    match counts.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: error: could not start: {error}");
            ExitCode::from(4)
        }
    }
}
