//! Suite `ligerito-v1-provable128`: 128 bits of security proved instead of 100, for half as much work again.
//!
//! The scheme is that of the [door above](super), under the same names. What differs: points, values, challenges and all
//! levels but the first are over GF(2^192), [`Gf192`]; shapes and keys are its own. No commitment and no proof of one suite
//! is one of the other, and their types differ: who wants 128 bits writes `provable128::` and cannot be given less.
//!
//! ```
//! use phalanx_ligerito::provable128::{self, Accepted, Claim, Gf192, Profile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let polynomial: Vec<u32> = (0..1 << 10).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
//! let (commitment, data) = provable128::commit(Profile::Balanced, &polynomial)?;
//!
//! let point: Vec<Gf192> = (1..=10).map(|i| Gf192([i, 0, 0])).collect();
//! let opening = data.open(&[&point], b"what this proof is for")?;
//!
//! let accepted = Accepted::exactly(Profile::Balanced, 10);
//! let claim = Claim { point: &point, value: opening.values[0] };
//! provable128::verify(&accepted, &commitment, &[claim], &opening.proof, b"what this proof is for")?;
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "hazmat")]
pub mod hazmat;
#[cfg(test)]
mod tests;

pub use super::prove::{commit, commit_on, commit_watched};
pub use super::verify::verify;
pub use super::{Error, Level, MAX_CLAIMS, MAX_VARIABLES, MIN_VARIABLES, ProofError, Shape};
pub use crate::binary::Gf192;

use super::profile::{OfSuite, ProfileOf, level};
use super::suite::{self, Hashing};

/// The suite of the registered shapes.
pub const SUITE: &str = "ligerito-v1-provable128";

/// The root of a committed polynomial: see [`ligerito::Commitment`](super::Commitment).
pub type Commitment = super::CommitmentOf<Profile>;
/// Which commitments a verifier is ready to look at: see [`ligerito::Accepted`](super::Accepted).
pub type Accepted = super::AcceptedOf<Profile>;
/// The value of the polynomial's multilinear extension at a point.
pub type Claim<'a> = super::Claim<'a, Gf192>;
/// Values at points and the proof that they are right.
pub type Opening = super::Opening<Gf192>;
/// What the prover keeps of a commitment, to open it.
pub type ProverData<'a> = super::ProverData<'a, Gf192>;

/// What proofs are made small for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Profile {
    /// 128 provable bits without proof of work.
    #[default]
    Balanced,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 1] = [Self::Balanced];

    /// The name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
        }
    }

    /// The profile called `name`, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The number that stands for it in a commitment: other than those of the profiles of the suite of 100 bits.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Balanced => 3,
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
        let levels = BALANCED.get(usize::from(variables.checked_sub(MIN_VARIABLES)?))?;
        Some(Shape::registered::<Gf192>(variables, levels))
    }
}

impl ProfileOf for Profile {
    type Challenge = Gf192;
}

impl OfSuite for Profile {
    const SUITE: &'static str = SUITE;
    const HASHING: &'static Hashing = &suite::PROVABLE128;
    const LAST_CODE: u8 = 3;

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

impl Accepted {
    /// This profile with this number of variables and nothing else.
    #[must_use]
    pub const fn exactly(profile: Profile, variables: u8) -> Self {
        Self::between(1 << profile.code(), variables, variables)
    }

    /// Any of `profiles` with at most `max_variables` variables.
    #[must_use]
    pub const fn up_to(profiles: &[Profile], max_variables: u8) -> Self {
        let (mut codes, mut i) = (0, 0);
        while i < profiles.len() {
            codes |= 1 << profiles[i].code();
            i += 1;
        }
        Self::between(codes, 0, max_variables)
    }
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
