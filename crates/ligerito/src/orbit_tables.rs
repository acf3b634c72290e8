//! The 32 claims of an orbit in the rounds of the first level: one table of weights for all of them, and no squares.
//!
//! Table k of the claims is R_k^(2^k) entry by entry ([`tower`]), and its weights are L^(2^k), for L the tensor of the
//! point's lower factors. Squaring is additive, so a message is the sum over k of
//!
//! ```text
//! gamma^k (sum over t of R_k[t] L[t])^(2^k) = (gamma_k^k sum over t of R_k[t] L[t])^(2^k),
//! ```
//!
//! where x_k is the 2^k-th root of x, x^(2^(BITS - k)). When a coordinate is bound to rho, R_k is folded by rho_k, and
//! what is left of L is the tensor of the other factors times 1 + z + rho_k, which goes to the scale of claim k.
#![forbid(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use crate::binary::ChallengeField;
use crate::binary::lanes::{Kernel, Lanes, MAX_COUNT, run};
use crate::binary::vectors::{self, Factor, Round};
use crate::tower::{self, PLANES};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// Sums over the columns that are not bound, and their weights.
#[derive(Clone)]
pub(super) struct OrbitTables<E> {
    /// R_k\[c\], those of a column together.
    sums: Vec<[E; PLANES]>,
    /// The tensor of the lower factors that are not bound, and the coordinates in these.
    lower: Vec<E>,
    coordinates: Vec<E>,
    /// What claim k is times, its 2^k-th root.
    scales: [E; PLANES],
}

impl<E: ChallengeField> OrbitTables<E> {
    /// Of the sums over the rows for every bit of every column, and the point's lower coordinates.
    #[inline(never)]
    pub(super) fn new(isa: Isa, sums: &[E], coordinates: &[E]) -> Self {
        let factors: Vec<_> = coordinates.iter().copied().map(Factor::Equal).collect();
        let lower = vectors::tensor(isa, E::ONE, &factors);
        let sums = tower::at_conjugates(isa, sums.as_chunks().0);
        Self { sums, lower, coordinates: coordinates.to_vec(), scales: [E::ONE; PLANES] }
    }

    /// The value of the first claim.
    pub(super) fn value(&self) -> E {
        self.sums.iter().zip(&self.lower).fold(E::ZERO, |sum, (sums, weight)| sum + sums[0] * *weight)
    }

    /// Scales claim k by gamma^(first + k), from the conjugates of gamma.
    #[inline(never)]
    pub(super) fn scale(&mut self, isa: Isa, gamma: &[E], first: usize) {
        let mut bit = 0;
        while (first + PLANES - 1) >> bit > 0 {
            // gamma_k^(2^bit) is the conjugate by bit - k steps.
            let power = |k: usize| {
                if (first + k) >> bit & 1 == 1 {
                    gamma[(gamma.len() + bit - k) % gamma.len()]
                } else {
                    E::ONE
                }
            };
            self.multiply(isa, &core::array::from_fn(power));
            bit += 1;
        }
    }

    #[inline(never)]
    fn multiply(&mut self, isa: Isa, factors: &[E; PLANES]) {
        let mut scales = [E::ZERO; PLANES];
        vectors::add_products(isa, &mut scales, &self.scales, factors);
        self.scales = scales;
    }

    /// What all claims give to the message of the next round.
    #[inline(never)]
    pub(super) fn round(&self, isa: Isa) -> Round<E> {
        let Self { sums, lower, scales, .. } = self;
        let [at_zero, leading] = run(isa, NextRound { sums, lower, scales }).unwrap_or_else(|_| {
            let mut message = [[E::ZERO; PLANES]; 2];
            for (pair, weights) in sums.as_chunks().0.iter().zip(lower.as_chunks().0) {
                let ([even, odd], [zero, one]): (&[_; 2], &[_; 2]) = (pair, weights);
                for k in 0..PLANES {
                    message[0][k] += *zero * even[k];
                    message[1][k] += (*zero + *one) * (even[k] + odd[k]);
                }
            }
            for entries in &mut message {
                entries.iter_mut().zip(scales).for_each(|(entry, scale)| *entry *= *scale);
            }
            message
        });
        let roots = [&at_zero, &leading];
        let [at_zero, leading] = run(isa, SumsOfConjugates(roots)).unwrap_or_else(|_| {
            roots.map(|roots| roots.iter().rev().fold(E::ZERO, |sum, x| sum.square() + *x))
        });
        Round { at_zero, leading }
    }

