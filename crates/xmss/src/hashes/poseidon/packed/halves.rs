//! Poseidon1 of width 16 on lanes that multiply halves of words: its matrix has entries of few bits.
//!
//! `X^16 - 1 = (X^8 - 1)(X^8 + 1)`: with `s` the sums of the two halves of the state and `d` their differences, the halves of twice the
//! product are `S s + D d` and `S s - D d`. A word is `l + 2^15 + 2^16 h` with signed `l` and `h` of 16 bits, of which `l` is the lower half with its
//! highest bit flipped; two words' halves are in a lane, and one instruction multiplies both and adds them. With `low` and `high` the sums of products
//! with `l` and `h`, the result is taken as `low / 2^16 + high`: since `1 / 2^16 = -(2^15 - 2^8) mod p`, that is one such instruction on the halves of
//! `low`, and no correction. What all the `2^15` add up to is known, and joins the constants that follow.

use super::super::portable::poseidon1::P1_16;
use super::lanes::{FieldLanes, HALF, Vector, cubes, round_constant};
use super::partial::{Partial, inverse};
use super::poseidon1::factors_to_the_end;
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::boxed::Box;
use once_cell::race::OnceBox;
use phalanx_core::lanes::WordLanes;

/// Lanes whose halves are multiplied in one instruction.
pub(crate) trait HalfLanes: FieldLanes {
    /// The lower halves of two words, those of `a` below.
    fn lower_halves(self, a: Vector<Self>, b: Vector<Self>) -> Vector<Self>;

    /// The upper halves of two words, those of `a` below.
    fn upper_halves(self, a: Vector<Self>, b: Vector<Self>) -> Vector<Self>;

    /// The sum of the products of the lower and of the upper halves, all signed; `constant`: two halves, neither `-2^15`.
    fn product_of_halves(self, x: Vector<Self>, constant: u32) -> Vector<Self>;
}

/// `-1 / 2^16 mod p`.
const MINUS_OVER: u32 = (1 << 15) - (1 << 8);
const _: () = assert!((((MINUS_OVER as u64) << 16) + 1).is_multiple_of(P as u64));

/// Two halves as a word.
pub(super) const fn halves(low: i32, high: i32) -> u32 {
    assert!(-0x8000 < low && low < 0x8000 && -0x8000 < high && high < 0x8000);
    (low.cast_unsigned() & 0xffff) | high.cast_unsigned() << 16
}

/// Entry `(i, j)` of `S` (part 0) or `D` of the head of this file.
#[expect(clippy::cast_possible_wrap, reason = "entries are small, as `halves` asserts")]
const fn entry(part: usize, i: usize, j: usize) -> i32 {
    const fn first_column(i: usize) -> i32 {
        P1_16.mds[(16 - i) % 16].canonical() as i32
    }
    let k = (8 + i - j) % 8;
    let (a, b) = (first_column(k), first_column(k + 8));
    match part {
        0 => a + b,
        _ if i >= j => a - b,
        _ => b - a,
    }
}

/// `S` and `D`: of each row, the entries two by two.
static MATRIX: [[[u32; 4]; 8]; 2] = {
    let mut out = [[[0; 4]; 8]; 2];
    let mut n = 0;
    while n < 64 {
        let (part, i, j) = (n / 32, n / 4 % 8, n % 4);
        out[part][i][j] = halves(entry(part, i, 2 * j), entry(part, i, 2 * j + 1));
        n += 1;
    }
    out
};

/// What is missing in row `i` of a part for the `2^15` of every word: `2^15 / 2^16` for each unit of the entries, and as much once more
/// where `low` itself is taken apart, which is made up for in `S`.
fn missing(part: usize, i: usize) -> KoalaBear {
    let sum: i32 = (0..8).map(|j| entry(part, i, j)).sum();
    let sum = if part == 0 { sum + 1 } else { sum };
    let word = KoalaBear::from_reduced_montgomery(sum.unsigned_abs()).mul(HALF);
    if sum < 0 { KoalaBear::ZERO.sub(word) } else { word }
}

/// What `multiply` multiplies the product by.
fn gain() -> KoalaBear {
    KoalaBear::new(2).mul(inverse(KoalaBear::new(1 << 16)))
}

/// The constants that follow a product with the matrix: for words `i` and `i + 8` what `S s` and `D d` start from, each as halves that
/// are words by themselves.
type Constants = [[u32; 4]; 8];

/// The halves of `2^16` times `x`, the lower one first.
fn start(x: KoalaBear) -> [u32; 2] {
    let word = x.mul(KoalaBear::new(1 << 16)).montgomery();
    let word = if word > P / 2 { word.wrapping_sub(P) } else { word }.cast_signed();
    let high = (word + (1 << 15)) >> 16;
    [(word - (high << 16)).cast_unsigned(), high.cast_unsigned()]
}

fn constants(row: &[KoalaBear; 16], factor: KoalaBear) -> Constants {
    core::array::from_fn(|i| {
        let (a, b) = (row[i].mul(factor), row[i + 8].mul(factor));
        let (sum, difference) = (a.add(b).mul(HALF), a.sub(b).mul(HALF));
        let [[a, b], [c, d]] = [start(sum.add(missing(0, i))), start(difference.add(missing(1, i)))];
        [a, b, c, d]
    })
}

/// Constants of Poseidon1, with factors as in [`poseidon1::Tables`](super::poseidon1::Tables).
pub(super) struct Tables {
    /// For words that are reduced, as [`round_constant`].
    first: [u32; 16],
    initial: [Constants; 3],
    partial: Partial,
    /// For words that are reduced.
    terminal_first: [u32; 16],
    /// The last ones are those of zeros.
    terminal: [Constants; 4],
}

