//! Arguments and files that the commands share.

use crate::exit::Failure;
use crate::key_json::KeyJson;
use crate::output::Output;
use crate::password::KeyPasswordArgs;
use crate::values::Given;
use crate::{encrypted, files};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::ed25519::{Error, Profile};
use phalanx_identify::ed25519::{KeyFormat, PublicKey, Reading, SecretKey};
use std::path::Path;

/// The `--profile` of a command.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ProfileArgs {
    /// Acceptance rule of Ed25519; the rules differ at the edges only, such as points of small order
    #[arg(long, value_name = "P", value_parser = profile_parser(), default_value = Profile::Strict.name())]
    pub(super) profile: Profile,
}

fn profile_parser() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
        .try_map(|name| Profile::from_name(&name).ok_or("unknown profile"))
}

/// The failure for a file that is not the `kind` it should be.
pub(super) fn malformed(kind: &str, file: &Path, error: Error) -> Failure {
    let failure = Failure::usage(format_args!("'{}' is not {kind}: {error}", file.display()));
    match error {
        Error::EncryptedKey | Error::WrongPassword => failure,
        Error::InvalidKeyFormat("it is a secret key") => {
            failure.hint(format_args!("'phalanx pub {}' prints its public key", file.display()))
        }
        _ => failure.hint("'phalanx inspect' says what a file is"),
    }
}

/// What a secret key is, and a note when others can read its file too.
pub(crate) fn secret_key(
    given: &Given,
    password: &KeyPasswordArgs,
    output: &Output,
) -> Result<SecretKey, Failure> {
    let Given { file, bytes } = given;
    let key = match SecretKey::read(bytes, None) {
        Err(Error::EncryptedKey) => encrypted::open(bytes, &password.read(file, output)?)
            .map_err(|problem| Failure::usage(format_args!("'{}': {problem}", file.display())))?,
        read => read.map_err(|error| malformed("a secret key of Ed25519", file, error))?,
    };
    if !files::is_standard(file) {
        check_description(file, &key, bytes)?;
        if let Some(mode) = files::open_to_others(file) {
            check_is_no_public_key(file, mode, bytes)?;
            output.note(format_args!(
                "'{}' has mode {mode:04o}: others may read it; wanted 0600",
                file.display()
            ));
        }
    }
    Ok(key)
}

/// Checks that the secret key is the one that the `key.json` beside it describes: its two halves look alike, and a public
/// one taken for a seed would sign for a key that everybody knows.
pub(crate) fn check_description(file: &Path, key: &SecretKey, bytes: &[u8]) -> Result<(), Failure> {
    let Some(description) = KeyJson::beside(file) else { return Ok(()) };
    let shown = file.display();
    if hex::encode(key.key.verifying_key().to_bytes()) == description.public_key {
        return Ok(());
    }
    if PublicKey::read(bytes).is_ok_and(|public| hex::encode(public.bytes) == description.public_key) {
        return Err(Failure::usage(format_args!("'{shown}' is the public key, wanted the secret one"))
            .hint("name the folder: the secret key in it is found by its key.json"));
    }
    let json = KeyJson::path_beside(file);
    Err(Failure::usage(format_args!("'{shown}' is not the key that '{}' describes", json.display()))
        .hint("keep each key in a folder of its own"))
}

/// Refuses 32 bytes that others can read, and that are a point of prime order, as every public key is and one seed in 16:
/// where no `key.json` says what they are, a public key would be taken for a seed that everybody knows.
fn check_is_no_public_key(file: &Path, mode: u32, bytes: &[u8]) -> Result<(), Failure> {
    let is_point = || {
        let public = PublicKey::read(bytes).ok()?;
        let is_plain = matches!(public.format, KeyFormat::Raw | KeyFormat::Hex);
        let key = public.key().ok().filter(|key| is_plain && key.is_canonical() && !key.is_weak())?;
        Some(key.is_torsion_free())
    };
    if KeyJson::beside(file).is_some() || is_point() != Some(true) {
        return Ok(());
    }
    let text =
        format!("'{}' looks like a public key, and others may read it (mode {mode:04o})", file.display());
    Err(Failure::usage(text)
        .hint("if it is a secret key: chmod 600, or convert it to a form that says what it is"))
}

/// What a public key is.
pub(crate) fn public_key(given: &Given) -> Result<PublicKey, Failure> {
    let Given { file, bytes } = given;
    let key = PublicKey::read(bytes).map_err(|error| malformed("a public key of Ed25519", file, error))?;
    // A seed looks like a public key; the `key.json` beside it knows better.
    let is_plain = matches!(key.format, KeyFormat::Raw | KeyFormat::Hex);
    if let Some(description) = KeyJson::beside(file).filter(|_| is_plain && !files::is_standard(file))
        && hex::encode(key.bytes) != description.public_key
        && SecretKey::read(bytes, None)
            .is_ok_and(|secret| hex::encode(secret.key.verifying_key().to_bytes()) == description.public_key)
    {
        return Err(malformed(
            "a public key of Ed25519",
            file,
            Error::InvalidKeyFormat("it is a secret key"),
        ));
    }
    Ok(key)
}

/// A seed and a public key look alike; the `key.json` beside the file has the public key.
pub(crate) fn keep_what_key_json_says(file: &Path, found: &mut Vec<Reading>) {
    let Some(public) = KeyJson::beside(file).map(|key| key.public_key).filter(|_| found.len() > 1) else {
        return;
    };
    let belongs = |reading: &Reading| match reading {
        Reading::Secret(key) => hex::encode(key.key.verifying_key().to_bytes()) == public,
        Reading::Public(key) => hex::encode(key.bytes) == public,
        Reading::Signature(_) => false,
    };
    if found.iter().any(belongs) {
        found.retain(belongs);
    }
}

/// What signatures of files are for, unless told otherwise: as in examples of ssh-keygen.
pub(super) const NAMESPACE: &str = "file";
