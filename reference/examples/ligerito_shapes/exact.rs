//! Error and cost of a shape, in integers: docs/ligerito.md sections 8 and 11.

use num_bigint::BigUint;
use phalanx_reference::ligerito::{Large, Level, Shape};

/// A non-negative fraction.
#[derive(Clone)]
pub(crate) struct Fraction {
    numerator: BigUint,
    denominator: BigUint,
}

impl Fraction {
    fn new(numerator: impl Into<BigUint>, denominator: impl Into<BigUint>) -> Fraction {
        Fraction { numerator: numerator.into(), denominator: denominator.into() }
    }

    fn plus(&self, other: &Fraction) -> Fraction {
        Fraction::new(
            &self.numerator * &other.denominator + &other.numerator * &self.denominator,
            &self.denominator * &other.denominator,
        )
    }

    fn max(self, other: Fraction) -> Fraction {
        let is_less = &self.numerator * &other.denominator < &other.numerator * &self.denominator;
        if is_less { other } else { self }
    }

    fn rounded(&self) -> u64 {
        let halves = &self.numerator * 2u32 + &self.denominator;
        u64::try_from(halves / (&self.denominator * 2u32)).expect("a count")
    }

    /// Whether it is at most 2^-`bits`.
    pub(crate) fn is_at_most_two_to_the_minus(&self, bits: u32) -> bool {
        &self.numerator << bits <= self.denominator
    }

    /// -log2 of it, for reading.
    pub(crate) fn bits(&self) -> f64 {
        log2(&self.denominator) - log2(&self.numerator)
    }
}

fn log2(integer: &BigUint) -> f64 {
    let shift = integer.bits().saturating_sub(53);
    let upper = u64::try_from(integer >> shift).expect("53 bits");
    #[allow(clippy::cast_precision_loss, reason = "53 bits are what a double holds")]
    let sum = (upper as f64).log2() + shift as f64;
    sum
}

/// The sum over all moves of the verifier, and its largest term for a single round.
pub(crate) struct SoundnessError {
    pub(crate) union: Fraction,
    pub(crate) worst_round: Fraction,
}

/// Of a shape without proof of work, with 65536 claims.
pub(crate) fn error<N: Large>(shape: &Shape<N>) -> SoundnessError {
    let of_field = |count: u64| Fraction::new(count, BigUint::from(1u32) << N::FIELD.bits);
    let gamma = of_field(65535);
    let (mut union, mut worst_round) = (gamma.clone(), gamma);
    for (i, level) in shape.levels().iter().enumerate() {
        let rows = 1u64 << (level.d + level.r);
        let radius = (rows - (1 << level.d)) / 2;
        let missed = all_among(rows - radius - 1, rows, level.queries);
        let alpha = of_field(level.queries.into());
        union = union.plus(&of_field(u64::from(level.k) * (rows + 2))).plus(&missed);
        if i < shape.last() {
            union = union.plus(&alpha);
        }
        worst_round = worst_round.max(of_field(rows)).max(missed.plus(&alpha));
    }
    SoundnessError { union, worst_round }
}

/// The probability that all of `queries` rows, drawn from `rows` without replacement, are among `some` of them.
fn all_among(some: u64, rows: u64, queries: u16) -> Fraction {
    let (mut numerator, mut denominator) = (BigUint::from(1u32), BigUint::from(1u32));
    for j in 0..u64::from(queries) {
        numerator *= some.saturating_sub(j);
        denominator *= rows - j;
    }
    Fraction::new(numerator, denominator)
}

/// Averages, rounded to the nearest.
pub(crate) struct Cost {
    pub(crate) proof_bytes: u64,
    pub(crate) verifier_hashes: u64,
}

/// What a proof costs.
pub(crate) fn cost<N: Large>(shape: &Shape<N>) -> Cost {
    let (mut siblings, mut nodes) = (Fraction::new(0u32, 1u32), Fraction::new(0u32, 1u32));
    let (mut most_siblings, mut leaves) = (0, 0);
    for &Level { d, r, queries, .. } in shape.levels() {
        let rows = 1u64 << (d + r);
        leaves += u64::from(queries);
        // In the layer of 2^h nodes one is sent if its sibling's subtree is hit and its own is not; a parent is hashed if
        // either is.
        for h in 1..=d + r {
            let below = rows >> h;
            let own_missed = all_among(rows - below, rows, queries);
            let both_missed = all_among(rows - 2 * below, rows, queries);
            let all = own_missed.denominator;
            let hit = own_missed.numerator - &both_missed.numerator;
            siblings = siblings.plus(&Fraction::new(hit << h, all.clone()));
            nodes = nodes.plus(&Fraction::new((&all - both_missed.numerator) << (h - 1), all));
            most_siblings += u64::from(queries).min(1 << (h - 1));
        }
    }
    siblings.numerator *= 32u32;
    Cost {
        proof_bytes: shape.max_len() - 32 * most_siblings + siblings.rounded(),
        verifier_hashes: leaves + nodes.rounded(),
    }
}
