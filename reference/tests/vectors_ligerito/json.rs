//! Typed access to the vector files. Anything missing or of the wrong type is a panic that names the key.

use std::path::PathBuf;

use phalanx_reference::ligerito::{Claim, Digest, Large, Level, Shape, U192, registered};
use serde_json::Value;

/// A suite and its vectors.
pub(crate) trait Suite: Large {
    /// The folder in `vectors/`.
    const FOLDER: &'static str;
    /// Names another folder of the same files.
    const VARIABLE: &'static str;
    /// Its profiles.
    const PROFILES: &'static [u8];
    /// Files with one case each, of full size.
    const FULL_SIZE: &'static [&'static str];
}

impl Suite for u128 {
    const FOLDER: &'static str = "ligerito-own";
    const VARIABLE: &'static str = "PHALANX_LIGERITO_VECTORS";
    const PROFILES: &'static [u8] = &[1, 2];
    const FULL_SIZE: &'static [&'static str] = &["proof_16.json", "proof_20.json"];
}

impl Suite for U192 {
    const FOLDER: &'static str = "ligerito-128";
    const VARIABLE: &'static str = "PHALANX_LIGERITO_128_VECTORS";
    const PROFILES: &'static [u8] = &[3];
    const FULL_SIZE: &'static [&'static str] = &["proof_20.json"];
}

/// The same tests for each suite.
macro_rules! for_every_suite {
    ($($test:ident),* $(,)?) => {
        mod provable100 {
            $(#[test] fn $test() { super::$test::<u128>() })*
        }
        mod provable128 {
            $(#[test] fn $test() { super::$test::<phalanx_reference::ligerito::U192>() })*
        }
    };
}
pub(crate) use for_every_suite;

fn path<N: Suite>(file: &str) -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors").join(N::FOLDER);
    std::env::var_os(N::VARIABLE).map_or_else(default, PathBuf::from).join(file)
}

pub(crate) fn load<N: Suite>(file: &str) -> Value {
    serde_json::from_slice(&load_bytes::<N>(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn load_bytes<N: Suite>(file: &str) -> Vec<u8> {
    let path = path::<N>(file);
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
pub(crate) fn element<N: Large>(value: &Value) -> N {
    let mut bytes = bytes(value);
    bytes.reverse();
    N::of_le(&bytes)
}

pub(crate) fn elements<N: Large>(value: &Value) -> Vec<N> {
    list(value).iter().map(element).collect()
}

pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("hexadecimal")).unwrap()
}

pub(crate) fn digest(value: &Value) -> Digest {
    bytes(value).try_into().expect("32 bytes")
}

/// The shape of a case; registered ones must be those of the table.
pub(crate) fn shape<N: Large>(case: &Value) -> Shape<N> {
    if text(case, "suite") == N::TEST {
        return test_shape(case);
    }
    let shape = registered(number(&case["profile"]), number(&case["mu"])).unwrap();
    assert_eq!(shape.levels(), test_shape::<N>(case).levels(), "{}", case["name"]);
    shape
}

/// The listed levels, whatever the suite.
pub(crate) fn test_shape<N: Large>(case: &Value) -> Shape<N> {
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
pub(crate) fn claims<N: Large>(case: &Value) -> Vec<Claim<N>> {
    let claims = case["claims"].as_array().expect("a list of claims");
    let claim = |claim: &Value| Claim { point: elements(&claim["point"]), value: element(&claim["value"]) };
    claims.iter().map(claim).collect()
}
