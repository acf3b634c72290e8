//! What presets tell of their suite.
//!
//! A *suite* is a field of challenges, the strings and keys of its hashes, and a table of registered shapes; a *preset*
//! is a column of the table. Prover and verifier are generic over the type of the presets.
#![forbid(unsafe_code)]

use crate::binary::ChallengeField;
use crate::shape::{Level, Shape};
use crate::suite::{Hashing, Names};
use core::fmt::Debug;

/// Fewest variables of a registered shape.
pub const MIN_VARIABLES: u8 = 10;
/// Most variables of a registered shape.
pub const MAX_VARIABLES: u8 = 30;

/// A type whose values are the presets of one suite: [`Preset`](crate::Preset), or that of
/// [`provable128`](crate::provable128::Preset) or [`johnson128`](crate::johnson128::Preset). Nobody else can implement it.
#[expect(private_bounds, reason = "sealed: only this crate knows how suites differ")]
pub trait PresetOf: OfSuite {
    /// Where challenges, points and values come from.
    type Challenge: ChallengeField;
    /// The wire form of a commitment: 34 bytes, or 58 with a sample.
    type Bytes: AsRef<[u8]> + for<'a> TryFrom<&'a [u8]> + Copy + Debug + Eq;
}

/// What a suite's presets tell of it.
pub(crate) trait OfSuite: Copy + 'static {
    /// The suite's name.
    const SUITE: &'static str;
    /// The name of the suite of weighted sums.
    const SUMS: &'static str;
    /// How the suite hashes.
    const HASHING: &'static Hashing;
    /// Whether commitments and later levels have samples.
    const SAMPLES: bool;
    /// The last preset's number.
    const LAST_CODE: u8;

    /// The number that stands for the preset in a commitment.
    fn code(self) -> u8;

    /// What a commitment under the preset knows of the suite.
    fn names(self) -> Names {
        Names { hashing: Self::HASHING, points: Self::SUITE, sums: Self::SUMS, profile: self.code() }
    }

    /// The preset of that number, or `None`.
    fn from_code(code: u8) -> Option<Self>;

    /// The registered shape for polynomials of 2^`variables` coefficients, or `None`.
    fn shape(self, variables: u8) -> Option<Shape>;
}

/// A level of a registered shape: d, k, r, Q and g.
pub(crate) const fn level(
    log2_message: u8,
    log2_columns: u8,
    log2_inverse_rate: u8,
    queries: u16,
    grinding_bits: u8,
) -> Level {
    Level { log2_message, log2_columns, log2_inverse_rate, queries, grinding_bits }
}
