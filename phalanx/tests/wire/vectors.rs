//! The XMSS vector files, for the tests of encodings.

use phalanx::xmss::ParameterSet;
use serde_json::Value;
use std::fs;

/// Montgomery word of the field's modulus: the least value that is no element, in every encoding.
pub const P: u32 = 0x7f00_0001;

/// The two sets whose keys are in the repository as files, with the files' names.
pub const KEY_FILES: [(ParameterSet, [&str; 2]); 2] = [
    (ParameterSet::POSEIDON2_L8_D64B8, ["k0", "k2-sparse"]),
    (ParameterSet::POSEIDON1_L8_D4B8_TEST, ["k0", "k1-sparse"]),
];

/// A file of `vectors/xmss`.
pub fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/../vectors/xmss/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The end-to-end keys of `set`.
pub fn keys(set: ParameterSet) -> Vec<Value> {
    let file: Value = serde_json::from_slice(&file(&format!("{}.e2e.json", set.profile()))).expect("JSON");
    let keys = file.as_array().expect("a list of keys").clone();
    assert!(!keys.is_empty(), "{set} has keys");
    keys
}

/// The secret key called `key`, in the encoding called `ssz`, `bincode1` or `bincode2std`.
pub fn secret_key(set: ParameterSet, key: &str, encoding: &str) -> Vec<u8> {
    file(&format!("{}.{key}.sk.{encoding}", set.profile()))
}

/// The bytes that `value` spells in hex.
pub fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("text")).expect("hex")
}

/// A list in a vector file; empty if it is not there.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
