//! XMSS over BLAKE2s from outside: the reference, the vectors in one mixed list, and the rules of signing.

use phalanx_reference::xmss_blake2s as reference;
use phalanx_testing::{on_every_backend, vectors};
use phalanx_xmss::blake2s::{
    KeyGeneration, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many,
    verify_many_on,
};
use phalanx_xmss::hazmat::blake2s::sign_unrecorded;
use phalanx_xmss::{Error, Inline, InvalidSignature, Malformed};
use serde_json::Value;
use std::ops::ControlFlow;

const LAST: u64 = (1 << 32) - 1;

#[test]
fn keys_and_signatures_are_those_of_the_reference() {
    let cases =
        [(0, 0), (3, 4), (100, 289), (1 << 31, (1 << 31) + 130), (LAST - 2, LAST)].map(|(first, last)| {
            let narrow = |epoch: u64| u32::try_from(epoch).expect("an epoch");
            let seed = [u8::try_from(last % 251).expect("small"); 32];
            let key = reference::SecretKey::new(reference::Profile::B, &seed, narrow(first), narrow(last));
            let key = key.expect("a range");
            let signed = [narrow(first), narrow(last)].map(|epoch| {
                let message = [narrow(first).to_le_bytes()[0]; 32];
                let (signature, trial) = reference::sign(&key, epoch, &message).expect("an epoch of the key");
                (epoch, message, signature.to_bytes(), trial)
            });
            (seed, first..last + 1, key.public_key().to_bytes(), signed)
        });
    on_every_backend(|_| {
        for (seed, epochs, public_key, signed) in &cases {
            let mut key = SigningKey::from_seed(seed, epochs.clone()).expect("fits");
            assert_eq!(key.activation_interval(), *epochs);
            assert_eq!(key.verifying_key().to_bytes()[..], public_key[..], "{epochs:?}");
            for (epoch, message, wanted, wanted_trial) in signed {
                while u64::from(*epoch) >= key.prepared_interval().end {
                    assert!(key.advance().expect("its own tree"), "there are more");
                }
                let (signature, trial) = sign_unrecorded(&key, *epoch, message).expect("signs");
                assert_eq!(signature.to_bytes()[..], wanted[..], "{epochs:?}, epoch {epoch}");
                assert_eq!(trial, *wanted_trial);
                assert_eq!(key.verifying_key().verify(*epoch, message, &signature), Ok(()));
            }
        }
    });
}

/// What a case of a vector file asks, decoded, and whether it verifies.
struct Case {
    key: VerifyingKey,
    epoch: u32,
    message: [u8; 32],
    signature: Signature,
    is_valid: bool,
}

/// The cases of both profiles that decode, those of one profile between those of the other.
fn cases() -> Vec<Case> {
    let bytes =
        |case: &Value, key: &str| hex::decode(case[key].as_str().expect("hexadecimal")).expect("digits");
    let mut lists =
        [("profile-a.json", ParameterSet::A_L32_D42B8), ("profile-b.json", ParameterSet::L32_D42B8)].map(
            |(file, set)| {
                let text =
                    std::fs::read_to_string(vectors("xmss-blake2s").join(file)).expect("the file is there");
                let file: Value = serde_json::from_str(&text).expect("JSON");
                let mut cases = Vec::new();
                for case in file["verify"].as_array().expect("a list") {
                    let key = VerifyingKey::from_bytes(set, &bytes(case, "public_key"));
                    let signature = Signature::from_bytes(set, &bytes(case, "signature"));
                    let (Ok(key), Ok(signature)) = (key, signature) else {
                        assert_eq!(case["result"], "bad_length");
                        continue;
                    };
                    cases.push(Case {
                        key,
                        epoch: u32::try_from(case["epoch"].as_u64().expect("an epoch")).expect("32 bits"),
                        message: bytes(case, "message").try_into().expect("32 bytes"),
                        signature,
                        is_valid: case["result"] == "valid",
                    });
                }
                cases.into_iter()
            },
        );
    let mut mixed = Vec::new();
    while lists.iter().any(|list| list.len() > 0) {
        mixed.extend(lists.iter_mut().filter_map(Iterator::next));
    }
    assert!(mixed.len() > 128, "more than two chunks");
    mixed
}

