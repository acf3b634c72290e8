//! Many-verification against the vectors and against single verification: every lane, every backend, odd lengths.

use super::*;
use crate::fields::p25519::Single;
use crate::tests::{bytes, load};
use crate::{SigningKey, verify};
use alloc::vec::Vec;
use phalanx_testing::Random;
use std::vec;

/// A vector, and whether it is valid under each profile in the order of [`Profile::ALL`].
struct Case {
    public_key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
    valid: [bool; 5],
}

impl Case {
    fn signed(&self) -> SignedMessage<'_> {
        SignedMessage { public_key: &self.public_key, message: &self.message, signature: &self.signature }
    }
}

fn vectors() -> Vec<Case> {
    let mut cases = vec![];
    for file in ["cctv.json", "wycheproof.json", "wycheproof-subgroup.json", "speccheck.json"] {
        for case in load(file)["cases"].as_array().expect("cases") {
            cases.push(Case {
                public_key: bytes(&case["pk"]),
                message: bytes(&case["msg"]),
                signature: bytes(&case["sig"]),
                valid: Profile::ALL.map(|p| case["verdict"][p.name()].as_bool().expect("a verdict")),
            });
        }
    }
    assert!(cases.len() > 1000);
    cases
}

/// Runs `work` on every backend.
fn on_every_backend(work: impl Fn()) {
    phalanx_testing::on_every_backend(|_| work());
}

/// Lanes of the current backend here.
fn lanes() -> usize {
    first_of!(Isa::current(); avx512(_) => 8, avx2(_) => 4, else => 1,)
}

fn many(profile: Profile, messages: &[SignedMessage<'_>]) -> Vec<bool> {
    verify_many(profile, messages).iter().map(Outcome::is_ok).collect()
}

/// All vectors as consecutive calls of `n`, the first call being shorter by `shift`.
fn check_windows(cases: &[Case], n: usize, shift: usize) {
    let (first, rest) = cases.split_at(n - shift % n);
    for (which, profile) in Profile::ALL.into_iter().enumerate() {
        for window in core::iter::once(first).chain(rest.chunks(n)) {
            let messages: Vec<_> = window.iter().map(Case::signed).collect();
            let wanted: Vec<_> = window.iter().map(|case| case.valid[which]).collect();
            assert_eq!(many(profile, &messages), wanted, "{} n = {n} shift = {shift}", profile.name());
        }
    }
}

/// Every vector at every n, among other vectors; and in every lane, at the n that give whole groups.
#[test]
fn vectors_in_every_lane() {
    let cases = vectors();
    on_every_backend(|| {
        let lanes = lanes();
        for n in 1..=33 {
            // Single verification does the calls of one and all the work of the portable backend: a few suffice.
            if lanes == 1 && n % 16 != 1 {
                continue;
            }
            for shift in 0..if n % 16 == 0 { lanes } else { 1 } {
                check_windows(&cases, n, shift + n / 2);
            }
        }
    });
}

/// Every vector at every n from 1 to 33 and every lane of it, among valid signatures.
#[test]
#[ignore = "complete sweep: about three quarters of an hour"]
fn vectors_in_every_lane_of_every_n() {
    let cases = vectors();
    let key = SigningKey::from_seed(&[1; 32]);
    let (public_key, signature) = (key.verifying_key().to_bytes(), key.sign(b"good").to_bytes());
    let good = SignedMessage { public_key: &public_key, message: b"good", signature: &signature };
    on_every_backend(|| {
        if lanes() == 1 {
            return;
        }
        for n in 1..=33 {
            for lane in 0..n {
                for case in &cases {
                    for (which, profile) in Profile::ALL.into_iter().enumerate() {
                        let mut messages = vec![good; n];
                        messages[lane] = case.signed();
                        let mut wanted = vec![true; n];
                        wanted[lane] = case.valid[which];
                        assert_eq!(many(profile, &messages), wanted, "{} n = {n} {lane}", profile.name());
                    }
                }
            }
        }
    });
}

#[test]
fn recorded_batches() {
    let file = load("batches.json");
    on_every_backend(|| {
        for batch in file["batches"].as_array().expect("batches") {
            let entries: Vec<_> = batch["entries"]
                .as_array()
                .expect("entries")
                .iter()
                .map(|entry| (bytes(&entry["pk"]), bytes(&entry["msg"]), bytes(&entry["sig"])))
                .collect();
            let messages: Vec<_> = entries
                .iter()
                .map(|(public_key, message, signature)| SignedMessage { public_key, message, signature })
                .collect();
            for profile in Profile::ALL {
                let bad: Vec<_> = batch["bad"][profile.name()]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|index| index.as_u64().expect("an index"))
                    .collect();
                let valid = many(profile, &messages);
                let got: Vec<_> = (0..).zip(&valid).filter(|(_, valid)| !**valid).map(|(i, _)| i).collect();
                assert_eq!(got, bad, "{} of n = {}", profile.name(), entries.len());
            }
        }
    });
}

