//! Key files and signatures of Ed25519: recognised by their content, never by their name.

mod keys;
mod signatures;

pub(crate) use keys::{KeyFormat, PublicKey, SecretKey};
pub(crate) use signatures::{Signature, SignatureFormat};

/// The bytes that hexadecimal digits, and perhaps the end of a line after them, stand for.
fn from_hex(bytes: &[u8]) -> Option<zeroize::Zeroizing<Vec<u8>>> {
    let digits = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let digits = digits.strip_suffix(b"\r").unwrap_or(digits);
    let mut decoded = zeroize::Zeroizing::new(vec![0; digits.len() / 2]);
    (!digits.is_empty() && hex::decode_to_slice(digits, &mut decoded).is_ok()).then_some(decoded)
}
