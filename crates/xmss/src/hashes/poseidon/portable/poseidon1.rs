//! Poseidon1 on one lane: the constants of both widths, the permutation of width 24, and its partial rounds as one linear map.

use super::super::constants as c;
use super::{row, table};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

/// Constants of Poseidon1 with width `T`: four full rounds, `R` partial ones, four full rounds.
pub(crate) struct Poseidon1<const T: usize, const R: usize> {
    pub(crate) initial: [[KoalaBear; T]; 4],
    pub(crate) partial: [[KoalaBear; T]; R],
    pub(crate) terminal: [[KoalaBear; T]; 4],
    /// First row of the circulant matrix, `M[i][j] = mds[(j - i) mod T]`.
    pub(crate) mds: [KoalaBear; T],
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
pub(crate) static P1_16: Poseidon1<16, 20> = split(&c::P1_ROUNDS_16, &c::P1_MDS_16);

/// Poseidon1, width 24.
pub(crate) static P1_24: Poseidon1<24, 23> = split(&c::P1_ROUNDS_24, &c::P1_MDS_24);

/// Width 24.
pub(super) fn permute24(state: &mut [KoalaBear; 24]) {
    permute(state, &P1_24, &CIRCULANT_24, partial_rounds_24());
}

/// Spec section 3.2.
fn permute<const T: usize, const R: usize, const H: usize>(
    state: &mut [KoalaBear; T],
    k: &Poseidon1<T, R>,
    matrix: &Circulant<H>,
    partial: &PartialRounds<T>,
) {
    for constants in &k.initial {
        for (word, &constant) in state.iter_mut().zip(constants) {
            *word = word.add(constant).cube();
        }
        matrix.multiply(state);
    }
    partial.apply(state);
    for constants in &k.terminal {
        for (word, &constant) in state.iter_mut().zip(constants) {
            *word = word.add(constant).cube();
        }
        matrix.multiply(state);
    }
}

/// The circulant matrix of Poseidon1 with width `2 H`, split by `X^(2H) - 1 = (X^H - 1)(X^H + 1)`.
///
/// With `x+` the sums of the two halves of the state and `x-` their differences, the halves of the product are `s + d` and
/// `s - d`, where `s` is the product of `x+` with a circulant matrix and `d` that of `x-` with one whose rows change their
/// sign where they wrap around: half of the products.
struct Circulant<const H: usize> {
    /// The rows that multiply the sums, and those that multiply the differences.
    rows: [[[KoalaBear; H]; H]; 2],
}

impl<const H: usize> Circulant<H> {
    /// The matrix `M[i][j] = mds[(j - i) mod 2 H]`.
    const fn new<const T: usize>(mds: &[KoalaBear; T]) -> Self {
        assert!(T == 2 * H);
        let half = KoalaBear::new(P.div_ceil(2));
        let mut rows = [[[KoalaBear::ZERO; H]; H]; 2];
        let mut i = 0;
        while i < H * H {
            let (row, column) = (i / H, i % H);
            let (a, b) = (mds[(T + column - row) % T], mds[(H + column - row) % T]);
            rows[0][row][column] = a.add(b).mul(half);
            rows[1][row][column] = a.sub(b).mul(half);
            i += 1;
        }
        Self { rows }
    }

    /// Multiplies by the matrix.
    fn multiply<const T: usize>(&self, state: &mut [KoalaBear; T]) {
        let sums: [KoalaBear; H] = core::array::from_fn(|i| state[i].add(state[i + H]));
        let differences: [KoalaBear; H] = core::array::from_fn(|i| state[i].sub(state[i + H]));
        for i in 0..H {
            let s = wide_reduce(wide_dot(&self.rows[0][i], &sums));
            let d = wide_reduce(wide_dot(&self.rows[1][i], &differences));
            [state[i], state[i + H]] = [s.add(d), s.sub(d)];
        }
    }
}

/// The matrix of width 24.
static CIRCULANT_24: Circulant<12> = Circulant::new(&P1_24.mds);

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
pub(crate) struct PartialRounds<const T: usize> {
    /// Constant added to word 0 before the first S-box.
    pub(crate) first: KoalaBear,
    /// For S-box `r >= 1`: coefficients of `u_1..u_(T-1)`, then of `y_0..y_(r-1)`, then the constant.
    pub(crate) inputs: Vec<Vec<KoalaBear>>,
    /// For each final word: coefficients of `u_1..u_(T-1)`, then of all `y`, then the constant.
    pub(crate) outputs: Vec<Vec<KoalaBear>>,
}

impl<const T: usize> PartialRounds<T> {
    /// Derives the coefficients.
    pub(crate) fn new<const R: usize>(k: &Poseidon1<T, R>) -> Self {
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

/// The partial rounds of width 24, derived once.
fn partial_rounds_24() -> &'static PartialRounds<24> {
    static TABLE: OnceBox<PartialRounds<24>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(PartialRounds::new(&P1_24)))
}
