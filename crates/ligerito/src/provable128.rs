//! Suite `ligerito-v1-provable128`: 128 bits of security proved instead of 100, for half as much work again.
//!
//! The scheme is that of [the crate's root](crate), under the same names. What differs: points, values, challenges and
//! all levels but the first are over GF(2^192), [`Gf192`]; shapes and keys are its own. No commitment and no proof of
//! one suite is one of the other.
//!
//! ```
//! use phalanx_ligerito::provable128::{self, Accepted, EvaluationClaim, Gf192, Preset};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let polynomial: Vec<u32> = (0..1 << 10).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
//! let (commitment, data) = provable128::commit(Preset::Balanced, &polynomial)?;
//!
//! let point: Vec<Gf192> = (1..=10).map(|i| Gf192([i, 0, 0])).collect();
//! let opening = data.open(&[&point], b"what this proof is for")?;
//!
//! let accepted = Accepted::exactly(Preset::Balanced, 10);
//! let claim = EvaluationClaim { point: &point, value: opening.values[0] };
//! provable128::verify(&accepted, &commitment, &[claim], &opening.proof, b"what this proof is for")?;
//! # Ok(())
//! # }
//! ```
//!
//! Who wants 128 bits writes `provable128::` and cannot be given less: its functions take nothing of the other suite.
//! This does not compile:
//!
//! ```compile_fail,E0308
//! use phalanx_ligerito::{self as ligerito, Preset, provable128};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let polynomial = vec![7; 1 << 10];
//! let (commitment, data) = ligerito::commit(Preset::Compact, &polynomial)?;
//! let point: Vec<ligerito::Gf128> = (1..=10).map(ligerito::Gf128).collect();
//! let opening = data.open(&[&point], b"")?;
//! let claims = [ligerito::EvaluationClaim { point: &point, value: opening.values[0] }];
//! let accepted = ligerito::Accepted::exactly(Preset::Compact, 10);
//! provable128::verify(&accepted, &commitment, &claims, &opening.proof, b"")?;
//! # Ok(())
//! # }
//! ```
//!
//! Nor does this:
//!
//! ```compile_fail,E0308
//! use phalanx_ligerito::{Preset, provable128};
//!
//! let committed = provable128::commit(Preset::Compact, &[7; 1 << 10]);
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "hazmat")]
pub mod hazmat;
#[cfg(all(test, feature = "hazmat"))]
mod tests;

pub use super::{
    Error, Level, MAX_CLAIMS, MAX_VARIABLES, MIN_VARIABLES, PLANES, ProofError, Shape, StreamError,
    aes_basis, value_of_planes,
};
pub use crate::binary::Gf192;

use crate::functions::suite;
use crate::preset::level;
use crate::suite::PROVABLE128;

/// The suite of the registered shapes.
pub const SUITE: &str = "ligerito-v1-provable128";
/// The suite of weighted sums under the registered shapes.
pub const SUMS_SUITE: &str = "ligerito-v2-provable128";

/// The value of the polynomial's multilinear extension at a point.
pub type EvaluationClaim<'a> = super::EvaluationClaim<'a, Gf192>;
/// A claim about a committed polynomial.
pub type SumClaim<'a> = super::SumClaim<'a, Gf192>;
/// The sum of the coefficients weighted by tensors.
pub type TensorsClaim<'a> = super::TensorsClaim<'a, Gf192>;
/// A product of functions of single coordinates, times a scale.
pub type Tensor<'a> = super::Tensor<'a, Gf192>;
/// What is opened: a weight for the polynomial's coefficients.
pub type Weight<'a> = super::Weight<'a, Gf192>;
/// The 32 planes of a polynomial at a point.
pub type PlanesClaim<'a> = super::PlanesClaim<'a, Gf192>;
/// The 32 planes of a committed polynomial at a point, and what a proof of them is made from.
pub type Orbit = super::Orbit<Gf192>;
/// Values at points and the proof that they are right.
pub type Opening = super::Opening<Gf192>;
/// What prover and verifier of a protocol have said so far.
pub type Transcript = super::Transcript<Gf192>;
/// The prover's side of a protocol.
pub type ProofWriter = super::ProofWriter<Gf192>;
/// The verifier's side of a protocol.
pub type ProofReader<'a> = super::ProofReader<'a, Gf192>;
/// What the prover keeps of a commitment, to open it.
pub type ProverData<'a> = super::ProverData<'a, Gf192>;

