//! The XMSS vector files, for the tests of encodings.

use phalanx_xmss::ParameterSet;
use serde_json::Value;
use std::fs;

/// The two sets whose keys are in the repository as files, with the files' names.
pub(crate) const KEY_FILES: [(ParameterSet, [&str; 2]); 2] = [
    (ParameterSet::POSEIDON2_L8_D64B8, ["k0", "k2-sparse"]),
    (ParameterSet::POSEIDON1_L8_D4B8_TEST, ["k0", "k1-sparse"]),
];

/// A file of `vectors/xmss`.
pub(crate) fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/../../vectors/xmss/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The end-to-end keys of `set`.
pub(crate) fn keys(set: ParameterSet) -> Vec<Value> {
    let file: Value = serde_json::from_slice(&file(&format!("{}.e2e.json", set.profile()))).expect("JSON");
    let keys = file.as_array().expect("a list of keys").clone();
    assert!(!keys.is_empty(), "{set} has keys");
    keys
}

/// The secret key called `key`, in the encoding called `ssz`, `bincode1` or `bincode2std`.
pub(crate) fn secret_key(set: ParameterSet, key: &str, encoding: &str) -> Vec<u8> {
    file(&format!("{}.{key}.sk.{encoding}", set.profile()))
}

/// The bytes that `value` spells in hex.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("text")).expect("hex")
}

/// A list in a vector file; empty if it is not there.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
