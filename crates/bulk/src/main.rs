//! `phalanx-verify-many`: signatures verified in bulk. `phalanx verify-many` starts it.
#![forbid(unsafe_code)]

use clap::{Args, Parser, Subcommand};
use phalanx::Backend;
use phalanx_bulk::{
    Error, Format, Options, Plan, Quarantine, Report, Run, Totals, report, run, verify, write_chunk,
};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Bad rows that are printed; all are in results.csv.
const MAX_PRINTED: usize = 20;

/// Verify signatures in files of JSON lines, CSV or Parquet
///
/// Rows have the columns scheme, public_key, epoch, message and signature, in hexadecimal, and may have profile. Files of
/// any size are streamed. The folder gets report.json, report.html, results.csv (the bad rows), verdicts.bin (a byte for
/// every row) and rates.json. Exit code 2 if a row is malformed or a file cannot be read, else 1 if a signature does not
/// verify, else 0.
#[derive(Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  phalanx-verify-many signatures.parquet --out verified
  phalanx-verify-many *.jsonl --out verified --resume --threads 8
The same in three steps, for several machines:
  phalanx-verify-many plan *.parquet > plan.json
  phalanx-verify-many chunk --plan plan.json --index 0 --out verified
  phalanx-verify-many report --plan plan.json --out verified"
)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    input: Inputs,
    /// The folder for report and results
    #[arg(long, value_name = "DIR", required = true)]
    out: Option<PathBuf>,
    /// Go on with what is in the folder: chunks that are complete are not done again
    #[arg(long)]
    resume: bool,
    /// Print the report as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Print no text but errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Print what is to be done, as JSON: the files with their digests, and chunks of rows
    Plan(Inputs),
    /// Verify one chunk of a plan, and write its result
    Chunk {
        #[command(flatten)]
        of: OfPlan,
        /// The number of the chunk, from 0
        #[arg(long, value_name = "N")]
        index: usize,
    },
    /// Make the report from the results of all chunks
    Report(OfPlan),
}

#[derive(Args)]
struct Inputs {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What the files are [default: told from each]
    #[arg(long, value_name = "jsonl|csv|parquet", value_parser = |name: &str| Format::from_name(name).ok_or("no format"))]
    format: Option<Format>,
    /// The acceptance rule of Ed25519 rows that name none: strict, zip215, rfc8032, cofactorless or zig-std
    #[arg(long, value_name = "P", default_value = "strict")]
    profile: String,
    /// The scheme of rows that name none
    #[arg(long, value_name = "S")]
    scheme: Option<String>,
    /// Rows of a chunk at most
    #[arg(long, value_name = "N", default_value_t = Options::default().chunk_rows)]
    chunk_rows: u64,
    /// MiB for what is read and verified; the program itself and its results take about 32 more
    #[arg(long, value_name = "MIB", default_value_t = Run::default().memory_bytes >> 20)]
    memory: u64,
    /// Threads to use; 0: one for each core
    #[arg(long, value_name = "N", env = "PHALANX_THREADS", default_value_t = 0)]
    threads: usize,
}

impl Inputs {
    fn options(&self) -> Options {
        let Self { format, profile, scheme, chunk_rows, .. } = self;
        Options { profile: profile.clone(), scheme: scheme.clone(), format: *format, chunk_rows: *chunk_rows }
    }

    fn files(&self) -> Result<Vec<String>, Error> {
        let text = |path: &PathBuf| {
            let text = path.to_str().map(str::to_owned);
            text.ok_or_else(|| Error::Usage(format!("'{}' is no UTF-8", path.display())))
        };
        self.files.iter().map(text).collect()
    }

    fn how(&self, resume: bool) -> Run {
        let mut how = Run::default();
        (how.threads, how.memory_bytes, how.resume) = (self.threads, self.memory << 20, resume);
        how
    }
}

#[derive(Args)]
struct OfPlan {
    /// The plan
    #[arg(long, value_name = "F")]
    plan: PathBuf,
    /// The folder for report and results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The exit codes of `phalanx`.
const DOES_NOT_VERIFY: u8 = 1;
const USAGE: u8 = 2;
const SYSTEM: u8 = 4;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // If that cannot be printed there is nobody to tell.
            let _ = error.print();
            return if error.use_stderr() { USAGE.into() } else { ExitCode::SUCCESS };
        }
    };
    match check_backend().and_then(|()| go(&cli)) {
        Ok(code) => code.into(),
        Err(error) => {
            let _ = writeln!(stderr().lock(), "phalanx-verify-many: error: {error}");
            match error {
                Error::Usage(_) => USAGE.into(),
                _ => SYSTEM.into(),
            }
        }
    }
}

