//! `phalanx selftest`: runs vector files (stub; the engineer of the self-test replaces this file).

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use std::path::PathBuf;

/// Run vector files and compare every answer
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files or folders of vectors; without one, the built-in set
    pub(crate) paths: Vec<PathBuf>,
    /// Backend to run: `all` or a name
    #[arg(long, default_value = "all")]
    pub(crate) backend: String,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(_args: &Args, _output: &Output) -> Result<Exit, Failure> {
    Err(Failure::system("the self-test is not written yet"))
}
