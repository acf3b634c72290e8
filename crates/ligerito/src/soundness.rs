//! How much a cheating prover can hope for, in exact arithmetic.
//!
//! Every move of the verifier lets a doomed prover escape with a probability that docs/ligerito.md section 8 bounds.
//! Here the bounds are computed as fractions of integers, nothing rounded, and added up. Only [`Probability::bits`],
//! made for reading, rounds.
//!
//! Shapes with samples are those of `ligerito-v2-johnson128`, whose bounds are in section 16: 128 bits, conditional on a theorem
//! of 2026 ([eprint 2026/2056](https://eprint.iacr.org/2026/2056), Theorem 5.12) whose Lean proof is reported and was not built
//! here; the conservative suite is `provable128`.
#![forbid(unsafe_code)]

mod johnson;

use super::layout::Layout;
use super::preset::PresetOf;
use super::shape::{Level, Shape, siblings_of};
use alloc::vec::Vec;
use core::fmt;
use johnson::{MULTIPLICITIES, Radius};
use num_bigint::BigUint;

/// A probability as a fraction.
#[derive(Clone, Debug)]
pub struct Probability {
    numerator: BigUint,
    denominator: BigUint,
}

impl Probability {
    fn zero() -> Self {
        Self::new(0u32.into(), 1u32.into())
    }

    fn new(numerator: BigUint, denominator: BigUint) -> Self {
        Self { numerator, denominator }
    }

    /// `count` of all challenges: they come from the whole large field of the shape's suite, GF(2^128) or GF(2^192).
    #[must_use]
    pub fn challenges(count: u64, shape: &Shape) -> Self {
        Self::new(count.into(), BigUint::from(1u32) << (8 * shape.challenge_len_bytes()))
    }

    /// A fraction of all challenges, as one of them is drawn.
    fn part_of_challenges([numerator, denominator]: [BigUint; 2], shape: &Shape) -> Self {
        Self::new(numerator, denominator << (8 * shape.challenge_len_bytes()))
    }

    /// The sum: a bound of the union.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::new(
            &self.numerator * &other.denominator + &other.numerator * &self.denominator,
            &self.denominator * &other.denominator,
        )
    }

    fn shifted_down(&self, bits: u32) -> Self {
        Self::new(self.numerator.clone(), &self.denominator << bits)
    }

    /// Whether it is larger, exactly.
    #[must_use]
    pub fn exceeds(&self, other: &Self) -> bool {
        &self.numerator * &other.denominator > &other.numerator * &self.denominator
    }

    /// Whether it is at most 2^-`bits`, exactly.
    #[must_use]
    pub fn is_at_most_two_to_the_minus(&self, bits: u32) -> bool {
        &self.numerator << bits <= self.denominator
    }

    /// -log2 of it, to about fifteen digits; infinite for zero.
    #[must_use]
    pub fn bits(&self) -> f64 {
        log2(&self.denominator) - log2(&self.numerator)
    }
}

impl fmt::Display for Probability {
    /// The fraction, exactly: numerator, a slash, denominator, in decimal. Not in lowest terms.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// log2 of an integer from its upper 64 bits.
fn log2(integer: &BigUint) -> f64 {
    let shift = integer.bits().saturating_sub(64);
    let upper = u64::try_from(integer >> shift).expect("64 bits are left");
    #[expect(clippy::cast_precision_loss, reason = "fifteen digits are enough to read")]
    let sum = (upper as f64).log2() + shift as f64;
    sum
}

/// One move of the verifier.
#[derive(Clone, Debug)]
pub struct Move {
    /// What it draws: `"gamma"`, `"folds"`, `"queries"`, `"alpha"`, `"sample"` or `"closing rounds"`.
    pub draws: &'static str,
    /// The level it belongs to; none for gamma.
    pub level: Option<usize>,
    /// What it adds to the union, with the proof of work counted.
    pub error: Probability,
}

/// The soundness error of a shape.
#[derive(Clone, Debug)]
pub struct Soundness {
    /// The sum over all moves. With a proof of work this is per hash evaluation of the prover: a new set of queries
    /// costs 2^g of them.
    pub union: Probability,
    /// The same without the proofs of work: the error of the interactive protocol.
    pub union_without_work: Probability,
    /// The largest error of a single round, which a prover who tries again and again is up against: with h hashes it
    /// wins with probability at most h times this and O(h^2) / 2^256.
    pub worst_round: Probability,
    /// The terms of `union`.
    pub moves: Vec<Move>,
}

impl Soundness {
    /// Of proofs of `shape` with `claims` claims; of a shape with samples conditional on the theorem that this module names.
    #[must_use]
    pub fn of(shape: &Shape, claims: usize) -> Self {
        if shape.has_samples() {
            return Self::up_to_johnson(shape, claims);
        }
        Self::of_layout(&Layout::of(shape), shape, claims)
    }

