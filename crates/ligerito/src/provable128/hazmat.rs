//! Sharp tools of this suite: shapes that are registered nowhere. Their suite string differs, so no such proof is ever
//! accepted by [`verify`](super::verify); they promise no security and are for tests and benchmarks.

pub mod fields;

use super::super::verify::verify_shape;
use super::super::{prove, suite};
use super::{Claim, Error, Gf192, Level, ProofError, ProverData, Shape};
use alloc::vec::Vec;
use phalanx_core::threads::Pool;

/// The suite of shapes that are registered nowhere.
pub const SUITE: &str = "ligerito-v1-provable128-test-insecure";

/// What a nonce hashes to in this suite: the work of g bits is done if the low g bits are zero.
#[must_use]
pub fn work(seed: &[u8; 32], nonce: u64) -> u64 {
    suite::PROVABLE128.work(seed, nonce)
}

/// A shape of one's own.
///
/// # Errors
/// [`Error::InvalidShape`] if it breaks a rule: see the fields of [`Level`].
pub fn shape(variables: u8, levels: Vec<Level>) -> Result<Shape, Error> {
    Shape::unregistered(variables, levels).map(Shape::over::<Gf192>)
}

/// Commits under a shape of one's own, made by [`shape`].
///
/// # Errors
/// [`Error::PolynomialLength`], [`Error::TooLarge`], or [`Error::InvalidShape`] if the shape is one of the other suite.
pub fn commit<'a>(pool: &dyn Pool, shape: Shape, polynomial: &'a [u32]) -> Result<ProverData<'a>, Error> {
    prove::ProverData::commit(pool, &suite::PROVABLE128, SUITE, shape, polynomial, &|_, _| ())
}

/// Verifies under a shape of one's own, made by [`shape`]. `suite` is the string that the transcript begins with: [`SUITE`]
/// of this module, or any other to see that it is bound.
///
/// # Errors
/// As [`verify`](super::verify); [`ProofError::UnacceptedParams`] if the shape is one of the other suite.
pub fn verify(
    suite: &str,
    shape: &Shape,
    root: &[u8; 32],
    claims: &[Claim<'_>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    verify_shape(&suite::PROVABLE128, suite, shape, root, claims, proof, context)
}
