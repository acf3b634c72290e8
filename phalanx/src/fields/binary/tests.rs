use super::{BinaryField, Gf16, Gf32, Gf128};
use alloc::vec::Vec;
use proptest::prelude::*;

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

/// The laws of a field of characteristic two, for any three elements.
fn laws<F: BinaryField + core::fmt::Debug>(a: F, b: F, c: F) {
    assert_eq!(a + a, F::ZERO);
    assert_eq!(a + F::ZERO, a);
    assert_eq!(a * F::ONE, a);
    assert_eq!(a * F::ZERO, F::ZERO);
    assert_eq!(a * b, b * a);
    assert_eq!(a * b * c, a * (b * c));
    assert_eq!((a + b) * c, a * c + b * c);
    assert_eq!(a.square(), a * a);
    assert_eq!((a + b).square(), a.square() + b.square());
    assert_eq!(a.invert() * a, if a == F::ZERO { F::ZERO } else { F::ONE });
    // Every element is its own 2^BITS-th power.
    assert_eq!((0..F::BITS).fold(a, |power, _| power.square()), a);
}

/// x is in no subfield, so one factor of the modulus has its whole degree.
fn generated_by_x<F: BinaryField + core::fmt::Debug>() {
    let x = F::from_integer(2);
    let mut power = x;
    for _ in 1..F::BITS {
        power = power.square();
        assert_ne!(power, x);
    }
    assert_eq!(power.square(), x);
}

/// All bits, one bit, or few: uniform ones alone would seldom meet an edge.
fn any_bits() -> impl Strategy<Value = u128> {
    let edge = prop_oneof![Just(0u128), Just(1), Just(u128::MAX), Just(0x87), Just(1 << 127 | 1)];
    prop_oneof![4 => any::<u128>(), 1 => (0u32..128).prop_map(|bit| 1 << bit), 1 => edge]
}

#[allow(clippy::cast_possible_truncation, reason = "the small fields take the lower bits")]
mod for_any_elements {
    use super::*;

    proptest! {
        #[test]
        fn laws_hold(a in any_bits(), b in any_bits(), c in any_bits()) {
            laws(Gf128(a), Gf128(b), Gf128(c));
            laws(Gf32(a as u32), Gf32(b as u32), Gf32(c as u32));
            laws(Gf16(a as u16), Gf16(b as u16), Gf16(c as u16));
        }

        #[test]
        fn embeddings_respect_sums_and_products(a in any::<u32>(), b in any::<u32>()) {
            let (x, y) = (Gf32(a), Gf32(b));
            prop_assert_eq!(Gf128::from(x * y), Gf128::from(x) * Gf128::from(y));
            prop_assert_eq!(Gf128::from(x + y), Gf128::from(x) + Gf128::from(y));
            let (x, y) = (Gf16(a as u16), Gf16(b as u16));
            prop_assert_eq!(Gf32::from(x * y), Gf32::from(x) * Gf32::from(y));
        }
    }
}

#[test]
fn moduli_are_irreducible() {
    generated_by_x::<Gf16>();
    generated_by_x::<Gf32>();
    generated_by_x::<Gf128>();
}
