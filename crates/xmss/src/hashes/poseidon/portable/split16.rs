//! Poseidon1 of width 16 on one lane, with the partial rounds in split form (docs/koalabear-poseidon1.md).
//!
//! The circulant matrix is the product with a polynomial modulo `X^16 - 1`, which falls apart into sixteen linear factors: in the
//! form of the values at the 16th roots of one the matrix is one product a word. In the full rounds it is applied to integers,
//! since its entries are small.
//!
//! Words are those of [`signed`](super::signed). Between S-boxes they carry known factors, as those of the packed lanes do.

use super::super::constants::{P1_MDS_16, P1_ROUNDS_16};
use super::poseidon1::P1_16;
use super::signed::{PlainFactor as Factor, Signed, centered, element, word};
use crate::fields::koala_bear::{KoalaBear, P};

/// The partial rounds.
const ROUNDS: usize = P1_ROUNDS_16.len() - 8;

/// The square roots into which a piece modulo `X^(2n) - r^2` falls apart, in the order of the pieces: `(w^e)` with `w` of order 16.
const ROOTS: [KoalaBear; 8] = {
    let exponents = [0, 4, 2, 6, 1, 5, 3, 7];
    // 3 generates the multiplicative group.
    let w = KoalaBear::new(3).power((P - 1) / 16);
    assert!(w.power(8).add(KoalaBear::new(1)).montgomery() == 0);
    let mut roots = [KoalaBear::ZERO; 8];
    let mut i = 0;
    while i < 8 {
        roots[i] = w.power(exponents[i]);
        i += 1;
    }
    roots
};

/// The roots as factors, and their inverses.
static SPLIT: [[Factor; 8]; 2] = {
    let mut factors = [[Factor::ZERO; 8]; 2];
    let mut i = 0;
    while i < 8 {
        factors[0][i] = Factor::new(ROOTS[i]);
        factors[1][i] = Factor::new(ROOTS[i].power(P - 2));
        i += 1;
    }
    factors
};

/// One level of the split: `N` coefficients in a piece afterwards.
#[inline(always)]
fn split_level<I: Signed, const N: usize>(x: &mut [I; 16]) {
    for (piece, words) in x.chunks_exact_mut(2 * N).enumerate() {
        for j in 0..N {
            let mut high = words[N + j];
            if N == 1 {
                high = high.fold();
            }
            if piece > 0 {
                high = high.times_plain(SPLIT[0][piece]);
            }
            [words[j], words[N + j]] = [words[j] + high, words[j] - high];
        }
    }
}

/// The values of a polynomial at the roots of one. Input: within `1.005 p`. Output: within `0.6 p`.
///
/// What is multiplied is within `4.02 p < 2^33`: after `n` levels words without products are within `2^n 1.005 p`, and the others
/// within that, for a product of a word within `1.005 p` is within `1.5 p`, and of one within `2.01 p` below `2.01 p`.
#[inline(always)]
fn split<I: Signed>(x: &mut [I; 16]) {
    split_level::<I, 8>(x);
    split_level::<I, 4>(x);
    split_level::<I, 2>(x);
    split_level::<I, 1>(x);
    for word in x {
        *word = word.fold();
    }
}

/// One level of the way back: `N` coefficients in a piece before.
#[inline(always)]
fn join_level<I: Signed, const N: usize>(x: &mut [I; 16]) {
    for (piece, words) in x.chunks_exact_mut(2 * N).enumerate() {
        for j in 0..N {
            let [low, high] = [words[j], words[N + j]];
            [words[j], words[N + j]] = [low + high, low - high];
            if piece > 0 {
                let high = if N == 4 { words[N + j].fold() } else { words[N + j] };
                words[N + j] = high.times_plain(SPLIT[1][piece]);
            }
        }
    }
}

