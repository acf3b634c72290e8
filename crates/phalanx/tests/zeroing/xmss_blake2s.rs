//! XMSS over BLAKE2s: the seed and the starts of chains, in freed blocks and on the stack.

use super::stack::left_behind;
use super::{leaked_words, turn};
use phalanx::xmss::blake2s::{KeyGeneration, SigningKey};
use phalanx_reference::xmss_blake2s::{Profile, SecretKey};
use phalanx_testing::{backends, on_every_backend};
use std::hint::black_box;

const SEED: [u8; 32] = *b"\xc1\x0e\x4f\xa8\x67\x32\x9b\xd5\x18\xf6\x2c\x71\xbe\x83\x40\xe9\x5a\xd7\x06\x94\x3f\xcb\x68\x25\xf1\x7e\xa3\x0b\xdc\x59\x86\x12";

/// The seed and the chain starts of two epochs, by the reference: every eight bytes, and every four twice, as they stand
/// in lanes.
fn words() -> Vec<[u8; 8]> {
    let reference = SecretKey::new(Profile::B, &SEED, 0, 255).expect("a range");
    let starts = [0, 255].map(|epoch| [0, 1, 41].map(|chain| reference.start(epoch, chain)));
    let all = [&SEED[..], starts.as_flattened().as_flattened()].concat();
    let eights = all.chunks_exact(8).map(|word| word.try_into().expect("eight bytes"));
    let twice = SEED.chunks_exact(4).map(|word| [word, word].concat().try_into().expect("eight bytes"));
    eights.chain(twice).collect()
}

/// All that a key does.
fn used() {
    let mut key = SigningKey::from_seed(&SEED, 0..256).expect("fits");
    for epoch in [0, 255] {
        let signature = key.sign(epoch, &[1; 32]).expect("signs");
        key.verifying_key().verify(epoch, &[1; 32], &signature).expect("verifies");
    }
    let _ = black_box(key.one_time_key_id());
    drop(Box::new(key));
    drop(KeyGeneration::from_seed(&SEED, 0..4).expect("fits"));
}

#[test]
fn control_plain_copies_are_seen() {
    let turn = turn();
    assert_eq!(leaked_words(&turn, words(), || drop(black_box(SEED.to_vec()))), 1);
    let lanes = || drop(black_box([SEED[..4].to_vec(), SEED[..4].to_vec()].concat()));
    assert_eq!(leaked_words(&turn, words(), lanes), 1);
}

#[test]
fn freed_blocks_hold_no_secret() {
    let turn = turn();
    on_every_backend(|backend| assert_eq!(leaked_words(&turn, words(), used), 0, "{}", backend.name()));
}

#[test]
fn stack() {
    let _turn = turn();
    for backend in backends() {
        let work = || backend.force(used).expect("available");
        assert_eq!(left_behind(&words(), work), 0, "{}", backend.name());
    }
}
