//! Our own interchange: everything that a ledger knows of its keys.
#![forbid(unsafe_code)]

use super::{Draft, Import, list, object, parse, text};
use crate::hexadecimal;
use crate::identity::{Family, KeyId, OneTimeKeyId, key_id};
use crate::json::{Object, Value};
use crate::ledger::accounts::{Account, Accounts};
use crate::ledger::record::{
    Digest, KeyInstance, KeyState, Mode, Ordering, Place, Record, TRANSFER, is_domain, is_word, number,
};
use crate::ledger::refused::Problem;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

const FORMAT: &str = "phalanx-ledger-interchange";

/// A move of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Its number, which is imported once.
    pub id: [u8; 16],
    /// Whether the source has retired the keys, so that they may be active elsewhere.
    pub retired: bool,
}

/// A key in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    public_key: Option<Vec<u8>>,
    instance: KeyInstance,
    state: KeyState,
    low: u64,
    high: Option<u64>,
    highest: Option<u64>,
    ranges: Vec<(String, u64, u64)>,
    entries: BTreeMap<Place, Option<Digest>>,
}

/// A file that is whole and well-formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// The ledger that it comes from.
    pub ledger_id: [u8; 16],
    /// The move that it is part of.
    pub transfer: Transfer,
    keys: Vec<Key>,
}

impl OwnFile {
    /// The public keys in it, in SSZ.
    pub fn public_keys(&self) -> impl Iterator<Item = (KeyId, &[u8])> {
        self.keys.iter().filter_map(|key| Some((key.instance.key_id, key.public_key.as_deref()?)))
    }
}

/// The file that `keys` of a ledger go into. A key with neither a range nor the right to any other position is shown as
/// one whose high watermark is its low one: that is what the format has for it.
#[must_use]
pub fn export<'a>(
    ledger_id: &[u8; 16],
    transfer: &Transfer,
    keys: impl IntoIterator<Item = &'a Account>,
    public_key: &dyn Fn(&KeyId) -> Option<Vec<u8>>,
) -> Value {
    let keys = keys.into_iter().map(|account| export_key(account, public_key(&account.instance.key_id)));
    let mut file = Object::default();
    file.set("format", Value::text(FORMAT));
    file.set("version", Value::Integer(1));
    file.set("ledger_id", hex(ledger_id));
    let transfer = [("id", hex(&transfer.id)), ("retired", Value::Bool(transfer.retired))];
    file.set("transfer", Value::object(transfer));
    file.set("keys", Value::List(keys.collect()));
    let checksum = checksum(&file);
    file.set("sha256", hex(&checksum));
    Value::Object(file)
}

fn export_key(account: &Account, public_key: Option<Vec<u8>>) -> Value {
    let decimal = |number: u64| Value::text(number.to_string());
    let or_null = |value: Option<Value>| value.unwrap_or(Value::Null);
    let instance = &account.instance;
    let owns_nothing = account.is_ranged && account.ranges.is_empty();
    let high = if owns_nothing { Some(account.low) } else { account.high };
    let ranges = account.ranges.iter().map(|(name, &(start, end))| {
        Value::object([("id", Value::text(name)), ("start", decimal(start)), ("end", decimal(end))])
    });
    let entries = account.entries.iter().map(|(place, digest)| {
        Value::object([
            ("domain", Value::text(&place.domain)),
            ("position", Value::List(place.position.map(decimal).to_vec())),
            ("digest", or_null(digest.as_ref().map(|digest| hex(digest)))),
        ])
    });
    Value::object([
        ("key_id", Value::text(instance.key_id.to_string())),
        ("pubkey", or_null(public_key.map(|key| hex(&key)))),
        ("scheme", Value::text(&instance.scheme)),
        ("role", Value::text(&instance.role)),
        ("mode", Value::text(instance.mode.name())),
        ("order", Value::text(instance.ordering.name())),
        ("start", decimal(instance.start)),
        ("end", decimal(instance.end)),
        ("implementation", Value::text(&instance.implementation)),
        ("one_time_key_id", or_null(instance.one_time_key_id.map(|id| Value::text(id.to_string())))),
        ("state", Value::text(account.state.name())),
        ("low_watermark", decimal(account.low)),
        ("high_watermark", or_null(high.map(decimal))),
        ("highest", or_null(account.highest.map(decimal))),
        ("ranges", Value::List(ranges.collect())),
        ("entries", Value::List(entries.collect())),
    ])
}

