//! The prover's zerocheck (docs/aggregate.md, section 3.1): the first six rounds from sums over bits, the others from
//! tables.
//!
//! The first six coordinates are the bits of two words. What their rounds say of a and b is a function of 3^6 sums, one
//! for every p in {0, 1, infinity}^6: of eq(zeta, y) (a b)(p, y) over all pairs y of words, where the value at infinity is
//! the coefficient of the highest power, for a multilinear a the sum of its values at 0 and at 1. So a and b at p are
//! bits, and so are their products.
#![forbid(unsafe_code)]

use crate::profile::Suite;
use crate::sums::{On, bits_of_columns, fold, weighted_round};
use crate::transcript::Transcript;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::threads::map_on;

/// Rounds without tables.
const FIRST_ROUNDS: usize = 6;
/// Points of {0, 1, infinity}^6.
const POINTS: usize = 729;
/// Words that have a bit for every point.
const EXTENDED: usize = 27;

/// The bits of two words at all points: to the words of a coordinate's values at 0 and 1 come those at infinity. Half of
/// the bits of such a word would be empty, so two share one.
fn extended([first, second]: [u32; 2]) -> [u32; EXTENDED] {
    const MASKS: [u32; 5] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff];
    let mut words = [0; EXTENDED];
    (words[0], words[1], words[2]) = (first, second, first ^ second);
    let mut len = 3;
    for j in (0..5).rev() {
        let at_infinity = |word: u32| (word ^ word >> (1 << j)) & MASKS[j];
        for pair in 0..len / 2 {
            words[len + pair] = at_infinity(words[2 * pair]) | at_infinity(words[2 * pair + 1]) << (1 << j);
        }
        if len % 2 == 1 {
            words[len + len / 2] = at_infinity(words[len - 1]);
        }
        len += len.div_ceil(2);
    }
    words
}

/// Which point every bit of [`extended`] is: its digits in base 3, infinity the 2. By the same steps.
fn places() -> Vec<[Option<usize>; 32]> {
    let base = |bit: usize, top: usize| {
        let digits = (0..5).map(|j| (bit >> j & 1) * 3_usize.pow(j));
        Some(digits.sum::<usize>() + top * 243)
    };
    let start = |top| core::array::from_fn(|bit| base(bit, top));
    let mut words: Vec<[Option<usize>; 32]> = vec![start(0), start(1), start(2)];
    for j in (0..5_u32).rev() {
        let len = words.len();
        for pair in 0..len.div_ceil(2) {
            words.push(core::array::from_fn(|bit| {
                let of = words.get(2 * pair + (bit >> j & 1)).filter(|_| 2 * pair + (bit >> j & 1) < len)?;
                of[bit & !(1 << j)].map(|point| point + 2 * 3_usize.pow(j))
            }));
        }
    }
    words
}

/// The sums for all points.
fn accumulate<E: Suite>(on: On<'_>, a: &[u32], b: &[u32], zeta: &[E]) -> Vec<E> {
    let (a, b) = (a.as_chunks::<2>().0, b.as_chunks::<2>().0);
    let make = |pairs: Range<usize>, words: &mut Vec<u32>| {
        for (a, b) in a[pairs.clone()].iter().zip(&b[pairs]) {
            let (a, b) = (extended(*a), extended(*b));
            words.extend(a.iter().zip(b).map(|(a, b)| a & b));
        }
    };
    let sums = bits_of_columns(on, a.len(), EXTENDED, zeta, &make);
    let mut points = vec![E::ZERO; POINTS];
    for (places, sums) in places().iter().zip(&sums) {
        for (place, sum) in places.iter().zip(sums) {
            if let Some(place) = place {
                points[*place] = *sum;
            }
        }
    }
    points
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

/// All rounds.
pub(crate) fn prove<E: Suite>(
    on: On<'_>,
    transcript: &mut Transcript,
    a: &[u32],
    b: &[u32],
    zeta: &[E],
) -> Checked<E> {
    let mut rounds = Rounds { transcript, point: Vec::new(), said: Vec::new() };
    let mut sums = accumulate(on, a, b, &zeta[FIRST_ROUNDS..]);
    for round in 0..FIRST_ROUNDS {
        let message = first_message(on, &sums, &zeta[round + 1..FIRST_ROUNDS]);
        let r = rounds.say(message);
        let bound = |[at_zero, at_one, at_infinity]: &[E; 3]| {
            *at_zero + r * (*at_zero + *at_one + *at_infinity) + r.square() * *at_infinity
        };
        sums = sums.as_chunks().0.iter().map(bound).collect();
    }
    let weights = E::equal(on.isa, E::ONE, &rounds.point);
    let (mut a, mut b) = (lifted(on, a, &weights), lifted(on, b, &weights));
    for round in FIRST_ROUNDS..zeta.len() {
        for table in [&mut a, &mut b] {
            if table.len() % 2 == 1 {
                table.push(E::ZERO);
            }
        }
        let r = rounds.say(weighted_round(on, &a, &b, &zeta[round + 1..]));
        (a, b) = (fold(on, a, r), fold(on, b, r));
    }
    Checked { point: rounds.point, said: rounds.said, products: [a[0], b[0]] }
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

/// Pairs of words with their bits bound: `weights` are those of the 64 bits.
fn lifted<E: Suite>(on: On<'_>, words: &[u32], weights: &[E]) -> Vec<E> {
    /// Pairs of a job.
    const PAIRS: usize = 1 << 13;
    let images = weights.as_chunks::<32>().0;
    let mut table = vec![E::ZERO; words.len() / 2];
    let jobs: Vec<_> = words.chunks(2 * PAIRS).zip(table.chunks_mut(PAIRS)).collect();
    map_on(on.pool, jobs.into_iter(), &|(words, out): (&[u32], &mut [E])| {
        E::map_bits(on.isa, words, images, out);
    });
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every point has one bit, and that bit is the value there.
    #[test]
    fn extensions_by_definition() {
        let words = [0x8123_4567, 0xfeed_beef];
        let bit = |i: usize| words[i / 32] >> (i % 32) & 1;
        let mut seen = [false; POINTS];
        for (word, places) in extended(words).iter().zip(places()) {
            for (i, place) in places.into_iter().enumerate() {
                let Some(place) = place else { continue };
                assert!(!core::mem::replace(&mut seen[place], true), "point {place} once");
                let digits: Vec<usize> = (0..6).map(|j| place / 3_usize.pow(j) % 3).collect();
                let agrees = |x: &usize| {
                    digits.iter().enumerate().all(|(j, digit)| *digit == 2 || *digit == x >> j & 1)
                };
                let value = (0..64).filter(agrees).fold(0, |sum, x| sum ^ bit(x));
                assert_eq!(word >> i & 1, value, "point {place}");
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
