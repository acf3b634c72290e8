//! Every form against the vectors.

use super::*;
use serde_json::Value;
use std::vec::Vec;
use std::{format, fs};

fn load(name: &str) -> Value {
    let path = format!("{}/../../vectors/rescue/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON")
}

fn word(value: &Value) -> u64 {
    value.as_str().expect("a decimal string").parse().expect("a u64")
}

fn words(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(word).collect()
}

fn digest(value: &Value) -> Digest {
    Digest::from_elements(words(value).try_into().expect("four elements"))
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a string")).expect("hex")
}

/// The cases of one kind; files without it have none.
fn cases<'a>(vectors: &'a Value, kind: &str) -> &'a [Value] {
    vectors[kind].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn vectors() {
    for (function, file) in Function::ALL.into_iter().zip(["rp64_256", "rp64_256_jive", "rpo256", "rpx256"]) {
        let (vectors, name) = (load(file), function.name());
        for case in cases(&vectors, "hash_elements") {
            assert_eq!(function.hash_elements(&words(&case["in"])), digest(&case["out"]), "{name} {case}");
        }
        for case in cases(&vectors, "hash_bytes") {
            let input = bytes(&case["in_hex"]);
            match function.hash(&input) {
                Ok(got) => assert_eq!(got, digest(&case["out"]), "{name} {case}"),
                Err(error) => {
                    assert_eq!(error, Error::UndefinedLength { got: input.len() });
                    assert_eq!(case["reference_panics"], true, "{name} {case}");
                }
            }
        }
        for case in cases(&vectors, "merge") {
            let (left, right) = (digest(&case["left"]), digest(&case["right"]));
            assert_eq!(function.merge(&left, &right), digest(&case["out"]), "{name} {case}");
            if !case["out_in_domain"].is_null() {
                let got = function.merge_in_domain(&left, &right, word(&case["domain"]));
                assert_eq!(got, Ok(digest(&case["out_in_domain"])), "{name} {case}");
            }
        }
        for case in cases(&vectors, "merge_many") {
            let digests: Vec<_> = cases(case, "digests").iter().map(digest).collect();
            assert_eq!(function.merge_many(&digests), digest(&case["out"]), "{name} {case}");
        }
        for case in cases(&vectors, "merge_with_int") {
            let got = function.merge_with_int(&digest(&case["seed"]), word(&case["value"]));
            assert_eq!(got, digest(&case["out"]), "{name} {case}");
        }
        for case in cases(&vectors, "hash_elements_in_domain") {
            let got = function.hash_elements_in_domain(&words(&case["in"]), word(&case["domain"]));
            assert_eq!(got, Ok(digest(&case["out"])), "{name} {case}");
        }
        for case in cases(&vectors, "digest_decode") {
            let input = bytes(&case["in_hex"]).try_into().expect("32 bytes");
            let lenient = Digest::from_bytes_lenient(&input);
            assert_eq!(lenient, digest(&case["elements"]));
            assert_eq!(lenient.to_bytes().as_slice(), bytes(&case["reencoded_hex"]));
            assert_eq!(Digest::from_bytes(&input).is_ok(), lenient.to_bytes() == input);
        }
    }
}
