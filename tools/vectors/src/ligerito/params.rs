//! `params.json`: the registered shapes, and everything that follows from them.

use super::suite::Suite;
use crate::json::{Bytes, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::ligerito::soundness::{Soundness, expected_proof_len_bytes};
use phalanx::ligerito::{self, Level, MAX_CLAIMS, johnson128, provable128};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// d, k, r, Q and g of a level, as files write them.
pub(crate) type Levels = Vec<(u8, u8, u8, u16, u8)>;

/// The levels as the library has them.
pub(crate) fn levels(levels: &Levels) -> Vec<Level> {
    let level =
        |&(log2_message, log2_columns, log2_inverse_rate, queries, grinding_bits): &(_, _, _, _, _)| Level {
            log2_message,
            log2_columns,
            log2_inverse_rate,
            queries,
            grinding_bits,
        };
    levels.iter().map(level).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    profile: u8,
    name: String,
    mu: u8,
    levels: Levels,
    params_hex: Bytes,
    final_len: u64,
    expected_proof_bytes: u64,
    max_proof_bytes: u64,
    union_bits: f64,
    union_bits_without_pow: f64,
    fs_round_bits: f64,
    verifier_hashes: u64,
    /// Of a model of the prover that nothing else depends on.
    work_vs_rate4: Option<f64>,
    /// The same, in the suite of 128 bits.
    work_vs_balanced100: Option<f64>,
    encoded_elements: Vec<u64>,
    hashed_bytes: Vec<u64>,
}

/// Runs the file: that of the suite that it names.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    let Some(suite) = file.required(recorder, "suite") else { return };
    if suite == johnson128::SUITE {
        file.known(recorder, "level_fields", json!(["d", "k", "r", "Q", "g"]));
        file.known(recorder, "claims_max", MAX_CLAIMS);
        file.known(recorder, "field_bits", johnson128::Preset::BITS);
        file.known(recorder, "target", 128);
        file.cases(recorder, "entries", check_sampled);
        return;
    }
    if suite == provable128::SUITE {
        // The root that phi sends x to.
        let mut bytes = provable128::Preset::le_bytes(provable128::Preset::embed(2));
        bytes.reverse();
        file.known(recorder, "g", hex::encode(&bytes));
        run_suite::<provable128::Preset>(recorder, file, &suite);
    } else {
        run_suite::<ligerito::Preset>(recorder, file, &suite);
    }
}

/// A shape of the suite up to the Johnson radius.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampledEntry {
    mu: u8,
    levels: Levels,
    /// What the error terms are made of: the tests of the library's soundness errors look at it.
    #[serde(rename = "m")]
    _multiplicities: Vec<u32>,
    #[serde(rename = "A")]
    _agreements: Vec<u64>,
    #[serde(rename = "list_bound")]
    _lists: Vec<u64>,
    #[serde(rename = "log2_E0")]
    _exceptions: Vec<f64>,
    final_len: u64,
    expected_proof_bytes: u64,
    max_proof_bytes: u64,
    verifier_hashes: u64,
    union_bits: f64,
    worst_round_bits: f64,
    /// Of a model of the prover, and of other suites.
    #[serde(rename = "work_vs_balanced100")]
    _work: f64,
    terms_bits: BTreeMap<String, f64>,
    today_128: u64,
    today_100: u64,
}

/// The library's exact sums, since floating point has not the digits for lists.
fn check_sampled(entry: &SampledEntry) -> Check {
    let shape =
        johnson128::Preset::Balanced.registered(entry.mu).ok_or("nothing is registered for this mu")?;
    same("registered levels", shape.levels(), &levels(&entry.levels)[..])?;
    same("final_len", 1 << shape.log2_final(), entry.final_len)?;
    same("max_proof_bytes", shape.max_proof_len_bytes() as u64, entry.max_proof_bytes)?;
    same("expected_proof_bytes", expected_proof_len_bytes(&shape), entry.expected_proof_bytes)?;
    let hashes = figures(shape.levels(), johnson128::Preset::BITS).hashes;
    same("verifier_hashes", hashes.round(), entry.verifier_hashes as f64)?;
    let of_other = |shape: Option<ligerito::Shape>| shape.map(|shape| expected_proof_len_bytes(&shape));
    same("today_128", of_other(provable128::Preset::Balanced.shape(entry.mu)), Some(entry.today_128))?;
    same("today_100", of_other(ligerito::Preset::Balanced.shape(entry.mu)), Some(entry.today_100))?;
    // The file has three digits after the point, and drops the others.
    let bits = |what: &str, got: f64, wanted: f64| {
        let fits = (-1e-6..0.001 + 1e-6).contains(&(got - wanted));
        ensure(fits, &format!("{what}: got {got}, wanted {wanted}"))
    };
    let soundness = Soundness::of(&shape, MAX_CLAIMS);
    ensure(soundness.union.is_at_most_two_to_the_minus(128), "below 128 bits")?;
    bits("union_bits", soundness.union.bits(), entry.union_bits)?;
    bits("worst_round_bits", soundness.worst_round.bits(), entry.worst_round_bits)?;
    let mut terms = 0;
    // Queries that cannot miss are not listed.
    for one in soundness.moves.iter().filter(|one| one.error.bits().is_finite()) {
        let name = match (one.draws, one.level.unwrap_or(0)) {
            ("sample", 0) => "ood00".to_owned(),
            ("sample", level) => format!("ood{level}"),
            (draws, level) => format!("{draws}{level}"),
        };
        let listed = entry.terms_bits.get(&name).ok_or_else(|| format!("no {name}"))?;
        bits(&name, one.error.bits(), *listed)?;
        terms += 1;
    }
    same("terms", terms, entry.terms_bits.len())
}

