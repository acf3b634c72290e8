//! Hash functions, many instances side by side.

pub(crate) mod blake3;
#[cfg(feature = "ref-v08")]
pub(crate) mod sha256;
