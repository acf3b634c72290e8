//! The prover's zerocheck (docs/aggregate.md, section 3.1): the first six rounds from sums over bits, the others from
//! tables.
//!
//! The first six coordinates are the bits of two words. What their rounds say of a and b is a function of 3^6 sums, one
//! for every p in {0, 1, infinity}^6: of eq(zeta, y) (a b)(p, y) over all pairs y of words, where the value at infinity is
//! the coefficient of the highest power. Of the seventh round's tables only the sums are kept; those of the eighth, an
//! entry for four words, are the first that lie in memory. A pass over them folds them, and gives the next round's sums.
#![forbid(unsafe_code)]

use crate::profile::Suite;
use crate::sums::{JOBS, On};
use crate::transcript::Transcript;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::{make_on, zeros};
use phalanx_core::threads::map_on;
use phalanx_ligerito::parts::POINTS;

/// Rounds without tables.
const FIRST_ROUNDS: usize = 6;
/// log2 of the pairs of words whose weights are made once; those of the other pieces are these times a scale.
const LOG2_PIECE: usize = 12;
/// log2 of the entries of a table that lie in one chunk, and are folded while they are in the cache.
const LOG2_STRIDE: usize = 12;

/// The sums for all points.
fn accumulate<E: Suite>(on: On<'_>, [a, b]: [&[u32]; 2], zeta: &[E]) -> [E; POINTS] {
    let (within, across) = zeta.split_at(zeta.len().min(LOG2_PIECE));
    let weights = E::equal(on.isa, E::ONE, within);
    let scales = E::equal(on.isa, E::ONE, across);
    let len = 2 * weights.len();
    let pieces = a.len().div_ceil(len).div_ceil(JOBS);
    let jobs = a.chunks(len * pieces).zip(b.chunks(len * pieces)).zip(scales.chunks(pieces));
    let sum = |((a, b), scales): ((&[u32], &[u32]), &[E])| {
        let mut sums = [E::ZERO; POINTS];
        E::combine_products(on.isa, [a, b], &weights, scales, &mut sums);
        sums
    };
    let mut total = [E::ZERO; POINTS];
    for sums in map_on(on.pool, jobs, &sum) {
        total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
    }
    total
}

/// The rounds so far.
struct Rounds<'a, E> {
    transcript: &'a mut Transcript,
    point: Vec<E>,
    said: Vec<E>,
}

impl<E: Suite> Rounds<'_, E> {
    /// Sends a message, and gives its challenge.
    fn say(&mut self, message: [E; 2]) -> E {
        self.transcript.say("zerocheck", &message);
        self.said.extend(message);
        let r = self.transcript.challenge("zerocheck-r");
        self.point.push(r);
        r
    }
}

/// What the zerocheck leaves.
pub(crate) struct Checked<E> {
    /// The challenges.
    pub(crate) point: Vec<E>,
    /// What was sent.
    pub(crate) said: Vec<E>,
    /// a and b at the point.
    pub(crate) products: [E; 2],
}

/// All rounds about two vectors of words, whole blocks.
pub(crate) fn prove<E: Suite>(
    on: On<'_>,
    transcript: &mut Transcript,
    [a, b]: [Vec<u32>; 2],
    zeta: &[E],
) -> Checked<E> {
    let mut rounds = Rounds { transcript, point: Vec::new(), said: Vec::new() };
    let mut sums = accumulate(on, [&a, &b], &zeta[FIRST_ROUNDS..]).to_vec();
    for round in 0..FIRST_ROUNDS {
        let message = first_message(on, &sums, &zeta[round + 1..FIRST_ROUNDS]);
        let r = rounds.say(message);
        let bound = |[at_zero, at_one, at_infinity]: &[E; 3]| {
            *at_zero + r * (*at_zero + *at_one + *at_infinity) + r.square() * *at_infinity
        };
        sums = sums.as_chunks().0.iter().map(bound).collect();
    }
    let weights = E::equal(on.isa, E::ONE, &rounds.point);
    rounds.say(lifted_message(on, [&a, &b], &weights, &zeta[FIRST_ROUNDS + 1..]));
    let weights = E::equal(on.isa, E::ONE, &rounds.point);
    let (mut tables, mut message) = Tables::lifted(on, [&a, &b], &weights, &zeta[FIRST_ROUNDS + 2..]);
    drop((a, b));
    for round in FIRST_ROUNDS + 2..zeta.len() {
        let r = rounds.say(message);
        message = tables.fold_round(on, r, &zeta[round + 1..]);
    }
    let r = rounds.say(message);
    Checked { point: rounds.point, said: rounds.said, products: tables.fold_last(r) }
}

/// A message from the sums; `zeta` has the coordinates after that of the round.
fn first_message<E: Suite>(on: On<'_>, sums: &[E], zeta: &[E]) -> [E; 2] {
    let (mut d, mut leading) = (E::ZERO, E::ZERO);
    for (x, weight) in E::equal(on.isa, E::ONE, zeta).iter().enumerate() {
        // The digits of a finite point are its bits.
        let mut at = 0;
        for j in (0..zeta.len()).rev() {
            at = 3 * at + (x >> j & 1);
        }
        let [at_zero, at_one, at_infinity] = *sums[3 * at..].first_chunk().expect("three values");
        d += *weight * (at_zero + at_one);
        leading += *weight * at_infinity;
    }
    [d, leading]
}

