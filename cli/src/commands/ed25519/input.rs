//! Arguments and files that the commands share.

use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::ed25519::{Error, Profile};
use phalanx_identify::ed25519::{PublicKey, SecretKey};
use std::path::Path;

/// The `--profile` of a command.
#[derive(clap::Args, Debug)]
pub(super) struct ProfileArgs {
    /// Acceptance rule; the rules differ at the edges only, such as points of small order
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
        Error::EncryptedKey => failure.hint(
            "a key of minisign takes --password-file; of another key make a copy without: \
             ssh-keygen -p -N '' -f COPY",
        ),
        Error::WrongPassword => failure,
        _ => failure.hint("'phalanx inspect' says what a file is"),
    }
}

/// Reads a secret key, and notes when others can read its file too.
pub(super) fn read_secret_key(
    file: &Path,
    password: Option<&Path>,
    output: &Output,
) -> Result<SecretKey, Failure> {
    let bytes = files::read(file)?;
    let password = password.map(|path| files::read_at_most(path, 1 << 16)).transpose()?;
    // The end of the line is the editor's.
    let password = password.as_ref().map(|bytes| bytes.trim_ascii_end());
    let key = SecretKey::read(&bytes, password)
        .map_err(|error| malformed("a secret key of Ed25519", file, error))?;
    if let Some(mode) = files::open_to_others(file).filter(|_| !files::is_standard(file)) {
        output
            .note(format_args!("'{}' has mode {mode:04o}: others may read it; wanted 0600", file.display()));
    }
    Ok(key)
}

/// Reads a public key.
pub(super) fn read_public_key(file: &Path) -> Result<PublicKey, Failure> {
    let bytes = files::read(file)?;
    PublicKey::read(&bytes).map_err(|error| malformed("a public key of Ed25519", file, error))
}

/// What signatures of files are for, unless told otherwise: as in examples of ssh-keygen.
pub(super) const NAMESPACE: &str = "file";
