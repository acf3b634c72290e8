//! How much a cheating prover can hope for, in exact arithmetic, and what a proof costs (docs/aggregate.md, sections 4, 5
//! and 7).
#![forbid(unsafe_code)]

use crate::circuit::{Blake2sCompression, Circuit};
use crate::compressions::{self, Blake2s, Function, sha256};
use crate::profile::Profile;
use crate::prove::{memory_len, memory_of_blocks};
use crate::signatures::{RANDOMIZER_LEN, log2_blocks};
use crate::statement::MAX_SIGNATURES;
use crate::verify::{HEADER_LEN, outer_elements, variables};
use alloc::vec::Vec;
use phalanx_ligerito::soundness::{Probability, Soundness, expected_proof_len_bytes};
use phalanx_ligerito::{self as ligerito, Shape, provable128};
use phalanx_xmss::blake2s::Signature;

/// Points that an aggregate opens: the conjugates of three.
pub const CLAIMS: usize = 96;

/// One move of the verifier before the opening.
#[derive(Clone, Debug)]
pub struct Move {
    /// What it draws.
    pub draws: &'static str,
    /// What it adds to the union.
    pub error: Probability,
}

/// Everything that follows from a profile and a number of signatures, or of compressions.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// log2 of the number of blocks.
    pub log2_blocks: usize,
    /// Variables of the committed polynomial.
    pub variables: u8,
    /// The moves before the opening.
    pub moves: Vec<Move>,
    /// Of the moves before the opening.
    pub outer: Probability,
    /// Of the opening.
    pub opening: Soundness,
    /// The error of the interactive oracle protocol: the sum over all moves.
    pub union: Probability,
    /// The largest error of a single round, which a prover who tries again and again is up against.
    pub worst_round: Probability,
    /// Bytes of a proof with an opening of average length.
    pub expected_len_bytes: u64,
    /// Bytes of the longest proof.
    pub max_len_bytes: u64,
    /// Bytes of what is proved, one by one: signatures, or inputs of compressions.
    pub plain_len_bytes: u64,
    /// Bytes of memory that proving takes.
    pub memory_len_bytes: u64,
}

impl Parameters {
    /// Of aggregates of so many signatures; `None` unless there are 1 to [`MAX_SIGNATURES`].
    #[must_use]
    pub fn of(profile: Profile, signatures: usize) -> Option<Self> {
        if !(1..=MAX_SIGNATURES).contains(&signatures) {
            return None;
        }
        let plain_len_bytes = (Signature::LEN_BYTES * signatures) as u64;
        let n = log2_blocks(signatures);
        let memory_len_bytes = memory_len(profile, signatures);
        let randomizers_len = RANDOMIZER_LEN * signatures;
        Some(Self::of_blocks::<Blake2sCompression>(
            profile,
            n,
            randomizers_len,
            plain_len_bytes,
            memory_len_bytes,
        ))
    }

    /// Of so many compressions of BLAKE2s in one proof; `None` unless there are 1 to
    /// [`MAX_BLOCKS`](compressions::MAX_BLOCKS).
    #[must_use]
    pub fn of_compressions(profile: Profile, compressions: usize) -> Option<Self> {
        let input_len = size_of::<compressions::Inputs>();
        Self::of_function::<Blake2s>(profile, compressions, compressions::MAX_BLOCKS, input_len)
    }

    /// Of so many compressions of SHA-256 in one proof; `None` unless there are 1 to
    /// [`MAX_BLOCKS`](sha256::MAX_BLOCKS).
    #[must_use]
    pub fn of_sha256_compressions(profile: Profile, compressions: usize) -> Option<Self> {
        let input_len = size_of::<sha256::Inputs>();
        Self::of_function::<sha256::Sha256>(profile, compressions, sha256::MAX_BLOCKS, input_len)
    }

    /// Of compressions of any function, `most` at most.
    fn of_function<F: Function>(
        profile: Profile,
        compressions: usize,
        most: usize,
        input_len: usize,
    ) -> Option<Self> {
        if !(1..=most).contains(&compressions) {
            return None;
        }
        let n = compressions::log2_blocks(compressions);
        let memory_len_bytes = memory_of_blocks::<F::Circuit>(profile, n, compressions);
        let plain_len_bytes = (input_len * compressions) as u64;
        Some(Self::of_blocks::<F::Circuit>(profile, n, 0, plain_len_bytes, memory_len_bytes))
    }

