//! Poseidon2 on packed lanes.
//!
//! In the internal rounds only the sum of all words feeds back into word 0. Two words with diagonal entries `d` and
//! `-d` are kept as `u = x_a + x_b` and `v = x_a - x_b`: with `s` the sum of the round, `u' = 2 s + d v` and `v' = d u`,
//! hence `u'' = 2 s' + d^2 u`. One product a pair and round instead of two, and one summand instead of two.

use super::super::portable::poseidon2::{self as portable, Poseidon2};
use super::lanes::{Constant, FieldLanes, HALF, Vector, divided, round_constant, sbox, sboxes};
use crate::fields::koala_bear::KoalaBear;
use phalanx_core::lanes::WordLanes;

/// Constants of Poseidon2 with width `T`, `R` internal rounds and `N` pairs.
pub(super) struct Tables<const T: usize, const R: usize, const N: usize> {
    initial: [[u32; T]; 4],
    terminal: [[u32; T]; 4],
    /// The constant of the first internal round, as [`round_constant`].
    first: u32,
    /// The Montgomery words of the internal rounds' constants; the first is not used here.
    internal: [u32; R],
    /// For each pair: `d`, by which the difference of the words is multiplied.
    entry: [Constant; N],
    /// For each pair: `d / 2`, the last step from `u` to `v / 2`.
    exit: [Constant; N],
    /// `d^2` of the last pair, the one whose square has no short form.
    last: Constant,
}

impl<const T: usize, const R: usize, const N: usize> Tables<T, R, N> {
    /// Prepares `k`, whose words with diagonal entries `d` and `-d` are `pairs`.
    const fn new(k: &Poseidon2<T, R>, pairs: &[(usize, usize); N]) -> Self {
        let zero = Constant { word: 0, quotient: 0 };
        let mut entry = [zero; N];
        let mut exit = [zero; N];
        let mut last = zero;
        let mut i = 0;
        while i < N {
            let (a, b) = pairs[i];
            let d = k.diagonal[a];
            assert!(d.add(k.diagonal[b]).montgomery() == 0, "a pair has d and -d");
            entry[i] = Constant::new(d);
            exit[i] = Constant::new(d.mul(HALF));
            last = Constant::new(d.mul(d));
            i += 1;
        }
        let mut internal = [0; R];
        let mut i = 0;
        while i < R {
            internal[i] = k.internal[i].montgomery();
            i += 1;
        }
        Self {
            initial: round_constants(&k.initial),
            terminal: round_constants(&k.terminal),
            first: round_constant(k.internal[0]),
            internal,
            entry,
            exit,
            last,
        }
    }
}

/// The constants of four full rounds.
const fn round_constants<const T: usize>(rows: &[[KoalaBear; T]; 4]) -> [[u32; T]; 4] {
    let mut out = [[0; T]; 4];
    let mut i = 0;
    while i < 4 * T {
        out[i / T][i % T] = round_constant(rows[i / T][i % T]);
        i += 1;
    }
    out
}

/// What the two widths of Poseidon2 do not share: which words are in pairs, and the products by their diagonals.
///
/// `T`: the width; `N`: the number of pairs. Words 0, 1 and 2 have the entries -2, 1 and 2 in both.
pub(super) trait Shape<const T: usize, const N: usize>: Copy {
    /// The words with entries `d` and `-d`.
    const PAIRS: [(usize, usize); N];

    /// One step of all pairs: `u` becomes `twice + next`, and `next` becomes `d^2 u`. `twice`: the sum of the round, doubled.
    /// `last`: `d^2` of the last pair.
    fn step_pairs<L: FieldLanes>(
        self,
        lanes: L,
        twice: Vector<L>,
        u: &mut [Vector<L>; N],
        next: &mut [Vector<L>; N],
        last: Constant,
    );

    /// Sum of all words but word 0; a pair adds up to `u`. Written as trees: the next sum waits for it.
    fn others<L: FieldLanes>(self, lanes: L, u: &[Vector<L>; N], x: &[Vector<L>; T]) -> Vector<L>;

    /// One step of the words that are in no pair, without words 0, 1 and 2: `d x + sum`.
    fn step_singles<L: FieldLanes>(self, lanes: L, sum: Vector<L>, x: &mut [Vector<L>; T]);
}

