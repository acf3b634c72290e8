//! How much a cheating prover can hope for, in exact arithmetic, and what a proof costs (docs/aggregate.md, sections 4, 5
//! and 7).
#![forbid(unsafe_code)]

use crate::circuit::{Blake2sCompression, Circuit};
use crate::compressions::{self, Inputs, MAX_BLOCKS};
use crate::profile::Profile;
use crate::prove::memory_len;
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
        Some(Self::of_blocks(
            profile,
            n,
            RANDOMIZER_LEN * signatures,
            plain_len_bytes,
            memory_len(profile, signatures),
        ))
    }

    /// Of so many compressions in one proof; `None` unless there are 1 to [`MAX_BLOCKS`].
    #[must_use]
    pub fn of_compressions(profile: Profile, compressions: usize) -> Option<Self> {
        if !(1..=MAX_BLOCKS).contains(&compressions) {
            return None;
        }
        let n = compressions::log2_blocks(compressions);
        let memory_len_bytes = compressions::memory_len(profile, compressions);
        let plain_len_bytes = (size_of::<Inputs>() * compressions) as u64;
        Some(Self::of_blocks(profile, n, 0, plain_len_bytes, memory_len_bytes))
    }

    /// Of 2^`n` blocks.
    fn of_blocks(
        profile: Profile,
        n: usize,
        randomizers_len: usize,
        plain_len_bytes: u64,
        memory_len_bytes: u64,
    ) -> Self {
        let shape = shape(profile, n);
        let count =
            |draws, count: usize| Move { draws, error: Probability::challenges(count as u64, &shape) };
        let bits = Blake2sCompression::LOG2_BITS;
        let slots = Blake2sCompression::LOG2_SLOTS + n;
        let moves = [
            count("zeta", bits + n),
            count("zerocheck rounds", 2 * (bits + n)),
            count("alpha", 1),
            count("lincheck rounds", 2 * bits),
            count("tau", Blake2sCompression::LOG2_SLOT_BITS),
            count("lambda", slots),
            count("wiring rounds", 2 * slots),
        ];
        let outer = moves.iter().fold(Probability::challenges(0, &shape), |sum, one| sum.plus(&one.error));
        let opening = Soundness::of(&shape, CLAIMS);
        // Rounds of sumchecks have an error of two challenges each; of the others zeta's is the largest.
        let zeta = &moves[0].error;
        let worst = if zeta.exceeds(&opening.worst_round) { zeta } else { &opening.worst_round };
        let fixed = fixed_len(profile, n, randomizers_len);
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
            (before, opening) = (n, expected_proof_len_bytes(&shape(profile, n)));
        }
        (signatures, fixed_len(profile, n, RANDOMIZER_LEN * signatures) + opening)
    })
}

/// Bytes of everything but the opening.
fn fixed_len(profile: Profile, n: usize, randomizers_len: usize) -> u64 {
    let outer = outer_elements::<Blake2sCompression>(n) * profile.element_len();
    (HEADER_LEN + randomizers_len + outer) as u64
}

fn shape(profile: Profile, n: usize) -> Shape {
    let variables = variables::<Blake2sCompression>(n);
    let shape = match profile {
        Profile::Provable100 => ligerito::Preset::Balanced.shape(variables),
        Profile::Provable128 => provable128::Preset::Balanced.shape(variables),
    };
    shape.expect("10 to 30 variables are registered")
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let wanted = Probability::challenges(moves, &shape(profile, n));
                let outer = &parameters.outer;
                assert!(!outer.exceeds(&wanted) && !wanted.exceeds(outer), "(90 + 6 n) / |E|");
            }
            let one = Parameters::of_compressions(profile, 1).expect("a size");
            assert_eq!(one.log2_blocks, 1, "at least two blocks");
            assert!(Parameters::of_compressions(profile, 0).is_none());
            assert!(Parameters::of_compressions(profile, MAX_BLOCKS + 1).is_none());
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
