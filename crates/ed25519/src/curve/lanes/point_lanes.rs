//! What a backend offers: arithmetic, an entry into code that is compiled for it, and points in tables.

use crate::curve::point::{Addend, Niels, NielsRow};
use crate::fields::p25519::FieldLanes;

/// (x, y), a point in each lane.
#[cfg(any(test, target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) struct Affine<F> {
    pub(crate) x: F,
    pub(crate) y: F,
}

/// One piece of work, compiled for a backend as a function of its own.
pub(crate) trait Stage<L> {
    /// Does it. `#[inline(always)]` in every implementation.
    fn run(self, lanes: L);
}

/// A backend: its arithmetic, its entry, and how points stand in tables.
pub(crate) trait PointLanes: FieldLanes {
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
    fn join_base(self, rows: &[&NielsRow]) -> Niels<Self::Fe>;
}
