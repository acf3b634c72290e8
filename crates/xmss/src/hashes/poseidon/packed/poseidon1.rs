//! Poseidon1 on packed lanes.
//!
//! * **Matrix.** The circulant matrix is split by `X^T - 1 = (X^(T/4) - 1)(X^(T/4) + 1)(X^(T/2) + 1)`, the last factor
//!   once more into three Toeplitz blocks: 5/16 of the products, summed in 64 bits ([`Matrix`]).
//! * **Partial rounds.** One linear map around the S-boxes of word 0, with the matrix before them ([`Partial`]).

use super::super::portable::poseidon1::{self as portable, Poseidon1};
use super::dots::{dot, signed};
use super::lanes::{FieldLanes, HALF, Vector, round_constant, sboxes};
use super::partial::{Partial, inverse, word_of_sum};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::boxed::Box;
use once_cell::race::OnceBox;
use phalanx_core::lanes::WordLanes;

/// The circulant matrix of Poseidon1, four times, as five blocks of `Q x Q` with `T = 4 Q`.
///
/// With `b` the first column, `X^T - 1` splits the cyclic product into one modulo `X^(T/2) - 1` of the sums of the two
/// halves and one modulo `X^(T/2) + 1` of their differences; each half of the result is the sum or the difference of
/// the two, over 2. The first of them splits in the same way. The second is a Toeplitz matrix `[A B; C A]`:
/// `A v0 + B v1 = A (v0 + v1) + (B - A) v1` and `C v0 + A v1 = A (v0 + v1) + (C - A) v0`.
struct Matrix<const Q: usize> {
    /// Modulo `X^Q - 1`.
    sum: [[u32; Q]; Q],
    /// Modulo `X^Q + 1`.
    difference: [[u32; Q]; Q],
    /// Twice `A`, `B - A` and `C - A`.
    diagonal: [[u32; Q]; Q],
    upper: [[u32; Q]; Q],
    lower: [[u32; Q]; Q],
    /// Multiples of `p` by which products by rows of `sum`, of `difference`, and of `diagonal` with `upper` or `lower` are raised, so that
    /// they are not negative.
    biases: [[u64; 4]; Q],
}

impl<const Q: usize> Matrix<Q> {
    /// Splits the matrix with this first row; an entry becomes a word through `word`.
    fn new<const T: usize>(row: &[KoalaBear; T], word: fn(KoalaBear) -> u32) -> Self {
        let sub = KoalaBear::sub;
        let minus_one = KoalaBear::new(P - 1);
        // The first column: M[i][j] = row[(j - i) mod T].
        let b: [KoalaBear; T] = core::array::from_fn(|i| row[(T - i) % T]);
        let double = |x: KoalaBear| x.add(x);
        let (half, quarter) = (T / 2, T / 4);
        let plus = |i: usize| b[i].add(b[i + half]);
        let minus = |i: usize| sub(b[i], b[i + half]);
        // Entry (i, j) of the product modulo X^half + 1, and of twice that.
        let negacyclic = |i: usize, j: usize| {
            double(if i >= j { minus(i - j) } else { minus(half + i - j).mul(minus_one) })
        };
        let block = |entry: &dyn Fn(usize, usize) -> KoalaBear| block(&|i, j| word(entry(i, j)));
        let mut matrix = Self {
            biases: [[0; 4]; Q],
            sum: block(&|i, j| {
                let k = (quarter + i - j) % quarter;
                plus(k).add(plus(k + quarter))
            }),
            difference: block(&|i, j| {
                let k = (quarter + i - j) % quarter;
                let entry = sub(plus(k), plus(k + quarter));
                if i >= j { entry } else { entry.mul(minus_one) }
            }),
            diagonal: block(&|i, j| negacyclic(i, j)),
            upper: block(&|i, j| sub(negacyclic(i, j + quarter), negacyclic(i, j))),
            lower: block(&|i, j| sub(negacyclic(i + quarter, j), negacyclic(i, j))),
        };
        for i in 0..Q {
            let m = &matrix;
            let rows = [(&m.sum[i], None), (&m.difference[i], None)];
            let rows =
                [rows[0], rows[1], (&m.diagonal[i], Some(&m.upper[i])), (&m.diagonal[i], Some(&m.lower[i]))];
            matrix.biases[i] = rows.map(|(row, more)| {
                let entries = || row.iter().chain(more.into_iter().flatten()).map(|x| x.cast_signed());
                let size: u64 = entries().map(|x| u64::from(x.unsigned_abs())).sum();
                assert!(size <= 1 << 33, "sums of products stay below 2^33 p");
                entries().map(|x| u64::from(x.min(0).unsigned_abs())).sum::<u64>() * u64::from(P)
            });
        }
        matrix
    }

