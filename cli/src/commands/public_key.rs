//! `phalanx pub`: the public half of a key.

use super::ed25519::input::secret_key;
use super::xmss::scheme;
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats::{self, Encoding};
use crate::key_json::KeyJson;
use crate::output::{JsonFlag, Output};
use crate::password::KeyPasswordArgs;
use crate::values::Given;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, VerifyingKey};
use phalanx_identify::ed25519::{KeyFormat, PublicKey};
use phalanx_identify::xmss::{Filter, Value, candidates};
use std::path::{Path, PathBuf};

/// Print the public key of a key
///
/// In the form of the key where that is a text, else in hexadecimal; in PEM for DER. KEY may be secret or public, a folder
/// of keygen, or a keystore, which keeps its password.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx pub keys
  phalanx pub ~/.ssh/id_ed25519
  phalanx pub key.pem -f openssh -o key.pub")]
pub(crate) struct Args {
    /// The key
    #[arg(value_name = "KEY")]
    key: PathBuf,
    /// File for the public key, in exactly the form that is asked for [default: standard output]
    #[arg(short, long, value_name = "F")]
    out: Option<PathBuf>,
    /// Form of the public key: of Ed25519 openssh, pem, minisign, jwk, der, hex or raw, of XMSS ssz, bincode, bincode2 or
    /// json
    #[arg(short, long, value_name = "F", value_parser = formats::encoding_parser(), hide_possible_values = true)]
    format: Option<Encoding>,
    /// Parameter set of an XMSS key, where the key does not say it
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    scheme: Option<ParameterSet>,
    #[command(flatten)]
    password: KeyPasswordArgs,
    /// Replace the file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// A public key of either system.
enum Public {
    Ed25519(PublicKey),
    Xmss(VerifyingKey),
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    if let Some(out) = &args.out {
        if files::is_standard(out) && output.is_json() {
            return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
        }
        files::check_free(out, args.force)?;
        files::check_folder_of(out)?;
    }
    let key = read(args, output)?;
    let (scheme, format, bytes) = encode(&key, args)?;
    let digits = match &key {
        Public::Ed25519(key) => hex::encode(key.bytes),
        Public::Xmss(key) => hex::encode(key.to_bytes(Format::Ssz)?),
    };
    match &args.out {
        Some(out) => {
            files::write(out, &bytes, Privacy::Public, args.force)?;
            if !files::is_standard(out) {
                output.line(format_args!(
                    "public key of {scheme} in '{}' ({} bytes)",
                    out.display(),
                    bytes.len()
                ))?;
            }
        }
        // Quiet or not: it is what was asked for.
        None if !output.is_json() => files::write(Path::new("-"), &bytes, Privacy::Public, false)?,
        None => {}
    }
    output.object(&serde_json::json!({
        "scheme": scheme, "format": format, "public_key": digits, "out": args.out,
        "text": std::str::from_utf8(&bytes).ok().filter(|_| args.out.is_none()),
    }))?;
    Ok(Exit::Good)
}

/// The public half of KEY.
fn read(args: &Args, output: &Output) -> Result<Public, Failure> {
    let given = Given::public_key(&args.key)?;
    let Given { file, bytes } = &given;
    if let Some(key) = of_keystore(file, bytes)? {
        return Ok(key);
    }
    // Which of two that look alike, the `key.json` beside the key says.
    let told = KeyJson::beside(file).filter(|_| !files::is_standard(file));
    let is_ed25519 = told.as_ref().is_some_and(|told| told.activation.is_none());
    if args.scheme.is_none() {
        match (PublicKey::read(bytes), &told) {
            (Ok(key), Some(told)) if hex::encode(key.bytes) == told.public_key => {
                return Ok(Public::Ed25519(key));
            }
            (Ok(key), None) => return Ok(Public::Ed25519(check_is_known(args, file, key)?)),
            _ if is_ed25519 => return of_secret_key(args, &given, output),
            _ => {}
        }
    }
    let set = args.scheme.or_else(|| told.as_ref().and_then(|told| ParameterSet::from_name(&told.scheme)));
    let filter = Filter { set, ..Filter::default() };
    let mut found: Vec<VerifyingKey> = Vec::new();
    if let Ok(all) = candidates(bytes, filter) {
        // Bytes that read in SSZ are in SSZ, as everywhere.
        let has_ssz = all.iter().any(|found| found.format == Format::Ssz);
        let all = all.iter().filter(|found| !has_ssz || found.format == Format::Ssz);
        found.extend(all.filter_map(|found| match &found.value {
            Value::PublicKey(key) => Some(*key),
            Value::SecretKey(key) => Some(key.verifying_key()),
            Value::Signature(_) => None,
        }));
    }
    match &found[..] {
        [] => of_secret_key(args, &given, output),
        // Sets of one shape have the same bytes, so that it makes no difference which of them it is.
        [first, rest @ ..]
            if rest.iter().all(|key| key.to_bytes(Format::Ssz) == first.to_bytes(Format::Ssz)) =>
        {
            Ok(Public::Xmss(*first))
        }
        [first, rest @ ..] => {
            let other = rest.iter().find(|key| key.parameter_set() != first.parameter_set()).unwrap_or(first);
            let sets = format!("{} or {}", first.parameter_set(), other.parameter_set());
            Err(Failure::usage(format_args!("'{}' is a key of {sets}", file.display()))
                .hint("--scheme says which parameter set it is"))
        }
    }
}

/// The public half of a secret key of Ed25519.
fn of_secret_key(args: &Args, given: &Given, output: &Output) -> Result<Public, Failure> {
    // A text on the command line is no secret, whatever it reads as.
    if is_inline(&given.file) {
        return Err(Failure::usage("KEY is neither a file nor a public key").hint("secret keys are in files"));
    }
    secret_key(given, &args.password, output).map(|key| Public::Ed25519(key.public()))
}

/// Whether the key is the argument itself.
fn is_inline(file: &Path) -> bool {
    file.symlink_metadata().is_err() && !files::is_standard(file)
}

/// 32 bytes by themselves may be a seed: printed, it would be public.
fn check_is_known(args: &Args, file: &Path, key: PublicKey) -> Result<PublicKey, Failure> {
    if !is_inline(file) && matches!(key.format, KeyFormat::Raw | KeyFormat::Hex) {
        return Err(Failure::usage(format_args!(
            "'{}' may be a public key, or a secret one, which look alike",
            args.key.display()
        ))
        .hint("'phalanx convert --kind public-key' or '--kind secret-key' says which; other forms say it themselves"));
    }
    Ok(key)
}

/// The public key that a keystore names, if `bytes` are one of XMSS.
fn of_keystore(file: &Path, bytes: &[u8]) -> Result<Option<Public>, Failure> {
    let Some((set, key)) = scheme::of_keystore(bytes) else { return Ok(None) };
    let key = VerifyingKey::from_bytes(set, Format::Ssz, &key).map_err(|error| {
        Failure::usage(format_args!("the public key of the keystore '{}': {error}", file.display()))
    })?;
    Ok(Some(Public::Xmss(key)))
}

/// The scheme, the name of the form, and the bytes.
fn encode(key: &Public, args: &Args) -> Result<(&'static str, &'static str, Vec<u8>), Failure> {
    match (key, args.format) {
        (Public::Ed25519(key), None) => {
            // What goes to a terminal is a text.
            let format = match key.format {
                KeyFormat::Raw | KeyFormat::Keypair => KeyFormat::Hex,
                KeyFormat::Der | KeyFormat::DerV2 | KeyFormat::Pkcs8V2 => KeyFormat::Pkcs8,
                text => text,
            };
            Ok(("ed25519", format.name(), key.encode(format)?))
        }
        (Public::Ed25519(key), Some(Encoding::Ed25519(format))) => {
            if format.is_secret_only() {
                return Err(Failure::usage(format_args!("a public key has no form {}", format.name())));
            }
            Ok(("ed25519", format.name(), key.encode(format)?))
        }
        (Public::Xmss(key), None) => {
            let set = key.parameter_set().name();
            let bytes = key.to_bytes(Format::Ssz)?;
            Ok(match args.out {
                Some(_) => (set, Format::Ssz.name(), bytes),
                None => (set, "hex", format!("{}\n", hex::encode(bytes)).into_bytes()),
            })
        }
        (Public::Xmss(key), Some(Encoding::Xmss(format))) => {
            Ok((key.parameter_set().name(), format.name(), key.to_bytes(format)?))
        }
        (Public::Ed25519(_), Some(Encoding::Xmss(format))) => {
            Err(Failure::usage(format_args!("keys of ed25519 have no form {}", format.name())))
        }
        (Public::Xmss(_), Some(Encoding::Ed25519(format))) => {
            Err(Failure::usage(format_args!("keys of xmss have no form {}", format.name())))
        }
    }
}