    /// Up to the unique decoding radius; of `shape` only the field counts.
    fn of_layout(layout: &Layout, shape: &Shape, claims: usize) -> Self {
        let gamma = Probability::challenges(claims.saturating_sub(1) as u64, shape);
        let mut soundness = Self::none();
        soundness.add("gamma", None, &gamma, &gamma, &gamma);
        let codes: Vec<Level> = layout.groups.iter().map(|group| group.level).collect();
        let first = (layout.log2_columns, layout.grinding_bits, &codes[..]);
        soundness.add_level(0, first, layout.later.is_empty(), shape);
        for (index, level) in (1..).zip(&*layout.later) {
            let own = (level.log2_columns, level.grinding_bits, core::slice::from_ref(level));
            soundness.add_level(index, own, index == layout.later.len(), shape);
        }
        soundness
    }

    /// The moves of a level, given its rounds, its work and its codes: who cheats under one of them must be missed there, whatever
    /// the others do.
    fn add_level(&mut self, index: usize, level: (u8, u8, &[Level]), is_last: bool, shape: &Shape) {
        let (columns, work, codes) = level;
        let rows: u64 = codes.iter().map(|level| 1 << level.log2_rows()).sum();
        let fold = Probability::challenges(rows, shape);
        let folds = Probability::challenges(u64::from(columns) * (rows + 2), shape);
        self.add("folds", Some(index), &folds, &folds, &fold);
        let missed = codes
            .iter()
            .map(|level| missed(*level))
            .fold(Probability::zero(), |worst, missed| if missed.exceeds(&worst) { missed } else { worst });
        let missed_after_work = missed.shifted_down(work.into());
        let alpha = Probability::challenges(codes.iter().map(|level| u64::from(level.queries)).sum(), shape);
        let round = missed_after_work.plus(&alpha);
        self.add("queries", Some(index), &missed_after_work, &missed, &round);
        if !is_last {
            self.add("alpha", Some(index), &alpha, &alpha, &round);
        }
    }

    /// The same where words may be near to several polynomials (docs/ligerito.md, section 16).
    fn up_to_johnson(shape: &Shape, claims: usize) -> Self {
        let radii: Vec<Radius> = shape.levels().iter().map(|level| radius(*level, shape)).collect();
        let mut soundness = Self::none();
        let sample = sampled(&radii[0], shape.variables(), shape);
        soundness.add("sample", Some(0), &sample, &sample, &sample);
        let gamma = Probability::challenges(radii[0].list * claims as u64, shape);
        soundness.add("gamma", None, &gamma, &gamma, &gamma);
        let deepest = shape.levels().len() - 1;
        for (index, (level, radius)) in shape.levels().iter().zip(&radii).enumerate() {
            let rows = 1u64 << level.log2_rows();
            let missed = drawn_from(radius.agreement - 1, rows, level.queries);
            let missed_after_work = missed.shifted_down(level.grinding_bits.into());
            let folds = folds_up_to_johnson(radius, *level, shape);
            // The first round folds half of the columns onto the other half.
            let first = radius.folds(1 << (level.log2_columns - 1), 1);
            let fold = Probability::part_of_challenges(first, shape);
            soundness.add("folds", Some(index), &folds, &folds, &fold);
            let mut alpha = Probability::zero();
            if let Some(next) = radii.get(index + 1) {
                let sample = sampled(next, level.log2_message, shape);
                soundness.add("sample", Some(index + 1), &sample, &sample, &sample);
                alpha = Probability::challenges(next.list * (u64::from(level.queries) + 1), shape);
            }
            let round = missed_after_work.plus(&alpha);
            soundness.add("queries", Some(index), &missed_after_work, &missed, &round);
            if index < deepest {
                soundness.add("alpha", Some(index), &alpha, &alpha, &round);
            }
        }
        soundness
    }

