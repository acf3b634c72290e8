//! Products of points and scalars, one at a time, for public data.

use super::law::{Addend, Niels, Projective};
#[cfg(target_arch = "x86_64")]
use super::pair::avx512;
use super::tables::{BASE_ENTRIES, BASE_WINDOW, base_tables, odd_addends};
use super::{D, Point};
use crate::fields::p25519::{Element, One};
use crate::fields::scalar25519::Scalar;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

impl Point {
    pub(crate) fn add(&self, other: &Self) -> Self {
        self.summable(One).add(One, &other.addend(One, &D.add(&D))).extended(One)
    }

    pub(crate) fn double(&self) -> Self {
        self.projective().double(One).extended(One)
    }
}

/// \[s\]B + \[k\]A. Variable time: for verification, where all inputs are public.
pub(crate) fn double_base_mul_vartime(s: &Scalar, a: &Point, k: &Scalar) -> Point {
    let (s, k) = (odd_digits(&words(s), BASE_WINDOW), odd_digits(&words(k), 5));
    interleaved([(&odd_addends(a), &k)], [(&base_tables()[0], &s)])
}

/// \[m0\]P0 + \[m1\]P1 + \[s\]B, for m0 and m1 below 2^136. Variable time. Half the doublings: the upper half of s goes to
/// 2^128 B.
pub(crate) fn sum_of_products(
    isa: Isa,
    points: [&Point; 2],
    magnitudes: [&[u64; 3]; 2],
    s: &Scalar,
) -> Point {
    first_of!(isa;
        avx512(witness) => avx512::sum_of_products(witness, points, magnitudes, s),
        else => portable_sum_of_products(points, magnitudes, s),
    )
}

fn portable_sum_of_products(points: [&Point; 2], magnitudes: [&[u64; 3]; 2], s: &Scalar) -> Point {
    let digits = magnitudes.map(|m| odd_digits(&[m[0], m[1], m[2], 0, 0], 5));
    let [s0, s1, s2, s3, _] = words(s);
    let halves = [[s0, s1, 0, 0, 0], [s2, s3, 0, 0, 0]].map(|half| odd_digits(&half, BASE_WINDOW));
    let base = base_tables();
    interleaved(
        [(&odd_addends(points[0]), &digits[0]), (&odd_addends(points[1]), &digits[1])],
        [(&base[0], &halves[0]), (&base[1], &halves[1])],
    )
}

/// Digits and the multiples of a point that they count: 1, 3, 5 and so on.
type Term<'a, T, const N: usize> = (&'a [T; N], &'a Digits);

/// The sum of all terms, over one chain of doublings (Straus).
#[inline(always)]
fn interleaved<const N: usize>(
    points: [Term<'_, Addend<Element>, 8>; N],
    base: [Term<'_, Niels<Element>, { BASE_ENTRIES }>; N],
) -> Point {
    let is_used =
        |i: usize| points.iter().any(|term| term.1[i] != 0) || base.iter().any(|term| term.1[i] != 0);
    let Some(top) = (0..256).rev().find(|&i| is_used(i)) else { return Point::IDENTITY };
    let mut sum = Projective { x: Element::ZERO, y: Element::ONE, z: Element::ONE };
    let mut i = top;
    loop {
        let mut next = sum.double(One);
        for (addends, digits) in points {
            if digits[i] != 0 {
                let addend = &addends[usize::from(digits[i].unsigned_abs() / 2)];
                let left = next.summable(One);
                next = if digits[i] > 0 { left.add(One, addend) } else { left.sub(One, addend) };
            }
        }
        for (addends, digits) in base {
            if digits[i] != 0 {
                let addend = &addends[usize::from(digits[i].unsigned_abs() / 2)];
                let left = next.summable(One);
                next = if digits[i] > 0 { left.add_niels(One, addend) } else { left.sub_niels(One, addend) };
            }
        }
        if i == 0 {
            return next.extended(One);
        }
        sum = next.projective(One);
        i -= 1;
    }
}

type Digits = [i16; 256];

/// Five words: the last is 0, and room to read past the end.
fn words(s: &Scalar) -> [u64; 5] {
    let mut words = [0; 5];
    for (word, chunk) in words.iter_mut().zip(s.to_bytes().chunks_exact(8)) {
        *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    }
    words
}

/// Digits d of an integer below 2^255, the sum of d\[i\] 2^i: each is 0 or odd and below 2^(window - 1) in size, and
/// `window` digits in a row hold at most one that is not 0 (the width-w NAF: Hankerson, Menezes, Vanstone, "Guide to
/// Elliptic Curve Cryptography", algorithm 3.35). Variable time.
fn odd_digits(words: &[u64; 5], window: u32) -> Digits {
    let mut digits = [0; 256];
    // What is left to write is carry + the bits of s from position `at` up.
    let (mut at, mut carry) = (0u32, 0u64);
    while at < 256 {
        let (word, shift) = ((at / 64) as usize, at % 64);
        let bits = words[word] >> shift | (words[word + 1] << 1) << (63 - shift);
        // With a carry, ones turn to zeros up to the first zero.
        let zeros = (bits ^ 0u64.wrapping_sub(carry)).trailing_zeros();
        if zeros > 64 - window {
            at += 64 - window;
            continue;
        }
        at += zeros;
        if at >= 256 {
            break;
        }
        let value = ((bits >> zeros) + carry) & ((1 << window) - 1);
        carry = value >> (window - 1);
        let digit = i16::try_from(value).expect("window below 16") - (i16::from(carry == 1) << window);
        digits[at as usize] = digit;
        at += window;
    }
    digits
}
