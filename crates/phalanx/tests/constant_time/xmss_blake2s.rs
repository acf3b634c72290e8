//! No branch and no address depends on the seed of a key of XMSS over BLAKE2s, where it is hashed.
//!
//! As in `main.rs`: secrets are marked undefined, and valgrind's memcheck reports every conditional jump and every
//! address that depends on them. Which randomizer has an encoding, and which digits it has, is asked of digests that the
//! signature makes public; so the search is not part of this.

use super::memcheck::{errors, is_listening, taint, tainted, untaint};
use phalanx::xmss::hazmat::blake2s::{chain_starts, filler, leaves, parameter};
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
