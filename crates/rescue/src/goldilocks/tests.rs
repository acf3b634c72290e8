//! Against 128-bit integers, on edges and on random words.

use super::*;
use serde_json::Value;
use std::vec::Vec;
use std::{format, fs};

/// Words around every place where a carry or borrow decides.
pub(crate) fn edges() -> Vec<u64> {
    let corners =
        [0, 1 << 32, 1 << 48, 1 << 52, 1 << 63, P, EPSILON, P - EPSILON, 0u64.wrapping_sub(1 << 33)];
    corners
        .iter()
        .flat_map(|&x: &u64| [x.wrapping_sub(2), x.wrapping_sub(1), x, x.wrapping_add(1), x.wrapping_add(2)])
        .collect()
}

fn modulo(x: u128) -> u64 {
    u64::try_from(x % u128::from(P)).expect("below p")
}

#[test]
fn agrees_with_integers() {
    let mut words = edges();
    let mut random = phalanx_testing::Random::from_seed(7);
    words.extend((0..200).map(|_| random.u64()));
    for &a in &words {
        assert_eq!(canonical(a), a % P);
        for &b in &words {
            let (wide_a, wide_b, p) = (u128::from(a), u128::from(b), u128::from(P));
            assert_eq!(canonical(add(a, b)), modulo(wide_a + wide_b), "{a} + {b}");
            assert_eq!(canonical(sub(a, b)), modulo(wide_a + 2 * p - wide_b), "{a} - {b}");
            assert_eq!(canonical(Vartime::mul(a, b)), modulo(wide_a * wide_b), "{a} * {b}");
            assert_eq!(canonical(VartimeInterleaved::mul(a, b)), modulo(wide_a * wide_b), "{a} * {b}");
            assert_eq!(canonical(ConstantTime::mul(a, b)), modulo(wide_a * wide_b), "{a} * {b}");
        }
    }
}

#[test]
fn vectors() {
    let path = format!("{}/../../vectors/rescue/field.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON");
    let word = |value: &Value| -> u64 { value.as_str().expect("a decimal string").parse().expect("a u64") };
    let binary = file["binary"].as_array().expect("rows");
    assert!(!binary.is_empty());
    for row in binary {
        let [a, b, sum, difference, product] = [0, 1, 2, 3, 4].map(|i| word(&row[i]));
        assert_eq!(canonical(add(a, b)), sum, "{row}");
        assert_eq!(canonical(sub(a, b)), difference, "{row}");
        assert_eq!(canonical(Vartime::mul(a, b)), product, "{row}");
        assert_eq!(canonical(ConstantTime::mul(a, b)), product, "{row}");
    }
}

#[test]
fn joins_limbs() {
    let mut limbs = edges();
    limbs.extend((0..64).map(|i| (1 << i) - 1));
    limbs.retain(|&limb| limb < 1 << 61);
    for &low in &limbs {
        for &high in &limbs {
            assert_eq!(canonical(join(low, high)), modulo(u128::from(low) + (u128::from(high) << 32)));
        }
    }
}