/// Diagonal `-2, 1, 2, 1/2, 3, 4, -1/2, -3, -4, 2^-8, 2^-3, 2^-24, -2^-8, -2^-3, -2^-4, -2^-24`.
#[derive(Clone, Copy)]
pub(super) struct Width16;

impl Shape<16, 6> for Width16 {
    const PAIRS: [(usize, usize); 6] = [(3, 6), (4, 7), (5, 8), (9, 12), (10, 13), (11, 15)];

    #[inline(always)]
    fn step_pairs<L: FieldLanes>(
        self,
        lanes: L,
        twice: Vector<L>,
        u: &mut [Vector<L>; 6],
        next: &mut [Vector<L>; 6],
        last: Constant,
    ) {
        let old = step(lanes, twice, &mut u[0], next[0]);
        next[0] = divided::<L, 2, 30>(lanes, old);
        let old = step(lanes, twice, &mut u[1], next[1]);
        next[1] = nine_times(lanes, old);
        let old = step(lanes, twice, &mut u[2], next[2]);
        next[2] = multiply_2exp::<L, 4, 5, 27>(lanes, old);
        let old = step(lanes, twice, &mut u[3], next[3]);
        next[3] = divided::<L, 16, 16>(lanes, old);
        let old = step(lanes, twice, &mut u[4], next[4]);
        next[4] = divided::<L, 6, 26>(lanes, old);
        let old = step(lanes, twice, &mut u[5], next[5]);
        next[5] = lanes.reduced(lanes.scale(old, last));
    }

    #[inline(always)]
    fn others<L: FieldLanes>(self, lanes: L, u: &[Vector<L>; 6], x: &[Vector<L>; 16]) -> Vector<L> {
        let singles = lanes.add(lanes.add(x[1], x[2]), x[14]);
        let four = lanes.add(lanes.add(u[0], u[1]), lanes.add(u[2], u[3]));
        lanes.add(four, lanes.add(lanes.add(u[4], u[5]), singles))
    }

    #[inline(always)]
    fn step_singles<L: FieldLanes>(self, lanes: L, sum: Vector<L>, x: &mut [Vector<L>; 16]) {
        x[14] = lanes.sub(sum, divided::<L, 4, 28>(lanes, x[14]));
    }
}

/// Diagonal `-2, 1, 2, 1/2, 3, 4, -1/2, -3, -4, 2^-8, 2^-2, 2^-3, 2^-4, 2^-5, 2^-6, 2^-24, -2^-8, -2^-3, -2^-4, -2^-5,
/// -2^-6, -2^-7, -2^-9, -2^-24`.
#[derive(Clone, Copy)]
pub(super) struct Width24;

impl Shape<24, 9> for Width24 {
    const PAIRS: [(usize, usize); 9] =
        [(3, 6), (4, 7), (5, 8), (9, 16), (11, 17), (12, 18), (13, 19), (14, 20), (15, 23)];

    #[inline(always)]
    fn step_pairs<L: FieldLanes>(
        self,
        lanes: L,
        twice: Vector<L>,
        u: &mut [Vector<L>; 9],
        next: &mut [Vector<L>; 9],
        last: Constant,
    ) {
        let old = step(lanes, twice, &mut u[0], next[0]);
        next[0] = divided::<L, 2, 30>(lanes, old);
        let old = step(lanes, twice, &mut u[1], next[1]);
        next[1] = nine_times(lanes, old);
        let old = step(lanes, twice, &mut u[2], next[2]);
        next[2] = multiply_2exp::<L, 4, 5, 27>(lanes, old);
        let old = step(lanes, twice, &mut u[3], next[3]);
        next[3] = divided::<L, 16, 16>(lanes, old);
        let old = step(lanes, twice, &mut u[4], next[4]);
        next[4] = divided::<L, 6, 26>(lanes, old);
        let old = step(lanes, twice, &mut u[5], next[5]);
        next[5] = divided::<L, 8, 24>(lanes, old);
        let old = step(lanes, twice, &mut u[6], next[6]);
        next[6] = divided::<L, 10, 22>(lanes, old);
        let old = step(lanes, twice, &mut u[7], next[7]);
        next[7] = divided::<L, 12, 20>(lanes, old);
        let old = step(lanes, twice, &mut u[8], next[8]);
        next[8] = lanes.reduced(lanes.scale(old, last));
    }

