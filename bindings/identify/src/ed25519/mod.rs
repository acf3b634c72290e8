//! Key files and signatures of Ed25519: recognised by their content, never by their name.

mod describe;
mod keys;
mod readings;
mod signatures;

pub use describe::{describe, encrypted};
pub use keys::{EncodeError, KeyFormat, PublicKey, SecretKey};
pub use readings::{Reading, readings};
pub use signatures::{Signature, SignatureFormat};

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
