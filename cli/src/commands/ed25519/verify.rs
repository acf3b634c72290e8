//! `phalanx ed25519 verify`.

use super::input::{ProfileArgs, malformed, public_key};
use super::message::MessageArgs;
use crate::exit::{Exit, Failure};
use crate::local_time::utc_offset_at;
use crate::output::{JsonFlag, Output};
use crate::values::Given;
use crate::{digits, files};
use phalanx::ed25519::sshsig::{self, AllowedSigners, Refusal, Request, SshSignature};
use phalanx::ed25519::{self, Profile, Reason, VerifyingKey, minisign};
use phalanx_identify::ed25519::{PublicKey, Signature, SignatureFormat};
use sha2::{Digest, Sha512};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Verify a signature
///
/// The forms of the key file and of the signature are found by their content: raw and hexadecimal signatures, those of
/// minisign and those of `ssh-keygen -Y`. Exit code 1 says that the signature does not verify, with the first check
/// that fails.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx ed25519 verify --public-key keys/public-key.pem \\
    --message-file letter.txt --signature letter.raw
  phalanx ed25519 verify --public-key minisign.pub \\
    --message-file letter.txt --signature letter.txt.minisig
  phalanx ed25519 verify --allowed-signers signers --identity me@home \\
    --message-file letter.txt --signature letter.txt.sig")]
pub(crate) struct Args {
    /// The public key, or the folder of keygen that it is in, or the key itself in hexadecimal or base64 (`-`: standard
    /// input)
    #[arg(short = 'k', long, value_name = "F", required_unless_present = "allowed_signers")]
    pub(crate) public_key: Option<PathBuf>,
    /// The signature, or itself in hexadecimal or base64 (`-`: standard input)
    #[arg(long, value_name = "F")]
    pub(crate) signature: PathBuf,
    #[command(flatten)]
    pub(crate) message: MessageArgs,
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What only signatures of Ed25519 have.
#[derive(clap::Args, Clone)]
pub(crate) struct Options {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Context of an Ed25519ctx signature, or with --prehash of an Ed25519ph one
    #[arg(long, value_name = "H")]
    context_hex: Option<String>,
    /// It is the SHA-512 of the message that is signed (Ed25519ph)
    #[arg(long)]
    prehash: bool,
    /// What an sshsig signature must be for [default: file]
    #[arg(long, value_name = "N")]
    namespace: Option<String>,
    /// File of the keys that may sign, as `ssh-keygen -Y verify -f` takes it; times in it that do not end in Z
    /// are local standard time, as there
    #[arg(long, value_name = "F", requires = "identity", conflicts_with = "public_key")]
    pub(crate) allowed_signers: Option<PathBuf>,
    /// Who must have signed, as the allowed signers name them
    #[arg(long, value_name = "I", requires = "allowed_signers")]
    identity: Option<String>,
}

impl Options {
    /// Whether any is given but the profile, which always is.
    pub(crate) fn is_given(&self) -> bool {
        let Self { profile: _, context_hex, prehash, namespace, allowed_signers, identity } = self;
        let texts = [context_hex, namespace, identity];
        *prehash || allowed_signers.is_some() || texts.iter().any(|text| text.is_some())
    }
}

/// What is known of a signature that was looked at.
#[derive(Default)]
struct Finding {
    /// What was looked at, such as `signature in raw`.
    what: String,
    /// Why it does not verify, if it does not.
    problem: Option<String>,
    /// The profiles that accept it.
    accepted_by: Vec<&'static str>,
    /// What the user may do.
    hint: Option<String>,
    /// Of a minisign signature that verifies.
    trusted_comment: Option<String>,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    files::check_one_standard(&[
        args.public_key.as_deref(),
        Some(&args.signature),
        args.message.path(),
        args.options.allowed_signers.as_deref(),
    ])?;
    let key = args.public_key.as_deref().map(Given::public_key).transpose()?;
    run_on(args, key.as_ref(), &Given::read(&args.signature)?, output)
}

/// The same, of key and signature that were read.
pub(crate) fn run_on(
    args: &Args,
    key: Option<&Given>,
    signature: &Given,
    output: &Output,
) -> Result<Exit, Failure> {
    let key = key.map(public_key).transpose()?;
    let signature = Signature::read(&signature.bytes)
        .map_err(|error| malformed("a signature of Ed25519", &signature.file, error))?;
    let format = signature.format();
    check_options(args, format)?;
    let finding = match (&signature, &key) {
        (Signature::Plain(signature, _), Some(key)) => plain(args, &key.bytes, signature, format, output)?,
        (Signature::Minisign(signature), Some(key)) => minisign(args, key, signature, output)?,
        (Signature::Sshsig(signature), key) => sshsig(args, key.as_ref(), signature, output)?,
        (_, None) => unreachable!("--allowed-signers goes with sshsig only, and without it there is a key"),
    };
    let profile = args.options.profile.profile.name();
    output.object(&serde_json::json!({
        "valid": finding.problem.is_none(), "scheme": "ed25519", "profile": profile,
        "signature_format": format.name(), "what": finding.what, "reason": finding.problem,
        "accepted_by": finding.accepted_by, "trusted_comment": finding.trusted_comment,
        "public_key": key.as_ref().map(|key| hex::encode(key.bytes)),
        "key_format": key.as_ref().map(|key| key.format.name()),
    }))?;
    let Finding { what, problem, accepted_by, hint, trusted_comment } = finding;
    let Some(problem) = problem else {
        output.line(format_args!("signature verifies (ed25519, profile {profile}, {what})"))?;
        if let Some(comment) = trusted_comment {
            output.line(format_args!("trusted comment: {comment}"))?;
        }
        return Ok(Exit::Good);
    };
    let message = format!("{}: {problem} ({what}, profile {profile})", phalanx::InvalidSignature);
    let failure = Failure::new(Exit::DoesNotVerify, message);
    let others = || format!("it verifies with --profile {}", accepted_by.join(" or "));
    let hint = hint.or_else(|| (!accepted_by.is_empty()).then(others));
    Err(match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    })
}