    /// Of 2^`n` blocks of a circuit.
    fn of_blocks<C: Circuit>(
        profile: Profile,
        n: usize,
        randomizers_len: usize,
        plain_len_bytes: u64,
        memory_len_bytes: u64,
    ) -> Self {
        let shape = shape::<C>(profile, n);
        let count =
            |draws, count: usize| Move { draws, error: Probability::challenges(count as u64, &shape) };
        let bits = C::LOG2_BITS;
        let slots = C::LOG2_SLOTS + n;
        let moves = [
            count("zeta", bits + n),
            count("zerocheck rounds", 2 * (bits + n)),
            count("alpha", 1),
            count("lincheck rounds", 2 * bits),
            count("tau", C::LOG2_SLOT_BITS),
            count("lambda", slots),
            count("wiring rounds", 2 * slots),
        ];
        let outer = moves.iter().fold(Probability::challenges(0, &shape), |sum, one| sum.plus(&one.error));
        let opening = Soundness::of(&shape, CLAIMS);
        // Rounds of sumchecks have an error of two challenges each; of the others zeta's is the largest.
        let zeta = &moves[0].error;
        let worst = if zeta.exceeds(&opening.worst_round) { zeta } else { &opening.worst_round };
        let fixed = fixed_len::<C>(profile, n, randomizers_len);
        Self {
            log2_blocks: n,
            variables: shape.variables(),
            union: outer.plus(&opening.union),
            worst_round: worst.clone(),
            expected_len_bytes: fixed + expected_proof_len_bytes(&shape),
            max_len_bytes: fixed + shape.max_proof_len_bytes() as u64,
            plain_len_bytes,
            memory_len_bytes,
            outer,
            opening,
            moves: moves.to_vec(),
        }
    }
}

/// From this number of signatures on an aggregate of average length is shorter than the signatures.
#[must_use]
pub fn break_even(profile: Profile) -> usize {
    let plain = |signatures| (Signature::LEN_BYTES * signatures) as u64;
    let longer = expected_lens(profile).filter(|(signatures, len)| *len >= plain(*signatures));
    longer.last().map_or(1, |(signatures, _)| signatures + 1)
}

/// The least and the most signatures whose aggregates have so many bytes on average, give or take a tolerance: an
/// aggregate itself does not say how many it has. `None` if there is no such number.
#[must_use]
pub fn signatures_near(profile: Profile, len_bytes: u64, tolerance_bytes: u64) -> Option<(usize, usize)> {
    let near = expected_lens(profile).filter(|(_, len)| len.abs_diff(len_bytes) <= tolerance_bytes);
    let mut near = near.map(|(signatures, _)| signatures);
    let least = near.next()?;
    Some((least, near.last().unwrap_or(least)))
}

/// Every number of signatures, with the bytes of an aggregate of average length.
fn expected_lens(profile: Profile) -> impl Iterator<Item = (usize, u64)> {
    let (mut before, mut opening) = (0, 0);
    (1..=MAX_SIGNATURES).map(move |signatures| {
        let n = log2_blocks(signatures);
        if n != before {
            (before, opening) = (n, expected_proof_len_bytes(&shape::<Blake2sCompression>(profile, n)));
        }
        (signatures, fixed_len::<Blake2sCompression>(profile, n, RANDOMIZER_LEN * signatures) + opening)
    })
}

/// Bytes of everything but the opening.
fn fixed_len<C: Circuit>(profile: Profile, n: usize, randomizers_len: usize) -> u64 {
    let outer = outer_elements::<C>(n) * profile.element_len();
    (HEADER_LEN + randomizers_len + outer) as u64
}

