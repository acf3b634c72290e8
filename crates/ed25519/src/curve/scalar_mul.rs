//! Products of points and scalars, one at a time, for public data.

use super::base_tables::{self, NAF_WIDTH, NafTable};
use super::constants::D;
#[cfg(target_arch = "x86_64")]
use super::coordinates;
use super::digits::Nafs;
use super::point::{Addend, Point, Projective};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{Doubles, X4};
use crate::fields::p25519::{Element, Single};
use crate::fields::scalar25519::Scalar;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// \[s\]B + \[k\]A. Variable time: for verification, where all inputs are public.
pub(crate) fn double_base_mul_vartime(isa: Isa, s: &Scalar, a: &Point, k: &Scalar) -> Point {
    let digits = Nafs::new(&[(&words(k), 5), (&words(s), NAF_WIDTH)]);
    straus(isa, [a], &digits)
}

/// Whether \[L\]P = O. Variable time.
pub(crate) fn is_torsion_free(isa: Isa, p: &Point) -> bool {
    // [L - 1]P + P: L itself is 0 as a scalar.
    let minus_one = Scalar::from_u128(1).negate();
    double_base_mul_vartime(isa, &Scalar::ZERO, p, &minus_one).add(p).is_identity()
}

/// \[m0\]P0 + \[m1\]P1 + \[s\]B, for m0 and m1 below 2^136. Variable time. Half the doublings: the upper half of s goes
/// to 2^128 B.
pub(crate) fn sum_of_products(
    isa: Isa,
    points: [&Point; 2],
    magnitudes: [&[u64; 3]; 2],
    s: &Scalar,
) -> Point {
    let [m0, m1] = magnitudes.map(|m| [m[0], m[1], m[2], 0, 0]);
    let [s0, s1, s2, s3, _] = words(s);
    let halves = [[s0, s1, 0, 0, 0], [s2, s3, 0, 0, 0]];
    let digits = Nafs::new(&[(&m0, 5), (&m1, 5), (&halves[0], NAF_WIDTH), (&halves[1], NAF_WIDTH)]);
    straus(isa, points, &digits)
}

/// The sum of digits times points, over one chain of doublings (Straus): digits of the points first, then as many of B
/// and 2^128 B.
fn straus<const N: usize>(isa: Isa, points: [&Point; N], digits: &Nafs) -> Point {
    first_of!(isa;
        ifma(witness) => coordinates::straus(X4(witness), points, base_tables::naf_in_lanes(), digits),
        avx2(witness) => {
            coordinates::straus(Doubles(witness), points, base_tables::naf_in_doubles(), digits)
        },
        else => portable(&points.map(odd_addends), base_tables::naf(), digits),
    )
}

fn portable(points: &[[Addend<Element>; 8]], base: &[NafTable; 2], digits: &Nafs) -> Point {
    let mut sum = Projective { x: Element::ZERO, y: Element::ONE, z: Element::ONE };
    let mut i = digits.end();
    loop {
        let mut next = sum.double(Single);
        i = i.saturating_sub(1);
        let (of_points, of_base) = digits.at(i).split_at(points.len());
        for (addends, &digit) in points.iter().zip(of_points) {
            if digit != 0 {
                let addend = &addends[usize::from(digit.unsigned_abs() / 2)];
                next = next.summable(Single).add_signed(Single, addend, digit < 0);
            }
        }
        for (addends, &digit) in base.iter().zip(of_base) {
            if digit != 0 {
                let addend = &addends[usize::from(digit.unsigned_abs() / 2)];
                next = next.summable(Single).add_signed_niels(Single, addend, digit < 0);
            }
        }
        if i == 0 {
            return next.extended(Single);
        }
        sum = next.projective(Single);
    }
}

/// P, 3P, ..., 15P, each ready to be added.
fn odd_addends(point: &Point) -> [Addend<Element>; 8] {
    let d2 = D.add(&D);
    let double = point.double().addend(Single, &d2);
    let mut addends = [point.addend(Single, &d2); 8];
    let mut last = point.summable(Single);
    for addend in &mut addends[1..] {
        let next = last.add(Single, &double).extended(Single);
        *addend = next.addend(Single, &d2);
        last = next.summable(Single);
    }
    addends
}

/// Five words: the last is 0.
fn words(s: &Scalar) -> [u64; 5] {
    let [s0, s1, s2, s3] = *s.words();
    [s0, s1, s2, s3, 0]
}
