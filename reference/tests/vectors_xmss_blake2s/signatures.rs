//! Keys, trees, signatures and their verification.

use super::json::{array, bytes, for_each, int};
use phalanx_reference::xmss_blake2s::{PublicKey, SecretKey, Signature, Verdict, randomizer, sign, verify};
use serde_json::Value;

fn key(profile: phalanx_reference::xmss_blake2s::Profile, case: &Value) -> Option<SecretKey> {
    SecretKey::new(profile, &array(case, "seed"), int(case, "epoch_start"), int(case, "epoch_end"))
}

#[test]
fn public_keys_of_seeds() {
    for_each("key_gen", 3, |profile, case| match key(profile, case) {
        Some(key) => assert_eq!(key.public_key().to_bytes(), bytes(case, "public_key"), "{case}"),
        None => assert!(case["public_key"].is_null(), "{case}"),
    });
}

#[test]
fn a_tree_node_by_node() {
    for_each("tree", 1, |profile, case| {
        let key = key(profile, case).expect("four epochs");
        assert_eq!(key.parameter, array(case, "public_param"));
        for (level, name) in [(0, "leaves"), (1, "level_1"), (2, "level_2"), (3, "level_3")] {
            let nodes = case[name].as_object().expect("nodes by index");
            assert!(!nodes.is_empty());
            for index in nodes.keys() {
                assert_eq!(
                    key.node(level, index.parse().unwrap()),
                    array(&case[name], index),
                    "{name} {index}"
                );
            }
        }
        assert_eq!(key.node(2, 0), array(case, "filler_level_2_index_0"));
        assert_eq!(key.public_key().root, array(case, "root"));
        let path: Vec<String> = key.path(6).iter().map(hex::encode).collect();
        assert_eq!(serde_json::json!(path), case["auth_path_epoch_6"]);
    });
}

#[test]
fn signatures_of_seeds() {
    for_each("sign", 2, |profile, case| {
        let key = key(profile, case).expect("a range that is not empty");
        let (epoch, message) = (int(case, "epoch"), array(case, "message"));
        let (signature, trial) = sign(&key, epoch, &message).expect("an epoch of the range");
        assert_eq!(hex::encode(signature.to_bytes()), case["signature"].as_str().unwrap());
        assert_eq!(signature.randomness, randomizer(&key, epoch, &message, trial));
        if !case["trial"].is_null() {
            assert_eq!(trial, int(case, "trial"));
        }
        assert_eq!(verify(profile, &key.public_key(), epoch, &message, &signature), Verdict::Valid);
        if let Some(after) = key.last.checked_add(1) {
            assert!(sign(&key, after, &message).is_none(), "outside the range");
        }
    });
}

#[test]
fn verdicts() {
    for_each("verify", 3, |profile, case| {
        let public_key = PublicKey::from_bytes(&bytes(case, "public_key"));
        let wanted = case["result"].as_str().expect("a result");
        let got = match public_key.zip(Signature::from_bytes(&bytes(case, "signature"))) {
            None => "bad_length",
            Some((public_key, signature)) => {
                match verify(profile, &public_key, int(case, "epoch"), &array(case, "message"), &signature) {
                    Verdict::Valid => "valid",
                    Verdict::NoEncoding if wanted == "invalid" => wanted,
                    Verdict::OtherRoot if wanted == "invalid" => wanted,
                    Verdict::NoEncoding => "invalid_encoding",
                    Verdict::OtherRoot => "invalid_root",
                }
            }
        };
        assert_eq!(got, wanted, "{}", case["case"]);
    });
}
