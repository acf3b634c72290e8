//! `phalanx bench`: kernels and whole operations, on every backend of this CPU.
//!
//! Contenders of one operation (backends, numbers of threads) take turns, sample by sample, so that a machine that
//! slows down slows all of them; what is reported is the median. Every result is checked: a benchmark is also a test.
//!
//! `--json F` names a file here, so the command is given a text [`Output`].

mod ed25519;
mod kernels;
mod ligerito;
mod machine;
mod measure;
mod memory;
mod page;
mod peers;
mod report;
mod rescue;
mod xmss;
mod xmss_blake2s;

use crate::args::ThreadsArgs;
use crate::backends;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use machine::Machine;
use measure::Plan;
use report::Results;
use std::path::{Path, PathBuf};

/// Measure kernels and whole operations, per backend
///
/// Progress goes to standard error, a table to standard output. Files named by --json and --report are overwritten.
/// Threads and memory are kept from one operation to the next, as in a program that does many.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: phalanx bench xmss --quick --json results.json --report results.html")]
pub(crate) struct Args {
    /// What to measure: `xmss` (with its kernels), `kernels` (those of XMSS alone), `ed25519`, `rescue` or `ligerito`;
    /// without it, everything
    #[arg(value_name = "SYSTEM", value_parser = ["xmss", "kernels", "ed25519", "rescue", "ligerito"])]
    pub(crate) system: Option<String>,
    /// Write the results as JSON to this file; `-` or no file: to standard output, instead of the table
    #[arg(long, value_name = "F", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) json: Option<PathBuf>,
    /// Write a report with charts to this file
    #[arg(long, value_name = "F.html")]
    pub(crate) report: Option<PathBuf>,
    /// Show in the report how much faster than other implementations: a file that the project's comparison wrote; may be
    /// given several times
    #[arg(long, value_name = "F.json", requires = "report")]
    pub(crate) peers: Vec<PathBuf>,
    /// Fewer samples; of XMSS the two largest parameter sets without whole key generation, of Ed25519 fewer numbers of
    /// signatures, of Rescue one function and a smaller tree, of Ligerito no 2^24
    #[arg(long)]
    pub(crate) quick: bool,
    /// Backend to measure, or `all` [default: PHALANX_BACKEND if set, else all]
    #[arg(long, value_name = "all|NAME")]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    threads: ThreadsArgs,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    memory::keep();
    let peers = peers::read(&args.peers)?;
    let plan = Plan {
        backends: backends::chosen(args.backend.as_deref())?,
        threads: args.threads.pool(),
        quick: args.quick,
        brief: false,
        output,
    };
    let system = args.system.as_deref();
    let mut rows = Vec::new();
    if matches!(system, None | Some("xmss" | "kernels")) {
        rows.extend(kernels::run(&plan)?);
        rows.extend(xmss_blake2s::kernels(&plan)?);
    }
    if matches!(system, None | Some("xmss")) {
        rows.extend(xmss::run(&plan)?);
        rows.extend(xmss_blake2s::run(&plan)?);
    }
    if matches!(system, None | Some("ed25519")) {
        rows.extend(ed25519::run(&plan)?);
    }
    if matches!(system, None | Some("rescue")) {
        rows.extend(rescue::run(&plan)?);
    }
    if matches!(system, None | Some("ligerito")) {
        rows.extend(ligerito::run(&plan)?);
    }
    let results = Results {
        machine: Machine::this(&plan),
        commit: machine::commit(),
        quick: args.quick,
        results: rows,
    };
    match &args.json {
        Some(file) if crate::files::is_standard(file) => Output::new(true, false).object(&results)?,
        Some(file) => {
            let text = serde_json::to_string_pretty(&results).map_err(Failure::system)?;
            write(file, &format!("{text}\n"))?;
            report::print_table(&results, output)?;
        }
        None => report::print_table(&results, output)?,
    }
    if let Some(file) = &args.report {
        write(file, &page::html(&results, &command(), &peers))?;
    }
    Ok(Exit::Good)
}

/// What was typed, for the report.
fn command() -> String {
    let rest = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    std::iter::once("phalanx".to_owned()).chain(rest).collect::<Vec<_>>().join(" ")
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text)
        .map_err(|error| Failure::system(format_args!("cannot write {}: {error}", file.display())))
}
