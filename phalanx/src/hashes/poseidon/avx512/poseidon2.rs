//! Poseidon2 on vectors of eight lanes: docs/koalabear.md sections 4 and 5.
//!
//! Full rounds add no constants (they ride in the start values of the S-boxes before), and the partial rounds keep sums of
//! pairs of words whose diagonal entries differ only in sign. Loops over words are unrolled by [`each_word`], so that the
//! state lives in registers; what the compiler makes of `for` leaves 24 words in memory.

use super::super::constants as c;
use super::Lanes;
use super::ops::{Arith, CARRY, Factor, P, Vector, add_mod, form, inverse_mod, mul_mod, sub_mod};
use crate::simd::Avx512;
use core::arch::x86_64::__m512i;
use core::mem::MaybeUninit;

/// Repeats the body with `$i` a constant.
macro_rules! each {
    ($i:ident in $($n:literal)* => $body:block) => {
        $({
            const $i: usize = $n;
            $body
        })*
    };
}

/// Repeats the body for every word index there can be.
macro_rules! each_word {
    ($i:ident => $body:block) => {
        each!($i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 => $body)
    };
}

/// Two words with diagonal entries `d` and `-d`.
#[derive(Clone, Copy)]
struct Pair {
    /// Index of the word with `d`.
    a: usize,
    /// Index of the word with `-d`.
    b: usize,
    /// `d`, canonical.
    d: u64,
    /// `d^2`, canonical.
    square: u64,
    by_half_d: Factor,
    by_half_square: Factor,
    by_square: Factor,
    by_d: Factor,
}

impl Pair {
    const fn new<const T: usize>(diagonal: &[u32; T], a: usize, b: usize) -> Self {
        let d = diagonal[a] as u64;
        assert!(d + diagonal[b] as u64 == P, "opposite entries");
        let (square, half) = (mul_mod(d, d), inverse_mod(2));
        Self {
            a,
            b,
            d,
            square,
            by_half_d: Factor::new(mul_mod(d, half)),
            by_half_square: Factor::new(mul_mod(square, half)),
            by_square: Factor::new(square),
            by_d: Factor::new(d),
        }
    }

    /// How `d^2 u` is computed in rounds of `class`.
    const fn form(&self, class: usize) -> Product {
        if self.square <= 16 && class != 6 && class != 7 {
            // Grows by a factor 16 in each of two uses, then is reduced.
            Product::Integer
        } else if self.by_square.c <= 16 {
            Product::Small
        } else {
            Product::Reducing
        }
    }
}

/// A word whose diagonal entry has no opposite.
#[derive(Clone, Copy)]
struct Single {
    index: usize,
    /// Its diagonal entry, canonical.
    d: u64,
    by_d: Factor,
}

impl Single {
    const fn new<const T: usize>(diagonal: &[u32; T], index: usize) -> Self {
        let d = diagonal[index] as u64;
        Self { index, d, by_d: Factor::new(d) }
    }

    /// How `d x` is computed in rounds of `class`.
    const fn form(&self, class: usize) -> Product {
        match self.d {
            1 => Product::One,
            // Doubles in each of five rounds, then is reduced.
            2 if class != 2 => Product::Integer,
            _ => Product::Reducing,
        }
    }
}

/// Ways of multiplying by a known constant; the last two leave the offset `-CARRY`.
#[derive(Clone, Copy)]
enum Product {
    /// By one: an addition.
    One,
    /// By a small integer, one operation, no reduction.
    Integer,
    /// [`Arith::mul_small_const`].
    Small,
    /// [`Arith::mul_const`].
    Reducing,
}

/// Most pairs and most single words of any width.
const PAIRS: usize = 9;
const SINGLES: usize = 5;
/// Most partial rounds of any width.
const ROUNDS: usize = 23;

/// The partial rounds are of eight classes: 0, 1, then 2 to 7 again and again.
const CLASSES: usize = 8;

