//! `phalanx verify`: a signature of a file, by whatever key.

use super::ed25519;
use super::ed25519::message::MessageArgs as AnyMessage;
use super::xmss;
use super::xmss::scheme::SchemeArgs;
use crate::args::{HashArgs, MessageArgs};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::formats::{self, FormatArgs};
use crate::key_json::KeyJson;
use crate::output::{JsonFlag, Output};
use crate::values::Given;
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
  phalanx verify -k validator block --epoch 0 --hash sha256")]
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
    let named = named_signatures(&args)?;
    files::check_one_standard(&[
        args.public_key.as_deref(),
        Some(&named[0]),
        files::or_piped(args.file.as_deref()),
        args.options.allowed_signers.as_deref(),
    ])?;
    let key = args.public_key.as_deref().map(Given::public_key).transpose()?;
    let signature = Given::read(one_of(&args, &named, key.as_ref())?)?;
    if is_ed25519(&args, key.as_ref(), &signature) {
        of_ed25519(args, key.as_ref(), &signature, output)
    } else {
        of_xmss(args, key, signature, output)
    }
}

/// Which system it is: the `key.json` says it, or a form of key that only Ed25519 has, else the signature.
fn is_ed25519(args: &Args, key: Option<&Given>, signature: &Given) -> bool {
    if args.options.allowed_signers.is_some() {
        return true;
    }
    if let Some(description) = key.and_then(|key| KeyJson::beside(&key.file)) {
        return description.activation.is_none();
    }
    let format = key.and_then(format_of);
    format.is_some_and(|format| !matches!(format, KeyFormat::Raw | KeyFormat::Hex))
        || Signature::read(&signature.bytes).is_ok()
}

/// The form of a public key of Ed25519.
fn format_of(key: &Given) -> Option<KeyFormat> {
    PublicKey::read(&key.bytes).ok().map(|key| key.format)
}

/// The signature that is named, or those beside the file: one or two.
fn named_signatures(args: &Args) -> Result<Vec<PathBuf>, Failure> {
    if let Some(signature) = &args.signature {
        return Ok(vec![signature.clone()]);
    }
    let Some(file) = args.file.as_deref().filter(|file| !files::is_standard(file)) else {
        return Err(if args.file.is_some() {
            Failure::usage("the signature of what is piped in is missing").hint("phalanx verify -k KEY - SIG")
        } else {
            Failure::usage("what was signed is missing").hint("phalanx verify -k KEY FILE")
        });
    };
    let beside = [files::beside(Some(file), ".sig")?, files::beside(Some(file), ".minisig")?];
    let found: Vec<_> = beside.iter().filter(|path| path.exists()).cloned().collect();
    if found.is_empty() { Err(no_signature(file, &beside[0], &beside[1])) } else { Ok(found) }
}

/// The one of these that is meant: each key has a habit of its own, and minisign's are called `.minisig`.
fn one_of<'a>(args: &Args, named: &'a [PathBuf], key: Option<&Given>) -> Result<&'a Path, Failure> {
    match (named, key) {
        ([sig, minisig], None) => {
            let (sig, minisig) = (sig.display(), minisig.display());
            let file = args.file.as_deref().unwrap_or(Path::new("FILE")).display();
            Err(Failure::usage(format_args!("both '{sig}' and '{minisig}' are there"))
                .hint(format_args!("name one: phalanx verify -k KEY {file} {sig}")))
        }
        ([_, minisig], Some(key)) if format_of(key) == Some(KeyFormat::Minisign) => Ok(minisig),
        _ => Ok(&named[0]),
    }
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

fn of_ed25519(args: Args, key: Option<&Given>, given: &Given, output: &Output) -> Result<Exit, Failure> {
    let XmssOptions { epoch, hash, scheme, format } = &args.xmss;
    if epoch.is_some() || hash.hash.is_some() || scheme.scheme.is_some() || format.is_some() {
        return Err(Failure::usage(
            "key or signature is of ed25519: --epoch, --hash, --scheme and --format are for XMSS",
        ));
    }
    let Args { public_key, file, options, json, .. } = args;
    let (message, signature) = (AnyMessage::of_file(file), given.file.clone());
    let args = ed25519::verify::Args { public_key, signature, message, options, json };
    ed25519::verify::run_on(&args, key, given, output)
}

fn of_xmss(args: Args, key: Option<Given>, given: Given, output: &Output) -> Result<Exit, Failure> {
    if args.options.is_given() {
        return Err(Failure::usage(
            "the signature is not of ed25519: only --epoch, --hash and --scheme say more",
        ));
    }
    let Args { public_key, file, xmss: options, json, .. } = args;
    let (Some(public_key), Some(key)) = (public_key, key) else {
        return Err(Failure::usage("--key is missing"));
    };
    let XmssOptions { epoch, hash, scheme, format } = options;
    // What is no signature at all is said to be that, before an epoch is asked for.
    let epoch = match epoch {
        Some(epoch) => epoch,
        None => {
            let given = given.decoded();
            xmss::scheme::check_signature(&given.file, &given.bytes)?;
            return Err(Failure::usage("a signature of XMSS is made at an epoch: --epoch is missing")
                .hint("'phalanx sign' has printed it; the epoch is part of what is verified"));
        }
    };
    let (message, format) = (MessageArgs::of_file(file), FormatArgs::of_signature_only(format));
    let signature = given.file.clone();
    let args = xmss::verify::Args { public_key, scheme, epoch, message, hash, signature, format, json };
    let message = args.message.read_or_hash(args.hash)?;
    xmss::verify::run_on(&args, &message, key, given, output)
}
