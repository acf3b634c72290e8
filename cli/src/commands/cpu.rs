//! `phalanx cpu`: which backends there are, which is chosen, and which kernel each algorithm runs.

use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::{Backend, Threads};

/// Say which backends this CPU has, which is chosen, and which kernel each algorithm runs
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
        output.line(format_args!("{:13}{availability}{mark}", backend.name()))?;
    }
    let threads = Threads::available().count();
    output.line(format_args!("threads      {threads}"))?;
    output.line(format_args!(""))?;
    output.line(format_args!("{:50}{:11}better with", "algorithm", "runs on"))?;
    let mut algorithms = Vec::new();
    for algorithm in phalanx::algorithms() {
        let (name, kernel) = (algorithm.name(), algorithm.kernel());
        let better: Vec<&str> = algorithm.better().collect();
        let named = if better.is_empty() { "-".to_owned() } else { better.join(", ") };
        output.line(format_args!("{name:50}{kernel:11}{named}"))?;
        algorithms.push(serde_json::json!({ "name": name, "kernel": kernel, "better_with": better }));
    }
    let backends: Vec<_> = Backend::ALL
        .into_iter()
        .map(|backend| serde_json::json!({ "name": backend.name(), "available": backend.is_available() }))
        .collect();
    output.object(&serde_json::json!({
        "backends": backends, "chosen": chosen.name(), "threads": threads, "algorithms": algorithms,
    }))?;
    Ok(Exit::Good)
}
