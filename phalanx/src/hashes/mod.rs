//! Hash functions and permutations, many instances side by side.

#[cfg(feature = "ligerito")]
pub(crate) mod blake3;
#[cfg(feature = "xmss")]
pub(crate) mod keccak;
#[cfg(feature = "xmss")]
pub(crate) mod poseidon;
#[cfg(feature = "rescue")]
pub(crate) mod rescue;
#[cfg(feature = "ligerito")]
pub(crate) mod sha256;
#[cfg(feature = "ed25519")]
pub(crate) mod sha512;
