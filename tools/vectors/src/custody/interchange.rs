//! `interchange.json`: imports with what they leave behind, and exports.

use super::ledger::replayed;
use super::logs::entries;
use crate::files::VectorFile;
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::interchange::{
    Chain, Import, Transfer, export_eip3076, export_own, import_eip3076, import_own, read_own,
};
use phalanx_custody::ledger::refused::Problem;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    case: String,
    file: String,
    records_before: Vec<String>,
    genesis_validators_root: Option<String>,
    #[serde(default)]
    pubkeys: BTreeMap<String, Bytes>,
    verdict: Option<String>,
    positions_closed_by_conflict: Option<usize>,
    ledger_after: Option<Map<String, Value>>,
    messages: Option<BTreeMap<String, Hex<32>>>,
    ledger_id: Option<Hex<16>>,
    transfer: Option<CaseTransfer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseTransfer {
    id: Hex<16>,
    retired: bool,
}

/// Runs the file.
pub(super) fn run(recorder: &mut Recorder<'_>, file: &mut Object, folder: &VectorFile) {
    file.cases::<Case>(recorder, "cases", |case| {
        let bytes = folder.beside(&case.file)?;
        let accounts = replayed(&case.records_before)?;
        match (&case.verdict, &case.ledger_after, &case.messages, &case.ledger_id) {
            (Some(verdict), Some(after), None, None) => import(case, &bytes, accounts, verdict, after),
            (None, None, Some(_), None) | (None, None, None, Some(_)) => export(case, &bytes, &accounts),
            _ => Err("neither an import nor an export".to_owned()),
        }
    });
}

fn chain(case: &Case) -> Result<Chain, String> {
    let root = case.genesis_validators_root.as_deref().map(|root| {
        let mut bytes = [0; 32];
        hex::decode_to_slice(root.trim_start_matches("0x"), &mut bytes).map(|()| bytes).map_err(text)
    });
    let keys = case
        .pubkeys
        .iter()
        .map(|(key, public_key)| Ok((KeyId::from_hex(key).ok_or("not a key id")?, public_key.0.clone())));
    Ok(Chain {
        genesis_validators_root: root.transpose()?,
        public_keys: keys.collect::<Result<_, String>>()?,
    })
}

fn import(
    case: &Case,
    bytes: &[u8],
    mut accounts: Accounts,
    verdict: &str,
    after: &Map<String, Value>,
) -> Check {
    let is_own = case.case.contains(" own ");
    let imported: Result<Import, Problem> = if is_own {
        read_own(bytes).and_then(|file| import_own(&accounts, &file))
    } else {
        import_eip3076(&accounts, &chain(case)?, bytes)
    };
    same("verdict", imported.as_ref().map_or_else(|problem| problem.code(), |_| "ok"), verdict)?;
    if let Ok(import) = &imported {
        accounts.apply_all(&import.records).map_err(text)?;
    }
    if !is_own {
        let closed = imported.ok().map(|import| import.closed_by_conflict);
        same("positions closed by conflict", closed, case.positions_closed_by_conflict)?;
    }
    let keys = accounts.iter().map(|account| {
        let key = json!({
            "state": account.state.name(),
            "low_watermark": account.low,
            "high_watermark": account.high,
            "highest": account.highest,
            "entries": entries(account),
        });
        (account.instance.key_id.to_string(), key)
    });
    same("ledger", &keys.collect::<Map<_, _>>(), after)
}

fn export(case: &Case, bytes: &[u8], accounts: &Accounts) -> Check {
    let chain = chain(case)?;
    let exported = match (&case.messages, &case.ledger_id, &case.transfer) {
        (Some(messages), None, None) => export_eip3076(accounts, &chain, &|key, epoch| {
            messages.get(&format!("{key} {epoch}")).map(|message| message.0)
        }),
        (None, Some(ledger_id), Some(transfer)) => {
            let transfer = Transfer { id: transfer.id.0, retired: transfer.retired };
            export_own(&ledger_id.0, &transfer, accounts.iter(), &|key| chain.public_keys.get(key).cloned())
        }
        _ => return Err("parts of two kinds of export".to_owned()),
    };
    let exported: Value = serde_json::from_str(&exported.pretty()).map_err(text)?;
    let wanted: Value = serde_json::from_slice(bytes).map_err(text)?;
    ensure(exported == wanted, &format!("the file differs: got {exported}"))
}
