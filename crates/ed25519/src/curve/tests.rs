//! The group law against plain facts.

use super::*;
use crate::fields::scalar25519::Scalar;
use phalanx_core::simd::Isa;
use std::{vec, vec::Vec};

#[test]
fn base_point_times_small_numbers() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    assert_eq!(base.encode(), BASE_POINT);
    let mut sum = Point::IDENTITY;
    for n in 0..20u8 {
        let mut scalar = [0; 32];
        scalar[0] = n;
        let scalar = Scalar::from_bytes_reduced(&scalar);
        assert_eq!(base_mul(Isa::PORTABLE, &scalar).encode(), sum.encode(), "{n} B");
        assert_eq!(
            double_base_mul_vartime(Isa::PORTABLE, &scalar, &base, &Scalar::ZERO).encode(),
            sum.encode(),
            "{n} B"
        );
        assert_eq!(
            double_base_mul_vartime(Isa::PORTABLE, &Scalar::ZERO, &base, &scalar).encode(),
            sum.encode(),
            "{n} B"
        );
        sum = sum.add(&base);
    }
    assert!(sum.add(&sum.negate()).is_identity());
}

/// All four coordinates: a sum takes what T is, too.
#[test]
fn powers_of_two_times_a_point() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let mut wanted = base;
    for count in 1..20 {
        wanted = wanted.add(&wanted);
        let point = base.times_power_of_2(count);
        assert_eq!(point.encode(), wanted.encode(), "2^{count} B");
        assert_eq!(point.add(&base).encode(), wanted.add(&base).encode(), "2^{count} B + B");
    }
}

/// The eight points of order dividing 8, from the multiples of one of order 8.
fn torsion() -> Vec<Point> {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(
        &hex::decode("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05").expect("hex"),
    );
    let generator = decode(&bytes).expect("a point of order 8").point;
    let points: Vec<_> = (0..8)
        .scan(Point::IDENTITY, |sum, _| {
            let this = *sum;
            *sum = sum.add(&generator);
            Some(this)
        })
        .collect();
    assert!(points[7].add(&generator).is_identity() && !points[4].is_identity());
    points
}

fn scalars() -> Vec<Scalar> {
    let power = |i: usize| {
        let mut bytes = [0; 32];
        bytes[i / 8] = 1 << (i % 8);
        Scalar::from_bytes_reduced(&bytes)
    };
    let one = power(0);
    let mut scalars = vec![Scalar::ZERO, one, power(1), one.negate(), power(1).negate()];
    for i in [4, 5, 7, 8, 9, 62, 63, 64, 65, 126, 127, 128, 191, 192, 250, 251, 252] {
        scalars.extend([power(i), power(i).negate(), power(i).add(&one), power(i).add(&one.negate())]);
    }
    // Long runs of ones and alternating digits.
    scalars.extend([0x55, 0xaa, 0x0f, 0xf0, 0x7f, 0x80].map(|byte| {
        let mut bytes = [byte; 32];
        bytes[31] &= 0x0f;
        Scalar::from_bytes_reduced(&bytes)
    }));
    let mut x = Scalar::from_bytes_reduced(&[0x39; 32]);
    for _ in 0..30 {
        x = x.mul(&x).add(&one);
        scalars.push(x);
    }
    scalars
}

fn slow_product(s: &Scalar, point: &Point) -> Point {
    let bytes = s.to_bytes();
    (0..256).rev().fold(Point::IDENTITY, |sum, i| {
        let twice = sum.double();
        if bytes[i / 8] >> (i % 8) & 1 == 1 { twice.add(point) } else { twice }
    })
}

#[test]
fn double_base_products_against_doubling_and_adding() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let scalars = scalars();
    let generic = slow_product(&scalars[scalars.len() - 1], &base);
    for (i, k) in scalars.iter().enumerate() {
        let s = &scalars[(7 * i + 3) % scalars.len()];
        let torsion = torsion();
        for a in [generic, generic.add(&torsion[i % 8]), torsion[i % 8], base, base.negate()] {
            let wanted = slow_product(s, &base).add(&slow_product(k, &a)).encode();
            for isa in phalanx_testing::isas() {
                let got = double_base_mul_vartime(isa, s, &a, k).encode();
                assert_eq!(hex::encode(got), hex::encode(wanted), "{}", isa.backend().name());
            }
        }
    }
}

