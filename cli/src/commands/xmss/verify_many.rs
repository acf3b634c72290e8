//! `phalanx xmss verify-many`: signatures from a file of JSON lines, in batches.

use super::lines::{Line, MAX_LINE_BYTES, signed};
use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::json_lines::{BATCH_LINES, Lines, Summary, decode_all};
use crate::output::{JsonFlag, Output};
use phalanx::Threads;
use phalanx::xmss::any::{SignedMessage, verify_many_on};
use std::path::PathBuf;
use std::time::Instant;

/// Verify signatures given as JSON lines
///
/// Every line is an object {"scheme", "public_key", "epoch", "message", "signature"}; keys and signatures are SSZ in
/// hexadecimal or as a list of bytes, or objects as leanSig's JSON has them. Exit code 2 if a line is malformed, else 1 if a signature does not verify, else 0.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx xmss verify-many signatures.jsonl --json")]
pub(crate) struct Args {
    /// The file (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let file = files::named_or_piped(args.file.as_deref(), "the file of signatures")?;
    let mut lines = Lines::open(file, MAX_LINE_BYTES)?;
    let clock = Instant::now();
    let pool = args.threads.pool();
    let mut summary = Summary::default();
    let mut batch = Vec::new();
    while let Some(line) = lines.next()? {
        batch.push(line);
        if batch.len() == BATCH_LINES {
            verify_batch(&pool, &mut batch, &mut summary);
        }
    }
    verify_batch(&pool, &mut batch, &mut summary);
    summary.report(file, clock.elapsed().as_secs_f64(), output)
}

/// Decodes and verifies a batch, on the threads of `pool`, and empties it.
fn verify_batch(pool: &Threads, batch: &mut Vec<(u64, Vec<u8>)>, summary: &mut Summary) {
    let decoded = decode_all(pool, batch, signed);
    let claims: Vec<SignedMessage<'_>> = decoded
        .iter()
        .filter_map(|result| {
            let (Line { key, epoch, message }, signature) = result.as_ref().ok()?;
            Some(SignedMessage { key, epoch: (*epoch)?, message, signature })
        })
        .collect();
    let mut results = verify_many_on(pool, &claims).into_iter();
    for ((number, _), result) in batch.iter().zip(&decoded) {
        let valid = match result {
            Err(reason) => {
                summary.malformed(*number, reason);
                continue;
            }
            Ok((Line { epoch: None, .. }, _)) => false,
            Ok(_) => results.next().expect("one result for every claim").is_ok(),
        };
        if valid {
            summary.valid();
        } else {
            summary.invalid(*number, || phalanx::InvalidSignature.to_string());
        }
    }
    batch.clear();
}
