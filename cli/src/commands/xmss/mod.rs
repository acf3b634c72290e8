//! `phalanx xmss`.

mod keygen;
mod sign;
mod verify;
mod verify_many;

use crate::exit::{Exit, Failure};
use crate::files;
use crate::formats::{self};
use crate::output::Output;
use clap::Subcommand;
use phalanx::Malformed;
use phalanx::xmss::{Format, ParameterSet, Signature, VerifyingKey};
use phalanx_identify::xmss::hint;
use std::path::Path;

/// What to do with XMSS keys and signatures.
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

/// The `--scheme` of a command.
#[derive(clap::Args, Debug)]
struct SchemeArgs {
    /// The parameter set
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    scheme: ParameterSet,
}

/// The failure for a file that is not what it was said to be.
fn malformed(
    kind: &str,
    file: &Path,
    set: ParameterSet,
    format: Format,
    error: Malformed,
    bytes: &[u8],
) -> Failure {
    let failure = Failure::usage(format_args!(
        "'{}' is not a {kind} of {set} in {}: {error}",
        file.display(),
        format.name()
    ));
    match hint(bytes) {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Reads a public key.
fn read_public_key(file: &Path, set: ParameterSet, format: Format) -> Result<VerifyingKey, Failure> {
    let bytes = files::read(file)?;
    VerifyingKey::from_bytes(set, format, &bytes)
        .map_err(|error| malformed("public key", file, set, format, error, &bytes))
}

/// Reads a signature.
fn read_signature(file: &Path, set: ParameterSet, format: Format) -> Result<Signature, Failure> {
    let bytes = files::read(file)?;
    Signature::from_bytes(set, format, &bytes)
        .map_err(|error| malformed("signature", file, set, format, error, &bytes))
}
