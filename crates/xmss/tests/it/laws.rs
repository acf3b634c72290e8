//! Properties of the signature scheme, on random keys, epochs and messages: what is signed verifies, what is encoded decodes,
//! and a single flipped bit is refused.

use crate::support::params;
use phalanx_reference as plain;
use phalanx_xmss::{Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many};
use proptest::prelude::*;

const SETS: [ParameterSet; 2] = [ParameterSet::POSEIDON1_L8_D4B8_TEST, ParameterSet::POSEIDON2_L8_D64B8];

/// A key of 32 to 64 epochs around `epoch`, so that some signatures need a step and some do not.
fn key_around(set: ParameterSet, seed: &[u8; 32], epoch: u8) -> SigningKey {
    let start = u64::from(epoch).saturating_sub(33);
    SigningKey::from_seed(set, seed, start..u64::from(epoch) + 1).expect("fits")
}

fn set_strategy() -> impl Strategy<Value = ParameterSet> {
    prop::sample::select(SETS.to_vec())
}

/// Both results of the library, and the reference's on what the library encodes.
fn results(key: &VerifyingKey, epoch: u32, message: &[u8; 32], signature: &Signature) -> [bool; 3] {
    let good = SignedMessage { key, epoch, message, signature };
    let params = params(key.parameter_set());
    let public = plain::wire::decode_public_key(plain::wire::Format::Ssz, params, &key.to_bytes(Format::Ssz));
    let made =
        plain::wire::decode_signature(plain::wire::Format::Ssz, params, &signature.to_bytes(Format::Ssz));
    let (public, made) = (public.expect("well formed"), made.expect("well formed"));
    [
        key.verify(epoch, message, signature).is_ok(),
        verify_many(&[good, good])[1].is_ok(),
        plain::verify(params, &public, epoch.into(), message, &made),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn what_is_signed_verifies(set in set_strategy(), seed: [u8; 32], epoch: u8, message: [u8; 32]) {
        let mut key = key_around(set, &seed, epoch);
        let signature = key.sign(epoch.into(), &message).expect("active");
        prop_assert_eq!(signature.parameter_set(), set);
        prop_assert_eq!(results(&key.verifying_key(), epoch.into(), &message, &signature), [true; 3]);
    }

    #[test]
    fn what_is_encoded_decodes(set in set_strategy(), seed: [u8; 32], epoch: u8, message: [u8; 32]) {
        let mut key = key_around(set, &seed, epoch);
        let signature = key.sign(epoch.into(), &message).expect("active");
        let verifying = key.verifying_key();
        for &format in Format::ALL {
            let bytes = signature.to_bytes(format);
            let again = Signature::from_bytes(set, format, &bytes);
            prop_assert_eq!(again.as_ref(), Ok(&signature));
            let bytes = verifying.to_bytes(format);
            prop_assert_eq!(VerifyingKey::from_bytes(set, format, &bytes), Ok(verifying));
            let bytes = key.to_bytes(format);
            let again = SigningKey::from_bytes(set, format, &bytes).expect("own bytes");
            prop_assert!(again.to_bytes(format) == bytes, "{} {}", set, format);
            prop_assert_eq!(again.verifying_key(), verifying);
            prop_assert_eq!(again.prepared_interval(), key.prepared_interval());
            prop_assert_eq!(again.activation_interval(), key.activation_interval());
        }
    }

    /// Somebody else's key, epoch or message. (Four chains collide once in thousands; the reference says when.)
    #[test]
    fn what_was_not_signed_does_not_verify(
        set in set_strategy(), seed: [u8; 32], epoch: u8, message: [u8; 32], other: [u8; 32], other_epoch: u32,
    ) {
        prop_assume!(other != message && other_epoch != u32::from(epoch));
        let mut key = key_around(set, &seed, epoch);
        let signature = key.sign(epoch.into(), &message).expect("active");
        let stranger = key_around(set, &other, epoch).verifying_key();
        for (key, epoch, message) in [
            (&stranger, epoch.into(), &message),
            (&key.verifying_key(), other_epoch, &message),
            (&key.verifying_key(), epoch.into(), &other),
        ] {
            let [alone, in_batch, by_reference] = results(key, epoch, message, &signature);
            prop_assert_eq!([alone, in_batch], [by_reference; 2]);
            prop_assert!(!alone || set.is_insecure());
        }
    }

    /// Two messages of one epoch, from two copies of a key in two processes, say: different signatures, both valid.
    /// (That they may not both be made is what `signing.rs` is about.)
    #[test]
    fn signatures_depend_on_all_inputs(seed: [u8; 32], epoch: u8, message: [u8; 32], bit in 0usize..256) {
        let set = ParameterSet::POSEIDON1_L8_D4B8_TEST;
        let mut key = key_around(set, &seed, epoch);
        let first = key.sign(epoch.into(), &message).expect("active");
        let mut other = message;
        other[bit / 8] ^= 1 << (bit % 8);
        let second = phalanx_xmss::hazmat::sign_unrecorded(&key, epoch.into(), &other).expect("prepared");
        prop_assert_ne!(&first, &second);
        prop_assert_eq!(key.verifying_key().verify(epoch.into(), &other, &second), Ok(()));
    }
}

/// `bytes` with one bit flipped, for every bit.
fn flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..8 * bytes.len()).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}

/// Every bit of everything a verifier is given, one at a time. With 64 chains: four could collide.
#[test]
fn every_single_bit_counts() {
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    let mut key = SigningKey::from_seed(set, &[9; 32], 0..32).expect("fits");
    let (epoch, message) = (21, [0x5a; 32]);
    let signature = key.sign(epoch, &message).expect("active");
    let verifying = key.verifying_key();
    let good = SignedMessage { key: &verifying, epoch, message: &message, signature: &signature };

    let form = signature.to_bytes(Format::Ssz);
    let decoded: Vec<Signature> =
        flips(&form).filter_map(|form| Signature::from_bytes(set, Format::Ssz, &form).ok()).collect();
    // Offsets and the bits that make an element non-canonical stop at decoding, all others here.
    assert!(decoded.len() > 30 * 8 * form.len() / 32 - 500, "{} of {} bits", decoded.len(), 8 * form.len());
    let signed: Vec<_> = decoded.iter().map(|signature| SignedMessage { signature, ..good }).collect();
    assert!(verify_many(&signed).iter().all(Result::is_err), "a bit of the signature");

    let keys: Vec<_> = flips(&verifying.to_bytes(Format::Ssz))
        .filter_map(|form| VerifyingKey::from_bytes(set, Format::Ssz, &form).ok())
        .collect();
    assert!(keys.len() >= 13 * 28, "{} keys", keys.len());
    let signed: Vec<_> = keys.iter().map(|key| SignedMessage { key, ..good }).collect();
    assert!(verify_many(&signed).iter().all(Result::is_err), "a bit of the key");

    let messages: Vec<[u8; 32]> =
        flips(&message).map(|message| message.try_into().expect("as long as before")).collect();
    let signed: Vec<_> = messages.iter().map(|message| SignedMessage { message, ..good }).collect();
    assert!(verify_many(&signed).iter().all(Result::is_err), "a bit of the message");

    let signed: Vec<_> = (0..32).map(|bit| SignedMessage { epoch: epoch ^ (1 << bit), ..good }).collect();
    assert!(verify_many(&signed).iter().all(Result::is_err), "a bit of the epoch");
    assert_eq!(verify_many(&[good]), [Ok(())]);
}
