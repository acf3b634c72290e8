//! Passes of the prover over long vectors, in pieces that go to the threads of a pool. What is behind the end of a
//! vector is zero.
#![forbid(unsafe_code)]

use crate::profile::Suite;
use crate::transcript::Transcript;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Pool, map_on};

/// log2 of the rows that have weights of their own; pieces behind them have these, times a factor.
const LOG2_ROWS: usize = 10;

/// Where the prover runs.
#[derive(Clone, Copy)]
pub(crate) struct On<'a> {
    pub(crate) pool: &'a dyn Pool,
    pub(crate) isa: Isa,
}

/// `rows` rows of words, `columns` wide, which `make` appends for any range of rows: for every column and bit the sum of
/// eq(point, row) over the rows whose word there has the bit.
pub(crate) fn bits_of_columns<E: Suite>(
    on: On<'_>,
    rows: usize,
    columns: usize,
    point: &[E],
    make: &(impl Fn(Range<usize>, &mut Vec<u32>) + Sync),
) -> Vec<[E; 32]> {
    let (within, across) = point.split_at(point.len().min(LOG2_ROWS));
    let weights = E::equal(on.isa, E::ONE, within);
    let scales = E::equal(on.isa, E::ONE, across);
    let sum = |piece: usize| {
        let piece_rows = piece * weights.len()..rows.min((piece + 1) * weights.len());
        let weights = &weights[..piece_rows.len()];
        let mut words = Vec::with_capacity(columns * weights.len());
        make(piece_rows, &mut words);
        let mut sums = vec![[E::ZERO; 32]; columns];
        E::combine_bits(on.isa, &words, weights, &mut sums);
        let (mut scaled, scale) = (vec![[E::ZERO; 32]; columns], vec![scales[piece]; 32 * columns]);
        E::add_products(on.isa, scaled.as_flattened_mut(), sums.as_flattened(), &scale);
        scaled
    };
    let pieces = 0..rows.div_ceil(weights.len());
    let mut total = vec![[E::ZERO; 32]; columns];
    for sums in map_on(on.pool, pieces, &sum) {
        for (total, sum) in total.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
            *total += *sum;
        }
    }
    total
}

/// The same for rows of words that are there.
pub(crate) fn bits_of_words<E: Suite>(
    on: On<'_>,
    words: &[u32],
    columns: usize,
    point: &[E],
) -> Vec<[E; 32]> {
    let copy = |rows: Range<usize>, out: &mut Vec<u32>| {
        out.extend_from_slice(&words[columns * rows.start..columns * rows.end]);
    };
    bits_of_columns(on, words.len() / columns, columns, point, &copy)
}

/// The 32 slices of words at a point: slice b is the sum of eq(point, y) over the words y that have bit b.
pub(crate) fn slices<E: Suite>(on: On<'_>, words: &[u32], point: &[E]) -> Vec<E> {
    /// log2 of the words of a row, and that of them which the weights of rows leave over.
    const LOG2_COLUMNS: usize = 6;
    let (lower, upper) = point.split_at(LOG2_COLUMNS);
    let sums = bits_of_words(on, words, 1 << LOG2_COLUMNS, upper);
    let weights = E::equal(on.isa, E::ONE, lower);
    let slice = |bit: usize| {
        let of_bit: Vec<E> = sums.iter().map(|of_column| of_column[bit]).collect();
        E::inner(on.isa, &weights, &of_bit)
    };
    (0..32).map(slice).collect()
}

/// Binds the lowest coordinate of a vector to `r`.
pub(crate) fn fold<E: Suite>(on: On<'_>, mut v: Vec<E>, r: E) -> Vec<E> {
    if v.len() % 2 == 1 {
        v.push(E::ZERO);
    }
    E::fold(on.isa, &mut v, r);
    v
}

/// All `rounds` of a sumcheck about the sum of products of `v` and `w`, in the form that the verifier replays: the
/// challenges, and what is sent.
pub(crate) fn sumcheck<E: Suite>(
    on: On<'_>,
    transcript: &mut Transcript,
    [label, challenge]: [&str; 2],
    rounds: usize,
    [mut v, mut w]: [Vec<E>; 2],
) -> (Vec<E>, Vec<E>) {
    let (mut point, mut said) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        for vector in [&mut v, &mut w] {
            if vector.len() % 2 == 1 {
                vector.push(E::ZERO);
            }
        }
        let message = E::round(on.isa, &v, &w);
        transcript.say(label, &message);
        said.extend(message);
        let r = transcript.challenge(challenge);
        (v, w) = (fold(on, v, r), fold(on, w, r));
        point.push(r);
    }
    (point, said)
}

/// The message of a round of the zerocheck: with q(X) the sum of eq(zeta, x) a(X, x) b(X, x), the sum of q(0) and q(1), and
/// the coefficient of X^2.
pub(crate) fn weighted_round<E: Suite>(on: On<'_>, a: &[E], b: &[E], zeta: &[E]) -> [E; 2] {
    let (within, across) = zeta.split_at(zeta.len().min(LOG2_ROWS));
    let weights = E::equal_twice(on.isa, within);
    let scales = E::equal(on.isa, E::ONE, across);
    let pieces = a.chunks(weights.len()).zip(b.chunks(weights.len())).zip(&scales);
    let message = |((a, b), scale): ((&[E], &[E]), &E)| {
        let mut weighted = vec![E::ZERO; a.len()];
        E::add_products(on.isa, &mut weighted, a, &weights[..a.len()]);
        let [_, leading] = E::round(on.isa, &weighted, b);
        [E::inner(on.isa, &weighted, b) * *scale, leading * *scale]
    };
    let messages = map_on(on.pool, pieces, &message);
    messages.into_iter().fold([E::ZERO; 2], |[d, e], [more_d, more_e]| [d + more_d, e + more_e])
}
