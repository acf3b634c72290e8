//! Every backend against plain double-and-add.

use super::*;
use crate::curve::{BASE_POINT, decode};
use alloc::vec::Vec;
use std::vec;

/// Double-and-add by the group law alone, from the highest bit.
fn plainly(s: &Scalar) -> [u8; 32] {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let bytes = s.to_bytes();
    let bit = |i: usize| bytes[i / 8] >> (i % 8) & 1 == 1;
    let sum = (0..256).rev().fold(Point::IDENTITY, |sum, i| {
        let twice = sum.double();
        if bit(i) { twice.add(&base) } else { twice }
    });
    sum.encode()
}

/// 0, 1, 2, L - 1, powers of two and of sixteen less one, one window full, then scalars of all sizes.
fn scalars() -> Vec<Scalar> {
    let small = |n: u8| {
        let mut bytes = [0; 32];
        bytes[0] = n;
        Scalar::from_bytes_reduced(&bytes)
    };
    let mut scalars: Vec<_> = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 255].map(small).into();
    scalars.push(small(1).negate());
    scalars.push(small(2).negate());
    let mut power = small(1);
    for i in 0..253u32 {
        scalars.push(power);
        if i % 4 == 0 {
            scalars.push(power.add(&small(1).negate()));
            scalars.push(power.mul(&small(15)));
        }
        power = power.add(&power);
    }
    let mut random = phalanx_testing::Random::from_seed(1);
    for _ in 0..200 {
        let bytes = core::array::from_fn(|_| random.u8());
        scalars.push(Scalar::from_bytes_reduced(&bytes));
    }
    scalars
}

fn on_every_isa(test: impl Fn(Isa)) {
    phalanx_testing::isas().for_each(test);
}

#[test]
fn one_product() {
    let scalars = scalars();
    let wanted: Vec<_> = scalars.iter().map(plainly).collect();
    on_every_isa(|isa| {
        for (s, wanted) in scalars.iter().zip(&wanted) {
            let affine = base_mul(isa, s);
            assert_eq!(affine.encode(), *wanted, "{} {:x?}", isa.backend().name(), s.to_bytes());
            assert_eq!(affine.to_point().encode(), *wanted);
        }
    });
}

/// Every number of products from none to all, at every place of the list.
#[test]
fn many_products() {
    let scalars = scalars();
    let wanted: Vec<_> = scalars.iter().map(plainly).collect();
    on_every_isa(|isa| {
        for len in 0..=MANY {
            let start = 5 * len;
            let mut results = vec![Affine::IDENTITY; len];
            base_mul_many(isa, &scalars[start..start + len], &mut results);
            let got: Vec<_> = results.iter().map(Affine::encode).collect();
            assert_eq!(got, wanted[start..start + len], "{} {len}", isa.backend().name());
        }
    });
}

/// The digits of radix 16 mean the scalar. (Those of radix 32 are taken apart in lanes only, and tested by their
/// products.)
#[test]
fn digits_sum_to_the_scalar() {
    for s in scalars() {
        let digits = digits::Digits::new(&s, 4, 64);
        let mut sum = Scalar::ZERO;
        for position in (0..64).rev() {
            for _ in 0..4 {
                sum = sum.add(&sum);
            }
            let (entry, negative) = digits.radix16(position);
            let mut bytes = [0; 32];
            bytes[0] = u8::try_from(2 * entry + 1).expect("below sixteen");
            let digit = Scalar::from_bytes_reduced(&bytes);
            sum = sum.add(&if negative == 1 { digit.negate() } else { digit });
        }
        assert_eq!(sum.to_bytes(), s.to_bytes());
    }
}
