//! Permutations and hashes, many instances side by side.

pub(crate) mod blake2s;
pub(crate) mod keccak;
pub(crate) mod poseidon;

/// Runs `work` as a function of its own. What is compiled for several instruction sets has one for each: all of them in one
/// function, where the compiler would put what has one caller only, take it twice as long.
#[inline(never)]
pub(crate) fn apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}
