//! `phalanx remote sign`.

use super::access::{AccessArgs, failure};
use super::key::KeyArgs;
use crate::args::MessageArgs;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use phalanx::xmss::Format;
use std::path::PathBuf;

/// Have a message signed by a signer
///
/// The signature is verified against the public key before it is written. Exit code 3 if the signer refuses: such an
/// answer is final for the epoch, whatever is asked next. The same message again gives the same signature.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx remote sign --url https://signer.example:9000 \\
    --ca ca.pem --client-cert me.pem --client-key me.key \\
    --public-key keys/public-key.ssz --epoch 7 --message-file root.bin \\
    --out signature.ssz")]
pub(crate) struct Args {
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    key: KeyArgs,
    /// The epoch
    #[arg(long, value_name = "N")]
    epoch: u32,
    #[command(flatten)]
    message: MessageArgs,
    /// Where the signature goes, in SSZ (`-`: standard output)
    #[arg(long, value_name = "F")]
    out: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    // An epoch is only spent on what can be written.
    files::check_free(&args.out, args.force)?;
    files::check_folder_of(&args.out)?;
    if output.is_json() && files::is_standard(&args.out) {
        return Err(Failure::usage("standard output cannot hold both the signature and --json"));
    }
    let message = args.message.read()?;
    let client = args.access.client()?;
    let key = args.key.read(&client)?;
    let signed = client.sign(&key, args.epoch, &message).map_err(failure)?;
    let bytes = signed.signature.to_bytes(Format::Ssz).map_err(Failure::usage)?;
    files::write(&args.out, &bytes, Privacy::Public, args.force)?;
    let set = key.parameter_set();
    output.object(&serde_json::json!({
        "scheme": set.name(), "epoch": args.epoch, "key_id": key.key_id().to_string(),
        "signature": hex::encode(&bytes), "repeated": signed.is_repeat,
    }))?;
    if !files::is_standard(&args.out) {
        let again = if signed.is_repeat { ", the same as before" } else { "" };
        let shown = args.out.display();
        output.line(format_args!("signature written to '{shown}' ({set}, epoch {}{again})", args.epoch))?;
    }
    Ok(Exit::Good)
}
