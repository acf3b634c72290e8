//! `phalanx remote sign-many`: signatures for a file of JSON lines, in batches that the signer records together.

use super::access::{AccessArgs, exit, failure};
use super::key;
use crate::digits;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::json_lines::Lines;
use crate::output::{JsonFlag, Output};
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, VerifyingKey};
use phalanx_custody::remote::{Client, Error, Request};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// No line is longer.
const MAX_LINE_BYTES: u64 = 4096;

/// Most lines of a file: all of them are held, and their signatures.
const MAX_LINES: usize = 1 << 16;

/// Have many messages signed by a signer, given as JSON lines
///
/// Every line is an object {"public_key", "epoch", "message"}, with "scheme" if the signer does not tell it. The
/// signatures that were given, each verified, are written as lines that `xmss verify-many` reads. The exit code is that
/// of the first line that got none.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx remote sign-many duties.jsonl --url https://signer.example:9000 \\
    --ca ca.pem --token-file token --out signatures.jsonl")]
pub(crate) struct Args {
    /// The file (`-`: standard input)
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    #[command(flatten)]
    access: AccessArgs,
    /// Where the signatures go
    #[arg(long, value_name = "F")]
    out: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// A line as it stands in the file.
#[derive(Deserialize)]
struct Line {
    scheme: Option<String>,
    public_key: String,
    epoch: u32,
    message: String,
}

/// A line decoded.
struct Duty {
    line: u64,
    key: VerifyingKey,
    epoch: u32,
    message: [u8; 32],
}

/// A line of the answer.
#[derive(Serialize)]
struct Signature {
    scheme: &'static str,
    public_key: String,
    epoch: u32,
    message: String,
    signature: String,
    repeated: bool,
}

/// What became of the lines.
#[derive(Serialize, Default)]
struct Summary {
    total: usize,
    signed: usize,
    repeated: usize,
    failed: Vec<Failed>,
}

/// A line without a signature.
#[derive(Serialize)]
struct Failed {
    line: u64,
    reason: String,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    files::check_free(&args.out, args.force)?;
    files::check_folder_of(&args.out)?;
    if files::is_standard(&args.out) {
        return Err(Failure::usage(
            "the signatures go to a file, and what became of the lines to standard output",
        ));
    }
    let client = args.access.client()?;
    let duties = read(args, &client)?;
    let mut summary = Summary { total: duties.len(), ..Summary::default() };
    let (mut lines, mut worst) = (Vec::new(), None);
    for batch in duties.chunks(Client::MAX_BATCH) {
        worst = worst.or(sign(&client, batch, &mut lines, &mut summary)?);
    }
    // What was signed is kept, whatever became of the rest.
    files::write(&args.out, &lines, Privacy::Public, args.force)?;
    for Failed { line, reason } in &summary.failed {
        output.line(format_args!("line {line}: {reason}"))?;
    }
    let Summary { total, signed, repeated, failed } = &summary;
    output.line(format_args!(
        "total {total}, signed {signed} ({repeated} the same as before), failed {}",
        failed.len()
    ))?;
    output.object(&summary)?;
    worst.map_or(Ok(Exit::Good), |exit| {
        Err(Failure::new(exit, format_args!("{} of {total} lines got no signature", failed.len())))
    })
}

/// Signs a batch; gives the exit code of the first line that got no signature. If there is no answer at all, every line
/// of the batch has failed, and those before are kept.
fn sign(
    client: &Client,
    batch: &[Duty],
    lines: &mut Vec<u8>,
    summary: &mut Summary,
) -> Result<Option<Exit>, Failure> {
    let requests: Vec<_> = batch
        .iter()
        .map(|duty| Request { key: &duty.key, epoch: duty.epoch, message: &duty.message })
        .collect();
    let results = client
        .sign_many(&requests)
        .unwrap_or_else(|error| batch.iter().map(|_| Err(error.clone())).collect());
    let mut worst = None;
    for (duty, result) in batch.iter().zip(results) {
        match result {
            Ok(signed) => {
                let line = Signature {
                    scheme: duty.key.parameter_set().name(),
                    public_key: hex::encode(duty.key.to_bytes(Format::Ssz).map_err(Failure::usage)?),
                    epoch: duty.epoch,
                    message: hex::encode(duty.message),
                    signature: hex::encode(signed.signature.to_bytes(Format::Ssz).map_err(Failure::usage)?),
                    repeated: signed.is_repeat,
                };
                serde_json::to_writer(&mut *lines, &line).map_err(Failure::system)?;
                lines.push(b'\n');
                summary.signed += 1;
                summary.repeated += usize::from(signed.is_repeat);
            }
            Err(error) => {
                let exit = if let Error::Refused(refusal) = &error {
                    exit(refusal)
                } else {
                    failure(error.clone()).exit
                };
                worst = worst.or(Some(exit));
                summary.failed.push(Failed { line: duty.line, reason: error.to_string() });
            }
        }
    }
    Ok(worst)
}

/// Reads the whole file before anything is signed: a malformed line spends no epoch.
fn read(args: &Args, client: &Client) -> Result<Vec<Duty>, Failure> {
    let mut lines = Lines::open(&args.file, MAX_LINE_BYTES)?;
    let (mut duties, mut asked): (Vec<Duty>, Vec<(Vec<u8>, VerifyingKey)>) = (Vec::new(), Vec::new());
    while let Some((number, line)) = lines.next()? {
        if duties.len() == MAX_LINES {
            return Err(Failure::usage(format_args!(
                "'{}' has more than {MAX_LINES} lines",
                args.file.display()
            )));
        }
        let malformed = |problem: String| Failure::usage(format_args!("line {number}: {problem}"));
        if line.len() as u64 > MAX_LINE_BYTES {
            return Err(malformed(format!("longer than {MAX_LINE_BYTES} bytes")));
        }
        let line: Line = serde_json::from_slice(&line).map_err(|error| malformed(error.to_string()))?;
        let bytes = digits::decode("public_key", &line.public_key).map_err(malformed)?;
        let message = digits::decode("message", &line.message).map_err(malformed)?;
        let message = <[u8; 32]>::try_from(&*message)
            .map_err(|_| malformed(format!("message: got {} bytes, wanted 32", message.len())))?;
        let key = match &line.scheme {
            Some(name) => {
                let set = ParameterSet::from_name(name);
                key::decode(
                    set.ok_or_else(|| malformed("scheme: unknown parameter set".to_owned()))?,
                    &bytes,
                )?
            }
            None => match asked.iter().find(|(known, _)| *known == bytes) {
                Some((_, key)) => *key,
                None => {
                    let key = key::ask(client, &bytes)?;
                    asked.push((bytes, key));
                    key
                }
            },
        };
        duties.push(Duty { line: number, key, epoch: line.epoch, message });
    }
    if duties.is_empty() {
        return Err(Failure::usage(format_args!("'{}' asks for nothing", args.file.display())));
    }
    Ok(duties)
}
