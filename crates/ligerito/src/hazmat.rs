//! Sharp tools: shapes that are registered nowhere. Their suite string differs, so no such proof is ever accepted by
//! [`verify`](super::verify); they promise no security and are for tests and benchmarks. The modules below are the
//! parts that proofs are made of, one by one, for those who check them against vectors.
#![forbid(unsafe_code)]

pub mod fields;
pub mod kernels;
#[cfg(test)]
mod tests;
pub mod transcripts;
pub mod trees;

use crate::binary::{ChallengeField, gf32s};
use crate::prove::ProverData;
use crate::shape::{Level, Shape};
use crate::suite::{self, Hashing, Names};
use crate::verify::{verify_next_sums, verify_planes_of_shape, verify_shape, verify_sums_of_shape};
use crate::{Error, EvaluationClaim, Gf128, PlanesClaim, ProofError, ProofReader, SumClaim, Transcript};
use alloc::vec::Vec;
use core::marker::PhantomData;
use phalanx_core::threads::Pool;

/// The suite of shapes that are registered nowhere.
pub const SUITE: &str = suite::TEST_SUITE;
/// The same for weighted sums.
pub const SUMS_SUITE: &str = suite::SUMS_TEST_SUITE;

/// A shape of one's own, with challenges from GF(2^128).
pub type TestShape = TestShapeOf<Gf128>;

/// A shape of one's own, which promises no security, with challenges from `E`. Nothing outside of the hazmat modules
/// takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestShapeOf<E> {
    shape: Shape,
    challenges: PhantomData<E>,
}

/// A field that some suite takes its challenges from.
pub(crate) trait TestField: ChallengeField {
    /// The string of shapes that are registered nowhere.
    const SUITE: &'static str;
    /// The string of weighted sums under them.
    const SUMS: &'static str;
    /// How they are hashed.
    const HASHING: &'static Hashing;
}

impl TestField for Gf128 {
    const SUITE: &'static str = SUITE;
    const SUMS: &'static str = SUMS_SUITE;
    const HASHING: &'static Hashing = &suite::PROVABLE100;
}

impl<E> TestShapeOf<E> {
    /// Its sizes, to be compared with those of registered shapes.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

#[expect(private_bounds, reason = "sealed: only this crate knows how suites differ")]
impl<E: TestField> TestShapeOf<E> {
    /// A shape of these levels.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] if it breaks a rule: see the fields of [`Level`].
    pub fn new(variables: u8, levels: Vec<Level>) -> Result<Self, Error> {
        let shape = Shape::unregistered(variables, levels)?.over::<E>();
        Ok(Self { shape, challenges: PhantomData })
    }

    /// Commits under it.
    ///
    /// # Errors
    /// [`Error::PolynomialLength`] or [`Error::TooLarge`].
    pub fn commit_on<'a>(&self, pool: &dyn Pool, polynomial: &'a [u32]) -> Result<ProverData<'a, E>, Error> {
        let polynomial = gf32s(polynomial).into();
        let names = Names { hashing: E::HASHING, points: E::SUITE, sums: E::SUMS, profile: 0 };
        ProverData::commit(pool, names, self.shape.clone(), polynomial, &|_, _| ())
    }

    /// As [`verify`](Self::verify), of weighted sums: `suite` is `SUMS_SUITE` of this module or any other string.
    ///
    /// # Errors
    /// As [`verify_sums`](super::verify_sums).
    pub fn verify_sums(
        &self,
        suite: &str,
        root: &[u8; 32],
        claims: &[SumClaim<'_, E>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        let commitment = self.commitment(root);
        verify_sums_of_shape(E::HASHING, suite, &self.shape, &commitment, claims, proof, context).map(|_| ())
    }

    /// As [`verify_sums`](Self::verify_sums), of the next part of a proof that is read.
    ///
    /// # Errors
    /// As [`verify_sums_in`](super::verify_sums_in).
    pub fn verify_sums_in<'a>(
        &self,
        suite: &str,
        mut reader: ProofReader<'a, E>,
        root: &[u8; 32],
        claims: &[SumClaim<'_, E>],
        context: &[u8],
    ) -> Result<ProofReader<'a, E>, ProofError> {
        let commitment = self.commitment(root);
        verify_next_sums(E::HASHING, suite, &self.shape, &commitment, claims, context, &mut reader)?;
        Ok(reader)
    }

    /// As [`Transcript::bind`], of a commitment under this shape.
    pub fn bind(&self, transcript: &mut Transcript<E>, root: &[u8; 32]) {
        transcript.bind_bytes(self.commitment(root));
    }

    /// Number 0, which no preset has, the variables and the root.
    fn commitment(&self, root: &[u8; 32]) -> [u8; 34] {
        let mut commitment = [0; 34];
        commitment[1] = self.shape.variables();
        commitment[2..].copy_from_slice(root);
        commitment
    }

    /// As [`verify`](Self::verify), of planes.
    ///
    /// # Errors
    /// As [`verify_planes`](super::verify_planes).
    pub fn verify_planes(
        &self,
        suite: &str,
        root: &[u8; 32],
        claims: &[PlanesClaim<'_, E>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        verify_planes_of_shape(E::HASHING, suite, &self.shape, root, claims, proof, context)
    }

    /// Verifies under it. `suite` is the string that the transcript begins with: the `SUITE` of this module, or any
    /// other to see that it is bound. Whatever the string, the answer says nothing of the security of the suite of that
    /// name, whose registered shapes are another type.
    ///
    /// # Errors
    /// As [`verify`](super::verify).
    pub fn verify(
        &self,
        suite: &str,
        root: &[u8; 32],
        claims: &[EvaluationClaim<'_, E>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        verify_shape(E::HASHING, suite, &self.shape, root, claims, proof, context)
    }
}
