//! Several commitments in one proof, under shapes that are registered nowhere.

use super::{TestShapeOf, TestSuite};
use crate::batches;
use crate::layout::Layout;
use crate::preset::{PresetOf, level};
use crate::prove::{Opening, ProverData};
use crate::shape::{Level, Shape};
use crate::verify::Statement;
use crate::{Error, Inline, ProofError, SumClaim, Weight};
use alloc::vec::Vec;

/// Test shapes of several commitments, of which only the first levels count, and the levels that follow.
#[derive(Clone, Debug)]
pub struct TestLayoutOf<P> {
    shapes: Vec<TestShapeOf<P>>,
    later: Vec<Level>,
}

#[expect(private_bounds, reason = "sealed: only this crate knows how suites differ")]
impl<P: TestSuite> TestLayoutOf<P> {
    /// Commitments under these shapes, in this order.
    ///
    /// # Errors
    /// [`Error::Together`] if there is none or too many, or the later levels do not follow.
    pub fn new(shapes: &[TestShapeOf<P>], later: &[Level]) -> Result<Self, Error> {
        let layout = Self { shapes: shapes.to_vec(), later: later.to_vec() };
        layout.layout().map(|_| layout)
    }

    fn layout(&self) -> Result<Layout, Error> {
        let shapes: Vec<&Shape> = self.shapes.iter().map(|shape| &shape.shape).collect();
        let chained = |log2_rows| {
            let mut left = log2_rows;
            let follows = |level: &Level| {
                let whole = level.log2_message + level.log2_columns == left;
                left = level.log2_message;
                whole
            };
            self.later.iter().all(follows).then(|| self.later.clone().into())
        };
        Layout::new(&shapes, |level| Some(level.queries), chained).ok_or(Error::Together)
    }

    /// What the transcript absorbs of it.
    ///
    /// # Panics
    /// Never: a layout has been looked at.
    #[must_use]
    pub fn params(&self) -> Vec<u8> {
        self.layout().expect("looked at when it was made").params()
    }

    /// As [`ProverData::open_together`].
    ///
    /// # Errors
    /// The same.
    pub fn open(
        &self,
        data: &[&ProverData<'_, P::Challenge>],
        weights: &[(usize, Weight<'_, P::Challenge>)],
        context: &[u8],
    ) -> Result<Opening<P::Challenge>, Error> {
        let mut transcript = data.first().ok_or(Error::Together)?.transcript();
        ProverData::open_under(data, &self.layout()?, &Inline, &mut transcript, weights, context)
    }

    /// As [`verify_together`](crate::verify_together): of commitments that have these roots.
    ///
    /// # Errors
    /// The same.
    pub fn verify(
        &self,
        suite: &str,
        roots: &[[u8; 32]],
        claims: &[(usize, SumClaim<'_, P::Challenge>)],
        proof: &[u8],
        context: &[u8],
    ) -> Result<(), ProofError> {
        let layout = self.layout().map_err(|_| ProofError::UnacceptedParams)?;
        if roots.len() != self.shapes.len() {
            return Err(ProofError::UnacceptedParams);
        }
        let shapes = self.shapes.iter().map(|shape| shape.shape.clone()).collect();
        let commitments =
            self.shapes.iter().zip(roots).map(|(shape, root)| shape.commitment(root, None)).collect();
        let statement = Statement { hashing: P::HASHING, suite, shapes, layout, commitments };
        statement.verify(claims, proof, context).map(|_| ())
    }
}

/// Q of a code in statements about several commitments, given d and r; `None` if the suite's table has none.
#[must_use]
pub fn queries_together<P: PresetOf>(preset: P, log2_message: u8, log2_inverse_rate: u8) -> Option<u16> {
    batches::table(preset.code())?.queries(&level(log2_message, 1, log2_inverse_rate, 0, 0))
}

/// The levels after 2^`log2_rows` folded rows of several commitments; `None` if the suite's table has none.
#[must_use]
pub fn levels_together<P: PresetOf>(preset: P, log2_rows: u8) -> Option<Vec<Level>> {
    batches::table(preset.code())?.later(log2_rows).map(|levels| levels.to_vec())
}
