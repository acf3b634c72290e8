//! Merkle trees: built upwards, opened at one position or at many. They know nothing of hashing: callers bring it.

#[cfg(feature = "ligerito")]
mod opening;
#[cfg(any(feature = "xmss", feature = "rescue"))]
mod subtree;

#[cfg(feature = "ligerito")]
pub(crate) use opening::{root_of, siblings};
#[cfg(any(feature = "xmss", feature = "rescue"))]
pub(crate) use subtree::{Layer, Subtree};
