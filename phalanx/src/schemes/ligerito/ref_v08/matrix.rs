//! One level's commitment on the prover's side: the encoded matrix and the tree over its rows.

use super::hash;
use crate::codes::{self, Basis, Encoder};
use crate::fields::binary::zeros;
use crate::hashes::blake3::Digest;
use crate::simd::Level;
use crate::threads::Pool;
use crate::trees;
use alloc::vec;
use alloc::vec::Vec;

/// An encoded matrix and its tree.
pub(super) struct Matrix<F> {
    rows: Vec<F>,
    log2_columns: usize,
    /// Layers of nodes from the leaves to the root.
    layers: Vec<Vec<Digest>>,
}

impl<F: codes::Transform> Matrix<F> {
    /// Encodes `message`, 2^d rows of 2^k elements, times `scales`, and hashes the rows.
    pub(super) fn commit(
        pool: &dyn Pool,
        level: Level,
        basis: &Basis<F>,
        scales: &[F],
        log2_columns: usize,
        message: &[F],
    ) -> Self {
        let log2_rows = basis.log2_points();
        let mut rows = zeros::<F>(1 << (log2_rows + log2_columns));
        let mut leaves = vec![[0; 32]; 1 << log2_rows];
        let log2_message = scales.len().ilog2() as usize;
        let encoder = Encoder { level, basis, log2_message, log2_columns };
        codes::encode(pool, encoder, message, scales, 0, &mut rows, &mut leaves, 1, &|rows, leaves| {
            for (row, leaf) in rows.chunks_exact(1 << log2_columns).zip(leaves) {
                *leaf = hash::leaf(row);
            }
        });
        let mut layers = vec![leaves];
        for _ in 0..log2_rows {
            let below = layers.last().expect("at least the leaves");
            layers.push(
                below.as_chunks::<2>().0.iter().map(|[left, right]| hash::parent(left, right)).collect(),
            );
        }
        Self { rows, log2_columns, layers }
    }

    /// The root of the tree.
    pub(super) fn root(&self) -> Digest {
        self.layers.last().expect("at least the leaves")[0]
    }

    /// The row at `position`.
    pub(super) fn row(&self, position: usize) -> &[F] {
        &self.rows[position << self.log2_columns..][..1 << self.log2_columns]
    }

    /// The siblings that lead from the rows at `positions`, ascending and distinct, to the root.
    pub(super) fn siblings(&self, _level: Level, positions: &[usize]) -> Vec<Digest> {
        let depth = u32::try_from(self.layers.len() - 1).expect("at most 32");
        let mut siblings = Vec::new();
        trees::siblings(depth, positions, |height, position| {
            siblings.push(self.layers[height as usize][position]);
        });
        siblings
    }
}
