//! Poseidon1 on packed lanes.
//!
//! * **Matrix.** The circulant matrix is split by `X^T - 1 = (X^(T/4) - 1)(X^(T/4) + 1)(X^(T/2) + 1)`, the last factor
//!   once more into three Toeplitz blocks: 5/16 of the products, summed in 64 bits ([`Matrix`]).
//! * **Partial rounds.** One linear map around the S-boxes of word 0, as in [`portable::PartialRounds`].

use super::super::portable::poseidon1::{self as portable, PartialRounds, Poseidon1};
use super::lanes::{FieldLanes, HALF, Vector, add, reduced, round_constant, sbox, sboxes, sub};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::boxed::Box;
use alloc::vec::Vec;
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
        Self {
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
        }
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
    /// Constant before the first partial S-box.
    first: u32,
    /// For each later partial S-box: the constant, and the coefficients of the symbols in order (see
    /// [`PartialRounds`]), filled up with zeros to an even number.
    inputs: Vec<(u32, Vec<u32>)>,
    /// For each word after the partial rounds: the coefficients.
    outputs: Vec<Vec<u32>>,
    terminal: [[u32; T]; 4],
}

impl<const T: usize, const Q: usize> Tables<T, Q> {
    /// Prepares `k`. If the entries of the matrix are small integers, they are kept so (`small`), and the product
    /// comes out with the factor `4 / 2^32`; if not, the factor is taken out of them.
    fn new<const R: usize>(k: &Poseidon1<T, R>, partial: &PartialRounds<T>, small: bool) -> Self {
        let quarter = HALF.mul(HALF);
        let (matrix, matrix_factor) = if small {
            let matrix = Matrix::new(&k.mds, signed);
            assert!(
                matrix.rows_are_below(1 << 12),
                "sums of `SMALL` products stay below 2^12 p, see `multiply`"
            );
            (matrix, KoalaBear::new(4).mul(KoalaBear::from_reduced_montgomery(1)))
        } else {
            (Matrix::new(&k.mds.map(|x| x.mul(quarter)), KoalaBear::montgomery), KoalaBear::new(1))
        };
        let mut before = KoalaBear::new(1);
        let initial = k.initial.map(|constants| {
            let scaled = constants.map(|c| round_constant(c.mul(before)));
            before = matrix_factor.mul(before.cube());
            scaled
        });
        // From the last round to the first: factor = cube root of (next factor / matrix_factor).
        let mut after = KoalaBear::new(1);
        let mut factors = [after; 4];
        for factor in factors.iter_mut().rev() {
            after = cube_root(after.mul(inverse(matrix_factor)));
            *factor = after;
        }
        // The constant of each output word joins those of the first full round after it.
        let mut constants = k.terminal;
        for (c, output) in constants[0].iter_mut().zip(&partial.outputs) {
            *c = c.add(*output.last().expect("at least the constant"));
        }
        let terminal = core::array::from_fn(|i| constants[i].map(|c| round_constant(c.mul(factors[i]))));
        // Symbols: T - 1 words and the first S-box output carry factors, all later S-boxes work without one.
        let coefficients = |row: &[KoalaBear], factor: KoalaBear| {
            let mut list: Vec<u32> = (row[..row.len() - 1].iter().enumerate())
                .map(|(i, c)| match i {
                    _ if i < T - 1 => c.mul(inverse(before)).mul(factor).montgomery(),
                    _ if i == T - 1 => c.mul(inverse(before.cube())).mul(factor).montgomery(),
                    _ => c.mul(factor).montgomery(),
                })
                .collect();
            list.resize(list.len().next_multiple_of(2), 0);
            list
        };
        Self {
            initial,
            matrix,
            first: round_constant(partial.first.mul(before)),
            inputs: (partial.inputs.iter())
                .map(|row| {
                    let constant = row.last().expect("at least the constant");
                    (constant.montgomery(), coefficients(row, KoalaBear::new(1)))
                })
                .collect(),
            outputs: partial.outputs.iter().map(|row| coefficients(row, factors[0])).collect(),
            terminal,
        }
    }
}

/// The residue of least absolute value, as a signed integer in a word.
fn signed(x: KoalaBear) -> u32 {
    let residue = x.canonical();
    if residue > P / 2 { residue.wrapping_sub(P) } else { residue }
}

