//! A signature: R and S.
#![forbid(unsafe_code)]

use crate::error::Error;

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
