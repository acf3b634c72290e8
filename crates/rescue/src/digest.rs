//! A digest: four elements.
#![forbid(unsafe_code)]

use crate::goldilocks::{P, canonical};
use core::fmt;
use core::str::FromStr;
use phalanx_core::Malformed;

/// Four canonical elements, or 32 bytes: each element as eight bytes, little-endian. Displayed and parsed as these bytes in
/// hexadecimal, 64 digits.
///
/// Comparison is not constant time: it stops at the first element that differs. To compare a digest that is secret (a
/// commitment's opening, an authentication value), compare [`to_bytes`](Self::to_bytes) with a function made for it, such as
/// `subtle::ConstantTimeEq`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u64; 4]);

impl Digest {
    /// From four elements, reduced modulo p.
    #[must_use]
    pub const fn from_elements(elements: [u64; 4]) -> Self {
        let [a, b, c, d] = elements;
        Self([canonical(a), canonical(b), canonical(c), canonical(d)])
    }

    /// The four canonical elements.
    #[must_use]
    pub const fn to_elements(self) -> [u64; 4] {
        self.0
    }

    /// Decodes 32 bytes.
    ///
    /// # Errors
    /// [`Malformed`] if an element is p or more: then other bytes encode the same digest.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Malformed> {
        let words = words(bytes);
        match words.into_iter().find(|&word| word >= P) {
            Some(got) => Err(Malformed { what: "digest element, below", got, wanted: P }),
            None => Ok(Self(words)),
        }
    }

    /// Decodes any 32 bytes, reducing each element modulo p as the reference does: two inputs may give one digest.
    #[must_use]
    pub fn from_bytes_lenient(bytes: &[u8; 32]) -> Self {
        Self::from_elements(words(bytes))
    }

    /// The 32 bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

impl AsRef<[u64; 4]> for Digest {
    /// The four canonical elements.
    fn as_ref(&self) -> &[u64; 4] {
        &self.0
    }
}

impl From<Digest> for [u8; 32] {
    fn from(digest: Digest) -> Self {
        digest.to_bytes()
    }
}

impl TryFrom<[u8; 32]> for Digest {
    type Error = Malformed;

    /// As [`Digest::from_bytes`].
    fn try_from(bytes: [u8; 32]) -> Result<Self, Malformed> {
        Self::from_bytes(&bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = Malformed;

    /// From 64 hexadecimal digits of either case, as strictly as [`Digest::from_bytes`].
    fn from_str(text: &str) -> Result<Self, Malformed> {
        let (pairs, odd) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !odd.is_empty() {
            return Err(Malformed { what: "hexadecimal digits", got: text.len() as u64, wanted: 64 });
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
            let (Some(high), Some(low)) = (high, low) else {
                let valid = text.bytes().filter(u8::is_ascii_hexdigit).count();
                return Err(Malformed { what: "hexadecimal digits", got: valid as u64, wanted: 64 });
            };
            #[allow(clippy::cast_possible_truncation)] // two digits
            let value = (16 * high + low) as u8;
            *byte = value;
        }
        Self::from_bytes(&bytes)
    }
}

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (chunks, _) = bytes.as_chunks();
    core::array::from_fn(|i| u64::from_le_bytes(chunks[i]))
}