/// The only `y` with `y^3 = x`: the exponent is the inverse of 3 modulo `p - 1`.
fn cube_root(x: KoalaBear) -> KoalaBear {
    const { assert!((P - 1) % 3 == 1) };
    x.power((P - 1) - (P - 2) / 3)
}

/// `1 / x`, by Fermat.
fn inverse(x: KoalaBear) -> KoalaBear {
    x.power(P - 2)
}

/// Poseidon1, width 16. The entries of its matrix are at most 101 and add up to 371.
pub(super) fn tables_16() -> &'static Tables<16, 4> {
    static TABLE: OnceBox<Tables<16, 4>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new(&portable::P1_16, portable::partial_rounds_16(), true)))
}

/// Poseidon1, width 24.
pub(super) fn tables_24() -> &'static Tables<24, 6> {
    static TABLE: OnceBox<Tables<24, 6>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(Tables::new(&portable::P1_24, portable::partial_rounds_24(), false)))
}

/// Poseidon1 (spec section 3.2) on reduced words. `SMALL`: the matrix has small integer entries.
#[inline(always)]
pub(super) fn permute<L: FieldLanes, const T: usize, const Q: usize, const SMALL: bool>(
    lanes: L,
    x: &mut [Vector<L>; T],
    k: &Tables<T, Q>,
) {
    for constants in &k.initial {
        sboxes(lanes, x, constants);
        multiply::<L, T, Q, SMALL>(lanes, x, &k.matrix);
    }
    partial_rounds(lanes, x, k);
    for constants in &k.terminal {
        sboxes(lanes, x, constants);
        multiply::<L, T, Q, SMALL>(lanes, x, &k.matrix);
    }
}

/// Multiplies reduced words by the matrix.
#[inline(always)]
fn multiply<L: FieldLanes, const T: usize, const Q: usize, const SMALL: bool>(
    lanes: L,
    x: &mut [Vector<L>; T],
    matrix: &Matrix<Q>,
) {
    // Sums and differences of the halves; of the sums again.
    let zero = lanes.factor(lanes.words().splat(0));
    let mut sum = [zero; Q];
    let mut difference = [zero; Q];
    let mut low = [zero; Q];
    let mut high = [zero; Q];
    let mut both = [zero; Q];
    for i in 0..Q {
        let a = add(lanes, x[i], x[i + 2 * Q]);
        let b = add(lanes, x[i + Q], x[i + 3 * Q]);
        sum[i] = lanes.factor(add(lanes, a, b));
        difference[i] = lanes.factor(sub(lanes, a, b));
        let a = sub(lanes, x[i], x[i + 2 * Q]);
        let b = sub(lanes, x[i + Q], x[i + 3 * Q]);
        low[i] = lanes.factor(a);
        high[i] = lanes.factor(b);
        both[i] = lanes.factor(add(lanes, a, b));
    }
    for i in 0..Q {
        if SMALL {
            // All sums are below 2^12 p in absolute value (asserted where the tables are made). The first one starts at
            // 2^13 p and enters all results, which therefore lie in 0..2^14 p.
            let start = lanes.splat_wide(u64::from(P) << 13);
            let a = dot(lanes, start, &matrix.sum[i], &sum);
            let b = dot(lanes, lanes.splat_wide(0), &matrix.difference[i], &difference);
            let t = dot(lanes, lanes.splat_wide(0), &matrix.diagonal[i], &both);
            let c = dot(lanes, t, &matrix.upper[i], &high);
            let d = dot(lanes, t, &matrix.lower[i], &low);
            let (plus, minus) = (lanes.add_wide(a, b), lanes.sub_wide(a, b));
            x[i] = reduced(lanes, lanes.reduce(lanes.add_wide(plus, c)));
            x[i + Q] = reduced(lanes, lanes.reduce(lanes.add_wide(minus, d)));
            x[i + 2 * Q] = reduced(lanes, lanes.reduce(lanes.sub_wide(plus, c)));
            x[i + 3 * Q] = reduced(lanes, lanes.reduce(lanes.sub_wide(minus, d)));
        } else {
            let zero = lanes.splat_wide(0);
            let a = reduced(lanes, lanes.reduce(dot_folded(lanes, zero, &matrix.sum[i], &sum)));
            let b = reduced(lanes, lanes.reduce(dot_folded(lanes, zero, &matrix.difference[i], &difference)));
            let t = dot_folded(lanes, zero, &matrix.diagonal[i], &both);
            let c = reduced(lanes, lanes.reduce(dot_folded(lanes, t, &matrix.upper[i], &high)));
            let d = reduced(lanes, lanes.reduce(dot_folded(lanes, t, &matrix.lower[i], &low)));
            let (plus, minus) = (add(lanes, a, b), sub(lanes, a, b));
            x[i] = add(lanes, plus, c);
            x[i + Q] = add(lanes, minus, d);
            x[i + 2 * Q] = sub(lanes, plus, c);
            x[i + 3 * Q] = sub(lanes, minus, d);
        }
    }
}