    /// Of proofs about commitments under `preset` of these numbers of variables, together, with `claims` expanded claims and closing
    /// rounds; `None` if the suite does not take them together (docs/ligerito.md, section 17).
    #[must_use]
    pub fn of_together<P: PresetOf>(preset: P, variables: &[u8], claims: usize) -> Option<Self> {
        let (shapes, layout) = together(preset, variables)?;
        let mut soundness = Self::of_layout(&layout, shapes.first()?, claims);
        soundness.add_closing_rounds(&layout, shapes.first()?);
        Some(soundness)
    }

    fn none() -> Self {
        let zero = Probability::zero;
        Self { union: zero(), union_without_work: zero(), worst_round: zero(), moves: Vec::new() }
    }

    /// Of proofs of weighted sums, with `claims` expanded claims and with closing rounds, which only proofs with more than
    /// 128 tensors have: each of them errs with probability 2 over the size of the field.
    #[must_use]
    pub fn of_sums(shape: &Shape, claims: usize) -> Self {
        let mut soundness = Self::of(shape, claims);
        soundness.add_closing_rounds(&Layout::of(shape), shape);
        soundness
    }

    fn add_closing_rounds(&mut self, layout: &Layout, shape: &Shape) {
        let all = Probability::challenges(2 * u64::from(layout.log2_final()), shape);
        let deepest = Some(layout.later.len());
        self.add("closing rounds", deepest, &all, &all, &Probability::challenges(2, shape));
    }

