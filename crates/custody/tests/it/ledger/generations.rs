//! Keys over BLAKE2s: through a ledger, and in keystores.

use super::{Folder, new_ledger, open};
use crate::keystore_writing::{ACCEPT, CHEAP, password};
use phalanx_core::Inline;
use phalanx_custody::EpochKey;
use phalanx_custody::keystore::{
    KeySecret, Keystore, NewKey, OpenKey, Role, Scheme, SealedFile, Verdict, trees,
};
use phalanx_custody::ledger::{
    EpochLedger, GuardError, Guarded, InitialState, MemoryLedger, Problem, Refused, SharedKey, sign_through,
    xmss_instance,
};
use phalanx_xmss::any::{ParameterSet, SigningKey};
use phalanx_xmss::blake2s;
use std::fs;
use std::ops::Range;
use std::sync::Arc;

pub(crate) fn key(seed: u8, epochs: Range<u64>) -> SigningKey {
    let key = blake2s::SigningKey::from_seed(&[seed; 32], epochs).expect("the epochs fit");
    SigningKey::Blake2s(Box::new(key))
}

fn public_key(key: &SigningKey) -> Vec<u8> {
    SigningKey::public_key(&key.verifying_key())
}

fn register(ledger: &impl EpochLedger, key: &SigningKey) -> Result<(), Problem> {
    let instance = xmss_instance(key, "attester");
    ledger.register(&instance, &public_key(key), InitialState::New).map_err(|error| error.problem())
}

#[test]
fn an_epoch_signs_one_message_across_lives() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    register(&ledger, &key(1, 0..600)).expect("a new key");
    let guarded = Guarded::new(key(1, 0..600), Arc::new(ledger)).expect("it is known");
    let signature = guarded.sign(40, &[1; 32]).expect("a new epoch");
    guarded.verifying_key().verify(40, &[1; 32], &signature).expect("it verifies");
    drop(guarded);
    let guarded = Guarded::new(key(1, 0..600), Arc::new(open(folder.path()))).expect("it is known");
    let refused = guarded.sign(40, &[2; 32]);
    assert!(matches!(refused, Err(GuardError::Refused(Refused::EpochUsed))));
    let answers = Guarded::answer_many(&[(&guarded, 599, &[3; 32]), (&guarded, 40, &[1; 32])], &Inline);
    let repeated: Vec<_> = answers.into_iter().map(|answer| answer.expect("both are fine")).collect();
    assert!(!repeated[0].repeated && guarded.prepared() == (384..600));
    assert!(repeated[1].repeated && repeated[1].signature == signature, "in a tree that it has left behind");
    let outside = guarded.sign(600, &[4; 32]);
    assert!(matches!(outside, Err(GuardError::Refused(_))), "the ledger knows the interval");
}

#[test]
fn one_seed_is_one_interval() {
    let ledger = Arc::new(MemoryLedger::default());
    register(&*ledger, &key(1, 0..600)).expect("a new key");
    assert_eq!(register(&*ledger, &key(1, 0..601)), Err(Problem::SameOneTimeKeys));
    assert_eq!(register(&*ledger, &key(1, 0..600)), Ok(()), "the same key again");
    assert!(Guarded::new(key(1, 1..600), Arc::clone(&ledger)).is_err());
    assert!(sign_through(&*ledger, &mut key(1, 1..600), 3, &[1; 32]).is_err());
    // Another family from the same seed has other one-time keys.
    let set = ParameterSet::KoalaBear(phalanx_xmss::ParameterSet::POSEIDON2_L8_D64B8);
    let begun = phalanx_xmss::any::KeyGeneration::from_seed(set, &[1; 32], 0..256).expect("fits");
    let other = begun.run_on(&Inline).expect("nothing stops it");
    assert_eq!(register(&*ledger, &other), Ok(()));
    let mut mine = key(1, 0..600);
    let signed = sign_through(&*ledger, &mut mine, 3, &[1; 32]).expect("a new epoch");
    assert_eq!(mine.verifying_key().verify(3, &[1; 32], &signed.signature), Ok(()));
    let unprepared = Guarded::sharing(&SharedKey::new(mine), ledger).expect("it is known");
    let answers = Guarded::answer_prepared(&[(&unprepared, 500, &[1; 32])], &Inline);
    assert!(matches!(answers[..], [Err(GuardError::NotPrepared { epoch: 500, end: 256 })]));
}

fn keystore(seed: u8, epochs: Range<u64>) -> OpenKey {
    let (secret, made) = (KeySecret::from_seed(&[seed; 32]), key(seed, epochs));
    let new = NewKey::of_xmss_key(&made, &secret, Role::Attester, "").expect("they belong together");
    assert_eq!(new.scheme, Scheme::Blake2s);
    let sealed = SealedFile::new(&new, &password("p"), CHEAP).expect("it fits");
    let file = Keystore::parse(sealed.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    file.open(&password("p"), ACCEPT).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_keystore_gives_the_key_back() {
    let open = keystore(2, 5..500);
    assert_eq!(open.header().public_key, public_key(&key(2, 5..500)));
    let computed = open.any_signing_key_on(&Inline, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(computed.activation_interval(), 5..500, "nothing is rounded");
    assert_eq!(computed.verifying_key(), key(2, 5..500).verifying_key());
    assert!(open.confirm(&key(2, 5..501)).is_err());
    let refused = open.signing_key_on(&Inline, None).err().and_then(|error| error.verdict());
    assert_eq!(refused, Some(Verdict::UnsupportedScheme), "it is not over KoalaBear");
    let foreign = KeySecret::from_seed(&[3; 32]);
    let refused = NewKey::of_xmss_key(&computed, &foreign, Role::Other, "").err();
    assert_eq!(refused.and_then(|error| error.verdict()), Some(Verdict::KeyMismatch));
}

#[test]
fn its_trees_are_kept_without_the_seed() {
    let folder = Folder::new();
    let path = trees::path_beside(&folder.join("key.json"));
    let open = keystore(4, 5..500);
    let cached = || open.cached_any_signing_key_on(&Inline, &path).unwrap_or_else(|error| panic!("{error}"));
    let mut computed = cached();
    assert!(computed.advance().expect("its own tree"));
    open.keep_any_trees(&path, &computed).expect("it is the same key");
    let bytes = fs::read(&path).expect("it was written");
    assert!(!bytes.windows(8).any(|window| window == [4; 8]), "no part of the seed");
    assert_eq!(cached().prepared_interval(), 128..384, "read back, not computed");
    assert!(open.keep_any_trees(&path, &key(4, 5..501)).is_err());
    // Whatever is damaged is computed again.
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, damaged).expect("a file");
        assert_eq!(cached().prepared_interval(), 5..256);
    }
}