/// `sum + a . x` for integers so small that nothing overflows.
#[inline(always)]
fn dot<L: FieldLanes, const Q: usize>(
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

/// `sum + a . x` modulo `p`, below `2^32 p`. Inputs: reduced words, `sum` below `2^32 p`, an even number of terms.
///
/// Two products are below `2 p^2 < 2^32 p`, so a sum with them is below `2^33 p < 2^64`, and [`FieldLanes::fold`]
/// brings it back below `2^32 p`.
#[inline(always)]
fn dot_folded<L: FieldLanes>(lanes: L, mut sum: L::Wide, a: &[u32], x: &[L::Factor]) -> L::Wide {
    for i in 0..a.len() / 2 {
        let two =
            lanes.add_wide(lanes.product(x[2 * i], a[2 * i]), lanes.product(x[2 * i + 1], a[2 * i + 1]));
        sum = lanes.fold(lanes.add_wide(sum, two));
    }
    sum
}

/// Two dot products as [`dot_folded`], side by side: one alone waits for its own sums.
#[inline(always)]
fn two_dots_folded<L: FieldLanes>(lanes: L, a: &[u32], b: &[u32], x: &[L::Factor]) -> [L::Wide; 2] {
    let mut sums = [lanes.splat_wide(0); 2];
    let n = a.len() / 2;
    let (a, b, x) = (&a[..2 * n], &b[..2 * n], &x[..2 * n]);
    for i in 0..n {
        let (even, odd) = (x[2 * i], x[2 * i + 1]);
        let two = lanes.add_wide(lanes.product(even, a[2 * i]), lanes.product(odd, a[2 * i + 1]));
        sums[0] = lanes.fold(lanes.add_wide(sums[0], two));
        let two = lanes.add_wide(lanes.product(even, b[2 * i]), lanes.product(odd, b[2 * i + 1]));
        sums[1] = lanes.fold(lanes.add_wide(sums[1], two));
    }
    sums
}

/// Most symbols of the partial rounds: `T - 1` words and as many S-box outputs as rounds, in an even number.
const MAX_SYMBOLS: usize = 46;

/// All partial rounds of Poseidon1.
#[inline(always)]
fn partial_rounds<L: FieldLanes, const T: usize, const Q: usize>(
    lanes: L,
    x: &mut [Vector<L>; T],
    k: &Tables<T, Q>,
) {
    let mut symbols = [lanes.factor(lanes.words().splat(0)); MAX_SYMBOLS];
    for i in 1..T {
        symbols[i - 1] = lanes.factor(x[i]);
    }
    let mut output = sbox(lanes, x[0], k.first);
    let mut count = T - 1;
    for (constant, coefficients) in &k.inputs {
        symbols[count] = lanes.factor(output);
        count += 1;
        // The sum starts at 2^32 times the constant; reduced, it is between -p and p and needs no more for the S-box.
        let start = lanes.splat_wide(u64::from(*constant) << 32);
        let sum = dot_folded(lanes, start, coefficients, &symbols[..coefficients.len()]);
        output = reduced(lanes, lanes.cube(lanes.reduce(sum)));
    }
    symbols[count] = lanes.factor(output);
    for i in 0..T / 2 {
        let (a, b) = (&k.outputs[2 * i], &k.outputs[2 * i + 1]);
        let [first, second] = two_dots_folded(lanes, a, b, &symbols);
        x[2 * i] = reduced(lanes, lanes.reduce(first));
        x[2 * i + 1] = reduced(lanes, lanes.reduce(second));
    }
}
