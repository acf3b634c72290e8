//! Passes of the prover over long vectors, in pieces that go to the threads of a pool. What is behind the end of a
//! vector is zero.
#![forbid(unsafe_code)]

use crate::profile::Suite;
use crate::transcript::Transcript;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Pool, map_on};

/// log2 of the rows that have weights of their own; pieces behind them have these, times a factor.
const LOG2_ROWS: usize = 10;

/// Jobs that a pass is shared out to, at most.
pub(crate) const JOBS: usize = 64;

/// Where the prover runs.
#[derive(Clone, Copy)]
pub(crate) struct On<'a> {
    pub(crate) pool: &'a dyn Pool,
    pub(crate) isa: Isa,
}

/// Of rows of words, `columns` wide, for every column and bit the sum of eq(point, row) over the rows whose word there has
/// the bit.
pub(crate) fn bits_of_words<E: Suite>(
    on: On<'_>,
    words: &[u32],
    columns: usize,
    point: &[E],
) -> Vec<[E; 32]> {
    let (within, across) = point.split_at(point.len().min(LOG2_ROWS));
    let weights = E::equal(on.isa, E::ONE, within);
    let scales = E::equal(on.isa, E::ONE, across);
    let len = columns * weights.len();
    let pieces = words.len().div_ceil(len).div_ceil(JOBS);
    let jobs = words.chunks(len * pieces).zip(scales.chunks(pieces));
    let sum = |(words, scales): (&[u32], &[E])| {
        let mut total = vec![[E::ZERO; 32]; columns];
        for (words, scale) in words.chunks(len).zip(scales) {
            let mut sums = vec![[E::ZERO; 32]; columns];
            E::combine_bits(on.isa, words, &weights[..words.len() / columns], &mut sums);
            let scale = vec![*scale; 32 * columns];
            E::add_products(on.isa, total.as_flattened_mut(), sums.as_flattened(), &scale);
        }
        total
    };
    let mut total = vec![[E::ZERO; 32]; columns];
    for sums in map_on(on.pool, jobs, &sum) {
        for (total, sum) in total.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
            *total += *sum;
        }
    }
    total
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
