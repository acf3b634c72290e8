//! `phalanx cpu`: which backends there are, and which is chosen.

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::{Backend, Threads};

/// Say which backends this CPU has, and which is chosen
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx cpu --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(_args: &Args, output: &Output) -> Result<Exit, Failure> {
    let chosen = Backend::current();
    for backend in Backend::ALL {
        let availability = if backend.is_available() { "available" } else { "not available" };
        let mark = if backend == chosen { ", chosen" } else { "" };
        output.line(format_args!("{:10}{availability}{mark}", backend.name()))?;
    }
    let threads = Threads::available().count();
    output.line(format_args!("threads   {threads}"))?;
    let backends: Vec<_> = Backend::ALL
        .into_iter()
        .map(|backend| serde_json::json!({ "name": backend.name(), "available": backend.is_available() }))
        .collect();
    output
        .object(&serde_json::json!({ "backends": backends, "chosen": chosen.name(), "threads": threads }))?;
    Ok(Exit::Good)
}