/// The class of partial round `r`.
const fn class(r: usize) -> usize {
    if r < 2 { r } else { 2 + (r - 2) % (CLASSES - 2) }
}

/// What a width has of its own. All residues are in R form.
struct Table<const T: usize> {
    /// Number of partial rounds.
    rounds: usize,
    pairs: [Pair; PAIRS],
    pair_count: usize,
    singles: [Single; SINGLES],
    single_count: usize,
    /// Added to the words before the first layer.
    first: [u64; T],
    /// Start values of the S-boxes of the initial full rounds.
    initial: [[u64; T]; 4],
    /// Start values of the S-boxes of the partial rounds.
    internal: [u64; ROUNDS],
    /// Start values of the S-boxes of the terminal full rounds.
    terminal: [[u64; T]; 4],
}

/// Ties a table to a type, so that the kernel is compiled with its numbers in place.
trait Width<const T: usize> {
    const TABLE: &'static Table<T>;
}

/// Width 16.
struct Width16;
/// Width 24.
struct Width24;

impl Width<16> for Width16 {
    const TABLE: &'static Table<16> = &{
        let d = &c::P2_DIAGONAL_16;
        let unused = Pair::new(d, 3, 6);
        let last = Single::new(d, 14);
        Table {
            rounds: 20,
            pairs: [
                Pair::new(d, 3, 6),
                Pair::new(d, 4, 7),
                Pair::new(d, 5, 8),
                Pair::new(d, 9, 12),
                Pair::new(d, 10, 13),
                Pair::new(d, 11, 15),
                unused,
                unused,
                unused,
            ],
            pair_count: 6,
            singles: [Single::new(d, 1), Single::new(d, 2), last, last, last],
            single_count: 3,
            first: [0; 16],
            initial: [[0; 16]; 4],
            internal: [0; ROUNDS],
            terminal: [[0; 16]; 4],
        }
        .with_constants(&c::P2_INITIAL_16, &c::P2_INTERNAL_16, &c::P2_TERMINAL_16)
    };
}

impl Width<24> for Width24 {
    const TABLE: &'static Table<24> = &{
        let d = &c::P2_DIAGONAL_24;
        Table {
            rounds: 23,
            pairs: [
                Pair::new(d, 3, 6),
                Pair::new(d, 4, 7),
                Pair::new(d, 5, 8),
                Pair::new(d, 9, 16),
                Pair::new(d, 11, 17),
                Pair::new(d, 12, 18),
                Pair::new(d, 13, 19),
                Pair::new(d, 14, 20),
                Pair::new(d, 15, 23),
            ],
            pair_count: 9,
            singles: [
                Single::new(d, 1),
                Single::new(d, 2),
                Single::new(d, 10),
                Single::new(d, 21),
                Single::new(d, 22),
            ],
            single_count: 5,
            first: [0; 24],
            initial: [[0; 24]; 4],
            internal: [0; ROUNDS],
            terminal: [[0; 24]; 4],
        }
        .with_constants(&c::P2_INITIAL_24, &c::P2_INTERNAL_24, &c::P2_TERMINAL_24)
    };
}

