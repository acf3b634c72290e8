//! What is known of a ledger whose files no longer agree, taken together, so that nothing that could have been signed is open
//! in the one that is made of it.
#![forbid(unsafe_code)]

use super::place::failed;
use super::store::NewLedger;
use crate::identity::KeyId;
use crate::ledger::accounts::{Account, Accounts};
use crate::ledger::interchange::{import_own, read_own};
use crate::ledger::log::read;
use crate::ledger::migration::OldRecord;
use crate::ledger::record::{KeyInstance, KeyState, Ordering, Place, Record, SNAPSHOT, TRANSFER};
use crate::ledger::refused::{LedgerError, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What is known besides the files of the ledger.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A side log: an old copy, say. Its whole groups count.
    Log(Vec<u8>),
    /// A file of our interchange.
    Interchange(Vec<u8>),
    /// The record of an earlier version, of a key.
    Record(KeyId, OldRecord),
}

/// What an operator asks for.
#[derive(Clone, Debug)]
pub struct Reconcile {
    /// The settings of the new ledger, for the case that the store cannot be read any more.
    pub settings: NewLedger,
    /// What is known besides.
    pub with: Vec<Evidence>,
    /// Nothing below this epoch is signed any more: the operator's answer for what is known nowhere.
    pub epoch: Option<u64>,
    /// Why: it is written down.
    pub reason: String,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciled {
    /// The name of the new ledger.
    pub ledger_id: [u8; 16],
    /// Positions with two messages: whoever has both signatures can forge there.
    pub compromised: Vec<(KeyId, Place)>,
    /// The names of those that it was made of, as far as the files that were here say them.
    pub replaced: BTreeSet<[u8; 16]>,
}

/// What several sources know together.
#[derive(Default)]
pub(in crate::ledger) struct Union {
    keys: BTreeMap<KeyId, Account>,
    pub(in crate::ledger) public_keys: BTreeMap<KeyId, Vec<u8>>,
    transfers: BTreeSet<Vec<u8>>,
    pub(in crate::ledger) compromised: BTreeSet<(KeyId, Place)>,
}

impl Union {
    pub(in crate::ledger) fn unite(&mut self, accounts: &Accounts) -> Result<(), LedgerError> {
        for account in accounts.iter() {
            self.unite_key(account)?;
        }
        let transfers = accounts.snapshot().into_iter().filter_map(|record| match record {
            Record::Operator { detail, .. } => Some(detail),
            _ => None,
        });
        self.transfers.extend(transfers);
        Ok(())
    }

    /// The whole groups of a log. A later segment begins with what the earlier ones amount to; where records contradict
    /// each other both count.
    pub(in crate::ledger) fn unite_log(&mut self, bytes: &[u8]) -> Result<(), LedgerError> {
        let mut accounts = Accounts::default();
        for record in read(bytes).groups.iter().flat_map(|group| &group.records) {
            if accounts.apply(record).is_ok() {
                continue;
            }
            match record {
                Record::Entry { key, place, .. } => {
                    let closed = Record::Entry { key: *key, place: place.clone(), digest: None };
                    if accounts.apply(&closed).is_ok() {
                        self.compromised.insert((*key, place.clone()));
                    }
                }
                Record::Key(_) => return Err(same_one_time_keys()),
                // What would go backwards does not.
                _ => {}
            }
        }
        self.unite(&accounts)
    }

