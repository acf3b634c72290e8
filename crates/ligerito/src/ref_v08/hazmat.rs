//! Sharp tools: configurations that the crate does not publish.

use super::config::{Config, Dimensions};
use super::{CoefficientClaim, Error, ProofError, TranscriptKind};
use alloc::vec::Vec;

/// A configuration of one's own, for tests: no function outside of this module takes one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TestConfig(Config);

impl TestConfig {
    /// Of these levels; `None` unless there are 2 to 16, every d and k is at least 1, every level's d + k is the d
    /// before it, there are at most 30 variables, and every code's points lie in its field.
    #[must_use]
    pub fn new(levels: Vec<Dimensions>) -> Option<Self> {
        Config::unpublished(levels).map(Self)
    }

    /// The polynomial has 2^variables coefficients.
    #[must_use]
    pub fn variables(&self) -> u8 {
        self.0.variables()
    }

    /// [`commit`](super::commit) under it.
    ///
    /// # Errors
    /// As there.
    pub fn commit(&self, polynomial: &[u32]) -> Result<[u8; 32], Error> {
        super::commit(&self.0, polynomial)
    }

    /// [`prove`](super::prove) under it.
    ///
    /// # Errors
    /// As there.
    pub fn prove(
        &self,
        kind: TranscriptKind,
        polynomial: &[u32],
        claims: &[CoefficientClaim],
    ) -> Result<Vec<u8>, Error> {
        super::prove(&self.0, kind, polynomial, claims)
    }

    /// [`verify`](super::verify) under it.
    ///
    /// # Errors
    /// As there.
    pub fn verify(
        &self,
        kind: TranscriptKind,
        root: &[u8; 32],
        claims: &[CoefficientClaim],
        proof: &[u8],
    ) -> Result<(), ProofError> {
        super::verify(&self.0, kind, root, claims, proof)
    }
}
