//! The runner of vector files: compares every answer of every case, on every backend of this CPU.
//!
//! [`files`] finds the files, [`kinds`] tells what each is, a folder for each scheme runs it, and [`report`] counts. A
//! file, a list or a key that this version does not know is a failure: nothing is skipped in silence.
#![forbid(unsafe_code)]

mod aggregate;
mod custody;
mod ed25519;
mod files;
mod json;
mod kinds;
mod ligerito;
mod output;
mod progress;
mod report;
mod rescue;
mod xmss;
mod xmss_blake2s;

pub use output::Failure;

use files::Found;
use output::{complain, object_to_stdout, print};
use phalanx::{Backend, Threads};
use progress::Watch;
use report::{Failed, FileReport, Status};
use serde::Serialize;
use std::path::PathBuf;

/// What to run, and how.
pub struct Options {
    /// Files, and folders that are walked.
    pub paths: Vec<PathBuf>,
    /// On these backends, slowest first, of which there is at least one: see [`chosen_backends`].
    pub backends: Vec<Backend>,
    /// On these threads.
    pub threads: Threads,
    /// Whether one JSON object is printed instead of text.
    pub json: bool,
}

/// The JSON object of a run.
#[derive(Serialize)]
struct Summary<'a> {
    passed: usize,
    failed: usize,
    backends: Vec<&'static str>,
    backends_not_run: Vec<&'static str>,
    files: &'a [FileReport],
    failures: Vec<SummaryFailure<'a>>,
}

#[derive(Serialize)]
struct SummaryFailure<'a> {
    file: &'a str,
    case: &'a str,
    reason: &'a str,
}

/// The backends that `name` means, slowest first; without one that of the variable `PHALANX_BACKEND`, or all.
///
/// # Errors
/// A backend that this version, or this CPU, does not have.
pub fn chosen_backends(name: Option<&str>) -> Result<Vec<Backend>, Failure> {
    let forced = std::env::var("PHALANX_BACKEND").ok().filter(|name| !name.is_empty());
    let available: Vec<Backend> = Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
    let name = match name.or(forced.as_deref()) {
        None | Some("all") => return Ok(available),
        Some(name) => name,
    };
    let problem = match Backend::from_name(name) {
        Some(backend) if backend.is_available() => return Ok(vec![backend]),
        Some(_) => format!("this CPU cannot run the backend '{name}'"),
        None => format!("this version has no backend '{name}'"),
    };
    let names: Vec<_> = available.iter().map(|backend| backend.name()).collect();
    Err(Failure::usage(problem).hint(format_args!("available here: {}", names.join(", "))))
}

/// Runs everything below the paths.
///
/// # Errors
/// A case that fails (exit code 1); something that is not understood, and nothing to run (exit code 2).
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut found = Vec::new();
    options.paths.iter().for_each(|path| files::walk(path, &mut found));
    // Panics of cases become failures with a reason; the default hook would print them a second time.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let reports = run_all(found, options);
    std::panic::set_hook(hook);
    conclude(&reports?, options)
}

/// Runs everything found, in order, with one line for each file.
fn run_all(found: Vec<Found>, options: &Options) -> Result<Vec<FileReport>, Failure> {
    let watch = Watch::new(!options.json);
    let mut reports = Vec::new();
    for found in found {
        let report = match found {
            Found::Report(report) => report,
            Found::File(file) => kinds::run(file, &options.backends, &options.threads, &watch),
        };
        if !options.json {
            print(format_args!("{}\n", line(&report)))?;
        }
        for failed in report.failures.iter().take(MAX_FAILURES_SHOWN) {
            complain("failed", &format!("{}: {}: {}", report.file, failed.case, failed.reason));
        }
        if let Some(more @ 1..) = report.failures.len().checked_sub(MAX_FAILURES_SHOWN) {
            complain("failed", &format!("{}: {more} more; `--json` lists all", report.file));
        }
        reports.push(report);
    }
    Ok(reports)
}

/// Failures of one file that are shown on standard error; `--json` has all.
const MAX_FAILURES_SHOWN: usize = 20;

/// The line of one file.
fn line(report: &FileReport) -> String {
    let FileReport { file, passed, failed, .. } = report;
    match (report.status, &report.failures[..]) {
        (Status::Documentation, _) => format!("skip  {file}: documentation, nothing to run"),
        (Status::Passed, _) => format!("ok    {file}: {passed} passed"),
        (Status::Failed, _) => format!("FAIL  {file}: {passed} passed, {failed} failed"),
        (Status::NotUnderstood, [only]) if *passed == 0 => format!("FAIL  {file}: {}", only.reason),
        (Status::NotUnderstood, _) => {
            format!("FAIL  {file}: {passed} passed, {failed} failed, not all understood")
        }
    }
}

/// The last line, or the JSON object, and how the run ends.
fn conclude(reports: &[FileReport], options: &Options) -> Result<(), Failure> {
    let passed = reports.iter().map(|report| report.passed).sum();
    let failed: usize = reports.iter().map(|report| report.failed).sum();
    let names = |ran: bool| -> Vec<&'static str> {
        let wanted = Backend::ALL.into_iter().filter(|backend| options.backends.contains(backend) == ran);
        wanted.map(Backend::name).collect()
    };
    if options.json {
        let failures = reports.iter().flat_map(|report| {
            let file = &report.file;
            report.failures.iter().map(move |Failed { case, reason }| SummaryFailure { file, case, reason })
        });
        object_to_stdout(&Summary {
            passed,
            failed,
            backends: names(true),
            backends_not_run: names(false),
            files: reports,
            failures: failures.collect(),
        })?;
    } else {
        print(format_args!("backends: {}\n{passed} passed, {failed} failed\n", names(true).join(", ")))?;
    }
    let files = |status| reports.iter().filter(|report| report.status == status).count();
    let all = reports.len();
    let failure = match (files(Status::Failed), files(Status::NotUnderstood)) {
        (0, 0) if passed > 0 => return Ok(()),
        (0, 0) => Failure::usage("there was nothing to run"),
        (0, n) => Failure::usage(format_args!("not recognised or not understood: {n} of {all} files")),
        (n, _) => Failure::cases(format_args!("cases failed in {n} of {all} files")),
    };
    Err(failure.reported())
}
