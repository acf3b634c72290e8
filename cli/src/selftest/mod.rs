//! `phalanx selftest`: runs vector files and compares every answer, on every backend of this CPU.
//!
//! One file for each kind of vector file; [`files`] finds them, [`report`] counts. A file, a list or a key that this
//! version does not know is a failure: nothing is skipped in silence.

mod built_in;
mod constants;
mod e2e;
mod ed25519;
mod files;
mod intermediate;
mod json;
mod key_files;
mod ligerito;
mod primitives;
mod report;
mod rescue;

use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::progress::{Display, Unit};
use files::{Found, Kind, VectorFile};
use phalanx::{Backend, Threads};
use report::{Failed, FileReport, Recorder, Status};
use serde::Serialize;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::sync::Mutex;

/// Run vector files and compare every answer, on every backend of this CPU
///
/// Folders are walked. Every case must pass, and every file, list and key must be understood: exit code 1 if a case
/// fails, 2 if something is not recognised, empty, or there is nothing to run.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: phalanx selftest vectors/xmss --backend all")]
pub(crate) struct Args {
    /// Files or folders of vectors; without one, the built-in set
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Backend to run, or `all` [default: PHALANX_BACKEND if set, else all]
    #[arg(long, value_name = "all|NAME")]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
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

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let backends = chosen_backends(args.backend.as_deref())?;
    let found = if args.paths.is_empty() {
        built_in::all()
    } else {
        let mut found = Vec::new();
        args.paths.iter().for_each(|path| files::walk(path, &mut found));
        found
    };
    // Panics of cases become failures with a reason; the default hook would print them a second time.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let reports = run_all(found, &backends, &args.threads.pool(), output);
    std::panic::set_hook(hook);
    conclude(&reports?, &backends, output)
}

/// The backends that `--backend` names, slowest first.
pub(crate) fn chosen_backends(name: Option<&str>) -> Result<Vec<Backend>, Failure> {
    let forced = std::env::var("PHALANX_BACKEND").ok().filter(|name| !name.is_empty());
    let available: Vec<Backend> = Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
    let name = match name.or(forced.as_deref()) {
        None | Some("all") => return Ok(available),
        Some(name) => name,
    };
    let known = || available.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(", ");
    let hint = || format!("available here: {}", known());
    match Backend::from_name(name) {
        Some(backend) if backend.is_available() => Ok(vec![backend]),
        Some(_) => Err(Failure::usage(format_args!("this CPU cannot run the backend '{name}'")).hint(hint())),
        None => Err(Failure::usage(format_args!("this version has no backend '{name}'")).hint(hint())),
    }
}

