//! Scheme against vectors, from inside: keys, randomness and verdicts, on every backend.

use super::{ParameterSet, SigningKey};
use crate::fields::koala_bear::KoalaBear;
use alloc::format;
use alloc::vec::Vec;
use phalanx_core::simd::Backend;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<u32> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| u32::try_from(x.as_u64().expect("a number")).expect("32 bits")).collect()
}

fn hex32(value: &Value) -> [u8; 32] {
    let bytes = hex::decode(value.as_str().expect("text")).expect("hex");
    bytes.try_into().expect("32 bytes")
}

fn canonical(words: &[u32]) -> Vec<u32> {
    words.iter().map(|&w| KoalaBear::from_montgomery(w).expect("reduced").canonical()).collect()
}

#[test]
fn small_keys_end_to_end_on_every_backend() {
    for set in [ParameterSet::POSEIDON2_L8_D64B8, ParameterSet::POSEIDON1_L8_D4B8_TEST] {
        let path = format!("{}/../../vectors/xmss/{}.e2e.json", env!("CARGO_MANIFEST_DIR"), set.profile());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let file: Value = serde_json::from_str(&text).expect("JSON");
        for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
            backend
                .force(|| file.as_array().expect("keys").iter().for_each(|key| check_key(set, key)))
                .expect("there");
        }
    }
}

fn check_key(set: ParameterSet, vector: &Value) {
    let start = vector["requested_activation_epoch"].as_u64().expect("number");
    let count = vector["requested_active_epochs"].as_u64().expect("number");
    let key = SigningKey::from_seed(set, &hex32(&vector["seed"]), start..start + count).expect("fits");
    let n = set.hash_len();
    assert_eq!(key.prf_key.bytes(), &hex32(&vector["prf_key"]));
    assert_eq!(canonical(&key.parameter.0[..5]), numbers(&vector["parameter"]));
    assert_eq!(canonical(&key.top.root().0[..n]), numbers(&vector["root"]));
    for signature in vector["signatures"].as_array().expect("signatures") {
        let epoch = u32::try_from(signature["epoch"].as_u64().expect("number")).expect("32 bits");
        let message = hex32(&signature["message"]);
        let got = key.sign_prepared(epoch, &message).expect("signs");
        assert_eq!(canonical(&got.randomness.0[..set.randomness_len()]), numbers(&signature["rho"]));
        assert_eq!(key.verifying_key().verify(epoch, &message, &got), Ok(()));
        assert!(key.verifying_key().verify(epoch ^ 1, &message, &got).is_err());
    }
}