impl<const T: usize> Table<T> {
    /// Derives all start values from the round constants (docs/koalabear.md sections 4.2 and 5.4).
    const fn with_constants<const R: usize>(
        mut self,
        initial: &[[u32; T]; 4],
        internal: &[u32; R],
        terminal: &[[u32; T]; 4],
    ) -> Self {
        assert!(R == self.rounds && R <= ROUNDS);
        let layer = external_matrix::<T>();
        let mut internal_forms = [0; ROUNDS];
        let mut r = 0;
        while r < R {
            internal_forms[r] = form(internal[r] as u64);
            r += 1;
        }
        let terminal_first = forms(&terminal[0]);
        let entry = self.solve_entry(&internal_forms, &terminal_first);
        let (_, outputs) = self.offsets(&entry, &internal_forms, terminal_first[0]);

        self.first = solve(layer, forms(&initial[0]));
        let mut round = 0;
        while round < 3 {
            self.initial[round] = starts(solve(layer, forms(&initial[round + 1])), 0);
            self.terminal[round] = starts(solve(layer, forms(&terminal[round + 1])), 0);
            round += 1;
        }
        // At least p: the words of the first partial round then exceed its S-box output.
        self.initial[3] = starts(solve(layer, entry), P);
        // The range reduction at the very end loses CARRY.
        self.terminal[3] = starts(solve(layer, [CARRY; T]), 0);
        r = 0;
        while r < R {
            // At least p again; in the last round at least 3p, so that sums of pairs exceed their differences.
            self.internal[r] = add_mod(outputs[r], CARRY) + if r + 1 < R { P } else { 3 * P };
            r += 1;
        }
        self
    }

    /// Runs the partial rounds on the additive offsets of the words alone. `entry[0]` is ignored: word 0 must have the
    /// constant of its next S-box as offset, and `last` at the end. Returns the offsets at the exit and those of the S-box
    /// outputs.
    const fn offsets(
        &self,
        entry: &[u64; T],
        constants: &[u64; ROUNDS],
        last: u64,
    ) -> ([u64; T], [u64; ROUNDS]) {
        let mut pairs = [[0; PAIRS]; 2];
        let mut singles = [0; SINGLES];
        let half = inverse_mod(2);
        let mut i = 0;
        while i < self.pair_count {
            let (a, b) = (entry[self.pairs[i].a], entry[self.pairs[i].b]);
            pairs[0][i] = mul_mod(add_mod(a, b), half);
            pairs[1][i] = mul_mod(mul_mod(sub_mod(a, b), half), inverse_mod(self.pairs[i].d));
            i += 1;
        }
        i = 0;
        while i < self.single_count {
            singles[i] = entry[self.singles[i].index];
            i += 1;
        }
        let mut outputs = [0; ROUNDS];
        let mut r = 0;
        while r < self.rounds {
            let (now, next) = (r % 2, 1 - r % 2);
            let mut rest = 0;
            i = 0;
            while i < self.pair_count {
                rest = add_mod(rest, add_mod(pairs[now][i], pairs[now][i]));
                i += 1;
            }
            i = 0;
            while i < self.single_count {
                rest = add_mod(rest, singles[i]);
                i += 1;
            }
            outputs[r] = sub_mod(rest, if r + 1 < self.rounds { constants[r + 1] } else { last });
            let sum = sub_mod(add_mod(rest, outputs[r]), CARRY);
            i = 0;
            while i < self.pair_count {
                let lost = match self.pairs[i].form(class(r)) {
                    Product::One | Product::Integer if r >= 2 => 0,
                    _ => CARRY,
                };
                let product = mul_mod(self.pairs[i].square, pairs[next][i]);
                pairs[next][i] = sub_mod(add_mod(sum, product), lost);
                i += 1;
            }
            i = 0;
            while i < self.single_count {
                let lost = match self.singles[i].form(class(r)) {
                    Product::One | Product::Integer => 0,
                    _ => CARRY,
                };
                singles[i] = sub_mod(add_mod(sum, mul_mod(self.singles[i].d, singles[i])), lost);
                i += 1;
            }
            r += 1;
        }
        let (sums, before) = (&pairs[self.rounds % 2], &pairs[1 - self.rounds % 2]);
        let mut exit = [last; T];
        i = 0;
        while i < self.pair_count {
            let difference = mul_mod(self.pairs[i].d, before[i]);
            exit[self.pairs[i].a] = add_mod(sums[i], difference);
            exit[self.pairs[i].b] = sub_mod(sums[i], difference);
            i += 1;
        }
        i = 0;
        while i < self.single_count {
            exit[self.singles[i].index] = singles[i];
            i += 1;
        }
        (exit, outputs)
    }