    fn add(
        &mut self,
        draws: &'static str,
        level: Option<usize>,
        error: &Probability,
        without_work: &Probability,
        round: &Probability,
    ) {
        self.union = self.union.plus(error);
        self.union_without_work = self.union_without_work.plus(without_work);
        if round.exceeds(&self.worst_round) {
            self.worst_round = round.clone();
        }
        self.moves.push(Move { draws, level, error: error.clone() });
    }
}

/// The radius of a level: the largest multiplicity whose exceptions the field can carry, so that the folds err with at most
/// 2^-136.
fn radius(level: Level, shape: &Shape) -> Radius {
    let carried =
        |radius: &Radius| folds_up_to_johnson(radius, level, shape).is_at_most_two_to_the_minus(136);
    let least = MULTIPLICITIES[MULTIPLICITIES.len() - 1];
    let mut radii = MULTIPLICITIES.iter().map(|multiplicity| Radius::new(level, *multiplicity));
    radii.find(carried).unwrap_or_else(|| Radius::new(level, least))
}

/// All rounds of a level: 2^(k - 1) pairs of columns are folded, then half as many, down to one.
fn folds_up_to_johnson(radius: &Radius, level: Level, shape: &Shape) -> Probability {
    let pairs = (1 << level.log2_columns) - 1;
    Probability::part_of_challenges(radius.folds(pairs, level.log2_columns), shape)
}

/// The probability that two polynomials of a list have one value at a point of so many variables.
fn sampled(radius: &Radius, variables: u8, shape: &Shape) -> Probability {
    Probability::part_of_challenges([radius.pairs() * variables, 1u32.into()], shape)
}

/// The probability that Q rows drawn without replacement miss every one of e + 1 wrong rows, e the unique decoding
/// radius: C(n - e - 1, Q) / C(n, Q).
fn missed(level: Level) -> Probability {
    let rows = 1u64 << level.log2_rows();
    let radius = (rows - (1 << level.log2_message)) / 2;
    drawn_from(rows - radius - 1, rows, level.queries)
}

/// The probability that all of `queries` rows, drawn from `rows` without replacement, are among `some` of them.
fn drawn_from(some: u64, rows: u64, queries: u16) -> Probability {
    let (mut numerator, mut denominator) = (BigUint::from(1u32), BigUint::from(1u32));
    for j in 0..u64::from(queries) {
        numerator *= some.saturating_sub(j);
        denominator *= rows - j;
    }
    Probability::new(numerator, denominator)
}

/// The average length of a proof in bytes, rounded to the nearest: what neighbouring queries share is counted exactly.
#[must_use]
pub fn expected_proof_len_bytes(shape: &Shape) -> u64 {
    expected(&Layout::of(shape))
}

/// The same of a proof about several commitments together; `None` if the suite does not take them together.
#[must_use]
pub fn expected_proof_len_bytes_together<P: PresetOf>(preset: P, variables: &[u8]) -> Option<u64> {
    together(preset, variables).map(|(_, layout)| expected(&layout))
}

fn together<P: PresetOf>(preset: P, variables: &[u8]) -> Option<(Vec<Shape>, Layout)> {
    let shapes = variables.iter().map(|variables| preset.shape(*variables)).collect::<Option<Vec<_>>>()?;
    let layout = Layout::registered(preset.code(), &shapes.iter().collect::<Vec<_>>())?;
    Some((shapes, layout))
}

fn expected(layout: &Layout) -> u64 {
    let (mut numerator, mut denominator) = (BigUint::from(0u32), BigUint::from(1u32));
    let mut sum = 0;
    let of_commitments = layout.places().into_iter().map(|place| place.group.level);
    for level in of_commitments.chain(layout.later.iter().copied()) {
        let rows = 1u64 << level.log2_rows();
        // At the layer of 2^h nodes a node is sent if its sibling's subtree is hit and its own is not.
        for h in 1..=level.log2_rows() {
            let leaves = rows >> h;
            let own_missed = drawn_from(rows - leaves, rows, level.queries);
            let both_missed = drawn_from(rows - 2 * leaves, rows, level.queries);
            let hit = own_missed.numerator - both_missed.numerator;
            numerator = numerator * &own_missed.denominator + ((hit * &denominator) << h);
            denominator *= own_missed.denominator;
        }
        sum += 32 * siblings_of(level);
    }
    let fixed = layout.max_proof_len_bytes(false) - sum;
    let siblings = (numerator * 64u32 + &denominator) / (denominator * 2u32);
    fixed as u64 + u64::try_from(siblings).expect("at most as many as there are nodes")
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_CLAIMS, Preset, johnson128, provable128};
    use super::*;
    use crate::binary::Gf192;
    use crate::preset::level;
    use serde_json::Value;

    /// The table of a suite: each entry with its preset's number, 4 where the file names none, and its number of variables.
    fn table(file: &str) -> Vec<(u8, u8, Value)> {
        let path = std::format!("{}/../../vectors/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the vectors are there");
        let mut file: Value = serde_json::from_str(&text).expect("JSON");
        let small =
            |entry: &Value, key: &str| u8::try_from(entry[key].as_u64().expect("a number")).expect("small");
        let Value::Array(entries) = file["entries"].take() else { panic!("a list") };
        let preset = |entry: &Value| if entry["profile"].is_null() { 4 } else { small(entry, "profile") };
        entries.into_iter().map(|entry| (preset(&entry), small(&entry, "mu"), entry)).collect()
    }

