//! EIP-3076, version 5: what other signers read and write.
#![forbid(unsafe_code)]

use super::{Draft, Import, list, object, parse, text};
use crate::hexadecimal;
use crate::identity::KeyId;
use crate::json::{Object, Value};
use crate::ledger::accounts::{Account, Accounts};
use crate::ledger::record::{Digest, Mode, Place};
use crate::ledger::refused::Problem;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// What the ledger knows besides its records: which chain it is for, and the public keys.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The chain's `genesis_validators_root`, where one is configured.
    pub genesis_validators_root: Option<[u8; 32]>,
    /// The public keys in SSZ.
    pub public_keys: BTreeMap<KeyId, Vec<u8>>,
}

/// What the file says, as records.
///
/// # Errors
/// Why none of it is imported.
pub fn import(accounts: &Accounts, chain: &Chain, bytes: &[u8]) -> Result<Import, Problem> {
    let file = parse(bytes)?;
    let file = object(&file)?;
    let metadata = object(file.get("metadata").ok_or(Problem::Malformed)?)?;
    if text(metadata, "interchange_format_version")? != "5" {
        return Err(Problem::UnsupportedVersion);
    }
    let root = hex(text(metadata, "genesis_validators_root")?)?;
    if chain.genesis_validators_root.is_none_or(|known| known[..] != root[..]) {
        return Err(Problem::OtherChain);
    }
    let mut draft = Draft::of(accounts);
    for entry in list(file, "data")? {
        import_key(&mut draft, chain, object(entry)?)?;
    }
    Ok(draft.import)
}

fn import_key(draft: &mut Draft, chain: &Chain, entry: &Object) -> Result<(), Problem> {
    let public_key = hex(text(entry, "pubkey")?)?;
    let known = chain.public_keys.iter().find(|(_, known)| **known == public_key);
    let account = known.and_then(|(key, _)| draft.accounts.get(key)).ok_or(Problem::UnknownKey)?;
    let (key, interval) = (account.instance.key_id, account.instance.start..account.instance.end);
    let (is_synchronized, is_attester) = (is_synchronized(account), is_attester(account));
    let (blocks, attestations) = (list(entry, "signed_blocks")?, list(entry, "signed_attestations")?);
    let (ours, others) = if is_attester { (attestations, blocks) } else { (blocks, attestations) };
    if !others.is_empty() || (!is_synchronized && !ours.is_empty()) {
        return Err(Problem::RoleMismatch);
    }
    let mut greatest = None;
    for signed in ours {
        let signed = object(signed)?;
        let (epoch, is_open) = if is_attester {
            let target = number(text(signed, "target_epoch")?)?;
            (target, number(text(signed, "source_epoch")?)? == target)
        } else {
            (number(text(signed, "slot")?)?, true)
        };
        let digest = digest_of(signed)?.filter(|_| is_open);
        if interval.contains(&epoch) {
            greatest = greatest.max(Some(epoch));
            draft.unite(key, Place::epoch(epoch), digest)?;
        }
    }
    greatest.map_or(Ok(()), |greatest| draft.raise_low(key, greatest + 1))
}

/// The digest of the message that `signing_root` is, if it is there.
fn digest_of(signed: &Object) -> Result<Option<Digest>, Problem> {
    let Some(root) = signed.get("signing_root") else { return Ok(None) };
    let root: [u8; 32] =
        hex(root.as_text().ok_or(Problem::Malformed)?)?.try_into().map_err(|_| Problem::Malformed)?;
    Ok(Some(Sha256::digest(root).into()))
}

/// The history of all synchronized keys. `message` gives the message of an epoch, where it is known.
#[must_use]
pub fn export(
    accounts: &Accounts,
    chain: &Chain,
    message: &dyn Fn(&KeyId, u64) -> Option<[u8; 32]>,
) -> Value {
    let keys = accounts.iter().filter(|account| is_synchronized(account));
    let data = keys.filter_map(|account| {
        let public_key = chain.public_keys.get(&account.instance.key_id)?;
        Some(export_key(account, public_key, message))
    });
    let root = chain.genesis_validators_root.unwrap_or_default();
    Value::object([
        (
            "metadata",
            Value::object([
                ("interchange_format_version", Value::text("5")),
                ("genesis_validators_root", prefixed(&root)),
            ]),
        ),
        ("data", Value::List(data.collect())),
    ])
}

fn export_key(
    account: &Account,
    public_key: &[u8],
    message: &dyn Fn(&KeyId, u64) -> Option<[u8; 32]>,
) -> Value {
    let is_attester = is_attester(account);
    let signed = |epoch: u64, root: Option<[u8; 32]>| {
        let mut signed = Object::default();
        let names: &[&str] = if is_attester { &["source_epoch", "target_epoch"] } else { &["slot"] };
        names.iter().for_each(|name| signed.set(name, Value::text(epoch.to_string())));
        if let Some(root) = root {
            signed.set("signing_root", prefixed(&root));
        }
        Value::Object(signed)
    };
    let mut list = Vec::new();
    // The format knows no watermark: its readers sign nothing at or below the greatest entry.
    let below = account.low.checked_sub(1).map(Place::epoch);
    if let Some(below) = below.filter(|below| !account.entries.contains_key(below)) {
        list.push(signed(below.position[0], None));
    }
    for (place, digest) in &account.entries {
        let epoch = place.position[0];
        // A message that has suffered in the store is no longer the one that was signed.
        let is_whole = |message: &[u8; 32]| digest.is_some_and(|digest| digest == *Sha256::digest(message));
        list.push(signed(epoch, message(&account.instance.key_id, epoch).filter(is_whole)));
    }
    let (blocks, attestations) = if is_attester { (Vec::new(), list) } else { (list, Vec::new()) };
    Value::object([
        ("pubkey", prefixed(public_key)),
        ("signed_blocks", Value::List(blocks)),
        ("signed_attestations", Value::List(attestations)),
    ])
}

fn is_synchronized(account: &Account) -> bool {
    account.instance.mode == Mode::Synchronized
}

/// Epochs of attesters are written as attestations, those of all other roles as blocks.
fn is_attester(account: &Account) -> bool {
    account.instance.role == "attester"
}

fn prefixed(bytes: &[u8]) -> Value {
    Value::text(format!("0x{}", hexadecimal::text(bytes)))
}

/// Bytes after `0x`, in digits of either case.
fn hex(text: &str) -> Result<Vec<u8>, Problem> {
    let digits = text.strip_prefix("0x").ok_or(Problem::Malformed)?;
    hexadecimal::bytes(&digits.to_ascii_lowercase()).ok_or(Problem::Malformed)
}

/// A number as decimal text.
fn number(text: &str) -> Result<u64, Problem> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
        .ok_or(Problem::Malformed)
}