    /// The offsets at the entry of the partial rounds for which those at the exit are `wanted`.
    const fn solve_entry(&self, constants: &[u64; ROUNDS], wanted: &[u64; T]) -> [u64; T] {
        let (base, _) = self.offsets(&[0; T], constants, wanted[0]);
        let mut matrix = [[0; T]; T];
        matrix[0][0] = 1;
        let mut j = 1;
        while j < T {
            let mut unit = [0; T];
            unit[j] = 1;
            let (column, _) = self.offsets(&unit, constants, wanted[0]);
            let mut i = 1;
            while i < T {
                matrix[i][j] = sub_mod(column[i], base[i]);
                i += 1;
            }
            j += 1;
        }
        let mut right = [0; T];
        right[0] = constants[0];
        let mut i = 1;
        while i < T {
            right[i] = sub_mod(wanted[i], base[i]);
            i += 1;
        }
        solve(matrix, right)
    }
}

/// A row of canonical residues in R form.
const fn forms<const T: usize>(row: &[u32; T]) -> [u64; T] {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = form(row[i] as u64);
        i += 1;
    }
    out
}

/// Start values that add `row` to the S-box outputs, with `least` (a multiple of `p`) on top.
const fn starts<const T: usize>(mut row: [u64; T], least: u64) -> [u64; T] {
    let mut i = 0;
    while i < T {
        row[i] = add_mod(row[i], CARRY) + least;
        i += 1;
    }
    row
}

/// The external layer as a matrix: `M4` between any two blocks, twice that on the diagonal.
const fn external_matrix<const T: usize>() -> [[u64; T]; T] {
    const M4: [[u64; 4]; 4] = [[2, 3, 1, 1], [1, 2, 3, 1], [1, 1, 2, 3], [3, 1, 1, 2]];
    let mut matrix = [[0; T]; T];
    let mut i = 0;
    while i < T {
        let mut j = 0;
        while j < T {
            matrix[i][j] = M4[i % 4][j % 4] * if i / 4 == j / 4 { 2 } else { 1 };
            j += 1;
        }
        i += 1;
    }
    matrix
}

/// The solution of `matrix x = right` modulo `p` (Gauss and Jordan); compilation fails if the matrix is singular.
const fn solve<const T: usize>(mut matrix: [[u64; T]; T], mut right: [u64; T]) -> [u64; T] {
    let mut column = 0;
    while column < T {
        let mut pivot = column;
        while matrix[pivot][column] == 0 {
            pivot += 1;
        }
        let (row, value) = (matrix[pivot], right[pivot]);
        (matrix[pivot], right[pivot]) = (matrix[column], right[column]);
        let inverse = inverse_mod(row[column]);
        (matrix[column], right[column]) = (row, mul_mod(value, inverse));
        let mut j = column;
        while j < T {
            matrix[column][j] = mul_mod(row[j], inverse);
            j += 1;
        }
        let mut i = 0;
        while i < T {
            let factor = matrix[i][column];
            if i != column && factor != 0 {
                j = column;
                while j < T {
                    matrix[i][j] = (matrix[i][j] + (P - factor) * matrix[column][j]) % P;
                    j += 1;
                }
                right[i] = (right[i] + (P - factor) * right[column]) % P;
            }
            i += 1;
        }
        column += 1;
    }
    right
}

/// The S-boxes of a full round.
#[inline(always)]
fn cubes<A: Arith, const T: usize>(a: A, x: &mut [A::V; T], starts: &[u64; T]) {
    each_word!(I => {
        if I < T {
            x[I] = a.cube(a.splat(starts[I]), x[I]);
        }
    });
}

