//! `phalanx xmss verify`.

use super::input::{public_key, signature as signature_in};
use super::scheme::{self, SchemeArgs};
use crate::args::{HashArgs, MessageArgs};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::formats::FormatArgs;
use crate::key_json::KeyJson;
use crate::output::{JsonFlag, Output};
use crate::values::Given;
use phalanx::xmss::any::{Signature, SignedMessage, VerifyingKey, verify_many_on};
use phalanx::{Inline, InvalidSignature};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Epochs before and after the one given that are tried for a hint.
const NEAR: u64 = 128;

/// Verify a signature
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss verify --public-key keys/public-key.ssz \\
    --scheme xmss-poseidon2-l18-d64b8 --epoch 7 --message-file root.bin \\
    --signature signature.ssz")]
pub(crate) struct Args {
    /// The public key, or the folder of keygen that it is in, or the key itself in hexadecimal or base64 (`-`: standard
    /// input)
    #[arg(short = 'k', long, value_name = "F")]
    pub(crate) public_key: PathBuf,
    #[command(flatten)]
    pub(crate) scheme: SchemeArgs,
    /// The epoch
    #[arg(long, value_name = "N")]
    pub(crate) epoch: u64,
    #[command(flatten)]
    pub(crate) message: MessageArgs,
    #[command(flatten)]
    pub(crate) hash: HashArgs,
    /// The signature, or itself in hexadecimal or base64 (`-`: standard input)
    #[arg(long, value_name = "F")]
    pub(crate) signature: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    files::check_one_standard(&[Some(&args.public_key), Some(&args.signature), args.message.path()])?;
    let message = args.message.read_or_hash(args.hash)?;
    run_on(args, &message, Given::public_key(&args.public_key)?, Given::read(&args.signature)?, output)
}

/// The same, of what was read.
pub(crate) fn run_on(
    args: &Args,
    message: &[u8; 32],
    key: Given,
    signature: Given,
    output: &Output,
) -> Result<Exit, Failure> {
    let (Given { file: key_file, bytes: key_bytes }, given) = (&key.decoded(), signature.decoded());
    let keystore = scheme::of_keystore(key_bytes);
    let (told, key_bytes) = match &keystore {
        Some((set, key)) => (args.scheme.scheme.or(Some(*set)), &key[..]),
        None => (args.scheme.scheme, &key_bytes[..]),
    };
    let (set, key_format, signature_format) = SchemeArgs { scheme: told }.of_signature(
        (key_file, key_bytes),
        (&given.file, &given.bytes),
        &args.format,
    )?;
    let key = public_key(key_file, set, key_format, key_bytes)?;
    let signature = signature_in(&given.file, set, signature_format, &given.bytes)?;
    // No key has epochs beyond 32 bits.
    let result = u32::try_from(args.epoch)
        .map_err(|_| InvalidSignature)
        .and_then(|epoch| key.verify(epoch, message, &signature));
    output
        .object(&serde_json::json!({ "valid": result.is_ok(), "scheme": set.name(), "epoch": args.epoch }))?;
    if result.is_err() {
        let failure = Failure::does_not_verify();
        return Err(match what_would(args, key_file, &key, message, &signature) {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    output.line(format_args!("signature verifies ({set}, epoch {})", args.epoch))?;
    Ok(Exit::Good)
}

/// What would verify: the message at an epoch near by, or its hash, or itself in place of its hash.
fn what_would(
    args: &Args,
    file: &Path,
    key: &VerifyingKey,
    message: &[u8; 32],
    signature: &Signature,
) -> Option<String> {
    let active = KeyJson::beside(file).and_then(|key| key.activation);
    let start = args.epoch.saturating_sub(NEAR).max(active.map_or(0, |active| active.start));
    let end = args.epoch.saturating_add(NEAR).min(active.map_or(u64::MAX, |active| active.end));
    let epochs: Vec<u32> = (start..end.max(start)).filter_map(|epoch| u32::try_from(epoch).ok()).collect();
    let claims: Vec<_> =
        epochs.iter().map(|&epoch| SignedMessage { key, epoch, message, signature }).collect();
    let judged = verify_many_on(&Inline, &claims);
    if let Some((epoch, _)) = epochs.iter().zip(&judged).find(|(_, result)| result.is_ok()) {
        return Some(format!("it verifies at epoch {epoch}"));
    }
    let epoch = u32::try_from(args.epoch).ok()?;
    let (other, hint) = match args.hash.hash {
        None => (Sha256::digest(message).into(), "it verifies with --hash sha256"),
        // What is piped in is gone.
        Some(_) if args.message.path().is_some_and(files::is_standard) => return None,
        Some(_) => (args.message.read().ok()?, "it verifies without --hash"),
    };
    key.verify(epoch, &other, signature).ok().map(|()| hint.to_owned())
}
