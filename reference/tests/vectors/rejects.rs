//! Inputs that no vector file can express, because the file would hold bytes and the mistake is in the value.

use phalanx_reference::field::P;
use phalanx_reference::key::round_activation;
use phalanx_reference::wire::{
    Format, decode_public_key, decode_signature, decode_signature_padded, encode_public_key,
    encode_signature, encode_signature_padded,
};
use phalanx_reference::{
    Params, PublicKey, Search, SecretKey, Signature, advance, chain_walk, keygen, leaf, node, search, sign,
    verify,
};

use crate::json::params;

const MESSAGE: [u8; 32] = [5; 32];
const EPOCH: u64 = 101;

fn signed() -> (SecretKey, PublicKey, Signature) {
    let secret_key = keygen(params("p1-abort-l8-d4b8-test"), &[3; 32], 100, 40).unwrap();
    let signature = sign(&secret_key, EPOCH, &MESSAGE).unwrap();
    let public_key = secret_key.public_key();
    assert!(verify(&secret_key.params, &public_key, EPOCH, &MESSAGE, &signature));
    (secret_key, public_key, signature)
}

#[test]
fn malformed_signatures_are_rejected_without_panic() {
    let (secret_key, public_key, signature) = signed();
    let damages: [fn(&mut Signature); 13] = [
        |s| s.path.clear(),
        |s| s.path.truncate(7),
        |s| s.path.push(vec![0; 8]),
        |s| s.path[0].truncate(7),
        |s| s.path[7].push(0),
        |s| s.path[0][0] += P,
        |s| s.rho.truncate(6),
        |s| s.rho.push(0),
        |s| s.rho[6] += P,
        |s| s.hashes.truncate(3),
        |s| s.hashes.push(vec![0; 8]),
        |s| s.hashes[3].push(0),
        |s| s.hashes[3][7] += P,
    ];
    for (i, damage) in damages.iter().enumerate() {
        let mut damaged = signature.clone();
        damage(&mut damaged);
        assert!(!verify(&secret_key.params, &public_key, EPOCH, &MESSAGE, &damaged), "damage {i}");
    }
}

#[test]
fn malformed_public_keys_are_rejected_without_panic() {
    let (secret_key, public_key, signature) = signed();
    let damages: [fn(&mut PublicKey); 6] = [
        |k| k.root.truncate(7),
        |k| k.root.push(0),
        |k| k.root[0] += P,
        |k| k.parameter.truncate(4),
        |k| k.parameter.push(0),
        |k| k.parameter[4] += P,
    ];
    for (i, damage) in damages.iter().enumerate() {
        let mut damaged = public_key.clone();
        damage(&mut damaged);
        assert!(!verify(&secret_key.params, &damaged, EPOCH, &MESSAGE, &signature), "damage {i}");
    }
}

#[test]
fn epochs_beyond_the_lifetime_are_not_taken_modulo_anything() {
    let (secret_key, public_key, signature) = signed();
    for beyond in [1 << 8, 1 << 32, 1 << 63] {
        assert!(!verify(&secret_key.params, &public_key, EPOCH + beyond, &MESSAGE, &signature));
        assert_eq!(sign(&secret_key, EPOCH + beyond, &MESSAGE), None);
    }
    assert_eq!(sign(&secret_key, u64::MAX, &MESSAGE), None);
}

/// A signature and a root that fit each other by construction, at an epoch that the tree may not have.
fn self_made(params: &Params, epoch: u32) -> (PublicKey, Signature) {
    let parameter = vec![1, 2, 3, 4, 5];
    let Search { rho, codeword, .. } = search(params, &[9; 32], &parameter, epoch, &MESSAGE).unwrap();
    let hashes = vec![vec![7; params.hash_len]; params.chains.into()];
    let path = vec![vec![8; params.hash_len]; params.log_lifetime.into()];
    let ends = (0..).zip(&codeword).zip(&hashes).map(|((chain, &x), hash)| {
        chain_walk(params, &parameter, epoch, chain, x, params.base - 1 - x, hash)
    });
    let mut root = leaf(params, &parameter, epoch, &ends.collect::<Vec<_>>());
    for (level, sibling) in (1..).zip(&path) {
        let pos = epoch >> level;
        root = if (epoch >> (level - 1)).is_multiple_of(2) {
            node(params, &parameter, level, pos, &root, sibling)
        } else {
            node(params, &parameter, level, pos, sibling, &root)
        };
    }
    (PublicKey { root, parameter }, Signature { path, rho, hashes })
}

