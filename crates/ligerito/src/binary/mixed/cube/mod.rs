//! Sums of products of bits at the points of {0, 1, infinity}^6.
//!
//! A row of two words is a function on {0, 1}^6: bit j of the 64 is its value at the bits of j. Its multilinear
//! extension has at infinity, of any coordinate, the sum of its values at 0 and at 1, the coefficient of that
//! coordinate. So at all 3^6 points it is a bit, and so is the product of two such functions. A point's number is written
//! in base 3, a digit for a coordinate, the lowest first; infinity is the digit 2.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

#[cfg(target_arch = "x86_64")]
pub(super) mod gfni512;

use crate::binary::lanes::OnLanes;
use crate::binary::{Gf32, gf32s, vectors};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::{Isa, Kernel};

/// Points of {0, 1, infinity}^6.
pub const POINTS: usize = 729;
/// Words that have a bit for every point.
const EXTENDED: usize = 27;
/// Rows that are extended side by side.
const LANES: usize = 8;
/// Rows whose products are made before they are summed: they stay in the second cache.
const ROWS: usize = 1 << 10;

/// One word of every row.
type Lanes = [u32; LANES];

/// The bits of rows at all points: to the words of a coordinate's values at 0 and 1 come those at infinity. Half of the
/// bits of such a word would be empty, so two share one.
#[inline(always)]
fn extended(first: Lanes, second: Lanes) -> [Lanes; EXTENDED] {
    const MASKS: [u32; 5] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff];
    let mut words = [[0; LANES]; EXTENDED];
    (words[0], words[1]) = (first, second);
    let mut i = 0;
    while i < LANES {
        words[2][i] = first[i] ^ second[i];
        i += 1;
    }
    let mut len = 3;
    let mut j = 5;
    while j > 0 {
        j -= 1;
        let (shift, mask) = (1 << j, MASKS[j]);
        let mut pair = 0;
        while pair < len / 2 {
            let mut i = 0;
            while i < LANES {
                let (low, high) = (words[2 * pair][i], words[2 * pair + 1][i]);
                words[len + pair][i] = (low ^ low >> shift) & mask | ((high ^ high >> shift) & mask) << shift;
                i += 1;
            }
            pair += 1;
        }
        if len % 2 == 1 {
            let mut i = 0;
            while i < LANES {
                let last = words[len - 1][i];
                words[len + len / 2][i] = (last ^ last >> shift) & mask;
                i += 1;
            }
        }
        len += len.div_ceil(2);
    }
    words
}

/// Which point every bit of [`extended`] is. By the same steps.
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

/// The products of rows of `a` and `b` at all points, to be entered: as many rows of words.
pub(super) struct Products<'a> {
    a: &'a [[u32; 2]],
    b: &'a [[u32; 2]],
    words: &'a mut [[u32; EXTENDED]],
}

impl<W> Kernel<W> for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: W) {
        let Self { a, b, words } = self;
        let rows = a.chunks(LANES).zip(b.chunks(LANES));
        for ((a, b), words) in rows.zip(words.chunks_mut(LANES)) {
            let mut lanes = [[0; LANES]; 4];
            for (lane, (a, b)) in a.iter().zip(b).enumerate() {
                (lanes[0][lane], lanes[1][lane]) = (a[0], a[1]);
                (lanes[2][lane], lanes[3][lane]) = (b[0], b[1]);
            }
            let mut products = extended(lanes[0], lanes[1]);
            let of_b = extended(lanes[2], lanes[3]);
            let mut word = 0;
            while word < EXTENDED {
                let mut i = 0;
                while i < LANES {
                    products[word][i] &= of_b[word][i];
                    i += 1;
                }
                word += 1;
            }
            for (lane, words) in words.iter_mut().enumerate() {
                let mut word = 0;
                while word < EXTENDED {
                    words[word] = products[word][lane];
                    word += 1;
                }
            }
        }
    }
}

/// As [`super::combine_products`], the products made by `make`; `combine` is [`super::combine_rows_of_bits`].
pub(super) fn combine_products<E: OnLanes>(
    isa: Isa,
    make: impl Fn(Products<'_>),
    combine: impl Fn(Isa, &[Gf32], &[E], &mut [[E; 32]]),
    [a, b]: [&[[u32; 2]]; 2],
    weights: &[E],
    scales: &[E],
    out: &mut [E; POINTS],
) {
    let mut words = vec![[0; EXTENDED]; ROWS.min(a.len())];
    let mut totals = [[E::ZERO; 32]; EXTENDED];
    for ((a, b), scale) in a.chunks(weights.len()).zip(b.chunks(weights.len())).zip(scales) {
        let mut sums = [[E::ZERO; 32]; EXTENDED];
        for ((a, b), weights) in a.chunks(ROWS).zip(b.chunks(ROWS)).zip(weights.chunks(ROWS)) {
            let words = &mut words[..a.len()];
            make(Products { a, b, words });
            let words: &[Gf32] = gf32s(words.as_flattened());
            combine(isa, words, &weights[..a.len()], &mut sums);
        }
        add_scaled(isa, totals.as_flattened_mut(), sums.as_flattened(), *scale);
    }
    for (places, totals) in places().iter().zip(&totals) {
        for (place, total) in places.iter().zip(totals) {
            if let Some(place) = place {
                out[*place] += *total;
            }
        }
    }
}

/// totals\[i\] += scale sums\[i\].
fn add_scaled<E: OnLanes>(isa: Isa, totals: &mut [E], sums: &[E], scale: E) {
    vectors::add_products(isa, totals, sums, &vec![scale; sums.len()]);
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
        for (word, places) in extended([words[0]; LANES], [words[1]; LANES]).iter().zip(places()) {
            for (i, place) in places.into_iter().enumerate() {
                let Some(place) = place else { continue };
                assert!(!core::mem::replace(&mut seen[place], true), "point {place} once");
                let digits: Vec<usize> = (0..6).map(|j| place / 3_usize.pow(j) % 3).collect();
                let agrees = |x: &usize| {
                    digits.iter().enumerate().all(|(j, digit)| *digit == 2 || *digit == x >> j & 1)
                };
                let value = (0..64).filter(agrees).fold(0, |sum, x| sum ^ bit(x));
                assert!(word.iter().all(|word| word >> i & 1 == value), "point {place}");
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
