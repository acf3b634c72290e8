//! `batches.json`: random batches with altered entries, and exactly which are bad under every profile.

use super::entries::{Entry, elements};
use crate::report::{Check, Recorder, ensure, same};
use phalanx::ed25519::{
    BatchReport, BatchVerifier, Profile, SignedMessage, verify, verify_batch, verify_batch_deterministic,
    verify_batch_on, verify_many, verify_many_on,
};
use phalanx::{Backend, Threads};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    id: String,
    n: usize,
    touched: Vec<Touched>,
    bad: BTreeMap<String, Vec<usize>>,
    all_ok: BTreeMap<String, bool>,
    entries: Vec<Entry>,
}

/// Which entry was altered. How is for people: what follows from it is in `bad`.
#[derive(Deserialize)]
struct Touched {
    index: usize,
}

/// Runs the batches.
pub(crate) fn run(recorder: &mut Recorder<'_>, profiles: &[Profile], list: &[Value], pool: &Threads) {
    let fastest = recorder.fastest();
    recorder.cases_on(pool, "batches", list, |batch: &Batch, backend| {
        check(batch, profiles, backend, backend == fastest)
            .map_err(|reason| format!("{}: {reason}", batch.id))
    });
}

fn check(batch: &Batch, profiles: &[Profile], backend: Backend, is_fastest: bool) -> Check {
    same("n", batch.entries.len(), batch.n)?;
    ensure(
        batch.touched.iter().all(|touched| touched.index < batch.n),
        "touched: an index beyond the entries",
    )?;
    same("profiles of bad", batch.bad.len(), profiles.len())?;
    same("profiles of all_ok", batch.all_ok.len(), profiles.len())?;
    let elements = elements(&batch.entries);
    for &profile in profiles {
        let lists = (batch.bad.get(profile.name()), batch.all_ok.get(profile.name()));
        let (Some(bad), Some(&all_ok)) = lists else {
            return Err(format!("no answers for {}", profile.name()));
        };
        let named = |reason| format!("{}: {reason}", profile.name());
        paths(batch, profile, &elements, bad, all_ok, backend).map_err(named)?;
        if is_fastest {
            threads(profile, &elements, bad, all_ok).map_err(named)?;
        }
    }
    Ok(())
}

/// Indexes that are false.
fn bad_of(results: &[bool]) -> Vec<usize> {
    (0..results.len()).filter(|&i| !results[i]).collect()
}

/// Single, many and batch verification.
fn paths(
    batch: &Batch,
    profile: Profile,
    elements: &[SignedMessage<'_>],
    bad: &Vec<usize>,
    all_ok: bool,
    backend: Backend,
) -> Check {
    let single: Vec<bool> = elements
        .iter()
        .map(|element| verify(profile, element.public_key, element.message, element.signature).is_ok())
        .collect();
    same("verify: bad entries", &bad_of(&single), bad)?;
    // Without the first entries the others are in other lanes, and groups have other sizes.
    let shifts = if backend == Backend::Portable { 1 } else { 8.min(elements.len()) };
    for shift in 0..shifts {
        let valid: Vec<bool> = verify_many(profile, &elements[shift..]).iter().map(Result::is_ok).collect();
        let found: Vec<usize> = bad_of(&valid).into_iter().map(|i| i + shift).collect();
        let wanted: Vec<usize> = bad.iter().copied().filter(|&i| i >= shift).collect();
        same(&format!("verify_many without the first {shift}: bad entries"), found, wanted)?;
    }
    same("verify_batch", verify_batch(profile, elements).is_ok(), all_ok)?;
    let deterministic = verify_batch_deterministic(profile, elements).is_ok();
    same("verify_batch_deterministic", deterministic, all_ok)?;
    let mut verifier = BatchVerifier::new(profile);
    for Entry { pk, msg, sig } in &batch.entries {
        verifier.add(&pk.0, &sig.0, &msg.0);
    }
    same("BatchVerifier::len", verifier.len(), batch.n)?;
    report(&verifier.verify(), batch.n, bad, all_ok)?;
    // Once more: coefficients are drawn anew, answers stay.
    report(&verifier.verify(), batch.n, bad, all_ok)?;
    verifier.clear();
    ensure(
        verifier.is_empty() && verifier.verify().all_valid(),
        "a batch that was cleared is not empty and valid",
    )
}

/// Everything a report says.
fn report(report: &BatchReport, n: usize, bad: &Vec<usize>, all_ok: bool) -> Check {
    let results: Vec<bool> = report.results().iter().map(Result::is_ok).collect();
    same("BatchReport: results", results.len(), n)?;
    same("BatchReport: bad results", &bad_of(&results), bad)?;
    same("BatchReport::invalid", &report.invalid().collect::<Vec<_>>(), bad)?;
    same("BatchReport::first_invalid", report.first_invalid(), bad.first().copied())?;
    same("BatchReport::all_valid", report.all_valid(), all_ok)
}

/// The same on 1 to 8 threads.
fn threads(profile: Profile, elements: &[SignedMessage<'_>], bad: &Vec<usize>, all_ok: bool) -> Check {
    for count in 1..=8 {
        let pool = Threads::new(count);
        let valid: Vec<bool> = verify_many_on(&pool, profile, elements).iter().map(Result::is_ok).collect();
        same(&format!("verify_many on {count} threads: bad entries"), &bad_of(&valid), bad)?;
        let got = verify_batch_on(&pool, profile, elements).is_ok();
        same(&format!("verify_batch on {count} threads"), got, all_ok)?;
    }
    Ok(())
}
