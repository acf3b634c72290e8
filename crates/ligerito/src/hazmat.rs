//! Sharp tools: shapes that are registered nowhere. Their suite string differs, so no such proof is ever accepted by
//! [`verify`](super::verify); they promise no security and are for tests and benchmarks. The modules below are the parts
//! that proofs are made of, one by one, for those who check them against vectors.

pub mod fields;
pub mod kernels;
#[cfg(test)]
mod tests;
pub mod transcripts;
pub mod trees;

use super::prove::ProverData;
use super::shape::{Level, Shape};
use super::verify::{Claim, verify_shape};
use super::{Error, ProofError, suite};
use alloc::vec::Vec;
use phalanx_core::threads::Pool;

/// The suite of shapes that are registered nowhere.
pub const SUITE: &str = suite::TEST_SUITE;

/// A shape of one's own.
///
/// # Errors
/// [`Error::InvalidShape`] if it breaks a rule: see the fields of [`Level`].
pub fn shape(variables: u8, levels: Vec<Level>) -> Result<Shape, Error> {
    Shape::unregistered(variables, levels)
}

/// Commits under a shape of one's own.
///
/// # Errors
/// [`Error::PolynomialLength`] or [`Error::TooLarge`].
pub fn commit<'a>(pool: &dyn Pool, shape: Shape, polynomial: &'a [u32]) -> Result<ProverData<'a>, Error> {
    ProverData::commit(pool, &suite::PROVABLE100, suite::TEST_SUITE, shape, polynomial, &|_, _| ())
}

/// Verifies under a shape of one's own. `suite` is the string that the transcript begins with: [`SUITE`] of this module,
/// or any other to see that it is bound.
///
/// # Errors
/// As [`verify`](super::verify).
pub fn verify(
    suite: &str,
    shape: &Shape,
    root: &[u8; 32],
    claims: &[Claim<'_>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    verify_shape(&suite::PROVABLE100, suite, shape, root, claims, proof, context)
}
