//! `phalanx ed25519 sign`.

use super::input::secret_key;
use super::message::MessageArgs;
use crate::digits;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::key_json;
use crate::output::{JsonFlag, Output};
use crate::password::KeyPasswordArgs;
use crate::seed;
use crate::values::Given;
use phalanx::ed25519::sshsig::{self, SshSignature};
use phalanx::ed25519::{Error, Profile, Signature, SigningKey, minisign};
use phalanx_identify::ed25519::{KeyFormat, SecretKey, Signature as SignatureFile, SignatureFormat};
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
  phalanx ed25519 sign --secret-key keys/secret-key.pem \\
    --message-file letter.txt --out letter.raw
  phalanx ed25519 sign --secret-key ~/.ssh/id_ed25519 \\
    --message-file letter.txt --format sshsig
  phalanx ed25519 sign --secret-key ~/.minisign/minisign.key \\
    --message-file letter.txt --format minisign")]
pub(crate) struct Args {
    /// The secret key, or the folder of keygen that it is in
    #[arg(short = 'k', long, value_name = "F")]
    pub(crate) secret_key: PathBuf,
    #[command(flatten)]
    pub(crate) password: KeyPasswordArgs,
    #[command(flatten)]
    pub(crate) message: MessageArgs,
    /// File for the signature (`-`: standard output) [default: the message's with .sig, for minisign .minisig]
    #[arg(short, long, value_name = "F")]
    pub(crate) out: Option<PathBuf>,
    /// Form of the signature [default: raw]
    #[arg(short, long, value_enum, value_name = "F", hide_default_value = true)]
    pub(crate) format: Option<SignatureFormat>,
    /// Without a form: the one that programs give signatures of such a key, and not raw.
    #[arg(skip)]
    pub(crate) by_habit: bool,
    #[command(flatten)]
    pub(crate) options: Options,
    /// Replace the file of the signature
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What only signatures of Ed25519 have.
#[derive(clap::Args)]
pub(crate) struct Options {
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
}

impl Options {
    /// Whether any is given.
    pub(crate) fn is_given(&self) -> bool {
        let Self { noise, context_hex, prehash, namespace, trusted_comment, comment, checked } = self;
        let texts = [context_hex, namespace, trusted_comment, comment];
        *noise || *prehash || *checked || texts.iter().any(|text| text.is_some())
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    run_on(args, None, output)
}

/// The same, of a key that was read, if it was.
pub(crate) fn run_on(args: &Args, key: Option<Given>, output: &Output) -> Result<Exit, Failure> {
    let given = args.format.or((!args.by_habit).then_some(SignatureFormat::Raw));
    // What can be said without the key is said before it is asked for its password.
    if let Some(format) = given {
        check_options(args, format)?;
        check_out(args, format, output)?;
    }
    let message = args.message.path();
    let inputs = [Some(&*args.secret_key), message, args.password.file()];
    files::check_one_standard(&inputs)?;
    let key = key.map_or_else(|| Given::secret_key(&args.secret_key), Ok)?;
    let secret = secret_key(&key, &args.password, output)?;
    let format = given.unwrap_or_else(|| habit(secret.format));
    check_options(args, format)?;
    let out = &check_out(args, format, output)?;
    check_spares_inputs(out, inputs)?;
    let bytes = match format {
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
        "scheme": "ed25519", "signature_file": out, "signature_format": format.name(),
        "signature_bytes": bytes.len(), "public_key": hex::encode(secret.key.verifying_key().to_bytes()),
        "key_format": secret.format.name(), "prehash": args.options.prehash, "noise": args.options.noise,
    }))?;
    Ok(Exit::Good)
}

/// The form that programs which keep keys in `key` give signatures: ssh-keygen, minisign, OpenSSL.
fn habit(key: KeyFormat) -> SignatureFormat {
    match key {
        KeyFormat::Openssh => SignatureFormat::Sshsig,
        KeyFormat::Minisign => SignatureFormat::Minisign,
        _ => SignatureFormat::Raw,
    }
}

/// Where the signature goes: checked before anything is spent on it.
fn check_out(args: &Args, format: SignatureFormat, output: &Output) -> Result<PathBuf, Failure> {
    let out = match &args.out {
        Some(out) => out.clone(),
        None => files::beside(args.message.path(), format.suffix().unwrap_or(".sig"))?,
    };
    if files::is_standard(&out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
    }
    files::check_free(&out, args.force)?;
    files::check_folder_of(&out)?;
    Ok(out)
}