/// The first `4 * BLOCKS` words of the external layer. Rows of the layer sum to 35 (width 16) or 49 (width 24).
#[inline(always)]
fn external<A: Arith, const T: usize, const BLOCKS: usize>(a: A, x: &mut [A::V; T]) {
    let mut sums = [x[0], x[1], x[2], x[3]];
    each!(B in 1 2 3 4 5 => {
        if 4 * B < T {
            each!(I in 0 1 2 3 => { sums[I] = a.add(sums[I], x[4 * B + I]); });
        }
    });
    let two = a.splat(2);
    each!(B in 0 1 2 3 4 5 => {
        if B < BLOCKS {
            let z0 = a.add(x[4 * B], sums[0]);
            let z1 = a.add(x[4 * B + 1], sums[1]);
            let z2 = a.add(x[4 * B + 2], sums[2]);
            let z3 = a.add(x[4 * B + 3], sums[3]);
            let (left, right) = (a.add(z0, z1), a.add(z2, z3));
            let all = a.add(left, right);
            let (u, v) = (a.add(all, z1), a.add(all, z3));
            x[4 * B] = a.add(u, left);
            x[4 * B + 1] = a.lo(u, z2, two);
            x[4 * B + 2] = a.add(v, right);
            x[4 * B + 3] = a.lo(v, z0, two);
        }
    });
}

/// The state during the partial rounds.
#[derive(Clone, Copy)]
pub(super) struct Internal<V> {
    /// Word 0.
    x0: V,
    /// Half the sums of the pairs: those of round `r` in `pairs[r % 2]`, and those of the round before in the other. At the
    /// entry the full sums and the full differences.
    pairs: [[V; PAIRS]; 2],
    /// The other words.
    singles: [V; SINGLES],
}

/// From words to the state of the partial rounds.
#[inline(always)]
fn enter<A: Arith, W: Width<T>, const T: usize>(a: A, x: &[A::V; T]) -> Internal<A::V> {
    let zero = a.splat(0);
    let mut state = Internal { x0: x[0], pairs: [[zero; PAIRS]; 2], singles: [zero; SINGLES] };
    each!(I in 0 1 2 3 4 5 6 7 8 => {
        if I < W::TABLE.pair_count {
            let pair = &W::TABLE.pairs[I];
            state.pairs[0][I] = a.add(x[pair.a], x[pair.b]);
            // A multiple of p above the largest word keeps the difference positive.
            state.pairs[1][I] = a.sub(a.add(x[pair.a], a.splat(256 * P)), x[pair.b]);
        }
    });
    each!(I in 0 1 2 3 4 => {
        if I < W::TABLE.single_count {
            state.singles[I] = x[W::TABLE.singles[I].index];
        }
    });
    state
}

/// From the state of the partial rounds to words.
#[inline(always)]
fn leave<A: Arith, W: Width<T>, const T: usize>(a: A, state: &Internal<A::V>) -> [A::V; T] {
    let table = W::TABLE;
    let (now, before) = (table.rounds % 2, 1 - table.rounds % 2);
    let mut x = [state.x0; T];
    each!(I in 0 1 2 3 4 5 6 7 8 => {
        if I < table.pair_count {
            let pair = &table.pairs[I];
            let half = state.pairs[now][I];
            let difference = a.mul_const(a.splat(CARRY), state.pairs[before][I], &pair.by_d);
            x[pair.a] = a.add(half, difference);
            x[pair.b] = a.sub(half, difference);
        }
    });
    each!(I in 0 1 2 3 4 => {
        if I < table.single_count {
            x[table.singles[I].index] = state.singles[I];
        }
    });
    x
}

/// The part of a partial round that later rounds wait for: the S-box, started at `start`, and the sum of all words.
#[inline(always)]
fn internal_sum<A: Arith, W: Width<T>, const T: usize, const CLASS: usize>(
    a: A,
    state: &mut Internal<A::V>,
    start: u64,
) -> A::V {
    let table = W::TABLE;
    let now = CLASS % 2;
    // The sum of all words but word 0: independent of the S-box, so it runs beside it.
    let mut sums = state.pairs[now][0];
    each!(I in 1 2 3 4 5 6 7 8 => {
        if I < table.pair_count {
            sums = a.add(sums, state.pairs[now][I]);
        }
    });
    let mut rest = state.singles[0];
    each!(I in 1 2 3 4 => {
        if I < table.single_count {
            rest = a.add(rest, state.singles[I]);
        }
    });
    let rest = if CLASS == 0 { a.add(rest, sums) } else { a.lo(rest, sums, a.splat(2)) };

    let y = a.cube(a.splat(start), state.x0);
    let sum = a.mul_const(y, rest, &Factor::ONE);
    state.x0 = a.sub(rest, y);
    sum
}