    #[inline(always)]
    fn others<L: FieldLanes>(self, lanes: L, u: &[Vector<L>; 9], x: &[Vector<L>; 24]) -> Vector<L> {
        let three = lanes.add(lanes.add(x[1], x[2]), x[10]);
        let singles = lanes.add(three, lanes.add(x[21], x[22]));
        let four = lanes.add(lanes.add(u[0], u[1]), lanes.add(u[2], u[3]));
        let five = lanes.add(lanes.add(u[4], u[5]), lanes.add(lanes.add(u[6], u[7]), u[8]));
        lanes.add(lanes.add(four, singles), five)
    }

    #[inline(always)]
    fn step_singles<L: FieldLanes>(self, lanes: L, sum: Vector<L>, x: &mut [Vector<L>; 24]) {
        x[10] = lanes.add(sum, divided::<L, 2, 30>(lanes, x[10]));
        x[21] = lanes.sub(sum, divided::<L, 7, 25>(lanes, x[21]));
        x[22] = lanes.sub(sum, divided::<L, 9, 23>(lanes, x[22]));
    }
}

/// Replaces `u` by `twice + next`; returns the old one.
#[inline(always)]
fn step<L: FieldLanes>(lanes: L, twice: Vector<L>, u: &mut Vector<L>, next: Vector<L>) -> Vector<L> {
    let old = *u;
    *u = lanes.add(twice, next);
    old
}

/// `2^N x` of a reduced word, reduced. `N <= 4`, `MORE = N + 1`, `REST = 31 - N`.
///
/// With `h` the high `N` of 31 bits and `l` the others, `2^N x = 2^31 h + 2^N l`, and `2^31 = 2^24 - 1 mod p`. The sum
/// is below `2^31 + 2^28 < 2 p`.
#[inline(always)]
fn multiply_2exp<L: FieldLanes, const N: i32, const MORE: i32, const REST: i32>(
    lanes: L,
    x: Vector<L>,
) -> Vector<L> {
    const { assert!(N > 0 && N <= 4 && MORE == N + 1 && N + REST == 31) };
    let h = lanes.words().shift_right::<REST>(x);
    let l = lanes.words().shift_right::<1>(lanes.words().shift_left::<MORE>(x));
    let sum = lanes.words().sub(lanes.words().add(l, lanes.words().shift_left::<24>(h)), h);
    lanes.less_one_p(sum)
}

/// `9 x` of a reduced word, reduced.
#[inline(always)]
fn nine_times<L: FieldLanes>(lanes: L, x: Vector<L>) -> Vector<L> {
    lanes.add(multiply_2exp::<L, 3, 4, 28>(lanes, x), x)
}

/// Poseidon2, width 16.
pub(super) static TABLES_16: Tables<16, 20, 6> = Tables::new(&portable::P2_16, &Width16::PAIRS);

/// Poseidon2, width 24.
pub(super) static TABLES_24: Tables<24, 23, 9> = Tables::new(&portable::P2_24, &Width24::PAIRS);

/// Poseidon2 (spec section 3.1) on reduced words.
#[inline(always)]
pub(super) fn permute<L: FieldLanes, W: Shape<T, N>, const T: usize, const R: usize, const N: usize>(
    lanes: L,
    shape: W,
    x: &mut [Vector<L>; T],
    k: &Tables<T, R, N>,
) {
    external_layer(lanes, x);
    for constants in &k.initial {
        sboxes(lanes, x, constants);
        external_layer(lanes, x);
    }
    internal_rounds(lanes, shape, x, k);
    for constants in &k.terminal {
        sboxes(lanes, x, constants);
        external_layer(lanes, x);
    }
}

