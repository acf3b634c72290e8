//! Passes over long vectors, in pieces that go to the threads of a pool.
#![forbid(unsafe_code)]

use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, mixed, words};
use crate::described::PublicWeight;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::make_on;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Pool, map_on};

#[cfg(test)]
mod tests;

/// Rows of the polynomial's matrix that have a tensor of weights of their own, some 20 microseconds of work.
const ROWS_OF_A_PIECE: usize = 1 << 10;

/// Jobs from whose sums a single thread makes one.
const MAX_SUMS: usize = 64;

/// log2 of the entries of a tensor that one job makes.
const LOG2_TENSOR_OF_A_JOB: usize = 13;

/// Entries of each of the two vectors of a sumcheck that one job takes, some 10 microseconds of work.
const ENTRIES_OF_A_JOB: usize = 1 << 13;

/// For every column of the polynomial's matrix the inner product with the tensor of `factors`, in pieces: the weights
/// of a piece are those of the first one, times a factor.
pub(super) fn combine_rows<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    polynomial: &[Gf32],
    columns: usize,
    factors: &[Factor<E>],
) -> Vec<E> {
    combine_rows_by_all(pool, isa, polynomial, columns, &[factors]).remove(0)
}

/// As [`combine_rows`], with several tensors of as many factors, for which a piece comes into the cache once.
pub(super) fn combine_rows_by_all<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    polynomial: &[Gf32],
    columns: usize,
    tensors: &[&[Factor<E>]],
) -> Vec<Vec<E>> {
    in_pieces(pool, isa, polynomial, (columns, columns), tensors, &|rows, weights, part| {
        mixed::combine_rows(isa, rows, weights, part);
    })
}

/// As [`combine_rows`], for each of the 32 bits of the elements apart: 32 sums for every column.
pub(super) fn combine_rows_of_bits<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    polynomial: &[Gf32],
    columns: usize,
    factors: &[Factor<E>],
) -> Vec<E> {
    let add = |rows: &[_], weights: &[_], part: &mut [E]| {
        mixed::combine_rows_of_bits(isa, rows, weights, part.as_chunks_mut().0);
    };
    in_pieces(pool, isa, polynomial, (columns, 32 * columns), &[factors], &add).remove(0)
}

/// Sums over the rows of the polynomial's matrix, of `columns` columns, weighted by each of the tensors: `add` adds what a piece
/// gives to `len` sums.
fn in_pieces<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    polynomial: &[Gf32],
    (columns, len): (usize, usize),
    tensors: &[&[Factor<E>]],
    add: &(impl Fn(&[Gf32], &[E], &mut [E]) + Sync),
) -> Vec<Vec<E>> {
    // The weights of the first piece, and of each piece what they are times; all tensors are as long.
    let tensors: Vec<[Vec<E>; 2]> = tensors
        .iter()
        .map(|factors| {
            let (within, across) = factors.split_at(factors.len().min(ROWS_OF_A_PIECE.ilog2() as usize));
            [within, across].map(|factors| vectors::tensor(isa, E::ONE, factors))
        })
        .collect();
    let Some([weights, scales]) = tensors.first() else { return Vec::new() };
    let (len_of_a_piece, pieces) = (columns * weights.len(), scales.len());
    let pieces_of_a_job = pieces.div_ceil(MAX_SUMS);
    let jobs = polynomial.chunks(len_of_a_piece * pieces_of_a_job).enumerate();
    let sums = map_on(pool, jobs, &|(job, rows): (usize, &[Gf32])| {
        let mut sums = vec![vec![E::ZERO; len]; tensors.len()];
        let first = job * pieces_of_a_job;
        for (rows, piece) in rows.chunks(len_of_a_piece).zip(first..) {
            for ([weights, scales], sum) in tensors.iter().zip(&mut sums) {
                if let [only] = scales[..] {
                    debug_assert!(only == E::ONE, "the empty product");
                    add(rows, weights, sum);
                } else {
                    let mut part = vec![E::ZERO; len];
                    add(rows, weights, &mut part);
                    vectors::add_products(isa, sum, &part, &vec![scales[piece]; len]);
                }
            }
        }
        sums
    });
    let mut sums = sums.into_iter();
    let mut total = sums.next().unwrap_or_else(|| vec![vec![E::ZERO; len]; tensors.len()]);
    for sums in sums {
        total.iter_mut().zip(&sums).for_each(|(total, sum)| vectors::add_assign(total, sum));
    }
    total
}