impl Tables {
    fn new() -> Self {
        let k = &P1_16;
        let one = KoalaBear::new(1);
        let mut factor = one;
        let initial = core::array::from_fn(|round| {
            factor = gain().mul(factor.cube());
            constants(&k.initial[round + 1], factor)
        });
        let factors = factors_to_the_end(gain());
        let (partial, offsets) = Partial::new(k, factor.cube(), factors[0]);
        let zero = [KoalaBear::ZERO; 16];
        Self {
            first: k.initial[0].map(round_constant),
            initial,
            partial,
            terminal_first: core::array::from_fn(|i| {
                round_constant(k.terminal[0][i].add(offsets[i]).mul(factors[0]))
            }),
            terminal: core::array::from_fn(|round| match round {
                3 => constants(&zero, one),
                _ => constants(&k.terminal[round + 1], factors[round + 1]),
            }),
        }
    }
}

/// Poseidon1, width 16.
pub(super) fn tables() -> &'static Tables {
    static TABLE: OnceBox<Tables> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new()))
}

/// Poseidon1 (spec section 3.2) on reduced words.
#[inline(always)]
pub(super) fn permute<L: HalfLanes>(lanes: L, x: &mut [Vector<L>; 16], k: &Tables) {
    add_constants(lanes, x, &k.first);
    for constants in &k.initial {
        cubes(lanes, x);
        multiply(lanes, x, constants);
    }
    cubes(lanes, x);
    k.partial.apply(lanes, x);
    add_constants(lanes, x, &k.terminal_first);
    for constants in &k.terminal {
        cubes(lanes, x);
        multiply(lanes, x, constants);
    }
    for word in x {
        *word = lanes.reduced(*word);
    }
}

/// Constants as [`round_constant`] has them. Input: reduced. Output: between `-p` and `p`.
#[inline(always)]
fn add_constants<L: FieldLanes>(lanes: L, x: &mut [Vector<L>; 16], constants: &[u32; 16]) {
    for i in 0..16 {
        x[i] = lanes.words().add(x[i], lanes.words().splat(constants[i]));
    }
}

/// The matrix, and the constants of the round after it. Input: reduced. Output: between `-p` and `p`.
///
/// Rows sum to 371, so the sums of both matrices' products with halves are below `2 * 371 * 2^15 < 2^25`, with the constants too. A word
/// of the result is within `2^15 (2^15 - 2^8)` of a sum and the upper half of another, thus within `2^30 + 2^25 < p`.
#[inline(always)]
fn multiply<L: HalfLanes>(lanes: L, x: &mut [Vector<L>; 16], constants: &Constants) {
    let words = lanes.words();
    let [mut sum_low, mut sum_high, mut difference_low, mut difference_high] = [[x[0]; 4]; 4];
    for j in 0..4 {
        // Differences of reduced words are between -p and p; so is one's sum with the other less p.
        let (i, p) = (2 * j, words.splat(P));
        let (a, b) = (words.sub(x[i], x[i + 8]), words.sub(x[i + 1], x[i + 9]));
        difference_low[j] = lower_halves(lanes, a, b);
        difference_high[j] = lanes.upper_halves(a, b);
        let (a, b) = (words.add(x[i], words.sub(x[i + 8], p)), words.add(x[i + 1], words.sub(x[i + 9], p)));
        sum_low[j] = lower_halves(lanes, a, b);
        sum_high[j] = lanes.upper_halves(a, b);
    }
    for i in 0..8 {
        let [a, b, c, d] = constants[i];
        let s_low = dot(lanes, a, &MATRIX[0][i], &sum_low);
        let s_high = dot(lanes, b, &MATRIX[0][i], &sum_high);
        let d_low = dot(lanes, c, &MATRIX[1][i], &difference_low);
        let d_high = dot(lanes, d, &MATRIX[1][i], &difference_high);
        x[i] = joined(lanes, words.add(s_low, d_low), words.add(s_high, d_high));
        x[i + 8] = joined(lanes, words.sub(s_low, d_low), words.sub(s_high, d_high));
    }
}

/// The lower halves of two words, less `2^15`.
#[inline(always)]
fn lower_halves<L: HalfLanes>(lanes: L, a: Vector<L>, b: Vector<L>) -> Vector<L> {
    lanes.words().xor(lanes.lower_halves(a, b), lanes.words().splat(0x8000_8000))
}

/// `start + row . x`.
#[inline(always)]
fn dot<L: HalfLanes>(lanes: L, start: u32, row: &[u32; 4], x: &[Vector<L>; 4]) -> Vector<L> {
    let words = lanes.words();
    let a = words.add(lanes.product_of_halves(x[0], row[0]), lanes.product_of_halves(x[1], row[1]));
    let b = words.add(lanes.product_of_halves(x[2], row[2]), lanes.product_of_halves(x[3], row[3]));
    words.add(words.add(a, b), words.splat(start))
}

/// `low / 2^16 + high` less `1 / 2`, modulo `p`.
#[inline(always)]
fn joined<L: HalfLanes>(lanes: L, low: Vector<L>, high: Vector<L>) -> Vector<L> {
    const OVER: u32 = halves(-MINUS_OVER.cast_signed(), 1);
    let words = lanes.words();
    words.add(high, lanes.product_of_halves(words.xor(low, words.splat(1 << 15)), OVER))
}