#[test]
fn small_order_by_list_is_small_order() {
    let times_8 = |point: &Point| point.double().double().double();
    let mut weak = 0;
    // All y near 0 and p, and the two of order 8: every string of the list in the specification, and many others.
    let mut strings: Vec<[u8; 32]> = torsion().iter().map(Point::encode).collect();
    for low in 0..=255 {
        for rest in [0, 0xff] {
            let mut bytes = [rest; 32];
            bytes[0] = low;
            bytes[31] &= 0x7f;
            strings.push(bytes);
        }
    }
    strings.sort_unstable();
    strings.dedup();
    strings.extend(strings.clone().iter().map(|bytes| {
        let mut negated = *bytes;
        negated[31] ^= 0x80;
        negated
    }));
    strings.sort_unstable();
    strings.dedup();
    for bytes in strings {
        let Some(decoded) = decode(&bytes) else { continue };
        assert_eq!(decoded.is_weak, times_8(&decoded.point).is_identity(), "{}", hex::encode(bytes));
        weak += usize::from(decoded.is_weak);
    }
    assert_eq!(weak, 14, "the specification lists 14 encodings of points of small order");
}

#[test]
fn torsion_is_seen_on_every_backend() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    for isa in phalanx_testing::isas() {
        for scalar in [1, 2, 3, 0xdead_beef] {
            let prime = slow_product(&Scalar::from_u128(scalar), &base);
            for (i, torsion) in torsion().iter().enumerate() {
                let is_free = torsion.is_identity();
                assert_eq!(is_torsion_free(isa, torsion), is_free, "{i}");
                assert_eq!(is_torsion_free(isa, &prime.add(torsion)), is_free, "{scalar} {i}");
            }
        }
    }
}

#[test]
fn sums_of_products_on_every_backend() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let scalars = scalars();
    let torsion = torsion();
    let generic = slow_product(&scalars[scalars.len() - 1], &base);
    let short = |bytes: [u8; 32]| {
        let word = |i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight"));
        [word(0), word(1), word(2) & 0xff]
    };
    let cut = |m: &[u64; 3]| {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(m) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Scalar::from_bytes_reduced(&bytes)
    };
    for (i, k) in scalars.iter().enumerate() {
        let s = &scalars[(7 * i + 3) % scalars.len()];
        let m0 = if i == 0 { [u64::MAX, u64::MAX, 0xff] } else { short(k.to_bytes()) };
        let m1 = short(scalars[(5 * i + 1) % scalars.len()].to_bytes());
        for (p, q) in
            [(generic, base), (generic.add(&torsion[i % 8]), torsion[(i + 3) % 8]), (base, generic.double())]
        {
            let wanted =
                slow_product(s, &base).add(&slow_product(&cut(&m0), &p)).add(&slow_product(&cut(&m1), &q));
            for isa in phalanx_testing::isas() {
                let got = sum_of_products(isa, [&p, &q], [&m0, &m1], s);
                let name = isa.backend().name();
                assert_eq!(hex::encode(got.encode()), hex::encode(wanted.encode()), "{name} {i}");
            }
        }
    }
}

#[test]
fn comb_products_on_every_backend() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let scalars = scalars();
    let generic = slow_product(&scalars[scalars.len() - 1], &base);
    let torsion = torsion();
    for isa in phalanx_testing::isas() {
        let backend = isa.backend();
        for p in [generic, generic.add(&torsion[5]), torsion[1], base] {
            let tables = comb_tables(&p);
            for (i, k) in scalars.iter().enumerate() {
                let s = &scalars[(7 * i + 3) % scalars.len()];
                let wanted = double_base_mul_vartime(Isa::PORTABLE, s, &p, k);
                let got = comb_double_base_mul(isa, s, &tables, k);
                assert_eq!(hex::encode(got.encode()), hex::encode(wanted.encode()), "{} {i}", backend.name());
            }
        }
    }
}
