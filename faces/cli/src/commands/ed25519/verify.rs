//! `phalanx ed25519 verify`.

use super::message::MessageArgs;
use super::{ProfileArgs, from_digits, malformed, read_public_key};
use crate::ed25519_files::{Signature, SignatureFormat};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::{JsonFlag, Output};
use phalanx::ed25519::{self, Profile, Reason, VerifyingKey};
use sha2::{Digest, Sha512};
use std::path::PathBuf;

/// Verify a signature
///
/// The forms of the key file and of the signature are found by their content. Exit code 1 says that the signature does
/// not verify, with the first check that fails.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx ed25519 verify --public-key keys/public-key.raw --message-file letter.txt --signature letter.sig")]
pub(crate) struct Args {
    /// The public key (`-`: standard input)
    #[arg(long, value_name = "F")]
    public_key: PathBuf,
    /// The signature (`-`: standard input)
    #[arg(long, value_name = "F")]
    signature: PathBuf,
    #[command(flatten)]
    message: MessageArgs,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Context of an Ed25519ctx signature, or with --prehash of an Ed25519ph one
    #[arg(long, value_name = "H")]
    context_hex: Option<String>,
    /// It is the SHA-512 of the message that is signed (Ed25519ph)
    #[arg(long)]
    prehash: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What is known of a signature that was looked at.
struct Finding {
    /// What was looked at, such as `raw signature`.
    what: String,
    /// Why it does not verify, if it does not.
    problem: Option<String>,
    /// Other profiles that accept it.
    accepted_by: Vec<&'static str>,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let inputs = [Some(&args.public_key), Some(&args.signature), args.message.message_file.as_ref()];
    if inputs.into_iter().flatten().filter(|path| files::is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    let profile = args.profile.profile;
    let key = read_public_key(&args.public_key)?;
    let bytes = files::read(&args.signature)?;
    let signature = Signature::read(&bytes)
        .map_err(|error| malformed("a signature of Ed25519", &args.signature, error))?;
    let format = signature.format();
    let finding = match signature {
        Signature::Plain(signature, format) => plain(args, &key.bytes, &signature, format, output)?,
    };
    output.object(&serde_json::json!({
        "valid": finding.problem.is_none(), "scheme": "ed25519", "profile": profile.name(),
        "signature_format": format.name(), "what": finding.what, "reason": finding.problem,
        "accepted_by": finding.accepted_by, "public_key": hex::encode(key.bytes), "key_format": key.format.name(),
    }))?;
    let Finding { what, problem, accepted_by } = finding;
    let Some(problem) = problem else {
        output.line(format_args!(
            "signature verifies (ed25519, profile {profile}, {what})",
            profile = profile.name()
        ))?;
        return Ok(Exit::Good);
    };
    let message = format!("{}: {problem} ({what}, profile {})", phalanx::InvalidSignature, profile.name());
    let failure = Failure::new(Exit::DoesNotVerify, message);
    Err(match &accepted_by[..] {
        [] => failure,
        others => failure.hint(format_args!("it verifies under {}", others.join(", "))),
    })
}

/// Ed25519, Ed25519ctx and Ed25519ph.
fn plain(
    args: &Args,
    key: &[u8; 32],
    signature: &ed25519::Signature,
    format: SignatureFormat,
    output: &Output,
) -> Result<Finding, Failure> {
    let context = args.context_hex.as_deref().map(|digits| from_digits("context", digits)).transpose()?;
    let profile = args.profile.profile;
    let what = |kind: &str| format!("{kind} in {}", format.name());
    if !args.prehash && context.is_none() {
        let message = args.message.read()?;
        let explain = |profile| ed25519::explain(profile, key, &message, &signature.to_bytes());
        return Ok(finding(&what("signature"), profile, explain));
    }
    if args.prehash {
        let mut hash = Sha512::new();
        args.message.hash(&mut hash, output)?;
        let digest: [u8; 64] = hash.finalize().into();
        let context = context.unwrap_or_default();
        let judge = |profile| domain(key, |key| key.verify_prehashed(profile, &digest, &context, signature));
        return Ok(finding(&what("Ed25519ph signature"), profile, judge));
    }
    let (message, context) = (args.message.read()?, context.unwrap_or_default());
    if context.is_empty() {
        return Err(ed25519::Error::ContextEmpty.into());
    }
    let judge = |profile| domain(key, |key| key.verify_ctx(profile, &message, &context, signature));
    Ok(finding(&what("Ed25519ctx signature"), profile, judge))
}

/// Verification under a domain says no more than yes or no, once the key decodes.
fn domain(
    key: &[u8; 32],
    verify: impl FnOnce(&VerifyingKey) -> Result<(), phalanx::InvalidSignature>,
) -> Result<(), Reason> {
    let key = VerifyingKey::from_bytes(key).map_err(|_| Reason::InvalidPublicKey)?;
    verify(&key).map_err(|_| Reason::EquationFailed)
}

/// Judges under `profile`, and if it refuses under the others.
fn finding(what: &str, profile: Profile, judge: impl Fn(Profile) -> Result<(), Reason>) -> Finding {
    let problem = judge(profile).err();
    let others = Profile::ALL.into_iter().filter(|&other| problem.is_some() && judge(other).is_ok());
    Finding {
        what: what.to_owned(),
        problem: problem.map(|reason| reason.to_string()),
        accepted_by: others.map(Profile::name).collect(),
    }
}
