//! The transposed encoder on a sparse vector: what opened rows add to the weights of the message.
//!
//! Row q of the generator matrix is the tensor of (1, h_j(q)). Take a block of 2^j neighbouring positions: the rows
//! opened there, each with its weight, and of each the tensor of the lower j factors, add up to one vector of 2^j
//! entries. Two neighbouring blocks u, w make the vector of the block of both, by the transposed butterfly: h_j is some
//! l on the first block and l + 1 on the second, so the entries are u + w and l u + (l + 1) w = w + l (u + w). A block
//! with one opened row is a tensor and is expanded directly; one without is left out. At the top, the vectors of the
//! cosets are added.
//!
//! With Q rows of a code of n points that costs about n/2 products for every layer of blocks fewer than Q, and as many
//! again for all the layers below: 0.22 million for n = 2^16, Q = 149, where Q tensors would be 2.4 million.

mod kernel;
mod portable;
#[cfg(test)]
mod tests;

use super::Basis;
use crate::binary::lanes::run;
use crate::binary::{BinaryField, ChallengeField};
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_core::memory::make_on;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool, jobs_at_once};

/// Blocks of up to 2^15 entries (512 KiB) are made depth first, in a core's cache; the layers above them in one pass
/// over memory.
const LOG2_CACHED: usize = 15;
/// Entries of all blocks together that the pass over the upper layers takes at a time (128 KiB).
const LOG2_CHUNK: usize = 13;
/// Blocks of fewer entries are not worth a job of their own.
const LOG2_SHORTEST: usize = 11;
/// Jobs of that pass, if they are not too short.
const RANGES: usize = 8;
/// Entries of a block that one of them takes at least.
const LEN_OF_A_RANGE: usize = 1 << 11;

/// `out` += sum over t of `weights[t]` times row `positions[t]` of the generator matrix, embedded in the field of
/// `out`. Takes memory for as many elements as `out` has.
///
/// # Panics
/// If there are not as many weights as positions, these are not ascending or not in the domain, or `out` has no power
/// of two of entries.
pub(crate) fn induce<F: BinaryField, E: ChallengeField + From<F>>(
    pool: &dyn Pool,
    isa: Isa,
    basis: &Basis<F>,
    positions: &[usize],
    weights: &[E],
    out: &mut [E],
) {
    assert!(positions.len() == weights.len() && out.len().is_power_of_two(), "a weight for every position");
    assert!(positions.is_sorted(), "positions ascend");
    assert!(positions.iter().all(|q| q >> basis.log2_points() == 0), "points of the domain");
    let log2_message = out.len().ilog2() as usize;
    if log2_message == 0 {
        weights.iter().for_each(|weight| out[0] += *weight);
        return;
    }
    let maker = Maker { isa, twiddles: &Twiddles::new(basis, log2_message) };
    let mut cosets = Vec::new();
    let mut rest = Opened { positions, weights };
    while let Some(first) = rest.positions.first() {
        let start = first >> log2_message << log2_message;
        let coset;
        (coset, rest) = rest.split(start + out.len());
        cosets.push((start, coset));
    }
    let pool = if log2_message <= LOG2_SHORTEST { &Inline } else { pool };
    // Long vectors are new memory: every thread clears its blocks.
    let cleared = (1 << LOG2_CACHED).min(out.len());
    let blocks = 0..out.len() / cleared;
    let mut space: Vec<E> = make_on(pool, out.len(), cleared, blocks, &|_, _| ()).0;
    for (start, coset) in cosets {
        maker.coset(pool, start, coset, &mut space, out);
    }
}

/// Opened rows: ascending positions and their weights.
#[derive(Clone, Copy)]
struct Opened<'a, E> {
    positions: &'a [usize],
    weights: &'a [E],
}

impl<E> Opened<'_, E> {
    /// Those before `end`, and the others.
    fn split(self, end: usize) -> (Self, Self) {
        let count = self.positions.partition_point(|position| *position < end);
        let (positions, weights) = (self.positions.split_at(count), self.weights.split_at(count));
        (
            Self { positions: positions.0, weights: weights.0 },
            Self { positions: positions.1, weights: weights.1 },
        )
    }
}

