//! The products of a sum, with their scalars as digits.

use super::digits::{Digits, Recoder, Shape};
use crate::fields::scalar25519::Scalar;
use alloc::vec::Vec;

/// Where O stands among the points of every sum.
pub(super) const IDENTITY: usize = 0;

/// Marks, in the index of a point, that its negative is meant.
pub(super) const NEGATIVE: u32 = 1 << 31;

/// The scalars of a sum as digits.
pub(super) struct Terms {
    pub(super) long_points: Vec<u32>,
    pub(super) long: Vec<Digits>,
    pub(super) short_points: Vec<u32>,
    pub(super) short: Vec<Digits>,
}

impl Terms {
    pub(super) fn new(long: &[(u32, Scalar)], short: &[(u32, u128)], shape: &Shape) -> Self {
        let recoder = Recoder::new(shape);
        let mut terms = Self {
            long_points: Vec::with_capacity(long.len()),
            long: Vec::with_capacity(long.len()),
            short_points: short.iter().map(|(point, _)| *point).collect(),
            short: short.iter().map(|(_, scalar)| recoder.short(*scalar)).collect(),
        };
        for (point, scalar) in long {
            let (digits, negative) = recoder.long(scalar);
            terms.long.push(digits);
            terms.long_points.push(if negative { point | NEGATIVE } else { *point });
        }
        terms
    }

    pub(super) fn len(&self) -> usize {
        self.long.len() + self.short.len()
    }
}
