//! Verification on every backend against ed25519-dalek and ed25519-zebra, one by one, many and in batches, on signatures
//! that are honest, damaged, shifted by points of small order, or plain garbage.
#![no_main]

use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::ed25519::{BatchVerifier, Profile, SignedMessage, verify, verify_batch, verify_many};
use sha2::{Digest, Sha512};

/// The input, over and over, each round changed a little.
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let (round, index) = (self.at / self.bytes.len(), self.at % self.bytes.len());
        self.at += 1;
        self.bytes[index].wrapping_add((round % 251) as u8)
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }
}

struct Entry {
    public_key: [u8; 32],
    message: Vec<u8>,
    signature: [u8; 64],
}

/// An encoding of a point of small order, some of them not canonical.
fn small_order(choice: u8) -> [u8; 32] {
    let mut bytes = EIGHT_TORSION[usize::from(choice % 8)].compress().0;
    // y + p still fits below 2^255 for y = 0 and 1; and a sign may be put on any.
    if choice & 8 != 0 && bytes[0] <= 1 && bytes[1..31].iter().all(|&byte| byte == 0) {
        bytes = [0xff; 32];
        bytes[0] = 0xed + EIGHT_TORSION[usize::from(choice % 8)].compress().0[0];
        bytes[31] = 0x7f;
    }
    if choice & 16 != 0 {
        bytes[31] |= 0x80;
    }
    bytes
}

fn entry(input: &mut Bytes<'_>) -> Entry {
    let kind = input.byte();
    // 32-byte messages often, and lengths around the blocks of SHA-512 too.
    let len = if kind & 64 == 0 { 32 } else { usize::from(input.byte()) * 3 };
    let message: Vec<u8> = (0..len).map(|_| input.byte()).collect();
    if kind % 8 == 0 {
        return Entry { public_key: input.array(), message, signature: input.array() };
    }
    let (a, r) = (Scalar::from_bytes_mod_order(input.array()), Scalar::from_bytes_mod_order(input.array()));
    let torsion = |choice: u8| EIGHT_TORSION[usize::from(choice % 8)];
    let shifts = if kind % 8 < 4 { [0, 0] } else { input.array::<2>() };
    let mut public_key = (EdwardsPoint::mul_base(&a) + torsion(shifts[0])).compress().0;
    let mut encoded_r = (EdwardsPoint::mul_base(&r) + torsion(shifts[1])).compress().0;
    let (mut a, mut r) = (a, r);
    if kind % 8 == 6 {
        (public_key, a) = (small_order(input.byte()), Scalar::ZERO);
    }
    if kind % 8 == 7 {
        (encoded_r, r) = (small_order(input.byte()), Scalar::ZERO);
    }
    let digest =
        Sha512::new().chain_update(encoded_r).chain_update(public_key).chain_update(&message).finalize();
    let s = r + Scalar::from_bytes_mod_order_wide(&digest.into()) * a;
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&encoded_r);
    signature[32..].copy_from_slice(s.as_bytes());
    let mut entry = Entry { public_key, message, signature };
    if kind & 0x88 == 0x80 {
        let (at, bit) = (usize::from(input.byte()) % 96, 1 << (input.byte() % 8));
        if at < 32 { entry.public_key[at] ^= bit } else { entry.signature[at - 32] ^= bit }
    }
    entry
}

/// What the peer of `profile` says, or our single verification on the portable backend where there is none.
fn wanted(profile: Profile, entry: &Entry) -> bool {
    let Entry { public_key, message, signature } = entry;
    let dalek_signature = ed25519_dalek::Signature::from_bytes(signature);
    let dalek_key = ed25519_dalek::VerifyingKey::from_bytes(public_key);
    match profile {
        Profile::Cofactorless => dalek_key
            .is_ok_and(|key| ed25519_dalek::Verifier::verify(&key, message, &dalek_signature).is_ok()),
        Profile::Strict => dalek_key.is_ok_and(|key| key.verify_strict(message, &dalek_signature).is_ok()),
        Profile::Zip215 => ed25519_zebra::VerificationKey::try_from(*public_key)
            .is_ok_and(|key| key.verify(&ed25519_zebra::Signature::from(*signature), message).is_ok()),
        _ => Backend::Portable
            .force(|| verify(profile, public_key, message, signature).is_ok())
            .expect("portable is always there"),
    }
}

fn check(profile: Profile, entries: &[Entry], wanted: &[bool]) {
    let elements: Vec<_> = entries
        .iter()
        .map(|e| SignedMessage { public_key: &e.public_key, message: &e.message, signature: &e.signature })
        .collect();
    let many: Vec<_> = verify_many(profile, &elements).iter().map(Result::is_ok).collect();
    assert_eq!(many, wanted, "verify_many, {}", profile.name());
    let single: Vec<_> =
        entries.iter().map(|e| verify(profile, &e.public_key, &e.message, &e.signature).is_ok()).collect();
    assert_eq!(single, wanted, "verify, {}", profile.name());
    assert_eq!(verify_batch(profile, &elements).is_ok(), wanted.iter().all(|&ok| ok), "{}", profile.name());
    let mut batch = BatchVerifier::new(profile);
    entries.iter().for_each(|e| batch.add(&e.public_key, &e.signature, &e.message));
    let report = batch.verify();
    let results: Vec<_> = report.results().iter().map(Result::is_ok).collect();
    assert_eq!(results, wanted, "BatchVerifier, {}", profile.name());
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.is_empty() {
        return;
    }
    let input = &mut Bytes { bytes, at: 1 };
    let entries: Vec<_> = (0..usize::from(bytes[0]) % 20 + 1).map(|_| entry(input)).collect();
    for profile in Profile::ALL {
        let wanted: Vec<_> = entries.iter().map(|entry| wanted(profile, entry)).collect();
        for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
            backend.force(|| check(profile, &entries, &wanted)).expect("available");
        }
    }
});