/// h_j(2^b), embedded: entry j of row b.
struct Twiddles<E> {
    table: Vec<E>,
    log2_message: usize,
}

impl<E: ChallengeField> Twiddles<E> {
    fn new<F: BinaryField>(basis: &Basis<F>, log2_message: usize) -> Self
    where
        E: From<F>,
    {
        let mut table = Vec::with_capacity(basis.log2_points() * log2_message);
        for b in 0..basis.log2_points() {
            table.extend((0..log2_message).map(|j| if j > b { E::ZERO } else { basis.row(j)[b].into() }));
        }
        Self { table, log2_message }
    }

    /// h_j at `point` for j < `factors.len()`. Time depends on `point`, which is public.
    fn factors(&self, point: usize, factors: &mut [E]) {
        factors.fill(E::ZERO);
        let mut bits = point;
        while bits != 0 {
            let row = &self.table[bits.trailing_zeros() as usize * self.log2_message..];
            for (factor, value) in factors.iter_mut().zip(row) {
                *factor += *value;
            }
            bits &= bits - 1;
        }
    }

    /// h_j at `point`. Time depends on `point`, which is public.
    fn at(&self, j: usize, point: usize) -> E {
        let mut sum = E::ZERO;
        let mut bits = point;
        while bits != 0 {
            sum += self.table[bits.trailing_zeros() as usize * self.log2_message + j];
            bits &= bits - 1;
        }
        sum
    }
}

/// Makes vectors of blocks.
#[derive(Clone, Copy)]
struct Maker<'a, E> {
    isa: Isa,
    twiddles: &'a Twiddles<E>,
}