    /// The error is at most 2^-`bits`, and above 2^-`most`; all figures are those of the table.
    fn is_as_listed(shape: &Shape, bits: u32, most: u32, entry: &Value) {
        let soundness = Soundness::of(shape, MAX_CLAIMS);
        let sums = Soundness::of_sums(shape, MAX_CLAIMS);
        assert!(
            sums.union.is_at_most_two_to_the_minus(bits) && sums.union.exceeds(&soundness.union),
            "{shape:?}"
        );
        assert!(soundness.union.is_at_most_two_to_the_minus(bits), "{shape:?}");
        assert!(
            !soundness.union.is_at_most_two_to_the_minus(most),
            "a bound that is not far from what it bounds"
        );
        let round = if shape.has_samples() { "worst_round_bits" } else { "fs_round_bits" };
        is_listed(&entry["union_bits"], &soundness.union);
        is_listed(&entry[round], &soundness.worst_round);
        if !shape.has_samples() {
            is_listed(&entry["union_bits_without_pow"], &soundness.union_without_work);
        }
        let sum = soundness.moves.iter().fold(Probability::zero(), |sum, one| sum.plus(&one.error));
        assert!(!sum.exceeds(&soundness.union) && !soundness.union.exceeds(&sum), "the moves are the union");
        assert_eq!(expected_proof_len_bytes(shape), entry["expected_proof_bytes"], "{shape:?}");
        assert_eq!(shape.max_proof_len_bytes(), entry["max_proof_bytes"], "{shape:?}");
    }

    /// Tables have three digits after the point, and some drop the others.
    fn is_listed(bits: &Value, probability: &Probability) {
        let listed = bits.as_f64().expect("a number");
        assert!((probability.bits() - listed).abs() < 0.0011, "{} {listed}", probability.bits());
    }

    /// The claim that the suite's name makes, and the figures of the specification's table.
    #[test]
    fn every_registered_shape_has_a_hundred_bits() {
        let table = table("ligerito-own/params.json");
        assert_eq!(table.len(), 42);
        for (preset, variables, entry) in table {
            let preset = Preset::from_code(preset).expect("known");
            is_as_listed(&preset.shape(variables).expect("registered"), 100, 102, &entry);
        }
    }

    /// The same for the suite of 128 bits; and no proof is longer than its design promised (docs/ligerito.md, section
    /// 11).
    #[test]
    fn every_registered_shape_of_the_second_suite_has_128_bits() {
        let promised =
            [(12, 26_705), (16, 93_805), (20, 200_771), (24, 324_921), (28, 474_130), (30, 554_014)];
        let table = table("ligerito-128/params.json");
        assert_eq!(table.len(), 21);
        for (preset, variables, entry) in table {
            let preset = provable128::Preset::from_code(preset).expect("known");
            let shape = preset.shape(variables).expect("registered");
            assert_eq!(shape.challenge_len_bytes(), 24);
            is_as_listed(&shape, 128, 130, &entry);
            for (_, most) in promised.iter().filter(|(mu, _)| *mu == variables) {
                assert!(expected_proof_len_bytes(&shape) <= *most, "{variables} variables");
            }
        }
    }

