//! The partial rounds on one state, for both versions: a chain of S-boxes, and sums of products beside it.
//!
//! docs/koalabear.md, "One state across lanes", derives what the tables hold.

use super::super::ops::{
    CARRY, LOW, NEGATED_INVERSE, P, add_mod, form, inverse_mod, mul_mod, pow_mod, sub_mod,
};
use super::lanes::{Row, StateLanes, Sum, vectors};

/// Most partial rounds of any width, plus one: the lanes of `X_0` and of the start values, three vectors.
const LANES: usize = 24;

/// What the S-box input `X_l` contributes (and in round `l` the column `l` of the matrices on words is added).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Column<const N: usize> {
    /// To the start values.
    starts: Row<3>,
    /// `Factor::q` of those in the vector of lane `l`.
    quotients: [u64; 8],
    /// To the words after the partial rounds.
    outputs: Row<N>,
}

/// All partial rounds, with the linear layer before them and the constants after them, as products with known matrices.
#[repr(C, align(64))]
pub(super) struct Partial<const T: usize, const N: usize> {
    /// Number of partial rounds.
    rounds: usize,
    /// Where the sums begin: `X_0` in lane 0, the start of the S-box that makes `X_l` in lane `l`.
    starts: Row<3>,
    /// Where the words after the partial rounds begin.
    outputs: Row<N>,
    /// What the words before contribute to the start values.
    words_to_starts: [Row<3>; T],
    /// What the words before contribute to the words after.
    words_to_outputs: [Row<N>; T],
    columns: [Column<N>; LANES],
}

/// A linear layer, to compute tables with.
pub(super) enum Layer<'a, const T: usize> {
    /// Poseidon1: the first row, canonical.
    Circulant(&'a [u32; T]),
    /// Poseidon2, full rounds.
    External,
    /// Poseidon2, partial rounds: the diagonal, canonical.
    Internal(&'a [u32; T]),
}

impl<const T: usize> Layer<'_, T> {
    /// The layer on residues. Written to be cheap for the compiler, which runs it a thousand times.
    fn apply(&self, x: &[u64; T]) -> [u64; T] {
        let mut out = [0; T];
        let mut total = 0;
        let mut i = 0;
        while i < T {
            total += x[i];
            i += 1;
        }
        i = 0;
        while i < T {
            let mut j = 0;
            out[i] = match self {
                Layer::Circulant(row) => {
                    let mut sum = 0;
                    while j < i {
                        sum += row[T + j - i] as u128 * x[j] as u128;
                        j += 1;
                    }
                    while j < T {
                        sum += row[j - i] as u128 * x[j] as u128;
                        j += 1;
                    }
                    #[expect(clippy::cast_possible_truncation, reason = "reduced modulo p")]
                    {
                        (sum % P as u128) as u64
                    }
                }
                Layer::External => {
                    let mut sum = 0;
                    while j < T {
                        sum += if i / 4 == j / 4 { 2 } else { 1 } * M4[i % 4][j % 4] * x[j];
                        j += 1;
                    }
                    sum % P
                }
                Layer::Internal(diagonal) => (total + diagonal[i] as u64 * x[i]) % P,
            };
            i += 1;
        }
        out
    }
}

/// The matrix of a block of four words (Poseidon2).
const M4: [[u64; 4]; 4] = [[2, 3, 1, 1], [1, 2, 3, 1], [1, 1, 2, 3], [3, 1, 1, 2]];

/// What is traced through the partial rounds: all else is zero.
enum Symbol {
    /// The word of this index before the linear layer.
    Word(usize),
    /// The input of the second S-box.
    Input,
    /// The constants.
    One,
}

/// What one symbol contributes.
struct Trace<const T: usize> {
    /// In lane 0 to the first S-box input, in lane `l` to the input of S-box `l` but for the S-box output before it.
    rests: [u64; LANES],
    /// To the words after `l` rounds.
    words: [[u64; T]; LANES],
}

impl<const T: usize> Trace<T> {
    /// Runs the rounds on residues. The output of S-box `l` is written as `(input of S-box l + 1 - rest) / corner`, so
    /// that inputs are the only symbols.
    fn new<const ROWS: usize>(
        outer: &Layer<'_, T>,
        inner: &Layer<'_, T>,
        constants: &[[u32; T]; ROWS],
        symbol: &Symbol,
    ) -> Self {
        let mut column = [0; T];
        column[0] = 1;
        column = inner.apply(&column);
        let inverse = inverse_mod(column[0]);
        let mut x = [0; T];
        match symbol {
            Symbol::Word(i) => {
                x[*i] = 1;
                x = outer.apply(&x);
            }
            Symbol::One => x = add_rows(&x, &constants[0]),
            Symbol::Input => (),
        }
        let mut out = Self { rests: [0; LANES], words: [[0; T]; LANES] };
        out.rests[0] = x[0];
        let mut l = 1;
        while l < ROWS {
            x[0] = 0;
            x = inner.apply(&x);
            if let Symbol::One = symbol {
                x = add_rows(&x, &constants[l]);
            }
            out.rests[l] = x[0];
            let input = matches!(symbol, Symbol::Input) && l == 1;
            let output = mul_mod(sub_mod(input as u64, x[0]), inverse);
            let mut i = 0;
            while i < T {
                x[i] = (x[i] + output * column[i]) % P;
                i += 1;
            }
            out.words[l] = x;
            l += 1;
        }
        out
    }
}