impl<E: ChallengeField> Maker<'_, E> {
    /// `out` += the vector of the coset that begins at `start`. `space` is as long as `out`; what is in it is lost.
    fn coset(self, pool: &dyn Pool, start: usize, rows: Opened<'_, E>, space: &mut [E], out: &mut [E]) {
        let log2_message = out.len().ilog2() as usize;
        // A block for every thread, if they are not too short.
        let log2_threads = (jobs_at_once(pool) - 1).checked_ilog2().map_or(0, |log2| log2 as usize + 1);
        let for_threads = log2_threads.min(log2_message.saturating_sub(LOG2_SHORTEST));
        let log2_blocks = log2_message.saturating_sub(LOG2_CACHED).max(for_threads).max(1);
        let block_len = out.len() >> log2_blocks;
        let mut rest = rows;
        let mut jobs: Vec<Job<'_>> = Vec::with_capacity(1 << log2_blocks);
        for (i, block) in space.chunks_exact_mut(block_len).enumerate() {
            let block_start = start + i * block_len;
            let rows;
            (rows, rest) = rest.split(block_start + block_len);
            jobs.push(Box::new(move || {
                if rows.positions.is_empty() {
                    block.fill(E::ZERO);
                } else {
                    self.block(block_start, rows, block);
                }
            }));
        }
        pool.run(jobs);

        // The same range of entries of every block.
        let range_len = (block_len / RANGES).max(LEN_OF_A_RANGE.min(block_len));
        let mut parts: Vec<Vec<(&mut [E], &mut [E])>> = Vec::new();
        parts.resize_with(block_len.div_ceil(range_len), || Vec::with_capacity(1 << log2_blocks));
        for (block, out) in space.chunks_exact_mut(block_len).zip(out.chunks_exact_mut(block_len)) {
            for (part, pieces) in
                parts.iter_mut().zip(block.chunks_mut(range_len).zip(out.chunks_mut(range_len)))
            {
                part.push(pieces);
            }
        }
        let jobs = parts
            .into_iter()
            .map(|part| Box::new(move || self.upper_layers(start, block_len, part)) as Job<'_>);
        pool.run(jobs.collect());
    }

    /// The vector of the block of positions from `start` on, where at least one row is opened.
    fn block(self, start: usize, rows: Opened<'_, E>, block: &mut [E]) {
        let layers = block.len().ilog2() as usize;
        if let ([position], [weight]) = (rows.positions, rows.weights) {
            let mut factors = [E::ZERO; LOG2_CACHED];
            self.twiddles.factors(*position, &mut factors[..layers]);
            self.expand(*weight, &factors[..layers], block);
        } else if layers == 0 {
            block[0] = rows.weights.iter().fold(E::ZERO, |sum, weight| sum + *weight);
        } else {
            let twiddle = self.twiddles.at(layers - 1, start);
            let half = block.len() / 2;
            let (first, second) = rows.split(start + half);
            let (u, w) = block.split_at_mut(half);
            if second.positions.is_empty() {
                self.block(start, first, u);
                self.scale(u, twiddle, w);
            } else if first.positions.is_empty() {
                self.block(start + half, second, w);
                u.copy_from_slice(w);
                self.scale(u, twiddle + E::ONE, w);
            } else {
                self.block(start, first, u);
                self.block(start + half, second, w);
                self.butterfly(u, w, twiddle);
            }
        }
    }

    /// What is above the blocks of `block_len` entries of the coset at `start`: `part` has the same entries of each and
    /// where they are added to.
    fn upper_layers(self, start: usize, block_len: usize, mut part: Vec<(&mut [E], &mut [E])>) {
        let blocks = part.len();
        let log2_blocks = blocks.ilog2() as usize;
        let lowest = block_len.ilog2() as usize;
        let len = part[0].0.len();
        let chunk = ((1 << LOG2_CHUNK) >> log2_blocks).clamp(1, len);
        for from in (0..len).step_by(chunk) {
            let range = from..from + chunk;
            for layer in 0..log2_blocks - 1 {
                for (i, group) in part.chunks_exact_mut(2 << layer).enumerate() {
                    let twiddle = self.twiddles.at(lowest + layer, start + (i << (layer + 1)) * block_len);
                    let (upper, lower) = group.split_at_mut(1 << layer);
                    for ((u, _), (w, _)) in upper.iter_mut().zip(lower) {
                        self.butterfly(&mut u[range.clone()], &mut w[range.clone()], twiddle);
                    }
                }
            }
            let twiddle = self.twiddles.at(lowest + log2_blocks - 1, start);
            let (upper, lower) = part.split_at_mut(blocks / 2);
            for ((u, out_u), (w, out_w)) in upper.iter_mut().zip(lower) {
                let (u, w) = (&u[range.clone()], &w[range.clone()]);
                self.butterfly_add(u, w, twiddle, &mut out_u[range.clone()], &mut out_w[range.clone()]);
            }
        }
    }

    /// The tensor of (1, factor j) times `weight`.
    fn expand(self, weight: E, factors: &[E], out: &mut [E]) {
        assert_eq!(out.len(), 1 << factors.len(), "an entry for every index");
        run(self.isa, kernel::Expand { weight, factors, out })
            .unwrap_or_else(|k| portable::expand(k.weight, k.factors, k.out));
    }

    /// w = l u.
    fn scale(self, u: &[E], l: E, w: &mut [E]) {
        assert_eq!(u.len(), w.len(), "halves");
        run(self.isa, kernel::Scale(u, l, w)).unwrap_or_else(|k| portable::scale(k.0, k.1, k.2));
    }

    /// u += w, w += l u.
    fn butterfly(self, u: &mut [E], w: &mut [E], l: E) {
        assert_eq!(u.len(), w.len(), "halves");
        run(self.isa, kernel::Butterfly(u, w, l)).unwrap_or_else(|k| portable::butterfly(k.0, k.1, k.2));
    }

    /// The results of [`Self::butterfly`] added to `out_u` and `out_w`.
    fn butterfly_add(self, u: &[E], w: &[E], l: E, out_u: &mut [E], out_w: &mut [E]) {
        assert!([w.len(), out_u.len(), out_w.len()] == [u.len(); 3], "halves");
        run(self.isa, kernel::ButterflyAdd { u, w, l, out_u, out_w })
            .unwrap_or_else(|k| portable::butterfly_add(k.u, k.w, k.l, k.out_u, k.out_w));
    }
}
