//! `phalanx verify-many`: starts the program of the package `phalanx-bulk`, which reads what this one does not.

use crate::exit::{Exit, Failure};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Verify files of signatures: JSON lines, CSV or Parquet, all schemes, with a report
///
/// Starts the program 'phalanx-verify-many' with these arguments: the one beside this program, or that of PATH. It is
/// a package of its own, phalanx-bulk.
#[derive(clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "Example: phalanx verify-many signatures.parquet --out verified"
)]
pub(crate) struct Args {
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// Runs it, and ends as it does.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let name = format!("phalanx-verify-many{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok().map(|this| this.with_file_name(&name));
    let program = beside.filter(|program| program.is_file()).unwrap_or_else(|| PathBuf::from(&name));
    match Command::new(&program).args(&args.arguments).status() {
        // What no code says, a signal ended.
        Ok(status) => Ok(Exit::of_program(status.code())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::usage(
            "the program 'phalanx-verify-many' is neither beside this one nor in PATH",
        )
        .hint("a release has it in an archive of its own; from source: 'cargo install --path crates/bulk'")),
        Err(error) => Err(Failure::system(format_args!("cannot start '{}': {error}", program.display()))),
    }
}
