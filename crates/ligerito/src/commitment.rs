//! What is published of a polynomial, and which of it a verifier accepts.
#![forbid(unsafe_code)]

use super::ProofError;
use super::preset::PresetOf;
use super::shape::Shape;
use crate::binary::{ChallengeField as _, le_bytes};
use core::marker::PhantomData;
use phalanx_core::Malformed;

/// Bytes of the sample of a commitment that has one: an element of GF(2^192).
const SAMPLE_LEN_BYTES: usize = 24;

/// The root of a committed polynomial, with the preset and the number of variables that it claims to have, and its sample in
/// the suite that has samples. `P` is the type of the suite's presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommitmentOf<P> {
    preset: P,
    variables: u8,
    root: [u8; 32],
    /// Zeros where the suite has no samples.
    sample: [u8; SAMPLE_LEN_BYTES],
}

impl<P: PresetOf<Bytes = [u8; 34]>> CommitmentOf<P> {
    /// From its parts, which nobody has checked.
    #[must_use]
    pub const fn new(preset: P, variables: u8, root: [u8; 32]) -> Self {
        Self { preset, variables, root, sample: [0; SAMPLE_LEN_BYTES] }
    }
}

impl<P: PresetOf> CommitmentOf<P> {
    /// Length of the wire form.
    pub const LEN_BYTES: usize = size_of::<P::Bytes>();

    /// From its parts; `sample` is there in suites with samples.
    pub(crate) fn of(preset: P, variables: u8, root: [u8; 32], sample: Option<P::Challenge>) -> Self {
        let mut commitment = Self { preset, variables, root, sample: [0; SAMPLE_LEN_BYTES] };
        if let Some(sample) = sample {
            commitment.sample.copy_from_slice(&le_bytes(&[sample]));
        }
        commitment
    }

    /// The sample, in suites with samples.
    pub(crate) fn sampled(&self) -> Option<P::Challenge> {
        P::SAMPLES.then(|| P::Challenge::from_le_slice(&self.sample))
    }

    /// From its wire form: preset, variables, root, and the sample if the suite has samples. Which of the two first are
    /// acceptable is for the verifier to say.
    ///
    /// # Errors
    /// [`Malformed`] if the length is not [`LEN_BYTES`](Self::LEN_BYTES) or the suite has no such preset.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let wrong_len =
            Malformed { what: "length in bytes", got: bytes.len() as u64, wanted: Self::LEN_BYTES as u64 };
        if bytes.len() != Self::LEN_BYTES {
            return Err(wrong_len);
        }
        let (&[code, variables], bytes) = bytes.split_first_chunk().ok_or(wrong_len)?;
        let (root, bytes) = bytes.split_first_chunk().ok_or(wrong_len)?;
        let wanted = u64::from(P::LAST_CODE);
        let unknown = Malformed { what: "profile of the commitment", got: u64::from(code), wanted };
        let mut sample = [0; SAMPLE_LEN_BYTES];
        sample[..bytes.len()].copy_from_slice(bytes);
        Ok(Self { preset: P::from_code(code).ok_or(unknown)?, variables, root: *root, sample })
    }

    /// The wire form.
    #[must_use]
    pub fn to_bytes(&self) -> P::Bytes {
        let mut bytes = [0; 34 + SAMPLE_LEN_BYTES];
        (bytes[0], bytes[1]) = (self.preset.code(), self.variables);
        bytes[2..34].copy_from_slice(&self.root);
        bytes[34..].copy_from_slice(&self.sample);
        P::Bytes::try_from(&bytes[..Self::LEN_BYTES]).ok().expect("as many bytes")
    }

    /// The preset it claims.
    #[must_use]
    pub const fn preset(&self) -> P {
        self.preset
    }

    /// The number of variables it claims.
    #[must_use]
    pub const fn variables(&self) -> u8 {
        self.variables
    }

    /// The root of the tree over the encoded rows.
    ///
    /// These 32 bytes do not bind the shape: two commitments of different presets and numbers of variables can have one
    /// root, if one polynomial is the other followed by zeros. Store, sign or hash [`to_bytes`](Self::to_bytes), all
    /// of them.
    #[must_use]
    pub const fn root(&self) -> &[u8; 32] {
        &self.root
    }
}

/// Which commitments a verifier is ready to look at. A commitment often comes from the prover, so preset and size are
/// the verifier's to choose. `P` is the type of the suite's presets: no verifier accepts commitments of two suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedOf<P> {
    /// Bit c stands for the preset of number c.
    codes: u8,
    min_variables: u8,
    max_variables: u8,
    suite: PhantomData<P>,
}

impl<P: PresetOf> AcceptedOf<P> {
    pub(super) const fn between(codes: u8, min_variables: u8, max_variables: u8) -> Self {
        Self { codes, min_variables, max_variables, suite: PhantomData }
    }

    /// The registered shape of `commitment`, if this verifier accepts it.
    ///
    /// # Errors
    /// [`ProofError::UnacceptedParams`].
    pub fn shape(&self, commitment: &CommitmentOf<P>) -> Result<Shape, ProofError> {
        let preset = self.codes >> commitment.preset.code() & 1 == 1;
        let size = (self.min_variables..=self.max_variables).contains(&commitment.variables);
        if !(preset && size) {
            return Err(ProofError::UnacceptedParams);
        }
        commitment.preset.shape(commitment.variables).ok_or(ProofError::UnacceptedParams)
    }
}