    /// Whether the absolute values of the signed entries that meet in one word add up to less than `bound`.
    fn rows_are_below(&self, bound: u32) -> bool {
        let size = |row: &[u32; Q]| row.iter().map(|x| x.cast_signed().unsigned_abs()).sum::<u32>();
        (0..Q).all(|i| {
            let last = size(&self.upper[i]).max(size(&self.lower[i]));
            size(&self.sum[i]) + size(&self.difference[i]) + size(&self.diagonal[i]) + last < bound
        })
    }
}

/// The block with these entries. Not inlined: run once, it would be unrolled ten times.
#[inline(never)]
fn block<const Q: usize>(entry: &dyn Fn(usize, usize) -> u32) -> [[u32; Q]; Q] {
    core::array::from_fn(|i| core::array::from_fn(|j| entry(i, j)))
}

/// Constants of Poseidon1 with width `T = 4 Q`.
///
/// Words may carry a factor: `factor * true word`. It becomes `matrix_factor * factor^3` in a full round; constants
/// are multiplied by the factor of their place, and the linear maps of the partial rounds turn the factor that the
/// first full rounds leave into the one that the last full rounds bring to 1.
pub(super) struct Tables<const T: usize, const Q: usize> {
    initial: [[u32; T]; 4],
    matrix: Matrix<Q>,
    partial: Partial,
    terminal: [[u32; T]; 4],
}

impl<const T: usize, const Q: usize> Tables<T, Q> {
    /// Prepares `k`. If the entries of the matrix are small integers, they are kept so (`small`), and the product
    /// comes out with the factor `4 / 2^32`; if not, the factor is taken out of them.
    fn new<const R: usize>(k: &Poseidon1<T, R>, small: bool) -> Self {
        let quarter = HALF.mul(HALF);
        let (matrix, matrix_factor) = if small {
            let matrix = Matrix::new(&k.mds, |x| signed(x.canonical()));
            assert!(
                matrix.rows_are_below(1 << 12),
                "sums of `SMALL` products stay below 2^12 p, see `multiply`"
            );
            (matrix, KoalaBear::new(4).mul(KoalaBear::from_reduced_montgomery(1)))
        } else {
            let matrix = Matrix::new(&k.mds.map(|x| x.mul(quarter)), |x| signed(x.montgomery()));
            (matrix, KoalaBear::new(1))
        };
        let one = KoalaBear::new(1);
        // The matrix of the last initial round is left to the partial ones: what comes in has the factor of its S-boxes' outputs.
        let (mut factor, mut before) = (one, one);
        let initial = k.initial.map(|constants| {
            let scaled = constants.map(|c| round_constant(c.mul(factor)));
            before = factor.cube();
            factor = matrix_factor.mul(before);
            scaled
        });
        let factors = factors_to_the_end(matrix_factor);
        let (partial, offsets) = Partial::new(k, before, factors[0]);
        let mut constants = k.terminal;
        for (constant, offset) in constants[0].iter_mut().zip(offsets) {
            *constant = constant.add(offset);
        }
        let terminal = core::array::from_fn(|i| constants[i].map(|c| round_constant(c.mul(factors[i]))));
        Self { initial, matrix, partial, terminal }
    }
}

/// The factors that the words must have in each of the last full rounds to have none after them, if the matrix comes with the factor `gain`.
pub(super) fn factors_to_the_end(gain: KoalaBear) -> [KoalaBear; 4] {
    let mut factor = KoalaBear::new(1);
    let mut factors = [factor; 4];
    for place in factors.iter_mut().rev() {
        // gain * factor^3 is the next one.
        factor = cube_root(factor.mul(inverse(gain)));
        *place = factor;
    }
    factors
}

/// The only `y` with `y^3 = x`: the exponent is the inverse of 3 modulo `p - 1`.
fn cube_root(x: KoalaBear) -> KoalaBear {
    const { assert!((P - 1) % 3 == 1) };
    x.power((P - 1) - (P - 2) / 3)
}

/// Poseidon1, width 16. The entries of its matrix are at most 101 and add up to 371.
pub(super) fn tables_16() -> &'static Tables<16, 4> {
    static TABLE: OnceBox<Tables<16, 4>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new(&portable::P1_16, true)))
}

/// Poseidon1, width 24.
pub(super) fn tables_24() -> &'static Tables<24, 6> {
    static TABLE: OnceBox<Tables<24, 6>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new(&portable::P1_24, false)))
}