/// The external linear layer: the sum of all blocks of four added to each, then `M4` on each (the two commute).
///
/// It and the S-boxes take turns, each on all words, because either alone has independent work at hand. Both block by
/// block in a single walk over the words cost 12 % of the permutation (Zen 5, 2026-11).
#[inline(always)]
fn external_layer<L: FieldLanes, const T: usize>(lanes: L, x: &mut [Vector<L>; T]) {
    let mut sums = [x[0], x[1], x[2], x[3]];
    for i in 4..T {
        sums[i % 4] = lanes.add(sums[i % 4], x[i]);
    }
    for block in 0..T / 4 {
        let i = 4 * block;
        let y = [
            lanes.add(x[i], sums[0]),
            lanes.add(x[i + 1], sums[1]),
            lanes.add(x[i + 2], sums[2]),
            lanes.add(x[i + 3], sums[3]),
        ];
        [x[i], x[i + 1], x[i + 2], x[i + 3]] = multiply_m4(lanes, y);
    }
}

/// Multiplies by `M4 = [2 3 1 1; 1 2 3 1; 1 1 2 3; 3 1 1 2]`.
#[inline(always)]
fn multiply_m4<L: FieldLanes>(lanes: L, x: [Vector<L>; 4]) -> [Vector<L>; 4] {
    let a = lanes.add(x[0], x[1]);
    let b = lanes.add(x[2], x[3]);
    let all = lanes.add(a, b);
    let u = lanes.add(all, x[1]);
    let v = lanes.add(all, x[3]);
    [
        lanes.add(u, a),
        lanes.add(u, lanes.add(x[2], x[2])),
        lanes.add(v, b),
        lanes.add(v, lanes.add(x[0], x[0])),
    ]
}

/// All internal rounds of Poseidon2, with the words in pairs as the head of this file explains.
///
/// The S-box is the longest chain of operations that wait for each other, and CPUs take instructions up, and retire them,
/// in their order: so its halves are written among the steps that do not wait for it, which took 3 and 5 % off the
/// permutations of width 16 and 24 (Zen 3, 2026-11).
#[inline(always)]
fn internal_rounds<L: FieldLanes, W: Shape<T, N>, const T: usize, const R: usize, const N: usize>(
    lanes: L,
    shape: W,
    x: &mut [Vector<L>; T],
    k: &Tables<T, R, N>,
) {
    // `now[i]` is u of this round, `next[i]` is d v, which u of the next round gets: d^2 u of the round before.
    let mut now = [x[0]; N];
    let mut next = [x[0]; N];
    for i in 0..N {
        let (a, b) = (x[W::PAIRS[i].0], x[W::PAIRS[i].1]);
        now[i] = lanes.add(a, b);
        next[i] = lanes.reduced(lanes.scale(lanes.sub(a, b), k.entry[i]));
    }
    let mut y = sbox(lanes, x[0], k.first);
    let mut others = shape.others(lanes, &now, x);
    for &constant in &k.internal[1..] {
        let sum = lanes.add(others, y);
        // Word 0 is sum - 2 y: with the constant, a difference of two reduced words, which is ready for the S-box.
        let with_constant = lanes.add(others, lanes.words().splat(constant));
        let square = lanes.square(lanes.words().sub(with_constant, y));
        step_singles(lanes, shape, sum, x);
        shape.step_pairs(lanes, lanes.add(sum, sum), &mut now, &mut next, k.last);
        y = lanes.reduced(lanes.times_root(square));
        others = shape.others(lanes, &now, x);
    }
    let sum = lanes.add(others, y);
    x[0] = lanes.sub(others, y);
    step_singles(lanes, shape, sum, x);
    for i in 0..N {
        // u / 2, which has the sum once, and v / 2: d / 2 times u of the round before.
        let half = divided::<L, 1, 31>(lanes, next[i]);
        let v = lanes.reduced(lanes.scale(now[i], k.exit[i]));
        let u = lanes.add(sum, half);
        x[W::PAIRS[i].0] = lanes.add(u, v);
        x[W::PAIRS[i].1] = lanes.sub(u, v);
    }
}

/// The words that are in no pair, but word 0, in a round with this sum.
#[inline(always)]
fn step_singles<L: FieldLanes, W: Shape<T, N>, const T: usize, const N: usize>(
    lanes: L,
    shape: W,
    sum: Vector<L>,
    x: &mut [Vector<L>; T],
) {
    x[1] = lanes.add(sum, x[1]);
    x[2] = lanes.add(sum, lanes.add(x[2], x[2]));
    shape.step_singles(lanes, sum, x);
}