    pub(in crate::ledger) fn unite_evidence(&mut self, evidence: &Evidence) -> Result<(), LedgerError> {
        let refused =
            |problem: Problem| LedgerError::new(problem, format_args!("refused: {}", problem.code()));
        match evidence {
            Evidence::Log(bytes) => self.unite_log(bytes),
            Evidence::Interchange(bytes) => {
                let file = read_own(bytes).map_err(refused)?;
                let mut accounts = Accounts::default();
                let import = import_own(&accounts, &file).map_err(refused)?;
                accounts.apply_all(&import.records).map_err(|_| refused(Problem::Malformed))?;
                // Whether a key may sign here is for the files of this ledger to say, where they know it.
                let known: Vec<KeyId> = accounts
                    .iter()
                    .map(|account| account.instance.key_id)
                    .filter(|key| self.keys.contains_key(key))
                    .collect();
                for key in known {
                    let active = Record::State { key, state: KeyState::Active };
                    accounts.apply(&active).map_err(|_| refused(Problem::Malformed))?;
                }
                self.public_keys.extend(file.public_keys().map(|(key, public)| (key, public.to_vec())));
                self.unite(&accounts)
            }
            Evidence::Record(key, record) => {
                let unknown =
                    || LedgerError::new(Problem::UnknownKey, format_args!("nothing names the key {key}"));
                let mut account = self.keys.get(key).cloned().ok_or_else(unknown)?;
                let interval = account.instance.start..account.instance.end;
                let inside = record.entries.iter().filter(|(epoch, _)| interval.contains(epoch));
                account.entries = inside.map(|(&epoch, &digest)| (Place::epoch(epoch), digest)).collect();
                self.compromised.extend(record.compromised.iter().map(|&epoch| (*key, Place::epoch(epoch))));
                self.unite_key(&account)
            }
        }
    }

    fn unite_key(&mut self, more: &Account) -> Result<(), LedgerError> {
        let key = more.instance.key_id;
        let Some(known) = self.keys.get_mut(&key) else {
            self.keys.insert(key, more.clone());
            return Ok(());
        };
        let (mine, theirs) = (&mut known.instance, &more.instance);
        let secret = mine.one_time_key_id.or(theirs.one_time_key_id);
        let is_strict = [mine.ordering, theirs.ordering].contains(&Ordering::Strict);
        let ordering = if is_strict { Ordering::Strict } else { Ordering::Any };
        let alike = |instance: &KeyInstance| KeyInstance {
            ordering,
            one_time_key_id: instance.one_time_key_id.or(secret),
            ..instance.clone()
        };
        if alike(mine) != alike(theirs) {
            return Err(same_one_time_keys());
        }
        *mine = alike(mine);
        known.low = known.low.max(more.low);
        known.high = [known.high, more.high].into_iter().flatten().min();
        known.highest = known.highest.max(more.highest);
        known.state = match (known.state, more.state) {
            (KeyState::Retired, _) | (_, KeyState::Retired) => KeyState::Retired,
            (KeyState::Quarantined, _) | (_, KeyState::Quarantined) => KeyState::Quarantined,
            _ => KeyState::Active,
        };
        if more.is_ranged {
            known.ranges =
                if known.is_ranged { shared(&known.ranges, &more.ranges) } else { more.ranges.clone() };
            known.is_ranged = true;
        }
        for (place, &digest) in &more.entries {
            let here = known.entries.entry(place.clone()).or_insert(digest);
            if *here != digest {
                if here.is_some() && digest.is_some() {
                    self.compromised.insert((key, place.clone()));
                }
                *here = None;
            }
        }
        Ok(())
    }

    /// The records of the new ledger: everything that can have been signed is below the low watermarks.
    pub(in crate::ledger) fn records(&self, after_clock: u64) -> Vec<Record> {
        let mut accounts = Vec::new();
        for account in self.keys.values() {
            let key = account.instance.key_id;
            let after_highest = account.highest.map_or(0, |highest| highest.saturating_add(1));
            let low = account.low.max(after_highest).max(after_clock).min(account.instance.end);
            accounts.push(Record::Key(account.instance.clone()));
            accounts.push(Record::Low { key, low });
            accounts.push(Record::High { key, high: account.high });
            if account.is_ranged && account.ranges.is_empty() {
                let (range, start, end) = (SNAPSHOT.to_owned(), account.instance.start, account.instance.end);
                accounts.push(Record::Range { key, range: range.clone(), start, end });
                accounts.push(Record::RangeGone { key, range });
            }
            for (range, &(start, end)) in &account.ranges {
                accounts.push(Record::Range { key, range: range.clone(), start, end });
            }
            for (place, &digest) in &account.entries {
                accounts.push(Record::Entry { key, place: place.clone(), digest });
            }
            accounts.push(Record::State { key, state: account.state });
        }
        let transfer = |id: &Vec<u8>| Record::Operator { action: TRANSFER.to_owned(), detail: id.clone() };
        accounts.extend(self.transfers.iter().map(transfer));
        accounts
    }

