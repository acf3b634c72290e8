//! The partial rounds of Poseidon1 on packed lanes: one linear map around the S-boxes of word 0, as in [`PartialRounds`], with the
//! matrix of the last initial round.
//!
//! The input of an S-box is a multiple `b` of the output before it, plus what has long been known. With the inputs `z_r` scaled, `X_r = s_r z_r` with
//! `s_0 = 1` and `s_(r+1) = s_r^3 / b`, it is `X_(r+1) = X_r^3 + start_r`: between two S-boxes there is a sum, no product that would be waited
//! for. So outputs of S-boxes are not kept: that of S-box `r` is `(X_(r+1) - start_r) / s_r^3`.

use super::super::portable::poseidon1::{PartialRounds, Poseidon1};
use super::dots::{Rows, signed};
use super::lanes::{FieldLanes, Vector};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::vec::Vec;
use phalanx_core::lanes::WordLanes;

/// What is computed of the *symbols*: the words before the matrix, the scaled inputs of all S-boxes but the first, and the last output.
pub(super) struct Partial {
    /// The input of the first S-box.
    first: Rows<1>,
    /// What is added to the third powers for the next inputs, two by two: as far as symbols are known before the first of the
    /// two, and the coefficient of that one's sum in the second.
    starts: Vec<(Rows<2>, u32)>,
    /// What is added for the input of the last S-box, if one is left.
    last_start: Option<Rows<1>>,
    /// The words after the partial rounds, four by four.
    outputs: Vec<Rows<4>>,
}

/// Coefficients of symbols, and a constant.
pub(super) struct Row {
    pub(super) coefficients: Vec<KoalaBear>,
    pub(super) constant: KoalaBear,
}

impl Row {
    /// Adds `factor` times a row of no more symbols.
    fn add(&mut self, other: &Self, factor: KoalaBear) {
        for (sum, x) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *sum = sum.add(x.mul(factor));
        }
        self.constant = self.constant.add(other.constant.mul(factor));
    }
}

/// The inputs of S-boxes in terms of symbols, one after the other.
struct Scaled {
    /// `X_(r+1) - X_r^3`.
    starts: Vec<Row>,
    /// `1 / s_r^3` of the S-boxes up to the one whose input was found last.
    over_cubes: Vec<KoalaBear>,
}

impl Scaled {
    /// A row of words, outputs of S-boxes and a constant in terms of symbols. `outputs`: their coefficients, not more than there are starts.
    fn symbols(&self, words: Vec<KoalaBear>, outputs: &[KoalaBear], constant: KoalaBear) -> Row {
        let mut row = Row { coefficients: words, constant };
        let width = row.coefficients.len();
        row.coefficients.resize(width + outputs.len(), KoalaBear::ZERO);
        for (i, (output, start)) in outputs.iter().zip(&self.starts).enumerate() {
            let factor = output.mul(self.over_cubes[i]);
            row.coefficients[width + i] = row.coefficients[width + i].add(factor);
            row.add(start, KoalaBear::ZERO.sub(factor));
        }
        row
    }

    /// Finds the start for the next S-box, whose input is this row.
    fn push(&mut self, words: Vec<KoalaBear>, outputs: &[KoalaBear], constant: KoalaBear) {
        let (b, outputs) = outputs.split_last().expect("at least the first");
        let over_cube = *self.over_cubes.last().expect("that of the first S-box");
        // `1 / s_(r+1)`.
        let over = b.mul(over_cube);
        let mut start = self.symbols(words, outputs, constant);
        let scale = inverse(over);
        start.coefficients.iter_mut().chain([&mut start.constant]).for_each(|x| *x = x.mul(scale));
        self.starts.push(start);
        self.over_cubes.push(over.cube());
    }
}

/// All that is linear about the partial rounds.
pub(super) struct Linear<const T: usize> {
    /// The input of the first S-box.
    pub(super) first: Row,
    /// What is added to the third power of each input for the next one.
    pub(super) starts: Vec<Row>,
    /// Coefficients of the words after the partial rounds.
    pub(super) outputs: Vec<Vec<KoalaBear>>,
    /// The constants of these words, not added but given: they join those of the full round after.
    pub(super) constants: [KoalaBear; T],
}

