//! `phalanx ed25519 sign`.

use super::message::MessageArgs;
use super::{from_digits, read_secret_key};
use crate::ed25519_files::SignatureFormat;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::{JsonFlag, Output};
use crate::seed;
use phalanx::ed25519::{Error, Profile, Signature, SigningKey};
use sha2::{Digest, Sha512};
use std::fs;
use std::path::{Path, PathBuf};

/// Sign a message of any length
///
/// The form of the key file is found by its content. Signatures are deterministic (RFC 8032) unless --noise is given.
/// With --prehash it is the SHA-512 of the message that is signed (Ed25519ph), so that the message may be of any length.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ed25519 sign --secret-key keys/secret-key.raw --message-file letter.txt --out letter.sig")]
pub(crate) struct Args {
    /// The secret key
    #[arg(long, value_name = "F")]
    secret_key: PathBuf,
    #[command(flatten)]
    message: MessageArgs,
    /// File for the signature (`-`: standard output)
    #[arg(long, value_name = "F")]
    out: PathBuf,
    /// Form of the signature
    #[arg(long, value_enum, value_name = "F", default_value_t = SignatureFormat::Raw)]
    format: SignatureFormat,
    /// Hash 32 random bytes into the nonce, against faults and side channels
    #[arg(long, conflicts_with_all = ["context_hex", "prehash"])]
    noise: bool,
    /// Context: makes it an Ed25519ctx signature, with --prehash an Ed25519ph one with this context
    #[arg(long, value_name = "H")]
    context_hex: Option<String>,
    /// Sign the SHA-512 of the message (Ed25519ph)
    #[arg(long)]
    prehash: bool,
    /// Verify the signature before it is written, against faults in the machine
    #[arg(long)]
    checked: bool,
    /// Replace the file of the signature
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let out = &args.out;
    if files::is_standard(out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
    }
    let inputs = [Some(&args.secret_key), args.message.message_file.as_ref()];
    if inputs.into_iter().flatten().filter(|path| files::is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    files::check_free(out, args.force)?;
    files::check_folder_of(out)?;
    let secret = read_secret_key(&args.secret_key, output)?;
    check_spares_inputs(out, &inputs.into_iter().flatten().collect::<Vec<_>>())?;
    let bytes = args.format.encode(&plain(args, &secret.key, output)?);
    files::write(out, &bytes, Privacy::Public, args.force)?;
    if !files::is_standard(out) {
        output.line(format_args!("signature in '{}' ({} bytes)", out.display(), bytes.len()))?;
    }
    output.object(&serde_json::json!({
        "scheme": "ed25519", "signature_file": out, "signature_format": args.format.name(),
        "signature_bytes": bytes.len(), "public_key": hex::encode(secret.key.verifying_key().to_bytes()),
        "key_format": secret.format.name(), "prehash": args.prehash, "noise": args.noise,
    }))?;
    Ok(Exit::Good)
}

/// The 64 bytes of Ed25519, Ed25519ctx or Ed25519ph.
fn plain(args: &Args, key: &SigningKey, output: &Output) -> Result<Signature, Failure> {
    let context = args.context_hex.as_deref().map(|digits| from_digits("context", digits)).transpose()?;
    let public = key.verifying_key();
    // Whether it verifies is only asked if --checked is given; sign_checked asks by itself.
    let (signature, verdict) = if args.prehash {
        let mut hash = Sha512::new();
        args.message.hash(&mut hash, output)?;
        let digest: [u8; 64] = hash.finalize().into();
        let context = context.unwrap_or_default();
        let signature = key.sign_prehashed(&digest, &context)?;
        let verdict = args
            .checked
            .then(|| public.verify_prehashed(Profile::Cofactorless, &digest, &context, &signature));
        (signature, verdict)
    } else {
        let message = args.message.read()?;
        match &context {
            Some(context) => {
                let signature = key.sign_ctx(&message, context)?;
                let verify = || public.verify_ctx(Profile::Cofactorless, &message, context, &signature);
                (signature, args.checked.then(verify))
            }
            None if args.noise => {
                let noise = seed::from_system()?;
                let signature = key.sign_with_noise(&message, &noise);
                let verify = || public.verify_with(Profile::Cofactorless, &message, &signature);
                (signature, args.checked.then(verify))
            }
            None if args.checked => (key.sign_checked(&message)?, None),
            None => (key.sign(&message), None),
        }
    };
    match verdict {
        Some(Err(_)) => Err(Error::SelfCheckFailed.into()),
        _ => Ok(signature),
    }
}

/// Refuses to replace what is read by a signature.
fn check_spares_inputs(out: &Path, inputs: &[&PathBuf]) -> Result<(), Failure> {
    let is_out = |path: &&&PathBuf| matches!((fs::canonicalize(out), fs::canonicalize(path)), (Ok(out), Ok(path)) if out == path);
    match inputs.iter().find(is_out) {
        Some(_) => Err(Failure::usage(format_args!("'{}' is not replaced by a signature", out.display()))),
        None => Ok(()),
    }
}
