//! Encoding of a matrix, all columns at once.
//!
//! A message is a matrix of 2^d rows and 2^k columns, row after row; the codeword has 2^(d+r) rows of the same length. The
//! transform of 2^(d+r) points whose upper coefficients are zero begins with r layers that only copy, so it is 2^r
//! transforms of 2^d points, on the *cosets* of the message's domain: rows s 2^d … (s+1) 2^d - 1 are coset s.

use super::Basis;
use crate::fields::binary::BinaryField;
use crate::simd::Level;
use crate::threads::{Job, Pool};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What is to be encoded with: the code, the shape of the matrix, and the backend.
#[derive(Clone, Copy)]
pub(crate) struct Encoder<'a, F> {
    /// Which kernels run.
    pub(crate) level: Level,
    /// The code's domain.
    pub(crate) basis: &'a Basis<F>,
    /// d.
    pub(crate) log2_message: usize,
    /// k.
    pub(crate) log2_columns: usize,
}

/// Encodes `message` on the cosets `first_coset …`, as many as `out` has room for, and hands every finished block of rows
/// to `finish` while it is in the cache, together with its part of `nodes`: one node for every `rows_per_node` rows of
/// `out`. `scales`, if not empty, has a factor for every row of the message.
///
/// # Panics
/// If lengths do not fit: the message has 2^(d+k) elements, `out` whole cosets that the domain has, `nodes` one node for
/// every `rows_per_node` rows, a power of two of at most 2^d.
#[allow(clippy::too_many_arguments, reason = "two slices in, two out, and where they lie")]
pub(crate) fn encode<F: BinaryField, N: Send>(
    pool: &dyn Pool,
    encoder: Encoder<'_, F>,
    message: &[F],
    scales: &[F],
    first_coset: usize,
    out: &mut [F],
    nodes: &mut [N],
    rows_per_node: usize,
    finish: &(dyn Fn(&[F], &mut [N]) + Sync),
) {
    let coset_len = message.len();
    assert_eq!(coset_len, 1 << (encoder.log2_message + encoder.log2_columns), "a message of 2^d rows");
    assert!(out.len().is_multiple_of(coset_len), "whole cosets");
    let nodes_per_coset = (1 << encoder.log2_message) / rows_per_node;
    assert_eq!(out.len() / coset_len * nodes_per_coset, nodes.len(), "a node for every so many rows");
    let cosets = out.chunks_exact_mut(coset_len).zip(nodes.chunks_exact_mut(nodes_per_coset));
    let jobs = cosets.enumerate().map(|(i, (out, nodes))| {
        Box::new(move || {
            let columns = 1 << encoder.log2_columns;
            if scales.is_empty() {
                out.copy_from_slice(message);
            } else {
                let rows = out.chunks_exact_mut(columns).zip(message.chunks_exact(columns));
                for ((to, from), scale) in rows.zip(scales) {
                    for (to, from) in to.iter_mut().zip(from) {
                        *to = *from * *scale;
                    }
                }
            }
            let start = (first_coset + i) << encoder.log2_message;
            transform(encoder.basis, encoder.log2_message, columns, start, out);
            finish(out, nodes);
        }) as Job<'_>
    });
    pool.run(jobs.collect::<Vec<_>>());
}

/// The transform of 2^d points from `start` on, of `columns` columns, in place: for every layer j from d - 1 down and every
/// pair (u, w) of rows at distance 2^j, u += l w and then w += u, where l = h_j at the first point of the pair's block.
pub(super) fn transform<F: BinaryField>(
    basis: &Basis<F>,
    log2_message: usize,
    columns: usize,
    start: usize,
    rows: &mut [F],
) {
    for j in (0..log2_message).rev() {
        for (block, rows) in rows.chunks_exact_mut(columns << (j + 1)).enumerate() {
            let twiddle = basis.at(j, start + (block << (j + 1)));
            let (upper, lower) = rows.split_at_mut(columns << j);
            for (u, w) in upper.iter_mut().zip(lower) {
                *u += twiddle * *w;
                *w += *u;
            }
        }
    }
}
