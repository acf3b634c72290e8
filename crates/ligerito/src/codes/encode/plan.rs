//! Which layers are done together.
//!
//! Memory is read and written once per pass. A *strided* pass takes groups of rows at a distance, as runs of several
//! consecutive rows each, and does several layers on a group. The *last* pass takes chunks of consecutive
//! rows that fit in the second-level cache; in a chunk, strided work comes first if the chunk is larger than a tile,
//! and then the tiles, which fit in the first-level cache, are done to the end and handed to the caller.

use super::{Encoder, Layers, Source, Transform};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::memory::{UninitSlice, write_strided};
use phalanx_core::threads::{Job, Pool};

/// How much goes together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Layers that a group goes through at most.
    pub(super) group_layers: usize,
    /// The logarithm of the bytes of a tile.
    pub(super) tile: usize,
    /// Of a chunk, at most.
    pub(super) chunk: usize,
    /// Of a run of a group that is in the cache; elsewhere it is the least.
    pub(super) run: usize,
    /// Groups from which on the runs of a strided pass become longer, up to four times.
    pub(super) groups: usize,
    /// Of a job of the last pass, if there is so much: of tiles only, and of chunks.
    pub(super) job: usize,
    pub(super) chunks: usize,
}

impl Limits {
    /// Tiles of 32 KiB, in first-level caches of 32 or 48; chunks of 512 KiB, in second-level caches of 1 or 2 MiB;
    /// runs of 2 KiB, so that in passes after the first, which keep a slice for each, its 16 bytes are little; and jobs
    /// of 256 KiB, or of four chunks.
    pub(super) const CACHES: Self =
        Self { group_layers: 7, tile: 15, chunk: 19, run: 11, groups: 6, job: 18, chunks: 21 };
}

/// The passes over one coset, as logarithms of numbers of rows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Layers that a group goes through at most.
    group_layers: usize,
    /// Where the strided passes end: pass i does the layers from `ends[i - 1]` (d at first) down to `ends[i]`.
    ends: Vec<usize>,
    /// Consecutive rows in a run, at least.
    run: usize,
    /// Groups from which on runs become longer.
    groups: usize,
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
        let passes_before = |chunk: usize| (rows - chunk).div_ceil(limits.group_layers);
        let [fits, twice] = [limits.chunk, limits.chunk + 1].map(|chunk| fit(chunk).max(tile));
        // Chunks of twice the size, which fill a cache of 1 MiB, cost less than one more pass over memory (AMD EPYC, Zen 4,
        // 2^25 words: 191 ms instead of 212 for what comes after the first pass, on two threads 105 instead of 116).
        let largest = if (1..passes_before(fits)).contains(&passes_before(twice)) { twice } else { fits };
        let passes = passes_before(largest);
        // If the passes can do all layers above the tiles, nothing is left to the chunks; otherwise as much as fits,
        // since a layer alone costs nearly as much as two.
        let chunk = match rows.checked_sub(passes * limits.group_layers) {
            _ if passes == 0 => rows,
            Some(left) if left > tile.max(node) => largest,
            _ => tile.max(node),
        };
        let above = rows - chunk;
        let ends: Vec<usize> = (1..=passes).map(|pass| rows - (above * pass).div_ceil(passes)).collect();
        let run = limits.run.saturating_sub(row_bytes).min(chunk);
        let job = if chunk > tile.max(node) { limits.chunks } else { limits.job };
        let job = job.saturating_sub(row_bytes).clamp(chunk, rows);
        let Limits { group_layers, groups, .. } = limits;
        Self { group_layers, ends, run, groups, chunk, tile, piece: tile.max(node), job }
    }

    /// Consecutive rows in a run of the strided pass that does layers `high` - 1 down to `low` on cosets of 2^`rows`
    /// rows.
    fn long_run(&self, rows: usize, high: usize, low: usize) -> usize {
        let groups = rows - (high - low) - self.run.min(low);
        (self.run + groups.saturating_sub(self.groups).min(2)).min(low)
    }
}

/// What is to be encoded, on which cosets, and by whom.
pub(super) struct Task<'a, F> {
    pub(super) pool: &'a dyn Pool,
    pub(super) encoder: Encoder<'a, F>,
    pub(super) message: &'a [F],
    pub(super) scales: &'a [F],
    pub(super) first_coset: usize,
    /// The rows that somebody wants, ascending, or all.
    pub(super) wanted: Option<&'a [usize]>,
}