/// A backend that is forced and not there would panic in the first kernel.
fn check_backend() -> Result<(), Error> {
    let Some(name) = std::env::var_os("PHALANX_BACKEND").filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let known = Backend::from_name(&name.to_string_lossy());
    match known.filter(|backend| backend.is_available()) {
        Some(_) => Ok(()),
        None => Err(Error::Usage(format!("PHALANX_BACKEND: this CPU cannot run '{}'", name.display()))),
    }
}

fn go(cli: &Cli) -> Result<u8, Error> {
    let report = match &cli.verb {
        Some(Verb::Plan(inputs)) => {
            let Run { threads, memory_bytes, .. } = inputs.how(false);
            let plan = Plan::make(&inputs.files()?, &inputs.options(), threads.max(1), memory_bytes)?;
            print(&plan.to_json())?;
            return Ok(0);
        }
        Some(Verb::Chunk { of, index }) => {
            let plan = Plan::read(&of.plan)?;
            write_chunk(&of.out, &plan.digest(), *index, &verify(&plan, *index)?)?;
            return Ok(0);
        }
        Some(Verb::Report(of)) => report(&Plan::read(&of.plan)?, &of.out, &Quarantine::new(), None)?,
        None => {
            let out = cli.out.as_deref().unwrap_or(Path::new("."));
            let bar = Bar::new(!cli.quiet && !cli.json && stderr().is_terminal());
            let how = cli.input.how(cli.resume);
            let made = run(&cli.input.files()?, &cli.input.options(), &how, out, &|done, all| {
                bar.show(done, all);
                ControlFlow::Continue(())
            });
            bar.end();
            made?
        }
    };
    answer(cli, &report)
}

/// Prints the report; what is bad decides the exit code.
fn answer(cli: &Cli, report: &Report) -> Result<u8, Error> {
    let Totals { total, valid, invalid, malformed } = report.totals;
    if cli.json {
        let mut json = serde_json::to_vec(report).map_err(|error| Error::System(error.to_string()))?;
        json.push(b'\n');
        print(&json)?;
    } else if !cli.quiet {
        let mut text = String::new();
        for input in &report.inputs {
            if let Some(problem) = &input.problem {
                text += &format!("{}: cannot be read: {problem}\n", input.path);
            }
        }
        for row in report.bad.iter().take(MAX_PRINTED) {
            let path = report.inputs.get(row.input).map_or("", |input| &input.path);
            text += &format!("{path}:{}: {}: {}\n", row.bad.position, row.bad.verdict, row.bad.reason);
        }
        let more = (report.bad.len() as u64 + report.bad_unlisted).saturating_sub(MAX_PRINTED as u64);
        if more > 0 {
            text += &format!("{more} more bad rows are in results.csv\n");
        }
        text += &format!(
            "total {total}, valid {valid}, invalid {invalid}, malformed {malformed}\nroot {}\n",
            report.verdicts_root
        );
        print(text.as_bytes())?;
    }
    if report.is_malformed() {
        let unread = report.inputs.iter().filter(|input| input.problem.is_some()).count();
        return Err(Error::Usage(match (total, unread) {
            (0, 0) => "there are no signatures".to_owned(),
            (_, 0) => format!("{malformed} of {total} rows are malformed"),
            _ => format!("{malformed} of {total} rows are malformed, {unread} files cannot be read"),
        }));
    }
    Ok(if invalid > 0 { DOES_NOT_VERIFY } else { 0 })
}

fn print(bytes: &[u8]) -> Result<(), Error> {
    match stdout().lock().write_all(bytes) {
        // A closed standard output is the reader's choice.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::System(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// How far it is, on a terminal.
struct Bar {
    is_shown: bool,
    begun: Instant,
    last: Mutex<Option<Instant>>,
}

impl Bar {
    fn new(is_shown: bool) -> Self {
        Self { is_shown, begun: Instant::now(), last: Mutex::new(None) }
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    fn show(&self, done: u64, all: u64) {
        if !self.is_shown || all == 0 {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if done < all && last.is_some_and(|last| last.elapsed() < Duration::from_millis(100)) {
            return;
        }
        *last = Some(Instant::now());
        let rate = done as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        // A terminal that cannot be written to has no bar.
        let _ = write!(
            stderr().lock(),
            "\r{:3} %  {done} of {all} rows, {rate:.0} a second\x1b[K",
            100 * u128::from(done) / u128::from(all)
        );
    }

    fn end(&self) {
        if self.is_shown {
            let _ = write!(stderr().lock(), "\r\x1b[K");
        }
    }
}
