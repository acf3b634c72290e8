//! `phalanx ed25519`.

mod keygen;
mod message;
mod sign;
mod verify;
mod verify_many;

use crate::exit::{Exit, Failure};
use crate::files;
use crate::output::Output;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::ed25519::{Error, Profile};
use phalanx_identify::ed25519::{PublicKey, SecretKey};
use std::path::Path;

/// What to do with Ed25519 keys and signatures.
#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(keygen::Args),
    Sign(sign::Args),
    Verify(verify::Args),
    VerifyMany(verify_many::Args),
}

impl Command {
    /// Whether the user asked for JSON on standard output.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Keygen(args) => args.json.json,
            Self::Sign(args) => args.json.json,
            Self::Verify(args) => args.json.json,
            Self::VerifyMany(args) => args.json.json,
        }
    }

    /// Runs the command.
    pub(crate) fn run(&self, output: &Output) -> Result<Exit, Failure> {
        match self {
            Self::Keygen(args) => keygen::run(args, output),
            Self::Sign(args) => sign::run(args, output),
            Self::Verify(args) => verify::run(args, output),
            Self::VerifyMany(args) => verify_many::run(args, output),
        }
    }
}

/// The `--profile` of a command.
#[derive(clap::Args, Debug)]
struct ProfileArgs {
    /// Acceptance rule; the rules differ at the edges only, such as points of small order
    #[arg(long, value_name = "P", value_parser = profile_parser(), default_value = Profile::Strict.name())]
    profile: Profile,
}

fn profile_parser() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name))
        .try_map(|name| Profile::from_name(&name).ok_or("unknown profile"))
}

/// The failure for a file that is not the `kind` it should be.
fn malformed(kind: &str, file: &Path, error: Error) -> Failure {
    let failure = Failure::usage(format_args!("'{}' is not {kind}: {error}", file.display()));
    match error {
        Error::EncryptedKey => failure
            .hint("a key of minisign takes --password-file; of another key make a copy without: ssh-keygen -p -N '' -f COPY"),
        Error::WrongPassword => failure,
        _ => failure.hint("'phalanx inspect' says what a file is"),
    }
}

/// Reads a secret key, and notes when others can read its file too.
fn read_secret_key(file: &Path, password: Option<&Path>, output: &Output) -> Result<SecretKey, Failure> {
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
fn read_public_key(file: &Path) -> Result<PublicKey, Failure> {
    let bytes = files::read(file)?;
    PublicKey::read(&bytes).map_err(|error| malformed("a public key of Ed25519", file, error))
}

/// Hexadecimal digits from the command line.
fn from_digits(what: &str, digits: &str) -> Result<Vec<u8>, Failure> {
    hex::decode(digits)
        .map_err(|_| Failure::usage(format_args!("{what}: not a hexadecimal number of whole bytes")))
}

/// What signatures of files are for, unless told otherwise: as in examples of ssh-keygen.
const NAMESPACE: &str = "file";
