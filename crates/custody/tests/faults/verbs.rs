//! What an operator has been told is done stays done: a verb is on the disk before it returns. And a ledger whose making was
//! interrupted can be made again.

use super::power_loss::honest;
use super::stores::{Ledger, Store};
use super::support::{Counts, Folder, count, key, options, seed};
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::record::KeyState;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Request};
use phalanx_powerloss::{Chance, Park, Watch};
use std::path::Path;

/// The verbs in order; each, once it has returned, is a mark with its number.
fn verbs(ledger: &SqliteLedger, watch: &Watch, history: &[u8]) {
    let id = |number| key(number).1.key_id;
    let done = |number: u8| watch.mark(&[number]);
    ledger.raise_low(&id(0), 100, "doubt").expect("it goes up");
    done(0);
    ledger.quarantine(&id(1), "doubt").expect("it is active");
    done(1);
    ledger.retire(&id(2), "moved").expect("it is active");
    done(2);
    ledger.export(Some(&[id(3)]), true).expect("it is active");
    done(3);
    ledger.split(&id(4), 50, "another-host").expect("it has no ranges");
    done(4);
    ledger.import(history).expect("a history of ours");
    done(5);
    ledger.compact(4).expect("nothing is wrong with the disk");
    done(6);
}

/// Whether what a verb does has been done.
fn is_done(ledger: &SqliteLedger, verb: u8) -> bool {
    let standing = |number| ledger.standing(&key(number).1.key_id).expect("a known key");
    let signs = |number: usize, epoch| {
        let id = key(number).1.key_id;
        let request = Request { key: &id, position: Position::Epoch(epoch), message: &[9; 32] };
        ledger.reserve(request).is_ok()
    };
    match verb {
        0 => standing(0).low == 100 && !signs(0, 99),
        1 => standing(1).state == KeyState::Quarantined && !signs(1, 5),
        2 => standing(2).state == KeyState::Retired && !signs(2, 5),
        3 => standing(3).state == KeyState::Retired && !signs(3, 5),
        4 => !signs(4, 60),
        // All of it or nothing: both keys of the history are known and closed below.
        5 => (20..22).all(|number| ledger.standing(&key(number).1.key_id).is_ok()),
        _ => true,
    }
}

/// The history of two keys of another ledger.
fn history() -> Vec<u8> {
    let folder = Folder::new();
    Ledger::make(folder.path());
    let ledger = SqliteLedger::open(&options(folder.path())).expect("it opens");
    for number in 20..22 {
        let (public_key, instance) = key(number);
        ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
    }
    let keys = [key(20).1.key_id, key(21).1.key_id];
    ledger.export(Some(&keys), true).expect("they are active").text.into_bytes()
}

fn stay_done(images: usize, seed: u64) {
    let (folder, mut chance, history) = (Folder::new(), Chance::new(seed), history());
    Ledger::make(folder.path());
    let watch = Watch::start(folder.path());
    let ledger = SqliteLedger::open(&options(folder.path())).expect("it opens");
    verbs(&ledger, &watch, &history);
    drop(ledger);
    let record = watch.stop();
    let park = Park::new(folder.path(), &record).expect("a place beside the folder");
    for _ in 0..images {
        let end = chance.below(record.ops.len() + 1);
        park.lay(&record.image(end, &mut chance, &honest)).expect("files can be written");
        let ledger = SqliteLedger::open(&options(folder.path()));
        let ledger = ledger.unwrap_or_else(|error| panic!("{error}: operation {end}, seed {seed}"));
        for mark in record.marks(end) {
            assert!(is_done(&ledger, mark[0]), "verb {} undone: operation {end}, seed {seed}", mark[0]);
        }
        let known = (20..22).filter(|&number| ledger.standing(&key(number).1.key_id).is_ok()).count();
        assert!(known == 0 || known == 2, "half an import: operation {end}, seed {seed}");
    }
}

#[test]
fn verbs_that_have_returned_survive_a_power_loss() {
    stay_done(60, seed(1));
}

#[test]
#[ignore = "2,000 images, a minute"]
fn verbs_that_have_returned_survive_a_power_loss_long() {
    stay_done(2000, seed(2));
}

/// A new ledger in an empty folder; once it has registered a key, the key is there for ever.
fn birth(folder: &Path, watch: &Watch) {
    SqliteLedger::create(&options(folder), NewLedger::default()).expect("a new ledger");
    watch.mark(b"made");
    let ledger = SqliteLedger::open(&options(folder)).expect("it opens");
    let (public_key, instance) = key(0);
    ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
    watch.mark(b"registered");
}

fn births(images: usize, seed: u64) {
    let (mut chance, mut refused) = (Chance::new(seed), Counts::new());
    for number in 0..images {
        // A folder for each image: what is made again begins by removing what is there of the old one.
        let folder = Folder::new();
        let watch = Watch::start(folder.path());
        birth(folder.path(), &watch);
        let record = watch.stop();
        let park = Park::new(folder.path(), &record).expect("a place beside the folder");
        let end = chance.below(record.ops.len() + 1);
        let case = format!("operation {end}, image {number}, seed {seed}");
        let image =
            if number % 3 == 0 { record.after_kill(end) } else { record.image(end, &mut chance, &honest) };
        park.lay(&image).expect("files can be written");
        let marks = record.marks(end).count();
        match SqliteLedger::open(&options(folder.path())) {
            Ok(ledger) => {
                let is_known = ledger.standing(&key(0).1.key_id).is_ok();
                assert!(is_known || marks < 2, "a registered key is gone: {case}");
            }
            Err(error) => {
                count(&mut refused, error.code());
                assert_eq!((error.code(), marks), ("no_ledger", 0), "{error}: {case}");
                SqliteLedger::create(&options(folder.path()), NewLedger::default())
                    .unwrap_or_else(|error| panic!("cannot be made again: {error}: {case}"));
                SqliteLedger::open(&options(folder.path()))
                    .unwrap_or_else(|error| panic!("made again and refused: {error}: {case}"));
            }
        }
    }
    assert!(refused.contains_key("no_ledger"), "no image was of the time before: {refused:?}");
}

#[test]
fn a_ledger_whose_making_was_interrupted_can_be_made_again() {
    births(60, seed(1));
}

#[test]
#[ignore = "2,000 images, a minute"]
fn a_ledger_whose_making_was_interrupted_can_be_made_again_long() {
    births(2000, seed(2));
}
