//! Products of points and scalars, one at a time, for public data.

use super::base_tables::{self, NAF_ENTRIES, NAF_WIDTH};
use super::constants::D;
use super::digits::{Naf, naf};
use super::point::{Addend, Niels, Point, Projective};
#[cfg(target_arch = "x86_64")]
use super::{avx2_single, ifma_x2};
use crate::fields::p25519::{Element, Single};
use crate::fields::scalar25519::Scalar;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// \[s\]B + \[k\]A. Variable time: for verification, where all inputs are public.
pub(crate) fn double_base_mul_vartime(isa: Isa, s: &Scalar, a: &Point, k: &Scalar) -> Point {
    let (s, k) = (naf(&words(s), NAF_WIDTH), naf(&words(k), 5));
    first_of!(isa;
        avx2(witness) => {
            avx2_single::interleaved(witness, [(a, &k)], [(&base_tables::naf_in_lanes()[0], &s)])
        },
        else => interleaved(&[(&odd_addends(a), &k)], &[(&base_tables::naf()[0], &s)]),
    )
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
    first_of!(isa;
        ifma(witness) => ifma_x2::sum_of_products(witness, points, magnitudes, base_tables::halves(), s),
        avx2(witness) => {
            let (m, s) = digits(magnitudes, s);
            let [low, high] = base_tables::naf_in_lanes();
            let points = [(points[0], &m[0]), (points[1], &m[1])];
            avx2_single::interleaved(witness, points, [(low, &s[0]), (high, &s[1])])
        },
        else => {
            let (m, s) = digits(magnitudes, s);
            let [low, high] = base_tables::naf();
            let [p, q] = points.map(odd_addends);
            interleaved(&[(&p, &m[0]), (&q, &m[1])], &[(low, &s[0]), (high, &s[1])])
        },
    )
}

/// Of m0 and m1, and of the halves of s.
fn digits(magnitudes: [&[u64; 3]; 2], s: &Scalar) -> ([Naf; 2], [Naf; 2]) {
    let [s0, s1, s2, s3, _] = words(s);
    let halves = [[s0, s1, 0, 0, 0], [s2, s3, 0, 0, 0]];
    (magnitudes.map(|m| naf(&[m[0], m[1], m[2], 0, 0], 5)), halves.map(|half| naf(&half, NAF_WIDTH)))
}

/// Digits and the multiples of a point that they count: 1, 3, 5 and so on.
type Term<'a, T, const N: usize> = (&'a [T; N], &'a Naf);

/// The sum of all terms, over one chain of doublings (Straus).
fn interleaved(
    points: &[Term<'_, Addend<Element>, 8>],
    base: &[Term<'_, Niels<Element>, NAF_ENTRIES>],
) -> Point {
    let is_used =
        |i: usize| points.iter().any(|term| term.1[i] != 0) || base.iter().any(|term| term.1[i] != 0);
    let Some(top) = (0..256).rev().find(|&i| is_used(i)) else { return Point::IDENTITY };
    let mut sum = Projective { x: Element::ZERO, y: Element::ONE, z: Element::ONE };
    let mut i = top;
    loop {
        let mut next = sum.double(Single);
        for (addends, digits) in points {
            if digits[i] != 0 {
                let addend = &addends[usize::from(digits[i].unsigned_abs() / 2)];
                next = next.summable(Single).add_signed(Single, addend, digits[i] < 0);
            }
        }
        for (addends, digits) in base {
            if digits[i] != 0 {
                let addend = &addends[usize::from(digits[i].unsigned_abs() / 2)];
                next = next.summable(Single).add_signed_niels(Single, addend, digits[i] < 0);
            }
        }
        if i == 0 {
            return next.extended(Single);
        }
        sum = next.projective(Single);
        i -= 1;
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