fn shape<C: Circuit>(profile: Profile, n: usize) -> Shape {
    let variables = variables::<C>(n);
    let shape = match profile {
        Profile::Provable100 => ligerito::Preset::Balanced.shape(variables),
        Profile::Provable128 => provable128::Preset::Balanced.shape(variables),
    };
    shape.expect("10 to 30 variables are registered")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Sha256Compression;

    /// Bits rounded down to so many digits, as the specification's tables have them.
    fn down(probability: &Probability, digits: i32) -> f64 {
        let scale = 10_f64.powi(digits);
        (probability.bits() * scale).floor() / scale
    }

    /// Specification, section 4: the table, and the claim for every size.
    #[test]
    fn the_bounds_of_the_specification() {
        let table = [
            (115, 23, [120.55, 100.141, 101.05], [184.55, 128.002, 129.52]),
            (461, 25, [120.46, 100.078, 101.71], [184.46, 128.043, 129.51]),
            (923, 26, [120.41, 100.151, 101.71], [184.41, 128.042, 129.51]),
        ];
        for (signatures, variables, of_100, of_128) in table {
            for (profile, [outer, union, round]) in
                [(Profile::Provable100, of_100), (Profile::Provable128, of_128)]
            {
                let parameters = Parameters::of(profile, signatures).expect("a size");
                assert_eq!(parameters.variables, variables);
                let got = [
                    down(&parameters.outer, 2),
                    down(&parameters.union, 3),
                    down(&parameters.worst_round, 2),
                ];
                assert!(
                    got.iter().zip([outer, union, round]).all(|(got, wanted)| (got - wanted).abs() < 1e-9),
                    "{signatures} signatures, {}: {got:?}",
                    profile.name()
                );
            }
        }
        let mut sizes = 0;
        let (mut n, mut signatures) = (8, 1);
        while signatures <= MAX_SIGNATURES {
            for profile in Profile::ALL {
                let parameters = Parameters::of(profile, signatures).expect("a size");
                assert_eq!(parameters.log2_blocks, n);
                assert!(parameters.union.is_at_most_two_to_the_minus(profile.bits()), "{signatures}");
                assert!(!parameters.union.is_at_most_two_to_the_minus(profile.bits() + 2), "not far");
                sizes += 1;
            }
            (n, signatures) = (n + 1, (1 << n) / 142 + 1);
        }
        assert_eq!(sizes, 2 * 14, "17 to 30 variables");
    }

    /// Specification, section 7.4: for every size the claim holds, and the moves before the opening add up to what it says.
    #[test]
    fn the_bounds_of_compressions() {
        for profile in Profile::ALL {
            for n in 1..=21 {
                let parameters = Parameters::of_compressions(profile, 1 << n).expect("a size");
                assert_eq!((parameters.log2_blocks, usize::from(parameters.variables)), (n, n + 9));
                assert!(parameters.union.is_at_most_two_to_the_minus(profile.bits()), "2^{n}");
                let moves = 90 + 6 * n as u64;
                let wanted = Probability::challenges(moves, &shape::<Blake2sCompression>(profile, n));
                let outer = &parameters.outer;
                assert!(!outer.exceeds(&wanted) && !wanted.exceeds(outer), "(90 + 6 n) / |E|");
            }
            let one = Parameters::of_compressions(profile, 1).expect("a size");
            assert_eq!(one.log2_blocks, 1, "at least two blocks");
            assert!(Parameters::of_compressions(profile, 0).is_none());
            assert!(Parameters::of_compressions(profile, compressions::MAX_BLOCKS + 1).is_none());
        }
    }

    /// Specification, section 8: 3 B + 1 + 2 LOG2_BITS + LOG2_SLOT_BITS + 3 (LOG2_SLOTS + n), B = 15 + n.
    #[test]
    fn the_bounds_of_compressions_of_sha256() {
        for profile in Profile::ALL {
            for n in 1..=20 {
                let parameters = Parameters::of_sha256_compressions(profile, 1 << n).expect("a size");
                assert_eq!((parameters.log2_blocks, usize::from(parameters.variables)), (n, n + 10));
                assert!(parameters.union.is_at_most_two_to_the_minus(profile.bits()), "2^{n}");
                assert!(!parameters.union.is_at_most_two_to_the_minus(profile.bits() + 2), "not far");
                let wanted =
                    Probability::challenges(98 + 6 * n as u64, &shape::<Sha256Compression>(profile, n));
                let outer = &parameters.outer;
                assert!(!outer.exceeds(&wanted) && !wanted.exceeds(outer), "(98 + 6 n) / |E|");
            }
            let one = Parameters::of_sha256_compressions(profile, 1).expect("a size");
            assert_eq!((one.log2_blocks, one.plain_len_bytes), (1, 96));
            assert!(Parameters::of_sha256_compressions(profile, 0).is_none());
            assert!(Parameters::of_sha256_compressions(profile, sha256::MAX_BLOCKS + 1).is_none());
        }
    }

    /// Specification, section 5.
    #[test]
    fn the_sizes_of_the_specification() {
        for (signatures, of_100, of_128) in [
            (115, 213_001, 299_400),
            (461, 271_427, 374_284),
            (923, 307_652, 421_579),
            (1846, 354_838, 482_430),
        ] {
            for (profile, wanted) in [(Profile::Provable100, of_100), (Profile::Provable128, of_128)] {
                let parameters = Parameters::of(profile, signatures).expect("a size");
                assert_eq!(parameters.expected_len_bytes, wanted, "{signatures} {}", profile.name());
            }
        }
        assert_eq!(Profile::ALL.map(break_even), [199, 307]);
        assert_eq!(signatures_near(Profile::Provable100, 271_427, 0), Some((461, 461)));
        assert_eq!(signatures_near(Profile::Provable100, 271_427 - 24, 24), Some((459, 461)));
        assert_eq!(signatures_near(Profile::Provable128, 1000, 100), None);
        assert!(Parameters::of(Profile::Provable100, 0).is_none());
        assert!(Parameters::of(Profile::Provable100, MAX_SIGNATURES + 1).is_none());
    }
}
