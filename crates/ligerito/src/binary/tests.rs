use super::embed::{POWERS_32_IN_192, ROOT_32_IN_192};
use super::{BinaryField, ChallengeField, Gf16, Gf32, Gf128, Gf192};
use alloc::vec::Vec;
use phalanx_testing::Random;
use proptest::prelude::*;

/// Elements for tests of kernels.
pub(crate) trait FromLimbs: ChallengeField {
    /// The element with these limbs, lowest first; those that the field has no room for are left out.
    fn from_limbs(limbs: [u64; 3]) -> Self;

    /// Elements that differ from zero, or from all ones, in the bits from one on.
    fn borders() -> Vec<Self> {
        let ones = |from: u32, to: u32| {
            let limb =
                |k: u32| (0..64).fold(0, |limb, i| limb | u64::from((from..to).contains(&(64 * k + i))) << i);
            Self::from_limbs([limb(0), limb(1), limb(2)])
        };
        (0..Self::BITS).flat_map(|bit| [ones(bit, bit + 1), ones(bit, Self::BITS), ones(0, bit)]).collect()
    }

    /// Elements, half of them from the edges.
    fn mixture(len: usize, seed: u64) -> Vec<Self> {
        let mut random = Random::from_seed(seed);
        let edges = [0, 1, u64::MAX, 1 << 63, 0x87, 0x87 << 56, u64::MAX >> 7];
        let mut limb = |kind: u64| {
            edges
                .into_iter()
                .zip(0..)
                .find(|(_, i)| *i == kind)
                .map_or_else(|| random.u64(), |(edge, _)| edge)
        };
        let mut kinds = seed;
        let mut element = || {
            kinds = kinds.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let kinds = kinds >> 32;
            match kinds % 8 {
                0 => Self::ZERO,
                1 => Self::ONE,
                2 => Self::from_limbs([u64::MAX; 3]),
                3 => Self::from_limbs([limb(kinds >> 3 & 7), limb(kinds >> 6 & 7), limb(kinds >> 9 & 7)]),
                _ => Self::from_limbs([limb(7), limb(7), limb(7)]),
            }
        };
        (0..len).map(|_| element()).collect()
    }
}

impl FromLimbs for Gf128 {
    fn from_limbs([a, b, _]: [u64; 3]) -> Self {
        Self(u128::from(b) << 64 | u128::from(a))
    }
}

impl FromLimbs for Gf192 {
    fn from_limbs(limbs: [u64; 3]) -> Self {
        Self(limbs)
    }
}

/// Every one of these functions as a test, over both fields of challenges.
macro_rules! over_both_fields {
    ($($test:ident),* $(,)?) => {
        mod over_128_bits {
            $(#[test]
            fn $test() {
                super::$test::<$crate::binary::Gf128>();
            })*
        }
        mod over_192_bits {
            $(#[test]
            fn $test() {
                super::$test::<$crate::binary::Gf192>();
            })*
        }
    };
}
pub(crate) use over_both_fields;

/// The product by shifts and additions.
fn slow(a: Gf192, b: Gf192) -> Gf192 {
    (0..192).rev().fold(Gf192([0; 3]), |sum, bit| {
        let part = if b.0[bit / 64] >> (bit % 64) & 1 == 1 { a } else { Gf192::ZERO };
        sum.times_x() + part
    })
}

#[test]
fn products_of_192_bits() {
    let mut values = Gf192::borders();
    values.extend(Gf192::mixture(100, 3));
    for a in &values {
        assert_eq!(a.square(), slow(*a, *a));
        for b in &values {
            assert_eq!(*a * *b, slow(*a, *b), "{a:?} {b:?}");
        }
    }
    // The modulus: x^192 = x^7 + x^2 + x + 1.
    assert_eq!(Gf192([0, 0, 1 << 63]).times_x(), Gf192([0x87, 0, 0]));
}

/// The root is one, is the smallest of its conjugates, and its powers are its powers.
#[test]
fn the_embedding_into_192_bits_is_by_the_smallest_root() {
    let mut power = Gf192::ONE;
    let mut powers = Vec::new();
    for listed in POWERS_32_IN_192 {
        assert_eq!(listed, power);
        powers.push(power);
        power *= ROOT_32_IN_192;
    }
    powers.push(power);
    let modulus = [32, 15, 9, 7, 4, 3, 0].into_iter().fold(Gf192::ZERO, |sum, i| sum + powers[i]);
    assert_eq!(modulus, Gf192::ZERO);
    let integer = |x: Gf192| [x.0[2], x.0[1], x.0[0]];
    let mut conjugate = ROOT_32_IN_192;
    for _ in 1..32 {
        conjugate = conjugate.square();
        assert!(integer(conjugate) > integer(ROOT_32_IN_192));
    }
    assert_eq!(conjugate.square(), ROOT_32_IN_192);
}

#[test]
fn bytes_are_little_endian() {
    let mut out = Vec::new();
    Gf16(0x0102).put(&mut out);
    Gf32(0x0102_0304).put(&mut out);
    Gf128(0x0f).put(&mut out);
    assert_eq!(out[..7], [2, 1, 4, 3, 2, 1, 0x0f]);
    assert_eq!(out.len(), 22);
    let element = Gf192([0x0807_0605_0403_0201, 0x100f_0e0d_0c0b_0a09, 0x1817_1615_1413_1211]);
    assert_eq!(element.to_le_bytes(), core::array::from_fn(|i| u8::try_from(i + 1).expect("small")));
    assert_eq!(Gf192::from_le_bytes(element.to_le_bytes()), element);
    assert_eq!(std::format!("{element:?}"), "Gf192(1817161514131211100f0e0d0c0b0a090807060504030201)");
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

#[expect(clippy::cast_possible_truncation, reason = "the small fields take the lower bits")]
mod for_any_elements {
    use super::*;

    proptest! {
        #[test]
        fn laws_hold(a in any_bits(), b in any_bits(), c in any_bits()) {
            laws(Gf128(a), Gf128(b), Gf128(c));
            let wide = |low: u128, high: u128| Gf192([low as u64, (low >> 64) as u64, high as u64]);
            laws(wide(a, b), wide(b, c), wide(c, a));
            laws(Gf32(a as u32), Gf32(b as u32), Gf32(c as u32));
            laws(Gf16(a as u16), Gf16(b as u16), Gf16(c as u16));
        }

        #[test]
        fn embeddings_respect_sums_and_products(a in any::<u32>(), b in any::<u32>()) {
            let (x, y) = (Gf32(a), Gf32(b));
            prop_assert_eq!(Gf128::from(x * y), Gf128::from(x) * Gf128::from(y));
            prop_assert_eq!(Gf128::from(x + y), Gf128::from(x) + Gf128::from(y));
            prop_assert_eq!(Gf192::from(x * y), Gf192::from(x) * Gf192::from(y));
            prop_assert_eq!(Gf192::from(x + y), Gf192::from(x) + Gf192::from(y));
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
    generated_by_x::<Gf192>();
}
