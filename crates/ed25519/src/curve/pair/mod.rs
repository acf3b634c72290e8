//! Two products at once, for one signature: each point is spread over four lanes.
//!
//! [m0]P0 + [s0]B in one half of a vector and [m1]P1 + [s1](2^128 B) in the other, doublings in step.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

use super::law::Niels;
use super::tables::niels;
use super::{BASE_POINT, Point, decode};
use crate::fields::p25519::Element;
use crate::fields::scalar25519::Scalar;
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

/// A table entry: limbs of (y - x, y + x, 2dxy, 2), one row for each limb.
pub(crate) type Row4 = [[u64; 4]; 5];

/// O, B, 2B, ..., 128B.
pub(crate) type BaseTable = [Row4; 129];

/// The tables of B and 2^128 B; the first call computes them.
pub(crate) fn base_tables() -> &'static [BaseTable; 2] {
    static TABLES: OnceBox<[BaseTable; 2]> = OnceBox::new();
    TABLES.get_or_init(|| {
        let base = decode(&BASE_POINT).expect("B decodes").point;
        let high = (0..128).fold(base, |point, _| point.double());
        Box::new([table(&base), table(&high)])
    })
}

fn table(point: &Point) -> BaseTable {
    let mut multiples = Vec::with_capacity(128);
    let mut last = *point;
    for _ in 0..128 {
        multiples.push(last);
        last = last.add(point);
    }
    let mut table = [row(&[Element::ONE, Element::ONE, Element::ZERO]); 129];
    for (entry, Niels { y_plus_x, y_minus_x, xy2d }) in table[1..].iter_mut().zip(niels(&multiples)) {
        *entry = row(&[y_minus_x, y_plus_x, xy2d]);
    }
    table
}

pub(super) fn row([minus, plus, xy2d]: &[Element; 3]) -> Row4 {
    core::array::from_fn(|i| [minus.0[i], plus.0[i], xy2d.0[i], if i == 0 { 2 } else { 0 }])
}

/// Digits of radix 16 in -8..8, least significant first: sixteen for each word of x, which is below 7/16 of
/// the power of two above.
pub(crate) fn digits_16(x: &[u64], digits: &mut [i8]) {
    // x + 888...8 has the nibbles d + 8.
    let mut carry = 0u64;
    for (word, digits) in x.iter().zip(digits.chunks_exact_mut(16)) {
        let (sum, c1) = word.overflowing_add(0x8888_8888_8888_8888);
        let (sum, c2) = sum.overflowing_add(carry);
        carry = u64::from(c1 | c2);
        for (i, digit) in digits.iter_mut().enumerate() {
            *digit = (sum >> (4 * i)).to_le_bytes()[0].cast_signed() & 15;
            *digit -= 8;
        }
    }
}

/// Digits of radix 256 in -128..128, least significant first.
pub(crate) fn digits_256(s: &Scalar) -> [i8; 32] {
    let mut carry = 0u16;
    s.to_bytes().map(|byte| {
        let sum = u16::from(byte) + 128 + carry;
        carry = sum >> 8;
        // The digit is the low byte minus 128, which is that byte with its top bit changed.
        (sum.to_le_bytes()[0] ^ 0x80).cast_signed()
    })
}