/// Reads a file.
///
/// # Errors
/// Why it is none.
pub fn read(bytes: &[u8]) -> Result<OwnFile, Problem> {
    let mut file = parse(bytes)?;
    let file = file.as_object_mut().ok_or(Problem::Malformed)?;
    if text(file, "format")? != FORMAT {
        return Err(Problem::Malformed);
    }
    match file.get("version").and_then(Value::as_integer).ok_or(Problem::Malformed)? {
        1 => {}
        _ => return Err(Problem::UnsupportedVersion),
    }
    let said = file.remove("sha256").ok_or(Problem::Malformed)?;
    let said = said.as_text().and_then(hexadecimal::array).ok_or(Problem::Malformed)?;
    if checksum(file) != said {
        return Err(Problem::Damaged);
    }
    let transfer = object(file.get("transfer").ok_or(Problem::Malformed)?)?;
    let retired = transfer.get("retired").and_then(Value::as_bool).ok_or(Problem::Malformed)?;
    Ok(OwnFile {
        ledger_id: bytes_of(text(file, "ledger_id")?)?,
        transfer: Transfer { id: bytes_of(text(transfer, "id")?)?, retired },
        keys: list(file, "keys")?.iter().map(|key| read_key(object(key)?)).collect::<Result<_, _>>()?,
    })
}

fn read_key(key: &Object) -> Result<Key, Problem> {
    let public_key = or_null(key, "pubkey", hexadecimal::bytes)?;
    let instance = KeyInstance {
        key_id: KeyId::from_hex(text(key, "key_id")?).ok_or(Problem::Malformed)?,
        scheme: word(key, "scheme")?,
        role: word(key, "role")?,
        mode: Mode::from_name(text(key, "mode")?).ok_or(Problem::Malformed)?,
        ordering: Ordering::from_name(text(key, "order")?).ok_or(Problem::Malformed)?,
        start: decimal(key, "start")?,
        end: decimal(key, "end")?,
        implementation: word(key, "implementation")?,
        one_time_key_id: or_null(key, "one_time_key_id", OneTimeKeyId::from_hex)?,
    };
    let ranges = list(key, "ranges")?.iter().map(|range| {
        let range = object(range)?;
        Ok((word(range, "id")?, decimal(range, "start")?, decimal(range, "end")?))
    });
    let entries = list(key, "entries")?.iter().map(|entry| read_entry(object(entry)?));
    Ok(Key {
        public_key,
        instance,
        state: KeyState::from_name(text(key, "state")?).ok_or(Problem::Malformed)?,
        low: decimal(key, "low_watermark")?,
        high: or_null(key, "high_watermark", number)?,
        highest: or_null(key, "highest", number)?,
        ranges: ranges.collect::<Result<_, Problem>>()?,
        entries: entries.collect::<Result<_, Problem>>()?,
    })
}

fn read_entry(entry: &Object) -> Result<(Place, Option<Digest>), Problem> {
    let position = list(entry, "position")?.iter().map(|value| value.as_text().and_then(number));
    let position: Option<Vec<u64>> = position.collect();
    let position = position.and_then(|position| position.try_into().ok()).ok_or(Problem::Malformed)?;
    let domain = text(entry, "domain")?;
    if !is_domain(domain) {
        return Err(Problem::Malformed);
    }
    let place = Place { domain: domain.to_owned(), position };
    Ok((place, or_null(entry, "digest", hexadecimal::array)?))
}

/// What `file` says, as records for the ledger of `accounts`.
///
/// # Errors
/// Why none of it is imported.
pub fn import(accounts: &Accounts, file: &OwnFile) -> Result<Import, Problem> {
    let Transfer { id, retired } = file.transfer;
    if accounts.has_transfer(&id) {
        return Err(Problem::TransferSeen);
    }
    let mut draft = Draft::of(accounts);
    for key in &file.keys {
        import_key(&mut draft, key, &id, retired)?;
    }
    draft.add(Record::Operator { action: TRANSFER.to_owned(), detail: id.to_vec() })?;
    Ok(draft.import)
}

