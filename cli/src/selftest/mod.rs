//! `phalanx selftest`: known answers that the program carries, on every backend of this CPU.
//!
//! A scheme is a file with its cases ([`case::Case`]); it joins by a line in [`SCHEMES`]. `answers.json` holds cases of
//! the repository's `vectors/`; all of those are run by `cargo xtask vectors`, which is no part of this program.

mod case;
mod ed25519;
mod ligerito;
mod rescue;
mod xmss;

use crate::backends;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use case::{Case, guarded};
use phalanx::Backend;
use serde::Serialize;
use std::path::PathBuf;

/// Compare built-in known answers, on every backend of this CPU
///
/// Every case must pass: exit code 1 if one fails.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: phalanx selftest --backend all")]
pub(crate) struct Args {
    /// Here only to say where vector files are run
    #[arg(value_name = "PATH", hide = true)]
    paths: Vec<PathBuf>,
    /// Backend to run, or `all` [default: PHALANX_BACKEND if set, else all]
    #[arg(long, value_name = "all|NAME")]
    backend: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Makes the cases of a scheme.
type Cases = fn() -> Vec<Case>;

/// The schemes, and where their cases come from.
const SCHEMES: [(&str, Cases); 4] = [
    ("built-in/xmss", xmss::cases),
    ("built-in/ed25519", ed25519::cases),
    ("built-in/rescue", rescue::cases),
    ("built-in/ligerito", ligerito::cases),
];

/// How the cases of one scheme fared.
#[derive(Serialize)]
struct Report {
    file: &'static str,
    status: &'static str,
    passed: usize,
    failed: usize,
    failures: Vec<Failed>,
}

/// A case that failed.
#[derive(Clone, Serialize)]
struct Failed {
    file: &'static str,
    case: String,
    reason: String,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if !args.paths.is_empty() {
        return Err(Failure::usage("selftest runs the built-in cases only, not files")
            .hint("in the repository, 'cargo xtask vectors PATH' runs vector files"));
    }
    let chosen = backends::chosen(args.backend.as_deref())?;
    // Panics of cases become failures with a reason; the default hook would print them a second time.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let reports: Vec<Report> =
        SCHEMES.iter().map(|&(file, cases)| run_scheme(file, &cases(), &chosen)).collect();
    std::panic::set_hook(hook);

    for Report { file, passed, failed, failures, .. } in &reports {
        match failed {
            0 => output.line(format_args!("ok    {file}: {passed} passed"))?,
            _ => output.line(format_args!("FAIL  {file}: {passed} passed, {failed} failed"))?,
        }
        for Failed { case, reason, .. } in failures {
            output.failed(format_args!("{file}: {case}: {reason}"));
        }
    }
    let names = |ran: bool| -> Vec<&str> {
        Backend::ALL
            .into_iter()
            .filter(|backend| chosen.contains(backend) == ran)
            .map(Backend::name)
            .collect()
    };
    let passed: usize = reports.iter().map(|report| report.passed).sum();
    let failed: usize = reports.iter().map(|report| report.failed).sum();
    output.object(&serde_json::json!({
        "passed": passed, "failed": failed, "backends": names(true), "backends_not_run": names(false),
        "failures": reports.iter().flat_map(|report| report.failures.clone()).collect::<Vec<_>>(), "files": reports,
    }))?;
    output.line(format_args!("backends: {}", names(true).join(", ")))?;
    output.line(format_args!("{passed} passed, {failed} failed"))?;
    match failed {
        0 => Ok(Exit::Good),
        _ => Err(Failure::new(Exit::DoesNotVerify, format_args!("{failed} cases failed"))),
    }
}

/// Runs every case on every backend; it passes if it does on all.
fn run_scheme(file: &'static str, cases: &[Case], backends: &[Backend]) -> Report {
    let failed = |case: &Case| {
        let on = |backend: &Backend| {
            let reason = guarded(*backend, &case.check).err()?;
            Some(format!("on {}: {reason}", backend.name()))
        };
        let reason = backends.iter().find_map(on)?;
        Some(Failed { file, case: case.name.clone(), reason })
    };
    let failures: Vec<Failed> = cases.iter().filter_map(failed).collect();
    let status = if failures.is_empty() { "passed" } else { "failed" };
    Report { file, status, passed: cases.len() - failures.len(), failed: failures.len(), failures }
}