/// Refuses options that the form of the signature has no use for.
fn check_options(args: &Args, format: SignatureFormat) -> Result<(), Failure> {
    let is_plain = matches!(format, SignatureFormat::Raw | SignatureFormat::Hex);
    let is_sshsig = format == SignatureFormat::Sshsig;
    let options = [
        ("--context-hex", args.options.context_hex.is_some(), is_plain),
        ("--prehash", args.options.prehash, is_plain),
        ("--namespace", args.options.namespace.is_some(), is_sshsig),
        ("--allowed-signers", args.options.allowed_signers.is_some(), is_sshsig),
    ];
    match options.into_iter().find(|&(_, given, allowed)| given && !allowed) {
        Some((option, ..)) => Err(Failure::usage(format_args!(
            "{option} does not go with a signature in {}, which '{}' is",
            format.name(),
            args.signature.display()
        ))),
        None => Ok(()),
    }
}

/// Ed25519, Ed25519ctx and Ed25519ph.
fn plain(
    args: &Args,
    key: &[u8; 32],
    signature: &ed25519::Signature,
    format: SignatureFormat,
    output: &Output,
) -> Result<Finding, Failure> {
    let context =
        args.options.context_hex.as_deref().map(|digits| digits::argument("context", digits)).transpose()?;
    let profile = args.options.profile.profile;
    let what = |kind: &str| format!("{kind} in {}", format.name());
    let explain_all = |message: &[u8]| {
        let judged = ed25519::explain_all(key, message, &signature.to_bytes());
        move |profile| {
            let (_, result) = judged.iter().find(|(this, _)| *this == profile).expect("all are judged");
            *result
        }
    };
    let under_hash = |profile: Profile, digest: &[u8; 64], context: &[u8]| {
        domain(key, |key| key.verify_prehashed(profile, digest, context, signature))
    };
    if args.options.prehash {
        let digest = args.message.sha512(output)?;
        let context = context.unwrap_or_default();
        let judge = |profile| under_hash(profile, &digest, &context);
        let mut found = finding(what("Ed25519ph signature"), profile, judge);
        // What can be read again is hashed once more.
        if found.accepted_by.is_empty() && !args.message.is_standard() {
            let plainly = args.message.read().map(|message| explain_all(&message)(profile));
            found.hint = matches!(plainly, Ok(Ok(()))).then(|| "it verifies without --prehash".to_owned());
        }
        return Ok(found);
    }
    let message = args.message.read()?;
    let Some(context) = context else {
        let mut found = finding(what("signature"), profile, explain_all(&message));
        if found.accepted_by.is_empty() && under_hash(profile, &Sha512::digest(&message).into(), &[]).is_ok()
        {
            found.hint = Some("it verifies with --prehash".to_owned());
        }
        return Ok(found);
    };
    if context.is_empty() {
        return Err(ed25519::Error::ContextEmpty.into());
    }
    let judge = |profile| domain(key, |key| key.verify_ctx(profile, &message, &context, signature));
    Ok(finding(what("Ed25519ctx signature"), profile, judge))
}

/// Verification under a domain says no more than yes or no, once the key decodes.
fn domain(
    key: &[u8; 32],
    verify: impl FnOnce(&VerifyingKey) -> Result<(), phalanx::InvalidSignature>,
) -> Result<(), &'static str> {
    let key = VerifyingKey::from_bytes(key).map_err(|_| "public key encodes no point of the curve")?;
    verify(&key).map_err(|_| OTHERS)
}

