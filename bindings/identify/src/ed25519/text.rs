//! Files that are texts.

use phalanx::ed25519::Error;

/// The text of a file that must be one.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::InvalidKeyFormat("not a text"))
}

/// The text, if it is hexadecimal digits and perhaps white space around them.
pub(super) fn digits(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes.trim_ascii()).ok()?;
    (!text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(text)
}
