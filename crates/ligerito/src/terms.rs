//! What is opened, and how it is prepared for the first level: tables as long as a row of the matrix.
#![forbid(unsafe_code)]

use super::claims::{EvaluationClaim, PlanesClaim, SumClaim, Tensor, TensorsClaim};
use super::described::{DescribedClaim, PublicWeight};
use super::orbit_tables::OrbitTables;
use super::parallel::{self, Entries};
use super::shape;
use super::tower::PLANES;
use crate::binary::vectors::{self, Factor};
use crate::binary::{ChallengeField, Gf32, Gf128};
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Pool;

/// What is opened: a weight for the polynomial's coefficients.
#[derive(Clone, Copy, Debug)]
pub enum Weight<'a, E = Gf128> {
    /// The polynomial's value at a point.
    Point(&'a [E]),
    /// The sum weighted by a sum of tensors, at least one.
    Tensors(&'a [Tensor<'a, E>]),
    /// The sum weighted by a function of the caller's own, which is asked for all its values twice; the polynomial and the
    /// function become vectors of the large field, as long as the polynomial.
    Described(&'a dyn PublicWeight<E>),
    /// The planes of the polynomial at a point.
    Planes(&'a Orbit<E>),
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<'a, E: ChallengeField> Weight<'a, E> {
    /// As how many claims it counts.
    pub(super) fn count(&self) -> usize {
        if let Self::Planes(_) = self { PLANES } else { 1 }
    }

    /// The claim that its value is this; planes have their own.
    pub(super) fn claim(&self, value: E) -> SumClaim<'a, E> {
        match *self {
            Self::Point(point) => SumClaim::Point(EvaluationClaim { point, value }),
            Self::Tensors(tensors) => SumClaim::Tensors(TensorsClaim { tensors, value }),
            Self::Described(weight) => SumClaim::Described(DescribedClaim { weight, value }),
            Self::Planes(Orbit { point, planes, .. }) => SumClaim::Planes(PlanesClaim { point, planes }),
        }
    }
}

/// The 32 planes of a committed polynomial at a point, and what a proof of them is made from.
#[derive(Clone, Debug)]
pub struct Orbit<E = Gf128> {
    pub(super) point: Vec<E>,
    pub(super) planes: [E; PLANES],
    /// For every column of the matrix and every bit the sum over the rows.
    pub(super) sums: Vec<E>,
    /// Of the tree: whose planes they are.
    pub(super) root: [u8; 32],
}

impl<E> Orbit<E> {
    /// Where the planes are taken.
    #[must_use]
    pub fn point(&self) -> &[E] {
        &self.point
    }

    /// Plane i: the sum of eq(point, x) over those x where word x has bit i.
    #[must_use]
    pub fn planes(&self) -> &[E; PLANES] {
        &self.planes
    }
}

/// Tensors for which the polynomial is walked over once. Their weights for a piece of it are 1 or 1.5 MiB.
const TENSORS_OF_A_WALK: usize = 64;

/// A tensor, its scale, and the claim that it belongs to.
pub(super) struct Scaled<E> {
    pub(super) claim: usize,
    pub(super) scale: E,
    pub(super) factors: Vec<Factor<E>>,
}

/// Weights prepared for the first level: f against the upper factors, and the lower ones.
#[derive(Clone)]
pub(super) struct Term<E> {
    /// The power of gamma that the first of its claims has.
    pub(super) claim: usize,
    pub(super) tables: Tables<E>,
    /// The upper factors, of the first of the tensors; none of described weights, which are whole.
    pub(super) upper: Vec<Factor<E>>,
}

/// Weights of the caller's, each with the number of its claim.
pub(super) type Described<'a, E> = Vec<(usize, &'a dyn PublicWeight<E>)>;

/// What one commitment is weighted by.
pub(super) struct Weights<'a, E> {
    pub(super) terms: Vec<Term<E>>,
    pub(super) described: Described<'a, E>,
}

/// Tensors as the rounds of the first level see them.
#[derive(Clone)]
pub(super) enum Tables<E> {
    /// One of them. Of all described weights of a polynomial one table, as long as the polynomial.
    Pair {
        /// g\[c\] = sum over a of f\[a, c\] (tensor of the upper factors)\[a\].
        folded: Vec<E>,
        /// The tensor of the lower factors.
        lower: Vec<E>,
    },
    /// Those of an orbit.
    Orbit(OrbitTables<E>),
}

impl<E: ChallengeField> Term<E> {
    /// Tensors, each times its scale and with the number of its claim, about the same polynomial. One walk is made over it for
    /// [`TENSORS_OF_A_WALK`] of them, and nothing is done twice for those of a walk, or of the last one, that have the same upper
    /// factors.
    pub(super) fn of_tensors(
        pool: &dyn Pool,
        isa: Isa,
        first: shape::Level,
        polynomial: &[Gf32],
        tensors: impl Iterator<Item = Scaled<E>>,
    ) -> Vec<Self> {
        let split = usize::from(first.log2_columns);
        let (mut terms, mut tensors) = (Vec::new(), tensors.peekable());
        let mut known: Vec<(Vec<Factor<E>>, Vec<E>)> = Vec::new();
        while tensors.peek().is_some() {
            let walk: Vec<_> = tensors.by_ref().take(TENSORS_OF_A_WALK).collect();
            let mut fresh: Vec<&[Factor<E>]> = Vec::new();
            for Scaled { factors, .. } in &walk {
                let upper = &factors[split..];
                if !fresh.contains(&upper) && !known.iter().any(|(known, _)| known == upper) {
                    fresh.push(upper);
                }
            }
            let folded = parallel::combine_rows_by_all(pool, isa, polynomial, first.columns(), &fresh);
            let fresh: Vec<_> = fresh.into_iter().map(<[_]>::to_vec).zip(folded).collect();
            terms.extend(walk.iter().map(|Scaled { claim, scale, factors }| {
                let (lower, upper) = factors.split_at(split);
                let found = fresh.iter().chain(&known).find(|(known, _)| known == upper);
                let (upper, folded) = found.expect("one of the walk's").clone();
                let lower = vectors::tensor(isa, *scale, lower);
                Self { claim: *claim, tables: Tables::Pair { folded, lower }, upper }
            }));
            if !fresh.is_empty() {
                known = fresh;
            }
        }
        terms
    }

