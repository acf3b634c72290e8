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

/// Entries of a vector of a sumcheck that are folded together, in the cache.
pub(crate) const PIECE: usize = 1 << 12;

/// All `rounds` of a sumcheck about the sum of products of `v` and `w`, in the form that the verifier replays: the
/// challenges, and what is sent.
///
/// Jobs fold the pieces of the vectors, each to the start of itself; what little is left of them is brought together.
pub(crate) fn sumcheck<E: Suite>(
    on: On<'_>,
    transcript: &mut Transcript,
    [label, challenge]: [&str; 2],
    rounds: usize,
    mut vectors: [Vec<E>; 2],
) -> (Vec<E>, Vec<E>) {
    /// Entries of a piece that are not worth a pass of their own.
    const FEW: usize = 16;
    let (mut point, mut said) = (Vec::new(), Vec::new());
    vectors.iter_mut().for_each(fill_pieces);
    let mut len = PIECE;
    let mut message = pass(on, &mut vectors, &|v, w| E::round(on.isa, v, w));
    for round in 1..=rounds {
        transcript.say(label, &message);
        said.extend(message);
        let r = transcript.challenge(challenge);
        point.push(r);
        if round == rounds {
            break;
        }
        if len == FEW {
            for vector in &mut vectors {
                *vector = vector.chunks(PIECE).flat_map(|piece| &piece[..FEW]).copied().collect();
                fill_pieces(vector);
            }
            len = PIECE;
        }
        message = pass(on, &mut vectors, &|v, w| E::fold_round(on.isa, &mut v[..len], &mut w[..len], r));
        len /= 2;
    }
    (point, said)
}

/// Appends zeros until there are whole pieces.
fn fill_pieces<E: Suite>(vector: &mut Vec<E>) {
    vector.resize(vector.len().next_multiple_of(PIECE), E::ZERO);
}

/// The sum of the messages about all pieces.
fn pass<E: Suite>(
    on: On<'_>,
    [v, w]: &mut [Vec<E>; 2],
    message: &(impl Fn(&mut [E], &mut [E]) -> [E; 2] + Sync),
) -> [E; 2] {
    let of_a_job = PIECE * (v.len() / PIECE).div_ceil(JOBS);
    let jobs = v.chunks_mut(of_a_job).zip(w.chunks_mut(of_a_job));
    let messages = map_on(on.pool, jobs, &|(v, w): (&mut [E], &mut [E])| {
        add_up(v.chunks_mut(PIECE).zip(w.chunks_mut(PIECE)).map(|(v, w)| message(v, w)))
    });
    add_up(messages.into_iter())
}

fn add_up<E: Suite>(messages: impl Iterator<Item = [E; 2]>) -> [E; 2] {
    messages.fold([E::ZERO; 2], |sum, message| [sum[0] + message[0], sum[1] + message[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::PROVABLE100;
    use crate::transcript::Bound;
    use phalanx_core::threads::Inline;
    use phalanx_ligerito::Gf128;
    use phalanx_ligerito::provable128::Gf192;

    /// What is sent, by the definition: the sum of products of what the challenges so far leave of both vectors, at 0, and
    /// its coefficient of X^2.
    fn plain<E: Suite>(isa: Isa, point: &[E], mut vectors: [Vec<E>; 2]) -> Vec<E> {
        let mut said = Vec::new();
        for r in point {
            let halves = vectors.map(|mut vector| {
                vector.resize(vector.len().next_multiple_of(2), E::ZERO);
                let pairs = vector.as_chunks::<2>().0.iter();
                pairs.map(|[zero, one]| (*zero, *zero + *one)).collect::<(Vec<_>, Vec<_>)>()
            });
            let [(v, v_sum), (w, w_sum)] = &halves;
            said.extend([E::inner(isa, v, w), E::inner(isa, v_sum, w_sum)]);
            vectors = halves.map(|(mut left, sum)| {
                E::add_products(isa, &mut left, &sum, &vec![*r; sum.len()]);
                left
            });
        }
        said
    }

    /// Vectors of any length, of one piece and of several, and so many that what is left of them is again more than one.
    fn rounds_by_definition<E: Suite>(lens: &[(usize, usize)]) {
        let on = On { pool: &Inline, isa: Isa::current() };
        for &(len, rounds) in lens {
            let bound = Bound {
                circuit: &[0; 32],
                context: b"",
                statement: b"",
                randomizers: b"",
                profile: E::CODE,
                variables: 0,
                root: &[0; 32],
            };
            let mut transcript = Transcript::begin(&PROVABLE100, &bound);
            let start: E = transcript.challenge("start");
            let vector = |first: E| {
                let mut next = first;
                let step = |_| {
                    next = next * start + E::ONE;
                    next
                };
                (0..len).map(step).collect::<Vec<E>>()
            };
            let vectors = [vector(start), vector(start.square())];
            let (point, said) =
                sumcheck(on, &mut transcript, ["label", "challenge"], rounds, vectors.clone());
            assert_eq!(point.len(), rounds);
            assert!(said == plain(on.isa, &point, vectors), "{len} entries");
        }
    }

    #[test]
    fn sumchecks_are_what_their_definition_says() {
        let some = [(1, 3), (6, 3), (PIECE, 12), (PIECE + 1, 13), (3 * PIECE - 7, 14)];
        rounds_by_definition::<Gf128>(&some);
        rounds_by_definition::<Gf192>(&some);
        rounds_by_definition::<Gf128>(&[((PIECE / 16 + 1) * PIECE + 5, 21)]);
    }
}
