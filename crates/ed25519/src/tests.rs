//! The scheme against the vectors, through single verification and signing.

use super::*;
use alloc::vec::Vec;
use phalanx_core::simd::Backend;
use serde_json::Value;
use std::{format, fs, string::String, vec};

pub(super) fn load(name: &str) -> Value {
    let path = format!("{}/../../vectors/ed25519/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON")
}

pub(super) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a string")).expect("hex")
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
fn verdicts() {
    for backend in Backend::ALL {
        let Ok(wrong) = backend.force(wrong_verdicts) else {
            std::eprintln!("{}: not run", backend.name());
            continue;
        };
        assert!(wrong.is_empty(), "{}: {wrong:#?}", backend.name());
    }
}

/// What single verification says otherwise than the vectors: from bytes, and from a decoded key.
fn wrong_verdicts() -> Vec<String> {
    let mut wrong: Vec<String> = vec![];
    let mut seen = 0;
    for file in ["cctv.json", "wycheproof.json", "speccheck.json"] {
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
    assert_eq!(seen, 5 * (914 + 151 + 12));
    wrong
}
