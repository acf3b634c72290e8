//! No branch and no address depends on the seed of a key of XMSS over BLAKE2s, where it is hashed.
//!
//! As in `main.rs`: secrets are marked undefined, and valgrind's memcheck reports every conditional jump and every
//! address that depends on them. Signing makes public which trial is the first that has an encoding, and its randomizer.

use super::memcheck::{errors, is_listening, taint, tainted, untaint, untaint_value};
use super::{watch, watched as watched_signing};
use phalanx::xmss::blake2s::{ParameterSet, Signature, SigningKey};
use phalanx::xmss::hazmat::blake2s::{chain_starts, filler, leaves, parameter, sign_unrecorded};
use std::hint::black_box;

/// How many errors memcheck reports about `work`, all of whose result depends on the seed.
fn watched<T: AsRef<[[u8; 16]]>>(work: impl FnOnce(&[u8; 32]) -> T) -> usize {
    let mut seed = [0x35; 32];
    taint(black_box(&mut seed));
    let before = errors();
    let result = black_box(work(&seed));
    let errors = errors() - before;
    let mut bytes = result.as_ref().as_flattened().to_vec();
    assert_eq!(tainted(&bytes), bytes.len(), "the result depends on the secret");
    untaint(&mut bytes);
    errors
}

/// One test: memcheck's count of errors is the whole process's.
#[test]
fn what_is_derived_from_a_seed() {
    assert!(is_listening(), "this test means nothing without valgrind: run it with `cargo xtask test`");
    assert_eq!(watched(|seed| [parameter(seed)]), 0);
    assert_eq!(watched(|seed| [filler(seed, 3, 5)]), 0);
    assert_eq!(watched(|seed| chain_starts(seed, 7)), 0);
    for count in [1, 5, 16, 17] {
        assert_eq!(watched(|seed| leaves(seed, 1000, count)), 0, "{count} leaves");
    }
}

/// The search for a randomizer, the starts of chains, and the walk along them.
#[test]
fn signing() {
    let _guard = watch();
    let mut seed = [0x35; 32];
    taint(black_box(&mut seed));
    let (mut key, errors, public) = watched_signing(|| SigningKey::from_seed(&seed, 0..4).expect("it fits"));
    assert_eq!((errors, public % 32), (0, 0), "names of one-time keys are public, and nothing else");
    // What lies in the value itself is public; the seed is elsewhere.
    untaint_value(black_box(&mut key));
    let (signed, errors, public) = watched_signing(|| sign_unrecorded(&key, 2, &[1; 32]).expect("it signs"));
    let (signature, trial) = signed;
    let trials = public.checked_sub(24 + 16).expect("randomizer and digest are public");
    assert!(errors == 0 && trials > trial as usize, "{errors} errors, {trials} of {trial} trials");
    let mut bytes = signature.to_bytes();
    assert!(tainted(&bytes) > 1000, "values and path depend on the seed");
    untaint(&mut bytes);
    let signature = Signature::from_bytes(ParameterSet::L32_D42B8, &bytes).expect("its own bytes");
    let mut root = key.verifying_key().to_bytes();
    untaint(&mut root);
    let key =
        phalanx::xmss::blake2s::VerifyingKey::from_bytes(ParameterSet::L32_D42B8, &root).expect("a key");
    assert!(key.verify(2, &[1; 32], &signature).is_ok());
}
