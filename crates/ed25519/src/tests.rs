//! The scheme against the vectors, through single verification and signing.

use super::*;
use alloc::vec::Vec;
use phalanx_core::simd::Backend;
use serde_json::Value;
use std::sync::Mutex;
use std::{format, fs, string::String, vec};

pub(super) fn load(name: &str) -> Value {
    let path = format!("{}/../../vectors/ed25519/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON")
}

pub(super) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a string")).expect("hex")
}

/// A pool with one other thread, which would choose `backend` if it were asked.
struct OtherThread {
    backend: Backend,
    ran: Mutex<Vec<Backend>>,
}

impl Pool for OtherThread {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        let work = || {
            self.backend.force(|| jobs.into_iter().for_each(|job| job())).expect("available");
            self.ran.lock().expect("no panic").append(&mut recorder::take());
        };
        std::thread::scope(|scope| {
            scope.spawn(work).join().expect("no panic");
        });
    }
}

/// The backend that is forced for a call is the one that runs, also on threads where another one is.
#[test]
fn a_forced_backend_runs_on_every_thread() {
    let key = SigningKey::from_seed(&[7; 32]);
    let (public_key, signature) = (key.verifying_key().to_bytes(), key.sign(b"good").to_bytes());
    let signed = SignedMessage { public_key: &public_key, message: b"good", signature: &signature };
    let available = phalanx_testing::backends;
    for (forced, other) in available().into_iter().flat_map(|a| available().into_iter().map(move |b| (a, b)))
    {
        let pool = &OtherThread { backend: other, ran: Mutex::default() };
        let check = |what: &str, call: &mut dyn FnMut()| {
            forced.force(call).expect("available");
            let ran = std::mem::take(&mut *pool.ran.lock().expect("no panic"));
            let wanted = vec![forced; ran.len()];
            assert!(!ran.is_empty() && ran == wanted, "{what} for {}: {ran:?}", forced.name());
        };
        for profile in Profile::ALL {
            for n in [1, 2, 9, 16, 70] {
                let messages = vec![signed; n];
                check("verify_many_on", &mut || drop(verify_many_on(pool, profile, &messages)));
                check("verify_batch_on", &mut || assert!(verify_batch_on(pool, profile, &messages).is_ok()));
                check("verify_on", &mut || {
                    let mut batch = BatchVerifier::new(profile);
                    messages.iter().for_each(|m| batch.add(m.public_key, m.signature, m.message));
                    assert!(batch.verify_on(pool).all_valid());
                });
            }
        }
        for n in [1, 2, 9, 70] {
            let (keys, messages) = (vec![&key; n], vec![&b"good"[..]; n]);
            check("sign_many_on", &mut || drop(sign_many_on(pool, &keys, &messages)));
        }
    }
}

#[test]
fn signing() {
    for file in ["rfc8032.json", "sign_input.json"] {
        for case in load(file)["cases"].as_array().expect("cases") {
            let key = SigningKey::from_seed(&bytes(&case["seed"]).try_into().expect("32 bytes"));
            assert_eq!(key.verifying_key().as_ref(), bytes(&case["pk"]));
            assert_eq!(key.sign(&bytes(&case["msg"])).as_ref(), bytes(&case["sig"]), "{}", case["id"]);
        }
    }
}

#[test]
fn vectors() {
    phalanx_testing::on_every_backend(|backend| {
        let wrong = wrong_answers();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", backend.name());
    });
}

/// What single verification says otherwise than the vectors: from bytes, and from a decoded key.
fn wrong_answers() -> Vec<String> {
    let mut wrong: Vec<String> = vec![];
    let mut seen = 0;
    for file in ["cctv.json", "wycheproof.json", "wycheproof-subgroup.json", "speccheck.json"] {
        for case in load(file)["cases"].as_array().expect("cases") {
            let [key, message, signature] = ["pk", "msg", "sig"].map(|name| bytes(&case[name]));
            let decoded = VerifyingKey::try_from(&key[..]).ok();
            let prepared = decoded.as_ref().map(PreparedKey::new);
            for profile in Profile::ALL {
                let wanted = case["verdict"][profile.name()].as_bool().expect("a verdict");
                let got = explain(profile, &key, &message, &signature);
                if got.is_ok() != wanted {
                    wrong.push(format!("{} {}: {got:?}, wanted {wanted}", case["id"], profile.name()));
                }
                seen += 1;
                let (Some(key), Ok(signature)) = (&decoded, Signature::try_from(&signature[..])) else {
                    continue;
                };
                if key.verify_with(profile, &message, &signature).is_ok() != wanted {
                    wrong.push(format!("{} {}: not {wanted} by key", case["id"], profile.name()));
                }
                let prepared = prepared.as_ref().expect("made of the decoded key");
                if prepared.verify_with(profile, &message, &signature).is_ok() != wanted {
                    wrong.push(format!("{} {}: not {wanted} by prepared key", case["id"], profile.name()));
                }
            }
        }
    }
    assert_eq!(seen, 5 * (914 + 151 + 59 + 12));
    wrong
}

#[test]
fn points_of_signatures_are_looked_at() {
    let signature = SigningKey::from_seed(&[7; 32]).sign(b"good");
    assert!(signature.r_is_canonical() && signature.r_is_torsion_free() && !signature.r_is_weak());
    let with_r = |r: [u8; 32]| {
        let mut bytes = signature.to_bytes();
        bytes[..32].copy_from_slice(&r);
        Signature::from_bytes(&bytes)
    };
    let seen = |r| {
        let signature = with_r(r);
        (signature.r_is_canonical(), signature.r_is_weak(), signature.r_is_torsion_free())
    };
    // y = 0, of order 4; the same with y = p; the identity, and with a sign; no point.
    let (mut p, mut identity, mut signed) = ([0xff; 32], [0; 32], [0; 32]);
    (p[0], p[31], identity[0], signed[0], signed[31]) = (0xed, 0x7f, 1, 1, 0x80);
    assert_eq!(seen([0; 32]), (true, true, false));
    assert_eq!(seen(p), (false, true, false));
    assert_eq!(seen(identity), (true, true, true));
    assert_eq!(seen(signed), (false, true, true));
    assert_eq!(seen([2; 32]), (false, false, false));
}