/// The rest of a partial round: the words other than word 0.
#[inline(always)]
fn internal_words<A: Arith, W: Width<T>, const T: usize, const CLASS: usize>(
    a: A,
    state: &mut Internal<A::V>,
    sum: A::V,
) {
    let table = W::TABLE;
    let next = 1 - CLASS % 2;
    each!(I in 0 1 2 3 4 5 6 7 8 => {
        if I < table.pair_count {
            let pair = &table.pairs[I];
            let old = state.pairs[next][I];
            state.pairs[next][I] = match CLASS {
                0 => a.mul_const(sum, old, &pair.by_half_d),
                1 => a.mul_const(sum, old, &pair.by_half_square),
                _ => match pair.form(CLASS) {
                    Product::One => a.add(sum, old),
                    Product::Integer => a.lo(sum, old, a.splat(pair.square)),
                    Product::Small => a.mul_small_const(sum, old, &pair.by_square),
                    Product::Reducing => a.mul_const(sum, old, &pair.by_square),
                },
            };
        }
    });
    each!(I in 0 1 2 3 4 => {
        if I < table.single_count {
            let single = &table.singles[I];
            let old = state.singles[I];
            state.singles[I] = match single.form(CLASS) {
                Product::One => a.add(sum, old),
                Product::Integer => a.lo(sum, old, a.splat(single.d)),
                Product::Small => a.mul_small_const(sum, old, &single.by_d),
                Product::Reducing => a.mul_const(sum, old, &single.by_d),
            };
        }
    });
}

/// All partial rounds of `N` independent vectors, interleaved.
#[inline(always)]
fn middle<A: Arith, W: Width<T>, const T: usize, const N: usize>(a: A, states: &mut [Internal<A::V>; N]) {
    /// One round of each vector.
    macro_rules! round {
        ($class:literal, $r:expr) => {{
            let mut sums = [a.splat(0); N];
            each!(I in 0 1 => {
                if I < N {
                    sums[I] = internal_sum::<A, W, T, $class>(a, &mut states[I], W::TABLE.internal[$r]);
                }
            });
            each!(I in 0 1 => {
                if I < N {
                    internal_words::<A, W, T, $class>(a, &mut states[I], sums[I]);
                }
            });
        }};
    }
    round!(0, 0);
    round!(1, 1);
    let mut r = 2;
    loop {
        round!(2, r);
        round!(3, r + 1);
        round!(4, r + 2);
        // Width 24 ends here, width 16 below.
        if r + 3 >= W::TABLE.rounds {
            break;
        }
        round!(5, r + 3);
        round!(6, r + 4);
        round!(7, r + 5);
        r += 6;
        if r >= W::TABLE.rounds {
            break;
        }
    }
}

/// Everything before the partial rounds.
#[inline(always)]
fn begin<A: Arith, W: Width<T>, const T: usize, const BLOCKS: usize>(a: A, x: &mut [A::V; T]) {
    each_word!(I => {
        if I < T {
            x[I] = a.add(x[I], a.splat(W::TABLE.first[I]));
        }
    });
    external::<A, T, BLOCKS>(a, x);
    for starts in &W::TABLE.initial {
        cubes(a, x, starts);
        external::<A, T, BLOCKS>(a, x);
    }
}

