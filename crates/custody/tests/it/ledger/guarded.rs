//! Keys that sign through a ledger.

use super::{Folder, new_ledger, open, options};
use phalanx_core::Inline;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{
    EpochLedger, GuardError, Guarded, InitialState, MemoryLedger, Observer, Problem, Refused, SharedKey,
    sign_through, xmss_instance,
};
use phalanx_xmss::{Format, ParameterSet, SigningKey};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[seed; 32], 0..256).expect("a key")
}

fn register(ledger: &impl EpochLedger, key: &SigningKey) {
    let public_key = key.verifying_key().to_bytes(Format::Ssz);
    ledger.register(&xmss_instance(key, "attester"), &public_key, InitialState::New).expect("a new key");
}

#[test]
fn a_guarded_key_signs_one_message_an_epoch_across_lives() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    register(&ledger, &key(1));
    let guarded = Guarded::new(key(1), Arc::new(ledger)).expect("it is known");
    let signature = guarded.sign(40, &[1; 32]).expect("a new epoch");
    guarded.verifying_key().verify(40, &[1; 32], &signature).expect("it verifies");
    drop(guarded);
    let guarded = Guarded::new(key(1), Arc::new(open(folder.path()))).expect("it is known");
    let again = guarded.sign(40, &[1; 32]).expect("the same message");
    assert!(again.to_bytes(Format::Ssz) == signature.to_bytes(Format::Ssz), "the identical signature");
    let refused = guarded.sign(40, &[2; 32]);
    assert!(matches!(refused, Err(GuardError::Refused(Refused::EpochUsed))));
    guarded.sign(200, &[3; 32]).expect("the window moves on");
}

#[test]
fn an_unknown_key_is_not_guarded() {
    let ledger = Arc::new(MemoryLedger::default());
    let Err(GuardError::Ledger(error)) = Guarded::new(key(1), Arc::clone(&ledger)).map(|_| ()) else {
        panic!("the ledger does not know it");
    };
    assert_eq!(error.problem(), Problem::NoState);
    register(&*ledger, &key(1));
    assert!(Guarded::new(key(2), Arc::clone(&ledger)).is_err());
    // The same seed with another interval: other public key, same one-time keys.
    let other = SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[1; 32], 0..64).expect("a key");
    assert!(matches!(Guarded::new(other, ledger), Err(GuardError::Ledger(_))));
}

#[test]
fn many_are_signed_together() {
    let ledger = Arc::new(MemoryLedger::default());
    let keys: Vec<_> = (1..4)
        .map(|seed| {
            register(&*ledger, &key(seed));
            Guarded::new(key(seed), Arc::clone(&ledger)).expect("it is known")
        })
        .collect();
    let (a, b) = ([1; 32], [2; 32]);
    let wanted = [(&keys[0], 3, &a), (&keys[1], 3, &a), (&keys[0], 3, &b), (&keys[2], 9, &b)];
    let signed = Guarded::sign_many(&wanted, &Inline);
    for (i, (key, epoch, message)) in wanted.iter().enumerate() {
        match &signed[i] {
            Ok(signature) => key.verifying_key().verify(*epoch, message, signature).expect("it verifies"),
            Err(error) => assert!(i == 2 && matches!(error, GuardError::Refused(Refused::EpochUsed))),
        }
    }
}

