//! Every case of the keystore vectors, under both policies.

use phalanx_custody::keystore::{Error, Keystore, OpenKey, Password, Policy};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/custody/keystore")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What opening gave, as the vectors write it.
fn answer(result: Result<OpenKey, Error>) -> Value {
    let mut answer = Map::new();
    let mut put = |name: &str, value: Value| answer.insert(name.to_owned(), value);
    match result {
        Err(error) => {
            put("verdict", error.verdict().expect("the file was refused").name().into());
        }
        Ok(key) => {
            let header = key.header();
            put("verdict", key.verdict().into());
            put("secret", key.secret().kind().name().into());
            put("seed", hex::encode(key.secret().expose()).into());
            put("key_id", header.key_id.to_string().into());
            if let Some(id) = key.one_time_key_id() {
                put("one_time_key_id", id.to_string().into());
            }
            put("scheme", header.scheme.name().into());
            if let Some(start) = header.start {
                put("start", start.into());
            }
            if let Some(count) = header.count {
                put("count", count.into());
            }
            if let Some(role) = header.role {
                put("role", role.name().into());
            }
            put("use", header.usage.name().into());
            put("signable", key.signable().name().into());
            put("weak_kdf", key.has_weak_kdf().into());
        }
    }
    Value::Object(answer)
}

#[test]
fn every_case_under_both_policies() {
    let file: Value = serde_json::from_slice(&read("expected.json")).expect("vector files are JSON");
    let cases = file["cases"].as_array().expect("a list of cases");
    assert!(cases.len() >= 100, "{} cases", cases.len());
    for case in cases {
        let text = |name: &str| case[name].as_str().expect("a text");
        let name = format!("{} with password {:?}", text("file"), text("password"));
        let bytes = read(text("file"));
        assert_eq!(hex::encode(Sha256::digest(&bytes)), text("file_sha256"), "{name}");
        let password = Password::from_bytes(text("password").as_bytes()).expect("JSON texts are UTF-8");
        assert_eq!(hex::encode(password.expose()), text("password_normalised_hex"), "{name}");
        for (policy, accept_weak_kdf) in [("default_policy", false), ("accept_weak_kdf", true)] {
            let opened = Keystore::parse(&bytes)
                .and_then(|keystore| keystore.open(&password, Policy { accept_weak_kdf }));
            assert_eq!(answer(opened), case[policy], "{name}, {policy}");
        }
    }
}
