//! Pieces agree with the whole, on every backend and whoever runs the jobs.

use super::*;
use crate::binary::tests::{FromLimbs, over_both_fields};
use alloc::boxed::Box;
use phalanx_core::threads::{Inline, Job};

/// The last job first.
struct Backwards;

impl Pool for Backwards {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        jobs.into_iter().rev().for_each(|job| job());
    }
}

/// Every pool on every backend.
fn everywhere(check: impl Fn(&dyn Pool, Isa, &str)) {
    #[allow(unused_mut, reason = "without threads there are two")]
    let mut pools: Vec<Box<dyn Pool>> = vec![Box::new(Inline), Box::new(Backwards)];
    #[cfg(feature = "parallel")]
    pools.push(Box::new(crate::Threads::new(3)));
    for isa in phalanx_testing::isas() {
        pools.iter().for_each(|pool| check(&**pool, isa, isa.backend().name()));
    }
}

fn factors<E: FromLimbs>(count: usize, seed: u64) -> Vec<Factor<E>> {
    E::mixture(count, seed).into_iter().map(Factor::Equal).collect()
}

fn rows_and_columns_of_pieces<E: FromLimbs>() {
    if phalanx_testing::again() {
        return;
    }
    let columns = 4;
    // Fewer rows than a piece has, several pieces to a job, and lengths between.
    for log2_rows in [0, 3, 10, 11, 17] {
        let f: Vec<Gf32> =
            (0..columns << log2_rows).map(|i: u32| Gf32(i.wrapping_mul(0x9e37_79b9))).collect();
        let columns = columns as usize;
        let (factors, weights) = (factors::<E>(log2_rows, 1), E::mixture(columns, 2));
        let mut by_rows = vec![E::ZERO; columns];
        let isa = Isa::current();
        mixed::combine_rows(isa, &f, &vectors::tensor(isa, E::ONE, &factors), &mut by_rows);
        let mut by_columns = vec![E::ZERO; 1 << log2_rows];
        mixed::combine_columns(isa, &f, &weights, &mut by_columns);
        everywhere(|pool, isa, name| {
            assert_eq!(combine_rows(pool, isa, &f, columns, &factors), by_rows, "2^{log2_rows} rows {name}");
            assert_eq!(combine_columns(pool, isa, &f, &weights), by_columns, "2^{log2_rows} rows {name}");
        });
    }
    // Any number of rows has columns to combine.
    let f: Vec<Gf32> = (0..3 * 1500).map(Gf32).collect();
    let weights = E::mixture(3, 3);
    let mut wanted = vec![E::ZERO; 1500];
    mixed::combine_columns(Isa::PORTABLE, &f, &weights, &mut wanted);
    everywhere(|pool, isa, name| {
        assert_eq!(combine_columns(pool, isa, &f, &weights), wanted, "{name}");
    });
}

fn tensors_of_pieces<E: FromLimbs>() {
    if phalanx_testing::again() {
        return;
    }
    for variables in [0, 1, LOG2_TENSOR_OF_A_JOB, LOG2_TENSOR_OF_A_JOB + 1, LOG2_TENSOR_OF_A_JOB + 3] {
        for count in 0..3 {
            let scales = E::mixture(count, 4);
            let all: Vec<_> = (0..count).map(|i| factors::<E>(variables, 5 + i as u64)).collect();
            let all_mapped: Vec<_> = (0..=count).map(|i| factors::<E>(variables, 30 + i as u64)).collect();
            let mut wanted = vec![E::ZERO; 1 << variables];
            for (scale, factors) in scales.iter().zip(&all) {
                vectors::add_assign(&mut wanted, &vectors::tensor(Isa::current(), *scale, factors));
            }
            let mut terms: Vec<_> =
                scales.iter().copied().map(Entries::Scaled).zip(all.iter().map(Vec::as_slice)).collect();
            // A map before them and one after them: the sum of x^(2^k) times scales.
            for place in [0, count] {
                let scales: [E; 32] = E::mixture(32, 20 + place as u64).try_into().expect("32");
                let factors = &all_mapped[place];
                let mut powers = vectors::tensor(Isa::current(), E::ONE, factors);
                for scale in &scales {
                    wanted.iter_mut().zip(&powers).for_each(|(sum, x)| *sum += *scale * *x);
                    powers.iter_mut().for_each(|x| *x = x.square());
                }
                let images = Entries::Mapped(crate::tower::map_of(Isa::current(), &scales));
                terms.insert(place.min(terms.len()), (images, factors));
            }
            everywhere(|pool, isa, name| {
                assert_eq!(tensors(pool, isa, &terms, variables), wanted, "{count} of {variables} {name}");
            });
        }
    }
}

/// Messages and what is left, by folding the whole vectors.
fn plain_rounds<E: FromLimbs>(v: &[E], w: &[E], challenges: &[E]) -> (Vec<Round<E>>, Vec<E>, Vec<E>) {
    let isa = Isa::current();
    let (mut v, mut w) = (v.to_vec(), w.to_vec());
    let mut messages = Vec::new();
    for r in challenges {
        messages.push(vectors::round(isa, &v, &w));
        for x in [&mut v, &mut w] {
            vectors::fold(isa, &mut x[..], *r);
            x.truncate(x.len() / 2);
        }
    }
    (messages, v, w)
}

fn rounds_of_pieces<E: FromLimbs>() {
    let piece = ENTRIES_OF_A_JOB.ilog2() as usize;
    // Short vectors, one piece, several, and pieces that are longer for the sake of many rounds.
    let cases = [(1, 1), (4, 1), (4, 4), (5, 3), (piece, 4), (piece + 1, 1), (piece + 1, 2), (piece + 2, 4)];
    for (log2_len, count) in cases.into_iter().chain([(piece + 1, piece), (piece + 1, piece + 1)]) {
        let (v, w) = (E::mixture(1 << log2_len, 6), E::mixture(1 << log2_len, 7));
        let challenges = E::mixture(count, 8);
        let wanted = plain_rounds(&v, &w, &challenges);
        everywhere(|pool, isa, name| {
            let mut messages = Vec::new();
            let (v, w) = rounds(pool, isa, &v, w.clone(), count, |message| {
                messages.push(message);
                challenges[messages.len() - 1]
            });
            assert_eq!((messages, v, w), wanted, "{count} rounds on 2^{log2_len} {name}");
        });
    }
}

over_both_fields!(rows_and_columns_of_pieces, tensors_of_pieces, rounds_of_pieces);
