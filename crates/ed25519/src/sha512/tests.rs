//! Known answers, and every backend against `sha2` on lengths, splits and mixtures.

use super::{digest, digest_many};
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use sha2::{Digest, Sha512};

/// The backends of this machine, with their names.
fn backends() -> impl Iterator<Item = (&'static str, Isa)> {
    phalanx_testing::isas().map(|isa| (isa.backend().name(), isa))
}

/// `len` bytes that differ with position and `salt`.
fn bytes(len: usize, salt: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 167 + (i >> 8) * 59 + salt * 101 + 7).to_le_bytes()[0]).collect()
}

fn many<const N: usize>(isa: Isa, messages: &[[&[u8]; N]]) -> Vec<[u8; 64]> {
    let mut digests = alloc::vec![[0xa5; 64]; messages.len()];
    digest_many(isa, messages, &mut digests);
    digests
}

/// FIPS 180-4's example messages (NIST, "Examples with Intermediate Values", SHA512.pdf), and a million times `a`
/// (FIPS 180-2, appendix C.3).
#[test]
fn known_answers() {
    const LONG: &[u8] = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    let million = alloc::vec![b'a'; 1_000_000];
    let cases: [(&[u8], &str); 4] = [
        (
            b"",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
             47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        ),
        (
            b"abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
        (
            LONG,
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
             501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
        ),
        (
            &million,
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb\
             de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
        ),
    ];
    let wanted: Vec<_> = cases.iter().map(|(_, hex)| hex::decode(hex).expect("hexadecimal")).collect();
    for ((message, _), wanted) in cases.iter().zip(&wanted) {
        assert_eq!(digest(&[message])[..], wanted[..]);
    }
    for (name, isa) in backends() {
        // All four together, and each one in every lane.
        let messages = cases.map(|(message, _)| [message]);
        for (got, wanted) in many(isa, &messages).iter().zip(&wanted) {
            assert_eq!(got[..], wanted[..], "{name}");
        }
        for ((message, _), wanted) in cases.iter().zip(&wanted).take(3) {
            for got in many(isa, &[[*message]; 9]) {
                assert_eq!(got[..], wanted[..], "{name}");
            }
        }
    }
}

/// The constants K are the first 64 bits of the fractions of the cube roots of the first 80 primes.
#[test]
fn round_constants_are_cube_roots() {
    let primes = (2u64..).filter(|p| (2..*p).take_while(|q| q * q <= *p).all(|q| p % q != 0));
    for (prime, &constant) in primes.zip(&super::kernel::ROUND_CONSTANTS) {
        // Whole part of the root, at most 7; then root^3 <= prime * 2^192 < (root + 1)^3 for root = whole * 2^64 + K.
        let whole = (1..8).rfind(|x| x * x * x <= prime).expect("1 is one");
        let root = [constant, whole, 0, 0];
        let next = [constant.wrapping_add(1), whole + u64::from(constant == u64::MAX), 0, 0];
        let scaled = [0, 0, 0, prime];
        let at_most = |a: [u64; 4], b: [u64; 4]| a.iter().rev().le(b.iter().rev());
        assert!(at_most(cube(root), scaled), "{prime}");
        assert!(!at_most(cube(next), scaled), "{prime}");
    }
}

/// x^3 for x below 2^67.
fn cube(x: [u64; 4]) -> [u64; 4] {
    let times = |a: [u64; 4], b: [u64; 4]| {
        let mut product = [0u64; 4];
        for i in 0..4 {
            let mut carry = 0u128;
            for j in 0..4 - i {
                carry += u128::from(product[i + j]) + u128::from(a[i]) * u128::from(b[j]);
                product[i + j] = u64::try_from(carry & u128::from(u64::MAX)).expect("masked");
                carry >>= 64;
            }
        }
        product
    };
    times(times(x, x), x)
}

/// Every length around the edges of the first blocks and of 1 and 2 KiB, in every lane, with neighbours of other
/// lengths.
#[test]
fn all_lengths() {
    let lengths: Vec<usize> = (0..=300).chain(1000..=1050).chain(2000..=2070).collect();
    let inputs: Vec<_> = lengths.iter().map(|&len| bytes(len, len)).collect();
    let messages: Vec<[&[u8]; 1]> = inputs.iter().map(|input| [&input[..]]).collect();
    let wanted: Vec<[u8; 64]> = inputs.iter().map(|input| Sha512::digest(input).into()).collect();
    for (name, isa) in backends() {
        for shift in 0..8 {
            let got = many(isa, &messages[shift..]);
            for (i, (got, wanted)) in got.iter().zip(&wanted[shift..]).enumerate() {
                assert_eq!(got, wanted, "{name}, {} bytes, shift {shift}", lengths[i + shift]);
            }
        }
        // Nine of one length: no lane ends early.
        for (message, wanted) in messages.iter().zip(&wanted) {
            assert_eq!(many(isa, &[*message; 9]), [*wanted; 9], "{name}, {} bytes", message[0].len());
        }
    }
}

/// Two cuts at every pair of places, so that parts end before, at and after the edges of blocks and of padding.
#[test]
fn parts_are_concatenated() {
    for len in [0, 1, 96, 111, 112, 127, 128, 129, 239, 240, 256, 300] {
        let input = bytes(len, 3);
        let wanted: [u8; 64] = Sha512::digest(&input).into();
        let mut messages: Vec<[&[u8]; 4]> = Vec::new();
        for first in 0..=len {
            for second in (first..=len).step_by(1 + len / 50).chain([len]) {
                messages.push([&input[..first], &input[first..second], &[], &input[second..]]);
            }
        }
        for message in messages.iter().step_by(7) {
            assert_eq!(digest(message), wanted);
        }
        for (name, isa) in backends() {
            let got = many(isa, &messages);
            let bad = got.iter().position(|got| *got != wanted);
            assert_eq!(bad.map(|i| messages[i]), None, "{name}, {len} bytes");
        }
    }
}

/// The shape of verification, R || A || message, for every count of messages.
#[test]
fn every_count() {
    let fixed = bytes(64 * 140, 1);
    for message_len in [0, 32, 33, 47, 48, 64, 1024] {
        let inputs: Vec<_> = (0..140).map(|i| bytes(message_len, i)).collect();
        let messages: Vec<[&[u8]; 3]> = inputs
            .iter()
            .zip(fixed.as_chunks::<64>().0)
            .map(|(input, fixed)| [&fixed[..32], &fixed[32..], &input[..]])
            .collect();
        let wanted: Vec<[u8; 64]> =
            messages.iter().map(|message| Sha512::digest(message.concat()).into()).collect();
        for (name, isa) in backends() {
            for n in (0..=33).chain([63, 64, 65, 127, 128, 129, 140]) {
                assert_eq!(many(isa, &messages[..n]), wanted[..n], "{name}, n = {n}, {message_len} bytes");
            }
        }
    }
}

/// Long ones among short ones, at every place of a group: early lanes keep their result while the long one runs on.
#[test]
fn mixed_lengths() {
    let long = bytes(5000, 9);
    let short: Vec<_> = (0..70).map(|i| bytes(i * 13 % 400, i)).collect();
    for (name, isa) in backends() {
        for at in 0..20 {
            let mut messages: Vec<[&[u8]; 2]> = short.iter().map(|input| [&input[..], &input[..]]).collect();
            messages[at] = [&long[..77], &long[77..]];
            messages[at + 17] = [&long[1..], &long[..4097]];
            let wanted: Vec<[u8; 64]> =
                messages.iter().map(|message| Sha512::digest(message.concat()).into()).collect();
            assert_eq!(many(isa, &messages), wanted, "{name}, long one at {at}");
        }
    }
}

#[test]
#[should_panic(expected = "a digest for every message")]
fn a_missing_digest_panics() {
    digest_many(Isa::PORTABLE, &[[&b"a"[..]]; 2], &mut [[0; 64]; 1]);
}
