//! Suite `ligerito-v2-johnson128`: proofs shorter by a third than those of [`provable128`](crate::provable128). Opt-in.
//!
//! **128 bits, conditional on a theorem of 2026** (mutual correlated agreement on lines up to the Johnson radius: Dao, Kominers,
//! Thaler, [eprint 2026/2056](https://eprint.iacr.org/2026/2056), Theorem 5.12; in
//! [ArkLib](https://github.com/Verified-zkEVM/ArkLib) `ReedSolomon.exists_johnson_line_exactCorrelatedPair`) **whose Lean proof
//! is reported and was not built here; the conservative suite is [`provable128`](crate::provable128).**
//!
//! The scheme is that of [`provable128`](crate::provable128), under the same names and over the same field. What differs: a word
//! that is near to several polynomials is allowed, and a *sample*, the value at a point that is drawn when the root is known,
//! says which of them is meant. So a commitment has 58 bytes, the root and its sample, and so has every later level a sample.
//! All openings are of the kind `ligerito-v2`: [`ProverData::open`](crate::ProverData::open) is
//! [`open_sums`](crate::ProverData::open_sums) of points. Shapes and keys are the suite's own, and nothing of one suite is
//! taken by another. Source: docs/ligerito.md, section 16.
//!
//! ```
//! use phalanx_ligerito::johnson128::{self, Accepted, EvaluationClaim, Gf192, Preset};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let polynomial: Vec<u32> = (0..1 << 10).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
//! let (commitment, data) = johnson128::commit(Preset::Balanced, &polynomial)?;
//!
//! let point: Vec<Gf192> = (1..=10).map(|i| Gf192([i, 0, 0])).collect();
//! let opening = data.open(&[&point], b"what this proof is for")?;
//!
//! let accepted = Accepted::exactly(Preset::Balanced, 10);
//! let claim = EvaluationClaim { point: &point, value: opening.values[0] };
//! johnson128::verify(&accepted, &commitment, &[claim], &opening.proof, b"what this proof is for")?;
//! # Ok(())
//! # }
//! ```
//!
//! Nobody gets this suite who does not write `johnson128::`: the presets of another one are not taken,
//!
//! ```compile_fail,E0308
//! use phalanx_ligerito::{johnson128, provable128};
//!
//! let committed = johnson128::commit(provable128::Preset::Balanced, &[7; 1 << 10]);
//! ```
//!
//! and no verifier of another one takes a commitment of this one.
//!
//! ```compile_fail,E0308
//! use phalanx_ligerito::{johnson128, provable128};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let polynomial = vec![7; 1 << 10];
//! let (commitment, data) = johnson128::commit(johnson128::Preset::Balanced, &polynomial)?;
//! let accepted = provable128::Accepted::exactly(provable128::Preset::Balanced, 10);
//! provable128::verify(&accepted, &commitment, &[], &[], b"")?;
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "hazmat")]
pub mod hazmat;

pub use super::provable128::{
    EvaluationClaim, Opening, Orbit, PlanesClaim, ProofReader, ProofWriter, ProverData, SumClaim, Tensor,
    TensorsClaim, Transcript, Weight,
};
pub use super::{
    Error, Level, MAX_CLAIMS, MAX_VARIABLES, MIN_VARIABLES, PLANES, ProofError, Shape, StreamError,
    aes_basis, value_of_planes,
};
pub use crate::binary::Gf192;

use crate::functions::suite;
use crate::preset::level;
use crate::suite::JOHNSON128;

/// The suite of the registered shapes.
pub const SUITE: &str = "ligerito-v2-johnson128";

/// What proofs are made small for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Preset {
    /// 128 bits without proof of work, conditional on a theorem of 2026 ([eprint 2026/2056](https://eprint.iacr.org/2026/2056),
    /// Theorem 5.12) whose Lean proof is reported and was not built here; the conservative suite is
    /// [`provable128`](crate::provable128).
    #[default]
    Balanced,
}

suite! {
    Gf192, SUITE, SUITE, JOHNSON128, last code 4,
    commitments of 58 bytes, samples true,
    Balanced = 4 "balanced" BALANCED,
}

impl Commitment {
    /// From its parts, which nobody has checked.
    #[must_use]
    pub fn new(preset: Preset, variables: u8, root: [u8; 32], sample: Gf192) -> Self {
        Self::of(preset, variables, root, Some(sample))
    }

    /// The value that it claims at the point that follows from its root. With the root it binds to one polynomial; the root
    /// alone does not.
    #[must_use]
    pub fn sample(&self) -> Gf192 {
        self.sampled().expect("every commitment of this suite has a sample")
    }
}

/// The levels for every number of variables. Source: the search of docs/ligerito.md, section 11, with the error terms of
/// section 16.
#[rustfmt::skip]
const BALANCED: [&[Level]; 21] = [
    // 10
    &[level(2, 8, 2, 7, 0)],
    // 11
    &[level(7, 4, 2, 107, 0)],
    // 12
    &[level(8, 4, 1, 192, 0)],
    // 13
    &[level(8, 5, 2, 117, 0)],
    // 14
    &[level(9, 5, 2, 123, 0)],
    // 15
    &[level(9, 6, 2, 123, 0)],
    // 16
    &[level(10, 6, 2, 126, 0)],
    // 17
    &[level(11, 6, 2, 127, 0), level(8, 3, 4, 64, 0)],
    // 18
    &[level(12, 6, 2, 128, 0), level(8, 4, 4, 64, 0)],
    // 19
    &[level(13, 6, 2, 129, 0), level(9, 4, 4, 64, 0)],
    // 20
    &[level(14, 6, 2, 129, 0), level(11, 3, 3, 86, 0), level(8, 3, 5, 52, 0)],
    // 21
    &[level(15, 6, 2, 129, 0), level(12, 3, 3, 86, 0), level(9, 3, 5, 53, 0)],
    // 22
    &[level(16, 6, 2, 129, 0), level(13, 3, 3, 87, 0), level(9, 4, 5, 52, 0)],
    // 23
    &[level(17, 6, 2, 129, 0), level(14, 3, 3, 87, 0), level(11, 3, 5, 52, 0), level(8, 3, 5, 53, 0)],
    // 24
    &[level(18, 6, 2, 129, 0), level(15, 3, 3, 87, 0), level(12, 3, 5, 53, 0), level(9, 3, 5, 52, 0)],
    // 25
    &[level(19, 6, 2, 130, 0), level(16, 3, 3, 87, 0), level(12, 4, 5, 52, 0), level(9, 3, 5, 52, 0)],
    // 26
    &[level(19, 7, 2, 129, 0), level(15, 4, 5, 52, 0), level(12, 3, 5, 53, 0), level(9, 3, 5, 53, 0)],
    // 27
    &[level(20, 7, 2, 129, 0), level(16, 4, 5, 52, 0), level(12, 4, 5, 53, 0), level(9, 3, 5, 53, 0)],
    // 28
    &[level(21, 7, 2, 130, 0), level(17, 4, 5, 52, 0), level(14, 3, 5, 52, 0), level(11, 3, 5, 53, 0), level(8, 3, 5, 53, 0)],
    // 29
    &[level(23, 6, 2, 130, 0), level(19, 4, 3, 87, 0), level(15, 4, 5, 52, 0), level(12, 3, 5, 53, 0), level(9, 3, 5, 53, 0)],
    // 30
    &[level(23, 7, 2, 130, 0), level(19, 4, 4, 65, 0), level(15, 4, 5, 53, 0), level(12, 3, 5, 53, 0), level(9, 3, 5, 52, 0)],
];
