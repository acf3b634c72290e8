//! Hex without tables or branches on the digits. Reads both cases, writes lower case.

use crate::error::{Error, invalid};
use crate::key::{SigningKey, VerifyingKey};
use crate::signature::Signature;
use alloc::string::String;
use zeroize::Zeroizing;

/// 0xff if `low <= c <= high`, else 0.
fn within(c: u8, low: u8, high: u8) -> u8 {
    let (c, low, high) = (i16::from(c), i16::from(low), i16::from(high));
    // Both differences are non-negative exactly within; the sign of either fills the upper byte.
    !((c - low) | (high - c)).to_be_bytes()[0]
}

/// The value of a digit, and 0xff if it is one.
fn digit(c: u8) -> (u8, u8) {
    let lower = c | 0x20;
    let (decimal, letter) = (within(c, b'0', b'9'), within(lower, b'a', b'f'));
    let value = decimal & c.wrapping_sub(b'0') | letter & lower.wrapping_sub(b'a').wrapping_add(10);
    (value, decimal | letter)
}

/// What is not white space in `text`, after a `0x`. Which characters are white space is no secret.
pub(super) fn digits(text: &str) -> impl Iterator<Item = u8> + Clone {
    let text = text.trim_ascii();
    let text = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    text.bytes().filter(|byte| !byte.is_ascii_whitespace())
}

/// Exactly `2 N` digits.
pub(super) fn decode<const N: usize>(text: &str, what: &'static str) -> Result<Zeroizing<[u8; N]>, Error> {
    let mut digits = digits(text);
    let got = digits.clone().count();
    if got != 2 * N {
        return Err(Error::InvalidLength { what, got: got / 2, wanted: N });
    }
    let mut bytes = Zeroizing::new([0; N]);
    let mut valid = 0xff;
    let mut next = || digit(digits.next().expect("they were counted"));
    for byte in bytes.iter_mut() {
        let ((high, high_valid), (low, low_valid)) = (next(), next());
        *byte = high << 4 | low;
        valid &= high_valid & low_valid;
    }
    if valid == 0xff { Ok(bytes) } else { Err(invalid("a character that is no hex digit")) }
}

pub(super) fn encode(bytes: &[u8]) -> Zeroizing<String> {
    let character = |nibble: u8| {
        let letter = within(nibble, 10, 15);
        char::from(nibble + b'0' + (letter & (b'a' - b'0' - 10)))
    };
    let mut text = Zeroizing::new(String::with_capacity(2 * bytes.len()));
    for byte in bytes {
        text.push(character(byte >> 4));
        text.push(character(byte & 15));
    }
    text
}

impl SigningKey {
    /// Reads 64 hex digits (the seed) or 128 (seed, then public key, which must be the seed's), with `0x` before them or
    /// not, and with white space anywhere.
    ///
    /// # Errors
    /// [`Error::InvalidLength`], [`Error::InvalidKeyFormat`], [`Error::KeyMismatch`].
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        if digits(text).count() == 128 {
            Self::from_keypair_bytes(&*decode(text, "key pair")?)
        } else {
            Ok(Self::from_seed(&*decode(text, "seed")?))
        }
    }

    /// The seed in hex.
    #[must_use]
    pub fn to_hex(&self) -> Zeroizing<String> {
        encode(&self.secret().seed)
    }
}

impl VerifyingKey {
    /// Reads 64 hex digits, with `0x` before them or not, and with white space anywhere.
    ///
    /// # Errors
    /// [`Error::InvalidLength`], [`Error::InvalidKeyFormat`], [`Error::InvalidPublicKey`].
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        Self::from_bytes(&*decode(text, "public key")?)
    }

    /// The 32 bytes in hex.
    #[must_use]
    pub fn to_hex(&self) -> String {
        core::mem::take(&mut *encode(self.as_ref()))
    }
}

impl Signature {
    /// Reads 128 hex digits, with `0x` before them or not, and with white space anywhere.
    ///
    /// # Errors
    /// [`Error::InvalidLength`], [`Error::InvalidKeyFormat`].
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        Ok(Self::from_bytes(&*decode(text, "signature")?))
    }

    /// The 64 bytes in hex.
    #[must_use]
    pub fn to_hex(&self) -> String {
        core::mem::take(&mut *encode(self.as_ref()))
    }
}