    /// Binds the lowest coordinate to the challenge that has these conjugates.
    #[inline(never)]
    pub(super) fn bind(&mut self, isa: Isa, challenge: &[E]) {
        let roots: [E; PLANES] = core::array::from_fn(|k| challenge[(challenge.len() - k) % challenge.len()]);
        if run(isa, Fold { sums: &mut self.sums, roots: &roots }).is_err() {
            for t in 0..self.sums.len() / 2 {
                let [even, odd] = [self.sums[2 * t], self.sums[2 * t + 1]];
                self.sums[t] = core::array::from_fn(|k| even[k] + roots[k] * (even[k] + odd[k]));
            }
        }
        self.sums.truncate(self.sums.len() / 2);
        // The two entries of a factor add up to one.
        self.lower = self.lower.as_chunks().0.iter().map(|[zero, one]| *zero + *one).collect();
        let factor = Factor::Equal(self.coordinates.remove(0));
        self.multiply(isa, &roots.map(|root| factor.bind(root)));
    }

    /// When all coordinates are bound: what the tensor of the upper factors is mapped by. Of a conjugate it is the first
    /// one's, squared.
    #[inline(never)]
    pub(super) fn map(&self, isa: Isa) -> Vec<[E; 32]> {
        let mut scales = self.scales;
        tower::raise(isa, &mut scales);
        tower::map_of(isa, &scales)
    }
}

/// x^(2^i) for i below the field's degree.
#[inline(never)]
pub(super) fn conjugates<E: ChallengeField>(isa: Isa, x: E) -> Vec<E> {
    let mut all = vec![x; E::BITS as usize];
    if let Err(Conjugates(all)) = run(isa, Conjugates(&mut all)) {
        (1..all.len()).for_each(|i| all[i] = all[i - 1].square());
    }
    all
}

/// [`OrbitTables::round`]: for every claim the scaled sums, whose powers are to be added.
struct NextRound<'a, E> {
    sums: &'a [[E; PLANES]],
    lower: &'a [E],
    scales: &'a [E; PLANES],
}

impl<E: ChallengeField> Kernel for NextRound<'_, E> {
    type Field = E;
    type Output = [[E; PLANES]; 2];

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> [[E; PLANES]; 2] {
        let Self { sums, lower, scales } = self;
        let mut message = [[E::ZERO; PLANES]; 2];
        let mut k = 0;
        while k < PLANES {
            let (mut at_zero, mut leading) = (lanes.nothing(), lanes.nothing());
            let mut t = 0;
            while t + 1 < sums.len() {
                let (even, odd) = (lanes.load(&sums[t][k..]), lanes.load(&sums[t + 1][k..]));
                let (zero, one) = (lanes.splat(&lower[t]), lanes.splat(&lower[t + 1]));
                at_zero = lanes.accumulate(at_zero, even, lanes.weight(zero));
                leading = lanes.accumulate(leading, lanes.add(even, odd), lanes.weight(lanes.add(zero, one)));
                t += 2;
            }
            let scale = lanes.load(&scales[k..]);
            lanes.store(lanes.product(lanes.reduce(at_zero), scale), &mut message[0][k..]);
            lanes.store(lanes.product(lanes.reduce(leading), scale), &mut message[1][k..]);
            k += L::COUNT;
        }
        message
    }
}

/// The sums of entry k to the power of 2^k, by Horner's rule.
struct SumsOfConjugates<'a, E>([&'a [E; PLANES]; 2]);

impl<E: ChallengeField> Kernel for SumsOfConjugates<'_, E> {
    type Field = E;
    type Output = [E; 2];

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> [E; 2] {
        let Self([first, second]) = self;
        let (mut a, mut b) = (lanes.splat(&E::ZERO), lanes.splat(&E::ZERO));
        let mut k = PLANES;
        while k > 0 {
            k -= 1;
            a = lanes.add(lanes.square(a), lanes.splat(&first[k]));
            b = lanes.add(lanes.square(b), lanes.splat(&second[k]));
        }
        let mut sums = [[E::ZERO; MAX_COUNT]; 2];
        lanes.store(a, &mut sums[0]);
        lanes.store(b, &mut sums[1]);
        [sums[0][0], sums[1][0]]
    }
}

/// [`OrbitTables::bind`]: pairs of columns become the first half of them.
struct Fold<'a, E> {
    sums: &'a mut [[E; PLANES]],
    roots: &'a [E; PLANES],
}

