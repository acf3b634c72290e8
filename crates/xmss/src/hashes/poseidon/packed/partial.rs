//! The partial rounds of Poseidon1 on packed lanes: one linear map around the S-boxes of word 0, as in [`PartialRounds`], with the
//! matrix of the last initial round.

use super::super::portable::poseidon1::{PartialRounds, Poseidon1};
use super::dots::{Rows, signed};
use super::lanes::{FieldLanes, Vector, reduced};
use crate::fields::koala_bear::{KoalaBear, P};
use alloc::vec::Vec;
use phalanx_core::lanes::WordLanes;

/// What is computed of the *symbols*: the words before the matrix, then the S-boxes' outputs.
pub(super) struct Partial {
    /// For the S-boxes two by two: their inputs as far as symbols are known before the first of the two, and the coefficient of
    /// that one's output in the second.
    inputs: Vec<(Rows<2>, u32)>,
    /// The input of the last S-box, if one is left.
    last_input: Option<Rows<1>>,
    /// The words after the partial rounds, four by four.
    outputs: Vec<Rows<4>>,
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
        let rounds = PartialRounds::new(k);
        let one = KoalaBear::new(1);
        let over_before = before.power(P - 2);
        let coefficients = |row: &[KoalaBear], factor: KoalaBear| -> Vec<KoalaBear> {
            let to_words = |j: usize| {
                // Entry (i, j) of the matrix, for the words 1 to T - 1 behind it that the row knows.
                (1..T).fold(KoalaBear::ZERO, |sum, i| sum.add(row[i - 1].mul(k.mds[(T + j - i) % T])))
            };
            let words = (0..T).map(|j| to_words(j).mul(over_before).mul(factor));
            words.chain(row[T - 1..row.len() - 1].iter().map(|c| c.mul(factor))).collect()
        };
        let first: Vec<_> = k.mds.iter().map(|entry| entry.mul(over_before)).collect();
        let later = rounds.inputs.iter().map(|row| (coefficients(row, one), row[row.len() - 1]));
        let inputs: Vec<_> = core::iter::once((first, rounds.first)).chain(later).collect();
        let (pairs, rest) = inputs.as_chunks::<2>();
        let pair = |[(first, a), (second, b)]: &[(Vec<KoalaBear>, KoalaBear); 2]| {
            let (later, second) = second.split_last().expect("one more than the first");
            let later = signed(later.montgomery());
            (Rows::new([first, second], [*a, *b], [0, later]), later)
        };
        let outputs: Vec<_> = rounds.outputs.iter().map(|row| coefficients(row, after)).collect();
        let four = |[a, b, c, d]: &[Vec<KoalaBear>; 4]| Rows::new([a, b, c, d], [KoalaBear::ZERO; 4], [0; 4]);
        let partial = Self {
            inputs: pairs.iter().map(pair).collect(),
            last_input: rest.first().map(|(row, constant)| Rows::new([row], [*constant], [0])),
            outputs: outputs.as_chunks().0.iter().map(four).collect(),
        };
        let offset = |row: &Vec<KoalaBear>| *row.last().expect("at least the constant");
        (partial, core::array::from_fn(|i| offset(&rounds.outputs[i])))
    }

    /// The matrix of the last initial round, and all partial rounds, on reduced words.
    #[inline(always)]
    pub(super) fn apply<L: FieldLanes, const T: usize>(&self, lanes: L, x: &mut [Vector<L>; T]) {
        /// Most symbols: words, and as many S-box outputs as rounds.
        const MAX_SYMBOLS: usize = 47;
        let mut symbols = [lanes.factor(lanes.words().splat(0)); MAX_SYMBOLS];
        for i in 0..T {
            symbols[i] = lanes.factor(x[i]);
        }
        let mut count = T;
        for (rows, later) in &self.inputs {
            let [first, second] = rows.times(lanes, &symbols[..count]);
            symbols[count] = lanes.factor(sbox_of_sum(lanes, first));
            let second = lanes.add_wide(second, lanes.product(symbols[count], *later));
            symbols[count + 1] = lanes.factor(sbox_of_sum(lanes, second));
            count += 2;
        }
        if let Some(row) = &self.last_input {
            let [sum] = row.times(lanes, &symbols[..count]);
            symbols[count] = lanes.factor(sbox_of_sum(lanes, sum));
            count += 1;
        }
        for (i, rows) in self.outputs.iter().enumerate() {
            let sums = rows.times(lanes, &symbols[..count]);
            for row in 0..4 {
                x[4 * i + row] = word_of_sum(lanes, sums[row]);
            }
        }
    }
}

/// The reduced word of a sum below `2^33 p`.
#[inline(always)]
pub(super) fn word_of_sum<L: FieldLanes>(lanes: L, sum: L::Wide) -> Vector<L> {
    reduced(lanes, lanes.reduce(lanes.fold(sum)))
}

/// The S-box on a sum below `2^33 p`: folded and reduced, it is between `-p` and `p` and needs no more.
#[inline(always)]
fn sbox_of_sum<L: FieldLanes>(lanes: L, sum: L::Wide) -> Vector<L> {
    reduced(lanes, lanes.cube(lanes.reduce(lanes.fold(sum))))
}
