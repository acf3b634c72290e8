//! One level's commitment on the prover's side: the encoded matrix and the tree over its rows.

use super::row_hash::RowHash;
use crate::codes::{self, Basis, Encoder, Transform};
use crate::fields::binary::zeros;
use crate::hashes::blake3::Digest;
use crate::simd::Level;
use crate::threads::Pool;
use crate::trees;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Levels of the tree that are not kept: below them, 2^4 rows hang, and their nodes are computed again where one is opened.
const LEVELS_LEFT_OUT: usize = 4;

/// An encoded matrix and its tree.
pub(super) struct Matrix<F> {
    hash: RowHash,
    rows: Vec<F>,
    log2_columns: usize,
    log2_rows: usize,
    /// Level of the lowest layer kept.
    lowest: usize,
    /// Layers of nodes from level `lowest` to the root.
    layers: Vec<Vec<Digest>>,
}

impl<F: Transform> Matrix<F> {
    /// Encodes `message`, a matrix of 2^d rows of 2^k elements, to 2^r times as many rows, and hashes them. `scales`, if not
    /// empty, has a factor for every row of the message.
    /// `progress` hears of rows done and rows in all.
    pub(super) fn commit(
        pool: &dyn Pool,
        level: Level,
        hash: RowHash,
        basis: &Basis<F>,
        log2_message: usize,
        log2_columns: usize,
        message: &[F],
        scales: &[F],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Self {
        let log2_rows = basis.log2_points();
        let lowest = LEVELS_LEFT_OUT.min(log2_message);
        let mut rows = zeros::<F>(1 << (log2_rows + log2_columns));
        let mut nodes = vec![[0; 32]; 1 << (log2_rows - lowest)];
        let encoder = Encoder { level, basis, log2_message, log2_columns };
        let done = AtomicUsize::new(0);
        codes::encode(
            pool,
            encoder,
            message,
            scales,
            0,
            &mut rows,
            &mut nodes,
            1 << lowest,
            &|rows, nodes| {
                hash.rows(level, rows, 1 << log2_columns, lowest, nodes);
                let finished = rows.len() >> log2_columns;
                let before = done.fetch_add(finished, Ordering::Relaxed);
                progress((before + finished) as u64, 1 << log2_rows);
            },
        );
        let mut layers = vec![nodes];
        for _ in lowest..log2_rows {
            let below = layers.last().expect("at least the lowest layer");
            let mut above = vec![[0; 32]; below.len() / 2];
            hash.parents(level, below, &mut above);
            layers.push(above);
        }
        Self { hash, rows, log2_columns, log2_rows, lowest, layers }
    }

    /// The root of the tree.
    pub(super) fn root(&self) -> Digest {
        self.layers.last().expect("at least the lowest layer")[0]
    }

    /// The row at `position`.
    pub(super) fn row(&self, position: usize) -> &[F] {
        &self.rows[position << self.log2_columns..][..1 << self.log2_columns]
    }

    /// Appends the rows at `positions`, ascending and distinct, and the siblings that lead from them to the root.
    pub(super) fn open(&self, level: Level, positions: &[usize], out: &mut Vec<u8>) {
        for position in positions {
            self.row(*position).iter().for_each(|x| x.put(out));
        }
        self.siblings(level, positions, |sibling| out.extend(sibling));
    }

    /// Calls `sibling` for every node that leads from the rows at `positions`, ascending and distinct, to the root.
    pub(super) fn siblings(&self, level: Level, positions: &[usize], mut sibling: impl FnMut(Digest)) {
        let depth = u32::try_from(self.log2_rows).expect("at most 32");
        trees::siblings(depth, positions, |height, position| {
            sibling(self.node(level, height as usize, position));
        });
    }

    /// A node of the tree, from the layers or, below them, from the rows.
    fn node(&self, level: Level, height: usize, position: usize) -> Digest {
        if height >= self.lowest {
            return self.layers[height - self.lowest][position];
        }
        let first = position << (height + self.log2_columns);
        let rows = &self.rows[first..first + (1 << (height + self.log2_columns))];
        let mut node = [[0; 32]];
        self.hash.rows(level, rows, 1 << self.log2_columns, height, &mut node);
        node[0]
    }
}
