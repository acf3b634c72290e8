//! The prover's zerocheck (docs/aggregate.md, section 3.1): the first six rounds from sums over bits, the others from
//! tables.
//!
//! The first six coordinates are the bits of two words. What their rounds say of a and b is a function of 3^6 sums, one
//! for every p in {0, 1, infinity}^6: of eq(zeta, y) (a b)(p, y) over all pairs y of words, where the value at infinity is
//! the coefficient of the highest power. Of the next rounds' tables, with an entry for two
//! words and so on, only the sums are kept. The first ones that lie in memory, in the place of the words that they are about,
//! are those whose entries are not longer than these words: for four words, or for eight. A pass over them folds them, and
//! gives the next round's sums.
#![forbid(unsafe_code)]

use crate::profile::Suite;
use crate::sums::{JOBS, On};
use crate::transcript::Transcript;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use phalanx_core::memory::{make_on, recast, zeros};
use phalanx_core::threads::map_on;
use phalanx_ligerito::parts::POINTS;

/// Rounds without tables.
const FIRST_ROUNDS: usize = 6;
/// log2 of the pairs of words whose weights are made once; those of the other pieces are these times a scale.
const LOG2_PIECE: usize = 12;
/// log2 of the entries of a table that lie in one chunk, and are folded while they are in the cache.
const LOG2_STRIDE: usize = 12;
/// Words that an entry of the first tables in memory is about, at most.
const MOST_WORDS: usize = 8;

/// A z or B z, block after block, in memory that tables will lie in.
pub(crate) struct Form(Vec<u128>);

impl Form {
    /// All zeros: `used` words and some padding, of `whole` with all padding.
    pub(crate) fn new(used: usize, whole: usize) -> Self {
        Self(zeros(used.next_multiple_of(whole.min(MOST_WORDS << LOG2_STRIDE)) / 4))
    }

    pub(crate) fn words(&mut self) -> &mut [u32] {
        recast(&mut self.0)
    }
}

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

