//! Signing and key generation through the public methods: an epoch signs once, keys move on and never back, and every
//! road to a key leads to the same key.

#[cfg(unix)]
mod fork;
mod generation;
mod identity;
mod moving_on;

use phalanx_xmss::{Error, Format, ParameterSet, SigningKey};
use proptest::prelude::*;
use std::sync::{Barrier, Mutex};

/// The set most tests use: its keys take milliseconds.
const FAST: ParameterSet = ParameterSet::POSEIDON1_L8_D4B8_TEST;

/// A key of [`FAST`]. Tests take seeds of their own: the record of used epochs is one for the whole process.
fn key(seed: u8, start: u64, end: u64) -> SigningKey {
    SigningKey::from_seed(FAST, &[seed; 32], start..end).expect("fits")
}

/// A second object of the same key.
fn reload(key: &SigningKey) -> SigningKey {
    SigningKey::from_bytes(key.parameter_set(), Format::Ssz, &key.to_bytes(Format::Ssz)).expect("own bytes")
}

fn is_same(a: &SigningKey, b: &SigningKey) -> bool {
    a.to_bytes(Format::Ssz) == b.to_bytes(Format::Ssz)
}

// ---- an epoch signs one message ----

#[test]
fn a_second_message_is_refused() {
    for (set, seed) in [(FAST, [1; 32]), (ParameterSet::POSEIDON2_L8_D64B8, [101; 32])] {
        let mut key = SigningKey::from_seed(set, &seed, 0..32).expect("fits");
        let first = key.sign(3, &[1; 32]).expect("signs");
        assert_eq!(key.sign(3, &[2; 32]), Err(Error::EpochUsed { epoch: 3 }));
        // A refusal changes nothing: the first message still signs, to the same bytes.
        let again = key.sign(3, &[1; 32]).expect("the same message");
        assert_eq!(first.to_bytes(Format::Ssz), again.to_bytes(Format::Ssz));
        assert_eq!(key.sign(3, &[2; 32]), Err(Error::EpochUsed { epoch: 3 }));
        assert!(key.sign(4, &[2; 32]).is_ok(), "another epoch");
    }
}

#[test]
fn a_key_loaded_twice_has_one_memory() {
    let mut key = key(2, 0, 64);
    let bytes = key.to_bytes(Format::Ssz);
    let [mut first, mut second] = [(); 2].map(|()| reload(&key));
    let signature = first.sign(7, &[1; 32]).expect("signs");
    for other in [&mut second, &mut key] {
        assert_eq!(other.sign(7, &[2; 32]), Err(Error::EpochUsed { epoch: 7 }));
        assert_eq!(other.sign(7, &[1; 32]).as_ref(), Ok(&signature));
    }
    // Neither another encoding, nor dropping every object, nor generating the key again makes it forget.
    let bincode = key.to_bytes(Format::Bincode);
    drop((key, first, second));
    for (format, bytes) in [(Format::Ssz, &bytes), (Format::Bincode, &bincode)] {
        let mut loaded = SigningKey::from_bytes(FAST, format, bytes).expect("own bytes");
        assert_eq!(loaded.sign(7, &[2; 32]), Err(Error::EpochUsed { epoch: 7 }));
    }
    let mut again = self::key(2, 0, 64);
    assert_eq!(again.sign(7, &[2; 32]), Err(Error::EpochUsed { epoch: 7 }));
}

#[test]
fn keys_have_a_memory_each() {
    let (mut a, mut b) = (key(3, 0, 64), key(4, 0, 64));
    assert!(a.sign(7, &[1; 32]).is_ok());
    assert!(b.sign(7, &[2; 32]).is_ok());
}

