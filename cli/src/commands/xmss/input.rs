//! Arguments and files that the commands share.

use crate::exit::Failure;
use crate::formats;
use phalanx::xmss::any::{ParameterSet, Signature, VerifyingKey};
use phalanx::xmss::{Error, Format};
use phalanx_identify::xmss::hint;
use std::path::Path;

/// The `--scheme` of a command.
#[derive(clap::Args, Debug)]
pub(crate) struct SchemeArgs {
    /// The parameter set
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    pub(crate) scheme: ParameterSet,
}

/// The failure for a file that is not what it was said to be.
pub(super) fn malformed(
    kind: &str,
    file: &Path,
    set: ParameterSet,
    format: Format,
    error: Error,
    bytes: &[u8],
) -> Failure {
    let Error::Malformed(error) = error else { return error.into() };
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

/// Reads a public key; `file` is what it is called in errors.
pub(super) fn public_key(
    file: &Path,
    set: ParameterSet,
    format: Format,
    bytes: &[u8],
) -> Result<VerifyingKey, Failure> {
    VerifyingKey::from_bytes(set, format, bytes)
        .map_err(|error| malformed("public key", file, set, format, error, bytes))
}

/// Reads a signature, likewise.
pub(super) fn signature(
    file: &Path,
    set: ParameterSet,
    format: Format,
    bytes: &[u8],
) -> Result<Signature, Failure> {
    Signature::from_bytes(set, format, bytes)
        .map_err(|error| malformed("signature", file, set, format, error, bytes))
}
