//! `phalanx hash`: Rescue hashes of files.

use super::rescue::{FunctionArgs, hash};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use std::path::PathBuf;

/// Hash files with Rescue, a hash for circuits over the Goldilocks field
///
/// As 'phalanx rescue hash --padded', which has a digest for every length: 32 bytes in hexadecimal digits, and the name of
/// the file. It is not SHA-256.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx hash letter")]
pub(crate) struct Args {
    /// The files (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    function: FunctionArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: Args, output: &Output) -> Result<Exit, Failure> {
    let Args { files, function, json } = args;
    hash::run(&hash::Args::padded(files, function, json), output)
}
