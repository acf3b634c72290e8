//! A digest: four elements.

use crate::error::Malformed;
use crate::fields::goldilocks::{P, canonical};

/// Four canonical elements, or 32 bytes: each element as eight bytes, little-endian.
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

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (chunks, _) = bytes.as_chunks();
    core::array::from_fn(|i| u64::from_le_bytes(chunks[i]))
}
