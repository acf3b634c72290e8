//! Which layers are done together.
//!
//! Memory is read and written once per pass. A *strided* pass takes groups of rows at a distance, as runs of several
//! consecutive rows each, and does several layers on a group. The *last* pass takes chunks of consecutive
//! rows that fit in the second-level cache; in a chunk, strided work comes first if the chunk is larger than a tile, and
//! then the tiles, which fit in the first-level cache, are done to the end and handed to the caller.

use super::{Encoder, Layers, Source, Transform};
use crate::threads::{Job, Pool};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// How much goes together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Layers that a group goes through at most.
    pub(super) group_layers: usize,
    /// The logarithm of the bytes of a tile.
    pub(super) tile: usize,
    /// Of a chunk, at most.
    pub(super) chunk: usize,
    /// Of a run of a group.
    pub(super) run: usize,
    /// Of a job of the last pass, if there is so much.
    pub(super) job: usize,
}

impl Limits {
    /// Tiles of 32 KiB, in first-level caches of 32 or 48; chunks of 512 KiB, in second-level caches of 1 or 2 MiB; runs
    /// of 2 KiB, so that the 16 bytes of bookkeeping for each are little beside it; and jobs of 256 KiB.
    pub(super) const CACHES: Self = Self { group_layers: 7, tile: 15, chunk: 19, run: 11, job: 18 };
}

/// The passes over one coset, as logarithms of numbers of rows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Layers that a group goes through at most.
    group_layers: usize,
    /// Where the strided passes end: pass i does the layers from `ends[i - 1]` (d at first) down to `ends[i]`.
    ends: Vec<usize>,
    /// Consecutive rows in a run.
    run: usize,
    /// Rows of a chunk: where the strided passes end.
    chunk: usize,
    /// Rows of a tile.
    tile: usize,
    /// Rows that are handed over together: a tile or a node, whichever is larger.
    piece: usize,
    /// Rows of a job of the last pass.
    job: usize,
}

impl Plan {
    /// The plan for messages of 2^`rows` rows of 2^`row_bytes` bytes, and nodes of 2^`node` rows.
    pub(super) fn new(limits: Limits, rows: usize, row_bytes: usize, node: usize) -> Self {
        let fit = |log2_bytes: usize| log2_bytes.saturating_sub(row_bytes).max(node).min(rows);
        let tile = limits.tile.saturating_sub(row_bytes).min(rows);
        let largest = fit(limits.chunk).max(tile);
        let passes = (rows - largest).div_ceil(limits.group_layers);
        // If the passes can do all layers above the tiles, nothing is left to the chunks; otherwise as much as fits, since
        // a layer alone costs nearly as much as two.
        let chunk = match rows.checked_sub(passes * limits.group_layers) {
            _ if passes == 0 => rows,
            Some(left) if left > tile.max(node) => largest,
            _ => tile.max(node),
        };
        let above = rows - chunk;
        let ends: Vec<usize> = (1..=passes).map(|pass| rows - (above * pass).div_ceil(passes)).collect();
        let run = limits.run.saturating_sub(row_bytes).min(chunk);
        let job = limits.job.saturating_sub(row_bytes).max(chunk);
        Self { group_layers: limits.group_layers, ends, run, chunk, tile, piece: tile.max(node), job }
    }
}

/// An encoding under way.
pub(super) struct Work<'a, F: Transform> {
    pub(super) pool: &'a dyn Pool,
    pub(super) encoder: Encoder<'a, F>,
    pub(super) prepared: &'a F::Prepared,
    pub(super) message: &'a [F],
    pub(super) scales: &'a [F],
    pub(super) first_coset: usize,
    pub(super) plan: Plan,
}