/// 64 threads, each with a key object and a message of its own, ask for the same epoch at the same time.
#[test]
fn of_racing_threads_one_signs() {
    const RACERS: u8 = 64;
    let whole = key(5, 0, 256);
    let bytes = whole.to_bytes(Format::Ssz);
    // In the prepared interval, and in trees that every racer computes for itself.
    for epoch in [0, 31, 32, 250] {
        let (barrier, outcomes) = (Barrier::new(RACERS.into()), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for racer in 0..RACERS {
                let (barrier, outcomes, bytes) = (&barrier, &outcomes, &bytes);
                scope.spawn(move || {
                    let mut key = SigningKey::from_bytes(FAST, Format::Ssz, bytes).expect("own bytes");
                    barrier.wait();
                    let outcome = key.sign(epoch, &[racer; 32]);
                    outcomes.lock().expect("no panic").push((racer, outcome));
                });
            }
        });
        let outcomes = outcomes.into_inner().expect("no panic");
        assert_eq!(outcomes.len(), usize::from(RACERS));
        let refused = Err(Error::EpochUsed { epoch: epoch.into() });
        let (winners, losers): (Vec<_>, Vec<_>) = outcomes.iter().partition(|(_, outcome)| outcome.is_ok());
        assert!(losers.iter().all(|(_, outcome)| *outcome == refused), "losers are told why");
        let [(racer, Ok(signature))] = winners[..] else { panic!("{} winners at {epoch}", winners.len()) };
        assert_eq!(whole.verifying_key().verify(epoch, &[*racer; 32], signature), Ok(()));
    }
}

// ---- epochs that cannot sign ----

#[test]
fn errors_say_what_was_asked_and_what_there_is() {
    let mut key = key(6, 100, 140);
    assert_eq!((key.activation_interval(), key.prepared_interval()), (96..144, 96..128));
    for epoch in [0, 95] {
        let got = key.sign(epoch, &[0; 32]);
        assert_eq!(got, Err(Error::NotActive { epoch: epoch.into(), start: 96, end: 144 }));
    }
    for epoch in [144, 255, 256, u32::MAX] {
        assert_eq!(key.sign(epoch, &[0; 32]), Err(Error::Exhausted { epoch: epoch.into(), end: 144 }));
    }
    assert!(key.sign(96, &[0; 32]).is_ok());
    assert!(key.sign(143, &[0; 32]).is_ok());
    assert_eq!(key.prepared_interval(), 112..144);
    for epoch in [96, 111] {
        assert_eq!(key.sign(epoch, &[0; 32]), Err(Error::Passed { epoch: epoch.into(), prepared: 112 }));
    }
    assert!(key.sign(112, &[0; 32]).is_ok());
}

/// A refused epoch is not used up, and a refusal does not move the key.
#[test]
fn refusals_leave_the_key_as_it_was() {
    let mut key = key(7, 100, 140);
    let before = key.to_bytes(Format::Ssz);
    for epoch in [0, 95, 144, u32::MAX] {
        assert!(key.sign(epoch, &[1; 32]).is_err());
    }
    assert!(key.sign(100, &[1; 32]).is_ok());
    assert!(key.sign(100, &[2; 32]).is_err());
    assert!(key.to_bytes(Format::Ssz) == before);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    /// Any epochs in any order: a signature that verifies, or the error that the intervals call for.
    #[test]
    fn signing_never_panics(
        seed: [u8; 32],
        start in 0u64..256,
        count in 1u64..256,
        asked in prop::collection::vec((any::<u32>(), 0u32..300, any::<bool>(), any::<u8>()), 1..20),
    ) {
        let end = (start + count).min(256);
        let mut key = SigningKey::from_seed(FAST, &seed, start..end).expect("fits");
        let (active, mut signed) = (key.activation_interval(), std::collections::BTreeMap::new());
        prop_assert!(active.start <= start && end <= active.end);
        for (any, small, is_small, byte) in asked {
            let (epoch, message) = (if is_small { small } else { any }, [byte; 32]);
            let (at, prepared) = (u64::from(epoch), key.prepared_interval().start);
            let expected = if at < active.start {
                Some(Error::NotActive { epoch: at, start: active.start, end: active.end })
            } else if at >= active.end {
                Some(Error::Exhausted { epoch: at, end: active.end })
            } else if at < prepared {
                Some(Error::Passed { epoch: at, prepared })
            } else if *signed.entry(epoch).or_insert(byte) != byte {
                Some(Error::EpochUsed { epoch: at })
            } else {
                None
            };
            match key.sign(epoch, &message) {
                Ok(signature) => {
                    prop_assert_eq!(expected, None);
                    prop_assert_eq!(key.verifying_key().verify(epoch, &message, &signature), Ok(()));
                    prop_assert!(key.prepared_interval().contains(&at));
                }
                Err(error) => prop_assert_eq!(expected, Some(error)),
            }
            prop_assert!(key.prepared_interval().start >= prepared, "never back");
            prop_assert_eq!(key.activation_interval(), active.clone());
        }
    }
}
