//! Verification in lanes: decoding, and [s]B - [k]A, for as many signatures as a backend has lanes.
//!
//! The work is a sequence of [`Stage`]s. Each is written once, generic over [`Kernel`], and compiled by every backend as
//! one function of its own that works on operands in memory: small enough for the compiler to keep in registers what
//! belongs there, large enough that the calls do not count. The sequence itself is ordinary code without vectors.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod base;
mod decode;
mod multiply;
mod one;
#[cfg(test)]
mod tests;

pub(crate) use decode::{Affine, decode_pair, order_2, small_order};
pub(crate) use multiply::{Scratch, double_base_mul};

use super::law::{Addend, Niels};
use crate::fields::p25519::{Element, Lanes};

/// One piece of work, compiled for a backend as a function of its own.
pub(crate) trait Stage<L> {
    /// Does it. `#[inline(always)]` in every implementation.
    fn run(self, lanes: L);
}

/// A backend: its arithmetic, its entry, and how points stand in tables.
pub(crate) trait Kernel: Lanes {
    /// One lane of an [`Addend`], as it stands in a table.
    type Row: Copy;
    /// O.
    const IDENTITY: Self::Row;

    /// Runs `stage`, compiled for this backend, out of line.
    fn enter<S: Stage<Self>>(self, stage: S);

    /// Writes lane `i` of `point` to `rows[i]`.
    fn split(self, point: &Addend<Self::Fe>, rows: &mut [Self::Row]);

    /// The point with `rows[i]` in lane `i`.
    fn join(self, rows: &[&Self::Row]) -> Addend<Self::Fe>;

    /// The point with `rows[i]` in lane `i`.
    fn join_base(self, rows: &[&BaseRow]) -> Niels<Self::Fe>;
}

/// A multiple of B: y + x, y - x and 2dxy, canonical limbs, in two whole cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct BaseRow([u64; 16]);

impl BaseRow {
    pub(crate) fn new(point: &Niels<Element>) -> Self {
        let mut words = [0; 16];
        words[..5].copy_from_slice(&point.y_plus_x.0);
        words[5..10].copy_from_slice(&point.y_minus_x.0);
        words[10..15].copy_from_slice(&point.xy2d.0);
        Self(words)
    }

    /// One of the three.
    #[inline(always)]
    fn element(&self, index: usize) -> Element {
        let w = &self.0[5 * index..5 * index + 5];
        Element([w[0], w[1], w[2], w[3], w[4]])
    }
}
