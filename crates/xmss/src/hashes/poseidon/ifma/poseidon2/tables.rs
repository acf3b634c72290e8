//! What each width of Poseidon2 has of its own: which words are paired, and start values derived from the round
//! constants.

use super::super::super::constants as c;
use super::super::ops::{CARRY, Factor, P, add_mod, form, forms, inverse_mod, mul_mod, sub_mod};

/// Two words with diagonal entries `d` and `-d`.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// Index of the word with `d`.
    pub(super) a: usize,
    /// Index of the word with `-d`.
    pub(super) b: usize,
    /// `d`, canonical.
    pub(super) d: u64,
    /// `d^2`, canonical.
    pub(super) square: u64,
    pub(super) by_half_d: Factor,
    pub(super) by_half_square: Factor,
    pub(super) by_square: Factor,
    pub(super) by_d: Factor,
}

impl Pair {
    pub(super) const fn new<const T: usize>(diagonal: &[u32; T], a: usize, b: usize) -> Self {
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
    pub(super) const fn form(&self, class: usize) -> Product {
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
pub(super) struct Single {
    pub(super) index: usize,
    /// Its diagonal entry, canonical.
    pub(super) d: u64,
    pub(super) by_d: Factor,
}

impl Single {
    pub(super) const fn new<const T: usize>(diagonal: &[u32; T], index: usize) -> Self {
        let d = diagonal[index] as u64;
        Self { index, d, by_d: Factor::new(d) }
    }

    /// How `d x` is computed in rounds of `class`.
    pub(super) const fn form(&self, class: usize) -> Product {
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
pub(super) enum Product {
    /// By one: an addition.
    One,
    /// By a small integer, one operation, no reduction.
    Integer,
    /// [`ResidueLanes::mul_small_const`].
    Small,
    /// [`ResidueLanes::mul_const`].
    Reducing,
}

impl Product {
    /// Whether it is that one.
    pub(super) const fn is(self, other: Self) -> bool {
        self as u8 == other as u8
    }
}

/// Most pairs and most single words of any width.
pub(super) const PAIRS: usize = 9;
pub(super) const SINGLES: usize = 5;
/// Most partial rounds of any width.
pub(super) const ROUNDS: usize = 23;

/// The partial rounds are of eight classes: 0, 1, then 2 to 7 again and again.
pub(super) const CLASSES: usize = 8;

/// The class of partial round `r`.
pub(super) const fn class(r: usize) -> usize {
    if r < 2 { r } else { 2 + (r - 2) % (CLASSES - 2) }
}

/// What a width has of its own. All residues are in R form.
pub(super) struct Table<const T: usize> {
    /// Number of partial rounds.
    pub(super) rounds: usize,
    pub(super) pairs: [Pair; PAIRS],
    pub(super) pair_count: usize,
    pub(super) singles: [Single; SINGLES],
    pub(super) single_count: usize,
    /// Added to the words before the first layer.
    pub(super) first: [u64; T],
    /// Start values of the S-boxes of the initial full rounds.
    pub(super) initial: [[u64; T]; 4],
    /// Start values of the S-boxes of the partial rounds.
    pub(super) internal: [u64; ROUNDS],
    /// Start values of the S-boxes of the terminal full rounds.
    pub(super) terminal: [[u64; T]; 4],
}

/// Ties a table to a type, so that the kernel is compiled with its numbers in place.
pub(super) trait Width<const T: usize> {
    const TABLE: &'static Table<T>;
}

/// Width 16.
pub(super) struct Width16;
/// Width 24.
pub(super) struct Width24;

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
    pub(super) const fn with_constants<const R: usize>(
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
    /// constant of its next S-box as offset, and `last` at the end. Returns the offsets at the exit and those of the
    /// S-box outputs.
    pub(super) const fn offsets(
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
    pub(super) const fn solve_entry(&self, constants: &[u64; ROUNDS], wanted: &[u64; T]) -> [u64; T] {
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

/// Start values that add `row` to the S-box outputs, with `least` (a multiple of `p`) on top.
pub(super) const fn starts<const T: usize>(mut row: [u64; T], least: u64) -> [u64; T] {
    let mut i = 0;
    while i < T {
        row[i] = add_mod(row[i], CARRY) + least;
        i += 1;
    }
    row
}

/// The external layer as a matrix: `M4` between any two blocks, twice that on the diagonal.
pub(super) const fn external_matrix<const T: usize>() -> [[u64; T]; T] {
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
pub(super) const fn solve<const T: usize>(mut matrix: [[u64; T]; T], mut right: [u64; T]) -> [u64; T] {
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