    /// The orbit's first point is claim number `claim`.
    pub(super) fn of_orbit(isa: Isa, first: shape::Level, orbit: &Orbit<E>, claim: usize) -> Self {
        let (lower, upper) = orbit.point.split_at(usize::from(first.log2_columns));
        let tables = Tables::Orbit(OrbitTables::new(isa, &orbit.sums, lower));
        Self { claim, tables, upper: equal(upper) }
    }

    /// Described weights of one polynomial, each times the power of gamma that its claim has; scaled, so the number of the claim
    /// says nothing.
    pub(super) fn of_described(
        pool: &dyn Pool,
        isa: Isa,
        polynomial: &[Gf32],
        described: &Described<'_, E>,
        gamma: E,
    ) -> Self {
        let scaled = described.iter().map(|(claim, weight)| {
            let power = (0..*claim).fold(E::ONE, |power, _| power * gamma);
            (power, *weight)
        });
        let folded = parallel::combine_columns(pool, isa, polynomial, &[E::ONE]);
        let lower = parallel::described(pool, isa, &scaled.collect::<Vec<_>>(), polynomial.len());
        Self { claim: 0, tables: Tables::Pair { folded, lower }, upper: Vec::new() }
    }

    /// What the tensor of the upper factors becomes in the weights. The lower tables are bound to one entry each by now: a
    /// power of gamma times the factors at the challenges.
    pub(super) fn entries(&self, isa: Isa) -> Entries<E> {
        match &self.tables {
            Tables::Pair { lower, .. } => Entries::Scaled(lower[0]),
            Tables::Orbit(tables) => Entries::Mapped(tables.map(isa)),
        }
    }
}

impl<E: ChallengeField> Tables<E> {
    /// The value of the first claim.
    pub(super) fn value(&self, isa: Isa) -> E {
        match self {
            Self::Pair { folded, lower } => vectors::inner(isa, folded, lower),
            Self::Orbit(tables) => tables.value(),
        }
    }
}

/// The factors of eq(z, x).
pub(super) fn equal<E: ChallengeField>(coordinates: &[E]) -> Vec<Factor<E>> {
    coordinates.iter().copied().map(Factor::Equal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::tests::{FromLimbs, over_both_fields};
    use core::sync::atomic::{AtomicUsize, Ordering};
    use phalanx_core::threads::{Inline, Job};

    /// Counts what it is given to run, which is once for every walk.
    struct Counting(AtomicUsize);

    impl Pool for Counting {
        fn run<'a>(&self, jobs: Vec<Job<'a>>) {
            self.0.fetch_add(1, Ordering::Relaxed);
            Inline.run(jobs);
        }
    }

    /// Many tensors are what each is by itself, with one walk for 64 that have other upper factors, wherever they stand.
    fn many_tensors_share_walks<E: FromLimbs>() {
        let level = shape::Level {
            log2_message: 6,
            log2_columns: 2,
            log2_inverse_rate: 1,
            queries: 1,
            grinding_bits: 0,
        };
        let f: Vec<Gf32> = (0..1 << 8).map(|i: u32| Gf32(i.wrapping_mul(0x9e37_79b9))).collect();
        // Of so many tensors, so many different upper factors in turn.
        for (count, uppers, walks) in
            [(1, 1, 1), (64, 64, 1), (65, 65, 2), (200, 2, 1), (200, 70, 4), (300, 300, 5)]
        {
            let tensor = |i: usize| {
                let [lower, upper] =
                    [(i + 1, 2), (1000 + i % uppers, 6)].map(|(seed, n)| E::mixture(n, seed as u64));
                let factors = equal(&[lower, upper].concat());
                Scaled { claim: i, scale: E::mixture(1, 2000 + i as u64)[0], factors }
            };
            let pool = Counting(AtomicUsize::new(0));
            let isa = Isa::current();
            let terms = Term::of_tensors(&pool, isa, level, &f, (0..count).map(tensor));
            assert_eq!(pool.0.into_inner(), walks, "{count} tensors, {uppers}");
            for (i, term) in terms.iter().enumerate() {
                let alone = Term::of_tensors(&Inline, isa, level, &f, [tensor(i)].into_iter()).remove(0);
                let [one, other] = [&term, &&alone].map(|term| match &term.tables {
                    Tables::Pair { folded, lower } => (term.claim, folded, lower),
                    Tables::Orbit(_) => panic!("a tensor"),
                });
                assert!(one == other, "{i}");
                assert!(term.upper == alone.upper, "{i}");
            }
        }
    }

    over_both_fields!(many_tensors_share_walks);
}
