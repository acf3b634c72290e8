//! How many requests a group takes, and what a compaction keeps.

use super::consensus::{VOTE, Vote, guarded, reopened, sign};
use super::{Folder, Key, new_ledger, options, registered};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{
    Committed, EpochLedger, InitialState, Observer, Position, Refused, Request, Step, ed25519_instance,
};
use phalanx_ed25519::SigningKey;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of records of each group.
#[derive(Default)]
struct Sizes(Mutex<Vec<usize>>);

impl Observer for Sizes {
    fn committed(&self, what: &Committed) {
        self.0.lock().expect("nobody panics").push(what.records);
    }

    fn repaired(&self, what: &str) {
        panic!("nothing to repair: {what}");
    }

    fn suspicious_flush(&self, _: &Path, _: Duration) {}
}

/// A ledger whose groups are watched.
fn watched(folder: &Folder) -> (SqliteLedger, Arc<Sizes>) {
    drop(new_ledger(folder.path()));
    let sizes = Arc::new(Sizes::default());
    let options = options(folder.path()).observer(Arc::clone(&sizes) as Arc<dyn Observer>);
    (SqliteLedger::open(&options).expect("it opens"), sizes)
}

/// The sizes of the groups by which `requests`, all of them new, were reserved.
fn sizes_of(ledger: &SqliteLedger, sizes: &Sizes, requests: &[Request<'_>]) -> Vec<usize> {
    sizes.0.lock().expect("nobody panics").clear();
    let answers = ledger.reserve_many(requests);
    assert_eq!(answers.len(), requests.len());
    assert!(answers.iter().all(|answer| answer.as_ref().is_ok_and(|reserved| !reserved.is_repeat())));
    sizes.0.lock().expect("nobody panics").clone()
}

#[test]
fn a_group_takes_256_epochs() {
    let folder = Folder::new();
    let (ledger, sizes) = watched(&folder);
    let key: Key = registered(&ledger, 1, Ordering::Any);
    let request = |epoch| Request { key: key.id(), position: Position::Epoch(epoch), message: &[1; 32] };
    let requests: Vec<_> = (0..256).map(request).collect();
    assert_eq!(sizes_of(&ledger, &sizes, &requests), [256]);
    let requests: Vec<_> = (256..600).map(request).collect();
    assert_eq!(sizes_of(&ledger, &sizes, &requests), [256, 88]);
    // The longest epochs that a key can have.
    let requests: Vec<_> = (200_000..200_256).map(request).collect();
    assert_eq!(sizes_of(&ledger, &sizes, &requests), [256]);
}

#[test]
fn of_longer_lines_a_group_takes_what_fits() {
    let folder = Folder::new();
    let (ledger, sizes) = watched(&folder);
    let key = SigningKey::from_seed(&[5; 32]);
    let instance = ed25519_instance(key.verifying_key());
    let public_key = key.verifying_key().to_bytes();
    ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
    let (chain, first) = ("c".repeat(64), (1 << 63) - 1000);
    let request = |number: u64| Request {
        key: &instance.key_id,
        position: Position::Consensus {
            chain: &chain,
            height: first + number,
            round: u32::MAX,
            step: Step::Precommit,
        },
        message: &[1; 32],
    };
    let requests: Vec<_> = (0..256).map(request).collect();
    let groups = sizes_of(&ledger, &sizes, &requests);
    assert_eq!(groups.iter().sum::<usize>(), 256);
    assert!(groups.len() == 2 && groups[0] > 128, "{groups:?}");
    let log = std::fs::read(folder.join("witness-00000001.log")).expect("the first segment");
    assert!(!folder.join("witness-00000002.log").exists(), "no new segment was needed");
    let reading = phalanx_custody::ledger::log::read(&log);
    let largest = reading.groups.iter().map(|group| group.bytes.len()).max().expect("there are some");
    assert!((65_000..=65_536).contains(&largest), "it is as full as it can be: {largest}");
    drop(ledger);
    drop(super::open(folder.path()));
}

#[test]
fn heights_that_are_long_past_are_pruned() {
    let folder = Folder::new();
    let key = guarded(new_ledger(folder.path()));
    let at = |chain, height| Vote { chain, height, round: 0, ..VOTE };
    for height in 100..130 {
        sign(&key, at("chain-1", height)).expect("forward");
    }
    for height in 90..110 {
        sign(&key, at("chain-2", height)).expect("forward");
    }
    let id = key.key_id();
    let count = |ledger: &SqliteLedger| ledger.entries(&id).expect("known").len();
    drop(key);
    let ledger = super::open(folder.path());
    assert_eq!(count(&ledger), 50);
    ledger.compact(4).expect("a new segment");
    // The chain that is less far keeps its last 4 heights and the greatest, and the other all above them.
    assert_eq!(count(&ledger), 5 + 25);
    drop(ledger);
    let key = reopened(&folder);
    assert_eq!(sign(&key, at("chain-1", 104)), Err(Refused::Passed));
    assert_eq!(sign(&key, at("chain-2", 104)), Err(Refused::Passed));
    assert!(sign(&key, at("chain-2", 109)).expect("the same again").is_repeat);
    assert_eq!(sign(&key, Vote { block: 8, ..at("chain-2", 109) }), Err(Refused::EpochUsed));
    assert!(!sign(&key, at("chain-2", 110)).expect("forward").is_repeat);
    assert!(!sign(&key, at("chain-1", 130)).expect("forward").is_repeat);
}