    /// Up to the Johnson radius: every term, agreement and list as the specification lists them. At 10 variables no set of queries
    /// misses, and the error is far below the claim.
    #[test]
    fn every_registered_shape_with_samples_has_128_bits() {
        let table = table("ligerito-v2/johnson128_shapes.json");
        assert_eq!(table.len(), 21);
        for (preset, variables, entry) in table {
            let preset = johnson128::Preset::from_code(preset).expect("known");
            let shape = preset.shape(variables).expect("registered");
            let listed: Vec<[u16; 5]> = serde_json::from_value(entry["levels"].clone()).expect("levels");
            let levels = listed.iter().map(|&[d, k, r, queries, g]| {
                let [d, k, r, g] = [d, k, r, g].map(|x| u8::try_from(x).expect("small"));
                level(d, k, r, queries, g)
            });
            assert_eq!(shape.levels(), levels.collect::<Vec<_>>());
            is_as_listed(&shape, 128, if variables == 10 { 147 } else { 130 }, &entry);
            for (index, level) in shape.levels().iter().enumerate() {
                let radius = radius(*level, &shape);
                let listed = u32::try_from(entry["m"][index].as_u64().expect("a number")).expect("small");
                assert_eq!(radius, Radius::new(*level, listed), "{variables} variables, level {index}");
                assert_eq!(radius.agreement, entry["A"][index], "{variables} variables, level {index}");
                assert_eq!(radius.list, entry["list_bound"][index], "{variables} variables, level {index}");
            }
            let terms = entry["terms_bits"].as_object().expect("terms");
            let moves = Soundness::of(&shape, MAX_CLAIMS).moves;
            // Queries that cannot miss are not listed.
            let listed = moves.iter().filter(|one| one.error.bits().is_finite());
            assert_eq!(listed.clone().count(), terms.len());
            for one in listed {
                let key = match (one.draws, one.level) {
                    ("sample", Some(0)) => "ood00".into(),
                    ("sample", level) => std::format!("ood{}", level.expect("of a level")),
                    (draws, level) => std::format!("{draws}{}", level.unwrap_or(0)),
                };
                is_listed(&terms[&key], &one.error);
            }
        }
    }

    /// What the larger field is for: with the same levels, challenges of 16 bytes do not carry 128 bits.
    #[test]
    fn gf128_does_not_carry_128_bits() {
        for variables in 10..=30 {
            let shape = provable128::Preset::Balanced.shape(variables).expect("registered");
            let small = Shape::unregistered(variables, shape.levels().to_vec()).expect("valid");
            assert!(
                !Soundness::of(&small, 1).union.is_at_most_two_to_the_minus(121),
                "{variables} variables"
            );
        }
    }