#[test]
fn a_shared_key_moves_on_beside_those_who_sign() {
    let ledger = Arc::new(MemoryLedger::default());
    register(&*ledger, &key(1));
    let shared = SharedKey::new(key(1));
    let guarded = Guarded::sharing(&shared, Arc::clone(&ledger)).expect("it is known");
    let sign = |epoch: u32, message: &[u8; 32]| {
        Guarded::answer_prepared(&[(&guarded, epoch, message)], &Inline).pop().expect("one answer")
    };
    assert_eq!(shared.prepared(), 0..32);
    assert!(!sign(10, &[3; 32]).expect("prepared").repeated);
    let first = sign(31, &[1; 32]).expect("prepared");
    assert!(!first.repeated);
    assert!(sign(31, &[1; 32]).expect("the same again").repeated);
    assert!(matches!(sign(200, &[1; 32]), Err(GuardError::NotPrepared { epoch: 200, end: 32 })));
    assert_eq!(ledger.standing(&guarded.key_id()).expect("known").highest, Some(31), "nothing was reserved");
    let move_to = |epoch: u64| {
        let mut trees = shared.trees_to(epoch);
        let count = trees.len();
        let go_on = |_| ControlFlow::Continue(());
        trees.iter_mut().for_each(|tree| tree.compute_on(&Inline, &go_on).expect("nothing stops it"));
        shared.move_on_with(trees).expect("they are this key's");
        (count, shared.prepared())
    };
    assert_eq!(move_to(31), (0, 0..32));
    assert_eq!(move_to(32), (1, 16..48));
    assert_eq!(move_to(200), (2, 192..224));
    assert!(sign(200, &[2; 32]).is_ok(), "another message than the one that was not signed");
    assert!(matches!(sign(40, &[1; 32]), Err(GuardError::Signing(_))), "passed");
    // What it has signed in trees that it has left behind it signs again, and nothing else.
    let again = sign(31, &[1; 32]).expect("the same message");
    assert!(again.repeated && again.signature == first.signature);
    assert!(matches!(sign(31, &[2; 32]), Err(GuardError::Refused(Refused::EpochUsed))));
    assert!(matches!(guarded.answer(31, &[2; 32]), Err(GuardError::Refused(Refused::EpochUsed))));
    assert!(matches!(guarded.answer(40, &[1; 32]), Err(GuardError::Signing(_))));
    let waited = guarded.answer(31, &[1; 32]).expect("the same message");
    assert!(waited.repeated && waited.signature == first.signature);
    // Of several trees one is computed where nobody waits.
    let two: [(_, _, &[u8; 32]); 2] = [(&guarded, 31, &[1; 32]), (&guarded, 10, &[3; 32])];
    let answers = Guarded::answer_prepared(&two, &Inline);
    assert!(answers[0].is_ok() && matches!(answers[1], Err(GuardError::NotPrepared { epoch: 10, .. })));
    assert!(sign(10, &[3; 32]).expect("the same message").repeated);
    ledger.raise_low(&guarded.key_id(), 100, "a doubt").expect("it rises");
    assert!(matches!(sign(40, &[1; 32]), Err(GuardError::Refused(Refused::Passed))), "so the ledger says");
    assert!(sign(31, &[1; 32]).is_ok(), "repeats are below watermarks, too");
    assert_eq!(move_to(255), (2, 224..256), "the last two trees");
    assert_eq!(move_to(1000), (0, 224..256));
    assert!(matches!(sign(256, &[1; 32]), Err(GuardError::Refused(Refused::Exhausted))));
}

/// Counts what it is told.
#[derive(Default)]
struct Counts(Mutex<Vec<(u64, usize)>>);

impl Observer for Counts {
    fn committed(&self, what: &phalanx_custody::ledger::Committed) {
        assert!(what.witness <= what.whole);
        self.0.lock().expect("nobody panics").push((what.group, what.records));
    }

    fn repaired(&self, what: &str) {
        panic!("nothing to repair: {what}");
    }

    fn suspicious_flush(&self, _: &Path, _: Duration) {}
}

#[test]
fn probes_flush_and_leave_nothing() {
    let folder = Folder::new();
    drop(new_ledger(folder.path()));
    let counts = Arc::new(Counts::default());
    let watcher: Arc<dyn Observer> = Arc::clone(&counts) as _;
    let ledger = SqliteLedger::open(&options(folder.path()).observer(watcher)).expect("it opens");
    register(&ledger, &key(1));
    let before = counts.0.lock().expect("nobody panics").clone();
    ledger.probe().expect("both files can be flushed");
    assert_eq!(*counts.0.lock().expect("nobody panics"), before, "a probe is no group");
    let log = folder.join("witness-00000001.log");
    std::fs::rename(&log, folder.join("elsewhere")).expect("it can be renamed");
    assert!(ledger.probe().is_err(), "a probe sees that a file is gone");
    assert!(ledger.probe().is_err(), "and the ledger has stopped");
}

#[test]
fn a_key_that_stays_with_its_holder_signs_one_message_an_epoch() {
    let ledger = MemoryLedger::default();
    let mut held = key(1);
    let unknown = sign_through(&ledger, &mut held, 3, &[1; 32]);
    let Err(GuardError::Ledger(error)) = unknown else { panic!("the ledger does not know it") };
    assert_eq!(error.problem(), Problem::NoState);
    register(&ledger, &held);
    let first = sign_through(&ledger, &mut held, 3, &[1; 32]).expect("a new epoch");
    assert!(!first.repeated);
    held.verifying_key().verify(3, &[1; 32], &first.signature).expect("it verifies");
    let again = sign_through(&ledger, &mut held, 3, &[1; 32]).expect("the same message");
    assert!(again.repeated && again.signature == first.signature);
    sign_through(&ledger, &mut held, 200, &[1; 32]).expect("it moves on");
    let again = sign_through(&ledger, &mut held, 3, &[1; 32]).expect("in a tree that it has left behind");
    assert!(again.repeated && again.signature == first.signature);
    let refused = sign_through(&ledger, &mut held, 3, &[2; 32]);
    assert!(matches!(refused, Err(GuardError::Refused(Refused::EpochUsed))));
    // A guarded copy of it asks the same ledger.
    let ledger: Arc<dyn EpochLedger> = Arc::new(ledger);
    let guarded = Guarded::new(key(1), ledger).expect("it is known");
    assert!(guarded.answer(3, &[1; 32]).expect("the same message").repeated);
    assert!(guarded.answer(3, &[2; 32]).is_err());
    assert!(!guarded.answer(4, &[2; 32]).expect("a new epoch").repeated);
}
