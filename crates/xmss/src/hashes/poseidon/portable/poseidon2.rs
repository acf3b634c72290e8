//! Poseidon2 on one lane.

use super::super::constants as c;
use super::signed::{Factor, Signed, element, word};
use super::{row, table};
use crate::fields::koala_bear::{KoalaBear, P};

/// Constants of Poseidon2 with width `T` and `R` internal rounds.
pub(crate) struct Poseidon2<const T: usize, const R: usize> {
    pub(crate) initial: [[KoalaBear; T]; 4],
    pub(crate) internal: [KoalaBear; R],
    pub(crate) terminal: [[KoalaBear; T]; 4],
    pub(crate) diagonal: [KoalaBear; T],
}

/// Poseidon2, width 16.
pub(crate) static P2_16: Poseidon2<16, 20> = Poseidon2 {
    initial: table(&c::P2_INITIAL_16),
    internal: row(&c::P2_INTERNAL_16),
    terminal: table(&c::P2_TERMINAL_16),
    diagonal: row(&c::P2_DIAGONAL_16),
};

/// Poseidon2, width 24.
pub(crate) static P2_24: Poseidon2<24, 23> = Poseidon2 {
    initial: table(&c::P2_INITIAL_24),
    internal: row(&c::P2_INTERNAL_24),
    terminal: table(&c::P2_TERMINAL_24),
    diagonal: row(&c::P2_DIAGONAL_24),
};

/// What of Poseidon2's internal layer is precomputed: its words in pairs, as [`internal_rounds`] explains.
///
/// Words 0, 1 and 2 have the entries -2, 1 and 2 of the diagonal.
struct Internal<const N: usize, const S: usize> {
    /// The words with entries `d` and `-d`.
    pairs: [(usize, usize); N],
    /// For each pair: `d`, `d^2` and `1 / (2 d)`.
    factors: [[Factor; 3]; N],
    /// The other words and their entries.
    singles: [(usize, Factor); S],
}

impl<const N: usize, const S: usize> Internal<N, S> {
    /// Finds the pairs.
    const fn new<const T: usize>(diagonal: &[KoalaBear; T]) -> Self {
        let zero = Factor::ZERO;
        let mut out = Self { pairs: [(0, 0); N], factors: [[zero; 3]; N], singles: [(0, zero); S] };
        let (mut pairs, mut singles, mut i) = (0, 0, 3);
        while i < T {
            let d = diagonal[i];
            let mut other = 3;
            while other < T && d.add(diagonal[other]).montgomery() != 0 {
                other += 1;
            }
            if other == T {
                out.singles[singles] = (i, Factor::new(d));
                singles += 1;
            } else if i < other {
                out.pairs[pairs] = (i, other);
                let last = d.add(d).power(P - 2);
                out.factors[pairs] = [Factor::new(d), Factor::new(d.mul(d)), Factor::new(last)];
                pairs += 1;
            }
            i += 1;
        }
        assert!(pairs == N && singles == S);
        out
    }
}

/// The internal layer of width 16.
static INTERNAL_16: Internal<6, 1> = Internal::new(&P2_16.diagonal);

/// The internal layer of width 24.
static INTERNAL_24: Internal<9, 3> = Internal::new(&P2_24.diagonal);

/// Width 16.
pub(super) fn permute16(state: &mut [KoalaBear; 16]) {
    *state = permute16_words(state.map(word)).map(element);
}

/// Width 24.
pub(super) fn permute24(state: &mut [KoalaBear; 24]) {
    *state = permute24_words(state.map(word)).map(element);
}

/// Width 16 on words. Input: between 0 and `p`. Output: within `p - 1`.
#[inline(always)]
pub(super) fn permute16_words<I: Signed>(x: [I; 16]) -> [I; 16] {
    permute(x, &P2_16, &INTERNAL_16)
}

/// Width 24 on words. Input: between 0 and `p`. Output: within `p - 1`.
#[inline(always)]
pub(super) fn permute24_words<I: Signed>(x: [I; 24]) -> [I; 24] {
    permute(x, &P2_24, &INTERNAL_24)
}

/// Spec section 3.1.
#[inline(always)]
fn permute<I: Signed, const T: usize, const R: usize, const N: usize, const S: usize>(
    x: [I; T],
    k: &Poseidon2<T, R>,
    internal: &Internal<N, S>,
) -> [I; T] {
    let mut sums = external_layer(x);
    for constants in &k.initial {
        full_round(&mut sums, constants);
    }
    let mut words = sums.words();
    internal_rounds(&mut words, &k.internal, internal);
    sums = BlockSums { words, totals: [0.into(); 4] };
    for constants in &k.terminal {
        full_round(&mut sums, constants);
    }
    sums.words()
}

/// A state after the external layer, whose last step is left to who reads it: word `i` is `words[i] + totals[i % 4]`.
///
/// Rows of the layer sum to 35 (width 16) or 49 (width 24) and S-boxes' outputs are within `1.01 p`, so with a constant
/// added they are within `51 p`. A block is read, taken through the round and written before the next one,
/// so that nothing is written as words and read as vectors, which would wait for the writes.
struct BlockSums<I, const T: usize> {
    words: [I; T],
    totals: [I; 4],
}

