//! Dot products with known coefficients, summed in 64 bits, with few reductions.
//!
//! Coefficients are the signed residues of least absolute value. With `n` the sum of the absolute values of the negative ones and `q` that
//! of the positive ones, a dot product with reduced words is between `-n p` and `q p`; a sum that starts `n p` higher is congruent and never
//! negative. So terms join a *group* as long as `n + q` allows, eight or so at a time, and only after each group is the sum folded.

use super::lanes::FieldLanes;
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::vec::Vec;

/// `n + q` of a group after a fold: with what it left, below `2^32 p`, the sum is below `2^33 p`, as [`FieldLanes::fold`] asks.
const NEXT: u64 = 1 << 32;

/// `n + q` of the first group, less one, because a sum may start with a constant.
const FIRST: u64 = (1 << 33) - 1;

/// The residue of least absolute value, as a signed integer in a word.
pub(super) fn signed(x: u32) -> u32 {
    if x > P / 2 { x.wrapping_sub(P) } else { x }
}

/// Dot products of the same words with `K` rows of coefficients, side by side: each word is loaded once for all of them.
pub(super) struct Rows<const K: usize> {
    /// For each symbol, its coefficients.
    pub(super) coefficients: Vec<[u32; K]>,
    pub(super) groups: Vec<Group<K>>,
}

pub(super) struct Group<const K: usize> {
    /// How many symbols it has.
    pub(super) count: usize,
    /// `n p` for each row, in the first group with the constant.
    pub(super) biases: [u64; K],
}

impl<const K: usize> Rows<K> {
    /// Rows of Montgomery words, of equal length, and the constants that are added.
    ///
    /// `more`: for each row, the coefficient of a term that the caller adds to the sum, or zero.
    pub(super) fn new(rows: [&[KoalaBear]; K], constants: [KoalaBear; K], more: [u32; K]) -> Self {
        let more = more.map(u32::cast_signed);
        let mut groups: Vec<Group<K>> = Vec::new();
        let mut coefficients = Vec::new();
        let (mut count, mut sizes, mut negative) = (0, [0; K], [0; K]);
        let mut limit = FIRST;
        // `2^32` times the constant, reduced; nothing after the first group.
        let mut starts = constants.map(|c| (u64::from(c.montgomery()) << 32) % u64::from(P));
        for i in 0..rows[0].len() {
            let words: [u32; K] = core::array::from_fn(|row| signed(rows[row][i].montgomery()));
            let absolute = words.map(|word| u64::from(word.cast_signed().unsigned_abs()));
            let last = i + 1 == rows[0].len();
            let room = |row: usize| if last { u64::from(more[row].unsigned_abs()) } else { 0 };
            if (0..K).any(|row| sizes[row] + absolute[row] + room(row) > limit) {
                let biases = core::array::from_fn(|row| negative[row] * u64::from(P) + starts[row]);
                groups.push(Group { count, biases });
                (count, sizes, negative, starts, limit) = (0, [0; K], [0; K], [0; K], NEXT);
            }
            for row in 0..K {
                sizes[row] += absolute[row];
                negative[row] += if words[row].cast_signed() < 0 { absolute[row] } else { 0 };
            }
            coefficients.push(words);
            count += 1;
        }
        let biases = core::array::from_fn(|row| {
            (negative[row] + u64::from(more[row].min(0).unsigned_abs())) * u64::from(P) + starts[row]
        });
        groups.push(Group { count, biases });
        Self { coefficients, groups }
    }

    /// The sums, not folded after the last group: below `2^33 p`.
    #[inline(always)]
    pub(super) fn times<L: FieldLanes>(&self, lanes: L, x: &[L::Factor]) -> [L::Wide; K] {
        let mut sums = [lanes.splat_wide(0); K];
        let mut start = 0;
        // By hand: iterators and closures over vectors may stay calls.
        for (i, group) in self.groups.iter().enumerate() {
            for (row, sum) in sums.iter_mut().enumerate() {
                let bias = lanes.splat_wide(group.biases[row]);
                *sum = if i > 0 { lanes.add_wide(lanes.fold(*sum), bias) } else { bias };
            }
            let end = start + group.count;
            let (coefficients, x) = (&self.coefficients[start..end], &x[start..end]);
            for i in 0..coefficients.len() {
                for row in 0..K {
                    sums[row] = lanes.add_wide(sums[row], lanes.product(x[i], coefficients[i][row]));
                }
            }
            start = end;
        }
        sums
    }
}

/// `sum + a . x` without reduction.
#[inline(always)]
pub(super) fn dot<L: FieldLanes, const Q: usize>(
    lanes: L,
    mut sum: L::Wide,
    a: &[u32; Q],
    x: &[L::Factor; Q],
) -> L::Wide {
    for i in 0..Q {
        sum = lanes.add_wide(sum, lanes.product(x[i], a[i]));
    }
    sum
}