    /// The figures of docs/ligerito.md, section 12: our sum over the sizes of the published crate, with two claims. (It
    /// opens more than half of the rows of its smallest size's last level, which is no shape here.)
    #[test]
    fn sizes_of_the_published_crate() {
        type Sizes = (u8, &'static [(u8, u8)], f64);
        let published: [Sizes; 6] = [
            (16, &[(12, 4), (8, 4)], 100.95),
            (20, &[(14, 6), (10, 4)], 100.24),
            (24, &[(18, 6), (14, 4), (10, 4)], 99.28),
            (26, &[(20, 6), (17, 3), (14, 3), (11, 3)], 98.57),
            (28, &[(22, 6), (19, 3), (16, 3), (13, 3), (10, 3)], 98.19),
            (30, &[(23, 7), (19, 4), (15, 4), (11, 4)], 98.17),
        ];
        for (variables, levels, bits) in published {
            let levels = levels
                .iter()
                .map(|&(log2_message, log2_columns)| level(log2_message, log2_columns, 2, 148, 0));
            let shape = Shape::unregistered(variables, levels.collect()).expect("valid");
            let union = Soundness::of(&shape, 2).union.bits();
            assert!((union - bits).abs() < 0.005, "{variables}: {union}");
        }
        for (log2_message, bits) in [(14, 100.50), (10, 102.81)] {
            let of_one_level = missed(level(log2_message, 6, 2, 148, 0)).bits();
            assert!((of_one_level - bits).abs() < 0.005, "{of_one_level}");
        }
    }

    #[test]
    fn one_query_less_is_too_few_somewhere() {
        let shapes = [
            (Preset::Balanced.shape(28).expect("registered"), 100),
            (provable128::Preset::Balanced.shape(29).expect("registered"), 128),
            (johnson128::Preset::Balanced.shape(30).expect("registered"), 128),
        ];
        for (shape, bits) in shapes {
            for index in 0..shape.levels().len() {
                let mut levels = shape.levels().to_vec();
                levels[index].queries -= 1;
                let fewer = Shape::unregistered(shape.variables(), levels).expect("valid");
                let fewer = if bits == 128 { fewer.over::<Gf192>() } else { fewer };
                let fewer = fewer.with_samples(shape.has_samples());
                let (before, after) = (Soundness::of(&shape, 1).union, Soundness::of(&fewer, 1).union);
                assert!(after.exceeds(&before));
                assert!(!after.is_at_most_two_to_the_minus(bits), "level {index} has a query to spare");
            }
        }
    }

    /// The bits of both suites hold for all sums of lengths, for the widest commitments that are taken, and for those whose
    /// lengths the specification lists; each number of queries is the least.
    #[test]
    fn commitments_together() {
        check_together(
            Preset::Balanced,
            100,
            23,
            &[
                (&[20, 20], 223_275),
                (&[20; 4], 377_765),
                (&[20; 8], 686_712),
                (&[24; 4], 523_919),
                (&[24, 20, 20, 16], 466_383),
                (&[22, 18, 14, 10], 314_348),
            ],
        );
        check_together(
            provable128::Preset::Balanced,
            128,
            25,
            &[
                (&[20, 20], 298_158),
                (&[20; 4], 490_088),
                (&[20; 8], 873_902),
                (&[24; 4], 691_098),
                (&[24, 20, 20, 16], 616_998),
                (&[22, 18, 14, 10], 422_461),
            ],
        );
        let widest = |variables, count| {
            Soundness::of_together(Preset::Balanced, &std::vec![variables; count], MAX_CLAIMS)
        };
        assert!(widest(27, 4).is_some() && widest(28, 2).is_none());
        let most = widest(27, 4).expect("taken");
        assert!(most.union.is_at_most_two_to_the_minus(100) && !most.union.is_at_most_two_to_the_minus(101));
        assert!(Soundness::of_together(Preset::Compact, &[20, 20], 1).is_none());
        assert!(Soundness::of_together(johnson128::Preset::Balanced, &[20, 20], 1).is_none());
    }

    fn check_together<P: PresetOf>(preset: P, bits: u32, most_rows: u8, listed: &[(&[u8], u64)]) {
        for (variables, wanted) in listed {
            assert_eq!(expected_proof_len_bytes_together(preset, variables), Some(*wanted), "{variables:?}");
        }
        let table = crate::batches::table(preset.code()).expect("a suite that has a table");
        for (d, r) in (6..=24).flat_map(|d| (1..=5).map(move |r| (d, r))) {
            if let Some(queries) = table.queries(&level(d, 1, r, 0, 0)) {
                let enough =
                    |queries| missed(level(d, 1, r, queries, 0)).is_at_most_two_to_the_minus(bits + 3);
                assert!(enough(queries) && !enough(queries - 1), "{d} {r}");
            }
        }
        // One commitment more for each D, up to the last.
        let mut rows = std::collections::BTreeSet::new();
        for variables in crate::MIN_VARIABLES..=crate::MAX_VARIABLES {
            for count in [2, 3, 5, 17, 256] {
                let of = std::vec![variables; count];
                let Some(soundness) = Soundness::of_together(preset, &of, MAX_CLAIMS) else { continue };
                assert!(soundness.union.is_at_most_two_to_the_minus(bits), "{count} times {variables}");
                rows.insert(together(preset, &of).expect("taken").1.log2_rows);
            }
        }
        assert!(rows.last() <= Some(&most_rows) && rows.len() > 10, "{rows:?}");
        let mixed: Vec<u8> = (crate::MIN_VARIABLES..=22).chain([12, 12, 20]).collect();
        let mixed = Soundness::of_together(preset, &mixed, MAX_CLAIMS).expect("taken");
        assert!(mixed.union.is_at_most_two_to_the_minus(bits));
        let sum = mixed.moves.iter().fold(Probability::zero(), |sum, one| sum.plus(&one.error));
        assert!(!sum.exceeds(&mixed.union) && !mixed.union.exceeds(&sum), "the moves are the union");
    }
}
