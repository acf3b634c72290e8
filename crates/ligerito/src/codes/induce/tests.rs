use super::*;
use crate::binary::tests::FromLimbs;
use crate::binary::vectors::{self, Factor};
use crate::binary::{Gf32, Gf128, Gf192};
use alloc::vec;
use phalanx_core::memory::UninitBuf;
use phalanx_testing::Random;

fn random_elements<E: FromLimbs>(random: &mut Random, len: usize) -> Vec<E> {
    E::mixture(len, random.u64())
}

fn random_positions(random: &mut Random, count: usize, log2_points: usize) -> Vec<usize> {
    let mut positions = Vec::new();
    while positions.len() < count {
        positions.push(random.below(1 << log2_points));
        positions.sort_unstable();
        positions.dedup();
    }
    positions
}

/// The definition: one tensor after the other.
fn slow<F: BinaryField, E: ChallengeField + From<F>>(
    basis: &Basis<F>,
    positions: &[usize],
    weights: &[E],
    out: &mut [E],
) {
    let log2_message = out.len().ilog2() as usize;
    for (position, weight) in positions.iter().zip(weights) {
        let factors: Vec<Factor<E>> =
            basis.generator_factors(*position, log2_message).map(|a| Factor::Generator(a.into())).collect();
        vectors::add_assign(out, &vectors::tensor(Isa::PORTABLE, *weight, &factors));
    }
}

fn check<F: BinaryField, E: FromLimbs + From<F>>(
    basis: &Basis<F>,
    log2_message: usize,
    positions: &[usize],
    random: &mut Random,
) {
    let weights = random_elements::<E>(random, positions.len());
    let before = random_elements(random, 1 << log2_message);
    let mut expected = before.clone();
    slow(basis, positions, &weights, &mut expected);
    for isa in phalanx_testing::isas() {
        let mut out = before.clone();
        induce(&Inline, isa, basis, positions, &weights, &mut out);
        assert!(out == expected, "d = {log2_message}, {positions:?}, {}", isa.backend().name());
    }
}

fn shapes<F: BinaryField, E: FromLimbs + From<F>>() {
    let mut random = Random::from_seed(1);
    for (d, r) in [(0, 2), (1, 1), (1, 3), (2, 1), (3, 2), (4, 4), (5, 1), (7, 2), (9, 3)] {
        let basis = Basis::<F>::new(u32::try_from(d + r).expect("small"));
        let points = 1 << (d + r);
        let (message, last) = (1 << d, points - 1);
        // The ends, neighbours, both sides of a coset's border, one coset only, all of them.
        let mut sets: Vec<Vec<usize>> = vec![vec![], vec![0], vec![last], vec![0, 1], vec![last - 1, last]];
        sets.push(vec![0, last]);
        sets.push(vec![message - 1, message]);
        sets.push((message..2 * message).collect());
        sets.push(vec![points / 2]);
        if points <= 256 {
            sets.push((0..points).collect());
        }
        for count in [2, 3, 5, 17] {
            if count <= points / 2 {
                sets.push(random_positions(&mut random, count, d + r));
            }
        }
        for mut set in sets {
            set.dedup();
            check::<F, E>(&basis, d, &set, &mut random);
        }
    }
}

#[test]
fn sums_of_generator_rows() {
    shapes::<Gf32, Gf128>();
    shapes::<Gf128, Gf128>();
    shapes::<Gf32, Gf192>();
    shapes::<Gf192, Gf192>();
}

/// Shapes that occur: one of a proof for 2^16 elements, and one with more than one layer above the cached blocks.
#[test]
fn shapes_of_proofs() {
    let mut random = Random::from_seed(3);
    let basis = Basis::<Gf32>::new(12);
    let positions = random_positions(&mut random, 145, 12);
    check::<Gf32, Gf128>(&basis, 10, &positions, &mut random);
    check::<Gf32, Gf192>(&basis, 10, &positions, &mut random);
    let positions = random_positions(&mut random, 9, 18);
    check::<Gf128, Gf128>(&Basis::new(18), 17, &positions, &mut random);
    check::<Gf192, Gf192>(&Basis::new(18), 17, &positions, &mut random);
}

/// The transposed map of the encoder: <induce(e), m> = <e, Enc(m)>.
#[test]
fn transposes_the_encoder() {
    fn over<E: FromLimbs>() {
        let mut random = Random::from_seed(5);
        let (d, r) = (6, 2);
        let basis = Basis::<E>::new(8);
        let message = random_elements::<E>(&mut random, 1 << d);
        let positions = random_positions(&mut random, 20, d + r);
        let weights = random_elements(&mut random, 20);
        let encoder =
            crate::codes::Encoder { isa: Isa::PORTABLE, basis: &basis, log2_message: d, log2_columns: 0 };
        let mut nodes = vec![(); 1 << (d + r)];
        let codeword = crate::codes::encode(
            &Inline,
            encoder,
            &message,
            &[],
            0,
            UninitBuf::new(1 << (d + r)),
            &mut nodes,
            1,
            &|_, _| (),
        );
        let mut induced = vec![E::ZERO; 1 << d];
        induce(&Inline, Isa::current(), &basis, &positions, &weights, &mut induced);
        let by_code =
            positions.iter().zip(&weights).fold(E::ZERO, |sum, (q, weight)| sum + codeword[*q] * *weight);
        assert_eq!(vectors::inner(Isa::PORTABLE, &induced, &message), by_code);
    }
    over::<Gf128>();
    over::<Gf192>();
}

/// Says that it has so many threads, and calls the last job first.
struct Says(usize);

impl Pool for Says {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        jobs.into_iter().rev().for_each(|job| job());
    }

    fn threads(&self) -> usize {
        self.0
    }
}

#[test]
fn threads_give_the_same() {
    let mut random = Random::from_seed(9);
    let said = [0, 1, 2, 3, 8, 1000, usize::MAX].map(Says);
    #[allow(unused_mut, reason = "without threads that is all")]
    let mut pools: Vec<&dyn Pool> = said.iter().map(|pool| pool as &dyn Pool).collect();
    #[cfg(feature = "parallel")]
    let team = phalanx_core::Threads::new(3);
    #[cfg(feature = "parallel")]
    pools.push(&team);
    let (below, from) = (LOG2_SHORTEST, LOG2_SHORTEST + 1);
    for log2_message in [0, 1, 9, below, from, 14, 16, 17] {
        let log2_points = log2_message + 2;
        let basis = Basis::<Gf32>::new(u32::try_from(log2_points).expect("small"));
        let count = 40.min(1 << log2_points);
        let positions = random_positions(&mut random, count, log2_points);
        let weights = random_elements::<Gf128>(&mut random, count);
        let mut alone = vec![Gf128(1); 1 << log2_message];
        let before = alone.clone();
        induce(&Inline, Isa::current(), &basis, &positions, &weights, &mut alone);
        for pool in &pools {
            let mut together = before.clone();
            induce(*pool, Isa::current(), &basis, &positions, &weights, &mut together);
            assert!(alone == together, "2^{log2_message}, {} threads", pool.threads());
        }
    }
}

#[test]
#[should_panic(expected = "positions ascend")]
fn unsorted_positions_are_refused() {
    let basis = Basis::<Gf32>::new(3);
    induce(&Inline, Isa::PORTABLE, &basis, &[2, 1], &[Gf128(1); 2], &mut [Gf128(0); 2]);
}
