//! `phalanx ed25519 verify-many`: signatures from a file of JSON lines, in batches of bounded size.

use super::input::ProfileArgs;
use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::json_lines::{BATCH_LINES, Lines, Summary, bytes, decode_all};
use crate::output::{JsonFlag, Output};
use crate::progress::{Display, Unit};
use phalanx::Threads;
use phalanx::ed25519::{Profile, SignedMessage, explain, verify_many_on};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Instant;

/// Bytes of lines that are enough for a batch, whatever their number.
const BATCH_BYTES: usize = 32 << 20;

/// Longest line: a message of almost 8 MiB. The rest of a longer one is skipped.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Files from this length on are shown with a progress bar.
const LONG_BYTES: u64 = 16 << 20;

/// Verify signatures given as JSON lines
///
/// Every line is an object {"public_key", "message", "signature"} in hexadecimal, with "profile" if it is not the one
/// of --profile. Exit code 2 if a line is malformed, else 1 if a signature does not verify, else 0.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx ed25519 verify-many signatures.jsonl --json")]
pub(crate) struct Args {
    /// The file (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
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
    public_key: &'a RawValue,
    #[serde(borrow)]
    message: &'a RawValue,
    #[serde(borrow)]
    signature: &'a RawValue,
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
    fn element(&self) -> SignedMessage<'_> {
        SignedMessage { public_key: &self.public_key, message: &self.message, signature: &self.signature }
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let file = files::named_or_piped(args.file.as_deref(), "the file of signatures")?;
    let mut lines = Lines::open(file, MAX_LINE_BYTES)?;
    let length = lines.length;
    let display = (length >= LONG_BYTES).then(|| Display::new(output, length, Unit::Bytes));
    let clock = Instant::now();
    let pool = args.threads.pool();
    let mut summary = Summary::default();
    let (mut batch, mut batch_bytes) = (Vec::new(), 0);
    while let Some((number, line)) = lines.next()? {
        batch_bytes += line.len();
        batch.push((number, line));
        if batch.len() == BATCH_LINES || batch_bytes >= BATCH_BYTES {
            verify_batch(&pool, args.profile.profile, &mut batch, &mut summary);
            batch_bytes = 0;
            if let Some(display) = &display {
                display.show(lines.done, length);
            }
        }
    }
    verify_batch(&pool, args.profile.profile, &mut batch, &mut summary);
    display.inspect(Display::finish);
    summary.report(file, clock.elapsed().as_secs_f64(), output)
}

/// Decodes and verifies a batch, on the threads of `pool`, and empties it.
fn verify_batch(pool: &Threads, profile: Profile, batch: &mut Vec<(u64, Vec<u8>)>, summary: &mut Summary) {
    let decoded = decode_all(pool, batch, |line| decode(line, profile));
    let valid = results(pool, &decoded);
    for (((number, _), result), valid) in batch.iter().zip(&decoded).zip(valid) {
        match result {
            Ok(_) if valid => summary.valid(),
            Ok(Decoded { profile, public_key, message, signature }) => {
                summary.invalid(*number, || match explain(*profile, public_key, message, signature) {
                    Err(reason) => format!("{}: {reason}", phalanx::InvalidSignature),
                    Ok(()) => phalanx::InvalidSignature.to_string(),
                });
            }
            Err(reason) => summary.malformed(*number, reason),
        }
    }
    batch.clear();
}

/// Whether each line verifies, profile by profile; lines that were not decoded do not.
fn results(pool: &Threads, decoded: &[Result<Decoded, String>]) -> Vec<bool> {
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
        let elements: Vec<SignedMessage<'_>> = lines.iter().map(|(_, line)| line.element()).collect();
        for ((at, _), result) in lines.iter().zip(verify_many_on(pool, profile, &elements)) {
            valid[*at] = result.is_ok();
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
    Ok(Decoded {
        profile,
        public_key: bytes("public_key", line.public_key)?,
        message: bytes("message", line.message)?,
        signature: bytes("signature", line.signature)?,
    })
}