#[test]
fn mixed_lists_of_any_length() {
    let cases = cases();
    let wanted: Vec<_> =
        cases.iter().map(|case| if case.is_valid { Ok(()) } else { Err(InvalidSignature) }).collect();
    let signed: Vec<_> = cases
        .iter()
        .map(|Case { key, epoch, message, signature, .. }| SignedMessage {
            key,
            epoch: *epoch,
            message,
            signature,
        })
        .collect();
    on_every_backend(|_| {
        for count in [0, 1, 2, 3, 5, 16, 17, 33, 64, 65, signed.len()] {
            assert_eq!(verify_many(&signed[..count]), wanted[..count], "the first {count}");
            assert_eq!(verify_many(&signed[signed.len() - count..]), wanted[signed.len() - count..]);
        }
        assert_eq!(verify_many_on(&Inline, &signed), wanted);
        for (case, wanted) in cases.iter().zip(&wanted) {
            assert_eq!(case.key.verify(case.epoch, &case.message, &case.signature), *wanted);
        }
    });
}

#[test]
fn a_signature_of_one_profile_is_none_of_the_other() {
    // Among the others is a valid signature of profile A where one of profile B should be.
    for Case { key, epoch, message, signature, is_valid } in cases().into_iter().filter(|case| case.is_valid)
    {
        let others = ParameterSet::ALL.into_iter().filter(|set| *set != key.parameter_set());
        for set in others {
            let other_key = VerifyingKey::from_bytes(set, &key.to_bytes()).expect("any 32 bytes");
            let other = Signature::from_bytes(set, &signature.to_bytes()).expect("any 1208 bytes");
            assert_eq!(other_key.verify(epoch, &message, &other), Err(InvalidSignature));
            // Of two sets: refused before anything is hashed.
            assert_eq!(key.verify(epoch, &message, &other), Err(InvalidSignature));
            assert_eq!(other_key.verify(epoch, &message, &signature), Err(InvalidSignature));
        }
        assert_eq!(key.verify(epoch, &message, &signature).is_ok(), is_valid);
    }
}

/// Every byte of a signature and of a key counts.
#[test]
fn a_changed_byte_is_noticed() {
    let mut key = SigningKey::from_seed(&[0xc4; 32], 40..44).expect("fits");
    let signature = key.sign(41, &[9; 32]).expect("signs");
    let (verifying_key, set) = (key.verifying_key(), key.parameter_set());
    let changed: Vec<Signature> = (0..Signature::LEN_BYTES)
        .map(|i| {
            let mut bytes = signature.to_bytes();
            bytes[i] ^= 1 << (i % 8);
            Signature::from_bytes(set, &bytes).expect("any 1208 bytes")
        })
        .collect();
    let keys: Vec<VerifyingKey> = (0..VerifyingKey::LEN_BYTES)
        .map(|i| {
            let mut bytes = verifying_key.to_bytes();
            bytes[i] ^= 1 << (i % 8);
            VerifyingKey::from_bytes(set, &bytes).expect("any 32 bytes")
        })
        .collect();
    let (epoch, message) = (41, &[9; 32]);
    let mut signed: Vec<_> = changed
        .iter()
        .map(|signature| SignedMessage { key: &verifying_key, epoch, message, signature })
        .collect();
    signed.extend(keys.iter().map(|key| SignedMessage { key, epoch, message, signature: &signature }));
    assert!(verify_many(&signed).iter().all(Result::is_err));
    assert_eq!(verifying_key.verify(epoch, message, &signature), Ok(()));
}

#[test]
fn only_whole_keys_and_signatures_are_read() {
    for set in ParameterSet::ALL {
        for len in [0, 31, 33, 52, 1208] {
            let error = Malformed { what: "length in bytes", got: len, wanted: 32 };
            let bytes = vec![7; usize::try_from(len).expect("small")];
            assert_eq!(VerifyingKey::from_bytes(set, &bytes), Err(error));
        }
        for len in [0, 32, 1207, 1209, 3112] {
            let error = Malformed { what: "length in bytes", got: len, wanted: 1208 };
            let bytes = vec![7; usize::try_from(len).expect("small")];
            assert_eq!(Signature::from_bytes(set, &bytes), Err(error));
        }
    }
}