/// Signatures over messages of very different lengths, some damaged in a bit or in length, beside one another.
#[test]
fn mixed_lengths_and_damage() {
    let mut random = Random::from_seed(3);
    let keys: Vec<_> = (0..7).map(|i| SigningKey::from_seed(&[i; 32])).collect();
    let mut cases = vec![];
    for i in 0..150 {
        let len = [0, 1, 31, 32, 47, 48, 63, 64, 65, 111, 112, 175, 176, 177, 303, 304, 1024, 5000][i % 18];
        let message: Vec<u8> = random.bytes(len);
        let key = &keys[random.below(keys.len())];
        let mut parts = [
            key.verifying_key().to_bytes().to_vec(),
            message.clone(),
            key.sign(&message).to_bytes().to_vec(),
        ];
        let part = &mut parts[random.below(3)];
        match random.below(4) {
            0 if !part.is_empty() => {
                let at = random.below(part.len());
                part[at] ^= 1 << random.below(8);
            }
            1 => part.truncate(random.below(part.len() + 1)),
            2 if random.below(2) == 0 => part.push(0),
            _ => {}
        }
        cases.push(parts);
    }
    let messages: Vec<_> = cases
        .iter()
        .map(|[public_key, message, signature]| SignedMessage { public_key, message, signature })
        .collect();
    for profile in Profile::ALL {
        let wanted: Vec<_> =
            messages.iter().map(|e| verify(profile, e.public_key, e.message, e.signature).is_ok()).collect();
        assert!(wanted.contains(&true) && wanted.contains(&false));
        on_every_backend(|| assert_eq!(many(profile, &messages), wanted, "{}", profile.name()));
        // The stages on one portable lane, so that a machine without vectors tests them too.
        for (messages, wanted) in messages.chunks(CHUNK).zip(wanted.chunks(CHUNK)) {
            let mut hashed = vec![HashedSignature::NONE; messages.len()];
            HashedSignature::read(Isa::PORTABLE, messages, &mut hashed);
            let mut results = vec![Err(InvalidSignature); messages.len()];
            groups::verify(Single, profile, &hashed, &mut results);
            let valid: Vec<_> = results.iter().map(Outcome::is_ok).collect();
            assert_eq!(valid, wanted, "one lane, {}", profile.name());
        }
    }
}

#[test]
fn none_at_all() {
    on_every_backend(|| assert_eq!(verify_many(Profile::Strict, &[]), []));
}

/// Every number of threads gives the same results.
#[cfg(feature = "parallel")]
#[test]
fn threads_agree() {
    let cases = vectors();
    let messages: Vec<_> = cases.iter().map(Case::signed).collect();
    let wanted = verify_many(Profile::Strict, &messages);
    for threads in 1..=8 {
        let pool = crate::Threads::new(threads);
        assert_eq!(verify_many_on(&pool, Profile::Strict, &messages), wanted, "{threads} threads");
    }
}

/// The largest call promised, with a bad signature at both ends, on a thread with a small stack.
#[test]
#[ignore = "2^20 signatures: about six seconds with AVX-512"]
fn a_million() {
    let key = SigningKey::from_seed(&[1; 32]);
    let (public_key, signature) = (key.verifying_key().to_bytes(), key.sign(b"good").to_bytes());
    let good = SignedMessage { public_key: &public_key, message: b"good", signature: &signature };
    let mut messages = vec![good; 1 << 20];
    let last = messages.len() - 1;
    messages[0].message = b"bad";
    messages[last].message = b"bad";
    let work = || {
        let valid = many(Profile::Strict, &messages);
        let bad: Vec<_> = (0..).zip(&valid).filter(|(_, valid)| !**valid).map(|(i, _)| i).collect();
        assert_eq!(bad, [0, last]);
    };
    let builder = std::thread::Builder::new().stack_size(128 << 10);
    std::thread::scope(|scope| {
        builder.spawn_scoped(scope, work).expect("a thread").join().expect("results as wanted");
    });
}
