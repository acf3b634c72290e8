//! Typed access to the vector files. Anything missing or of the wrong type is a panic that names the key.

use std::path::PathBuf;

use num_bigint::BigUint;
use phalanx_reference::params::{Params, by_name};
use serde_json::Value;

/// The folder of the vector files.
pub(crate) fn folder() -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/xmss");
    std::env::var_os("PHALANX_VECTORS").map_or_else(default, PathBuf::from)
}

pub(crate) fn load(file: &str) -> Value {
    let path = folder().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn params(profile: &str) -> &'static Params {
    by_name(profile).unwrap_or_else(|| panic!("{profile} is not a known profile"))
}

/// A list of cases. An empty one would pass silently, so it is a failure.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let list = value[key].as_array().unwrap_or_else(|| panic!("{key} is not a list"));
    assert!(!list.is_empty(), "{key} is empty");
    list
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is not a string"))
}

/// An integer of any size, given as a number or as a decimal string.
pub(crate) fn big(value: &Value, key: &str) -> BigUint {
    let number = &value[key];
    match number.as_str() {
        Some(digits) => digits.parse().unwrap_or_else(|error| panic!("{key}: {error}")),
        None => number.as_u64().unwrap_or_else(|| panic!("{key} is not an integer")).into(),
    }
}

/// An integer of the type that the caller needs.
pub(crate) fn int<T: TryFrom<u64>>(value: &Value, key: &str) -> T {
    let number = u64::try_from(big(value, key)).unwrap_or_else(|_| panic!("{key} exceeds 64 bits"));
    T::try_from(number).unwrap_or_else(|_| panic!("{key} = {number} does not fit its type"))
}

/// A list of integers.
pub(crate) fn ints<T: TryFrom<u64>>(list: &Value) -> Vec<T> {
    let list = list.as_array().expect("a list of integers");
    list.iter()
        .map(|number| {
            let number = number.as_u64().expect("a non-negative integer");
            T::try_from(number).unwrap_or_else(|_| panic!("{number} does not fit its type"))
        })
        .collect()
}

/// A list of field elements.
pub(crate) fn elements(list: &Value) -> Vec<u32> {
    ints(list)
}

/// The coordinates of a vertex or codeword.
pub(crate) fn coordinates(list: &Value) -> Vec<u8> {
    ints(list)
}

/// A list of lists of field elements.
pub(crate) fn digests(list: &Value) -> Vec<Vec<u32>> {
    list.as_array().expect("a list of digests").iter().map(elements).collect()
}

pub(crate) fn bytes(value: &Value, key: &str) -> Vec<u8> {
    hex::decode(text(value, key)).unwrap_or_else(|error| panic!("{key}: {error}"))
}

pub(crate) fn bytes32(value: &Value, key: &str) -> [u8; 32] {
    bytes(value, key).try_into().unwrap_or_else(|_| panic!("{key} is not 32 bytes long"))
}

pub(crate) fn flag(value: &Value, key: &str) -> bool {
    value[key].as_bool().unwrap_or_else(|| panic!("{key} is not a truth value"))
}

/// Turns one body into one test per profile, named after it.
macro_rules! for_each_profile {
    ($body:ident: $($test:ident = $profile:literal),+ $(,)?) => {
        $(#[test] fn $test() { $body($profile) })+
    };
}
pub(crate) use for_each_profile;
