//! Our own suites, for commands that treat them alike.

use super::args::Set;
use super::elements::Element;
use crate::exit::Failure;
use phalanx::ligerito::provable128::{self, Gf192};
use phalanx::ligerito::{self, Accepted, AcceptedOf, Gf128, Profile, ProfileOf};

/// The profiles of one suite, as options name them.
pub(crate) trait Own: ProfileOf<Challenge: Element> + Copy + Default + PartialEq {
    /// The parameter set.
    const SET: Set;

    /// The profile that an option names.
    ///
    /// # Errors
    /// A profile that the suite does not have.
    fn named(option: &str, profile: Profile) -> Result<Self, Failure>;

    /// Its name.
    fn name(self) -> &'static str;

    /// Whether there is a shape for so many variables.
    fn has_shape(self, variables: u8) -> bool;

    /// A verifier that accepts this profile with so many variables.
    fn accept_exactly(self, variables: u8) -> AcceptedOf<Self>;

    /// A verifier that accepts these profiles with at most so many variables.
    fn accept_up_to(profiles: &[Self], variables: u8) -> AcceptedOf<Self>;
}

impl Own for Profile {
    const SET: Set = Set::Own;

    fn named(_: &str, profile: Profile) -> Result<Self, Failure> {
        Ok(profile)
    }

    fn name(self) -> &'static str {
        self.name()
    }

    fn has_shape(self, variables: u8) -> bool {
        self.shape(variables).is_some()
    }

    fn accept_exactly(self, variables: u8) -> Accepted {
        Accepted::exactly(self, variables)
    }

    fn accept_up_to(profiles: &[Self], variables: u8) -> Accepted {
        Accepted::up_to(profiles, variables)
    }
}

impl Own for provable128::Profile {
    const SET: Set = Set::Own128;

    fn named(option: &str, profile: Profile) -> Result<Self, Failure> {
        let (name, set) = (profile.name(), Self::SET.name());
        Self::from_name(name)
            .ok_or_else(|| Failure::usage(format_args!("{option} {name} does not go with --params {set}")))
    }

    fn name(self) -> &'static str {
        self.name()
    }

    fn has_shape(self, variables: u8) -> bool {
        self.shape(variables).is_some()
    }

    fn accept_exactly(self, variables: u8) -> provable128::Accepted {
        provable128::Accepted::exactly(self, variables)
    }

    fn accept_up_to(profiles: &[Self], variables: u8) -> provable128::Accepted {
        provable128::Accepted::up_to(profiles, variables)
    }
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
    let of_100 = || ligerito::Commitment::from_bytes(commitment).is_ok();
    let of_128 = || provable128::Commitment::from_bytes(commitment).is_ok();
    match S::SET {
        Set::Own => of_128().then_some(Set::Own128),
        Set::Own128 => of_100().then_some(Set::Own),
        Set::RefV08 => None,
    }
}
