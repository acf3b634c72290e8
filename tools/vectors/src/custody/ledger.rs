//! `startup.json`, `requests.json`, `migration.json`: the rules of a ledger.

use super::logs::entries;
use crate::files::VectorFile;
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, same};
use phalanx::xmss::ParameterSet;
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::log::read;
use phalanx_custody::ledger::migration::read_record;
use phalanx_custody::ledger::record::{Place, Record};
use phalanx_custody::ledger::rules::{Bounds, Granted, answer, burn_forward};
use phalanx_custody::ledger::startup::{StoreRow, compare};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartUp {
    #[serde(rename = "case")]
    _case: String,
    log_base64: Option<String>,
    log_file: Option<String>,
    store: Store,
    verdict: String,
    action_or_reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Store {
    ledger: Hex<16>,
    witness: Hex<16>,
    group: u64,
    chain: Hex<32>,
    prev_chain: Hex<32>,
    last_lines_hex: Bytes,
}

/// Runs `startup.json`.
pub(super) fn run_start_ups(recorder: &mut Recorder<'_>, file: &mut Object, folder: &VectorFile) {
    file.cases::<StartUp>(recorder, "cases", |case| {
        let log = match (&case.log_base64, &case.log_file) {
            (Some(text), None) => from_base64(text).ok_or("not base64")?,
            (None, Some(name)) => folder.beside(name)?,
            _ => return Err("neither a log nor a file".to_owned()),
        };
        let row = StoreRow {
            ledger_id: case.store.ledger.0,
            witness_id: case.store.witness.0,
            group: case.store.group,
            chain: case.store.chain.0,
            previous: case.store.prev_chain.0,
            last_lines: case.store.last_lines_hex.0.clone(),
        };
        let (verdict, what) = match compare(&read(&log), &row) {
            Ok(repairs) => ("ok", repairs.names()),
            Err(problem) => ("refused", problem.code().to_owned()),
        };
        same("answer", (verdict, &what[..]), (&case.verdict[..], &case.action_or_reason[..]))
    });
}

/// The bytes that a text in base64 with padding stands for.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let value = |byte: u8| -> Option<u32> {
        Some(u32::from(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        }))
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let padding = four.iter().filter(|&&byte| byte == b'=').count();
        let word = four
            .iter()
            .try_fold(0, |word, &byte| Some(word << 6 | if byte == b'=' { 0 } else { value(byte)? }))?;
        let three = &u32::to_be_bytes(word)[1..];
        bytes.extend_from_slice(three.get(..3usize.checked_sub(padding)?)?);
    }
    text.len().is_multiple_of(4).then_some(bytes)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Requests {
    #[serde(rename = "case")]
    _case: String,
    config: Config,
    records: Vec<String>,
    requests: Vec<Request>,
    entries_after: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    ahead: u64,
    behind: u64,
    max_gap: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    key_id: Hex<32>,
    domain: String,
    position: [u64; 3],
    message: Bytes,
    clock_epoch: Option<u64>,
    answer: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BurnForward {
    low_watermark: u64,
    highest: Option<u64>,
    end: u64,
    clock_epoch: Option<u64>,
    ahead: u64,
    skew: u64,
    new_low_watermark: u64,
}

/// Runs `requests.json`.
pub(super) fn run_requests(recorder: &mut Recorder<'_>, file: &mut Object) {
    file.cases(recorder, "cases", requests);
    file.cases::<BurnForward>(recorder, "burn_forward", |case| {
        let BurnForward { low_watermark, highest, end, clock_epoch, ahead, skew, new_low_watermark } = *case;
        let low = burn_forward(low_watermark, highest, end, clock_epoch, ahead, skew);
        same("low watermark", low, new_low_watermark)
    });
}

fn requests(case: &Requests) -> Check {
    let mut accounts = replayed(&case.records)?;
    let Config { ahead, behind, max_gap } = case.config;
    let bounds = Bounds { ahead, behind, max_gap };
    for (i, request) in case.requests.iter().enumerate() {
        let key = KeyId(request.key_id.0);
        let place = Place { domain: request.domain.clone(), position: request.position };
        let digest = Sha256::digest(&request.message.0).into();
        let got = match answer(&accounts, &bounds, &key, &place, &digest, request.clock_epoch) {
            Ok(Granted::Repeat | Granted::Earlier(_)) => "repeated",
            Ok(Granted::New) => {
                let entry = Record::Entry { key, place, digest: Some(digest) };
                accounts.apply(&entry).map_err(|error| error.to_string())?;
                "signed"
            }
            Err(refused) => refused.code(),
        };
        same(&format!("answer {i}"), got, &request.answer[..])?;
    }
    let rows = accounts.iter().map(|account| (account.instance.key_id.to_string(), json!(entries(account))));
    let rows: Map<String, Value> = rows.filter(|(_, rows)| *rows != json!([])).collect();
    let mut wanted = case.entries_after.clone();
    wanted.retain(|_, rows| *rows != json!([]));
    same("entries", rows, wanted)
}

/// What records, as these files write them, amount to.
pub(super) fn replayed(records: &[String]) -> Result<Accounts, String> {
    let mut accounts = Accounts::default();
    for line in records {
        let record = Record::parse(line).ok_or_else(|| format!("no record: '{line}'"))?;
        same("line", record.to_string(), line.clone())?;
        accounts.apply(&record).map_err(|error| format!("{error}: '{line}'"))?;
    }
    Ok(accounts)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Migration {
    #[serde(rename = "case")]
    _case: String,
    file: String,
    scheme: String,
    pubkey: Bytes,
    verdict: String,
    entries: Vec<(u64, Option<Hex<32>>)>,
}

/// Runs `migration.json`.
pub(super) fn run_migration(recorder: &mut Recorder<'_>, file: &mut Object, folder: &VectorFile) {
    file.cases::<Migration>(recorder, "cases", |case| {
        let set = ParameterSet::from_name(&case.scheme).ok_or("no parameter set of this library")?;
        let bytes = folder.beside(&case.file)?;
        let (verdict, entries) = match read_record(&bytes, &case.scheme, &case.pubkey.0, set.lifetime()) {
            Ok(record) => ("ok", record.entries.into_iter().collect()),
            Err(problem) => (problem.code(), Vec::new()),
        };
        same("verdict", verdict, &case.verdict[..])?;
        let wanted: Vec<_> =
            case.entries.iter().map(|(epoch, digest)| (*epoch, digest.map(|digest| digest.0))).collect();
        same("entries", entries, wanted)
    });
}