/// For every row of the polynomial's matrix the inner product with `weights`.
pub(super) fn combine_columns<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    polynomial: &[Gf32],
    weights: &[E],
) -> Vec<E> {
    let rows = polynomial.chunks(ROWS_OF_A_PIECE * weights.len());
    let combine = |rows: &[Gf32], out: &mut [E]| mixed::combine_columns(isa, rows, weights, out);
    make_on(pool, polynomial.len() / weights.len(), ROWS_OF_A_PIECE, rows, &combine).0
}

/// The sum of the polynomial's coefficients by a weight of the caller's.
pub(super) fn sum_by<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    polynomial: &[Gf32],
    weight: &dyn PublicWeight<E>,
) -> E {
    let pieces = polynomial.chunks(ENTRIES_OF_A_JOB).enumerate();
    let sum = |(number, piece): (usize, &[Gf32])| {
        let (mut table, mut sum) = (vec![E::ZERO; piece.len()], [E::ZERO]);
        weight.fill(&mut table, (number * ENTRIES_OF_A_JOB) as u64);
        mixed::combine_rows(isa, piece, &table, &mut sum);
        sum[0]
    };
    let mut total = E::ZERO;
    map_on(pool, pieces, &sum).into_iter().for_each(|sum| total += sum);
    total
}

/// The first `len` values of weights of the caller's, each times a scale, added up.
pub(super) fn described<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    weights: &[(E, &dyn PublicWeight<E>)],
    len: usize,
) -> Vec<E> {
    let stride = ENTRIES_OF_A_JOB.min(len);
    let make = |number: usize, piece: &mut [E]| {
        for (scale, weight) in weights {
            let mut values = vec![E::ZERO; piece.len()];
            weight.fill(&mut values, (number * stride) as u64);
            vectors::add_products(isa, piece, &values, &vec![*scale; piece.len()]);
        }
    };
    make_on(pool, len, stride, 0..len / stride, &make).0
}

/// What the entries of a tensor become when it is added to the weights.
pub(super) enum Entries<E> {
    /// Their products with a scale.
    Scaled(E),
    /// What a map that is linear over GF(2) makes of them: the images of their bits, 32 at a time.
    Mapped(Vec<[E; 32]>),
}

/// The sum of what becomes of the tensors of as many factors as `variables`. The tensor of the upper factors has the
/// scales of the pieces.
pub(super) fn tensors<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    terms: &[(Entries<E>, &[Factor<E>])],
    variables: usize,
) -> Vec<E> {
    let within = variables.min(LOG2_TENSOR_OF_A_JOB);
    let scale = |entries: &Entries<E>| if let Entries::Scaled(scale) = entries { *scale } else { E::ONE };
    let scales: Vec<Vec<E>> = terms
        .iter()
        .map(|(entries, factors)| vectors::tensor(isa, scale(entries), &factors[within..]))
        .collect();
    let make = |index: usize, piece: &mut [E]| {
        for (number, ((entries, factors), scales)) in terms.iter().zip(&scales).enumerate() {
            let (scale, factors) = (scales[index], &factors[..within]);
            match entries {
                Entries::Scaled(_) if number == 0 => vectors::fill_tensor(isa, scale, factors, piece),
                Entries::Scaled(_) => vectors::add_assign(piece, &vectors::tensor(isa, scale, factors)),
                Entries::Mapped(images) => {
                    let tensor = vectors::tensor(isa, scale, factors);
                    let mut mapped = vec![E::ZERO; tensor.len()];
                    mixed::map_columns(isa, &words(&tensor), images, &mut mapped);
                    vectors::add_assign(piece, &mapped);
                }
            }
        }
    };
    make_on(pool, 1 << variables, 1 << within, 0..1 << (variables - within), &make).0
}

