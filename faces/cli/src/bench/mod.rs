//! `phalanx bench`: kernels and whole operations, per backend (stub; the engineer of the benchmarks replaces this file).
//!
//! `--json F` names a file here, so the command is given a text [`Output`].

use crate::exit::{Exit, Failure};
use crate::output::Output;
use std::path::PathBuf;

/// Measure kernels and whole operations, per backend
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: phalanx bench xmss --quick --json results.json")]
pub(crate) struct Args {
    /// Only this system, such as `xmss`
    pub(crate) system: Option<String>,
    /// Write the results as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "F")]
    pub(crate) json: Option<PathBuf>,
    /// Write a report with charts to this file
    #[arg(long, value_name = "F.html")]
    pub(crate) report: Option<PathBuf>,
    /// Fewer and shorter samples
    #[arg(long)]
    pub(crate) quick: bool,
}

/// Runs it.
pub(crate) fn run(_args: &Args, _output: &Output) -> Result<Exit, Failure> {
    Err(Failure::system("the benchmarks are not written yet"))
}