fn import_key(draft: &mut Draft, file: &Key, transfer: &[u8; 16], retired: bool) -> Result<(), Problem> {
    let key = file.instance.key_id;
    let is_known = draft.accounts.knows(&file.instance).map_err(|_| Problem::SameOneTimeKeys)?;
    if let Some(public_key) = &file.public_key {
        let family = Family::of_scheme(&file.instance.scheme).ok_or(Problem::Malformed)?;
        let part = family.part_of(public_key).ok_or(Problem::Malformed)?;
        if key_id(family, part) != key {
            return Err(Problem::Malformed);
        }
    }
    let mut instance = file.instance.clone();
    let known = draft.accounts.get(&key);
    if known.is_some_and(|known| known.instance.ordering == Ordering::Strict) {
        instance.ordering = Ordering::Strict;
    }
    instance.one_time_key_id = instance.one_time_key_id.or(known.and_then(|k| k.instance.one_time_key_id));
    if known.is_none_or(|known| known.instance != instance) {
        draft.add(Record::Key(instance))?;
    }
    let may_be_active = retired && file.state == KeyState::Active;
    if !is_known && !may_be_active {
        draft.add(Record::State { key, state: KeyState::Quarantined })?;
    }
    unite_ranges(draft, file, transfer, is_known)?;
    for (place, &digest) in &file.entries {
        draft.unite(key, place.clone(), digest)?;
    }
    let account = draft.accounts.get(&key).expect("it was registered above");
    // The highest position stays known when its row has been pruned.
    if let Some(highest) = file.highest.filter(|&highest| account.highest.is_none_or(|known| known < highest))
    {
        draft.unite(key, Place::epoch(highest), None)?;
    }
    let high = draft.accounts.get(&key).and_then(|account| account.high);
    if let Some(least) = [high, file.high].into_iter().flatten().min()
        && high != Some(least)
    {
        draft.add(Record::High { key, high: Some(least) })?;
    }
    draft.raise_low(key, file.low)
}

/// Takes the ranges of a key that is new here; of a known one leaves what both allow.
fn unite_ranges(draft: &mut Draft, file: &Key, transfer: &[u8; 16], is_known: bool) -> Result<(), Problem> {
    let key = file.instance.key_id;
    if file.ranges.is_empty() {
        return Ok(());
    }
    let account = draft.accounts.get(&key).expect("it was registered before");
    let whole = (account.instance.start, account.instance.end);
    let here: Vec<(u64, u64)> =
        if account.is_ranged { account.ranges.values().copied().collect() } else { vec![whole] };
    let names: Vec<String> = account.ranges.keys().cloned().collect();
    for range in names {
        draft.add(Record::RangeGone { key, range })?;
    }
    let both = |&(_, start, end): &(String, u64, u64)| {
        let here = here.iter().map(move |&(first, last)| (first.max(start), last.min(end)));
        here.filter(|(start, end)| start < end).collect::<Vec<_>>()
    };
    let shared: Vec<_> = file.ranges.iter().flat_map(both).collect();
    if is_known {
        for (i, (start, end)) in shared.iter().copied().enumerate() {
            let range = format!("{}-{i}", hexadecimal::text(transfer));
            draft.add(Record::Range { key, range, start, end })?;
        }
        if shared.is_empty() && !draft.accounts.get(&key).is_some_and(|account| account.is_ranged) {
            let range = hexadecimal::text(transfer);
            draft.add(Record::Range { key, range: range.clone(), start: whole.0, end: whole.1 })?;
            draft.add(Record::RangeGone { key, range })?;
        }
        return Ok(());
    }
    for (range, start, end) in file.ranges.clone() {
        draft.add(Record::Range { key, range, start, end })?;
    }
    Ok(())
}

fn checksum(file: &Object) -> [u8; 32] {
    Sha256::digest(Value::Object(file.clone()).canonical()).into()
}

fn hex(bytes: &[u8]) -> Value {
    Value::text(hexadecimal::text(bytes))
}

fn bytes_of<const N: usize>(text: &str) -> Result<[u8; N], Problem> {
    hexadecimal::array(text).ok_or(Problem::Malformed)
}

fn word(object: &Object, name: &str) -> Result<String, Problem> {
    let word = text(object, name)?;
    if is_word(word) { Ok(word.to_owned()) } else { Err(Problem::Malformed) }
}

fn decimal(object: &Object, name: &str) -> Result<u64, Problem> {
    number(text(object, name)?).ok_or(Problem::Malformed)
}

fn or_null<T>(object: &Object, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Problem> {
    match object.get(name) {
        Some(Value::Null) => Ok(None),
        Some(Value::Text(text)) => read(text).map(Some).ok_or(Problem::Malformed),
        _ => Err(Problem::Malformed),
    }
}