fn run_suite<S: Suite>(recorder: &mut Recorder<'_>, file: &mut Object, suite: &Value) {
    recorder.case_once("suite", || same("suite", suite, &json!(S::NAME)));
    file.known(recorder, "level_fields", json!(["d", "k", "r", "Q", "g"]));
    file.known(recorder, "claims_max", MAX_CLAIMS);
    file.cases(recorder, "entries", check::<S>);
}

fn check<S: Suite>(entry: &Entry) -> Check {
    let profile = S::PROFILES.iter().find(|profile| profile.number() == entry.profile);
    let profile = *profile.ok_or("no such profile")?;
    same("name", profile.label(), &*entry.name)?;
    let shape = profile.registered(entry.mu).ok_or("nothing is registered for this mu")?;
    same("registered levels", shape.levels(), &levels(&entry.levels)[..])?;
    let again = S::test_shape(entry.mu, levels(&entry.levels)).map_err(text)?;
    same("shape", &shape, again.shape())?;
    same("params_hex", shape.to_bytes(), &entry.params_hex.0[..])?;
    same("final_len", 1 << shape.log2_final(), entry.final_len)?;
    same("max_proof_bytes", shape.max_proof_len_bytes() as u64, entry.max_proof_bytes)?;
    same(
        "encoded_elements",
        shape.levels().iter().map(encoded_elements).collect::<Vec<_>>(),
        entry.encoded_elements.clone(),
    )?;
    let hashed = shape.levels().iter().enumerate().map(|(index, level)| hashed_bytes::<S>(index, level));
    same("hashed_bytes", hashed.collect::<Vec<_>>(), entry.hashed_bytes.clone())?;
    let figures = figures(shape.levels(), S::BITS);
    let fixed = shape.max_proof_len_bytes() as f64 - 32.0 * figures.max_siblings;
    let whole = |what: &str, got: f64, wanted: u64| same(what, got.round(), wanted as f64);
    whole("expected_proof_bytes", fixed + 32.0 * figures.siblings, entry.expected_proof_bytes)?;
    whole("verifier_hashes", figures.hashes, entry.verifier_hashes)?;
    // The file has three digits after the point, and drops the others.
    let bits = |what: &str, probability: f64, wanted: f64| {
        let got = -probability.log2();
        ensure(
            (-1e-6..0.001 + 1e-6).contains(&(got - wanted)),
            &format!("{what}: got {got}, wanted {wanted}"),
        )
    };
    bits("union_bits", figures.union, entry.union_bits)?;
    bits("union_bits_without_pow", figures.union_without_work, entry.union_bits_without_pow)?;
    bits("fs_round_bits", figures.round, entry.fs_round_bits)?;
    let work = entry.work_vs_rate4.xor(entry.work_vs_balanced100);
    ensure(work.is_some_and(|work| work > 0.0), "no work, or one that is not positive")
}

/// Elements of the encoded matrix.
fn encoded_elements(level: &Level) -> u64 {
    1 << (level.log2_message + level.log2_columns + level.log2_inverse_rate)
}

/// Rows and pairs of nodes.
fn hashed_bytes<S: Suite>(index: usize, level: &Level) -> u64 {
    let element = if index == 0 { 4 } else { u64::from(S::BITS / 8) };
    encoded_elements(level) * element + (64 << (level.log2_message + level.log2_inverse_rate))
}

/// What sections 8 and 10 of the specification derive, in floating point.
#[derive(Default)]
struct Figures {
    union: f64,
    union_without_work: f64,
    round: f64,
    siblings: f64,
    max_siblings: f64,
    hashes: f64,
}

#[allow(clippy::cast_precision_loss, reason = "sizes are below 2^32")]
fn figures(levels: &[Level], challenge_bits: u32) -> Figures {
    // One challenge of all.
    let unit = 0.5f64.powi(challenge_bits.cast_signed());
    let claims = (MAX_CLAIMS - 1) as f64 * unit;
    let mut sum = Figures { union: claims, union_without_work: claims, round: claims, ..Figures::default() };
    for (index, level) in levels.iter().enumerate() {
        let (rows, queries) = (level.log2_message + level.log2_inverse_rate, level.queries);
        let n = 2f64.powi(rows.into());
        let radius = ((n - 2f64.powi(level.log2_message.into())) / 2.0).floor();
        // All queries among so many of the n rows.
        let within = |from: f64| {
            (0..queries).map(|i| (from - f64::from(i)).max(0.0) / (n - f64::from(i))).product::<f64>()
        };
        let missed = within(n - radius - 1.0);
        let worked = missed * 2f64.powi(-i32::from(level.grinding_bits));
        let folds = f64::from(level.log2_columns) * (n + 2.0) * unit;
        let induced = f64::from(queries) * unit;
        let inner = if index + 1 < levels.len() { induced } else { 0.0 };
        sum.union += folds + worked + inner;
        sum.union_without_work += folds + missed + inner;
        sum.round = sum.round.max(n * unit).max(worked + induced);
        sum.hashes += f64::from(queries);
        for height in 1..=i32::from(rows) {
            let leaves = n / 2f64.powi(height);
            // A sibling is sent for a node that is not hit and whose neighbour is; a node is hashed if it is hit.
            sum.siblings += 2f64.powi(height) * (within(n - leaves) - within(n - 2.0 * leaves));
            sum.hashes += 2f64.powi(height - 1) * (1.0 - within(n - 2.0 * leaves));
            sum.max_siblings += f64::from(queries).min(2f64.powi(height - 1));
        }
    }
    sum
}
