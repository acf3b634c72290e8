//! `phalanx ed25519 verify-many`: signatures from a file of JSON lines, in batches of bounded size.

use super::ProfileArgs;
use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use crate::progress::{Display, Unit};
use phalanx::ed25519::{BatchElement, Profile, explain, verify_many_on};
use phalanx::{Pool, Threads};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::time::Instant;

/// Lines decoded and verified together.
const BATCH_LINES: usize = 4096;

/// Bytes of lines that are enough for a batch, whatever their number.
const BATCH_BYTES: usize = 32 << 20;

/// Lines decoded by one job.
const JOB_LINES: usize = 64;

/// Longest line: a message of almost 8 MiB. The rest of a longer one is skipped.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Bad lines that are listed; further ones are counted.
const MAX_LISTED: usize = 10_000;

/// Files from this length on are shown with a progress bar.
const LONG_BYTES: u64 = 16 << 20;

/// Verify signatures given as JSON lines
///
/// Every line is an object {"public_key", "message", "signature"} in hexadecimal, with "profile" if it is not the one of
/// --profile. Exit code 2 if a line is malformed, else 1 if a signature does not verify, else 0.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ed25519 verify-many signatures.jsonl --json")]
pub(crate) struct Args {
    /// The file (`-`: standard input)
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// A line as it stands in the file.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    public_key: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    signature: Cow<'a, str>,
    #[serde(borrow)]
    profile: Option<Cow<'a, str>>,
}

/// A line decoded. Keys and signatures of a wrong length are judged like any others: they do not verify.
struct Decoded {
    profile: Profile,
    public_key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl Decoded {
    fn element(&self) -> BatchElement<'_> {
        BatchElement { public_key: &self.public_key, message: &self.message, signature: &self.signature }
    }
}

/// What became of the lines.
#[derive(Serialize, Default)]
struct Summary {
    total: u64,
    valid: u64,
    invalid: u64,
    malformed: u64,
    bad: Vec<Bad>,
    /// Bad lines beyond those listed.
    bad_unlisted: u64,
}

/// A line that is not good.
#[derive(Serialize)]
struct Bad {
    line: u64,
    reason: String,
}

impl Summary {
    /// Counts a bad line; its reason is only asked for if it is listed.
    fn bad(&mut self, line: u64, reason: impl FnOnce() -> String) {
        if self.bad.len() < MAX_LISTED {
            self.bad.push(Bad { line, reason: reason() });
        } else {
            self.bad_unlisted += 1;
        }
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let cannot =
        |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", args.file.display()));
    let mut length = 0;
    let mut reader: Box<dyn BufRead> = if files::is_standard(&args.file) {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&args.file).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", args.file.display())));
        }
        length = metadata.len();
        Box::new(BufReader::with_capacity(1 << 20, file))
    };
    let display = (length >= LONG_BYTES).then(|| Display::new(output, length, Unit::Bytes));
    let clock = Instant::now();
    let pool = args.threads.pool();
    let mut summary = Summary::default();
    let (mut batch, mut batch_bytes) = (Vec::new(), 0);
    let (mut number, mut done) = (0, 0);
    while let Some(line) = read_line(&mut reader, &mut done).map_err(cannot)? {
        number += 1;
        // An empty line says nothing, as at the end of many files.
        if !line.trim_ascii().is_empty() {
            batch_bytes += line.len();
            batch.push((number, line));
        }
        if batch.len() == BATCH_LINES || batch_bytes >= BATCH_BYTES {
            verify_batch(&pool, args.profile.profile, &mut batch, &mut summary);
            batch_bytes = 0;
            if let Some(display) = &display {
                display.show(done, length);
            }
        }
    }
    verify_batch(&pool, args.profile.profile, &mut batch, &mut summary);
    display.inspect(Display::finish);
    report(args, &summary, clock.elapsed().as_secs_f64(), output)
}

