use super::*;
use crate::binary::{BinaryField, Gf16, Gf32, Gf128};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::UninitBuf;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Inline;
use serde_json::Value;

fn file(path: &str) -> Value {
    let path = std::format!("{}/../../vectors/{path}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors are there")).expect("JSON")
}

/// An element of any of the three fields, from hexadecimal digits.
trait Read: Transform + core::fmt::Debug {
    fn read(value: &Value) -> Self;
}

impl Read for Gf16 {
    fn read(value: &Value) -> Self {
        Self(u16::from_str_radix(value.as_str().expect("a string"), 16).expect("digits"))
    }
}

impl Read for Gf32 {
    fn read(value: &Value) -> Self {
        Self(u32::from_str_radix(value.as_str().expect("a string"), 16).expect("digits"))
    }
}

impl Read for Gf128 {
    fn read(value: &Value) -> Self {
        Self(u128::from_str_radix(value.as_str().expect("a string"), 16).expect("digits"))
    }
}

fn list<F: Read>(value: &Value) -> Vec<F> {
    value.as_array().expect("a list").iter().map(F::read).collect()
}

fn size(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).expect("small")
}

/// One column, every coset.
fn encode_column<F: Transform>(d: usize, r: usize, message: &[F], scales: &[F]) -> Vec<F> {
    let basis = Basis::new(u32::try_from(d + r).expect("small"));
    let encoder = Encoder { isa: Isa::current(), basis: &basis, log2_message: d, log2_columns: 0 };
    let mut nodes = vec![(); message.len() << r];
    encode(
        &Inline,
        encoder,
        message,
        scales,
        0,
        UninitBuf::new(message.len() << r),
        &mut nodes,
        1,
        &|_, _| (),
    )
    .to_vec()
}

#[test]
fn the_basis_of_our_own_suite() {
    fn check<F: Read>(entry: &Value) {
        let log2 = size(&entry["K"]);
        let basis = Basis::<F>::new(u32::try_from(log2).expect("small"));
        for j in 0..log2 {
            assert_eq!(basis.row(j), list::<F>(&entry["table"][j]), "h_{j}");
        }
    }
    let file = file("ligerito-own/basics.json");
    check::<Gf32>(&file["sh"][0]);
    check::<Gf128>(&file["sh"][1]);
}

#[test]
fn encodings_of_our_own_suite() {
    fn check<F: Read>(case: &Value) {
        let message = list::<F>(&case["message"]);
        let codeword = encode_column(size(&case["d"]), size(&case["r"]), &message, &[]);
        assert_eq!(codeword, list::<F>(&case["codeword"]));
    }
    for case in file("ligerito-own/basics.json")["encode"].as_array().expect("a list") {
        match case["field"].as_u64() {
            Some(32) => check::<Gf32>(case),
            Some(128) => check::<Gf128>(case),
            other => panic!("field {other:?}"),
        }
    }
}

#[test]
fn generator_rows_are_tensors() {
    for case in file("ligerito-own/basics.json")["generator_row"].as_array().expect("a list") {
        let (d, r, q) = (size(&case["d"]), size(&case["r"]), size(&case["q"]));
        let log2 = u32::try_from(d + r).expect("small");
        let factors: Vec<Gf128> = match case["field"].as_u64() {
            Some(32) => Basis::<Gf32>::new(log2).generator_factors(q, d).map(Gf128::from).collect(),
            Some(128) => Basis::<Gf128>::new(log2).generator_factors(q, d).collect(),
            other => panic!("field {other:?}"),
        };
        assert_eq!(factors, list::<Gf128>(&case["factors_in_U"]));
        // The codeword of a unit vector has that entry of the tensor.
        let basis = Basis::<Gf128>::new(log2);
        let tensor = (0..1usize << d).map(|i| {
            (0..d).filter(|j| i >> j & 1 == 1).fold(Gf128::ONE, |product, j| product * basis.at(j, q))
        });
        for (i, entry) in tensor.enumerate() {
            let mut message = vec![Gf128::ZERO; 1 << d];
            message[i] = Gf128::ONE;
            assert_eq!(encode_column(d, r, &message, &[])[q], entry);
        }
    }
}

#[test]
fn codewords_of_the_published_crate() {
    fn check<F: Read>(case: &Value) -> bool {
        let (Some(_), Some(_)) = (case["message"].as_array(), case["codeword"].as_array()) else {
            return false;
        };
        let (d, r) = (size(&case["log_message"]), size(&case["log_inv_rate"]));
        let basis = Basis::<F>::new(u32::try_from(d + r).expect("small"));
        let norms = list::<F>(&case["sk_at_vk"]);
        for (j, norm) in norms.iter().enumerate().take(d + r) {
            assert_eq!(basis.norm(j), *norm, "c_{j}");
        }
        let scales = scales(&basis, d);
        let pis = list::<F>(&case["pis"]);
        assert_eq!(scales[..], pis[..scales.len()]);
        assert_eq!(encode_column(d, r, &list::<F>(&case["message"]), &scales), list::<F>(&case["codeword"]));
        true
    }
    let file = file("ligerito/reed_solomon.json");
    let mut checked = 0;
    for case in file.as_array().expect("a list") {
        checked += u32::from(match case["field"].as_str() {
            Some("gf16") => check::<Gf16>(case),
            Some("gf32") => check::<Gf32>(case),
            Some("gf128") => check::<Gf128>(case),
            other => panic!("field {other:?}"),
        });
    }
    assert!(checked >= 15, "{checked} cases have their messages written out");
}

#[test]
#[should_panic(expected = "the domain lies in the field")]
fn a_domain_larger_than_the_field_is_refused() {
    let _ = Basis::<Gf16>::new(17);
}
