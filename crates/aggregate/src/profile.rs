//! The two levels of security, and what a verifier accepts.
#![forbid(unsafe_code)]

use crate::compressions::MAX_BLOCKS;
use crate::statement::MAX_SIGNATURES;
use alloc::vec::Vec;
use phalanx_core::threads::Pool;
use phalanx_ligerito::parts::Field;
use phalanx_ligerito::provable128::Gf192;
use phalanx_ligerito::{self as ligerito, Gf128, provable128};

/// How many bits of security are proved. There is no default: 100 bits are fewer than the signatures have themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Profile {
    /// 100 provable bits, over GF(2^128): weaker than what it aggregates.
    Provable100,
    /// 128 provable bits, over GF(2^192).
    Provable128,
}

impl Profile {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Provable100, Self::Provable128];

    /// The name, as it stands in files and errors.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Provable100 => "aggregate-v1-provable100",
            Self::Provable128 => "aggregate-v1-provable128",
        }
    }

    /// The profile called `name`, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The number that stands for it in an aggregate.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Provable100 => Gf128::CODE,
            Self::Provable128 => Gf192::CODE,
        }
    }

    /// The profile of that number, or `None`.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.code() == code)
    }

    /// Bytes of a field element.
    pub(crate) const fn element_len(self) -> usize {
        match self {
            Self::Provable100 => <Gf128 as Field>::LEN_BYTES,
            Self::Provable128 => <Gf192 as Field>::LEN_BYTES,
        }
    }

    /// The bits of security that are proved.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Provable100 => 100,
            Self::Provable128 => 128,
        }
    }
}

/// What a verifier accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bit c stands for the profile of number c.
    codes: u8,
    signatures: usize,
    blocks: usize,
}

impl Limits {
    /// The most signatures that a verifier accepts unless it says otherwise.
    pub const DEFAULT_SIGNATURES: usize = 1846;

    /// The most compressions that a verifier accepts unless it says otherwise.
    pub const DEFAULT_BLOCKS: usize = 1 << 18;

    /// Any of `profiles`, at most [`DEFAULT_SIGNATURES`](Self::DEFAULT_SIGNATURES) signatures, or
    /// [`DEFAULT_BLOCKS`](Self::DEFAULT_BLOCKS) compressions.
    #[must_use]
    pub fn new(profiles: &[Profile]) -> Self {
        let codes = profiles.iter().fold(0, |codes, profile| codes | 1 << profile.code());
        Self { codes, signatures: Self::DEFAULT_SIGNATURES, blocks: Self::DEFAULT_BLOCKS }
    }

    /// The same with another number of signatures, at most [`MAX_SIGNATURES`].
    #[must_use]
    pub fn with_signatures(self, most: usize) -> Self {
        Self { signatures: most.min(MAX_SIGNATURES), ..self }
    }

    /// The same with another number of compressions, at most [`MAX_BLOCKS`](crate::compressions::MAX_BLOCKS).
    #[must_use]
    pub fn with_blocks(self, most: usize) -> Self {
        Self { blocks: most.min(MAX_BLOCKS), ..self }
    }

    pub(crate) fn accepts(&self, profile: Profile) -> bool {
        self.codes >> profile.code() & 1 == 1
    }

    pub(crate) fn signatures(&self) -> usize {
        self.signatures
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }
}

/// A field with the commitment that goes with it.
pub(crate) trait Suite: Field {
    /// The number of the profile, in aggregates and commitments.
    const CODE: u8;
    /// What the prover keeps of a commitment.
    type Data<'a>;
    /// What it keeps of the bits at a point.
    type Orbit;

    /// Bytes of the longest opening of a polynomial in so many variables.
    fn max_opening_len(variables: u8) -> usize;

    /// The root of a polynomial, and what opens it.
    fn commit<'a>(
        pool: &dyn Pool,
        polynomial: &'a [u32],
    ) -> Result<([u8; 32], Self::Data<'a>), ligerito::Error>;

    /// The bits of a committed polynomial at a point.
    fn orbit(pool: &dyn Pool, data: &Self::Data<'_>, point: &[Self]) -> Self::Orbit;

    /// The slices at its point.
    fn slices(orbit: &Self::Orbit) -> &[Self; 32];

    /// The proof of the values at the 32 conjugates of each of some points.
    fn open(
        pool: &dyn Pool,
        data: &Self::Data<'_>,
        orbits: &[Self::Orbit],
        context: &[u8],
    ) -> Result<Vec<u8>, ligerito::Error>;

    /// Verifies an opening under exactly this profile and number of variables.
    fn verify(
        variables: u8,
        root: &[u8; 32],
        claims: &[ligerito::EvaluationClaim<'_, Self>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ligerito::ProofError>;
}

macro_rules! suite {
    ($field:ty, $code:literal, $module:ident) => {
        impl Suite for $field {
            const CODE: u8 = $code;
            type Data<'a> = ligerito::ProverData<'a, $field>;
            type Orbit = ligerito::Orbit<$field>;

            fn max_opening_len(variables: u8) -> usize {
                let shape = $module::Preset::Balanced.shape(variables);
                shape.expect("statements have shapes").max_proof_len_bytes()
            }

            fn commit<'a>(
                pool: &dyn Pool,
                polynomial: &'a [u32],
            ) -> Result<([u8; 32], Self::Data<'a>), ligerito::Error> {
                let (commitment, data) = $module::commit_on(pool, $module::Preset::Balanced, polynomial)?;
                Ok((*commitment.root(), data))
            }

            fn orbit(pool: &dyn Pool, data: &Self::Data<'_>, point: &[Self]) -> Self::Orbit {
                data.orbit_on(pool, point).expect("a coordinate for every variable")
            }

            fn slices(orbit: &Self::Orbit) -> &[Self; 32] {
                orbit.planes()
            }

            fn open(
                pool: &dyn Pool,
                data: &Self::Data<'_>,
                orbits: &[Self::Orbit],
                context: &[u8],
            ) -> Result<Vec<u8>, ligerito::Error> {
                data.open_orbits_on(pool, orbits, context)
            }

            fn verify(
                variables: u8,
                root: &[u8; 32],
                claims: &[ligerito::EvaluationClaim<'_, Self>],
                proof: &[u8],
                context: &[u8],
            ) -> Result<(), ligerito::ProofError> {
                let preset = $module::Preset::Balanced;
                let accepted = $module::Accepted::exactly(preset, variables);
                let commitment = $module::Commitment::new(preset, variables, *root);
                $module::verify(&accepted, &commitment, claims, proof, context)
            }
        }
    };
}

suite!(Gf128, 1, ligerito);
suite!(Gf192, 3, provable128);
