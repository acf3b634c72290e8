//! The field GF(2^16) modulo x^16 + x^5 + x^3 + x^2 + 1.

use super::BinaryField;
use super::carryless::product32;
use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Mul, MulAssign};

/// An element of GF(2^16) modulo x^16 + x^5 + x^3 + x^2 + 1: bit i is the coefficient of x^i. Every bit pattern
/// is an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Gf16(pub(crate) u16);

impl BinaryField for Gf16 {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);
    const BITS: u32 = 16;

    fn from_integer(integer: u64) -> Self {
        Self(u16::try_from(integer).expect("the integer has at most as many bits as the field"))
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.0.to_le_bytes());
    }
}

impl Add for Gf16 {
    type Output = Self;

    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "addition is XOR in characteristic two")]
    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl AddAssign for Gf16 {
    #[inline]
    #[expect(clippy::suspicious_op_assign_impl, reason = "addition is XOR in characteristic two")]
    fn add_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl MulAssign for Gf16 {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Mul for Gf16 {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let mut reduced = product32(u32::from(self.0), u32::from(other.0));
        // x^16 = x^5 + x^3 + x^2 + 1: two folds of the upper part bring degree 30 below 16.
        for _ in 0..2 {
            let high = reduced >> 16;
            reduced = reduced & 0xffff ^ high ^ high << 2 ^ high << 3 ^ high << 5;
        }
        #[expect(clippy::cast_possible_truncation, reason = "reduced to 16 bits above")]
        Self(reduced as u16)
    }
}