/// Poseidon1 (spec section 3.2) on reduced words. `SMALL`: the matrix has small integer entries.
#[inline(always)]
pub(super) fn permute<L: FieldLanes, const T: usize, const Q: usize, const SMALL: bool>(
    lanes: L,
    x: &mut [Vector<L>; T],
    k: &Tables<T, Q>,
) {
    let mut parts = Parts::new(lanes);
    for constants in &k.initial[..3] {
        sboxes(lanes, x, constants);
        multiply::<L, T, Q, SMALL>(lanes, x, &k.matrix, &mut parts);
    }
    sboxes(lanes, x, &k.initial[3]);
    k.partial.apply(lanes, x);
    for constants in &k.terminal {
        sboxes(lanes, x, constants);
        multiply::<L, T, Q, SMALL>(lanes, x, &k.matrix, &mut parts);
    }
}

/// What the blocks of the matrix are multiplied by. One for all rounds: made anew in each, all of it would be written twice.
struct Parts<L: FieldLanes, const Q: usize> {
    /// Sums and differences of the sums of the halves.
    sum: [L::Factor; Q],
    difference: [L::Factor; Q],
    /// The differences of the halves, and their sums.
    low: [L::Factor; Q],
    high: [L::Factor; Q],
    both: [L::Factor; Q],
}

impl<L: FieldLanes, const Q: usize> Parts<L, Q> {
    #[inline(always)]
    fn new(lanes: L) -> Self {
        let zero = [lanes.factor(lanes.words().splat(0)); Q];
        Self { sum: zero, difference: zero, low: zero, high: zero, both: zero }
    }
}

/// Multiplies reduced words by the matrix.
#[inline(always)]
fn multiply<L: FieldLanes, const T: usize, const Q: usize, const SMALL: bool>(
    lanes: L,
    x: &mut [Vector<L>; T],
    matrix: &Matrix<Q>,
    parts: &mut Parts<L, Q>,
) {
    for i in 0..Q {
        let a = lanes.add(x[i], x[i + 2 * Q]);
        let b = lanes.add(x[i + Q], x[i + 3 * Q]);
        parts.sum[i] = lanes.factor(lanes.add(a, b));
        parts.difference[i] = lanes.factor(lanes.sub(a, b));
        let a = lanes.sub(x[i], x[i + 2 * Q]);
        let b = lanes.sub(x[i + Q], x[i + 3 * Q]);
        parts.low[i] = lanes.factor(a);
        parts.high[i] = lanes.factor(b);
        parts.both[i] = lanes.factor(lanes.add(a, b));
    }
    for i in 0..Q {
        let Parts { sum, difference, low, high, both } = lanes.in_memory(&*parts);
        if SMALL {
            // All sums are below 2^12 p in absolute value (asserted where the tables are made). The first one starts at
            // 2^13 p and enters all results, which therefore lie in 0..2^14 p.
            let start = lanes.splat_wide(u64::from(P) << 13);
            let a = dot(lanes, start, &matrix.sum[i], sum);
            let b = dot(lanes, lanes.splat_wide(0), &matrix.difference[i], difference);
            let t = dot(lanes, lanes.splat_wide(0), &matrix.diagonal[i], both);
            let c = dot(lanes, t, &matrix.upper[i], high);
            let d = dot(lanes, t, &matrix.lower[i], low);
            let (plus, minus) = (lanes.add_wide(a, b), lanes.sub_wide(a, b));
            x[i] = lanes.reduced(lanes.reduce(lanes.add_wide(plus, c)));
            x[i + Q] = lanes.reduced(lanes.reduce(lanes.add_wide(minus, d)));
            x[i + 2 * Q] = lanes.reduced(lanes.reduce(lanes.sub_wide(plus, c)));
            x[i + 3 * Q] = lanes.reduced(lanes.reduce(lanes.sub_wide(minus, d)));
        } else {
            let biases = &matrix.biases[i];
            let a = dot(lanes, lanes.splat_wide(biases[0]), &matrix.sum[i], sum);
            let b = dot(lanes, lanes.splat_wide(biases[1]), &matrix.difference[i], difference);
            let t = dot(lanes, lanes.splat_wide(0), &matrix.diagonal[i], both);
            let c = lanes.add_wide(t, lanes.splat_wide(biases[2]));
            let d = lanes.add_wide(t, lanes.splat_wide(biases[3]));
            let a = word_of_sum(lanes, a);
            let b = word_of_sum(lanes, b);
            let c = word_of_sum(lanes, dot(lanes, c, &matrix.upper[i], high));
            let d = word_of_sum(lanes, dot(lanes, d, &matrix.lower[i], low));
            let (plus, minus) = (lanes.add(a, b), lanes.sub(a, b));
            x[i] = lanes.add(plus, c);
            x[i + Q] = lanes.add(minus, d);
            x[i + 2 * Q] = lanes.sub(plus, c);
            x[i + 3 * Q] = lanes.sub(minus, d);
        }
    }
}