/// 16 times the coefficients of the polynomial with these values. Input: within `4 p`. Output: within `18 p`.
///
/// Folded, words are within `0.54 p`. They at most double with each level, so what is multiplied in the second one is within
/// `2.2 p`, and what is in the third one within `4.4 p`, and folded.
#[inline(always)]
fn join<I: Signed>(x: &mut [I; 16]) {
    for word in &mut *x {
        *word = word.fold();
    }
    join_level::<I, 1>(x);
    join_level::<I, 2>(x);
    join_level::<I, 4>(x);
    join_level::<I, 8>(x);
}

/// The matrix as five blocks of integers, as in the packed lanes (`Matrix` there): its product comes out four times.
struct Matrix {
    sum: [[i64; 4]; 4],
    difference: [[i64; 4]; 4],
    diagonal: [[i64; 4]; 4],
    upper: [[i64; 4]; 4],
    lower: [[i64; 4]; 4],
}

const MATRIX: Matrix = {
    const fn first_column(i: usize) -> i64 {
        P1_MDS_16[(16 - i) % 16] as i64
    }
    /// Twice entry (i, j) of the product modulo `X^8 + 1`.
    const fn negacyclic(i: usize, j: usize) -> i64 {
        let k = (8 + i - j) % 8;
        let entry = 2 * (first_column(k) - first_column(k + 8));
        if i >= j { entry } else { -entry }
    }
    let zero = [[0; 4]; 4];
    let mut m = Matrix { sum: zero, difference: zero, diagonal: zero, upper: zero, lower: zero };
    let mut n = 0;
    while n < 16 {
        let (i, j) = (n / 4, n % 4);
        let k = (4 + i - j) % 4;
        let (even, odd) = (first_column(k) + first_column(k + 8), first_column(k + 4) + first_column(k + 12));
        m.sum[i][j] = even + odd;
        m.difference[i][j] = if i >= j { even - odd } else { odd - even };
        m.diagonal[i][j] = negacyclic(i, j);
        m.upper[i][j] = negacyclic(i, j + 4) - negacyclic(i, j);
        m.lower[i][j] = negacyclic(i + 4, j) - negacyclic(i, j);
        n += 1;
    }
    m
};

/// Four times the product with the matrix. Input: within `2 p`. Output: within `2^43`, for the rows sum to 371.
#[inline(always)]
fn multiply<I: Signed>(x: &mut [I; 16]) {
    let dot = |row: &[i64; 4], x: &[I; 4]| {
        let [a, b, c, d] = row.map(I::from);
        a * x[0] + b * x[1] + c * x[2] + d * x[3]
    };
    let [mut sum, mut difference, mut low, mut high, mut both] = [[x[0]; 4]; 5];
    for i in 0..4 {
        let (a, b) = (x[i] + x[i + 8], x[i + 4] + x[i + 12]);
        [sum[i], difference[i]] = [a + b, a - b];
        [low[i], high[i]] = [x[i] - x[i + 8], x[i + 4] - x[i + 12]];
        both[i] = low[i] + high[i];
    }
    for i in 0..4 {
        let a = dot(&MATRIX.sum[i], &sum);
        let b = dot(&MATRIX.difference[i], &difference);
        let t = dot(&MATRIX.diagonal[i], &both);
        let c = t + dot(&MATRIX.upper[i], &high);
        let d = t + dot(&MATRIX.lower[i], &low);
        [x[i], x[i + 4]] = [a + b + c, a - b + d];
        [x[i + 8], x[i + 12]] = [a + b - c, a - b - d];
    }
}

/// Constants of the permutation, with the factors of their places.
///
/// The split words are `1/64` of the true ones, `s`, and their sum is `X = x / 4`, with `x` the S-box's input. Then `X (X^2 - 1/16)` is
/// `(x^3 - x) / 64`: what is to be added to each of them for `x^3` to take the place of `x`.
struct Tables {
    /// For the first full round, then, `2^32` times, for the three others.
    initial: [[i64; 16]; 4],
    /// What the sum of the words lacks in each partial round.
    partial: [i64; ROUNDS],
    /// The matrix in split form: before the partial rounds (with the change of the factor), between two, and after them.
    matrix: [[Factor; 16]; 3],
    /// For the first full round, then, `2^32` times, for the three others.
    terminal: [[i64; 16]; 4],
}

