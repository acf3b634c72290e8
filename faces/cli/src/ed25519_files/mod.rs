//! Key files and signatures of Ed25519: recognised by their content, never by their name.

mod keys;
mod readings;
mod signatures;

pub(crate) use keys::{KeyFormat, PublicKey, SecretKey};
pub(crate) use readings::{Reading, readings};
pub(crate) use signatures::{Signature, SignatureFormat};

use phalanx::ed25519::Error;

/// The text of a file that must be one.
fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::InvalidKeyFormat("not a text"))
}

/// The text, if it is hexadecimal digits and perhaps white space around them.
fn digits(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes.trim_ascii()).ok()?;
    (!text.is_empty() && text.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(text)
}
