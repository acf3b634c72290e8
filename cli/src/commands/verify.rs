//! `phalanx verify`: a signature of a file, by whatever key.

use super::ed25519;
use super::ed25519::message::MessageArgs as AnyMessage;
use super::xmss;
use super::xmss::scheme::SchemeArgs;
use crate::args::{HashArgs, MessageArgs};
use crate::exit::{Exit, Failure};
use crate::formats::{self, FormatArgs};
use crate::key_json::KeyJson;
use crate::output::{JsonFlag, Output};
use crate::{files, key_files, values};
use phalanx::xmss::Format;
use phalanx_identify::ed25519::{KeyFormat, PublicKey, Signature};
use std::path::{Path, PathBuf};

/// Verify the signature of a file
///
/// What the key and the signature are is found by their content. Exit code 1 says that the signature does not verify.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx verify -k keys letter
  phalanx verify -k minisign.pub letter letter.minisig
  phalanx verify -k validator letter --epoch 7 --hash sha256")]
pub(crate) struct Args {
    /// The public key, or the folder of keygen that it is in, or the key itself in hexadecimal or base64 (`-`: standard
    /// input)
    #[arg(short = 'k', long = "key", value_name = "KEY", required_unless_present = "allowed_signers")]
    public_key: Option<PathBuf>,
    /// What was signed (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The signature, or itself in hexadecimal or base64 (`-`: standard input) [default: FILE.sig or FILE.minisig]
    #[arg(value_name = "SIG")]
    signature: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
    #[command(flatten, next_help_heading = "Ed25519")]
    options: ed25519::verify::Options,
    #[command(flatten, next_help_heading = "XMSS")]
    xmss: XmssOptions,
}

/// What only signatures of XMSS have.
#[derive(clap::Args)]
struct XmssOptions {
    /// The epoch, which is part of what is verified
    #[arg(long, value_name = "N")]
    epoch: Option<u64>,
    #[command(flatten)]
    hash: HashArgs,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Encoding of the signature [default: what it reads as]
    #[arg(short, long, value_name = "F", value_parser = formats::format_parser())]
    format: Option<Format>,
}

/// Runs it.
pub(crate) fn run(args: Args, output: &Output) -> Result<Exit, Failure> {
    let signature = signature(&args)?;
    if is_ed25519(&args, &signature)? {
        return of_ed25519(args, signature, output);
    }
    of_xmss(args, signature, output)
}

/// Which system it is: the `key.json` says it, or a form of key that only Ed25519 has, else the signature.
fn is_ed25519(args: &Args, signature: &Path) -> Result<bool, Failure> {
    if args.options.allowed_signers.is_some() {
        return Ok(true);
    }
    // What is piped in can be read once only.
    if let Some(key) = args.public_key.as_deref().filter(|key| !files::is_standard(key)) {
        let file = key_files::public(key)?;
        if let Some(description) = KeyJson::beside(&file) {
            return Ok(description.activation.is_none());
        }
        let bytes = values::read(&file)?;
        if PublicKey::read(&bytes).is_ok_and(|key| !matches!(key.format, KeyFormat::Raw | KeyFormat::Hex)) {
            return Ok(true);
        }
    }
    if files::is_standard(signature) {
        return Ok(args.xmss.epoch.is_none());
    }
    Ok(Signature::read(&values::read(signature)?).is_ok())
}

/// The signature that is named, or the one beside the file.
fn signature(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(signature) = &args.signature {
        return Ok(signature.clone());
    }
    let Some(file) = args.file.as_deref().filter(|file| !files::is_standard(file)) else {
        return Err(if args.file.is_some() {
            Failure::usage("the signature of what is piped in is missing").hint("phalanx verify -k KEY - SIG")
        } else {
            Failure::usage("what was signed is missing").hint("phalanx verify -k KEY FILE")
        });
    };
    let beside = [".sig", ".minisig"].map(|suffix| files::beside(Some(file), suffix));
    let [sig, minisig] = beside;
    let (sig, minisig) = (sig?, minisig?);
    match (sig.exists(), minisig.exists()) {
        (true, false) => Ok(sig),
        (false, true) => Ok(minisig),
        // Each key has a habit of its own.
        (true, true) if is_named_by_minisign(args) => Ok(minisig),
        (true, true) if args.public_key.is_some() => Ok(sig),
        (true, true) => Err(Failure::usage(format_args!(
            "both '{}' and '{}' are there",
            sig.display(),
            minisig.display()
        ))
        .hint(format_args!("name one: phalanx verify -k KEY {} {}", file.display(), sig.display()))),
        (false, false) => Err(no_signature(file, &sig, &minisig)),
    }
}

/// Whether the key is one of minisign, whose signatures are called `.minisig`.
fn is_named_by_minisign(args: &Args) -> bool {
    let Some(key) = args.public_key.as_deref().filter(|key| !files::is_standard(key)) else { return false };
    let bytes = key_files::public(key).and_then(|file| values::read(&file));
    bytes.is_ok_and(|bytes| PublicKey::read(&bytes).is_ok_and(|key| key.format == KeyFormat::Minisign))
}

fn no_signature(file: &Path, sig: &Path, minisig: &Path) -> Failure {
    if !file.exists() {
        return Failure::system(format_args!("cannot read '{}': there is no such file", file.display()));
    }
    let failure = Failure::usage(format_args!(
        "there is no signature of '{}': neither '{}' nor '{}'",
        file.display(),
        sig.display(),
        minisig.display()
    ));
    let signed =
        file.extension().filter(|end| *end == "sig" || *end == "minisig").map(|_| file.with_extension(""));
    match signed.filter(|signed| signed.exists()) {
        Some(signed) => {
            failure.hint(format_args!("to verify '{0}': phalanx verify -k KEY {0}", signed.display()))
        }
        None => failure.hint("name it after the file"),
    }
}

fn of_ed25519(args: Args, signature: PathBuf, output: &Output) -> Result<Exit, Failure> {
    let XmssOptions { epoch, hash, scheme, format } = &args.xmss;
    if epoch.is_some() || hash.hash.is_some() || scheme.scheme.is_some() || format.is_some() {
        return Err(Failure::usage(
            "key or signature is of ed25519: --epoch, --hash, --scheme and --format are for XMSS",
        ));
    }
    let Args { public_key, file, options, json, .. } = args;
    let message = AnyMessage::of_file(file);
    ed25519::verify::run(&ed25519::verify::Args { public_key, signature, message, options, json }, output)
}

fn of_xmss(args: Args, signature: PathBuf, output: &Output) -> Result<Exit, Failure> {
    if args.options.is_given() {
        return Err(Failure::usage(
            "the signature is not of ed25519: only --epoch, --hash and --scheme say more",
        ));
    }
    let Args { public_key, file, xmss: options, json, .. } = args;
    let public_key = public_key.ok_or_else(|| Failure::usage("--key is missing"))?;
    let XmssOptions { epoch, hash, scheme, format } = options;
    // What is no signature at all is said to be that, before an epoch is asked for.
    let epoch = match epoch {
        Some(epoch) => epoch,
        None => {
            let bytes = values::read_decoded(&signature)?;
            xmss::scheme::check_signature(&signature, &bytes)?;
            return Err(Failure::usage("a signature of XMSS is made at an epoch: --epoch is missing")
                .hint("'phalanx sign' has printed it; the epoch is part of what is verified"));
        }
    };
    let (message, format) = (MessageArgs::of_file(file), FormatArgs::of_signature_only(format));
    let args = xmss::verify::Args { public_key, scheme, epoch, message, hash, signature, format, json };
    xmss::verify::run(&args, output)
}
