//! What is different where several hosts write to one store, each with a side log of its own: a log knows only what its
//! host has done, and the store may know more.
#![forbid(unsafe_code)]

use crate::ledger::accounts::{Account, Accounts};
use crate::ledger::record::{KeyInstance, KeyState, Ordering, Record};
use crate::ledger::refused::{LedgerError, Problem};

/// Whether everything that `log` says is in `store`, and nothing there is lower.
pub(super) fn contains(store: &Accounts, log: &Accounts) -> bool {
    log.iter().all(|said| store.get(&said.instance.key_id).is_some_and(|known| is_within(said, known)))
}

fn is_within(said: &Account, known: &Account) -> bool {
    let same = KeyInstance {
        ordering: known.instance.ordering,
        one_time_key_id: known.instance.one_time_key_id,
        ..said.instance.clone()
    };
    let is_looser = said.instance.ordering == Ordering::Strict && known.instance.ordering != Ordering::Strict;
    let is_returned = said.state == KeyState::Retired && known.state != KeyState::Retired;
    let has_entry = |(place, digest): (&_, &Option<_>)| match known.entries.get(place) {
        // One with two messages is closed.
        Some(here) => here.is_none() || here == digest,
        // Another host may have ceased to keep it.
        None => place.position[0] < known.low,
    };
    same == known.instance
        && !is_looser
        && !is_returned
        && known.low >= said.low
        && known.highest >= said.highest
        && (known.is_ranged || !said.is_ranged)
        && said.entries.iter().all(|(place, digest)| has_entry((place, digest)))
}

/// What the log of this host has to be told so that what follows in it makes sense: every key, and where it stands but for
/// the positions of others. `None` if only a whole snapshot does it.
pub(super) fn news(store: &Accounts, log: &Accounts) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    for known in store.iter() {
        let key = known.instance.key_id;
        let said = log.get(&key);
        if known.is_ranged && said.is_none_or(|said| said.ranges != known.ranges || !said.is_ranged) {
            return None;
        }
        if said.is_none_or(|said| said.instance != known.instance) {
            records.push(Record::Key(known.instance.clone()));
        }
        if said.map_or(known.instance.start, |said| said.low) != known.low {
            records.push(Record::Low { key, low: known.low });
        }
        if said.and_then(|said| said.high) != known.high {
            records.push(Record::High { key, high: known.high });
        }
        if said.map_or(KeyState::Active, |said| said.state) != known.state {
            records.push(Record::State { key, state: known.state });
        }
    }
    store.has_only_transfers_of(log).then_some(records)
}

/// The last group of the log of this host, as it may be entered now, when another host may have written since. Nothing of
/// it was released by this process, which did not learn that it was committed; but if the database lost it after that,
/// something was. So a position that has another message by now is closed.
///
/// # Errors
/// Something else in it contradicts the store.
pub(super) fn reentered(store: &Accounts, group: &[Record]) -> Result<Vec<Record>, LedgerError> {
    let mut after = store.clone();
    let mut records = Vec::new();
    for record in group {
        let record = match record {
            Record::Low { key, low } if after.get(key).is_some_and(|known| known.low > *low) => continue,
            Record::Entry { key, place, digest }
                if after
                    .get(key)
                    .and_then(|known| known.entries.get(place))
                    .is_some_and(|at| at != digest) =>
            {
                Record::Entry { key: *key, place: place.clone(), digest: None }
            }
            record => record.clone(),
        };
        after.apply(&record).map_err(|error| {
            let text = format_args!("the last group does not fit the store: {error}");
            LedgerError::new(Problem::StoreDisagrees, text)
        })?;
        records.push(record);
    }
    Ok(records)
}