/// What can be said when verification gives no reason.
const OTHERS: &str = "another message, another key, another context, or a damaged signature";

/// Judges under all profiles; that it is under `profile` which counts.
fn finding<R: Display>(what: String, profile: Profile, judge: impl Fn(Profile) -> Result<(), R>) -> Finding {
    let problem = judge(profile).err().map(|reason| reason.to_string());
    let accepts = |&this: &Profile| if this == profile { problem.is_none() } else { judge(this).is_ok() };
    let accepted_by = Profile::ALL.into_iter().filter(accepts).map(Profile::name).collect();
    Finding { what, problem, accepted_by, ..Finding::default() }
}

/// minisign's: the message or its hash, and the trusted comment.
fn minisign(
    args: &Args,
    key: &PublicKey,
    signature: &minisign::SignatureBox,
    output: &Output,
) -> Result<Finding, Failure> {
    let kind =
        if signature.is_prehashed() { "minisign signature" } else { "minisign signature of the older kind" };
    let what = format!("{kind} by key {}", signature.key_id());
    let Ok(point) = key.key() else {
        let problem = Some(Reason::InvalidPublicKey.to_string());
        return Ok(Finding { what, problem, ..Finding::default() });
    };
    // A key in another form has no name: then the signature's is as good as any.
    let key = minisign::PublicKey { key_id: key.key_id.unwrap_or_else(|| signature.key_id()), key: point };
    let mut prehash = minisign::Prehash::new();
    let mut message = Vec::new();
    if signature.is_prehashed() {
        args.message.hash(|piece| prehash.update(piece), output)?;
    } else {
        message = args.message.read()?;
    }
    let judge = |profile| {
        let result = if signature.is_prehashed() {
            signature.verify_prehashed(&key, profile, prehash.clone())
        } else {
            signature.verify(&key, profile, &message)
        };
        result.map(drop).map_err(|refusal| match refusal {
            minisign::Refusal::InvalidSignature => OTHERS.replace("another context, ", ""),
            other => other.to_string(),
        })
    };
    let mut found = finding(what, args.options.profile.profile, judge);
    if found.problem.is_none() {
        found.trusted_comment = Some(signature.unverified_trusted_comment().to_owned());
    }
    Ok(found)
}

/// That of `ssh-keygen -Y`: by a key, or by someone that a list of keys names.
fn sshsig(
    args: &Args,
    key: Option<&PublicKey>,
    signature: &SshSignature,
    output: &Output,
) -> Result<Finding, Failure> {
    let wanted = args.options.namespace.as_deref().unwrap_or(super::input::NAMESPACE);
    let signer = signature.public_key();
    let line = signer.to_openssh("").unwrap_or_default();
    let what = format!("sshsig signature for '{}' by {line}", signature.namespace());
    let signers = args.options.allowed_signers.as_deref().map(read_allowed_signers).transpose()?;
    let mut prehash = sshsig::Prehash::new(signature.hash());
    args.message.hash(|piece| prehash.update(piece), output)?;
    if signature.namespace() != wanted {
        let namespace = signature.namespace();
        let problem = Some(format!("it is for namespace '{namespace}', not '{wanted}'"));
        let is_right = key.is_none_or(|key| key.bytes == signer.to_bytes())
            && signature.check_novalidate(args.options.profile.profile, namespace, prehash).is_ok();
        // The name is the signer's, and may hold anything.
        let is_plain = namespace.bytes().all(|byte| byte.is_ascii_graphic());
        let hint = if is_right && is_plain {
            format!("it verifies with --namespace {namespace}")
        } else {
            "--namespace says what the signature must be for".to_owned()
        };
        return Ok(Finding { what, problem, hint: Some(hint), ..Finding::default() });
    }
    if key.is_some_and(|key| key.bytes != signer.to_bytes()) {
        let problem = Some("another key made it".to_owned());
        return Ok(Finding { what, problem, ..Finding::default() });
    }
    let judge = |profile| signature.check_novalidate(profile, wanted, prehash.clone()).map_err(|_| OTHERS);
    let mut found = finding(what, args.options.profile.profile, judge);
    if let (Some(signers), Some(identity), None) = (signers, &args.options.identity, &found.problem) {
        let time_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let profile = args.options.profile.profile;
        let request = Request { identity, namespace: wanted, time_s, utc_offset_at: &utc_offset_at, profile };
        match signers.permits(&request, signer) {
            Ok(()) => found.what = format!("{} of {identity}", found.what),
            Err(Refusal::Malformed(error)) => return Err(Failure::usage(error)),
            Err(refusal) => found.problem = Some(refusal.to_string()),
        }
    }
    Ok(found)
}

fn read_allowed_signers(file: &Path) -> Result<AllowedSigners, Failure> {
    Ok(AllowedSigners::parse(files::read(file)?))
}