impl<const T: usize> Linear<T> {
    /// Of `k`, for words that come with the factor `before` and leave with the factor `after`. S-boxes work without one.
    pub(super) fn new<const R: usize>(k: &Poseidon1<T, R>, before: KoalaBear, after: KoalaBear) -> Self {
        let rounds = PartialRounds::new(k);
        let over_before = inverse(before);
        let words = |row: &[KoalaBear], factor: KoalaBear| -> Vec<KoalaBear> {
            let to_words = |j: usize| {
                // Entry (i, j) of the matrix, for the words 1 to T - 1 behind it that the row knows.
                (1..T).fold(KoalaBear::ZERO, |sum, i| sum.add(row[i - 1].mul(k.mds[(T + j - i) % T])))
            };
            (0..T).map(|j| to_words(j).mul(over_before).mul(factor)).collect()
        };
        let one = KoalaBear::new(1);
        let mut scaled = Scaled { starts: Vec::new(), over_cubes: alloc::vec![one] };
        for row in &rounds.inputs {
            let (constant, linear) = row.split_last().expect("at least the constant");
            scaled.push(words(row, one), &linear[T - 1..], *constant);
        }
        let mut constants = [KoalaBear::ZERO; T];
        let outputs: Vec<Vec<KoalaBear>> = (0..T)
            .map(|i| {
                let row = &rounds.outputs[i];
                let (constant, linear) = row.split_last().expect("at least the constant");
                let of_outputs: Vec<_> = linear[T - 1..].iter().map(|x| x.mul(after)).collect();
                let (last, others) = of_outputs.split_last().expect("an S-box");
                let mut row = scaled.symbols(words(row, after), others, constant.mul(after));
                row.coefficients.push(last.mul(*scaled.over_cubes.last().expect("an S-box")));
                constants[i] = row.constant.mul(inverse(after));
                row.coefficients
            })
            .collect();
        let first = k.mds.iter().map(|entry| entry.mul(over_before)).collect();
        let first = Row { coefficients: first, constant: rounds.first };
        Self { first, starts: scaled.starts, outputs, constants }
    }
}

impl Partial {
    /// Prepares `k`, for words that come with the factor `before` and leave with the factor `after`. S-boxes work without one.
    ///
    /// The constants of the words that leave are not added but given: they join those of the full round after.
    pub(super) fn new<const T: usize, const R: usize>(
        k: &Poseidon1<T, R>,
        before: KoalaBear,
        after: KoalaBear,
    ) -> (Self, [KoalaBear; T]) {
        let Linear { first, starts, outputs, constants } = Linear::new(k, before, after);
        let (pairs, rest) = starts.as_chunks::<2>();
        let pair = |[first, second]: &[Row; 2]| {
            let (later, coefficients) = second.coefficients.split_last().expect("one more than the first");
            let later = signed(later.montgomery());
            let rows = [&first.coefficients, coefficients];
            (Rows::new(rows, [first.constant, second.constant], [0, later]), later)
        };
        let four = |[a, b, c, d]: &[Vec<KoalaBear>; 4]| Rows::new([a, b, c, d], [KoalaBear::ZERO; 4], [0; 4]);
        let partial = Self {
            first: Rows::new([&first.coefficients], [first.constant], [0]),
            starts: pairs.iter().map(pair).collect(),
            last_start: rest.first().map(|row| Rows::new([&row.coefficients], [row.constant], [0])),
            outputs: outputs.as_chunks().0.iter().map(four).collect(),
        };
        (partial, constants)
    }

    /// The matrix of the last initial round, and all partial rounds, on reduced words.
    #[inline(always)]
    pub(super) fn apply<L: FieldLanes, const T: usize>(&self, lanes: L, x: &mut [Vector<L>; T]) {
        /// Most symbols: words, and as many as there are S-boxes.
        const MAX_SYMBOLS: usize = 47;
        let mut symbols = [lanes.factor(lanes.words().splat(0)); MAX_SYMBOLS];
        for i in 0..T {
            symbols[i] = lanes.factor(x[i]);
        }
        let mut count = T;
        let [sum] = self.first.times(lanes, &symbols[..count]);
        let mut input = word_of_sum(lanes, sum);
        for (rows, later) in &self.starts {
            // Written before the sums, which do not wait for it.
            let cube = lanes.reduced(lanes.cube(input));
            let [first, second] = rows.times(lanes, &symbols[..count]);
            input = lanes.add(cube, word_of_sum(lanes, first));
            symbols[count] = lanes.factor(input);
            let second = lanes.add_wide(second, lanes.product(symbols[count], *later));
            let cube = lanes.reduced(lanes.cube(input));
            input = lanes.add(cube, word_of_sum(lanes, second));
            symbols[count + 1] = lanes.factor(input);
            count += 2;
        }
        if let Some(row) = &self.last_start {
            let cube = lanes.reduced(lanes.cube(input));
            let [sum] = row.times(lanes, &symbols[..count]);
            input = lanes.add(cube, word_of_sum(lanes, sum));
            symbols[count] = lanes.factor(input);
            count += 1;
        }
        symbols[count] = lanes.factor(lanes.reduced(lanes.cube(input)));
        count += 1;
        for (i, rows) in self.outputs.iter().enumerate() {
            let sums = rows.times(lanes, &symbols[..count]);
            for row in 0..4 {
                x[4 * i + row] = word_of_sum(lanes, sums[row]);
            }
        }
    }
}

/// `1 / x`, by Fermat.
pub(super) fn inverse(x: KoalaBear) -> KoalaBear {
    x.power(P - 2)
}

/// The reduced word of a sum below `2^33 p`.
#[inline(always)]
pub(super) fn word_of_sum<L: FieldLanes>(lanes: L, sum: L::Wide) -> Vector<L> {
    lanes.reduced(lanes.reduce(lanes.fold(sum)))
}
