//! The registered shapes of suite `ligerito-v1-provable100`, as data.
//!
//! Source: section 10 of the specification (docs/ligerito.md), found by a search over all shapes for the shortest proof at
//! bounded prover work. Their soundness is recomputed by a test, and shown by `phalanx ligerito params`.

use super::shape::{Level, Shape};
use super::suite::{self, Hashing, SUITE};
use crate::binary::{ChallengeField, Gf128};

/// A type whose values are the profiles of one suite: [`Profile`], or that of
/// [`provable128`](super::provable128::Profile). Nobody else can implement it.
#[allow(private_bounds, reason = "sealed: only this crate knows how suites differ")]
pub trait ProfileOf: OfSuite {
    /// Where challenges, points and values come from.
    type Challenge: ChallengeField;
}

/// What a suite's profiles tell of it.
pub(super) trait OfSuite: Copy + 'static {
    /// The suite's name.
    const SUITE: &'static str;
    /// How the suite hashes.
    const HASHING: &'static Hashing;
    /// The last profile's number.
    const LAST_CODE: u8;

    /// The number that stands for the profile in a commitment.
    fn code(self) -> u8;

    /// The profile of that number, or `None`.
    fn from_code(code: u8) -> Option<Self>;

    /// The registered shape for polynomials of 2^`variables` coefficients, or `None`.
    fn shape(self, variables: u8) -> Option<Shape>;
}

/// What proofs are made small for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Profile {
    /// 100 provable bits without proof of work. The default.
    #[default]
    Balanced,
    /// Shorter proofs; 16 of the 100 bits are a proof of work at every level, which the prover pays for.
    Compact,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::Balanced, Self::Compact];

    /// The name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Compact => "compact",
        }
    }

    /// The profile called `name`, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The number that stands for it in a commitment.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Balanced => 1,
            Self::Compact => 2,
        }
    }

    /// The profile of that number, or `None`.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.code() == code)
    }

    /// The registered shape for polynomials of 2^`variables` coefficients, or `None`: there are shapes for
    /// [`MIN_VARIABLES`] to [`MAX_VARIABLES`].
    #[must_use]
    pub fn shape(self, variables: u8) -> Option<Shape> {
        let table = match self {
            Self::Balanced => &BALANCED,
            Self::Compact => &COMPACT,
        };
        let levels = table.get(usize::from(variables.checked_sub(MIN_VARIABLES)?))?;
        Some(Shape::registered::<Gf128>(variables, levels))
    }
}

impl ProfileOf for Profile {
    type Challenge = Gf128;
}

impl OfSuite for Profile {
    const SUITE: &'static str = SUITE;
    const HASHING: &'static Hashing = &suite::PROVABLE100;
    const LAST_CODE: u8 = 2;

    fn code(self) -> u8 {
        self.code()
    }

    fn from_code(code: u8) -> Option<Self> {
        Self::from_code(code)
    }

    fn shape(self, variables: u8) -> Option<Shape> {
        self.shape(variables)
    }
}

/// Fewest variables of a registered shape.
pub const MIN_VARIABLES: u8 = 10;
/// Most variables of a registered shape.
pub const MAX_VARIABLES: u8 = 30;

pub(super) const fn level(
    log2_message: u8,
    log2_columns: u8,
    log2_inverse_rate: u8,
    queries: u16,
    grinding_bits: u8,
) -> Level {
    Level { log2_message, log2_columns, log2_inverse_rate, queries, grinding_bits }
}

