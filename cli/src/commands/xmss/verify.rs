//! `phalanx xmss verify`.

use super::input::{SchemeArgs, read_public_key, read_signature};
use crate::args::MessageArgs;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::formats::FormatArgs;
use crate::output::{JsonFlag, Output};
use phalanx::InvalidSignature;
use std::path::PathBuf;

/// Verify a signature
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss verify --public-key keys/public-key.ssz --scheme xmss-poseidon2-l18-d64b8 \\
    --epoch 7 --message-file root.bin --signature signature.ssz")]
pub(crate) struct Args {
    /// The public key (`-`: standard input)
    #[arg(long, value_name = "F")]
    public_key: PathBuf,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// The epoch
    #[arg(long, value_name = "N")]
    epoch: u64,
    #[command(flatten)]
    message: MessageArgs,
    /// The signature (`-`: standard input)
    #[arg(long, value_name = "F")]
    signature: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let inputs = [Some(&args.public_key), Some(&args.signature), args.message.message_file.as_ref()];
    if inputs.into_iter().flatten().filter(|path| files::is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    let set = args.scheme.scheme;
    let message = args.message.read()?;
    let key = read_public_key(&args.public_key, set, args.format.of_key(&args.public_key))?;
    let signature = read_signature(&args.signature, set, args.format.of_signature())?;
    // No key has epochs beyond 32 bits.
    let result = u32::try_from(args.epoch)
        .map_err(|_| InvalidSignature)
        .and_then(|epoch| key.verify(epoch, &message, &signature));
    output
        .object(&serde_json::json!({ "valid": result.is_ok(), "scheme": set.name(), "epoch": args.epoch }))?;
    result.map_err(|InvalidSignature| Failure::does_not_verify())?;
    output.line(format_args!("signature verifies ({set}, epoch {})", args.epoch))?;
    Ok(Exit::Good)
}
