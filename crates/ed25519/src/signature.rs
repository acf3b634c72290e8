//! A signature: R and S.
#![forbid(unsafe_code)]

use crate::error::Error;
use crate::key::VerifyingKey;

/// 64 bytes: the encoding of the point R, then S, little-endian. Any 64 bytes make one; verification decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature([u8; 64]);

impl Signature {
    /// Takes 64 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; 64]) -> Self {
        Self(*bytes)
    }

    /// The 64 bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 64] {
        self.0
    }

    /// Whether the first half is the canonical encoding of a point R.
    #[must_use]
    pub fn r_is_canonical(&self) -> bool {
        self.r().is_some_and(|r| r.is_canonical())
    }

    /// Whether the first half encodes a point R of small order. Signing does not make such signatures.
    #[must_use]
    pub fn r_is_weak(&self) -> bool {
        self.r().is_some_and(|r| r.is_weak())
    }

    /// Whether the first half encodes a point R with \[L\]R = O: no part of order 2, 4 or 8. In variable time, the price
    /// of a verification.
    #[must_use]
    pub fn r_is_torsion_free(&self) -> bool {
        self.r().is_some_and(|r| r.is_torsion_free())
    }

    /// R, with the predicates that keys have.
    fn r(&self) -> Option<VerifyingKey> {
        VerifyingKey::from_bytes(self.0.first_chunk().expect("32 of 64")).ok()
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = bytes.try_into().map_err(|_| Error::InvalidLength {
            what: "signature",
            got: bytes.len(),
            wanted: 64,
        })?;
        Ok(Self(bytes))
    }
}
