//! `phalanx xmss verify-many`: signatures from a file of JSON lines, in batches.

use super::lines::{Line, MAX_LINE_BYTES, signed};
use super::manifest::Manifest;
use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::json_lines::{BATCH_LINES, Lines, Summary, decode_all};
use crate::output::{JsonFlag, Output};
use phalanx::Threads;
use phalanx::xmss::any::{Signature, SignedMessage, verify_many_on};
use std::path::PathBuf;
use std::time::Instant;

/// Verify signatures given as JSON lines
///
/// Every line is an object {"scheme", "public_key", "epoch", "message", "signature"}; keys and signatures are SSZ in
/// hexadecimal or as a list of bytes, or objects as leanSig's JSON has them. With --validators a line may have
/// "validator_index" (and "role": attester or proposer) for the key or beside it; a key that is not that validator's
/// does not verify. Exit code 2 if a line is malformed, else 1 if a signature does not verify, else 0.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx xmss verify-many signatures.jsonl --json
  phalanx xmss verify-many signatures.jsonl \\
    --validators validator-keys-manifest.yaml")]
pub(crate) struct Args {
    /// The file (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
    /// The keys of validators: validator-keys-manifest.yaml, annotated_validators.yaml or a genesis configuration
    #[arg(long, value_name = "F")]
    validators: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let file = files::named_or_piped(args.file.as_deref(), "the file of signatures")?;
    let manifest = args.validators.as_deref().map(Manifest::read).transpose()?;
    let mut lines = Lines::open(file, MAX_LINE_BYTES)?;
    let clock = Instant::now();
    let pool = args.threads.pool();
    let mut summary = Summary::default();
    let mut batch = Vec::new();
    while let Some(line) = lines.next()? {
        batch.push(line);
        if batch.len() == BATCH_LINES {
            verify_batch(&pool, manifest.as_ref(), &mut batch, &mut summary);
        }
    }
    verify_batch(&pool, manifest.as_ref(), &mut batch, &mut summary);
    summary.report(file, clock.elapsed().as_secs_f64(), output)
}

/// Decodes and verifies a batch, on the threads of `pool`, and empties it.
fn verify_batch(
    pool: &Threads,
    manifest: Option<&Manifest>,
    batch: &mut Vec<(u64, Vec<u8>)>,
    summary: &mut Summary,
) {
    let decoded = decode_all(pool, batch, |line| signed(line, manifest));
    let claims: Vec<_> = decoded.iter().flatten().filter_map(claim).collect();
    let mut results = verify_many_on(pool, &claims).into_iter();
    for ((number, _), result) in batch.iter().zip(&decoded) {
        let signed = match result {
            Ok(signed) => signed,
            Err(reason) => {
                summary.malformed(*number, reason);
                continue;
            }
        };
        let mut verifies = || results.next().expect("one result for every claim").is_ok();
        if claim(signed).is_some_and(|_| verifies()) {
            summary.valid();
        } else {
            summary.invalid(*number, || match signed.0.stranger_to {
                Some(validator) => format!("the public key is not that of validator {validator}"),
                None => phalanx::InvalidSignature.to_string(),
            });
        }
    }
    batch.clear();
}

/// What is to be verified; `None` if nothing can be.
fn claim((line, signature): &(Line, Signature)) -> Option<SignedMessage<'_>> {
    let Line { key, epoch, message, stranger_to } = line;
    if stranger_to.is_some() {
        return None;
    }
    Some(SignedMessage { key, epoch: (*epoch)?, message, signature })
}
