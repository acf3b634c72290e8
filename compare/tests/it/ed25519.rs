//! Verification against ed25519-dalek (`verify`, `verify_strict`) and ed25519-zebra on every backend: from bytes, from
//! a decoded key and from a prepared one, on signatures that are honest, damaged, or shifted by points of small order.

use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use ed25519_dalek::Verifier;
use phalanx::Backend;
use phalanx::ed25519::{PreparedKey, Profile, Signature, VerifyingKey, verify};
use sha2::{Digest, Sha512};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes that follow from a seed: SHA-512 of seed and counter.
struct Random {
    seed: u64,
    counter: u64,
    left: Vec<u8>,
}

impl Random {
    fn byte(&mut self) -> u8 {
        if self.left.is_empty() {
            self.counter += 1;
            let digest = Sha512::new()
                .chain_update(self.seed.to_le_bytes())
                .chain_update(self.counter.to_le_bytes())
                .finalize();
            self.left = digest.to_vec();
        }
        self.left.pop().expect("64 bytes are fresh")
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }
}

struct Case {
    public_key: [u8; 32],
    message: Vec<u8>,
    signature: [u8; 64],
}

/// The encoding of a point of small order: sometimes with y + p for y, sometimes with the other sign.
fn small_order(choice: u8) -> [u8; 32] {
    let mut bytes = EIGHT_TORSION[usize::from(choice % 8)].compress().0;
    if choice & 8 != 0 && bytes[0] <= 1 && bytes[1..31].iter().all(|&byte| byte == 0) {
        bytes = [0xff; 32];
        bytes[0] = 0xed + (EIGHT_TORSION[usize::from(choice % 8)].compress().0[0] & 1);
        bytes[31] = 0x7f;
    }
    bytes[31] ^= (choice & 16) << 3;
    bytes
}

/// Kinds 0 to 3: honest, and with kind 3 one bit flipped. 4 to 7: A and R shifted by torsion; with kind 6 A has small
/// order, with kind 7 R.
fn case(random: &mut Random) -> Case {
    let kind = random.byte() % 8;
    let message: Vec<u8> = (0..random.byte()).map(|_| random.byte()).collect();
    let mut a = Scalar::from_bytes_mod_order(random.array());
    let mut r = Scalar::from_bytes_mod_order(random.array());
    let shifts = if kind < 4 { [0, 0] } else { random.array::<2>() };
    let shift = |choice: u8| EIGHT_TORSION[usize::from(choice % 8)];
    let mut public_key = (EdwardsPoint::mul_base(&a) + shift(shifts[0])).compress().0;
    let mut encoded_r = (EdwardsPoint::mul_base(&r) + shift(shifts[1])).compress().0;
    if kind == 6 {
        (public_key, a) = (small_order(random.byte()), Scalar::ZERO);
    }
    if kind == 7 {
        (encoded_r, r) = (small_order(random.byte()), Scalar::ZERO);
    }
    let digest =
        Sha512::new().chain_update(encoded_r).chain_update(public_key).chain_update(&message).finalize();
    let s = r + Scalar::from_bytes_mod_order_wide(&digest.into()) * a;
    let mut bytes = [public_key, encoded_r, s.to_bytes()].concat();
    if kind == 3 || random.byte() < 16 {
        bytes[usize::from(random.byte()) % 96] ^= 1 << (random.byte() % 8);
    }
    let (public_key, signature) = bytes.split_at(32);
    Case {
        public_key: public_key.try_into().expect("32 bytes"),
        message,
        signature: signature.try_into().expect("64 bytes"),
    }
}

/// What other implementations say, each under the profile that is its rule.
fn peers(case: &Case) -> [(Profile, bool); 3] {
    let signature = ed25519_dalek::Signature::from_bytes(&case.signature);
    let key = ed25519_dalek::VerifyingKey::from_bytes(&case.public_key).ok();
    let zebra = ed25519_zebra::VerificationKey::try_from(case.public_key).ok();
    [
        (Profile::Cofactorless, key.is_some_and(|key| key.verify(&case.message, &signature).is_ok())),
        (Profile::Strict, key.is_some_and(|key| key.verify_strict(&case.message, &signature).is_ok())),
        (
            Profile::Zip215,
            zebra.is_some_and(|key| {
                key.verify(&ed25519_zebra::Signature::from(case.signature), &case.message).is_ok()
            }),
        ),
    ]
}

/// Ours, three ways; they must agree.
fn ours(case: &Case, profile: Profile) -> bool {
    let by_bytes = verify(profile, &case.public_key, &case.message, &case.signature).is_ok();
    let signature = Signature::from_bytes(&case.signature);
    let (mut by_key, mut prepared) = (false, false);
    if let Ok(key) = VerifyingKey::from_bytes(&case.public_key) {
        by_key = key.verify_with(profile, &case.message, &signature).is_ok();
        prepared = PreparedKey::new(&key).verify_with(profile, &case.message, &signature).is_ok();
    }
    assert_eq!([by_key, prepared], [by_bytes; 2], "by key and by prepared key, {}", profile.name());
    by_bytes
}

#[test]
fn results_are_those_of_other_implementations() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    let seed = u64::try_from(now.as_millis()).expect("milliseconds fit");
    eprintln!("seed {seed}");
    let mut random = Random { seed, counter: 0, left: Vec::new() };
    // Valid and invalid, for each of the three: a test in which one never occurs shows nothing.
    let mut seen = [[0; 2]; 3];
    for round in 0..2000 {
        let case = case(&mut random);
        for (i, (profile, wanted)) in peers(&case).into_iter().enumerate() {
            seen[i][usize::from(wanted)] += 1;
            for backend in Backend::ALL {
                let Ok(got) = backend.force(|| ours(&case, profile)) else { continue };
                let (key, signature) = (hex::encode(case.public_key), hex::encode(case.signature));
                let message = hex::encode(&case.message);
                assert_eq!(
                    got,
                    wanted,
                    "{} on {}, seed {seed}, round {round}: key {key}, message {message}, signature {signature}",
                    profile.name(),
                    backend.name()
                );
            }
        }
    }
    assert!(seen.as_flattened().iter().all(|&count| count > 200), "{seen:?}");
}