impl<I: Signed, const T: usize> BlockSums<I, T> {
    /// The state, within `0.9 p`.
    #[inline(always)]
    fn words(&self) -> [I; T] {
        core::array::from_fn(|i| (self.words[i] + self.totals[i % 4]).fold())
    }

    /// Takes block `block` through `M4` and adds it to the totals. By hand, since closures over arrays stay calls.
    #[inline(always)]
    fn set_block(&mut self, block: usize, x: [I; 4]) {
        let y = multiply_m4(x);
        self.words[4 * block..4 * block + 4].copy_from_slice(&y);
        let [a, b, c, d] = self.totals;
        self.totals = [a + y[0], b + y[1], c + y[2], d + y[3]];
    }
}

/// The external linear layer `E`: `M4` on each block of four, then the sum of all blocks added to each.
#[inline(always)]
fn external_layer<I: Signed, const T: usize>(x: [I; T]) -> BlockSums<I, T> {
    let mut out = BlockSums { words: x, totals: [0.into(); 4] };
    for (block, x) in x.as_chunks::<4>().0.iter().enumerate() {
        out.set_block(block, *x);
    }
    out
}

/// A full round of Poseidon2: constants, S-boxes, external layer. What is folded is within `51 p`, and then within `0.91 p`.
#[inline(always)]
fn full_round<I: Signed, const T: usize>(x: &mut BlockSums<I, T>, constants: &[KoalaBear; T]) {
    let totals = core::mem::replace(&mut x.totals, [0.into(); 4]);
    for (block, constants) in constants.as_chunks::<4>().0.iter().enumerate() {
        let words = &x.words[4 * block..4 * block + 4];
        let y = |i: usize| (words[i] + totals[i] + word(constants[i]).into()).fold();
        x.set_block(block, I::cubes([y(0), y(1), y(2), y(3)]));
    }
}

/// Multiplies by `M4 = [2 3 1 1; 1 2 3 1; 1 1 2 3; 3 1 1 2]` with additions only.
#[inline(always)]
fn multiply_m4<I: Signed>(x: [I; 4]) -> [I; 4] {
    let (a, b) = (x[0] + x[1], x[2] + x[3]);
    let all = a + b;
    let (u, v) = (all + x[1], all + x[3]);
    [u + a, u + (x[2] + x[2]), v + b, v + (x[0] + x[0])]
}

/// All internal rounds of Poseidon2: a constant and the S-box on word 0, then `x_i = sum + D_i x_i`, with `D_0 = -2`.
///
/// Only the sum of all words feeds back into word 0. Two words with entries `d` and `-d` are kept as their half sum `u`
/// and half difference `v`: with `s` the sum of a round, `u' = s + d v` and `v' = d u`, hence `u'' = s' + d^2 u`. One
/// product serves both words, and `v` is needed at the ends only.
///
/// Words that come in are within `0.9 p`, so `u` and `v` start within `p`. With `s` within `0.9 p`, `u` and the single words stay
/// within `1.9 p` (for `0.9 + 1 / 2 + 1.9 / 4.03 < 1.9`), and words 1 and 2 within `2 p` and `2.1 p`. So all words but word 0 add
/// up to at most `(18 + 3) 1.9 p + 4.1 p = 44 p`, and a sum of them, an S-box's output and a constant is folded within `0.87 p`.
#[inline(always)]
fn internal_rounds<I: Signed, const T: usize, const N: usize, const S: usize>(
    state: &mut [I; T],
    constants: &[KoalaBear],
    k: &Internal<N, S>,
) {
    const HALF: Factor = Factor::new(KoalaBear::new(P.div_ceil(2)));
    // `u` of the round before and of this one; before the first, v / d stands for it.
    let (mut before, mut now) = ([state[0]; N], [state[0]; N]);
    for (i, &(a, b)) in k.pairs.iter().enumerate() {
        now[i] = (state[a] + state[b]).times(HALF);
        before[i] = (state[a] - state[b]).times(k.factors[i][2]);
    }
    let mut singles = k.singles.map(|(i, _)| state[i]);
    let [first, mut one, mut two] = [state[0], state[1], state[2]];
    let mut input = first + word(constants[0]).into();
    for r in 0..constants.len() {
        let pairs = now[1..].iter().fold(now[0], |sum, &u| sum + u);
        let others = singles.iter().fold(pairs + pairs + one + two, |sum, &x| sum + x);
        let y = input.fold().cube();
        let sum = (others + y).fold();
        input = others - y + constants.get(r + 1).map_or(0, |&constant| word(constant)).into();
        one = one.fold() + sum;
        two = two.fold();
        two = two + two + sum;
        for (x, (_, d)) in singles.iter_mut().zip(&k.singles) {
            *x = x.times(*d) + sum;
        }
        for (u, [_, square, _]) in before.iter_mut().zip(&k.factors) {
            *u = u.times(*square) + sum;
        }
        core::mem::swap(&mut before, &mut now);
    }
    [state[0], state[1], state[2]] = [input, one, two];
    for (&(i, _), x) in k.singles.iter().zip(singles) {
        state[i] = x;
    }
    for (i, &(a, b)) in k.pairs.iter().enumerate() {
        let v = before[i].times(k.factors[i][0]);
        [state[a], state[b]] = [now[i] + v, now[i] - v];
    }
}
