//! The permutations against the vectors, on every backend.

use super::*;
use crate::simd::Backend;
use serde_json::Value;
use std::vec::Vec;
use std::{eprintln, format, fs};

fn load(name: &str) -> Value {
    let path = format!("{}/../vectors/rescue/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON")
}

fn words(value: &Value) -> Vec<u64> {
    let word = |value: &Value| value.as_str().expect("a decimal string").parse().expect("a u64");
    value.as_array().expect("a list").iter().map(word).collect()
}

#[test]
fn vectors() {
    for backend in Backend::ALL {
        let Some(level) = Level::of(backend) else {
            eprintln!("{}: not run", backend.name());
            continue;
        };
        for (permutation, file) in
            Permutation::ALL.into_iter().zip(["rp64_256", "rp64_256_jive", "rpo256", "rpx256"])
        {
            let vectors = load(&format!("{file}.json"));
            let cases = vectors["permutation"].as_array().expect("cases");
            assert!(!cases.is_empty());
            let mut states: Vec<_> = cases.iter().flat_map(|case| words(&case["in"])).collect();
            let mut secret = states.clone();
            let wanted: Vec<_> = cases.iter().flat_map(|case| words(&case["out"])).collect();
            permute_many(level, permutation, &mut states);
            assert!(states == wanted, "{permutation:?} on {}", backend.name());
            secret.chunks_exact_mut(permutation.width()).for_each(|state| permute_secret(permutation, state));
            assert!(secret == wanted, "{permutation:?} for secrets");
        }
    }
}
