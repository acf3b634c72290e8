//! Products of points and scalars, one at a time, for public data.

use super::law::Projective;
use super::tables::{BASE_WINDOW, base_table, odd_addends};
use super::{D, Point};
use crate::fields::p25519::{Element, One};
use crate::fields::scalar25519::Scalar;

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
    let (base, addends) = (base_table(), odd_addends(a));
    let (s, k) = (odd_digits(s, BASE_WINDOW), odd_digits(k, 5));
    let Some(top) = (0..256).rev().find(|&i| s[i] != 0 || k[i] != 0) else { return Point::IDENTITY };
    let mut sum = Projective { x: Element::ZERO, y: Element::ONE, z: Element::ONE };
    let mut i = top;
    loop {
        let mut next = sum.double(One);
        if k[i] != 0 {
            let addend = &addends[usize::from(k[i].unsigned_abs() / 2)];
            let left = next.summable(One);
            next = if k[i] > 0 { left.add(One, addend) } else { left.sub(One, addend) };
        }
        if s[i] != 0 {
            let addend = &base[usize::from(s[i].unsigned_abs() / 2)];
            let left = next.summable(One);
            next = if s[i] > 0 { left.add_niels(One, addend) } else { left.sub_niels(One, addend) };
        }
        if i == 0 {
            return next.extended(One);
        }
        sum = next.projective(One);
        i -= 1;
    }
}

/// Digits `d` with s = sum of d\[i\] 2^i: each is 0 or odd and below 2^(window - 1) in size, and `window` digits in a row
/// hold at most one that is not 0 (the width-w NAF: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve
/// Cryptography", algorithm 3.35). Variable time.
fn odd_digits(s: &Scalar, window: u32) -> [i16; 256] {
    let bytes = s.to_bytes();
    let mut words = [0u64; 5];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    }
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
