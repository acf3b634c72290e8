//! Whose signature is asked for: a public key, and the parameter set without which nothing can be verified.

use super::access::failure;
use crate::exit::Failure;
use crate::{files, formats};
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, VerifyingKey};
use phalanx_custody::remote::Client;
use phalanx_identify::hexadecimal;
use std::path::Path;

/// Which key.
#[derive(clap::Args)]
pub(super) struct KeyArgs {
    /// The public key: SSZ in hexadecimal, or a file with it or with its bytes
    #[arg(long, value_name = "HEX|FILE")]
    public_key: String,
    /// Its parameter set [default: what the signer says that it is]
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    scheme: Option<ParameterSet>,
}

impl KeyArgs {
    /// The key.
    pub(super) fn read(&self, client: &Client) -> Result<VerifyingKey, Failure> {
        let bytes = match digits(self.public_key.as_bytes()) {
            Some(bytes) => bytes,
            None => {
                let content = files::read_at_most(Path::new(&self.public_key), 4096)?;
                digits(&content).unwrap_or_else(|| content.to_vec())
            }
        };
        match self.scheme {
            Some(set) => decode(set, &bytes),
            None => ask(client, &bytes),
        }
    }
}

/// The bytes of a text that is all hexadecimal digits and as long as a key.
fn digits(text: &[u8]) -> Option<Vec<u8>> {
    hexadecimal::decode(text).ok().filter(|bytes| bytes.len() >= 32)
}

/// A public key of `set`.
pub(super) fn decode(set: ParameterSet, bytes: &[u8]) -> Result<VerifyingKey, Failure> {
    VerifyingKey::from_bytes(set, Format::Ssz, bytes)
        .map_err(|error| Failure::usage(format_args!("not a public key of {set}: {error}")))
}

/// The key with the set that the signer names. A set without security is never taken on its word.
pub(super) fn ask(client: &Client, bytes: &[u8]) -> Result<VerifyingKey, Failure> {
    let keys = client.keys().map_err(|error| {
        let failure = failure(error);
        if failure.hint.is_some() { failure } else { failure.hint("--scheme says what need not be asked") }
    })?;
    let known = keys.iter().find(|key| key.public_key == bytes);
    let known =
        known.ok_or_else(|| Failure::refused("the signer has no such key for this client (unknown_key)"))?;
    let key = known.verifying_key().ok_or_else(|| {
        Failure::usage(format_args!(
            "the signer's key is one of {}, which signs no epochs here",
            known.scheme
        ))
    })?;
    let set = key.parameter_set();
    if set.is_insecure() {
        return Err(Failure::usage(format_args!("{set} has no security: signatures can be forged"))
            .hint("it exists for tests; --scheme allows it"));
    }
    Ok(key)
}
