//! Permutations, many instances side by side.

pub(crate) mod keccak;
pub(crate) mod poseidon;