/// `count` rounds of a sumcheck about `v` and `w`, at least one: binds their lowest coordinates to what `say` answers
/// to the messages, and gives what is left of both.
///
/// Jobs fold the pieces of the vectors, each to the start of itself. Only the first fold of `v`, which stays as it is,
/// and the last one of both go to new places. So little memory is new, and a thread has its pieces in its cache.
pub(super) fn rounds<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    v: &[E],
    mut w: Vec<E>,
    count: usize,
    mut say: impl FnMut(Round<E>) -> E,
) -> (Vec<E>, Vec<E>) {
    // Two entries of a piece are left for the last fold.
    let stride = ENTRIES_OF_A_JOB.max(2 << count).min(v.len());
    let pairs = v.chunks(stride).zip(w.chunks(stride));
    let round = |(v, w): (&[E], &[E])| vectors::round(isa, v, w);
    let r = say(sum(map_on(pool, pairs, &round)));
    if count == 1 {
        return (folded(pool, isa, v, stride, stride, r), folded(pool, isa, &w, stride, stride, r));
    }
    let pairs = v.chunks(stride).zip(w.chunks_mut(stride));
    let fold = |(v, w): (&[E], &mut [E]), half: &mut [E]| vectors::fold_round(isa, (v, half), w, r);
    let (mut v, messages) = make_on(pool, v.len() / 2, stride / 2, pairs, &fold);
    let mut r = say(sum(messages));
    for round in 1..count - 1 {
        let len = stride >> round;
        let pairs = v.chunks_mut(stride / 2).zip(w.chunks_mut(stride));
        let fold = |(v, w): (&mut [E], &mut [E])| vectors::fold_round(isa, &mut v[..len], &mut w[..len], r);
        r = say(sum(map_on(pool, pairs, &fold)));
    }
    let len = stride >> (count - 1);
    (folded(pool, isa, &v, stride / 2, len, r), folded(pool, isa, &w, stride, len, r))
}

/// The message about two vectors of any length.
pub(super) fn round<E: ChallengeField>(pool: &dyn Pool, isa: Isa, v: &[E], w: &[E]) -> Round<E> {
    if v.len() <= ENTRIES_OF_A_JOB {
        return vectors::round(isa, v, w);
    }
    let pairs = v.chunks(ENTRIES_OF_A_JOB).zip(w.chunks(ENTRIES_OF_A_JOB));
    sum(map_on(pool, pairs, &|(v, w): (&[E], &[E])| vectors::round(isa, v, w)))
}

/// Binds the lowest coordinate of a vector of any length to `r`.
pub(super) fn fold<E: ChallengeField>(pool: &dyn Pool, isa: Isa, table: &mut Vec<E>, r: E) {
    if table.len() <= ENTRIES_OF_A_JOB {
        vectors::fold(isa, &mut table[..], r);
        table.truncate(table.len() / 2);
    } else {
        *table = folded(pool, isa, table, ENTRIES_OF_A_JOB, ENTRIES_OF_A_JOB, r);
    }
}

/// The first `len` of every `stride` entries, with the lowest coordinate bound to `r`.
fn folded<E: ChallengeField>(
    pool: &dyn Pool,
    isa: Isa,
    entries: &[E],
    stride: usize,
    len: usize,
    r: E,
) -> Vec<E> {
    let pieces = entries.chunks(stride);
    let fold = |piece: &[E], half: &mut [E]| vectors::fold(isa, (&piece[..len], half), r);
    make_on(pool, pieces.len() * len / 2, len / 2, pieces, &fold).0
}

/// The message about all pieces.
fn sum<E: ChallengeField>(messages: Vec<Round<E>>) -> Round<E> {
    let mut sum = Round::ZERO;
    messages.into_iter().for_each(|message| sum += message);
    sum
}
