//! `PROFILE.e2e.json` and the complete keys beside them: whole keys, signatures and verification cases.

use phalanx_reference::chain::chain_walk;
use phalanx_reference::params::{PARAMETER_LEN, Params};
use phalanx_reference::rng::Rng;
use phalanx_reference::tree::{Layer, padded_tree};
use phalanx_reference::wire::{
    Format, decode_public_key, decode_signature, decode_signature_padded, encode_public_key,
    encode_secret_key, encode_signature, encode_signature_padded,
};
use phalanx_reference::{
    PublicKey, SecretKey, Signature, advance, keygen, prf_chain_start, search, sign, verify,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::json::{
    bytes, bytes32, coordinates, digests, elements, folder, for_each_profile, int, ints, list, load, params,
    text,
};

/// Names of the three formats in the keys of the vector files.
const FORMATS: [(Format, &str); 3] = [
    (Format::Ssz, "ssz"),
    (Format::BincodeFixint, "bincode1"),
    (Format::BincodeStandard, "bincode2_standard"),
];

mod stored_keys {
    use super::*;
    for_each_profile! { check_stored_keys:
        p2_top_l8_d64b8 = "p2-top-l8-d64b8",
        p2_top_l18_d64b8 = "p2-top-l18-d64b8",
        p2_top_l32_d64b8 = "p2-top-l32-d64b8",
        p2_top_l32_d48b10 = "p2-top-l32-d48b10",
        p2_top_l32_d32b26 = "p2-top-l32-d32b26",
        p1_abort_l32_d46b8 = "p1-abort-l32-d46b8",
        p1_abort_l8_d4b8_test = "p1-abort-l8-d4b8-test",
    }
}

mod verify_cases {
    use super::*;
    for_each_profile! { check_verify_cases:
        p2_top_l8_d64b8 = "p2-top-l8-d64b8",
        p2_top_l18_d64b8 = "p2-top-l18-d64b8",
        p2_top_l32_d64b8 = "p2-top-l32-d64b8",
        p2_top_l32_d48b10 = "p2-top-l32-d48b10",
        p2_top_l32_d32b26 = "p2-top-l32-d32b26",
        p1_abort_l32_d46b8 = "p1-abort-l32-d46b8",
        p1_abort_l8_d4b8_test = "p1-abort-l8-d4b8-test",
    }
}

mod generated_keys {
    use super::*;
    for_each_profile! { check_generated_keys:
        p2_top_l8_d64b8 = "p2-top-l8-d64b8",
        p1_abort_l8_d4b8_test = "p1-abort-l8-d4b8-test",
    }

    /// The keys of the 2^18 set with the minimum window, 1024 leaves each.
    #[test]
    fn p2_top_l18_d64b8_minimum_windows() {
        keys("p2-top-l18-d64b8").iter().filter(|key| has_minimum_window(key)).for_each(check_generated_key);
    }

    #[test]
    #[ignore = "generates 3584 leaves of 64 chains, a quarter of a minute on a free core"]
    fn p2_top_l18_d64b8_wide_windows() {
        keys("p2-top-l18-d64b8").iter().filter(|key| !has_minimum_window(key)).for_each(check_generated_key);
    }

    #[test]
    #[ignore = "generates 131072 leaves of 46 chains twice, an estimated twenty minutes"]
    fn p1_abort_l32_d46b8() {
        check_generated_keys("p1-abort-l32-d46b8");
    }

    #[test]
    #[ignore = "generates 131072 leaves of 64 chains twice, an estimated quarter of an hour"]
    fn p2_top_l32_d64b8() {
        check_generated_keys("p2-top-l32-d64b8");
    }

    #[test]
    #[ignore = "generates 131072 leaves of 48 chains, seven minutes"]
    fn p2_top_l32_d48b10() {
        check_generated_keys("p2-top-l32-d48b10");
    }

    #[test]
    #[ignore = "generates 131072 leaves of 32 long chains, an estimated quarter of an hour"]
    fn p2_top_l32_d32b26() {
        check_generated_keys("p2-top-l32-d32b26");
    }
}

/// The keys of one end-to-end file.
fn keys(profile: &str) -> Vec<Value> {
    let file = load(&format!("{profile}.e2e.json"));
    let keys = file.as_array().expect("an end-to-end file is a list of keys").clone();
    assert!(!keys.is_empty(), "{profile} has no keys");
    keys.iter().for_each(|key| assert_eq!(text(key, "profile"), profile));
    keys
}

// ---- What can be checked without generating the key ----

fn check_stored_keys(profile: &str) {
    for key in keys(profile) {
        let params = params(profile);
        check_public_key_bytes(params, &key);
        check_draws_and_top_tree(params, &key);
        for expected in list(&key, "signatures") {
            check_stored_signature(params, &key, expected);
        }
    }
}

/// The public key of a vector, from its field elements.
fn public_key(key: &Value) -> PublicKey {
    PublicKey { root: elements(&key["root"]), parameter: elements(&key["parameter"]) }
}

fn check_public_key_bytes(params: &Params, key: &Value) {
    for (format, name) in FORMATS {
        let expected = bytes(key, &format!("pk_{name}"));
        assert_eq!(encode_public_key(format, &public_key(key)), expected, "{name}");
        assert_eq!(decode_public_key(format, params, &expected), Some(public_key(key)), "{name}");
    }
}

/// Whether the key covers just two bottom trees.
fn has_minimum_window(key: &Value) -> bool {
    let [start, end] = interval(key, "activation_interval");
    end - start == 2 * params(text(key, "profile")).leaves_per_bottom_tree()
}

/// Parameter and PRF key from the seed; and the root, where the two stored bottom roots are all there are.
fn check_draws_and_top_tree(params: &Params, key: &Value) {
    let mut rng = Rng::from_seed(&bytes32(key, "seed"));
    let parameter = rng.elements(PARAMETER_LEN);
    assert_eq!(parameter, elements(&key["parameter"]));
    assert_eq!(rng.bytes32(), bytes32(key, "prf_key"));

    if has_minimum_window(key) {
        let [start, _] = interval(key, "activation_interval");
        let roots = ["left_bottom_tree_root", "right_bottom_tree_root"].map(|root| elements(&key[root]));
        let roots = Layer { start: start / params.leaves_per_bottom_tree(), nodes: roots.to_vec() };
        let (depth, height) = (params.log_lifetime, params.bottom_height());
        let top_tree = padded_tree(params, &parameter, depth, height, roots, &mut rng);
        assert_eq!(top_tree.root(), elements(&key["root"]));
    }
}

fn interval(value: &Value, key: &str) -> [u64; 2] {
    ints::<u64>(&value[key]).try_into().expect("an interval has two ends")
}

/// Bytes, verdict, and all of the signature that does not need the trees.
fn check_stored_signature(params: &Params, key: &Value, expected: &Value) {
    let signature = decode_signature(Format::Ssz, params, &bytes(expected, "sig_ssz")).expect("valid bytes");
    check_signature_bytes(params, &signature, expected);

    let (epoch, message) = (int(expected, "epoch"), bytes32(expected, "message"));
    assert!(verify(params, &public_key(key), epoch, &message, &signature), "epoch {epoch}");

    let (prf_key, parameter) = (bytes32(key, "prf_key"), elements(&key["parameter"]));
    let epoch = u32::try_from(epoch).unwrap();
    let found =
        search(params, &prf_key, &parameter, epoch, &message).expect("the reference found a codeword");
    assert_eq!(found.counter, int::<u64>(expected, "successful_counter"));
    assert_eq!(found.codeword, coordinates(&expected["codeword"]));
    assert_eq!(found.rho, elements(&expected["rho"]));
    assert_eq!(found.rho, signature.rho);
    for ((chain, &steps), hash) in (0..params.chains).zip(&found.codeword).zip(&signature.hashes) {
        let start = prf_chain_start(params, &prf_key, epoch, u64::from(chain));
        assert_eq!(&chain_walk(params, &parameter, epoch, chain, 0, steps, &start), hash);
    }
}

fn check_signature_bytes(params: &Params, signature: &Signature, expected: &Value) {
    assert_eq!(encode_signature(Format::Ssz, signature), bytes(expected, "sig_ssz"));
    for (format, name) in &FORMATS[1..] {
        let encoded = encode_signature(*format, signature);
        assert_eq!(encoded.len(), int::<usize>(expected, &format!("sig_{name}_len")), "{name}");
        assert_eq!(sha256_hex(&encoded), text(expected, &format!("sig_{name}_sha256")), "{name}");
        assert_eq!(decode_signature(*format, params, &encoded).as_ref(), Some(signature), "{name}");
        // Only the first two signatures of a key are given in full.
        if !expected[format!("sig_{name}")].is_null() {
            assert_eq!(encoded, bytes(expected, &format!("sig_{name}")), "{name}");
        }
    }
    let fixint = encode_signature(Format::BincodeFixint, signature);
    let padded = [&fixint[..], &vec![0; 3116 - fixint.len()]].concat();
    assert_eq!(encode_signature_padded(signature).as_ref(), Some(&padded));
    assert_eq!(decode_signature_padded(params, &padded).as_ref(), Some(signature));
}

fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

// ---- Verification cases ----

fn check_verify_cases(profile: &str) {
    let params = params(profile);
    let mut cases_run = 0;
    for key in keys(profile) {
        for case in key["verify_cases_ssz"].as_array().into_iter().flatten() {
            let verdict = verdict(params, (Format::Ssz, "ssz"), case, &bytes(case, "pk_ssz"));
            assert_eq!(verdict, text(case, "required"), "{}", text(case, "case"));
            cases_run += 1;
        }
        for case in key["verify_cases_bincode1"].as_array().into_iter().flatten() {
            // These cases do not repeat the public key.
            let pk = bytes(&key, "pk_bincode1");
            let verdict = verdict(params, (Format::BincodeFixint, "bincode1"), case, &pk);
            assert_eq!(verdict, text(case, "required"), "{}", text(case, "case"));
            cases_run += 1;
        }
    }
    assert!(cases_run > 0, "{profile} has no verification cases");
}

/// Decodes and verifies; what does not decode is rejected.
fn verdict(params: &Params, (format, name): (Format, &str), case: &Value, pk: &[u8]) -> &'static str {
    let public_key = decode_public_key(format, params, pk);
    let signature = decode_signature(format, params, &bytes(case, &format!("sig_{name}")));
    let (epoch, message) = (int(case, "epoch"), bytes32(case, "message"));
    match (public_key, signature) {
        (Some(public_key), Some(signature)) if verify(params, &public_key, epoch, &message, &signature) => {
            "accept"
        }
        _ => "reject",
    }
}

