//! The scheme against the vectors, through single verification and signing.

use super::*;
use alloc::vec::Vec;
use serde_json::Value;
use std::{format, fs, string::String, vec};

pub(super) fn load(name: &str) -> Value {
    let path = format!("{}/../vectors/ed25519/{name}", env!("CARGO_MANIFEST_DIR"));
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
    let mut wrong: Vec<String> = vec![];
    for file in ["cctv.json", "wycheproof.json", "speccheck.json"] {
        for case in load(file)["cases"].as_array().expect("cases") {
            for profile in Profile::ALL {
                let wanted = case["verdict"][profile.name()].as_bool().expect("a verdict");
                let got = explain(profile, &bytes(&case["pk"]), &bytes(&case["msg"]), &bytes(&case["sig"]));
                if got.is_ok() != wanted {
                    wrong.push(format!("{} {}: {got:?}, wanted {wanted}", case["id"], profile.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
