//! Encoding of a matrix, all columns at once.
//!
//! A message is a matrix of 2^d rows and 2^k columns, row after row; the codeword has 2^(d+r) rows of the same length. The
//! transform of 2^(d+r) points whose upper coefficients are zero begins with r layers that only copy, so it is 2^r
//! transforms of 2^d points, on the *cosets* of the message's domain: rows s 2^d … (s+1) 2^d - 1 are coset s.
//!
//! The d layers are done in few *passes* over the memory ([`plan`]). What a pass does to the rows that it has in the cache
//! is the field's own affair ([`Transform`]).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod large;
#[cfg(target_arch = "x86_64")]
mod matrices;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod nibbles;
mod plan;
mod portable;
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sixteen;
mod small;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm128;

use super::Basis;
use crate::binary::{BinaryField, Gf16};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::{AlignedBuf, Plain, StridedRuns, UninitBuf, UninitSlice};
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Pool};

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
    /// How many elements further the rows lie that the same thread is likely to want after these, and that are not in its
    /// cache yet; 0 if that is not known.
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
    /// What the kernels prepare once for an encoding: twiddles in the form that they need, and the choice of the kernel.
    type Prepared: Send + Sync;

    /// Prepares an encoding.
    fn prepare(encoder: &Encoder<'_, Self>) -> Self::Prepared;

    /// Does layers on rows that lie 2^`low` apart: `rows` has 2^(`high` - `low`) *runs*, and run p holds as many
    /// consecutive rows as every other, from the first row + p 2^`low` on. A run has a whole number of rows and of 64 bytes.
    fn group(
        encoder: &Encoder<'_, Self>,
        prepared: &Self::Prepared,
        layers: &Layers<'_, Self>,
        rows: &mut [&mut [Self]],
    );

    /// Does the first work on the same rows of several cosets, as [`group`](Self::group) does it for one: all come from the same
    /// rows of the message, which can be brought into the cache once. With the rows comes the domain point of the first, for
    /// which that in `layers` stands otherwise.
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

/// [`Transform::first_groups`], one coset after the other, for kernels that want their rows to be elements before they write
/// them.
fn each_group<F: Transform>(
    encoder: &Encoder<'_, F>,
    prepared: &F::Prepared,
    layers: &Layers<'_, F>,
    cosets: Vec<(usize, StridedRuns<'_, F>)>,
) {
    for (start, rows) in cosets {
        F::group(encoder, prepared, &Layers { start, ..*layers }, &mut rows.elements());
    }
}

/// A field that has only the portable kernels.
macro_rules! portable {
    ($field:ty) => {
        impl Transform for $field {
            type Prepared = ();

            fn prepare(_: &Encoder<'_, Self>) -> Self::Prepared {}

            fn group(
                encoder: &Encoder<'_, Self>,
                (): &(),
                layers: &Layers<'_, Self>,
                rows: &mut [&mut [Self]],
            ) {
                portable::group(encoder, layers, rows);
            }

            fn block(encoder: &Encoder<'_, Self>, (): &(), layers: &Layers<'_, Self>, rows: &mut [Self]) {
                portable::block(encoder, layers, rows);
            }
        }
    };
}

portable!(Gf16);

/// Encodes `message` on the cosets `first_coset …`, as many as `buffer` has place for, and hands every finished block of rows to
/// `finish` while it is in the cache, together with its part of `nodes`: one node for every `rows_per_node` rows. `scales`,
/// if not empty, has a factor for every row of the message.
///
/// # Panics
/// If lengths do not fit: the message has 2^(d+k) elements, the domain these cosets, `nodes` one node for every
/// `rows_per_node` rows, a power of two of at most 2^d.
#[allow(clippy::too_many_arguments, reason = "what comes in, where it goes, and who hears of it")]
pub(crate) fn encode<F: Transform, N: Send>(
    pool: &dyn Pool,
    encoder: Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    first_coset: usize,
    buffer: UninitBuf<F>,
    nodes: &mut [N],
    rows_per_node: usize,
    finish: &(dyn Fn(&[F], &mut [N]) + Sync),
) -> AlignedBuf<F> {
    let task = Task { pool, encoder, message, scales, first_coset, wanted: None };
    buffer.written(|out| task.encode_within(plan::Limits::CACHES, out, nodes, rows_per_node, finish))
}

/// Encodes `message` on one coset as far as is needed for the rows `wanted`, ascending, counted from the coset's first, and
/// those beside them, in blocks of `rows_per_block`. In other places of the answer there may be anything.
///
/// # Panics
/// As [`encode`].
pub(crate) fn encode_some<F: Transform>(
    encoder: Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    coset: usize,
    wanted: &[usize],
    rows_per_block: usize,
    buffer: UninitBuf<F>,
) -> AlignedBuf<F> {
    let task = Task { pool: &Inline, encoder, message, scales, first_coset: coset, wanted: Some(wanted) };
    let mut nodes = vec![(); (1 << encoder.log2_message) / rows_per_block];
    buffer
        .written(|out| task.encode_within(plan::Limits::CACHES, out, &mut nodes, rows_per_block, &|_, _| ()))
}

/// What is to be encoded, on which cosets, and by whom.
struct Task<'a, F> {
    pool: &'a dyn Pool,
    encoder: Encoder<'a, F>,
    message: &'a [F],
    scales: &'a [F],
    first_coset: usize,
    /// The rows that somebody wants, ascending, or all.
    wanted: Option<&'a [usize]>,
}

impl<F: Transform> Task<'_, F> {
    /// Encodes, planned for such caches.
    fn encode_within<'o, N: Send>(
        &self,
        limits: plan::Limits,
        out: UninitSlice<'o, F>,
        nodes: &mut [N],
        rows_per_node: usize,
        finish: &(dyn Fn(&[F], &mut [N]) + Sync),
    ) -> &'o mut [F] {
        let Self { encoder, message, scales, first_coset, .. } = *self;
        let d = encoder.log2_message;
        assert_eq!(message.len(), 1 << (d + encoder.log2_columns), "a message of 2^d rows");
        assert!(scales.is_empty() || scales.len() == 1 << d, "a factor for every row");
        assert!(out.len().is_multiple_of(message.len()), "whole cosets");
        let cosets = out.len() / message.len();
        assert!((first_coset + cosets) << d <= 1 << encoder.basis.log2_points(), "in the domain");
        assert!(rows_per_node.is_power_of_two() && rows_per_node <= 1 << d, "whole nodes in a coset");
        assert_eq!(cosets << d, nodes.len() * rows_per_node, "a node for every so many rows");

        let row_bytes = F::LEN_BYTES << encoder.log2_columns;
        let node = rows_per_node.ilog2() as usize;
        let plan = plan::Plan::new(limits, d, row_bytes.next_power_of_two().ilog2() as usize, node);
        let work = plan::Work { task: self, prepared: &F::prepare(&encoder), plan };
        let out = work.strided_passes(out);
        work.last_pass(out, nodes, rows_per_node, finish);
        out
    }
}