impl<E: ChallengeField> Kernel for Fold<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { sums, roots } = self;
        let mut k = 0;
        while k < PLANES {
            let root = lanes.weight(lanes.load(&roots[k..]));
            let mut t = 0;
            while t < sums.len() / 2 {
                let (even, odd) = (lanes.load(&sums[2 * t][k..]), lanes.load(&sums[2 * t + 1][k..]));
                let product = lanes.reduce(lanes.accumulate(lanes.nothing(), lanes.add(even, odd), root));
                lanes.store(lanes.add(even, product), &mut sums[t][k..]);
                t += 1;
            }
            k += L::COUNT;
        }
    }
}

/// Every entry but the first becomes the square of the one before it.
struct Conjugates<'a, E>(&'a mut [E]);

impl<E: ChallengeField> Kernel for Conjugates<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self(all) = self;
        let mut power = lanes.splat(&all[0]);
        let mut block = [E::ZERO; MAX_COUNT];
        let mut i = 1;
        while i < all.len() {
            power = lanes.square(power);
            lanes.store(power, &mut block);
            all[i] = block[0];
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::Gf32;
    use crate::binary::tests::{FromLimbs, over_both_fields};
    use phalanx_testing::on_every_backend;

    fn power<E: FromLimbs>(x: E, log2: usize) -> E {
        (0..log2).fold(x, |x, _| x.square())
    }

    fn neither_zero_nor_one<E: FromLimbs>(seed: u64) -> E {
        let mut elements = E::mixture(64, seed).into_iter();
        elements.find(|x| *x != E::ZERO && *x != E::ONE).expect("most of them")
    }

    /// The sums of g^i S_i^(2^k) and the weights of claim k, each as long as there are columns.
    fn written_out<E: FromLimbs>(sums: &[E], coordinates: &[E], scale: E, k: usize) -> [Vec<E>; 2] {
        let value = |column: &[E]| {
            let terms = column.iter().enumerate().map(|(i, s)| E::from(Gf32(1 << i)) * power(*s, k));
            terms.fold(E::ZERO, |sum, term| sum + term)
        };
        let factors: Vec<_> = coordinates.iter().map(|z| Factor::Equal(power(*z, k))).collect();
        [sums.chunks(PLANES).map(value).collect(), vectors::tensor(Isa::current(), scale, &factors)]
    }

    /// Values, messages and maps, against those of 32 claims that are folded one by one.
    fn rounds_of_32_claims<E: FromLimbs>() {
        for (variables, first) in [(0, 0), (1, 1), (2, 33), (3, 0), (5, 65_000)] {
            let sums = E::mixture(PLANES << variables, 1);
            let (coordinates, challenges) = (E::mixture(variables, 2), E::mixture(variables, 3));
            let [gamma, x] = [4, 5].map(neither_zero_nor_one);
            let scale = |k: usize| (0..first + k).fold(E::ONE, |power, _| power * gamma);
            on_every_backend(|backend| {
                let (isa, name) = (Isa::current(), backend.name());
                let mut claims: Vec<_> =
                    (0..PLANES).map(|k| written_out(&sums, &coordinates, scale(k), k)).collect();
                let mut tables = OrbitTables::new(isa, &sums, &coordinates);
                let [values, weights] = written_out(&sums, &coordinates, E::ONE, 0);
                assert_eq!(tables.value(), vectors::inner(isa, &values, &weights), "{name}");
                tables.scale(isa, &conjugates(isa, gamma), first);
                for r in &challenges {
                    let mut wanted = Round { at_zero: E::ZERO, leading: E::ZERO };
                    for [v, w] in &mut claims {
                        let message = vectors::round(isa, v, w);
                        wanted.at_zero += message.at_zero;
                        wanted.leading += message.leading;
                        for table in [v, w] {
                            vectors::fold(isa, &mut table[..], *r);
                            table.truncate(table.len() / 2);
                        }
                    }
                    assert_eq!(tables.round(isa), wanted, "{variables} {name}");
                    tables.bind(isa, &conjugates(isa, *r));
                }
                let wanted = claims.iter().enumerate();
                let wanted = wanted.fold(E::ZERO, |sum, (k, [_, weight])| sum + weight[0] * power(x, k));
                let images = tables.map(isa);
                let bits = images.as_flattened().iter().enumerate();
                let bits = bits.filter(|(i, _)| x.limbs()[i / 64] >> (i % 64) & 1 == 1);
                assert_eq!(bits.fold(E::ZERO, |sum, (_, image)| sum + *image), wanted, "{name}");
            });
        }
    }

    over_both_fields!(rounds_of_32_claims);
}