#[test]
fn an_epoch_signs_one_message_and_a_key_never_moves_back() {
    let mut key = SigningKey::from_seed(&[0xc5; 32], 100..1000).expect("fits");
    assert_eq!(key.prepared_interval(), 100..256);
    assert_eq!(key.sign(99, &[0; 32]), Err(Error::NotActive { epoch: 99, start: 100, end: 1000 }));
    assert_eq!(key.sign(1000, &[0; 32]), Err(Error::Exhausted { epoch: 1000, end: 1000 }));
    let first = key.sign(100, &[1; 32]).expect("signs");
    assert_eq!(key.sign(100, &[2; 32]), Err(Error::EpochUsed { epoch: 100 }));
    assert_eq!(key.sign(100, &[1; 32]), Ok(first), "the same message again");
    // To the next tree, and past some.
    for (epoch, prepared) in [(300, 128..384), (700, 512..768), (999, 768..1000)] {
        let signature = key.sign(epoch, &[3; 32]).expect("signs");
        assert_eq!(key.prepared_interval(), prepared);
        assert_eq!(key.verifying_key().verify(epoch, &[3; 32], &signature), Ok(()));
    }
    assert_eq!(key.sign(700, &[3; 32]), Err(Error::Passed { epoch: 700, prepared: 768 }));
    assert_eq!(key.advance(), Ok(false));
    assert!(key.next_tree().is_none());
}

#[test]
fn one_seed_is_one_key() {
    let [mut one, mut other] =
        [0..4, 0..5].map(|epochs| SigningKey::from_seed(&[0xc6; 32], epochs).expect("fits"));
    assert_eq!(one.one_time_key_id(), other.one_time_key_id());
    assert_eq!(one.verifying_key().key_id(), other.verifying_key().key_id());
    assert_ne!(one.verifying_key(), other.verifying_key());
    assert!(one.sign(0, &[1; 32]).is_ok());
    let refused = Error::OtherInstance { scheme: "xmss-blake2s-l32-d42b8", start: 0, end: 4 };
    assert_eq!(other.sign(1, &[1; 32]), Err(refused));
    let copy = KeyGeneration::from_seed(&[0xc6; 32], 0..4).expect("fits");
    assert_eq!(copy.key_id(), one.verifying_key().key_id());
    assert_eq!(copy.one_time_key_id(), one.one_time_key_id());
}

#[test]
fn generation_can_be_watched_and_stopped() {
    let mut generation = KeyGeneration::from_seed(&[0xc7; 32], 1000..1400).expect("fits");
    assert_eq!(generation.progress().leaves_total, 400);
    let stopped = generation.step_on(&Inline, &|_| ControlFlow::Break(()));
    assert_eq!(stopped, Err(Error::Unfinished));
    let mut trees = Vec::new();
    while let Some(tree) = generation.step_on(&Inline, &|_| ControlFlow::Continue(())).expect("goes on") {
        trees.push(tree);
    }
    assert_eq!(trees, [9, 10, 7, 8], "those that the key holds come last");
    assert_eq!(generation.progress().leaves_done, 400);
    let key = generation.finish().expect("finished");
    assert_eq!(
        key.verifying_key(),
        SigningKey::from_seed(&[0xc7; 32], 1000..1400).expect("fits").verifying_key()
    );
    let mut next = key.next_tree().expect("there is a third");
    assert_eq!(next.epochs(), 1152..1280);
    let stopped = next.compute_on(&Inline, &|_| ControlFlow::Break(()));
    assert_eq!(stopped, Err(Error::Unfinished));
    let unfinished = KeyGeneration::from_seed(&[0xc7; 32], 0..1).expect("fits").finish();
    assert!(matches!(unfinished, Err(Error::Unfinished)));
    for (start, end) in [(5, 5), (6, 5), (0, LAST + 2)] {
        let error = Error::Interval { start, count: u64::saturating_sub(end, start), lifetime: 1 << 32 };
        assert_eq!(KeyGeneration::from_seed(&[1; 32], start..end).err(), Some(error));
    }
}
