//! Poseidon2 on one lane.

use super::super::constants as c;
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
    factors: [[KoalaBear; 3]; N],
    /// The other words and their entries.
    singles: [(usize, KoalaBear); S],
}

impl<const N: usize, const S: usize> Internal<N, S> {
    /// Finds the pairs.
    const fn new<const T: usize>(diagonal: &[KoalaBear; T]) -> Self {
        let zero = KoalaBear::ZERO;
        let mut out = Self { pairs: [(0, 0); N], factors: [[zero; 3]; N], singles: [(0, zero); S] };
        let (mut pairs, mut singles, mut i) = (0, 0, 3);
        while i < T {
            let d = diagonal[i];
            let mut other = 3;
            while other < T && d.add(diagonal[other]).montgomery() != 0 {
                other += 1;
            }
            if other == T {
                out.singles[singles] = (i, d);
                singles += 1;
            } else if i < other {
                out.pairs[pairs] = (i, other);
                out.factors[pairs] = [d, d.mul(d), d.add(d).power(P - 2)];
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
    permute(state, &P2_16, &INTERNAL_16);
}

/// Width 24.
pub(super) fn permute24(state: &mut [KoalaBear; 24]) {
    permute(state, &P2_24, &INTERNAL_24);
}

/// Spec section 3.1.
fn permute<const T: usize, const R: usize, const N: usize, const S: usize>(
    state: &mut [KoalaBear; T],
    k: &Poseidon2<T, R>,
    internal: &Internal<N, S>,
) {
    let mut sums = external_layer(state);
    for constants in &k.initial {
        full_round(&mut sums, constants);
    }
    *state = sums.elements();
    internal_rounds(state, &k.internal, internal);
    sums = BlockSums { words: state.map(|x| u64::from(x.montgomery())), totals: [0; 4] };
    for constants in &k.terminal {
        full_round(&mut sums, constants);
    }
    *state = sums.elements();
}

/// A state after the external layer, whose last step is left to who reads it: word `i` is `words[i] + totals[i % 4]`.
///
/// Sums of Montgomery words, not reduced: rows of the layer sum to 35 (width 16) or 49 (width 24), so with a constant
/// added they stay below `50 p < 2^37`. A block is read, taken through the round and written before the next one,
/// so that nothing is written as words and read as vectors, which would wait for the writes.
struct BlockSums<const T: usize> {
    words: [u64; T],
    totals: [u64; 4],
}

impl<const T: usize> BlockSums<T> {
    /// The reduced state.
    #[inline(always)]
    fn elements(&self) -> [KoalaBear; T] {
        core::array::from_fn(|i| KoalaBear::from_sum(self.words[i] + self.totals[i % 4]))
    }

    /// Takes block `block` through `M4` and adds it to the totals. By hand, since closures over arrays stay calls.
    #[inline(always)]
    fn set_block(&mut self, block: usize, x: [KoalaBear; 4]) {
        let [a, b, c, d] = x;
        let word = |x: KoalaBear| u64::from(x.montgomery());
        let y = multiply_m4([word(a), word(b), word(c), word(d)]);
        self.words[4 * block..4 * block + 4].copy_from_slice(&y);
        let [a, b, c, d] = self.totals;
        self.totals = [a + y[0], b + y[1], c + y[2], d + y[3]];
    }
}

/// The external linear layer `E`: `M4` on each block of four, then the sum of all blocks added to each.
fn external_layer<const T: usize>(state: &[KoalaBear; T]) -> BlockSums<T> {
    let mut out = BlockSums { words: [0; T], totals: [0; 4] };
    for (block, x) in state.as_chunks::<4>().0.iter().enumerate() {
        out.set_block(block, *x);
    }
    out
}

/// A full round of Poseidon2: constants, S-boxes, external layer.
#[inline(always)]
fn full_round<const T: usize>(x: &mut BlockSums<T>, constants: &[KoalaBear; T]) {
    let totals = core::mem::take(&mut x.totals);
    for (block, constants) in constants.as_chunks::<4>().0.iter().enumerate() {
        let words = &x.words[4 * block..4 * block + 4];
        let y =
            |i: usize| KoalaBear::cube_of_sum(words[i] + totals[i] + u64::from(constants[i].montgomery()));
        let y = [y(0), y(1), y(2), y(3)];
        x.set_block(block, y);
    }
}

/// Multiplies by `M4 = [2 3 1 1; 1 2 3 1; 1 1 2 3; 3 1 1 2]` with additions only.
#[inline(always)]
fn multiply_m4(x: [u64; 4]) -> [u64; 4] {
    let (a, b) = (x[0] + x[1], x[2] + x[3]);
    let all = a + b;
    let (u, v) = (all + x[1], all + x[3]);
    [u + a, u + 2 * x[2], v + b, v + 2 * x[0]]
}

/// All internal rounds of Poseidon2: a constant and the S-box on word 0, then `x_i = sum + D_i x_i`, with `D_0 = -2`.
///
/// Only the sum of all words feeds back into word 0. Two words with entries `d` and `-d` are kept as their half sum `u`
/// and half difference `v`: with `s` the sum of a round, `u' = s + d v` and `v' = d u`, hence `u'' = s' + d^2 u`. One
/// product serves both words, and `v` is needed at the ends only.
#[inline(always)]
fn internal_rounds<const T: usize, const N: usize, const S: usize>(
    state: &mut [KoalaBear; T],
    constants: &[KoalaBear],
    k: &Internal<N, S>,
) {
    let word = |x: KoalaBear| u64::from(x.montgomery());
    // `u` of the round before and of this one; before the first, v / d stands for it.
    let (mut before, mut now) = ([KoalaBear::ZERO; N], [KoalaBear::ZERO; N]);
    let half = KoalaBear::new(P.div_ceil(2));
    for (i, &(a, b)) in k.pairs.iter().enumerate() {
        now[i] = state[a].add(state[b]).mul(half);
        before[i] = state[a].sub(state[b]).mul(k.factors[i][2]);
    }
    let mut singles = k.singles.map(|(i, _)| state[i]);
    let [first, mut one, mut two] = [state[0], state[1], state[2]];
    let mut input = word(first) + word(constants[0]);
    for r in 0..constants.len() {
        // The sum of all words but word 0, below 23 p.
        let pairs: u64 = now.iter().map(|&u| word(u)).sum();
        let others = 2 * pairs + word(one) + word(two) + singles.iter().map(|&x| word(x)).sum::<u64>();
        let y = KoalaBear::cube_of_sum(input);
        let sum = KoalaBear::from_sum(others + word(y));
        input = others
            + u64::from(P - y.montgomery())
            + constants.get(r + 1).map_or(0, |&constant| word(constant));
        one = one.add(sum);
        two = two.add(two).add(sum);
        for (x, (_, d)) in singles.iter_mut().zip(&k.singles) {
            *x = x.mul_add(*d, sum);
        }
        for (u, [_, square, _]) in before.iter_mut().zip(&k.factors) {
            *u = u.mul_add(*square, sum);
        }
        core::mem::swap(&mut before, &mut now);
    }
    [state[0], state[1], state[2]] = [KoalaBear::from_sum(input), one, two];
    for (&(i, _), x) in k.singles.iter().zip(singles) {
        state[i] = x;
    }
    for (i, &(a, b)) in k.pairs.iter().enumerate() {
        let v = before[i].mul(k.factors[i][0]);
        [state[a], state[b]] = [now[i].add(v), now[i].sub(v)];
    }
}