/// Everything after the partial rounds. Of the last layer come `4 * LAST` words; they are not reduced.
#[inline(always)]
fn end<A: Arith, W: Width<T>, const T: usize, const BLOCKS: usize, const LAST: usize>(
    a: A,
    x: &mut [A::V; T],
) {
    let whole = if LAST == BLOCKS { 4 } else { 3 };
    for starts in &W::TABLE.terminal[..whole] {
        cubes(a, x, starts);
        external::<A, T, BLOCKS>(a, x);
    }
    if whole == 3 {
        cubes(a, x, &W::TABLE.terminal[3]);
        external::<A, T, LAST>(a, x);
    }
}

/// Eight states in memory.
type Eight<const T: usize> = [[u64; 8]; T];

/// Words from memory.
#[inline(always)]
fn gather<const T: usize>(v: Vector, memory: &Eight<T>) -> [__m512i; T] {
    let mut x = [v.splat(0); T];
    each_word!(I => {
        if I < T {
            x[I] = v.load(&memory[I]);
        }
    });
    x
}

/// Words to memory.
#[inline(always)]
fn scatter<const T: usize>(v: Vector, x: &[__m512i; T]) -> Eight<T> {
    let mut memory = [[0; 8]; T];
    each_word!(I => {
        if I < T {
            v.store(x[I], &mut memory[I]);
        }
    });
    memory
}

// The stages are functions of their own, not inlined, on states in memory: one code for both vectors and for permutation
// and compression. In one piece, with both vectors unrolled (2900 instructions), the same code took 31 or 52 ns a lane
// depending on what else was in the program (Zen 5, 2026-11-21); we suppose that it outgrows the cache of decoded
// instructions.

/// Everything before the partial rounds, for vector `half`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn begin_stage<W: Width<T>, const T: usize, const BLOCKS: usize>(
    witness: Avx512,
    state: &[Lanes; T],
    half: usize,
) -> Eight<T> {
    let v = Vector(witness);
    let mut x = [v.splat(0); T];
    each_word!(I => {
        if I < T {
            x[I] = v.load(&state[I].halves()[half]);
        }
    });
    begin::<Vector, W, T, BLOCKS>(v, &mut x);
    scatter(v, &x)
}

/// The partial rounds of width 16. Both vectors go through together: one alone waits for its S-boxes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn middle_stage16(witness: Avx512, left: &mut Eight<16>, right: &mut Eight<16>) {
    let v = Vector(witness);
    let mut inner = [
        enter::<Vector, Width16, 16>(v, &gather(v, left)),
        enter::<Vector, Width16, 16>(v, &gather(v, right)),
    ];
    middle::<Vector, Width16, 16, 2>(v, &mut inner);
    *left = scatter(v, &leave::<Vector, Width16, 16>(v, &inner[0]));
    *right = scatter(v, &leave::<Vector, Width16, 16>(v, &inner[1]));
}

/// The partial rounds of width 24: the words of one vector fill the registers, and its rounds the pipeline.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn middle_stage24(witness: Avx512, state: &mut Eight<24>) {
    let v = Vector(witness);
    let mut inner = [enter::<Vector, Width24, 24>(v, &gather(v, state))];
    middle::<Vector, Width24, 24, 1>(v, &mut inner);
    *state = scatter(v, &leave::<Vector, Width24, 24>(v, &inner[0]));
}

/// Everything after the partial rounds, for vector `half`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn end_stage<W: Width<T>, const T: usize, const BLOCKS: usize>(
    witness: Avx512,
    memory: &Eight<T>,
    state: &mut [Lanes; T],
    half: usize,
) {
    let v = Vector(witness);
    let mut x = gather(v, memory);
    end::<Vector, W, T, BLOCKS, BLOCKS>(v, &mut x);
    each_word!(I => {
        if I < T {
            v.store(v.mul_const(v.splat(0), x[I], &Factor::ONE), &mut state[I].halves_mut()[half]);
        }
    });
}

