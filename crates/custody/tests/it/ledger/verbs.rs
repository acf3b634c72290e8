//! What operators do.

use super::{Folder, ask, new_ledger, open, registered};
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::record::{KeyState, Ordering};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, Problem, Refused};

#[test]
fn watermarks_only_rise() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Any);
    ledger.raise_low(key.id(), 10, "a doubt").expect("it rises");
    assert_eq!(ask(&ledger, &key, 9, 1), Err(Refused::Passed));
    let refused = |low| ledger.raise_low(key.id(), low, "").expect_err("not there").problem();
    assert_eq!(refused(9), Problem::Backwards);
    assert_eq!(refused(key.instance.end + 1), Problem::Backwards);
    ledger.raise_low(key.id(), key.instance.end, "it is over").expect("it rises");
    assert_eq!(ledger.standing(key.id()).expect("known").remaining, 0);
}

#[test]
fn a_retired_key_does_not_return() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Any);
    assert_eq!(ask(&ledger, &key, 3, 1), Ok(false));
    ledger.retire(key.id(), "sold").expect("retired");
    assert_eq!(ask(&ledger, &key, 3, 1), Err(Refused::Retired), "repeats too");
    assert_eq!(ledger.adopt(key.id(), 100, "").expect_err("no way back").problem(), Problem::Retired);
    assert!(ledger.quarantine(key.id(), "").is_err());
    drop(ledger);
    assert_eq!(open(folder.path()).standing(key.id()).expect("known").state, KeyState::Retired);
}

#[test]
fn keys_move_with_their_history() {
    let (here, there, third) = (Folder::new(), Folder::new(), Folder::new());
    let ledger = new_ledger(here.path());
    let key = registered(&ledger, 1, Ordering::Any);
    for epoch in 0..300 {
        assert_eq!(ask(&ledger, &key, epoch, 1), Ok(false));
    }
    let moved = ledger.export(None, true).expect("a file");
    assert_eq!(ask(&ledger, &key, 300, 1), Err(Refused::Retired));
    let other = new_ledger(there.path());
    assert_eq!(other.import(moved.text.as_bytes()).expect("it comes in"), 0);
    assert_eq!(ask(&other, &key, 299, 1), Ok(true));
    assert_eq!(ask(&other, &key, 299, 2), Err(Refused::EpochUsed));
    assert_eq!(ask(&other, &key, 300, 2), Ok(false));
    // More entries than a group has bytes came in all at once, as a new segment; it opens again.
    assert!(there.join("witness-00000002.log").exists());
    drop(other);
    let other = open(there.path());
    assert_eq!(ask(&other, &key, 0, 1), Ok(true));
    let copied = other.export(None, false).expect("a file");
    let copy = new_ledger(third.path());
    copy.import(copied.text.as_bytes()).expect("it comes in");
    assert_eq!(ask(&copy, &key, 400, 1), Err(Refused::Quarantined));
    copy.adopt(key.id(), 5, "the other one is gone").expect("adopted");
    assert_eq!(ask(&copy, &key, 301, 1), Ok(false));
    assert_eq!(ask(&copy, &key, 5, 2), Err(Refused::EpochUsed));
    assert!(copy.import(b"{").is_err());
}

#[test]
fn histories_of_other_signers_raise_the_watermark() {
    let (folder, other) = (Folder::new(), Folder::new());
    let settings = NewLedger { genesis_validators_root: Some([7; 32]), ..NewLedger::default() };
    let ledger = |folder: &Folder| {
        let options = super::options(folder.path());
        SqliteLedger::create(&options, settings).expect("a new ledger");
        SqliteLedger::open(&options).expect("it opens")
    };
    let (from, to) = (ledger(&folder), ledger(&other));
    let key = registered(&from, 1, Ordering::Strict);
    registered(&to, 1, Ordering::Strict);
    assert_eq!(ask(&from, &key, 10, 1), Ok(false));
    let file = from.export_eip3076().expect("a file");
    assert!(file.contains("\"signing_root\": \"0x0101"), "the message is known");
    assert_eq!(to.import(file.as_bytes()).expect("it comes in"), 0);
    assert_eq!(ask(&to, &key, 10, 1), Ok(true));
    assert_eq!(ask(&to, &key, 9, 1), Err(Refused::Passed));
    assert_eq!(ask(&to, &key, 11, 1), Ok(false));
}

#[test]
fn old_entries_are_pruned_and_stay_closed() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Strict);
    for epoch in 0..20 {
        assert_eq!(ask(&ledger, &key, epoch, 1), Ok(false));
    }
    ledger.compact(4).expect("a new segment");
    drop(ledger);
    for _ in 0..2 {
        let ledger = open(folder.path());
        assert_eq!(ledger.entries(key.id()).expect("known").len(), 5);
        assert_eq!(ask(&ledger, &key, 3, 1), Err(Refused::Passed));
        assert_eq!(ask(&ledger, &key, 19, 1), Ok(true));
        assert_eq!(ask(&ledger, &key, 16, 2), Err(Refused::EpochUsed));
    }
}