/// An encoding under way.
pub(super) struct Work<'a, F: Transform> {
    pub(super) task: &'a Task<'a, F>,
    pub(super) prepared: &'a F::Prepared,
    pub(super) plan: Plan,
}

impl<F: Transform> Work<'_, F> {
    /// Whether somebody wants one of these rows.
    fn is_wanted(&self, rows: Range<usize>) -> bool {
        self.task.wanted.is_none_or(|wanted| {
            let next = wanted.partition_point(|row| *row < rows.start);
            wanted.get(next).is_some_and(|row| *row < rows.end)
        })
    }

    /// The part of the message that work on the rows from `row` of a coset on begins with, if it is the first.
    fn source(&self, high: usize, row: usize) -> Option<Source<'_, F>> {
        let first = high == self.task.encoder.log2_message;
        first.then_some(Source { message: self.task.message, scales: self.task.scales, first: row })
    }

    /// All passes but the last.
    pub(super) fn strided_passes<'o>(&self, out: UninitSlice<'o, F>) -> &'o mut [F] {
        let d = self.task.encoder.log2_message;
        let Some((&low, later)) = self.plan.ends.split_first() else { return out.elements() };
        let columns = self.task.encoder.log2_columns;
        let run = self.plan.long_run(d, d, low);
        let rows = write_strided(out, 1 << (d - low), 1 << (low + columns), 1 << (run + columns), |groups| {
            self.groups(d, low, run, groups, |layers, cosets| {
                F::first_groups(&self.task.encoder, self.prepared, layers, cosets);
            });
        });
        let mut high = low;
        for &low in later {
            let run = self.plan.long_run(d, high, low);
            let mut groups = Vec::new();
            for block in rows.chunks_exact_mut(1 << (high + columns)) {
                groups.extend(runs(block, 1 << (low - run), 1 << (run + columns)));
            }
            self.groups(high, low, run, groups, |layers, cosets| {
                for (start, mut rows) in cosets {
                    let layers = Layers { start, ..*layers };
                    F::group(&self.task.encoder, self.prepared, &layers, &mut rows);
                }
            });
            high = low;
        }
        rows
    }

    /// Does `work` for layers `high` - 1 down to `low` on groups with runs of 2^`run` rows, given for all cosets: for
    /// the same group of every coset, a job, which is told the first domain point of each.
    fn groups<G: Send>(
        &self,
        high: usize,
        low: usize,
        run: usize,
        groups: Vec<G>,
        work: impl Fn(&Layers<'_, F>, Vec<(usize, G)>) + Sync,
    ) {
        let d = self.task.encoder.log2_message;
        let count = 1 << (d - (high - low) - run);
        let mut cosets: Vec<Vec<G>> = Vec::new();
        cosets.resize_with(count, || Vec::with_capacity(groups.len() / count));
        for (i, group) in groups.into_iter().enumerate() {
            cosets[i % count].push(group);
        }
        let work = &work;
        let jobs = cosets.into_iter().enumerate().map(|(group, cosets)| {
            let (block, within) = (group >> (low - run), group & ((1 << (low - run)) - 1));
            let row = (block << high) + (within << run);
            let start = (self.task.first_coset << d) + row;
            let layers = Layers { high, low, start, source: self.source(high, row), ahead: 0 };
            let turn = turn(group, cosets.len());
            let mut cosets: Vec<_> =
                cosets.into_iter().enumerate().map(|(i, rows)| (start + (i << d), rows)).collect();
            cosets.rotate_left(turn);
            Box::new(move || work(&layers, cosets)) as Job<'_>
        });
        self.task.pool.run(jobs.collect());
    }

    /// The last pass: the layers of chunks, and `finish` on every piece with its nodes.
    pub(super) fn last_pass<N: Send>(
        &self,
        out: &mut [F],
        nodes: &mut [N],
        rows_per_node: usize,
        finish: &(dyn Fn(&[F], &mut [N]) + Sync),
    ) {
        let (job, columns) = (self.plan.job, self.task.encoder.log2_columns);
        let parts = out.chunks_mut(1 << (job + columns)).zip(nodes.chunks_mut((1 << job) / rows_per_node));
        let jobs = parts.enumerate().map(|(i, (rows, nodes))| {
            let job = move || self.chunks(i << job, rows, nodes, rows_per_node, finish);
            Box::new(job) as Job<'_>
        });
        self.task.pool.run(jobs.collect());
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
        let (columns, d) = (self.task.encoder.log2_columns, self.task.encoder.log2_message);
        let tile = tile.min(chunk);
        let chunks = rows.chunks_exact_mut(1 << (chunk + columns));
        let chunks = chunks.zip(nodes.chunks_exact_mut((1 << chunk) / rows_per_node));
        let count = chunks.len();
        for (i, (rows, nodes)) in chunks.enumerate() {
            let first = first + (i << chunk);
            if !self.is_wanted(first..first + (1 << chunk)) {
                continue;
            }
            // A chunk that went through strided work is in the cache, and the next one may come there meanwhile.
            let ahead = match chunk > tile {
                true if i + 1 < count => 1 << (chunk + columns),
                true => 0,
                false => 1 << (tile + columns),
            };
            let row = first & ((1 << d) - 1);
            let start = (self.task.first_coset << d) + first;
            let mut high = chunk;
            while high > tile {
                let low = tile.max(high.saturating_sub(self.plan.group_layers));
                self.chunk_groups(start, row, high, low, run.min(low), rows);
                high = low;
            }
            let pieces = rows.chunks_exact_mut(1 << (piece + columns));
            let pieces = pieces.zip(nodes.chunks_exact_mut((1 << piece) / rows_per_node));
            for (i, (rows, nodes)) in pieces.enumerate() {
                let before = i << piece;
                if !self.is_wanted(first + before..first + before + (1 << piece)) {
                    continue;
                }
                for (j, rows) in rows.chunks_exact_mut(1 << (high + columns)).enumerate() {
                    let before = before + (j << high);
                    let source = self.source(high, row + before);
                    let layers = Layers { high, low: 0, start: start + before, source, ahead };
                    F::block(&self.task.encoder, self.prepared, &layers, rows);
                }
                finish(rows, nodes);
            }
        }
    }

    /// Layers `high` - 1 down to `low` of a chunk.
    fn chunk_groups(&self, start: usize, row: usize, high: usize, low: usize, run: usize, rows: &mut [F]) {
        let columns = self.task.encoder.log2_columns;
        for (block, rows) in rows.chunks_exact_mut(1 << (high + columns)).enumerate() {
            for (i, mut rows) in runs(rows, 1 << (low - run), 1 << (run + columns)).into_iter().enumerate() {
                let before = (block << high) + (i << run);
                let source = self.source(high, row + before);
                let layers = Layers { high, low, start: start + before, source, ahead: 0 };
                F::group(&self.task.encoder, self.prepared, &layers, &mut rows);
            }
        }
    }
}