/// The message about tables of an entry for two words, whose bits have `weights`, that are made and forgotten; `zeta` has
/// the coordinates after that of the round.
fn lifted_message<E: Suite>(on: On<'_>, words: [&[u32]; 2], weights: &[E], zeta: &[E]) -> [E; 2] {
    let images = weights.as_chunks::<32>().0;
    let (within, across) = zeta.split_at(zeta.len().min(LOG2_STRIDE - 1));
    let pairs = E::equal(on.isa, E::ONE, within);
    let len = 2 * pairs.len() * images.len();
    let of_a_job = len * words[0].len().div_ceil(len).div_ceil(JOBS);
    let jobs = words[0].chunks(of_a_job).zip(words[1].chunks(of_a_job));
    let messages = map_on(on.pool, jobs, &|(a, b): (&[u32], &[u32])| {
        let mut tables = [(); 2].map(|()| vec![E::ZERO; 2 * pairs.len()]);
        let message = |(a, b): (&[u32], &[u32])| {
            let entries = a.len() / images.len();
            let [of_a, of_b] = tables.each_mut().map(|table| &mut table[..entries]);
            E::map_bits(on.isa, a, images, of_a);
            E::map_bits(on.isa, b, images, of_b);
            E::weighted_round(on.isa, of_a, of_b, &pairs[..entries / 2])
        };
        a.chunks(len).zip(b.chunks(len)).map(message).collect::<Vec<_>>()
    });
    sum(on, &messages.concat(), across)
}

/// The message of all pieces, each of which counts with its entry of the tensor of `across`.
fn sum<E: Suite>(on: On<'_>, messages: &[[E; 2]], across: &[E]) -> [E; 2] {
    let scales = E::equal(on.isa, E::ONE, across);
    [0, 1].map(|which| {
        let of_pieces: Vec<E> = messages.iter().map(|message| message[which]).collect();
        E::inner(on.isa, &of_pieces, &scales[..of_pieces.len()])
    })
}

/// Tables of a and b in chunks: `stride` entries of a, and then as many of b, of either of which the first `len` are in
/// use. What is behind the last chunk is zero.
struct Tables<E> {
    chunks: Vec<E>,
    stride: usize,
    len: usize,
}

impl<E: Suite> Tables<E> {
    /// Tables of an entry for as many words as `weights` has bits, and the message of their first round; `zeta` has the
    /// coordinates after that of the round.
    fn lifted(on: On<'_>, [a, b]: [&[u32]; 2], weights: &[E], zeta: &[E]) -> (Self, [E; 2]) {
        let images = weights.as_chunks::<32>().0;
        let log2_stride = LOG2_STRIDE.min(zeta.len() + 1);
        let stride = 1 << log2_stride;
        let (within, across) = zeta.split_at(log2_stride - 1);
        let pairs = E::equal(on.isa, E::ONE, within);
        let words = a.chunks(stride * images.len()).zip(b.chunks(stride * images.len()));
        let lift = |(a, b): (&[u32], &[u32]), chunk: &mut [E]| {
            let (of_a, of_b) = chunk.split_at_mut(stride);
            E::map_bits(on.isa, a, images, &mut of_a[..a.len() / images.len()]);
            E::map_bits(on.isa, b, images, &mut of_b[..b.len() / images.len()]);
            E::weighted_round(on.isa, of_a, of_b, &pairs)
        };
        let (chunks, messages) = make_on(on.pool, 2 * stride * words.len(), 2 * stride, words, &lift);
        (Self { chunks, stride, len: stride }, sum(on, &messages, across))
    }

    /// Binds the lowest coordinate, and gives the message of the next round; `zeta` has the coordinates after that of the
    /// next round.
    fn fold_round(&mut self, on: On<'_>, r: E, zeta: &[E]) -> [E; 2] {
        /// Entries of a chunk that are not worth a pass of their own.
        const FEW: usize = 64;
        if self.len <= FEW && self.chunks.len() > 2 * self.stride {
            self.compact(zeta.len() + 2);
        }
        let (stride, len) = (self.stride, self.len);
        let (within, across) = zeta.split_at(len.ilog2() as usize - 2);
        let weights = E::equal(on.isa, E::ONE, within);
        let of_a_job = 2 * stride * (self.chunks.len() / (2 * stride)).div_ceil(JOBS);
        let messages = map_on(on.pool, self.chunks.chunks_mut(of_a_job), &|chunks: &mut [E]| {
            let message = |chunk: &mut [E]| {
                let (a, b) = chunk.split_at_mut(stride);
                E::fold_weighted_round(on.isa, &mut a[..len], &mut b[..len], r, &weights)
            };
            chunks.chunks_mut(2 * stride).map(message).collect::<Vec<_>>()
        });
        self.len = len / 2;
        sum(on, &messages.concat(), across)
    }

    /// Brings together what is in use, in chunks for so many coordinates.
    fn compact(&mut self, coordinates: usize) {
        let stride = 1 << LOG2_STRIDE.min(coordinates);
        let used = self.chunks.len() / (2 * self.stride) * self.len;
        let mut chunks = zeros(2 * used.next_multiple_of(stride));
        for (i, from) in self.chunks.chunks(2 * self.stride).enumerate() {
            let to = i * self.len;
            let to = 2 * (to - to % stride) + to % stride;
            let (a, b) = from.split_at(self.stride);
            chunks[to..][..self.len].copy_from_slice(&a[..self.len]);
            chunks[to + stride..][..self.len].copy_from_slice(&b[..self.len]);
        }
        *self = Self { chunks, stride, len: stride };
    }

    /// Binds the last coordinate.
    fn fold_last(self, r: E) -> [E; 2] {
        let (a, b) = self.chunks.split_at(self.stride);
        [a, b].map(|table| table[0] + r * (table[0] + table[1]))
    }
}
