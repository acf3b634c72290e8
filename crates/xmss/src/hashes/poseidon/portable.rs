//! The scalar permutations: the reference behaviour, which the vector engines are tested against.
//!
//! Both keep the full rounds of the specification. Poseidon2's internal rounds are on pairs of words
//! ([`internal_rounds`]). Poseidon1's partial rounds touch only word 0 non-linearly, so everything else about them is one
//! precomputed linear map ([`PartialRounds`]).

use super::constants as c;
use super::engine::{Engine, Version};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

/// The engine of one lane.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Engine for Scalar {
    const LANES: usize = 1;
    type Word = KoalaBear;
    type Single = Self;

    #[inline(always)]
    fn single(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> KoalaBear {
        x
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> KoalaBear {
        xs[0]
    }

    #[inline(always)]
    fn store(self, word: &KoalaBear, out: &mut [KoalaBear]) {
        out[0] = *word;
    }

    #[inline(always)]
    fn add(self, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        KoalaBear::add(*a, *b)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        if lanes & 1 == 1 { *a } else { *b }
    }

    // Thousands of instructions, and a dozen callers: a call costs nothing beside them.
    #[inline(never)]
    fn permute16(self, version: Version, state: &mut [KoalaBear; 16]) {
        match version {
            Version::One => poseidon1(state, &P1_16, partial_rounds_16()),
            Version::Two => poseidon2(state, &P2_16, &INTERNAL_16),
        }
    }

    #[inline(never)]
    fn permute24(self, version: Version, state: &mut [KoalaBear; 24]) {
        match version {
            Version::One => poseidon1(state, &P1_24, partial_rounds_24()),
            Version::Two => poseidon2(state, &P2_24, &INTERNAL_24),
        }
    }
}

/// A table of canonical residues as field elements.
const fn table<const T: usize, const N: usize>(rows: &[[u32; T]; N]) -> [[KoalaBear; T]; N] {
    let mut out = [[KoalaBear::ZERO; T]; N];
    let mut i = 0;
    while i < N {
        out[i] = row(&rows[i]);
        i += 1;
    }
    out
}

/// A row of canonical residues as field elements.
const fn row<const T: usize>(row: &[u32; T]) -> [KoalaBear; T] {
    let mut out = [KoalaBear::ZERO; T];
    let mut i = 0;
    while i < T {
        out[i] = KoalaBear::new(row[i]);
        i += 1;
    }
    out
}

/// Constants of Poseidon2 with width `T` and `R` internal rounds.
pub(super) struct Poseidon2<const T: usize, const R: usize> {
    pub(super) initial: [[KoalaBear; T]; 4],
    pub(super) internal: [KoalaBear; R],
    pub(super) terminal: [[KoalaBear; T]; 4],
    pub(super) diagonal: [KoalaBear; T],
}

/// Poseidon2, width 16.
pub(super) static P2_16: Poseidon2<16, 20> = Poseidon2 {
    initial: table(&c::P2_INITIAL_16),
    internal: row(&c::P2_INTERNAL_16),
    terminal: table(&c::P2_TERMINAL_16),
    diagonal: row(&c::P2_DIAGONAL_16),
};

/// Poseidon2, width 24.
pub(super) static P2_24: Poseidon2<24, 23> = Poseidon2 {
    initial: table(&c::P2_INITIAL_24),
    internal: row(&c::P2_INTERNAL_24),
    terminal: table(&c::P2_TERMINAL_24),
    diagonal: row(&c::P2_DIAGONAL_24),
};

/// What of Poseidon2's internal layer is precomputed: its words in pairs, as [`internal_rounds`] explains.
///
/// Words 0, 1 and 2 have the entries -2, 1 and 2 of the diagonal.
pub(super) struct Internal<const N: usize, const S: usize> {
    /// The words with entries `d` and `-d`.
    pub(super) pairs: [(usize, usize); N],
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
pub(super) static INTERNAL_16: Internal<6, 1> = Internal::new(&P2_16.diagonal);

/// The internal layer of width 24.
pub(super) static INTERNAL_24: Internal<9, 3> = Internal::new(&P2_24.diagonal);

/// Spec section 3.1.
fn poseidon2<const T: usize, const R: usize, const N: usize, const S: usize>(
    state: &mut [KoalaBear; T],
    k: &Poseidon2<T, R>,
    internal: &Internal<N, S>,
) {
    let mut sums = external_layer(state);
    for constants in &k.initial {
        sums = full_round(&sums, constants);
    }
    *state = sums.elements();
    internal_rounds(state, &k.internal, internal);
    sums = BlockSums { words: state.map(|x| u64::from(x.montgomery())), totals: [0; 4] };
    for constants in &k.terminal {
        sums = full_round(&sums, constants);
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

    /// The external linear layer `E` of the words that `word` gives: `M4` on each block of four, then the sum of all
    /// blocks added to each.
    #[inline(always)]
    fn of(word: impl Fn(usize) -> KoalaBear) -> Self {
        let mut out = Self { words: [0; T], totals: [0; 4] };
        for (block, words) in out.words.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *words = multiply_m4([0, 1, 2, 3].map(|i| u64::from(word(4 * block + i).montgomery())));
            for (total, &word) in out.totals.iter_mut().zip(words.iter()) {
                *total += word;
            }
        }
        out
    }
}

/// The external layer of a state.
fn external_layer<const T: usize>(state: &[KoalaBear; T]) -> BlockSums<T> {
    BlockSums::of(|i| state[i])
}

/// A full round of Poseidon2: constants, S-boxes, external layer.
#[inline(always)]
fn full_round<const T: usize>(x: &BlockSums<T>, constants: &[KoalaBear; T]) -> BlockSums<T> {
    BlockSums::of(|i| {
        KoalaBear::cube_of_sum(x.words[i] + x.totals[i % 4] + u64::from(constants[i].montgomery()))
    })
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

/// Constants of Poseidon1 with width `T`: four full rounds, `R` partial ones, four full rounds.
pub(super) struct Poseidon1<const T: usize, const R: usize> {
    pub(super) initial: [[KoalaBear; T]; 4],
    pub(super) partial: [[KoalaBear; T]; R],
    pub(super) terminal: [[KoalaBear; T]; 4],
    /// First row of the circulant matrix, `M[i][j] = mds[(j - i) mod T]`.
    pub(super) mds: [KoalaBear; T],
}

/// Splits the rounds' constants into full, partial and full ones.
const fn split<const T: usize, const N: usize, const R: usize>(
    rounds: &[[u32; T]; N],
    mds: &[u32; T],
) -> Poseidon1<T, R> {
    assert!(N == R + 8, "four full rounds on either side");
    let all = table(rounds);
    let zero = [KoalaBear::ZERO; T];
    let mut k = Poseidon1 { initial: [zero; 4], partial: [zero; R], terminal: [zero; 4], mds: row(mds) };
    let mut i = 0;
    while i < N {
        match i {
            0..4 => k.initial[i] = all[i],
            _ if i < 4 + R => k.partial[i - 4] = all[i],
            _ => k.terminal[i - 4 - R] = all[i],
        }
        i += 1;
    }
    k
}

/// Poseidon1, width 16.
pub(super) static P1_16: Poseidon1<16, 20> = split(&c::P1_ROUNDS_16, &c::P1_MDS_16);

/// Poseidon1, width 24.
pub(super) static P1_24: Poseidon1<24, 23> = split(&c::P1_ROUNDS_24, &c::P1_MDS_24);

/// Spec section 3.2.
fn poseidon1<const T: usize, const R: usize>(
    state: &mut [KoalaBear; T],
    k: &Poseidon1<T, R>,
    partial: &PartialRounds<T>,
) {
    for constants in &k.initial {
        for (word, &constant) in state.iter_mut().zip(constants) {
            *word = word.add(constant).cube();
        }
        multiply_mds(state, &k.mds);
    }
    partial.apply(state);
    for constants in &k.terminal {
        for (word, &constant) in state.iter_mut().zip(constants) {
            *word = word.add(constant).cube();
        }
        multiply_mds(state, &k.mds);
    }
}

/// Multiplies by the circulant matrix.
fn multiply_mds<const T: usize>(state: &mut [KoalaBear; T], mds: &[KoalaBear; T]) {
    let old = *state;
    for (i, word) in state.iter_mut().enumerate() {
        // Row i is the first row rotated right by i.
        let (head, tail) = mds.split_at(T - i);
        *word = wide_reduce(wide_dot(tail, &old[..i]) + wide_dot(head, &old[i..]));
    }
}

/// `sum a_i b_i` of Montgomery words, not reduced. At most 256 terms: below `2^70`.
#[inline]
fn wide_dot(a: &[KoalaBear], b: &[KoalaBear]) -> u128 {
    let product = |(x, y): (&KoalaBear, &KoalaBear)| u64::from(x.montgomery()) * u64::from(y.montgomery());
    // Four products stay below 2^64, because 4 (p - 1)^2 < 2^64.
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b[..4 * a.len() + a_rest.len()].as_chunks::<4>();
    let mut sum: u64 = a_rest.iter().zip(b_rest).map(product).sum();
    let mut wide = u128::from(sum);
    for (a, b) in a.iter().zip(b) {
        sum = a.iter().zip(b).map(product).sum();
        wide += u128::from(sum);
    }
    wide
}

/// The element of a sum of products below `2^71`.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low and the high half are taken on purpose")]
fn wide_reduce(x: u128) -> KoalaBear {
    /// The reduction's input must stay below this; `2^64` is between two and three times it.
    const LIMIT: u64 = (P as u64) << 32;
    /// `2^64 mod p`, so that reducing `high * WRAP`, below `2^7 * 2^31`, accounts for `high * 2^64`.
    const WRAP: u64 = {
        let r = (1u64 << 32) % P as u64;
        r * r % P as u64
    };
    let (high, low) = ((x >> 64) as u64, x as u64);
    let low = low.min(low.wrapping_sub(LIMIT));
    let low = low.min(low.wrapping_sub(LIMIT));
    KoalaBear::from_wide(low).add(KoalaBear::from_wide(high * WRAP))
}

/// All partial rounds of Poseidon1 as linear algebra around the S-boxes of word 0.
///
/// With `u_1..u_(T-1)` the other words at entry and `y_r` the S-box outputs, the input of S-box `r > 0` and the final
/// words are linear in `(u, y_0.., 1)`. The coefficients are found by running the rounds once on coefficient vectors.
pub(super) struct PartialRounds<const T: usize> {
    /// Constant added to word 0 before the first S-box.
    pub(super) first: KoalaBear,
    /// For S-box `r >= 1`: coefficients of `u_1..u_(T-1)`, then of `y_0..y_(r-1)`, then the constant.
    pub(super) inputs: Vec<Vec<KoalaBear>>,
    /// For each final word: coefficients of `u_1..u_(T-1)`, then of all `y`, then the constant.
    pub(super) outputs: Vec<Vec<KoalaBear>>,
}

impl<const T: usize> PartialRounds<T> {
    /// Derives the coefficients.
    fn new<const R: usize>(k: &Poseidon1<T, R>) -> Self {
        let one = KoalaBear::new(1);
        let constant = T - 1 + R;
        // words[i][j]: coefficient of symbol j in word i. Word 0 is always a fresh symbol after its S-box.
        let mut words: Vec<Vec<KoalaBear>> =
            (0..T).map(|_| alloc::vec![KoalaBear::ZERO; constant + 1]).collect();
        for i in 1..T {
            words[i][i - 1] = one;
        }
        let mut inputs = Vec::new();
        for (r, constants) in k.partial.iter().enumerate() {
            for (word, &c) in words.iter_mut().zip(constants) {
                word[constant] = word[constant].add(c);
            }
            if r > 0 {
                let mut input = words[0][..T - 1 + r].to_vec();
                input.push(words[0][constant]);
                inputs.push(input);
            }
            words[0].fill(KoalaBear::ZERO);
            words[0][T - 1 + r] = one;
            words =
                (0..T)
                    .map(|i| {
                        (0..=constant)
                            .map(|j| {
                                wide_reduce((0..T).fold(0, |sum, l| {
                                    sum + wide_dot(&[k.mds[(T + l - i) % T]], &[words[l][j]])
                                }))
                            })
                            .collect()
                    })
                    .collect();
        }
        Self { first: k.partial[0][0], inputs, outputs: words }
    }

    /// Runs all partial rounds. `T - 1 + R + 1 <= 47` terms at most, as [`wide_dot`] wants.
    fn apply(&self, state: &mut [KoalaBear; T]) {
        let mut symbols = [KoalaBear::ZERO; 48];
        symbols[..T - 1].copy_from_slice(&state[1..]);
        symbols[T - 1] = state[0].add(self.first).cube();
        for (r, input) in self.inputs.iter().enumerate() {
            symbols[T + r] = affine(input, &symbols).cube();
        }
        for (word, output) in state.iter_mut().zip(&self.outputs) {
            *word = affine(output, &symbols);
        }
    }
}

/// `coefficients . symbols + last coefficient`.
fn affine(coefficients: &[KoalaBear], symbols: &[KoalaBear]) -> KoalaBear {
    let (constant, linear) = coefficients.split_last().expect("at least the constant");
    wide_reduce(wide_dot(linear, symbols)).add(*constant)
}

/// The partial rounds of width 16, derived once.
pub(super) fn partial_rounds_16() -> &'static PartialRounds<16> {
    static TABLE: OnceBox<PartialRounds<16>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(PartialRounds::new(&P1_16)))
}

/// The partial rounds of width 24, derived once.
pub(super) fn partial_rounds_24() -> &'static PartialRounds<24> {
    static TABLE: OnceBox<PartialRounds<24>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(PartialRounds::new(&P1_24)))
}
