//! Typed access to the vector files. Anything missing or of the wrong type is a panic that names the key.

use std::path::PathBuf;

use phalanx_reference::ligerito::{Claim, Digest, Level, Shape, TEST, registered};
use serde_json::Value;

fn path(file: &str) -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/ligerito-own");
    std::env::var_os("PHALANX_LIGERITO_VECTORS").map_or_else(default, PathBuf::from).join(file)
}

pub(crate) fn load(file: &str) -> Value {
    serde_json::from_slice(&load_bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn load_bytes(file: &str) -> Vec<u8> {
    let path = path(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A list of cases. An empty one would pass silently, so it is a failure.
pub(crate) fn list(value: &Value) -> &[Value] {
    let list = value.as_array().expect("a list");
    assert!(!list.is_empty(), "the list is empty");
    list
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is not a string"))
}

pub(crate) fn number<N: TryFrom<u64>>(value: &Value) -> N {
    let number = value.as_u64().expect("a non-negative integer");
    N::try_from(number).unwrap_or_else(|_| panic!("{number} does not fit its type"))
}

/// A field element: big-endian hexadecimal of the integer.
pub(crate) fn element(value: &Value) -> u128 {
    u128::from_str_radix(value.as_str().expect("an element"), 16).unwrap()
}

pub(crate) fn elements(value: &Value) -> Vec<u128> {
    list(value).iter().map(element).collect()
}

pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("hexadecimal")).unwrap()
}

pub(crate) fn digest(value: &Value) -> Digest {
    bytes(value).try_into().expect("32 bytes")
}

/// The shape of a case; registered ones must be those of the table.
pub(crate) fn shape(case: &Value) -> Shape {
    if text(case, "suite") == TEST {
        return test_shape(case);
    }
    let shape = registered(number(&case["profile"]), number(&case["mu"])).unwrap();
    assert_eq!(shape.levels(), test_shape(case).levels(), "{}", case["name"]);
    shape
}

/// The listed levels, whatever the suite.
pub(crate) fn test_shape(case: &Value) -> Shape {
    let levels: Vec<Level> = list(&case["levels"]).iter().map(level).collect();
    Shape::test(number(&case["mu"]), &levels).unwrap()
}

pub(crate) fn level(list: &Value) -> Level {
    Level {
        d: number(&list[0]),
        k: number(&list[1]),
        r: number(&list[2]),
        queries: number(&list[3]),
        grind: number(&list[4]),
    }
}

/// The claims of a case, which may have none.
pub(crate) fn claims(case: &Value) -> Vec<Claim> {
    let claims = case["claims"].as_array().expect("a list of claims");
    let claim = |claim: &Value| Claim { point: elements(&claim["point"]), value: element(&claim["value"]) };
    claims.iter().map(claim).collect()
}