#[rustfmt::skip]
const BALANCED: [&[Level]; 21] = [
    // 10
    &[level(6, 4, 2, 104, 0)],
    // 11
    &[level(7, 4, 2, 123, 0)],
    // 12
    &[level(8, 4, 1, 185, 0)],
    // 13
    &[level(8, 5, 2, 135, 0)],
    // 14
    &[level(9, 5, 2, 141, 0)],
    // 15
    &[level(10, 5, 2, 145, 0)],
    // 16
    &[level(10, 6, 2, 145, 0)],
    // 17
    &[level(12, 5, 2, 148, 0), level(9, 3, 3, 120, 0)],
    // 18
    &[level(12, 6, 2, 148, 0), level(9, 3, 3, 120, 0)],
    // 19
    &[level(13, 6, 2, 148, 0), level(10, 3, 3, 121, 0)],
    // 20
    &[level(14, 6, 2, 149, 0), level(10, 4, 3, 121, 0)],
    // 21
    &[level(15, 6, 2, 150, 0), level(12, 3, 2, 149, 0), level(9, 3, 3, 120, 0)],
    // 22
    &[level(16, 6, 2, 149, 0), level(12, 4, 3, 123, 0), level(9, 3, 3, 120, 0)],
    // 23
    &[level(17, 6, 2, 149, 0), level(13, 4, 3, 123, 0), level(10, 3, 3, 122, 0)],
    // 24
    &[level(18, 6, 2, 150, 0), level(14, 4, 3, 123, 0), level(10, 4, 4, 111, 0)],
    // 25
    &[level(19, 6, 2, 150, 0), level(15, 4, 3, 123, 0), level(12, 3, 3, 123, 0), level(9, 3, 3, 121, 0)],
    // 26
    &[level(20, 6, 2, 150, 0), level(16, 4, 3, 124, 0), level(12, 4, 3, 123, 0), level(9, 3, 3, 121, 0)],
    // 27
    &[level(21, 6, 2, 150, 0), level(17, 4, 3, 123, 0), level(13, 4, 3, 124, 0), level(10, 3, 3, 123, 0)],
    // 28
    &[level(22, 6, 2, 151, 0), level(18, 4, 3, 124, 0), level(14, 4, 4, 113, 0), level(10, 4, 4, 112, 0)],
    // 29
    &[level(22, 7, 2, 152, 0), level(18, 4, 4, 113, 0), level(14, 4, 4, 113, 0), level(10, 4, 4, 113, 0)],
    // 30
    &[level(23, 7, 2, 155, 0), level(19, 4, 3, 128, 0), level(15, 4, 4, 118, 0), level(12, 3, 4, 119, 0), level(9, 3, 4, 118, 0)],
];

#[rustfmt::skip]
const COMPACT: [&[Level]; 21] = [
    // 10
    &[level(6, 4, 2, 92, 16)],
    // 11
    &[level(7, 4, 2, 107, 16)],
    // 12
    &[level(8, 4, 2, 115, 16)],
    // 13
    &[level(8, 5, 2, 115, 16)],
    // 14
    &[level(9, 5, 2, 120, 16)],
    // 15
    &[level(9, 6, 3, 100, 16)],
    // 16
    &[level(10, 6, 2, 122, 16)],
    // 17
    &[level(12, 5, 2, 125, 16), level(9, 3, 3, 101, 16)],
    // 18
    &[level(13, 5, 2, 125, 16), level(10, 3, 3, 102, 16)],
    // 19
    &[level(13, 6, 2, 125, 16), level(10, 3, 3, 102, 16)],
    // 20
    &[level(14, 6, 2, 125, 16), level(10, 4, 4, 93, 16)],
    // 21
    &[level(15, 6, 2, 126, 16), level(12, 3, 3, 103, 16), level(9, 3, 3, 102, 16)],
    // 22
    &[level(16, 6, 2, 126, 16), level(12, 4, 3, 103, 16), level(9, 3, 3, 102, 16)],
    // 23
    &[level(17, 6, 2, 126, 16), level(13, 4, 4, 94, 16), level(10, 3, 4, 94, 16)],
    // 24
    &[level(18, 6, 2, 126, 16), level(14, 4, 4, 94, 16), level(10, 4, 4, 94, 16)],
    // 25
    &[level(19, 6, 2, 126, 16), level(15, 4, 4, 95, 16), level(12, 3, 4, 95, 16), level(9, 3, 4, 94, 16)],
    // 26
    &[level(20, 6, 2, 126, 16), level(16, 4, 4, 95, 16), level(12, 4, 4, 95, 16), level(9, 3, 4, 94, 16)],
    // 27
    &[level(21, 6, 2, 127, 16), level(17, 4, 4, 95, 16), level(13, 4, 4, 95, 16), level(10, 3, 4, 94, 16)],
    // 28
    &[level(22, 6, 2, 127, 16), level(18, 4, 4, 96, 16), level(14, 4, 4, 96, 16), level(10, 4, 4, 95, 16)],
    // 29
    &[level(23, 6, 2, 132, 16), level(19, 4, 4, 98, 16), level(15, 4, 4, 98, 16), level(12, 3, 4, 98, 16), level(9, 3, 4, 97, 16)],
    // 30
    &[level(23, 7, 2, 131, 16), level(19, 4, 3, 109, 16), level(15, 4, 4, 101, 16), level(12, 3, 4, 102, 16), level(9, 3, 4, 101, 16)],
];
