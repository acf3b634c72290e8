//! Passes over the whole polynomial, in pieces that go to the threads of a pool.

use crate::fields::binary::vectors::{self, Factor};
use crate::fields::binary::{ChallengeField, Gf32, mixed};
use crate::simd::Level;
use crate::threads::{Job, Pool};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Rows of the polynomial's matrix that one job takes, some 20 microseconds of work.
const ROWS_OF_A_JOB: usize = 1 << 10;

/// For every column of the polynomial's matrix the inner product with the tensor of `factors`, in pieces: the weights of a
/// piece are those of the first one, times a factor.
pub(super) fn combine_rows<E: ChallengeField>(
    pool: &dyn Pool,
    level: Level,
    polynomial: &[Gf32],
    columns: usize,
    factors: &[Factor<E>],
) -> Vec<E> {
    let (within, across) = factors.split_at(factors.len().min(ROWS_OF_A_JOB.ilog2() as usize));
    let weights = vectors::tensor(level, E::ONE, within);
    let scales = vectors::tensor(level, E::ONE, across);
    let mut parts = vec![E::ZERO; columns * scales.len()];
    let pieces = polynomial.chunks_exact(columns * weights.len()).zip(parts.chunks_exact_mut(columns));
    let jobs = pieces.map(|(rows, part)| {
        let weights = &weights;
        Box::new(move || mixed::combine_rows(level, rows, weights, part)) as Job<'_>
    });
    pool.run(jobs.collect());
    let mut sums = vec![E::ZERO; columns];
    for (part, scale) in parts.chunks_exact(columns).zip(&scales) {
        for (sum, x) in sums.iter_mut().zip(part) {
            *sum += *scale * *x;
        }
    }
    sums
}

/// For every row of the polynomial's matrix the inner product with `weights`.
pub(super) fn combine_columns<E: ChallengeField>(
    pool: &dyn Pool,
    level: Level,
    polynomial: &[Gf32],
    weights: &[E],
    out: &mut [E],
) {
    let rows = polynomial.chunks(ROWS_OF_A_JOB * weights.len());
    let jobs = rows
        .zip(out.chunks_mut(ROWS_OF_A_JOB))
        .map(|(rows, out)| Box::new(|| mixed::combine_columns(level, rows, weights, out)) as Job<'_>);
    pool.run(jobs.collect());
}
