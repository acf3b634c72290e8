//! Hexadecimal values of the command line and of JSON.

use crate::exit::Failure;
use phalanx_identify::hexadecimal;

/// The bytes of the value called `what`.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn decode(what: &str, digits: &str) -> Result<Vec<u8>, String> {
    hexadecimal::decode(digits.as_bytes()).map_err(|error| format!("{what}: {error}"))
}

/// The bytes of the argument called `what`.
///
/// # Errors
/// Exit code 2 if it is none.
pub(crate) fn argument(what: &str, digits: &str) -> Result<Vec<u8>, Failure> {
    hexadecimal::decode(digits.as_bytes())
        .map_err(|_| Failure::usage(format_args!("{what}: not a hexadecimal number of whole bytes")))
}

/// `N` bytes; `None` if `digits` are not as many digits.
pub(crate) fn array<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hexadecimal::decode_to_slice(digits, &mut bytes).ok().map(|()| bytes)
}
