//! What is published of a polynomial, and which of it a verifier accepts.

use super::ProofError;
use super::profile::{Profile, ProfileOf};
use super::shape::Shape;
use core::marker::PhantomData;
use phalanx_core::Malformed;

/// The root of a committed polynomial, with the profile and the number of variables that it claims to have. `P` is the type
/// of the suite's profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommitmentOf<P> {
    profile: P,
    variables: u8,
    root: [u8; 32],
}

impl<P: ProfileOf> CommitmentOf<P> {
    /// Length of the wire form.
    pub const LEN_BYTES: usize = 34;

    /// From its parts, which nobody has checked.
    #[must_use]
    pub const fn new(profile: P, variables: u8, root: [u8; 32]) -> Self {
        Self { profile, variables, root }
    }

    /// From its wire form: profile, variables, root. Which of the two first are acceptable is for the verifier to say.
    ///
    /// # Errors
    /// [`Malformed`] if the length is not 34 or the suite has no such profile.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let wrong_len =
            Malformed { what: "length in bytes", got: bytes.len() as u64, wanted: Self::LEN_BYTES as u64 };
        let [code, variables, root @ ..] = *<&[u8; 34]>::try_from(bytes).map_err(|_| wrong_len)?;
        let wanted = u64::from(P::LAST_CODE);
        let unknown = Malformed { what: "profile of the commitment", got: u64::from(code), wanted };
        Ok(Self { profile: P::from_code(code).ok_or(unknown)?, variables, root })
    }

    /// The wire form.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 34] {
        let mut bytes = [0; 34];
        (bytes[0], bytes[1]) = (self.profile.code(), self.variables);
        bytes[2..].copy_from_slice(&self.root);
        bytes
    }

    /// The profile it claims.
    #[must_use]
    pub const fn profile(&self) -> P {
        self.profile
    }

    /// The number of variables it claims.
    #[must_use]
    pub const fn variables(&self) -> u8 {
        self.variables
    }

    /// The root of the tree over the encoded rows.
    #[must_use]
    pub const fn root(&self) -> &[u8; 32] {
        &self.root
    }
}

/// Which commitments a verifier is ready to look at. A commitment often comes from the prover, so profile and size are the
/// verifier's to choose. `P` is the type of the suite's profiles: no verifier accepts commitments of two suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedOf<P> {
    /// Bit c stands for the profile of number c.
    codes: u8,
    min_variables: u8,
    max_variables: u8,
    suite: PhantomData<P>,
}

impl AcceptedOf<Profile> {
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

impl<P: ProfileOf> AcceptedOf<P> {
    pub(super) const fn between(codes: u8, min_variables: u8, max_variables: u8) -> Self {
        Self { codes, min_variables, max_variables, suite: PhantomData }
    }

    /// The registered shape of `commitment`, if this verifier accepts it.
    ///
    /// # Errors
    /// [`ProofError::UnacceptedParams`].
    pub fn shape(&self, commitment: &CommitmentOf<P>) -> Result<Shape, ProofError> {
        let profile = self.codes >> commitment.profile.code() & 1 == 1;
        let size = (self.min_variables..=self.max_variables).contains(&commitment.variables);
        if !(profile && size) {
            return Err(ProofError::UnacceptedParams);
        }
        commitment.profile.shape(commitment.variables).ok_or(ProofError::UnacceptedParams)
    }
}
