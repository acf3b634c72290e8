//! Permutations and hashes, many instances side by side.

pub(crate) mod blake2s;
pub(crate) mod keccak;
pub(crate) mod poseidon;