static TABLES: Tables = Tables::new();

impl Tables {
    const fn new() -> Self {
        // What `multiply` with the reduction after it multiplies the product by.
        let gain = KoalaBear::new(4).mul(KoalaBear::from_reduced_montgomery(1));
        let mut before = KoalaBear::new(1);
        let mut initial = [[0; 16]; 4];
        let mut round = 0;
        while round < 4 {
            initial[round] = constants(&P1_16.initial[round], before, round > 0);
            before = before.cube();
            if round < 3 {
                before = before.mul(gain);
            }
            round += 1;
        }
        // From the last round to the first: the factor whose cube, times the gain, is the next one.
        let mut after = KoalaBear::new(1);
        let mut factors = [after; 4];
        while round > 0 {
            round -= 1;
            after = cube_root(after.mul(gain.power(P - 2)));
            factors[round] = after;
        }
        // The constants are added to all words. Nothing but the sum of the words needs to know it before the end.
        let mut offsets = [KoalaBear::ZERO; 16];
        let mut partial = [0; ROUNDS];
        let quarter = KoalaBear::new(4).power(P - 2);
        while round < ROUNDS {
            let mut i = 0;
            while i < 16 {
                offsets[i] = offsets[i].add(P1_16.partial[round][i]);
                i += 1;
            }
            partial[round] = centered(offsets[0].mul(quarter).montgomery());
            offsets = times_matrix(&offsets);
            round += 1;
        }
        let mut i = 0;
        while i < 16 {
            offsets[i] = offsets[i].add(P1_16.terminal[0][i]);
            i += 1;
        }
        let mut terminal = [constants(&offsets, factors[0], false), [0; 16], [0; 16], [0; 16]];
        round = 1;
        while round < 4 {
            terminal[round] = constants(&P1_16.terminal[round], factors[round], true);
            round += 1;
        }
        let scale = KoalaBear::new(64).power(P - 2);
        let to_scale = scale.mul(before.power(P - 2));
        // `join` multiplies by 16.
        let from_scale = factors[0].mul(scale.mul(KoalaBear::new(16)).power(P - 2));
        let matrix = [eigenvalues(to_scale), eigenvalues(KoalaBear::new(1)), eigenvalues(from_scale)];
        Self { initial, partial, matrix, terminal }
    }
}

/// The constants times `factor`, and times `2^32` if they are to be added before a reduction.
const fn constants(row: &[KoalaBear; 16], factor: KoalaBear, before_reduction: bool) -> [i64; 16] {
    let mut out = [0; 16];
    let mut i = 0;
    while i < 16 {
        let constant = row[i].mul(factor).montgomery();
        out[i] = if before_reduction { centered(constant) << 32 } else { centered(constant) };
        i += 1;
    }
    out
}

/// The product with the matrix, by its rows.
const fn times_matrix(x: &[KoalaBear; 16]) -> [KoalaBear; 16] {
    let mut out = [KoalaBear::ZERO; 16];
    let mut n = 0;
    while n < 256 {
        let (i, j) = (n / 16, n % 16);
        out[i] = out[i].add(P1_16.mds[(16 + j - i) % 16].mul(x[j]));
        n += 1;
    }
    out
}

