//! Keys from one seed share their one-time keys, whatever their parameter set and interval: one of them signs.

use super::{FAST, key, reload};
use phalanx_xmss::{Error, Format, KeyGeneration, ParameterSet, SigningKey, hazmat};

/// Values of `vectors/custody/ledger/identity.json`: a seed, and what all seven sets make of it.
const SEED: &str = "b4330b68ab0a82673e6ab7883c90ac2c30b6c3e82aee3d94d7ff5cc23f42c2c8";
const KEY_ID: &str = "02f44264bef24fb2437152021e6a1afd67c9f3dbad3e819e6de65d602c4c14cc";
const ONE_TIME_KEY_ID: &str = "e7181faf368b401bbdd36fbe3f313b1cdfbc8e3d16290c8cf59b032adc6682e5";

fn seed() -> [u8; 32] {
    hex::decode(SEED).expect("hexadecimal").try_into().expect("32 bytes")
}

/// A key of any set in a moment: only two of its epochs are sound.
fn partial(set: ParameterSet, seed: &[u8; 32]) -> SigningKey {
    hazmat::partial_key(set, seed, 0..2)
}

#[test]
fn names_depend_on_the_one_time_keys_alone() {
    for set in ParameterSet::ALL {
        let key = partial(set, &seed());
        assert_eq!(key.verifying_key().key_id().to_string(), KEY_ID, "{set}");
        assert_eq!(key.one_time_key_id().to_string(), ONE_TIME_KEY_ID, "{set}");
        for start in [0, 100] {
            let generation = KeyGeneration::from_seed(set, &seed(), start..start + 50).expect("fits");
            assert_eq!(generation.key_id().to_string(), KEY_ID);
            assert_eq!(generation.one_time_key_id().to_string(), ONE_TIME_KEY_ID);
        }
    }
    let other = partial(FAST, &[60; 32]);
    assert_ne!(other.verifying_key().key_id().to_string(), KEY_ID);
    assert_ne!(other.one_time_key_id().to_string(), ONE_TIME_KEY_ID);
    assert_eq!(format!("{:?}", other.one_time_key_id()).len(), "OneTimeKeyId()".len() + 64);
}

/// The audit's forgery: the interval changes the root, and so made another key of the same one-time keys.
#[test]
fn of_two_intervals_one_signs() {
    let (mut narrow, mut wide) = (key(61, 0, 32), key(61, 0, 48));
    assert!(narrow.sign(3, &[1; 32]).is_ok());
    let refused = Err(Error::OtherInstance { scheme: FAST.name(), start: 0, end: 32 });
    for (epoch, message) in [(3, [2; 32]), (3, [1; 32]), (4, [1; 32]), (40, [1; 32])] {
        assert_eq!(wide.sign(epoch, &message), refused);
        assert_eq!(reload(&wide).sign(epoch, &message), refused);
    }
    // The first key goes on, and so does every copy of it.
    drop(wide);
    assert!(reload(&narrow).sign(4, &[4; 32]).is_ok());
    assert!(key(61, 0, 20).sign(5, &[5; 32]).is_ok(), "the same interval after rounding");
    assert_eq!(narrow.sign(4, &[1; 32]), Err(Error::EpochUsed { epoch: 4 }));
    assert_eq!(narrow.sign(5, &[1; 32]), Err(Error::EpochUsed { epoch: 5 }));
}

#[test]
fn of_seven_parameter_sets_one_signs() {
    for (index, first) in ParameterSet::ALL.into_iter().enumerate() {
        let seed = [70 + u8::try_from(index).expect("seven sets"); 32];
        let mut signer = partial(first, &seed);
        let end = signer.activation_interval().end;
        assert!(signer.sign(1, &[1; 32]).is_ok());
        let refused = Err(Error::OtherInstance { scheme: first.name(), start: 0, end });
        // Every ordered pair would take five times as long: the next set stands for the others.
        let other = ParameterSet::ALL[(index + 1) % ParameterSet::ALL.len()];
        let mut other = partial(other, &seed);
        for (epoch, message) in [(0, [1; 32]), (1, [1; 32]), (1, [2; 32])] {
            assert_eq!(other.sign(epoch, &message), refused, "{first} then {}", other.parameter_set());
        }
        assert!(signer.sign(0, &[2; 32]).is_ok());
    }
}

/// Loading or generating is not signing: keys that are looked at do not take an identity.
#[test]
fn only_signing_decides() {
    let (mut narrow, mut wide) = (key(62, 0, 32), key(62, 0, 48));
    assert_eq!(wide.sign(48, &[1; 32]), Err(Error::Exhausted { epoch: 48, end: 48 }));
    assert!(narrow.advance().is_ok() && wide.advance().is_ok());
    assert!(narrow.sign(20, &[1; 32]).is_ok(), "a refused epoch does not decide either");
    assert!(wide.sign(20, &[1; 32]).is_err());
}

/// What keeps its own record neither asks this one nor fills it.
#[test]
fn reserved_elsewhere() {
    let mut key = key(63, 0, 256);
    let signature = hazmat::sign_reserved(&mut key, 200, &[1; 32]).expect("active");
    assert_eq!(key.verifying_key().verify(200, &[1; 32], &signature), Ok(()));
    assert_eq!(key.prepared_interval(), 176..208, "it has moved on");
    assert_eq!(hazmat::sign_reserved(&mut key, 5, &[1; 32]), Err(Error::Passed { epoch: 5, prepared: 176 }));
    assert_eq!(hazmat::check_can_sign(&key, 256), Err(Error::Exhausted { epoch: 256, end: 256 }));
    assert!(key.sign(200, &[2; 32]).is_ok(), "the process's record knows nothing of it");
    let again = key.sign(200, &[2; 32]).expect("the same message").to_bytes(Format::Ssz);
    assert_ne!(again, signature.to_bytes(Format::Ssz));
}