/// What proofs are made small for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Preset {
    /// 128 provable bits without proof of work.
    #[default]
    Balanced,
}

suite! {
    Gf192, SUITE, SUMS_SUITE, PROVABLE128, last code 3,
    commitments of 34 bytes, samples false,
    Balanced = 3 "balanced" BALANCED,
}

/// The levels for every number of variables. Source: a search over all shapes for the shortest proof at bounded prover
/// work, as for the suite of 100 bits (docs/ligerito.md, section 11).
#[rustfmt::skip]
const BALANCED: [&[Level]; 21] = [
    // 10
    &[level(6, 4, 2, 121, 0)],
    // 11
    &[level(7, 4, 2, 150, 0)],
    // 12
    &[level(8, 4, 1, 221, 0)],
    // 13
    &[level(8, 5, 2, 168, 0)],
    // 14
    &[level(9, 5, 2, 178, 0)],
    // 15
    &[level(10, 5, 2, 184, 0)],
    // 16
    &[level(10, 6, 2, 184, 0)],
    // 17
    &[level(12, 5, 2, 190, 0), level(9, 3, 3, 151, 0)],
    // 18
    &[level(12, 6, 2, 188, 0), level(9, 3, 3, 153, 0)],
    // 19
    &[level(13, 6, 2, 189, 0), level(10, 3, 3, 154, 0)],
    // 20
    &[level(14, 6, 2, 190, 0), level(11, 3, 3, 155, 0), level(9, 2, 2, 182, 0)],
    // 21
    &[level(15, 6, 2, 190, 0), level(12, 3, 3, 156, 0), level(9, 3, 3, 153, 0)],
    // 22
    &[level(16, 6, 2, 191, 0), level(13, 3, 3, 156, 0), level(10, 3, 3, 154, 0)],
    // 23
    &[level(17, 6, 2, 191, 0), level(13, 4, 3, 156, 0), level(10, 3, 3, 154, 0)],
    // 24
    &[level(18, 6, 2, 191, 0), level(15, 3, 3, 156, 0), level(12, 3, 4, 143, 0), level(9, 3, 3, 154, 0)],
    // 25
    &[level(19, 6, 2, 191, 0), level(16, 3, 3, 156, 0), level(13, 3, 4, 143, 0), level(10, 3, 3, 156, 0)],
    // 26
    &[level(20, 6, 2, 191, 0), level(16, 4, 3, 156, 0), level(13, 3, 4, 143, 0), level(10, 3, 3, 156, 0)],
    // 27
    &[level(21, 6, 2, 191, 0), level(17, 4, 3, 156, 0), level(13, 4, 4, 143, 0), level(10, 3, 3, 156, 0)],
    // 28
    &[level(22, 6, 2, 191, 0), level(18, 4, 3, 157, 0), level(15, 3, 4, 143, 0), level(12, 3, 4, 143, 0), level(9, 3, 3, 154, 0)],
    // 29
    &[level(23, 6, 2, 191, 0), level(19, 4, 3, 157, 0), level(16, 3, 4, 143, 0), level(13, 3, 4, 143, 0), level(10, 3, 3, 156, 0)],
    // 30
    &[level(23, 7, 2, 191, 0), level(19, 4, 4, 143, 0), level(16, 3, 4, 143, 0), level(13, 3, 4, 143, 0), level(10, 3, 3, 156, 0)],
];