/// Adds a canonical row.
fn add_rows<const T: usize>(x: &[u64; T], row: &[u32; T]) -> [u64; T] {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = add_mod(x[i], row[i] as u64);
        i += 1;
    }
    out
}

/// The R forms of residues, each times its factor.
fn forms<const T: usize>(row: &[u64; T], factors: &[u64; T]) -> [u64; T] {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = form(mul_mod(row[i], factors[i]));
        i += 1;
    }
    out
}

impl<const T: usize, const N: usize> Partial<T, N> {
    /// From the layer before, the layer of a partial round, and the constants before each round and after the last.
    pub(super) fn new<const ROWS: usize>(
        outer: &Layer<'_, T>,
        inner: &Layer<'_, T>,
        constants: &[[u32; T]; ROWS],
    ) -> Self {
        let rounds = ROWS - 1;
        assert!(rounds < LANES && T == 8 * N);
        let input = Trace::new(outer, inner, constants, &Symbol::Input);
        // X_l is scales[l] times the input of S-box l.
        let mut scales = [1; LANES];
        let mut corner = [0; T];
        corner[0] = 1;
        let inverse = inverse_mod(inner.apply(&corner)[0]);
        let mut l = 1;
        while l < LANES {
            // So X_l is the cube of the last one plus a start value: nothing is multiplied between two S-boxes.
            scales[l] = mul_mod(pow_mod(scales[l - 1], 3), inverse);
            l += 1;
        }
        let one = Trace::new(outer, inner, constants, &Symbol::One);
        let (mut starts, mut outputs) = (forms(&one.rests, &scales), forms(&one.words[rounds], &[1; T]));
        l = 0;
        while l < LANES {
            // Lost by the fold, by the S-box, and by each product added after the fold (in `chain`).
            let lost = if l == 0 { 1 } else { 2 + l as u64 - if l < 8 { 1 } else { l as u64 / 8 * 8 } };
            starts[l] = add_mod(starts[l], lost * CARRY % P);
            l += 1;
        }
        let mut i = 0;
        while i < T {
            outputs[i] = add_mod(outputs[i], CARRY);
            i += 1;
        }
        let unused = Column { starts: [[0; 8]; 3], quotients: [0; 8], outputs: [[0; 8]; N] };
        let mut out = Self {
            rounds,
            starts: vectors(&starts),
            outputs: vectors(&outputs),
            words_to_starts: [[[0; 8]; 3]; T],
            words_to_outputs: [[[0; 8]; N]; T],
            columns: [unused; LANES],
        };
        i = 0;
        while i < T {
            let word = Trace::new(outer, inner, constants, &Symbol::Word(i));
            out.words_to_starts[i] = vectors(&forms(&word.rests, &scales));
            out.words_to_outputs[i] = vectors(&forms(&word.words[rounds], &[1; T]));
            i += 1;
        }
        l = 1;
        while l <= rounds {
            // As from the second S-box on, l - 1 rounds later.
            let inverse = inverse_mod(scales[l]);
            let mut rests = [0; LANES];
            let mut later = l + 1;
            while later <= rounds {
                rests[later] = mul_mod(inverse, input.rests[later - l + 1]);
                later += 1;
            }
            let starts: Row<3> = vectors(&forms(&rests, &scales));
            let mut quotients = starts[l / 8];
            i = 0;
            while i < 8 {
                quotients[i] = quotients[i].wrapping_mul(NEGATED_INVERSE) & LOW;
                i += 1;
            }
            let outputs = vectors(&forms(&input.words[rounds - l + 1], &[inverse; T]));
            out.columns[l] = Column { starts, quotients, outputs };
            l += 1;
        }
        out
    }
}

/// The partial rounds under way.
struct Chain<V, const N: usize> {
    /// `X_l` in every lane, below `2^35`.
    x: V,
    /// The sums of the start values of the next two vectors.
    starts: [Sum<V>; 2],
    /// The words after the partial rounds.
    outputs: [Sum<V>; N],
}

