//! Generator matrices as the verifier meets them: their rows are weights of the vector that it has in the end.
#![forbid(unsafe_code)]

use super::layout::{Group, Layout};
use super::shape::Level;
use crate::binary::vectors::{self, Factor};
use crate::binary::{ChallengeField, Gf32};
use crate::codes::{self, Basis};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// The bases of the codes of all levels, over the large field.
pub(super) struct Generators<E> {
    /// Of the commitments, embedded: one for each code.
    first: Vec<Basis<E>>,
    /// Of all later levels.
    later: Basis<E>,
}

impl<E: ChallengeField> Generators<E> {
    pub(super) fn new(layout: &Layout) -> Self {
        let first = layout.groups.iter().map(|group| Basis::<Gf32>::new(group.level.log2_rows()).embedded());
        let largest = layout.later.iter().map(|level| level.log2_rows()).max().unwrap_or(0);
        Self { first: first.collect(), later: Basis::new(largest) }
    }

    /// Those of the commitments, or of a later level.
    pub(super) fn matrices(&self, layout: &Layout, level: Option<Level>) -> Vec<Matrix<'_, E>> {
        if let Some(level) = level {
            let log2_message = usize::from(level.log2_message);
            return vec![Matrix { basis: &self.later, log2_message, first_row: 0 }];
        }
        let groups = layout.groups.iter().zip(&self.first);
        let of_group = |(group, basis): (&Group, _)| Matrix {
            basis,
            log2_message: usize::from(group.level.log2_message),
            first_row: group.first_row,
        };
        groups.map(of_group).collect()
    }
}

/// A generator matrix whose messages are a part of the vector.
pub(super) struct Matrix<'g, E> {
    pub(super) basis: &'g Basis<E>,
    pub(super) log2_message: usize,
    /// Where the part begins.
    pub(super) first_row: usize,
}

impl<E: ChallengeField> Matrix<'_, E> {
    /// Rows as weights, with their scales: the first variables bound to `bound`, the inner product of what is left with `rest`.
    pub(super) fn rows_at(&self, isa: Isa, positions: &[usize], scales: &[E], bound: &[E], rest: &[E]) -> E {
        let (inside, above) = bound.split_at(bound.len().min(self.log2_message));
        let rest = &rest[self.first_row >> bound.len()..][..1 << (self.log2_message - inside.len())];
        let values = codes::values_at(isa, self.basis, inside.len(), rest, positions);
        let mut sum = E::ZERO;
        for ((position, scale), value) in positions.iter().zip(scales).zip(values) {
            let factors = self.basis.generator_factors(*position, inside.len()).map(Factor::Generator);
            sum += *scale * vectors::extension(isa, &factors.collect::<Vec<_>>(), inside) * value;
        }
        // The variables above say which part it is.
        for (bit, r) in above.iter().enumerate() {
            sum *= if self.first_row >> (self.log2_message + bit) & 1 == 1 { *r } else { E::ONE + *r };
        }
        sum
    }
}
