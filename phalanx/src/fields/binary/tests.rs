use super::{BinaryField, Gf16, Gf32, Gf128};
use alloc::vec::Vec;

fn file() -> serde_json::Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/ligerito/fields.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors are there")).expect("JSON")
}

fn integer(value: &serde_json::Value) -> u128 {
    u128::from_str_radix(value.as_str().expect("a string"), 16).expect("hexadecimal digits")
}

fn cases<F: BinaryField + core::fmt::Debug>(name: &str, element: impl Fn(u128) -> F) {
    let file = file();
    let cases = file[name].as_array().expect("a list");
    assert!(cases.len() > 100);
    for case in cases {
        let [a, b, product, inverse] = ["a", "b", "mul", "inv_a"].map(|key| element(integer(&case[key])));
        assert_eq!(a * b, product);
        assert_eq!(a.invert(), inverse);
        assert_eq!(a.square(), a * a);
    }
}

#[test]
fn products_and_inverses() {
    cases("gf16", |x| Gf16(u16::try_from(x).expect("16 bits")));
    cases("gf32", |x| Gf32(u32::try_from(x).expect("32 bits")));
    cases("gf128", Gf128);
}

#[test]
fn embeddings() {
    let file = file();
    let cases = file["embeddings"].as_array().expect("a list");
    assert!(cases.len() > 50);
    for case in cases {
        let x16 = Gf16(u16::try_from(integer(&case["x16"])).expect("16 bits"));
        let x32 = Gf32(u32::try_from(integer(&case["x32"])).expect("32 bits"));
        assert_eq!(u128::from(Gf32::from(x16).0), integer(&case["x16_in_32"]));
        assert_eq!(Gf128::from(x16).0, integer(&case["x16_in_128"]));
        assert_eq!(Gf128::from(Gf32::from(x16)), Gf128::from(x16));
        assert_eq!(Gf128::from(x32).0, integer(&case["x32_in_128"]));
    }
}

#[test]
fn bytes_are_little_endian() {
    let mut out = Vec::new();
    Gf16(0x0102).put(&mut out);
    Gf32(0x0102_0304).put(&mut out);
    Gf128(0x0f).put(&mut out);
    assert_eq!(out[..7], [2, 1, 4, 3, 2, 1, 0x0f]);
    assert_eq!(out.len(), 22);
    assert_eq!(Gf128::from_le_bytes(Gf128(0x1234).to_le_bytes()), Gf128(0x1234));
}