// ---- Whole keys ----

fn check_generated_keys(profile: &str) {
    keys(profile).iter().for_each(check_generated_key);
}

fn check_generated_key(key: &Value) {
    let params = params(text(key, "profile"));
    let (start, count) = (int(key, "requested_activation_epoch"), int(key, "requested_active_epochs"));
    let secret_key =
        keygen(params, &bytes32(key, "seed"), start, count).expect("the window fits the lifetime");

    check_secret_key(&secret_key, key);
    for expected in list(key, "signatures") {
        let signature = sign(&secret_key, int(expected, "epoch"), &bytes32(expected, "message"));
        check_signature_bytes(params, &signature.expect("the reference signed"), expected);
    }
    check_out_of_range(&secret_key, key);
    check_advanced(secret_key, key);
}

fn check_secret_key(secret_key: &SecretKey, key: &Value) {
    let range = |[start, end]: [u64; 2]| start..end;
    assert_eq!(secret_key.public_key(), public_key(key));
    assert_eq!(secret_key.prf_key, bytes32(key, "prf_key"));
    assert_eq!(secret_key.activation_interval(), range(interval(key, "activation_interval")));
    assert_eq!(secret_key.prepared_interval(), range(interval(key, "prepared_interval")));
    assert_eq!(secret_key.left_index, int::<u64>(key, "left_bottom_tree_index"));
    assert_eq!(secret_key.left_tree.root(), elements(&key["left_bottom_tree_root"]));
    assert_eq!(secret_key.right_tree.root(), elements(&key["right_bottom_tree_root"]));
    for (format, name) in FORMATS {
        let encoded = encode_secret_key(format, secret_key);
        assert_eq!(encoded.len(), int::<usize>(key, &format!("sk_{name}_len")), "{name}");
        assert_eq!(sha256_hex(&encoded), text(key, &format!("sk_{name}_sha256")), "{name}");
    }
    // Only the 2^8 sets give the top tree, complete keys and damaged ones.
    for (layer, expected) in
        secret_key.top_tree.layers.iter().zip(key["top_tree_layers"].as_array().into_iter().flatten())
    {
        let expected = Layer { start: int(expected, "start_index"), nodes: digests(&expected["nodes"]) };
        assert_eq!(*layer, expected);
    }
    for file in key["sk_files"].as_array().into_iter().flatten() {
        check_secret_key_file(secret_key, file.as_str().unwrap());
    }
    for case in key["sk_cases_ssz"].as_array().into_iter().flatten() {
        if text(case, "case") == "valid" {
            assert_eq!(encode_secret_key(Format::Ssz, secret_key), bytes(case, "sk_ssz"));
        }
    }
}

