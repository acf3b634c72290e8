//! What is encoded, and what a field's kernels do of it.

use crate::binary::BinaryField;
use crate::codes::Basis;
use alloc::vec::Vec;
use phalanx_core::memory::{Plain, StridedRuns};
use phalanx_core::simd::Isa;

/// What is to be encoded with: the code, the shape of the matrix, and the backend.
#[derive(Clone, Copy)]
pub(crate) struct Encoder<'a, F> {
    /// Which kernels run.
    pub(crate) isa: Isa,
    /// The code's domain.
    pub(crate) basis: &'a Basis<F>,
    /// d.
    pub(crate) log2_message: usize,
    /// k.
    pub(crate) log2_columns: usize,
}

/// Some layers of the transform, on some rows: layer j adds h_j (first point of the block of 2^(j+1) rows) times row
/// q + 2^j to row q, and then row q to row q + 2^j.
#[derive(Clone, Copy)]
pub(crate) struct Layers<'a, F> {
    /// One above the first layer that is done: layers `high` - 1 down to `low`.
    pub(crate) high: usize,
    /// The last layer that is done.
    pub(crate) low: usize,
    /// The domain point of the first row.
    pub(crate) start: usize,
    /// Where the rows come from; `None` if they lie where they go, having been through the layers above.
    pub(crate) source: Option<Source<'a, F>>,
    /// How many elements further the rows lie that the same thread is likely to want after these, and that are not in
    /// its cache yet; 0 if that is not known.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other kernels do not ask"))]
    pub(crate) ahead: usize,
}

/// Rows of the message.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, F> {
    /// The whole message.
    pub(crate) message: &'a [F],
    /// A factor for every row of the message, or nothing.
    pub(crate) scales: &'a [F],
    /// The row of the message that belongs to the first row of the work.
    pub(crate) first: usize,
}

/// A field's kernels of the transform.
///
/// The first call on a row has a [`Source`] and writes the row, later ones change it in place, and the last is to
/// [`block`](Self::block), which leaves the row as elements in their order; in between, an implementation may keep
/// elements in any order and form that fits where they lie. Calls come from several threads, each with rows of its own.
pub(crate) trait Transform: BinaryField + Plain {
    /// What the kernels prepare once for an encoding: twiddles in the form that they need, and the choice of the
    /// kernel.
    type Prepared: Send + Sync;

    /// Prepares an encoding.
    fn prepare(encoder: &Encoder<'_, Self>) -> Self::Prepared;

    /// Does layers on rows that lie 2^`low` apart: `rows` has 2^(`high` - `low`) *runs*, and run p holds as many
    /// consecutive rows as every other, from the first row + p 2^`low` on. A run has a whole number of rows and of 64
    /// bytes.
    fn group(
        encoder: &Encoder<'_, Self>,
        prepared: &Self::Prepared,
        layers: &Layers<'_, Self>,
        rows: &mut [&mut [Self]],
    );

    /// Does the first work on the same rows of several cosets, as [`group`](Self::group) does it for one: all come from
    /// the same rows of the message, which can be brought into the cache once. With the rows comes the domain point of
    /// the first, for which that in `layers` stands otherwise.
    fn first_groups(
        encoder: &Encoder<'_, Self>,
        prepared: &Self::Prepared,
        layers: &Layers<'_, Self>,
        cosets: Vec<(usize, StridedRuns<'_, Self>)>,
    ) {
        each_group(encoder, prepared, layers, cosets);
    }

    /// Does all layers left on 2^`high` consecutive rows; `low` is 0.
    fn block(
        encoder: &Encoder<'_, Self>,
        prepared: &Self::Prepared,
        layers: &Layers<'_, Self>,
        rows: &mut [Self],
    );
}

/// [`Transform::first_groups`], one coset after the other, for kernels that want their rows to be elements before they
/// write them.
pub(super) fn each_group<F: Transform>(
    encoder: &Encoder<'_, F>,
    prepared: &F::Prepared,
    layers: &Layers<'_, F>,
    cosets: Vec<(usize, StridedRuns<'_, F>)>,
) {
    for (start, rows) in cosets {
        F::group(encoder, prepared, &Layers { start, ..*layers }, &mut rows.elements());
    }
}
