//! A signature, held in memory.
#![forbid(unsafe_code)]

use super::digest::{Digest, Randomness};
use super::parameters::ParameterSet;
use alloc::vec::Vec;
use core::fmt;

/// A signature under one parameter set: always of the right shape, its elements always canonical. Whether it verifies
/// is another question.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature {
    pub(crate) set: ParameterSet,
    /// Siblings from the leaf's level up; as many as the tree has levels.
    pub(crate) path: Vec<Digest>,
    pub(crate) randomness: Randomness,
    /// One value a chain.
    pub(crate) hashes: Vec<Digest>,
}

impl Signature {
    /// The parameter set it was made or decoded for.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature").field("set", &self.set).finish_non_exhaustive()
    }
}