    /// What of those records a store lacks that has `have`.
    #[cfg(feature = "postgres")]
    pub(in crate::ledger) fn records_beyond(&self, have: &Accounts, after_clock: u64) -> Vec<Record> {
        let has_other_ranges = |key: &KeyId| {
            let ranges = |account: &Account| {
                (account.is_ranged, account.ranges.values().copied().collect::<BTreeSet<_>>())
            };
            self.keys.get(key).map(ranges) != have.get(key).map(ranges)
        };
        let is_new = |record: &Record| match record {
            Record::Key(instance) => {
                have.get(&instance.key_id).is_none_or(|known| known.instance != *instance)
            }
            Record::Low { key, low } => {
                have.get(key).map_or(self.keys[key].instance.start, |known| known.low) != *low
            }
            Record::High { key, high } => have.get(key).and_then(|known| known.high) != *high,
            Record::Range { key, .. } | Record::RangeGone { key, .. } => has_other_ranges(key),
            Record::Entry { key, place, digest } => {
                have.get(key).and_then(|known| known.entries.get(place)) != Some(digest)
            }
            Record::State { key, state } => {
                have.get(key).map_or(KeyState::Active, |known| known.state) != *state
            }
            Record::Operator { detail, .. } => {
                <[u8; 16]>::try_from(&detail[..]).is_ok_and(|id| !have.has_transfer(&id))
            }
            _ => true,
        };
        let given_up =
            have.iter().filter(|known| has_other_ranges(&known.instance.key_id)).flat_map(|known| {
                let key = known.instance.key_id;
                known.ranges.keys().map(move |range| Record::RangeGone { key, range: range.clone() })
            });
        given_up.chain(self.records(after_clock).into_iter().filter(is_new)).collect()
    }
}

/// What two lists of ranges have in common.
fn shared(
    here: &BTreeMap<String, (u64, u64)>,
    there: &BTreeMap<String, (u64, u64)>,
) -> BTreeMap<String, (u64, u64)> {
    let pairs = here.iter().flat_map(|(name, a)| there.values().map(move |b| (name, a, b)));
    let both = pairs.map(|(name, a, b)| (name, (a.0.max(b.0), a.1.min(b.1))));
    let filled = both.filter(|(_, (start, end))| start < end);
    filled.enumerate().map(|(i, (name, range))| (format!("{name}.{i}"), range)).collect()
}

fn same_one_time_keys() -> LedgerError {
    LedgerError::new(Problem::SameOneTimeKeys, "two keys of these files have the same one-time keys")
}

/// The files of a folder whose names begin so, in order.
pub(in crate::ledger) fn named(folder: &Path, beginning: &str) -> Result<Vec<PathBuf>, LedgerError> {
    let entries = fs::read_dir(folder).map_err(|error| failed("list", folder, &error))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| failed("list", folder, &error))?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(beginning)) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Gives a file a name under which it is evidence and nothing else, unless it has one.
pub(in crate::ledger) fn set_aside(path: &Path) -> Result<(), LedgerError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // SQLite removes a journal once it has opened the store that it belongs to.
    if name.contains(".old-") || !path.exists() {
        return Ok(());
    }
    // The log of a store goes with it under its name.
    let (stem, tail) = name.strip_suffix("-wal").map_or((&name[..], ""), |stem| (stem, "-wal"));
    let free = |n: &u32| !path.with_file_name(format!("{stem}.old-{n}{tail}")).exists();
    let number = (1..).find(free).expect("some number is free");
    let aside = path.with_file_name(format!("{stem}.old-{number}{tail}"));
    fs::rename(path, &aside).map_err(|error| failed("rename", path, &error))
}