/// Compares with a complete key file, and with the public key file beside it.
fn check_secret_key_file(secret_key: &SecretKey, file: &str) {
    let (stem, extension) = file.rsplit_once(".sk.").expect("key files are named PROFILE.KEY.sk.FORMAT");
    let format = match extension {
        "ssz" => Format::Ssz,
        "bincode1" => Format::BincodeFixint,
        "bincode2std" => Format::BincodeStandard,
        _ => panic!("{file} is in an unknown format"),
    };
    assert_eq!(encode_secret_key(format, secret_key), std::fs::read(folder().join(file)).unwrap(), "{file}");
    let public = std::fs::read(folder().join(format!("{stem}.pk.ssz"))).unwrap();
    assert_eq!(encode_public_key(Format::Ssz, &secret_key.public_key()), public, "{file}");
}

/// Epochs at the borders of the intervals, before or after advancing, as each case says.
fn check_out_of_range(secret_key: &SecretKey, key: &Value) {
    for case in list(key, "sign_out_of_range") {
        let mut secret_key = secret_key.clone();
        match text(case, "key_state") {
            "fresh" => {}
            "after one advance_preparation" => {
                advance(&mut secret_key);
            }
            state => panic!("unknown key state {state}"),
        }
        let signed = sign(&secret_key, int(case, "epoch"), &[7; 32]).is_some();
        assert_eq!(if signed { "ok" } else { "error" }, text(case, "required"), "{}", text(case, "case"));
    }
}

fn check_advanced(mut secret_key: SecretKey, key: &Value) {
    let before = secret_key.clone();
    let advanced = advance(&mut secret_key);
    let expected = &key["after_advance_preparation"];
    if expected.is_null() {
        // The reference recorded nothing where there is nothing to advance to.
        assert_eq!(secret_key.prepared_interval().end, secret_key.activation_interval().end);
        assert!(!advanced);
        assert_eq!(secret_key, before);
        return;
    }
    assert!(advanced);
    let [start, end] = interval(expected, "prepared_interval");
    assert_eq!(secret_key.prepared_interval(), start..end);
    let encoded = encode_secret_key(Format::Ssz, &secret_key);
    assert_eq!(encoded.len(), int::<usize>(expected, "sk_ssz_len"));
    assert_eq!(sha256_hex(&encoded), text(expected, "sk_ssz_sha256"));
    let signature = sign(&secret_key, int(expected, "epoch"), &bytes32(expected, "message"));
    assert_eq!(encode_signature(Format::Ssz, &signature.unwrap()), bytes(expected, "sig_ssz"));
}
