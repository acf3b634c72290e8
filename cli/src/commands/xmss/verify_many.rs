//! `phalanx xmss verify-many`: signatures from a file of JSON lines, in batches.

use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::json_lines::{BATCH_LINES, Lines, Summary, bytes, decode_all};
use crate::output::{JsonFlag, Output};
use phalanx::Threads;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, Signature, SignedMessage, VerifyingKey, verify_many_on};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Instant;

/// No line of any parameter set is longer; the rest of a longer one is skipped.
const MAX_LINE_BYTES: u64 = 1 << 15;

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

/// A line as it stands in the file.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    scheme: Cow<'a, str>,
    #[serde(borrow)]
    public_key: &'a RawValue,
    epoch: u64,
    #[serde(borrow)]
    message: &'a RawValue,
    #[serde(borrow)]
    signature: &'a RawValue,
}

/// A line decoded.
struct Decoded {
    key: VerifyingKey,
    /// Beyond 32 bits no key has epochs: nothing verifies there.
    epoch: Option<u32>,
    message: [u8; 32],
    signature: Signature,
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
    let decoded = decode_all(pool, batch, decode);
    let claims: Vec<SignedMessage<'_>> = decoded
        .iter()
        .filter_map(|result| {
            let Decoded { key, epoch, message, signature } = result.as_ref().ok()?;
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
            Ok(Decoded { epoch: None, .. }) => false,
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

/// Decodes a line, or says what is wrong with it.
fn decode(line: &[u8]) -> Result<Decoded, String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("malformed: longer than {MAX_LINE_BYTES} bytes"));
    }
    let line: Line<'_> = serde_json::from_slice(line).map_err(|error| format!("malformed: {error}"))?;
    let set = ParameterSet::from_name(&line.scheme).ok_or("malformed: scheme: unknown parameter set")?;
    let (format, key) = value("public_key", line.public_key)?;
    let key = VerifyingKey::from_bytes(set, format, &key).map_err(|error| format!("public_key: {error}"))?;
    let message = bytes("message", line.message)?;
    let message = message
        .as_slice()
        .try_into()
        .map_err(|_| format!("malformed: message: got {} bytes, wanted 32", message.len()))?;
    let (format, signature) = value("signature", line.signature)?;
    let signature =
        Signature::from_bytes(set, format, &signature).map_err(|error| format!("signature: {error}"))?;
    Ok(Decoded { key, epoch: u32::try_from(line.epoch).ok(), message, signature })
}

/// A key or signature: SSZ in hexadecimal or as a list of bytes, or the object that leanSig's serde writes.
fn value(what: &str, value: &RawValue) -> Result<(Format, Vec<u8>), String> {
    let text = value.get();
    if text.starts_with('{') {
        return Ok((Format::Json, text.as_bytes().to_vec()));
    }
    bytes(what, value).map(|bytes| (Format::Ssz, bytes))
}