/// Refuses options that the format has no use for.
fn check_options(args: &Args, format: SignatureFormat) -> Result<(), Failure> {
    let is = |wanted| format == wanted;
    let is_plain = is(SignatureFormat::Raw) || is(SignatureFormat::Hex);
    let Options { noise, context_hex, prehash, namespace, trusted_comment, comment, checked: _ } =
        &args.options;
    let options = [
        ("--noise", *noise, is_plain),
        ("--context-hex", context_hex.is_some(), is_plain),
        ("--prehash", *prehash, is_plain),
        ("--namespace", namespace.is_some(), is(SignatureFormat::Sshsig)),
        ("--trusted-comment", trusted_comment.is_some(), is(SignatureFormat::Minisign)),
        ("--comment", comment.is_some(), is(SignatureFormat::Minisign)),
    ];
    match options.into_iter().find(|&(_, given, allowed)| given && !allowed) {
        Some((option, ..)) => {
            Err(Failure::usage(format_args!("{option} does not go with --format {}", format.name())))
        }
        None => Ok(()),
    }
}

/// The 64 bytes of Ed25519, Ed25519ctx or Ed25519ph.
fn plain(args: &Args, key: &SigningKey, output: &Output) -> Result<Signature, Failure> {
    let context =
        args.options.context_hex.as_deref().map(|digits| digits::argument("context", digits)).transpose()?;
    let public = key.verifying_key();
    // Whether it verifies is only asked if --checked is given; sign_checked asks by itself.
    let (signature, result) = if args.options.prehash {
        let digest = args.message.sha512(output)?;
        let context = context.unwrap_or_default();
        let signature = key.sign_prehashed(&digest, &context)?;
        let verify = || public.verify_prehashed(Profile::Cofactorless, &digest, &context, &signature);
        (signature, args.options.checked.then(verify))
    } else {
        let message = args.message.read()?;
        match &context {
            Some(context) => {
                let signature = key.sign_ctx(&message, context)?;
                let verify = || public.verify_ctx(Profile::Cofactorless, &message, context, &signature);
                (signature, args.options.checked.then(verify))
            }
            None if args.options.noise => {
                let noise = seed::from_system()?;
                let signature = key.sign_with_noise(&message, &noise);
                let verify = || public.verify_with(Profile::Cofactorless, &message, &signature);
                (signature, args.options.checked.then(verify))
            }
            None if args.options.checked => (key.sign_checked(&message)?, None),
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
    let trusted = args.options.trusted_comment.clone().unwrap_or_else(|| {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let file = args.message.path().filter(|file| !files::is_standard(file)).map(key_json::file_name);
        let file =
            file.map_or_else(String::new, |name| format!("\tfile:{}", name.replace(char::is_control, "?")));
        format!("timestamp:{seconds}{file}\thashed")
    });
    let comment = args.options.comment.as_deref().unwrap_or("signature from phalanx secret key");
    let signature = minisign::SignatureBox::sign_prehashed(&key, prehash.clone(), comment, &trusted)?;
    if args.options.checked {
        let result = signature.verify_prehashed(&key.public_key(), Profile::Cofactorless, prehash);
        result.map_err(|_| Error::SelfCheckFailed)?;
    }
    Ok(signature.to_file())
}

/// The file that `ssh-keygen -Y sign` writes.
fn sshsig(args: &Args, key: &SigningKey, output: &Output) -> Result<String, Failure> {
    let mut prehash = sshsig::Prehash::new(sshsig::Hash::Sha512);
    args.message.hash(|piece| prehash.update(piece), output)?;
    let namespace = args.options.namespace.as_deref().unwrap_or(super::input::NAMESPACE);
    let signature = SshSignature::sign_prehashed(key, namespace, prehash.clone())?;
    if args.options.checked {
        let public = key.verifying_key();
        let result = signature.verify_prehashed(public, Profile::Cofactorless, namespace, prehash);
        result.map_err(|_| Error::SelfCheckFailed)?;
    }
    Ok(signature.to_armored())
}

/// Refuses to replace what is read by a signature.
fn check_spares_inputs(out: &Path, inputs: [Option<&Path>; 3]) -> Result<(), Failure> {
    let is_out = |path: &&Path| match (fs::canonicalize(out), fs::canonicalize(path)) {
        (Ok(out), Ok(path)) => out == path,
        _ => false,
    };
    match inputs.into_iter().flatten().find(is_out) {
        Some(_) => Err(Failure::usage(format_args!("'{}' is not replaced by a signature", out.display()))),
        None => Ok(()),
    }
}
