//! Encoding of a matrix, all columns at once.
//!
//! A message is a matrix of 2^d rows and 2^k columns, row after row; the codeword has 2^(d+r) rows of the same length.
//! The transform of 2^(d+r) points whose upper coefficients are zero begins with r layers that only copy, so it is 2^r
//! transforms of 2^d points, on the *cosets* of the message's domain: rows s 2^d … (s+1) 2^d - 1 are coset s.
//!
//! The d layers are done in few *passes* over the memory ([`plan`]). What a pass does to the rows that it has in the
//! cache is the field's own affair ([`Transform`]).

#[cfg(target_arch = "x86_64")]
mod gfni512;
mod large;
#[cfg(target_arch = "x86_64")]
mod matrices;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod nibbles;
mod plan;
#[cfg(target_arch = "x86_64")]
mod planes;
mod portable;
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sixteen;
mod small;
#[cfg(test)]
pub(crate) mod tests;
mod transform;

pub(crate) use transform::{Encoder, Transform};

use alloc::vec;
use phalanx_core::memory::{AlignedBuf, UninitBuf, UninitSlice};
use phalanx_core::threads::{Inline, Pool};
use plan::Task;
use transform::{Layers, Source, each_group};

/// Encodes `message` on the cosets `first_coset …`, as many as `buffer` has place for, and hands every finished block
/// of rows to `finish` while it is in the cache, together with its part of `nodes`: one node for every `rows_per_node`
/// rows. `scales`, if not empty, has a factor for every row of the message.
///
/// # Panics
/// If lengths do not fit: the message has 2^(d+k) elements, the domain these cosets, `nodes` one node for every
/// `rows_per_node` rows, a power of two of at most 2^d.
#[expect(clippy::too_many_arguments, reason = "what comes in, where it goes, and who hears of it")]
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

/// Encodes `message` on one coset as far as is needed for the rows `wanted`, ascending, counted from the coset's first,
/// and those beside them, in blocks of `rows_per_block`. In other places of the answer there may be anything.
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