impl<const T: usize, const N: usize> Partial<T, N> {
    /// Runs the partial rounds. Input: S-box outputs, below `2^34`.
    #[inline(always)]
    pub(super) fn apply<A: StateLanes>(&self, a: A, x: &mut [A::V; N]) {
        let words = *x;
        // The first vector of start values, in a sum for each vector of words.
        let mut sums = [a.sum(a.splat(0)); N];
        sums[0] = a.sum(a.table(&self.starts[0]));
        let mut lane = 0;
        while lane < 8 {
            let mut block = 0;
            while block < N {
                let c = a.table(&self.words_to_starts[8 * block + lane][0]);
                a.accumulate(&mut sums[block], a.broadcast(words[block], lane), c);
                block += 1;
            }
            lane += 1;
        }
        let mut sum = a.join(sums[0], sums[1]);
        if N == 3 {
            sum = a.join(sum, sums[N - 1]);
        }
        let starts = a.close(sum);
        let mut chain = Chain {
            x: a.broadcast(starts, 0),
            starts: [a.sum(a.table(&self.starts[1])), a.sum(a.table(&self.starts[2]))],
            outputs: [a.sum(a.splat(0)); N],
        };
        let mut i = 0;
        while i < N {
            chain.outputs[i] = a.sum(a.table(&self.outputs[i]));
            i += 1;
        }
        self.words_to_starts(a, &words, 0, &mut chain);
        self.chain::<A, 0>(a, &words, starts, &mut chain);
        let starts = a.close(chain.starts[0]);
        self.chain::<A, 1>(a, &words, starts, &mut chain);
        let starts = a.close(chain.starts[1]);
        self.chain::<A, 2>(a, &words, starts, &mut chain);
        i = 0;
        while i < N {
            x[i] = a.close(chain.outputs[i]);
            i += 1;
        }
    }

    /// The S-boxes that start at the eight lanes of vector `STAGE`; lane 0 of the first is no start.
    ///
    /// A round waits for nothing but its S-box: its start value came out of `X` one S-box earlier. The products of
    /// words with the matrices fill the pipeline meanwhile, a few in each round.
    #[inline(always)]
    fn chain<A: StateLanes, const STAGE: usize>(
        &self,
        a: A,
        words: &[A::V; N],
        mut starts: A::V,
        chain: &mut Chain<A::V, N>,
    ) {
        let mut lane = if STAGE == 0 { 1 } else { 0 };
        let end = if self.rounds + 1 < 8 * STAGE + 8 { self.rounds + 1 - 8 * STAGE } else { 8 };
        while lane < end {
            let column = &self.columns[8 * STAGE + lane];
            chain.x = a.cube(a.broadcast(starts, lane), chain.x);
            starts = a.mul_lanes(starts, chain.x, a.table(&column.starts[STAGE]), a.table(&column.quotients));
            let mut i = STAGE;
            while i < 2 {
                a.accumulate(&mut chain.starts[i], chain.x, a.table(&column.starts[i + 1]));
                i += 1;
            }
            i = 0;
            while i < N {
                a.accumulate(&mut chain.outputs[i], chain.x, a.table(&column.outputs[i]));
                i += 1;
            }
            match STAGE {
                0 => self.words_to_starts(a, words, lane, chain),
                1 => {
                    self.words_to_outputs(a, words, 0, lane, chain);
                    self.words_to_outputs(a, words, 1, lane, chain);
                }
                _ if N == 3 => self.words_to_outputs(a, words, N - 1, lane, chain),
                _ => (),
            }
            lane += 1;
        }
    }

    /// Lane `lane` of each vector of words, to the start values but those of the first vector.
    #[inline(always)]
    fn words_to_starts<A: StateLanes>(
        &self,
        a: A,
        words: &[A::V; N],
        lane: usize,
        chain: &mut Chain<A::V, N>,
    ) {
        let mut block = 0;
        while block < N {
            let word = a.broadcast(words[block], lane);
            let c = &self.words_to_starts[8 * block + lane];
            a.accumulate(&mut chain.starts[0], word, a.table(&c[1]));
            a.accumulate(&mut chain.starts[1], word, a.table(&c[2]));
            block += 1;
        }
    }

    /// Lane `lane` of one vector of words, to the words after the partial rounds.
    #[inline(always)]
    fn words_to_outputs<A: StateLanes>(
        &self,
        a: A,
        words: &[A::V; N],
        block: usize,
        lane: usize,
        chain: &mut Chain<A::V, N>,
    ) {
        let word = a.broadcast(words[block], lane);
        let c = &self.words_to_outputs[8 * block + lane];
        let mut i = 0;
        while i < N {
            a.accumulate(&mut chain.outputs[i], word, a.table(&c[i]));
            i += 1;
        }
    }
}
