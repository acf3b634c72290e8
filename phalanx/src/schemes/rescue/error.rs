//! The errors of Rescue.

use core::fmt;

/// What has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Rp64_256 defines no hash of this many bytes: above 56, Winterfell (0.13.1) answers only for multiples of 7 and
    /// panics for the rest. [`hash_padded`](super::Function::hash_padded) takes any length.
    UndefinedLength {
        /// The length in bytes.
        got: usize,
    },
    /// A slice of words that is no whole number of states.
    PartialState {
        /// Words given.
        got: usize,
        /// Words of a state.
        width: usize,
    },
    /// This function has no hash in a domain: only RPO and RPX do.
    NoDomain,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UndefinedLength { got } => {
                write!(f, "rescue-rp64-256 defines no hash of {got} bytes: above 56, multiples of 7 only")
            }
            Self::PartialState { got, width } => {
                write!(f, "{got} words are no whole number of states of {width}")
            }
            Self::NoDomain => f.write_str("only rpo-256 and rpx-256 hash in a domain"),
        }
    }
}

impl core::error::Error for Error {}