/// The coset that job `job` begins with: neighbours begin far from each other. All groups touch all pages of a coset,
/// and two threads that come to a new page at the same time both clear one, and one of the two is thrown away.
fn turn(job: usize, cosets: usize) -> usize {
    let bits = cosets.next_power_of_two().ilog2();
    (job.reverse_bits().rotate_left(bits) & ((1 << bits) - 1)) % cosets
}

/// Runs of `len` elements, dealt out to so many groups.
fn runs<F>(rows: &mut [F], groups: usize, len: usize) -> Vec<Vec<&mut [F]>> {
    let mut dealt: Vec<Vec<_>> = Vec::new();
    dealt.resize_with(groups, || Vec::with_capacity(rows.len() / (groups * len)));
    for (i, run) in rows.chunks_exact_mut(len).enumerate() {
        dealt[i % groups].push(run);
    }
    dealt
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
    fn neighbours_begin_far_from_each_other() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(|job| turn(job, 4)), [0, 2, 1, 3, 0, 2]);
        assert_eq!([0, 1, 2, 3].map(|job| turn(job, 1)), [0; 4]);
        assert_eq!([0, 1, 2, 3].map(|job| turn(job, 3)), [0, 2, 1, 0]);
    }

    #[test]
    fn the_largest_commitments_take_few_passes() {
        let passes = |rows, row_bytes| Plan::new(Limits::CACHES, rows, row_bytes, 4).ends.len() + 1;
        assert_eq!([10, 12, 14, 18, 19, 20, 22].map(|rows| passes(rows, 8)), [1, 2, 2, 2, 2, 3, 3]);
    }
}
