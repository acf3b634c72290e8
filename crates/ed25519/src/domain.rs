//! Domain separation of RFC 8032 section 5.1: plain Ed25519, Ed25519ctx and Ed25519ph.
#![forbid(unsafe_code)]

use crate::error::Error;

/// What stands before both hashes.
#[derive(Clone, Copy)]
pub(crate) enum Domain<'a> {
    /// Ed25519: nothing.
    Plain,
    /// dom2(flag, context).
    Separated { flag_and_len: [u8; 2], context: &'a [u8] },
}

impl<'a> Domain<'a> {
    /// Ed25519ctx: the context is 1 to 255 bytes.
    pub(crate) fn context(context: &'a [u8]) -> Result<Self, Error> {
        if context.is_empty() { Err(Error::ContextEmpty) } else { Self::separated(0, context) }
    }

    /// Ed25519ph: the context is 0 to 255 bytes.
    pub(crate) fn prehashed(context: &'a [u8]) -> Result<Self, Error> {
        Self::separated(1, context)
    }

    fn separated(flag: u8, context: &'a [u8]) -> Result<Self, Error> {
        let len = u8::try_from(context.len()).map_err(|_| Error::ContextTooLong { got: context.len() })?;
        Ok(Self::Separated { flag_and_len: [flag, len], context })
    }

    /// The parts that are hashed first, to be concatenated.
    pub(crate) fn parts(&self) -> [&[u8]; 3] {
        match self {
            Self::Plain => [&[], &[], &[]],
            Self::Separated { flag_and_len, context } => {
                [b"SigEd25519 no Ed25519 collisions", flag_and_len, context]
            }
        }
    }
}
