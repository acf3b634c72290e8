//! Secret keys over BLAKE2s as bytes, and signing for callers who keep their own record.

use phalanx_testing::on_every_backend;
use phalanx_xmss::blake2s::SigningKey;
use phalanx_xmss::hazmat::blake2s::{check_can_sign, passed_tree, sign_passed, sign_reserved};
use phalanx_xmss::{Error, Inline, Malformed};
use std::ops::ControlFlow;

const LAST: u64 = (1 << 32) - 1;

/// Bytes before the roots of bottom trees.
const FIXED: usize = 96;

fn refused(bytes: &[u8]) -> Malformed {
    SigningKey::from_bytes(bytes).err().expect("it is not a key")
}

#[test]
fn a_key_is_read_back_where_it_was() {
    for epochs in [0..1, 100..1000, 127..129, LAST - 2..LAST + 1] {
        let mut key = SigningKey::from_seed(&[0xe0; 32], epochs.clone()).expect("fits");
        loop {
            let bytes = key.to_bytes();
            let mut again = SigningKey::from_bytes(&bytes).expect("the same");
            on_every_backend(|_| {
                assert_eq!(SigningKey::from_bytes(&bytes).expect("the same").to_bytes(), bytes);
            });
            assert_eq!(again.to_bytes(), bytes);
            assert_eq!(again.verifying_key(), key.verifying_key());
            assert_eq!(again.activation_interval(), epochs);
            assert_eq!(again.prepared_interval(), key.prepared_interval());
            let epoch = u32::try_from(key.prepared_interval().end - 1).expect("an epoch");
            let signature = sign_reserved(&mut again, epoch, &[1; 32]).expect("signs");
            assert_eq!(signature, sign_reserved(&mut key, epoch, &[1; 32]).expect("signs"));
            assert_eq!(key.verifying_key().verify(epoch, &[1; 32], &signature), Ok(()));
            if !key.advance().expect("its own tree") {
                break;
            }
        }
    }
}

#[test]
fn the_bytes_are_as_documented() {
    let mut key = SigningKey::from_seed(&[0xe1; 32], 100..1000).expect("fits");
    assert!(key.advance().expect("its own tree"));
    let bytes = key.to_bytes();
    // Eight trees of 128 leaves; two of them whole.
    assert_eq!(bytes.len(), FIXED + 16 * (8 + 256));
    assert_eq!(bytes[..32], [0xe1; 32]);
    assert_eq!(bytes[32..64], key.verifying_key().to_bytes());
    let numbers = [100u64, 1000, 1].map(u64::to_le_bytes).concat();
    assert_eq!(bytes[64..88], numbers);
    let offsets = [96u32, 96 + 16 * 8].map(u32::to_le_bytes).concat();
    assert_eq!(bytes[88..96], offsets);
}

#[test]
fn every_damaged_byte_is_found() {
    let key = SigningKey::from_seed(&[0xe2; 32], 200..500).expect("fits");
    let bytes = key.to_bytes();
    // The first and the last epoch are in the roots of trees that are not held: see below.
    for at in (0..64).chain(80..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(SigningKey::from_bytes(&damaged).is_err(), "byte {at}");
    }
    for len in [0, 1, 31, 32, 64, FIXED - 1, FIXED, bytes.len() - 16, bytes.len() - 1] {
        assert!(SigningKey::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
    }
    let longer = [&bytes[..], &[0; 16]].concat();
    assert_eq!(refused(&longer).what, "bytes of the leaves");
}

#[test]
fn another_interval_signs_nothing_that_is_not_the_keys() {
    let key = SigningKey::from_seed(&[0xe5; 32], 200..500).expect("fits");
    let bytes = key.to_bytes();
    for at in 64..80 {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let Ok(mut damaged) = SigningKey::from_bytes(&damaged) else { continue };
        let epochs = damaged.activation_interval();
        assert_eq!((at, epochs.clone()), (72, 200..501), "in a tree that is not held");
        let refused = sign_reserved(&mut damaged, 500, &[1; 32]);
        let what = "computed bottom trees whose root is in the top tree";
        assert_eq!(refused, Err(Malformed { what, got: 0, wanted: 1 }.into()));
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let bytes = SigningKey::from_seed(&[0xe3; 32], 0..300).expect("fits").to_bytes();
    let changed = |at: usize, to: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + to.len()].copy_from_slice(to);
        refused(&changed).what
    };
    assert_eq!(changed(0, &[1]), "parameters that the seed gives");
    assert_eq!(changed(32, &[1]), "roots of trees that give the public key");
    assert_eq!(changed(72, &0u64.to_le_bytes()), "first epoch after the last one");
    assert_eq!(changed(72, &u64::MAX.to_le_bytes()), "first epoch after the last one");
    assert_eq!(changed(72, &(1u64 << 32).to_le_bytes()), "bytes of the roots", "nothing is allocated for it");
    assert_eq!(changed(80, &2u64.to_le_bytes()), "index of the first prepared tree");
    assert_eq!(changed(80, &1u64.to_le_bytes()), "bytes of the leaves");
    assert_eq!(changed(88, &97u32.to_le_bytes()), "offset of the roots");
    assert_eq!(changed(FIXED, &[1]), "roots of trees that give the public key");
    let leaves = FIXED + 3 * 16;
    assert_eq!(changed(leaves, &[1]), "first leaves that come from the seed");
    assert_eq!(changed(leaves + 16, &[1]), "bottom trees whose root is in the top tree");
}

#[test]
fn passed_epochs_are_signed_again_from_their_tree() {
    let mut key = SigningKey::from_seed(&[0xe4; 32], 0..600).expect("fits");
    let first = sign_reserved(&mut key, 5, &[1; 32]).expect("signs");
    assert!(passed_tree(&key, 5).is_none(), "it is prepared");
    sign_reserved(&mut key, 599, &[1; 32]).expect("signs");
    assert_eq!(check_can_sign(&key, 5), Err(Error::Passed { epoch: 5, prepared: 384 }));
    assert_eq!(check_can_sign(&key, 600), Err(Error::Exhausted { epoch: 600, end: 600 }));
    assert!(passed_tree(&key, 600).is_none());
    let computed = || {
        let mut tree = passed_tree(&key, 5).expect("it is passed");
        assert_eq!(tree.epochs(), 0..128);
        tree.compute_on(&Inline, &|_| ControlFlow::Continue(())).expect("nothing stops it");
        tree
    };
    assert_eq!(sign_passed(&key, computed(), 5, &[1; 32]), Ok(first));
    let wrong = sign_passed(&key, computed(), 128, &[1; 32]);
    assert_eq!(wrong, Err(Error::WrongTree { got: 0, wanted: 1 }));
    let unfinished = passed_tree(&key, 5).expect("it is passed");
    assert_eq!(sign_passed(&key, unfinished, 5, &[1; 32]), Err(Error::Unfinished));
}
