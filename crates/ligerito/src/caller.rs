//! Openings inside of larger protocols: on the caller's transcript, or bridged to one of another hash.
#![forbid(unsafe_code)]

use crate::binary::ChallengeField;
use crate::error::Error;
use crate::prove::{Opening, ProverData};
use crate::terms::Weight;
use crate::transcript::ProofWriter;
use alloc::vec::Vec;
use phalanx_core::threads::{Inline, Pool};

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<E: ChallengeField> ProverData<'_, E> {
    /// [`open_sums`](Self::open_sums) as a step of a larger protocol: on the transcript of `writer`, which goes on behind it,
    /// and with the proof written there. The commitment must have been bound before
    /// ([`Transcript::bind`](crate::Transcript::bind)), and the values have been sent if anything was drawn since they were
    /// known. Gives the values.
    ///
    /// # Errors
    /// As [`open_sums`](Self::open_sums), and [`Error::LateCommitment`]. Then nothing has been absorbed or written.
    pub fn open_sums_in(
        &self,
        writer: &mut ProofWriter<E>,
        weights: &[Weight<'_, E>],
        context: &[u8],
    ) -> Result<Vec<E>, Error> {
        self.open_sums_in_on(&Inline, writer, weights, context)
    }

    /// [`open_sums_in`](Self::open_sums_in) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open_sums_in`](Self::open_sums_in).
    pub fn open_sums_in_on(
        &self,
        pool: &dyn Pool,
        writer: &mut ProofWriter<E>,
        weights: &[Weight<'_, E>],
        context: &[u8],
    ) -> Result<Vec<E>, Error> {
        let (transcript, proof) = writer.parts();
        let opening = self.open_sums_after(pool, transcript, weights, context)?;
        proof.extend(opening.proof);
        Ok(opening.values)
    }

    /// [`open_sums`](Self::open_sums) for a protocol whose transcript has another hash: `context` are 32 bytes squeezed from
    /// it, and it absorbs the 32 bytes that are given beside the opening. Of the seven rules (docs/ligerito.md, section 15) it
    /// has to see to itself.
    ///
    /// # Errors
    /// As [`open_sums`](Self::open_sums).
    pub fn open_sums_bridged(
        &self,
        weights: &[Weight<'_, E>],
        context: &[u8; 32],
    ) -> Result<(Opening<E>, [u8; 32]), Error> {
        self.open_sums_bridged_on(&Inline, weights, context)
    }

    /// [`open_sums_bridged`](Self::open_sums_bridged) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open_sums`](Self::open_sums).
    pub fn open_sums_bridged_on(
        &self,
        pool: &dyn Pool,
        weights: &[Weight<'_, E>],
        context: &[u8; 32],
    ) -> Result<(Opening<E>, [u8; 32]), Error> {
        let mut transcript = self.transcript();
        let opening = self.open_sums_after(pool, &mut transcript, weights, context)?;
        Ok((opening, transcript.bridge()))
    }

    /// The weighted sums of several commitments of one preset in one proof, which is shorter than a proof for each: a weight and
    /// the number, in `data`, of the polynomial that it weighs. A commitment that no weight is about is opened all the same.
    ///
    /// What is known at one time is shorter still as one commitment, with the number of the polynomial as further variables.
    ///
    /// # Errors
    /// As [`open_sums`](Self::open_sums), [`Error::CommitmentIndex`], and [`Error::Together`]: there are at most
    /// [`MAX_COMMITMENTS`](crate::MAX_COMMITMENTS), of presets without proof of work, in suites without samples.
    pub fn open_together(
        data: &[&Self],
        weights: &[(usize, Weight<'_, E>)],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        Self::open_together_on(&Inline, data, weights, context)
    }

    /// [`open_together`](Self::open_together) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open_together`](Self::open_together).
    pub fn open_together_on(
        pool: &dyn Pool,
        data: &[&Self],
        weights: &[(usize, Weight<'_, E>)],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        let layout = Self::layout(data)?;
        Self::open_under(data, &layout, pool, &mut data[0].transcript(), weights, context)
    }

    /// [`open_together`](Self::open_together) as a step of a larger protocol, as [`open_sums_in`](Self::open_sums_in) is.
    ///
    /// # Errors
    /// As [`open_together`](Self::open_together), and [`Error::LateCommitment`]. Then nothing has been absorbed or written.
    pub fn open_together_in(
        data: &[&Self],
        writer: &mut ProofWriter<E>,
        weights: &[(usize, Weight<'_, E>)],
        context: &[u8],
    ) -> Result<Vec<E>, Error> {
        Self::open_together_in_on(&Inline, data, writer, weights, context)
    }

    /// [`open_together_in`](Self::open_together_in) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open_together_in`](Self::open_together_in).
    pub fn open_together_in_on(
        pool: &dyn Pool,
        data: &[&Self],
        writer: &mut ProofWriter<E>,
        weights: &[(usize, Weight<'_, E>)],
        context: &[u8],
    ) -> Result<Vec<E>, Error> {
        let layout = Self::layout(data)?;
        let (transcript, proof) = writer.parts();
        let opening = Self::open_under(data, &layout, pool, transcript, weights, context)?;
        proof.extend(opening.proof);
        Ok(opening.values)
    }
}
