//! What a claim says: the sum of f(x) W(x) over all x is a value, for a weight function W.
//!
//! A point z is the weight eq(z, x). The protocol never asks for more than this trait has, so a later prover can open
//! other weighted sums; the public interface opens points only.
#![forbid(unsafe_code)]

use crate::binary::ChallengeField;
use crate::binary::vectors::{self, Factor};
use crate::transcripts::Transcript;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// A weight function on {0,1}^mu: a sum of tensors, each of which has mu factors, lowest coordinate first.
pub(super) trait Weight<E: ChallengeField> {
    /// Appends to the transcript what tells this weight from every other.
    fn absorb(&self, transcript: &mut Transcript);

    /// The tensors.
    fn tensors(&self) -> Vec<Vec<Factor<E>>>;

    /// The verifier's side: with the first coordinates bound to `bound`, the inner product of what is left of the
    /// weight with `rest`.
    fn evaluate(&self, isa: Isa, bound: &[E], rest: &[E]) -> E {
        let mut sum = E::ZERO;
        for tensor in self.tensors() {
            sum += evaluate_tensor(isa, &tensor, bound, rest);
        }
        sum
    }
}

/// One tensor with its first coordinates bound to `bound`, against `rest`.
pub(super) fn evaluate_tensor<E: ChallengeField>(
    isa: Isa,
    tensor: &[Factor<E>],
    bound: &[E],
    rest: &[E],
) -> E {
    let (first, left) = tensor.split_at(bound.len());
    vectors::extension(isa, first, bound) * vectors::evaluate(isa, rest, left)
}

/// The weight that evaluates the multilinear extension at a point.
pub(super) struct Point<'a, E>(pub(super) &'a [E]);

impl<E: ChallengeField> Weight<E> for Point<'_, E> {
    fn absorb(&self, transcript: &mut Transcript) {
        transcript.absorb_elements("point", self.0);
    }

    fn tensors(&self) -> Vec<Vec<Factor<E>>> {
        alloc::vec![self.0.iter().copied().map(Factor::Equal).collect()]
    }
}

#[cfg(test)]
mod tests;