/// Runs everything found, in order, with one line for each file.
fn run_all(
    found: Vec<Found>,
    backends: &[Backend],
    threads: &Threads,
    output: &Output,
) -> Result<Vec<FileReport>, Failure> {
    let mut reports = Vec::new();
    for found in found {
        let report = match found {
            Found::Report(report) => report,
            Found::Run(file) => run_file(file, backends, threads, output),
        };
        output.line(line(&report))?;
        for failed in report.failures.iter().take(MAX_FAILURES_SHOWN) {
            complain(&format!("{}: {}: {}", report.file, failed.case, failed.reason));
        }
        if let Some(more @ 1..) = report.failures.len().checked_sub(MAX_FAILURES_SHOWN) {
            complain(&format!("{}: {more} more; `--json` lists all", report.file));
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

/// One line about a failure. If standard error is gone there is nobody to tell, and the exit code still does.
fn complain(text: &str) {
    let text = text.replace(['\n', '\r'], " ");
    let _ = writeln!(stderr().lock(), "phalanx: failed: {text}");
}

/// Runs one file.
fn run_file(file: VectorFile, backends: &[Backend], threads: &Threads, output: &Output) -> FileReport {
    let mut recorder = Recorder::new(backends);
    match &file.kind {
        Kind::SecretKey(set, key, format) => key_files::run_secret(&mut recorder, *set, key, *format, &file),
        Kind::PublicKey(set, key) => key_files::run_public(&mut recorder, *set, key, &file),
        Kind::LigeritoProof(name) => ligerito::binaries::run(&mut recorder, name, &file),
        kind => match serde_json::from_slice(&file.bytes) {
            Err(error) => recorder.not_understood("file", format_args!("not JSON: {error}")),
            Ok(value) => match *kind {
                Kind::Constants(version) => constants::run(&mut recorder, version, value),
                Kind::Primitives(version) => primitives::run(&mut recorder, version, value),
                Kind::Intermediate(set) => intermediate::run(&mut recorder, set, value),
                Kind::Ed25519 => ed25519::run(&mut recorder, value, threads),
                Kind::Rescue => rescue::run(&mut recorder, &file.label, value, threads),
                Kind::Ligerito => ligerito::run(&mut recorder, &file, value, threads),
                Kind::EndToEnd(set) => watched(output, |watch| {
                    e2e::run(&mut recorder, set, &file, value, threads, watch);
                }),
                Kind::SecretKey(..) | Kind::PublicKey(..) | Kind::LigeritoProof(_) => {
                    unreachable!("matched above")
                }
            },
        },
    }
    recorder.finish(file.label)
}

/// Runs `work` with a display of key generations, if there is a terminal to show it on and it takes long enough.
fn watched(output: &Output, work: impl FnOnce(e2e::Watch<'_>)) {
    /// Shorter generations are over before a bar could be read.
    const LONG: u64 = 1 << 12;
    let shown = !output.is_json() && stderr().is_terminal();
    let display: Mutex<Option<Display<'_>>> = Mutex::new(None);
    work(&|progress| {
        let mut display = display.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match progress {
            Some(progress) if shown && progress.leaves_total >= LONG => {
                let total = progress.leaves_total;
                display
                    .get_or_insert_with(|| Display::new(output, total, Unit::Leaves))
                    .show(progress.leaves_done, total);
            }
            Some(_) => {}
            None => drop(display.take().inspect(Display::finish)),
        }
    });
}

/// The last line, or the JSON object, and the exit code.
fn conclude(reports: &[FileReport], backends: &[Backend], output: &Output) -> Result<Exit, Failure> {
    let passed = reports.iter().map(|report| report.passed).sum();
    let failed = reports.iter().map(|report| report.failed).sum();
    let names = |wanted: &dyn Fn(&Backend) -> bool| {
        Backend::ALL.into_iter().filter(|backend| wanted(backend)).map(Backend::name).collect()
    };
    let failures = reports.iter().flat_map(|report| {
        let file = &report.file;
        report.failures.iter().map(move |Failed { case, reason }| SummaryFailure { file, case, reason })
    });
    output.object(&Summary {
        passed,
        failed,
        backends: names(&|backend| backends.contains(backend)),
        backends_not_run: names(&|backend| !backends.contains(backend)),
        files: reports,
        failures: failures.collect(),
    })?;
    let ran: Vec<_> = backends.iter().map(|backend| backend.name()).collect();
    output.line(format_args!("backends: {}", ran.join(", ")))?;
    output.line(format_args!("{passed} passed, {failed} failed"))?;

    let files = |status| reports.iter().filter(|report| report.status == status).count();
    match (files(Status::Failed), files(Status::NotUnderstood)) {
        (0, 0) if passed > 0 => Ok(Exit::Good),
        (0, 0) => Err(Failure::usage("there was nothing to run")),
        (0, n) => Err(Failure::usage(format_args!(
            "not recognised or not understood: {n} of {} files",
            reports.len()
        ))),
        (n, _) => Err(Failure::new(
            Exit::DoesNotVerify,
            format_args!("cases failed in {n} of {} files", reports.len()),
        )),
    }
}
