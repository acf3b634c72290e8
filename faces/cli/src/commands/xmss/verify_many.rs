//! `phalanx xmss verify-many`: signatures from a file of JSON lines, in batches.

use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use phalanx::xmss::{Claim, Format, ParameterSet, Signature, VerifyingKey, verify_many_with};
use phalanx::{Pool, Threads};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::time::Instant;

/// Lines decoded and verified together.
const BATCH_LINES: usize = 4096;

/// Lines decoded by one job.
const JOB_LINES: usize = 64;

/// No line of any parameter set is longer; the rest of a longer one is skipped.
const MAX_LINE_BYTES: u64 = 1 << 14;

/// Bad lines that are listed; further ones are counted.
const MAX_LISTED: usize = 10_000;

/// Verify signatures given as JSON lines
///
/// Every line is an object {"scheme", "public_key", "epoch", "message", "signature"}; keys and signatures are SSZ in
/// hexadecimal. Exit code 2 if a line is malformed, else 1 if a signature does not verify, else 0.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx xmss verify-many signatures.jsonl --json")]
pub(crate) struct Args {
    /// The file (`-`: standard input)
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// A line as it stands in the file.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    scheme: Cow<'a, str>,
    #[serde(borrow)]
    public_key: Cow<'a, str>,
    epoch: u64,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow)]
    signature: Cow<'a, str>,
}

/// A line decoded.
struct Decoded {
    key: VerifyingKey,
    /// Beyond 32 bits no key has epochs: nothing verifies there.
    epoch: Option<u32>,
    message: [u8; 32],
    signature: Signature,
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
    fn add(&mut self, line: u64, verdict: Result<bool, String>) {
        self.total += 1;
        let reason = match verdict {
            Ok(true) => {
                self.valid += 1;
                return;
            }
            Ok(false) => {
                self.invalid += 1;
                phalanx::InvalidSignature.to_string()
            }
            Err(reason) => {
                self.malformed += 1;
                reason
            }
        };
        if self.bad.len() < MAX_LISTED {
            self.bad.push(Bad { line, reason });
        } else {
            self.bad_unlisted += 1;
        }
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let cannot =
        |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", args.file.display()));
    let mut reader: Box<dyn BufRead> = if files::is_standard(&args.file) {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&args.file).map_err(cannot)?;
        if file.metadata().map_err(cannot)?.is_dir() {
            return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", args.file.display())));
        }
        Box::new(BufReader::with_capacity(1 << 20, file))
    };
    let clock = Instant::now();
    let pool = args.threads.pool();
    let mut summary = Summary::default();
    let mut batch = Vec::new();
    let mut number = 0;
    while let Some(line) = read_line(&mut reader).map_err(cannot)? {
        number += 1;
        // An empty line says nothing, as at the end of many files.
        if !line.trim_ascii().is_empty() {
            batch.push((number, line));
        }
        if batch.len() == BATCH_LINES {
            verify_batch(&pool, &mut batch, &mut summary);
        }
    }
    verify_batch(&pool, &mut batch, &mut summary);
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

/// The next line, without its end, and cut if it is far too long; `None` at the end of the file.
fn read_line(reader: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if reader.take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() as u64 > MAX_LINE_BYTES {
        reader.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Decodes and verifies a batch, on the threads of `pool`, and empties it.
fn verify_batch(pool: &Threads, batch: &mut Vec<(u64, Vec<u8>)>, summary: &mut Summary) {
    let mut decoded: Vec<Option<Result<Decoded, String>>> = Vec::new();
    decoded.resize_with(batch.len(), || None);
    let jobs = batch.chunks(JOB_LINES).zip(decoded.chunks_mut(JOB_LINES)).map(|(lines, results)| {
        let job = move || {
            for ((_, line), result) in lines.iter().zip(results) {
                *result = Some(decode(line));
            }
        };
        Box::new(job) as phalanx::Job<'_>
    });
    pool.run(jobs.collect());
    let claims: Vec<Claim<'_>> = decoded
        .iter()
        .filter_map(|result| {
            let Decoded { key, epoch, message, signature } = result.as_ref()?.as_ref().ok()?;
            Some(Claim { key, epoch: (*epoch)?, message, signature })
        })
        .collect();
    let mut verdicts = verify_many_with(pool, &claims).into_iter();
    for ((number, _), result) in batch.iter().zip(&decoded) {
        let verdict = match result.as_ref().expect("every line was decoded by its job") {
            Err(reason) => Err(reason.clone()),
            Ok(Decoded { epoch: None, .. }) => Ok(false),
            Ok(_) => Ok(verdicts.next().expect("one verdict for every claim").is_ok()),
        };
        summary.add(*number, verdict);
    }
    batch.clear();
}

/// Decodes a line, or says what is wrong with it.
fn decode(line: &[u8]) -> Result<Decoded, String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("malformed: longer than {MAX_LINE_BYTES} bytes"));
    }
    let line: Line<'_> = serde_json::from_slice(line).map_err(|error| format!("malformed: {error}"))?;
    let set = ParameterSet::from_name(&line.scheme).ok_or("malformed: scheme: unknown parameter set")?;
    let digits =
        |what: &str, digits: &str| hex::decode(digits).map_err(|error| format!("malformed: {what}: {error}"));
    let key = digits("public_key", &line.public_key)?;
    let key =
        VerifyingKey::from_bytes(set, Format::Ssz, &key).map_err(|error| format!("public_key: {error}"))?;
    let message = digits("message", &line.message)?;
    let message = message
        .as_slice()
        .try_into()
        .map_err(|_| format!("malformed: message: got {} bytes, wanted 32", message.len()))?;
    let signature = digits("signature", &line.signature)?;
    let signature =
        Signature::from_bytes(set, Format::Ssz, &signature).map_err(|error| format!("signature: {error}"))?;
    Ok(Decoded { key, epoch: u32::try_from(line.epoch).ok(), message, signature })
}