/// Everything after the partial rounds and the feed-forward, for vector `half`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn compress_stage(
    witness: Avx512,
    memory: &Eight<16>,
    input: &[Lanes; 16],
    out: &mut [[MaybeUninit<[u64; 8]>; 2]; 8],
    half: usize,
) {
    let v = Vector(witness);
    let mut x = gather(v, memory);
    end::<Vector, Width16, 16, 4, 2>(v, &mut x);
    each!(I in 0 1 2 3 4 5 6 7 => {
        let fed = v.load(&input[I].halves()[half]);
        v.store(v.mul_const(fed, x[I], &Factor::ONE), out[I][half].write([0; 8]));
    });
}

/// The permutation of width 16.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
pub(super) fn permute16(witness: Avx512, state: &mut [Lanes; 16]) {
    let mut left = begin_stage::<Width16, 16, 4>(witness, state, 0);
    let mut right = begin_stage::<Width16, 16, 4>(witness, state, 1);
    middle_stage16(witness, &mut left, &mut right);
    end_stage::<Width16, 16, 4>(witness, &left, state, 0);
    end_stage::<Width16, 16, 4>(witness, &right, state, 1);
}

/// The first eight words of the permutation plus the input. Writes all of `out`, vectors of a [`Lanes`] each: returned by
/// value the words would be copied once more, and zeroing them first costs 4 % (2026-11-21).
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
pub(super) fn compress16(witness: Avx512, input: &[Lanes; 16], out: &mut [[MaybeUninit<[u64; 8]>; 2]; 8]) {
    let mut left = begin_stage::<Width16, 16, 4>(witness, input, 0);
    let mut right = begin_stage::<Width16, 16, 4>(witness, input, 1);
    middle_stage16(witness, &mut left, &mut right);
    compress_stage(witness, &left, input, out, 0);
    compress_stage(witness, &right, input, out, 1);
}

/// The permutation of width 24.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
pub(super) fn permute24(witness: Avx512, state: &mut [Lanes; 24]) {
    for half in 0..2 {
        let mut memory = begin_stage::<Width24, 24, 6>(witness, state, half);
        middle_stage24(witness, &mut memory);
        end_stage::<Width24, 24, 6>(witness, &memory, state, half);
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::{ACCEPTED, Bounds, FRESH, Interval};
    use super::*;

    /// The whole permutation on intervals; the greatest word, the greatest S-box input and the greatest result.
    fn prove<W: Width<T>, const T: usize, const BLOCKS: usize>() -> u64 {
        let mut x = [ACCEPTED; T];
        begin::<Bounds, W, T, BLOCKS>(Bounds, &mut x);
        let mut inner = [enter::<Bounds, W, T>(Bounds, &x)];
        middle::<Bounds, W, T, 1>(Bounds, &mut inner);
        let mut x = leave::<Bounds, W, T>(Bounds, &inner[0]);
        end::<Bounds, W, T, BLOCKS, BLOCKS>(Bounds, &mut x);
        let reduce = |x: &Interval| Bounds.mul_const(Bounds.splat(0), *x, &Factor::ONE).max;
        x.iter().map(reduce).max().expect("words")
    }

    #[test]
    fn bounds_hold_for_every_accepted_state() {
        assert!(prove::<Width16, 16, 4>() < FRESH);
        assert!(prove::<Width24, 24, 6>() < FRESH);
    }

    #[test]
    fn opposite_entries_are_paired_and_no_word_is_forgotten() {
        fn check<W: Width<T>, const T: usize>() {
            let table = W::TABLE;
            let mut seen = [0; T];
            seen[0] = 1;
            for pair in &table.pairs[..table.pair_count] {
                seen[pair.a] += 1;
                seen[pair.b] += 1;
            }
            for single in &table.singles[..table.single_count] {
                seen[single.index] += 1;
            }
            assert!(seen == [1; T]);
        }
        check::<Width16, 16>();
        check::<Width24, 24>();
    }
}
