//! Sharp tools: shapes that are registered nowhere. Their suite string differs, so no such proof is ever accepted by
//! [`verify`](super::verify); they promise no security and are for tests and benchmarks. The modules below are the
//! parts that proofs are made of, one by one, for those who check them against vectors.
#![forbid(unsafe_code)]

pub mod fields;
pub mod kernels;
#[cfg(test)]
mod tests;
mod together;
pub mod transcripts;
pub mod trees;

use crate::binary::{gf32s, le_bytes};
use crate::claims::of_one;
use crate::layout::Layout;
use crate::preset::PresetOf;
use crate::prove::ProverData;
use crate::shape::{Level, Shape};
use crate::suite::{self, Names};
use crate::verify::{Statement, verify_planes_of_shape, verify_shape};
use crate::{Error, EvaluationClaim, PlanesClaim, Preset, ProofError, ProofReader, SumClaim, Transcript};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use phalanx_core::threads::Pool;
pub use together::{TestLayoutOf, levels_together, queries_together};

/// The suite of shapes that are registered nowhere.
pub const SUITE: &str = suite::TEST_SUITE;
/// The same for weighted sums.
pub const SUMS_SUITE: &str = suite::SUMS_TEST_SUITE;

/// A shape of one's own, with challenges from GF(2^128).
pub type TestShape = TestShapeOf<Preset>;

/// A shape of one's own, which promises no security, hashed and with challenges as in the suite whose presets `P` is the type
/// of. Nothing outside of the hazmat modules takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestShapeOf<P> {
    shape: Shape,
    suite: PhantomData<P>,
}

/// A suite that has shapes of one's own.
pub(crate) trait TestSuite: PresetOf {
    /// The string of shapes that are registered nowhere.
    const TEST: &'static str;
    /// The string of weighted sums under them.
    const TEST_SUMS: &'static str;
    /// The number of the preset that their commitments have.
    const TEST_CODE: u8 = 0;
}

impl TestSuite for Preset {
    const TEST: &'static str = SUITE;
    const TEST_SUMS: &'static str = SUMS_SUITE;
}

impl<P> TestShapeOf<P> {
    /// Its sizes, to be compared with those of registered shapes.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

#[expect(private_bounds, reason = "sealed: only this crate knows how suites differ")]
impl<P: TestSuite> TestShapeOf<P> {
    /// A shape of these levels.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] if it breaks a rule: see the fields of [`Level`].
    pub fn new(variables: u8, levels: Vec<Level>) -> Result<Self, Error> {
        let shape = Shape::unregistered(variables, levels)?.over::<P::Challenge>().with_samples(P::SAMPLES);
        Ok(Self { shape, suite: PhantomData })
    }

    /// Commits under it.
    ///
    /// # Errors
    /// [`Error::PolynomialLength`] or [`Error::TooLarge`].
    pub fn commit_on<'a>(
        &self,
        pool: &dyn Pool,
        polynomial: &'a [u32],
    ) -> Result<ProverData<'a, P::Challenge>, Error> {
        let polynomial = gf32s(polynomial).into();
        let names = Names { hashing: P::HASHING, points: P::TEST, sums: P::TEST_SUMS, profile: P::TEST_CODE };
        ProverData::commit(pool, names, self.shape.clone(), polynomial, &|_, _| ())
    }

    /// As [`verify`](Self::verify), of weighted sums: `suite` is `SUMS_SUITE` of this module or any other string. `sample` is
    /// [`ProverData::sample`], which is published with the root in the suite that has samples.
    ///
    /// # Errors
    /// As [`verify_sums`](super::verify_sums).
    pub fn verify_sums(
        &self,
        suite: &str,
        root: &[u8; 32],
        sample: Option<P::Challenge>,
        claims: &[SumClaim<'_, P::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        self.statement(suite, root, sample).verify(&of_one(claims), proof, context).map(|_| ())
    }

    /// As [`verify_sums`](Self::verify_sums), of the next part of a proof that is read.
    ///
    /// # Errors
    /// As [`verify_sums_in`](super::verify_sums_in).
    pub fn verify_sums_in<'a>(
        &self,
        suite: &str,
        mut reader: ProofReader<'a, P::Challenge>,
        root: &[u8; 32],
        sample: Option<P::Challenge>,
        claims: &[SumClaim<'_, P::Challenge>],
        context: &[u8],
    ) -> Result<ProofReader<'a, P::Challenge>, ProofError> {
        self.statement(suite, root, sample).verify_next(&of_one(claims), context, &mut reader)?;
        Ok(reader)
    }

    /// As [`Transcript::bind`], of a commitment under this shape.
    pub fn bind(
        &self,
        transcript: &mut Transcript<P::Challenge>,
        root: &[u8; 32],
        sample: Option<P::Challenge>,
    ) {
        transcript.bind_bytes(&self.commitment(root, sample));
    }

    fn statement<'s>(&self, suite: &'s str, root: &[u8; 32], sample: Option<P::Challenge>) -> Statement<'s> {
        Statement {
            hashing: P::HASHING,
            suite,
            shapes: vec![self.shape.clone()],
            layout: Layout::of(&self.shape),
            commitments: vec![self.commitment(root, sample)],
        }
    }

    /// The number that commitments under test shapes have, the variables, the root, and the sample in the suite that has
    /// samples.
    fn commitment(&self, root: &[u8; 32], sample: Option<P::Challenge>) -> Vec<u8> {
        let sample: Vec<_> = sample.into_iter().collect();
        [&[P::TEST_CODE, self.shape.variables()], &root[..], &le_bytes(&sample)].concat()
    }

    /// As [`verify`](Self::verify), of planes.
    ///
    /// # Errors
    /// As [`verify_planes`](super::verify_planes).
    pub fn verify_planes(
        &self,
        suite: &str,
        root: &[u8; 32],
        claims: &[PlanesClaim<'_, P::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        verify_planes_of_shape(P::HASHING, suite, &self.shape, root, claims, proof, context)
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
        claims: &[EvaluationClaim<'_, P::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        verify_shape(P::HASHING, suite, &self.shape, root, claims, proof, context)
    }
}
