//! `phalanx ed25519 sign`.

use super::input::read_secret_key;
use super::message::MessageArgs;
use crate::digits;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::key_json;
use crate::output::{JsonFlag, Output};
use crate::seed;
use phalanx::ed25519::sshsig::{self, SshSignature};
use phalanx::ed25519::{Error, Profile, Signature, SigningKey, minisign};
use phalanx_identify::ed25519::{SecretKey, Signature as SignatureFile, SignatureFormat};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Sign a message of any length
///
/// The form of the key file is found by its content. Signatures are deterministic (RFC 8032) unless --noise is given.
/// With --prehash it is the SHA-512 of the message that is signed (Ed25519ph), so that the message may be of any
/// length; so it may in the formats minisign and sshsig.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx ed25519 sign --secret-key keys/secret-key.raw --message-file letter.txt --out letter.raw
  phalanx ed25519 sign --secret-key ~/.ssh/id_ed25519 --message-file letter.txt --format sshsig
  phalanx ed25519 sign --secret-key keys/secret-key.minisign --message-file letter.txt --format minisign")]
pub(crate) struct Args {
    /// The secret key
    #[arg(long, value_name = "F")]
    secret_key: PathBuf,
    /// File with the password of an encrypted minisign key
    #[arg(long, value_name = "F")]
    password_file: Option<PathBuf>,
    #[command(flatten)]
    message: MessageArgs,
    /// File for the signature (`-`: standard output) [default: the message's with .minisig or .sig, in those formats]
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
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
    /// What an sshsig signature is for [default: file]
    #[arg(long, value_name = "N")]
    namespace: Option<String>,
    /// Comment in a minisign signature that is signed too [default: time and file name, as minisign writes them]
    #[arg(long, value_name = "C")]
    trusted_comment: Option<String>,
    /// Comment in a minisign signature that is not signed
    #[arg(long, value_name = "C")]
    comment: Option<String>,
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
    check_options(args)?;
    let out = &out(args)?;
    if files::is_standard(out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
    }
    let inputs = [Some(&args.secret_key), args.message.message_file.as_ref(), args.password_file.as_ref()];
    let inputs: Vec<_> = inputs.into_iter().flatten().collect();
    if inputs.iter().filter(|path| files::is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    files::check_free(out, args.force)?;
    files::check_folder_of(out)?;
    let secret = read_secret_key(&args.secret_key, args.password_file.as_deref(), output)?;
    check_spares_inputs(out, &inputs)?;
    let bytes = match args.format {
        SignatureFormat::Raw => SignatureFile::encode_plain(&plain(args, &secret.key, output)?, false),
        SignatureFormat::Hex => SignatureFile::encode_plain(&plain(args, &secret.key, output)?, true),
        SignatureFormat::Minisign => minisign(args, &secret, output)?.into_bytes(),
        SignatureFormat::Sshsig => sshsig(args, &secret.key, output)?.into_bytes(),
    };
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

/// Refuses options that the format has no use for.
fn check_options(args: &Args) -> Result<(), Failure> {
    let is = |format| args.format == format;
    let is_plain = is(SignatureFormat::Raw) || is(SignatureFormat::Hex);
    let options = [
        ("--noise", args.noise, is_plain),
        ("--context-hex", args.context_hex.is_some(), is_plain),
        ("--prehash", args.prehash, is_plain),
        ("--namespace", args.namespace.is_some(), is(SignatureFormat::Sshsig)),
        ("--trusted-comment", args.trusted_comment.is_some(), is(SignatureFormat::Minisign)),
        ("--comment", args.comment.is_some(), is(SignatureFormat::Minisign)),
    ];
    match options.into_iter().find(|&(_, given, allowed)| given && !allowed) {
        Some((option, ..)) => {
            Err(Failure::usage(format_args!("{option} does not go with --format {}", args.format.name())))
        }
        None => Ok(()),
    }
}

/// Where the signature goes.
fn out(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(out) = &args.out {
        return Ok(out.clone());
    }
    let file = args.message.message_file.as_ref().filter(|file| !files::is_standard(file));
    match (file, args.format.suffix()) {
        (Some(file), Some(suffix)) => {
            let mut name = file.clone().into_os_string();
            name.push(suffix);
            Ok(name.into())
        }
        _ => Err(Failure::usage("--out is missing").hint("name a file for the signature")),
    }
}

/// The 64 bytes of Ed25519, Ed25519ctx or Ed25519ph.
fn plain(args: &Args, key: &SigningKey, output: &Output) -> Result<Signature, Failure> {
    let context =
        args.context_hex.as_deref().map(|digits| digits::argument("context", digits)).transpose()?;
    let public = key.verifying_key();
    // Whether it verifies is only asked if --checked is given; sign_checked asks by itself.
    let (signature, result) = if args.prehash {
        let digest = args.message.sha512(output)?;
        let context = context.unwrap_or_default();
        let signature = key.sign_prehashed(&digest, &context)?;
        let verify = || public.verify_prehashed(Profile::Cofactorless, &digest, &context, &signature);
        (signature, args.checked.then(verify))
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
    match result {
        Some(Err(_)) => Err(Error::SelfCheckFailed.into()),
        _ => Ok(signature),
    }
}

/// The file that minisign writes.
fn minisign(args: &Args, secret: &SecretKey, output: &Output) -> Result<String, Failure> {
    let mut prehash = minisign::Prehash::new();
    args.message.hash(|piece| prehash.update(piece), output)?;
    let key = minisign::SecretKey { key_id: secret.key_id, key: secret.key.clone() };
    let trusted = args.trusted_comment.clone().unwrap_or_else(|| {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let file = args.message.message_file.as_deref().map(key_json::file_name);
        let file =
            file.map_or_else(String::new, |name| format!("\tfile:{}", name.replace(char::is_control, "?")));
        format!("timestamp:{seconds}{file}\thashed")
    });
    let comment = args.comment.as_deref().unwrap_or("signature from phalanx secret key");
    let signature = minisign::SignatureBox::sign_prehashed(&key, prehash.clone(), comment, &trusted)?;
    if args.checked {
        let result = signature.verify_prehashed(&key.public_key(), Profile::Cofactorless, prehash);
        result.map_err(|_| Error::SelfCheckFailed)?;
    }
    Ok(signature.to_file())
}

/// The file that `ssh-keygen -Y sign` writes.
fn sshsig(args: &Args, key: &SigningKey, output: &Output) -> Result<String, Failure> {
    let mut prehash = sshsig::Prehash::new(sshsig::Hash::Sha512);
    args.message.hash(|piece| prehash.update(piece), output)?;
    let namespace = args.namespace.as_deref().unwrap_or(super::input::NAMESPACE);
    let signature = SshSignature::sign_prehashed(key, namespace, prehash.clone())?;
    if args.checked {
        let public = key.verifying_key();
        let result = signature.verify_prehashed(public, Profile::Cofactorless, namespace, prehash);
        result.map_err(|_| Error::SelfCheckFailed)?;
    }
    Ok(signature.to_armored())
}

/// Refuses to replace what is read by a signature.
fn check_spares_inputs(out: &Path, inputs: &[&PathBuf]) -> Result<(), Failure> {
    let is_out = |path: &&&PathBuf| match (fs::canonicalize(out), fs::canonicalize(path)) {
        (Ok(out), Ok(path)) => out == path,
        _ => false,
    };
    match inputs.iter().find(is_out) {
        Some(_) => Err(Failure::usage(format_args!("'{}' is not replaced by a signature", out.display()))),
        None => Ok(()),
    }
}