/// All rounds about two vectors of words.
pub(crate) fn prove<E: Suite>(
    on: On<'_>,
    transcript: &mut Transcript,
    mut forms: [Form; 2],
    zeta: &[E],
) -> Checked<E> {
    let mut rounds = Rounds { transcript, point: Vec::new(), said: Vec::new() };
    let words = forms.each_mut().map(|form| &*form.words());
    let mut sums = accumulate(on, words, &zeta[FIRST_ROUNDS..]).to_vec();
    for round in 0..FIRST_ROUNDS {
        let message = first_message(on, &sums, &zeta[round + 1..FIRST_ROUNDS]);
        let r = rounds.say(message);
        let bound = |[at_zero, at_one, at_infinity]: &[E; 3]| {
            *at_zero + r * (*at_zero + *at_one + *at_infinity) + r.square() * *at_infinity
        };
        sums = sums.as_chunks().0.iter().map(bound).collect();
    }
    let mut weights = E::equal(on.isa, E::ONE, &rounds.point);
    while weights.len() / 8 < size_of::<E>() {
        rounds.say(lifted_message(on, words, &weights, &zeta[rounds.point.len() + 1..]));
        weights = E::equal(on.isa, E::ONE, &rounds.point);
    }
    let first = rounds.point.len() + 1;
    let (mut tables, mut message) = Tables::lifted(on, forms, &weights, &zeta[first..]);
    for round in first..zeta.len() {
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

/// The message about tables of an entry for some words, whose bits have `weights`, that are made and forgotten; `zeta` has
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

/// Tables of a and b, each in chunks of as much memory, which begin with entries, the first `len` of which are in use.
struct Tables<E> {
    memory: [Vec<u128>; 2],
    /// What a chunk takes, in units of sixteen bytes.
    room: usize,
    len: usize,
    entries: PhantomData<E>,
}

/// Chunks of both tables.
fn chunks_mut([a, b]: [&mut [u128]; 2], room: usize) -> impl ExactSizeIterator<Item = [&mut [u128]; 2]> {
    a.chunks_mut(room).zip(b.chunks_mut(room)).map(|(a, b)| [a, b])
}

impl<E: Suite> Tables<E> {
    /// Tables of an entry for as many words as `weights` has bits, in the place of the words, and the message of their
    /// first round; `zeta` has the coordinates after that of the round.
    fn lifted(on: On<'_>, forms: [Form; 2], weights: &[E], zeta: &[E]) -> (Self, [E; 2]) {
        let images = weights.as_chunks::<32>().0;
        let log2_len = LOG2_STRIDE.min(zeta.len() + 1);
        let len = 1 << log2_len;
        let (within, across) = zeta.split_at(log2_len - 1);
        let pairs = E::equal(on.isa, E::ONE, within);
        let memory = forms.map(|Form(memory)| memory);
        let mut tables = Self { memory, room: len * images.len() / 4, len, entries: PhantomData };
        let message = tables.pass(on, across, &|chunks| {
            let mut made = [(); 2].map(|()| vec![E::ZERO; len]);
            for (chunk, made) in chunks.into_iter().zip(&mut made) {
                E::map_bits(on.isa, recast(chunk), images, made);
                recast(chunk)[..len].copy_from_slice(made);
            }
            E::weighted_round(on.isa, &made[0], &made[1], &pairs)
        });
        (tables, message)
    }

    /// The message that the chunks' messages add up to.
    fn pass(
        &mut self,
        on: On<'_>,
        across: &[E],
        message: &(impl Fn([&mut [u128]; 2]) -> [E; 2] + Sync),
    ) -> [E; 2] {
        let room = self.room;
        let of_a_job = room * (self.memory[0].len() / room).div_ceil(JOBS);
        let jobs = chunks_mut(self.memory.each_mut().map(|table| &mut table[..]), of_a_job);
        let messages = map_on(on.pool, jobs, &|of_a_job: [&mut [u128]; 2]| {
            chunks_mut(of_a_job, room).map(message).collect::<Vec<_>>()
        });
        sum(on, &messages.concat(), across)
    }

    /// Binds the lowest coordinate, and gives the message of the next round; `zeta` has the coordinates after that of the
    /// next round.
    fn fold_round(&mut self, on: On<'_>, r: E, zeta: &[E]) -> [E; 2] {
        /// Entries of a chunk that are not worth a pass of their own.
        const FEW: usize = 64;
        if self.len <= FEW && self.memory[0].len() > self.room {
            self.compact(on, zeta.len() + 2);
        }
        let len = self.len;
        let (within, across) = zeta.split_at(len.ilog2() as usize - 2);
        let weights = E::equal(on.isa, E::ONE, within);
        let message = self.pass(on, across, &|chunks| {
            let [a, b] = chunks.map(|chunk| &mut recast(chunk)[..len]);
            E::fold_weighted_round(on.isa, a, b, r, &weights)
        });
        self.len = len / 2;
        message
    }

    /// Brings together what is in use, in chunks for so many coordinates.
    fn compact(&mut self, on: On<'_>, coordinates: usize) {
        let len = 1 << LOG2_STRIDE.min(coordinates);
        let room = (len * size_of::<E>()).div_ceil(16);
        let (room_before, len_before) = (self.room, self.len);
        let bring = |from: &mut [u128], to: &mut [u128]| {
            let to = recast(to)[..len].chunks_mut(len_before);
            for (from, to) in from.chunks_mut(room_before).zip(to) {
                to.copy_from_slice(&recast::<_, E>(from)[..len_before]);
            }
        };
        self.memory = self.memory.each_mut().map(|table| {
            let chunks = table.chunks_mut(room_before * (len / len_before));
            make_on(on.pool, chunks.len() * room, room, chunks, &bring).0
        });
        (self.room, self.len) = (room, len);
    }

    /// Binds the last coordinate.
    fn fold_last(mut self, r: E) -> [E; 2] {
        self.memory.each_mut().map(|table| {
            let table: &[E] = recast(table);
            table[0] + r * (table[0] + table[1])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx_core::simd::Isa;
    use phalanx_core::threads::Inline;
    use phalanx_ligerito::Gf128;
    use phalanx_ligerito::provable128::Gf192;

    /// A hundred chunks of 64 entries each, in more memory than these take, become two chunks of 4096: all entries in their
    /// order, and zeros behind them. Sizes of proofs that have so many chunks begin at some thirty signatures.
    fn brought_together<E: Suite>() {
        let (chunks, room, len) = (100, 256, 64);
        let number = |i: usize| E::embed(u32::try_from(i + 1).expect("small"));
        let memory = [0, chunks * len].map(|first| {
            let mut memory = vec![u128::MAX; chunks * room];
            for (chunk, memory) in memory.chunks_mut(room).enumerate() {
                for (i, entry) in recast(memory)[..len].iter_mut().enumerate() {
                    *entry = number(first + chunk * len + i);
                }
            }
            memory
        });
        let mut tables = Tables::<E> { memory, room, len, entries: PhantomData };
        tables.compact(On { pool: &Inline, isa: Isa::current() }, LOG2_STRIDE + 1);
        assert_eq!((tables.len, tables.room), (1 << LOG2_STRIDE, size_of::<E>() << (LOG2_STRIDE - 4)));
        for (which, table) in tables.memory.iter_mut().enumerate() {
            let entries: &[E] = recast(table);
            let (used, padding) = entries.split_at(chunks * len);
            let first = which * chunks * len;
            assert!(used.iter().enumerate().all(|(i, entry)| *entry == number(first + i)));
            assert_eq!(padding, vec![E::ZERO; 2 * tables.len - chunks * len]);
        }
    }

    #[test]
    fn chunks_are_brought_together() {
        brought_together::<Gf128>();
        brought_together::<Gf192>();
    }
}
