//! Keys that sign through a ledger.

use super::{Folder, new_ledger, open};
use phalanx_core::Inline;
use phalanx_custody::ledger::{
    EpochLedger, GuardError, Guarded, InitialState, MemoryLedger, Problem, Refused, sign_through,
    xmss_instance,
};
use phalanx_xmss::{Format, ParameterSet, SigningKey};
use std::sync::Arc;

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
    let refused = sign_through(&ledger, &mut held, 3, &[2; 32]);
    assert!(matches!(refused, Err(GuardError::Refused(Refused::EpochUsed))));
    // A guarded copy of it asks the same ledger.
    let ledger: Arc<dyn EpochLedger> = Arc::new(ledger);
    let guarded = Guarded::new(key(1), ledger).expect("it is known");
    assert!(guarded.answer(3, &[1; 32]).expect("the same message").repeated);
    assert!(guarded.answer(3, &[2; 32]).is_err());
    assert!(!guarded.answer(4, &[2; 32]).expect("a new epoch").repeated);
}
