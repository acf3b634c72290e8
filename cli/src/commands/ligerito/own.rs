//! Our own suites, for commands that treat them alike.

use super::args::Set;
use super::elements::Element;
use crate::exit::Failure;
use phalanx::Pool;
use phalanx::ligerito::johnson128;
use phalanx::ligerito::provable128::{self, Gf192};
use phalanx::ligerito::{
    self, AcceptedOf, CommitmentOf, Error, EvaluationClaim, Gf128, Preset, PresetOf, ProofError, ProverData,
    StreamError, SumClaim,
};
use std::io;

/// What is published of a polynomial, and what it is opened from.
pub(crate) type Committed<'a, S> = (CommitmentOf<S>, ProverData<'a, <S as PresetOf>::Challenge>);

/// Reads words, the first of which has the number that is given.
pub(crate) type Read<'a> = dyn FnMut(u64, &mut [u32]) -> io::Result<()> + 'a;

/// What every suite's module has under the same names.
macro_rules! same_names {
    ($module:ident) => {
        fn of_name(name: &str) -> Option<Self> {
            Self::from_name(name)
        }

        fn name(self) -> &'static str {
            self.name()
        }

        fn has_shape(self, variables: u8) -> bool {
            self.shape(variables).is_some()
        }

        fn accept_exactly(self, variables: u8) -> $module::Accepted {
            $module::Accepted::exactly(self, variables)
        }

        fn accept_up_to(profiles: &[Self], variables: u8) -> $module::Accepted {
            $module::Accepted::up_to(profiles, variables)
        }

        fn commit<'a>(
            self,
            pool: &dyn Pool,
            polynomial: &'a [u32],
            progress: &(dyn Fn(u64, u64) + Sync),
        ) -> Result<Committed<'a, Self>, Error> {
            $module::commit_watched_on(pool, self, polynomial, progress)
        }

        fn commit_streamed(
            self,
            pool: &dyn Pool,
            variables: u8,
            memory: u64,
            read: &mut Read<'_>,
            progress: &(dyn Fn(u64, u64) + Sync),
        ) -> Result<$module::Commitment, StreamError<io::Error>> {
            $module::commit_streamed_on(pool, self, variables, memory, read, progress)
        }

        fn verify(
            accepted: &$module::Accepted,
            commitment: &$module::Commitment,
            claims: &[EvaluationClaim<'_, Self::Challenge>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            $module::verify(accepted, commitment, claims, proof, context)
        }

        fn verify_together(
            accepted: &$module::Accepted,
            commitments: &[$module::Commitment],
            claims: &[(usize, SumClaim<'_, Self::Challenge>)],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), ProofError> {
            $module::verify_together(accepted, commitments, claims, proof, context)
        }
    };
}

/// The profiles of one suite, as options name them.
pub(crate) trait Own: PresetOf<Challenge: Element> + Copy + Default + PartialEq {
    /// The parameter set.
    const SET: Set;

    /// The profile that an option names.
    ///
    /// # Errors
    /// A profile that the suite does not have.
    fn named(option: &str, profile: Preset) -> Result<Self, Failure> {
        let (name, set) = (profile.name(), Self::SET.name());
        Self::of_name(name)
            .ok_or_else(|| Failure::usage(format_args!("{option} {name} does not go with --params {set}")))
    }

    /// The profile of that name.
    fn of_name(name: &str) -> Option<Self>;

    /// Its name.
    fn name(self) -> &'static str;

    /// Whether there is a shape for so many variables.
    fn has_shape(self, variables: u8) -> bool;

    /// A verifier that accepts this profile with so many variables.
    fn accept_exactly(self, variables: u8) -> AcceptedOf<Self>;

    /// A verifier that accepts these profiles with at most so many variables.
    fn accept_up_to(profiles: &[Self], variables: u8) -> AcceptedOf<Self>;

    /// Commits, telling `progress` of rows done and rows in all.
    fn commit<'a>(
        self,
        pool: &dyn Pool,
        polynomial: &'a [u32],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Committed<'a, Self>, Error>;

    /// Commits to what is read, as often as it takes to hold so many bytes only.
    fn commit_streamed(
        self,
        pool: &dyn Pool,
        variables: u8,
        memory: u64,
        read: &mut Read<'_>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<CommitmentOf<Self>, StreamError<io::Error>>;

    /// Verifies.
    fn verify(
        accepted: &AcceptedOf<Self>,
        commitment: &CommitmentOf<Self>,
        claims: &[EvaluationClaim<'_, Self::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;

    /// Verifies claims about several commitments, or one, each with the number of its commitment.
    fn verify_together(
        accepted: &AcceptedOf<Self>,
        commitments: &[CommitmentOf<Self>],
        claims: &[(usize, SumClaim<'_, Self::Challenge>)],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError>;
}

impl Own for Preset {
    const SET: Set = Set::Own;

    same_names!(ligerito);
}

impl Own for provable128::Preset {
    const SET: Set = Set::Own128;

    same_names!(provable128);
}

impl Own for johnson128::Preset {
    const SET: Set = Set::Johnson128;

    same_names!(johnson128);
}

impl Element for Gf128 {
    const LEN_BYTES: usize = 16;

    fn from_be_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(u128::from_be_bytes).map(Self)
    }

    fn to_be_bytes(self) -> Vec<u8> {
        self.0.to_be_bytes().to_vec()
    }
}

impl Element for Gf192 {
    const LEN_BYTES: usize = 24;

    fn from_be_slice(bytes: &[u8]) -> Option<Self> {
        let mut bytes: [u8; 24] = bytes.try_into().ok()?;
        bytes.reverse();
        Some(Self::from_le_bytes(bytes))
    }

    fn to_be_bytes(self) -> Vec<u8> {
        self.to_le_bytes().into_iter().rev().collect()
    }
}

/// The other suite of ours that a commitment of these bytes belongs to, if it belongs to one.
pub(crate) fn other_set<S: Own>(commitment: &[u8]) -> Option<Set> {
    let sets = [
        (Set::Own, ligerito::Commitment::from_bytes(commitment).is_ok()),
        (Set::Own128, provable128::Commitment::from_bytes(commitment).is_ok()),
        (Set::Johnson128, johnson128::Commitment::from_bytes(commitment).is_ok()),
    ];
    sets.into_iter().find(|(set, is_its)| *is_its && *set != S::SET).map(|(set, _)| set)
}
