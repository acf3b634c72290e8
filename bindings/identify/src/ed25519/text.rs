//! Files that are texts.

use crate::hexadecimal;
use phalanx::ed25519::Error;

/// The text of a file that must be one.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::InvalidKeyFormat("not a text"))
}

/// The text, if it is hexadecimal digits, as [`hexadecimal`] reads them.
pub(super) fn digits(bytes: &[u8]) -> Option<&str> {
    if hexadecimal::is(bytes) { std::str::from_utf8(bytes).ok() } else { None }
}