/// With the real tree such an epoch fails at the root anyway; this root would let it through.
#[test]
fn the_first_epoch_beyond_the_lifetime_is_rejected_by_its_number() {
    let params = params("p1-abort-l8-d4b8-test");
    for (epoch, valid) in [(0, true), (201, true), (255, true), (256, false), (511, false)] {
        let (public_key, signature) = self_made(params, epoch);
        assert_eq!(verify(params, &public_key, epoch.into(), &MESSAGE, &signature), valid, "epoch {epoch}");
    }
}

#[test]
fn every_word_of_the_root_counts() {
    let (secret_key, public_key, signature) = signed();
    for i in 0..8 {
        let mut other = public_key.clone();
        other.root[i] = (other.root[i] + 1) % P;
        assert!(!verify(&secret_key.params, &other, EPOCH, &MESSAGE, &signature), "word {i}");
    }
}

#[test]
fn only_prepared_epochs_are_signed() {
    let mut secret_key = keygen(params("p1-abort-l8-d4b8-test"), &[3; 32], 100, 60).unwrap();
    assert_eq!(secret_key.activation_interval(), 96..160);
    for (prepared, moved) in [(96..128, true), (112..144, true), (128..160, false)] {
        for epoch in [0, 95, 96, 111, 112, 127, 128, 143, 144, 159, 160, 255] {
            let signed = sign(&secret_key, epoch, &MESSAGE);
            assert_eq!(signed.is_some(), prepared.contains(&epoch), "epoch {epoch}");
        }
        assert_eq!(advance(&mut secret_key), moved);
    }
}

#[test]
fn trailing_and_missing_bytes_are_rejected_in_every_format() {
    let (secret_key, public_key, signature) = signed();
    let params = &secret_key.params;
    for format in [Format::Ssz, Format::BincodeFixint, Format::BincodeStandard] {
        let bytes = encode_signature(format, &signature);
        for len in 0..bytes.len() {
            assert_eq!(decode_signature(format, params, &bytes[..len]), None);
        }
        assert_eq!(decode_signature(format, params, &[&bytes[..], &[0]].concat()), None);

        let bytes = encode_public_key(format, &public_key);
        for len in 0..bytes.len() {
            assert_eq!(decode_public_key(format, params, &bytes[..len]), None);
        }
        assert_eq!(decode_public_key(format, params, &[&bytes[..], &[0]].concat()), None);
    }
}

#[test]
fn the_padded_form_is_3116_bytes_and_ends_in_zeros() {
    let (secret_key, _, signature) = signed();
    let padded = encode_signature_padded(&signature).unwrap();
    assert_eq!(padded.len(), 3116);
    assert_eq!(decode_signature_padded(&secret_key.params, &padded), Some(signature));
    assert_eq!(decode_signature_padded(&secret_key.params, &padded[..3115]), None);
    assert_eq!(decode_signature_padded(&secret_key.params, &[&padded[..], &[0]].concat()), None);
    let mut damaged = padded.clone();
    damaged[3115] = 1;
    assert_eq!(decode_signature_padded(&secret_key.params, &damaged), None);
    assert_eq!(decode_signature(Format::BincodeFixint, &secret_key.params, &padded), None);
}

#[test]
fn windows_beyond_the_lifetime_are_refused() {
    for (start, count) in [(256, 1), (0, 257), (255, 2), (u64::MAX, 1), (u64::MAX, u64::MAX), (1, u64::MAX)] {
        assert_eq!(round_activation(8, start, count), None, "{start} {count}");
    }
    assert_eq!(round_activation(32, 1 << 32, 1), None);
}

/// Spec section 10: the families differ here.
#[test]
fn an_empty_window_is_the_minimum_one_or_refused() {
    assert_eq!(round_activation(8, 0, 0), Some(0..2));
    assert_eq!(round_activation(8, 256, 0), Some(14..16));
    assert_eq!(keygen(params("p1-abort-l8-d4b8-test"), &[0; 32], 0, 0), None);
    let secret_key = keygen(params("p2-top-l8-d64b8"), &[0; 32], 0, 0).unwrap();
    assert_eq!(secret_key.activation_interval(), 0..32);
}
