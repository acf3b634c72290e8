//! Ed25519: seed, scalar, prefix, nonces and their hashes, in freed blocks and on the stack.

use super::stack::left_behind;
use super::{leaked_words, turn};
use phalanx::ed25519::{SigningKey, sign_many};
use phalanx_testing::{backends, on_every_backend};
use sha2::{Digest, Sha512};
use std::hint::black_box;

const MESSAGE: &[u8] = b"a message";

/// What is looked for, as bytes, little-endian.
struct Secrets {
    /// SHA-512 of the seed: clamped scalar and prefix.
    seed: [u8; 32],
    clamped: [u8; 32],
    prefix: [u8; 32],
    a: [u8; 32],
    /// SHA-512 of prefix and message.
    nonce: [u8; 64],
    r: [u8; 32],
}

/// `wide` modulo the group order, bit by bit: the library is not asked what to look for.
fn reduced(wide: &[u8]) -> [u8; 32] {
    const L: [u64; 4] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];
    let mut rest = [0u64; 4];
    for bit in (0..8 * wide.len()).rev() {
        let mut carry = u64::from(wide[bit / 8] >> (bit % 8) & 1);
        for word in &mut rest {
            (*word, carry) = (*word << 1 | carry, *word >> 63);
        }
        let (mut less, mut borrow) = (rest, false);
        for (word, l) in less.iter_mut().zip(L) {
            let (first, b1) = word.overflowing_sub(l);
            let (second, b2) = first.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (second, b1 | b2);
        }
        if !borrow {
            rest = less;
        }
    }
    rest.map(u64::to_le_bytes).concat().try_into().expect("32 bytes")
}

impl Secrets {
    fn of(seed: [u8; 32]) -> Self {
        let hash: [u8; 64] = Sha512::digest(seed).into();
        let mut clamped: [u8; 32] = hash[..32].try_into().expect("half");
        clamped[0] &= 248;
        clamped[31] = clamped[31] & 127 | 64;
        let prefix = hash[32..].try_into().expect("half");
        let nonce = Sha512::new().chain_update(prefix).chain_update(MESSAGE).finalize().into();
        Self { seed, clamped, prefix, a: reduced(&clamped), nonce, r: reduced(&nonce) }
    }

    /// Every eight bytes, in both orders: SHA-512 reads words big-endian, arithmetic little-endian.
    fn words(&self) -> Vec<[u8; 8]> {
        let all = [&self.seed[..], &self.clamped, &self.prefix, &self.a, &self.nonce, &self.r].concat();
        let (words, _) = all.as_chunks::<8>();
        let turned = words.iter().map(|word| u64::from_be_bytes(*word).to_le_bytes());
        // A scalar's top word may be nearly empty, and then it is found anywhere.
        words
            .iter()
            .copied()
            .chain(turned)
            .filter(|word| word.iter().filter(|byte| **byte == 0).count() < 4)
            .collect()
    }
}

/// Seeds that contain no word twice, in memory that is not given back.
static SEEDS: [[u8; 32]; 20] = {
    let mut seeds = [[0; 32]; 20];
    let mut i = 0;
    while i < 20 * 32 {
        #[allow(clippy::cast_possible_truncation)] // the low byte is wanted
        let byte = ((i * i * 37 + i * 11) >> 3) as u8 ^ i as u8;
        seeds[i / 32][i % 32] = byte;
        i += 1;
    }
    seeds
};

/// A name and what it does.
type Use = (&'static str, fn(&[SigningKey]));

/// Everything one can do with keys of [`SEEDS`]: each is watched by itself, or the next would wipe what one leaves.
const USES: [Use; 10] = [
    ("derive", |_| drop(black_box(SigningKey::from_seed(&SEEDS[0])))),
    ("check", |_| assert!(SigningKey::from_keypair_bytes(&[7; 64]).is_err())),
    ("sign", |keys| _ = black_box(keys[0].sign(MESSAGE))),
    ("noise", |keys| _ = black_box(keys[1].sign_with_noise(MESSAGE, &[0; 32]))),
    ("sign checked", |keys| _ = black_box(keys[2].sign_checked(MESSAGE).expect("no fault"))),
    ("clone", |keys| drop(black_box(keys[2].clone()))),
    ("many 1", |keys| many(&keys[..1])),
    ("many 2", |keys| many(&keys[..2])),
    ("many 5", |keys| many(&keys[..5])),
    ("many 20", |keys| many(keys)),
];

fn many(keys: &[SigningKey]) {
    let keys: Vec<_> = keys.iter().collect();
    black_box(sign_many(&keys, &vec![MESSAGE; keys.len()]).expect("equal lengths"));
}

fn keys() -> Vec<SigningKey> {
    SEEDS.iter().map(SigningKey::from_seed).collect()
}

fn all_words() -> Vec<[u8; 8]> {
    SEEDS.iter().flat_map(|seed| Secrets::of(*seed).words()).collect()
}

#[test]
fn freed_blocks() {
    let turn = turn();
    on_every_backend(|backend| {
        let (keys, backend) = (keys(), backend.name());
        for (name, work) in USES {
            // Some block is freed in any case, so that the watch is known to be awake.
            let work = || {
                drop(black_box(vec![0u8; 8]));
                work(&keys);
            };
            assert_eq!(leaked_words(&turn, all_words(), work), 0, "{backend}: {name}");
        }
        assert_eq!(leaked_words(&turn, all_words(), || drop(keys)), 0, "{backend}: drop");
    });
}

#[test]
fn stack() {
    let _turn = turn();
    for backend in backends() {
        let keys = keys();
        let words = all_words();
        for (name, work) in USES {
            let work = || backend.force(|| work(&keys)).expect("available");
            assert_eq!(left_behind(&words, work), 0, "{}: {name}", backend.name());
        }
    }
}

/// The words are the right ones: they are what the library computes with, and copies of them are seen.
#[test]
fn control_words_are_seen() {
    let turn = turn();
    let secrets = Secrets::of(SEEDS[3]);
    let key = SigningKey::from_seed(&SEEDS[3]);
    let signature = key.sign(MESSAGE).to_bytes();
    // S = r + k a with what is looked for, so r and a are the library's.
    let k: [u8; 64] = Sha512::new()
        .chain_update(&signature[..32])
        .chain_update(key.verifying_key())
        .chain_update(MESSAGE)
        .finalize()
        .into();
    let mut product = [0u8; 65];
    product[..32].copy_from_slice(&secrets.r);
    for (i, k) in reduced(&k).into_iter().enumerate() {
        let mut carry = 0;
        for (j, a) in secrets.a.into_iter().chain([0; 32]).enumerate().take(65 - i) {
            carry += u32::from(product[i + j]) + u32::from(k) * u32::from(a);
            product[i + j] = carry.to_le_bytes()[0];
            carry >>= 8;
        }
    }
    assert_eq!(reduced(&product), signature[32..]);
    for secret in [&secrets.seed, &secrets.prefix, &secrets.a, &secrets.r] {
        let copied = || drop(black_box(secret[8..20].to_vec()));
        assert_eq!(leaked_words(&turn, all_words(), copied), 1);
        let on_the_stack = || {
            black_box(&mut [0u8; 1000]);
            black_box(&mut { *secret });
        };
        assert!(left_behind(&all_words(), on_the_stack) > 0);
    }
}
