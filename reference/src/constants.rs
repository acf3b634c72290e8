//! Reads the permutation constants from the published JSON files.

use serde_json::Value;

/// Parses a constants file.
pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("the constants file is JSON")
}

/// A JSON list of canonical field elements.
pub(crate) fn elements(list: &Value) -> Vec<u32> {
    let list = list.as_array().expect("the constants file has a list here");
    list.iter().map(element).collect()
}

/// A JSON list of lists of canonical field elements.
pub(crate) fn rows(list: &Value) -> Vec<Vec<u32>> {
    let list = list.as_array().expect("the constants file has a list of lists here");
    list.iter().map(elements).collect()
}

fn element(number: &Value) -> u32 {
    let number = number.as_u64().expect("a constant is a non-negative integer");
    let element = u32::try_from(number).expect("a constant is below 2^32");
    assert!(crate::field::is_canonical(element), "a constant is a canonical residue");
    element
}
