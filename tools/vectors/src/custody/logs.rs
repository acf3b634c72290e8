//! `logs.json`: side logs alone, every truncation of one, and a flipped bit in each of its bytes.

use crate::files::VectorFile;
use crate::json::{Hex, Object};
use crate::report::{Check, Recorder, same};
use phalanx_custody::ledger::accounts::{Account, Accounts};
use phalanx_custody::ledger::log::{Reading, Verdict, read};
use phalanx_custody::ledger::startup::replay;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Log {
    file: String,
    verdict: String,
    last_group: Option<u64>,
    last_seq: Option<u64>,
    last_chain: Option<Hex<32>>,
    valid_bytes: usize,
    tail_bytes: usize,
    replay: Option<String>,
    #[serde(rename = "note")]
    _note: String,
    #[serde(default)]
    state: Option<Value>,
}

/// Runs the file.
pub(super) fn run(recorder: &mut Recorder<'_>, file: &mut Object, folder: &VectorFile) {
    let ids = ["ledger_id", "witness_id"].map(|name| {
        let value = file.required(recorder, name)?;
        recorder.read::<Hex<16>>(name, &value)
    });
    let [Some(ledger), Some(witness)] = ids else { return };
    file.cases::<Log>(recorder, "files", |case| {
        let reading = read(&folder.beside(&case.file)?);
        if let Some(header) = reading.header {
            same("ids", (header.ledger_id, header.witness_id), (ledger.0, witness.0))?;
        }
        check(case, &reading)
    });
    let Some(mut sweeps) = file.object(recorder, "sweeps") else { return };
    if let Some(log) = sweeps.required(recorder, "file") {
        let name = log.as_str().unwrap_or_default().to_owned();
        if let Some(log) = recorder.prepare("sweeps.file", || folder.beside(&name)) {
            run_sweeps(recorder, &mut sweeps, &log);
        }
    }
    sweeps.finish(recorder);
}

fn check(case: &Log, reading: &Reading) -> Check {
    same("verdict", reading.verdict.name(), &case.verdict[..])?;
    let whole = matches!(reading.verdict, Verdict::Good | Verdict::Torn | Verdict::DamagedTail);
    let replayed = whole.then(|| replay(&reading.groups));
    let names = replayed.as_ref().map(|accounts| match accounts {
        Some(_) => "consistent",
        None => "inconsistent",
    });
    same("replay", names, case.replay.as_deref())?;
    let known = reading.header.is_some();
    same("last group", known.then(|| reading.last_group()), case.last_group)?;
    same("last line", known.then(|| reading.last_seq()), case.last_seq)?;
    same("chain value", known.then(|| reading.last_chain()), case.last_chain.map(|chain| chain.0))?;
    same("valid bytes", reading.valid_bytes, case.valid_bytes)?;
    same("bytes of the tail", reading.tail_bytes, case.tail_bytes)?;
    let state = replayed.flatten().map(|accounts| Value::Array(states(&accounts)));
    same("state", state, case.state.clone())
}

/// Where every key stands, as these files show it.
pub(super) fn states(accounts: &Accounts) -> Vec<Value> {
    accounts.iter().map(state).collect()
}

fn state(account: &Account) -> Value {
    let ranges = account.ranges.iter().map(|(name, &(start, end))| (name.clone(), json!([start, end])));
    json!({
        "key_id": account.instance.key_id.to_string(),
        "state": account.state.name(),
        "low_watermark": account.low,
        "high_watermark": account.high,
        "highest": account.highest,
        "ranges": Value::Object(ranges.collect()),
        "entries": entries(account),
    })
}

/// The rows of a key: domain, position, digest.
pub(super) fn entries(account: &Account) -> Vec<Value> {
    let rows = account.entries.iter().map(|(place, digest)| {
        let [p0, p1, p2] = place.position;
        json!([place.domain, p0, p1, p2, digest.map(hex::encode)])
    });
    rows.collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    #[serde(rename = "what")]
    _what: String,
    runs: Vec<(String, usize)>,
}

fn run_sweeps(recorder: &mut Recorder<'_>, sweeps: &mut Object, log: &[u8]) {
    for (name, count) in [("truncate_to", log.len() + 1), ("flip_bit_i_mod_7_of_byte_i", log.len())] {
        let Some(value) = sweeps.required(recorder, name) else { continue };
        let Some(sweep) = recorder.read::<Sweep>(name, &value) else { continue };
        let wanted: Vec<&str> =
            sweep.runs.iter().flat_map(|(verdict, n)| std::iter::repeat_n(&verdict[..], *n)).collect();
        recorder.case_once(name, || {
            same("length", wanted.len(), count)?;
            let mut changed = log.to_vec();
            for (i, wanted) in wanted.iter().enumerate() {
                let verdict = if count > log.len() {
                    read(&log[..i]).verdict
                } else {
                    changed[i] ^= 1 << (i % 7);
                    let verdict = read(&changed).verdict;
                    changed[i] ^= 1 << (i % 7);
                    verdict
                };
                same(&format!("verdict at {i}"), verdict.name(), *wanted)?;
            }
            Ok(())
        });
    }
}