/// The matrix in split form, times `factor`: the values of its polynomial.
const fn eigenvalues(factor: KoalaBear) -> [Factor; 16] {
    let mut out = [Factor::ZERO; 16];
    let mut i = 0;
    while i < 16 {
        let root = ROOTS[i / 2];
        let root = if i % 2 == 0 { root } else { KoalaBear::ZERO.sub(root) };
        // Coefficient k is row[-k].
        let (mut value, mut k) = (KoalaBear::ZERO, 16);
        while k > 0 {
            k -= 1;
            value = value.mul(root).add(P1_16.mds[(16 - k) % 16]);
        }
        out[i] = Factor::new(value.mul(factor));
        i += 1;
    }
    out
}

/// The only `y` with `y^3 = x`: the exponent is the inverse of 3 modulo `p - 1`.
const fn cube_root(x: KoalaBear) -> KoalaBear {
    const { assert!((P - 1) % 3 == 1) };
    x.power((P - 1) - (P - 2) / 3)
}

/// `-1/16` as a Montgomery word: `-2^28`.
const MINUS_SIXTEENTH: i64 = -(1 << 28);

/// The partial rounds on split words: those at the entry within `0.6 p`, all others within `3 p`.
#[inline(always)]
fn partial_rounds<I: Signed>(x: &mut [I; 16]) {
    let [enter, inside, leave] = &TABLES.matrix;
    for (word, factor) in x.iter_mut().zip(enter) {
        *word = word.times_plain(*factor);
    }
    for (round, &constant) in TABLES.partial.iter().enumerate() {
        // As a tree: the S-box waits for it.
        let pair = |i: usize| (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3]);
        let sum = (pair(0) + pair(4)) + (pair(8) + pair(12)) + constant.into();
        // The sum is within 48.5 p and folded within 0.9 p, its square within 0.81 p^2, that reduced within 0.91 p, and with the
        // summand 1.04 p: what is reduced next is within 0.94 p^2, and becomes at most 0.97 p. Words within 3 p
        // and this are within 3.97 p < 2^33.
        let sum = sum.fold();
        let d = (((sum * sum).reduce() + MINUS_SIXTEENTH.into()) * sum).reduce();
        let factors = if round + 1 < ROUNDS { inside } else { leave };
        for (word, factor) in x.iter_mut().zip(factors) {
            *word = (*word + d).times_plain(*factor);
        }
    }
}

/// The permutation (spec section 3.2).
pub(super) fn permute(state: &mut [KoalaBear; 16]) {
    *state = permute_words(state.map(word)).map(element);
}

/// The permutation on words. Input: between 0 and `p`. Output: within `p - 1`.
#[inline(always)]
pub(super) fn permute_words<I: Signed>(mut x: [I; 16]) -> [I; 16] {
    add_and_fold(&mut x, &TABLES.initial[0]);
    for constants in &TABLES.initial[1..] {
        sboxes(&mut x);
        next(&mut x, constants);
    }
    sboxes(&mut x);
    split(&mut x);
    partial_rounds(&mut x);
    join(&mut x);
    add_and_fold(&mut x, &TABLES.terminal[0]);
    for constants in &TABLES.terminal[1..] {
        sboxes(&mut x);
        next(&mut x, constants);
    }
    sboxes(&mut x);
    next(&mut x, &[0; 16]);
    x
}

/// The constants of a round before which nothing is reduced.
#[inline(always)]
fn add_and_fold<I: Signed>(x: &mut [I; 16], constants: &[i64; 16]) {
    for (word, constant) in x.iter_mut().zip(constants) {
        *word = (*word + (*constant).into()).fold();
    }
}

/// The S-box on every word.
#[inline(always)]
fn sboxes<I: Signed>(x: &mut [I; 16]) {
    for four in x.as_chunks_mut().0 {
        *four = I::cubes(*four);
    }
}

/// The matrix, and the constants of the round after it. Input: within `2 p`. Output: within `p + 2^11`.
#[inline(always)]
fn next<I: Signed>(x: &mut [I; 16], constants: &[i64; 16]) {
    multiply(x);
    for (word, constant) in x.iter_mut().zip(constants) {
        *word = (*word + (*constant).into()).reduce();
    }
}