impl<F: Transform> Work<'_, F> {
    /// The part of the message that work on the rows from `row` of a coset on begins with, if it is the first.
    fn source(&self, high: usize, row: usize) -> Option<Source<'_, F>> {
        let first = high == self.encoder.log2_message;
        first.then_some(Source { message: self.message, scales: self.scales, first: row })
    }

    /// All passes but the last.
    pub(super) fn strided_passes(&self, out: &mut [F]) {
        let mut high = self.encoder.log2_message;
        for &low in &self.plan.ends {
            let cosets = out.chunks_exact_mut(self.message.len()).enumerate();
            // Groups of several cosets that read the same rows of the message are neighbours in the queue.
            let mut groups: Vec<_> =
                cosets.map(|(coset, rows)| self.groups(coset, high, low, rows).into_iter()).collect();
            let mut jobs: Vec<Job<'_>> = Vec::new();
            while groups.iter().any(|groups| groups.len() > 0) {
                for (layers, mut rows) in groups.iter_mut().filter_map(Iterator::next) {
                    let job = move || F::group(&self.encoder, self.prepared, &layers, &mut rows);
                    jobs.push(Box::new(job));
                }
            }
            self.pool.run(jobs);
            high = low;
        }
    }

    /// The groups of layers `high` - 1 down to `low` of a coset, in the order of their first rows.
    fn groups<'r>(
        &self,
        coset: usize,
        high: usize,
        low: usize,
        rows: &'r mut [F],
    ) -> Vec<(Layers<'_, F>, Vec<&'r mut [F]>)> {
        let columns = self.encoder.log2_columns;
        let (run, d) = (self.plan.run.min(low), self.encoder.log2_message);
        let mut groups = Vec::with_capacity(rows.len() >> (high - low + run + columns));
        for (block, rows) in rows.chunks_exact_mut(1 << (high + columns)).enumerate() {
            let before = groups.len();
            for group in 0..1 << (low - run) {
                let row = (block << high) + (group << run);
                let start = ((self.first_coset + coset) << d) + row;
                let layers = Layers { high, low, start, source: self.source(high, row) };
                groups.push((layers, Vec::with_capacity(1 << (high - low))));
            }
            for (i, rows) in rows.chunks_exact_mut(1 << (run + columns)).enumerate() {
                groups[before + (i & ((1 << (low - run)) - 1))].1.push(rows);
            }
        }
        groups
    }

    /// The last pass: the layers of chunks, and `finish` on every piece with its nodes.
    pub(super) fn last_pass<N: Send>(
        &self,
        out: &mut [F],
        nodes: &mut [N],
        rows_per_node: usize,
        finish: &(dyn Fn(&[F], &mut [N]) + Sync),
    ) {
        let (job, columns) = (self.plan.job, self.encoder.log2_columns);
        let parts = out.chunks_mut(1 << (job + columns)).zip(nodes.chunks_mut((1 << job) / rows_per_node));
        let jobs = parts.enumerate().map(|(i, (rows, nodes))| {
            let job = move || self.chunks(i << job, rows, nodes, rows_per_node, finish);
            Box::new(job) as Job<'_>
        });
        self.pool.run(jobs.collect());
    }

    /// What a job of the last pass does: whole chunks, from row `first` of `out` on.
    fn chunks<N>(
        &self,
        first: usize,
        rows: &mut [F],
        nodes: &mut [N],
        rows_per_node: usize,
        finish: &(dyn Fn(&[F], &mut [N]) + Sync),
    ) {
        let Plan { chunk, tile, piece, run, .. } = self.plan;
        let (columns, d) = (self.encoder.log2_columns, self.encoder.log2_message);
        let tile = tile.min(chunk);
        let mut nodes = nodes.chunks_exact_mut((1 << piece) / rows_per_node);
        for (i, rows) in rows.chunks_exact_mut(1 << (chunk + columns)).enumerate() {
            let first = first + (i << chunk);
            let row = first & ((1 << d) - 1);
            let start = (self.first_coset << d) + first;
            let mut high = chunk;
            while high > tile {
                let low = tile.max(high.saturating_sub(self.plan.group_layers));
                self.chunk_groups(start, row, high, low, run.min(low), rows);
                high = low;
            }
            for (i, rows) in rows.chunks_exact_mut(1 << (piece + columns)).enumerate() {
                for (j, rows) in rows.chunks_exact_mut(1 << (high + columns)).enumerate() {
                    let before = (i << piece) + (j << high);
                    let source = self.source(high, row + before);
                    let layers = Layers { high, low: 0, start: start + before, source };
                    F::block(&self.encoder, self.prepared, &layers, rows);
                }
                finish(rows, nodes.next().expect("as many parts of nodes as pieces"));
            }
        }
    }

    /// Layers `high` - 1 down to `low` of a chunk.
    fn chunk_groups(&self, start: usize, row: usize, high: usize, low: usize, run: usize, rows: &mut [F]) {
        let columns = self.encoder.log2_columns;
        for (block, rows) in rows.chunks_exact_mut(1 << (high + columns)).enumerate() {
            let mut groups: Vec<Vec<&mut [F]>> = Vec::with_capacity(1 << (low - run));
            groups.resize_with(1 << (low - run), || Vec::with_capacity(1 << (high - low)));
            for (i, rows) in rows.chunks_exact_mut(1 << (run + columns)).enumerate() {
                groups[i & ((1 << (low - run)) - 1)].push(rows);
            }
            for (i, mut rows) in groups.into_iter().enumerate() {
                let before = (block << high) + (i << run);
                let source = self.source(high, row + before);
                let layers = Layers { high, low, start: start + before, source };
                F::group(&self.encoder, self.prepared, &layers, &mut rows);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_do_every_layer_once() {
        for rows in 1..=25 {
            for row_bytes in 1..=12 {
                for node in 0..=rows {
                    let plan = Plan::new(Limits::CACHES, rows, row_bytes, node);
                    let mut high = rows;
                    for &low in &plan.ends {
                        assert!(low < high && high - low <= 7, "{plan:?}");
                        high = low;
                    }
                    assert!(
                        high == plan.chunk && plan.chunk <= plan.job && plan.run <= plan.chunk,
                        "{plan:?}"
                    );
                    assert!(node <= plan.piece && plan.piece <= plan.chunk, "{plan:?}");
                    // A run fills whole cache lines wherever there are strided passes.
                    assert!(plan.ends.is_empty() || plan.run + row_bytes >= 6, "{plan:?}");
                }
            }
        }
    }

    #[test]
    fn the_largest_commitments_take_few_passes() {
        let passes = |rows, row_bytes| Plan::new(Limits::CACHES, rows, row_bytes, 4).ends.len() + 1;
        assert_eq!([10, 14, 18, 22].map(|rows| passes(rows, 8)), [1, 2, 2, 3]);
    }
}
