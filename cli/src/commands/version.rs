//! `phalanx version`.

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::Backend;

/// Print the version
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx version --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(_: &Args, output: &Output) -> Result<Exit, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    output.line(format_args!("phalanx {version}"))?;
    output.object(&serde_json::json!({ "version": version, "backend": Backend::current().name() }))?;
    Ok(Exit::Good)
}
