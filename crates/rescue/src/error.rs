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
    /// A [`Hasher`](super::Hasher) was given more or fewer bytes than it was made for.
    Length {
        /// Bytes given.
        got: u64,
        /// Bytes announced.
        wanted: u64,
    },
    /// A Merkle tree needs a power of two of leaves, at least one.
    LeafCount {
        /// Leaves given.
        got: usize,
    },
    /// A tree has no leaf of this index.
    LeafIndex {
        /// The index given.
        got: usize,
        /// Leaves of the tree.
        leaves: usize,
    },
    /// A path has one digest for each level of its tree.
    PathLength {
        /// Digests given.
        got: usize,
        /// Levels of the tree.
        wanted: usize,
    },
    /// Leaf and path do not lead to the root.
    WrongRoot,
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
            Self::Length { got, wanted } => write!(f, "got {got} bytes, {wanted} were announced"),
            Self::LeafCount { got } => write!(f, "{got} leaves: a tree has a power of two of them"),
            Self::LeafIndex { got, leaves } => write!(f, "there is no leaf {got} in a tree of {leaves}"),
            Self::PathLength { got, wanted } => write!(f, "the path has {got} digests, wanted {wanted}"),
            Self::WrongRoot => f.write_str("leaf and path do not lead to the root"),
        }
    }
}

impl core::error::Error for Error {}