/// Prints the summary; what is bad decides the exit code.
fn report(args: &Args, summary: &Summary, seconds: f64, output: &Output) -> Result<Exit, Failure> {
    let Summary { total, valid, invalid, malformed, bad, bad_unlisted } = summary;
    if *total == 0 {
        return Err(Failure::usage(format_args!("'{}' holds no signatures", args.file.display())));
    }
    for Bad { line, reason } in bad {
        output.line(format_args!("line {line}: {reason}"))?;
    }
    if *bad_unlisted > 0 {
        output.line(format_args!("{bad_unlisted} more bad lines"))?;
    }
    output.line(format_args!(
        "total {total}, valid {valid}, invalid {invalid}, malformed {malformed} ({seconds:.3} s)"
    ))?;
    output.object(summary)?;
    if *malformed > 0 {
        return Err(Failure::usage(format_args!("{malformed} of {total} lines are malformed")));
    }
    if *invalid > 0 {
        let message = format!("{invalid} of {total} signatures do not verify");
        return Err(Failure::new(Exit::DoesNotVerify, message));
    }
    Ok(Exit::Good)
}

/// The next line, without its end, and cut if it is far too long; `None` at the end of the file. Adds to `done` what it
/// read.
fn read_line(reader: &mut dyn BufRead, done: &mut u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = reader.take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)?;
    *done += read as u64;
    if read == 0 {
        return Ok(None);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() as u64 > MAX_LINE_BYTES {
        *done += reader.skip_until(b'\n')? as u64;
    }
    Ok(Some(line))
}

/// Decodes and verifies a batch, on the threads of `pool`, and empties it.
fn verify_batch(pool: &Threads, profile: Profile, batch: &mut Vec<(u64, Vec<u8>)>, summary: &mut Summary) {
    let mut decoded: Vec<Option<Result<Decoded, String>>> = Vec::new();
    decoded.resize_with(batch.len(), || None);
    let jobs = batch.chunks(JOB_LINES).zip(decoded.chunks_mut(JOB_LINES)).map(|(lines, results)| {
        let job = move || {
            for ((_, line), result) in lines.iter().zip(results) {
                *result = Some(decode(line, profile));
            }
        };
        Box::new(job) as phalanx::Job<'_>
    });
    pool.run(jobs.collect());
    let decoded: Vec<_> =
        decoded.into_iter().map(|result| result.expect("every line was decoded by its job")).collect();
    let valid = verdicts(pool, &decoded);
    for (((number, _), result), valid) in batch.iter().zip(&decoded).zip(valid) {
        summary.total += 1;
        match result {
            Ok(_) if valid => summary.valid += 1,
            Ok(Decoded { profile, public_key, message, signature }) => {
                summary.invalid += 1;
                summary.bad(*number, || match explain(*profile, public_key, message, signature) {
                    Err(reason) => format!("{}: {reason}", phalanx::InvalidSignature),
                    Ok(()) => phalanx::InvalidSignature.to_string(),
                });
            }
            Err(reason) => {
                summary.malformed += 1;
                summary.bad(*number, || reason.clone());
            }
        }
    }
    batch.clear();
}

/// Whether each line verifies, profile by profile; lines that were not decoded do not.
fn verdicts(pool: &Threads, decoded: &[Result<Decoded, String>]) -> Vec<bool> {
    let mut valid = vec![false; decoded.len()];
    for profile in Profile::ALL {
        let mine = |line: &&Decoded| line.profile == profile;
        let lines: Vec<(usize, &Decoded)> = decoded
            .iter()
            .enumerate()
            .filter_map(|(at, line)| Some((at, line.as_ref().ok().filter(mine)?)))
            .collect();
        if lines.is_empty() {
            continue;
        }
        let elements: Vec<BatchElement<'_>> = lines.iter().map(|(_, line)| line.element()).collect();
        let mut verdicts = vec![false; elements.len()];
        verify_many_on(pool, profile, &elements, &mut verdicts).expect("lengths agree");
        for ((at, _), verdict) in lines.iter().zip(verdicts) {
            valid[*at] = verdict;
        }
    }
    valid
}

/// Decodes a line, or says what is wrong with it.
fn decode(line: &[u8], profile: Profile) -> Result<Decoded, String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("malformed: longer than {MAX_LINE_BYTES} bytes"));
    }
    let line: Line<'_> = serde_json::from_slice(line).map_err(|error| format!("malformed: {error}"))?;
    let profile = match &line.profile {
        None => profile,
        Some(name) => Profile::from_name(name).ok_or("malformed: profile: unknown profile")?,
    };
    let digits =
        |what: &str, digits: &str| hex::decode(digits).map_err(|error| format!("malformed: {what}: {error}"));
    Ok(Decoded {
        profile,
        public_key: digits("public_key", &line.public_key)?,
        message: digits("message", &line.message)?,
        signature: digits("signature", &line.signature)?,
    })
}
