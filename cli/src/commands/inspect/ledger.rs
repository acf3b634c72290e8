//! Ledgers: their folder, their store, their side log, and what the state folder says of a key. Nothing is opened as a
//! ledger, so nothing is written, and one that is in use can be looked at.

use super::Reading;
use crate::files;
use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::layout::{self, Names};
use phalanx_custody::ledger::log::{self, Verdict};
use phalanx_custody::ledger::registry::KeyFile;
use std::collections::BTreeMap;
use std::path::Path;

/// How every SQLite file begins, and what stands in ours at byte 68 (`application_id`).
const SQLITE: &[u8] = b"SQLite format 3\0";
const OURS: &[u8] = b"PHLX";

/// What the folder at `path` is, if there is a ledger in it.
pub(super) fn folder(path: &Path, problems: &mut Vec<String>) -> Option<Reading> {
    if !path.is_dir() {
        return None;
    }
    let read = |name: &str| files::read(&path.join(name)).ok();
    let in_database = read(layout::IN_DATABASE).and_then(|bytes| place(&bytes));
    let found = in_database.or_else(|| store(&read(layout::STORE)?))?;
    if path.join(layout::RECONCILING).exists() {
        problems.push("a reconciliation was begun and not finished: it does not open before that".to_owned());
    }
    if let Some(mode) = files::open_to_others(path) {
        problems.push(format!("has mode {mode:04o}: wanted 0700"));
    }
    Some(Reading { kind: "ledger", ..found })
}

/// What a file of a ledger is.
pub(super) fn file(bytes: &[u8], problems: &mut Vec<String>) -> Option<Reading> {
    store(bytes).or_else(|| place(bytes)).or_else(|| key_file(bytes)).or_else(|| side_log(bytes, problems))
}

fn store(bytes: &[u8]) -> Option<Reading> {
    if !bytes.starts_with(SQLITE) || bytes.get(68..72)? != OURS {
        return None;
    }
    let version = u32::from_be_bytes(bytes.get(60..64)?.try_into().ok()?);
    Some(of("store of a ledger", [("schema", version.to_string()), ("store", "SQLite".to_owned())]))
}

/// The file that is left of a ledger in a database: its name, that of the side log here, and where the store is.
fn place(bytes: &[u8]) -> Option<Reading> {
    let Names { ledger_id, witness_id, url } = Names::parse(std::str::from_utf8(bytes).ok()?)?;
    let [ledger, side_log] = [ledger_id, witness_id].map(hex::encode);
    let is_one = url.starts_with("postgres");
    let details = [("ledger", ledger), ("side log", side_log), ("store", url)];
    is_one.then(|| of("place of a ledger in a database", details))
}

fn key_file(bytes: &[u8]) -> Option<Reading> {
    let KeyFile { scheme, start, end, ledger_id } = KeyFile::parse(bytes)?;
    let reading = of("keeper of a key", [("ledger", hex::encode(ledger_id))]);
    Some(Reading { scheme: Some(scheme), activation: Some((start..end).into()), ..reading })
}

fn side_log(bytes: &[u8], problems: &mut Vec<String>) -> Option<Reading> {
    if !bytes.starts_with(layout::LOG_BEGINNING.as_bytes()) {
        return None;
    }
    let found = log::read(bytes);
    let mut accounts = Accounts::default();
    // Segments after the first begin in the middle of a history; a snapshot stands at their beginning.
    let is_consistent = found.groups.iter().all(|group| accounts.apply_all(&group.records).is_ok());
    match found.verdict {
        _ if !is_consistent => problems.push("it contradicts itself".to_owned()),
        Verdict::Good | Verdict::Torn => {}
        verdict => problems.push(format!("it is {}: 'phalanx ledger check' says more", verdict.name())),
    }
    let mut details = vec![
        ("groups", found.last_group().to_string()),
        ("keys", accounts.iter().count().to_string()),
        ("bytes after its last group", found.tail_bytes.to_string()),
        ("verdict", if is_consistent { found.verdict.name() } else { "inconsistent" }.to_owned()),
    ];
    if let Some(header) = &found.header {
        details.push(("ledger", hex::encode(header.ledger_id)));
        details.push(("side log", hex::encode(header.witness_id)));
        details.push(("segment", header.segment.to_string()));
    }
    Some(of("side log of a ledger", details))
}

fn of(kind: &'static str, details: impl IntoIterator<Item = (&'static str, String)>) -> Reading {
    Reading { kind, details: BTreeMap::from_iter(details), ..Reading::default() }
}
