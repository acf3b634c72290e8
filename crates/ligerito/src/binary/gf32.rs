//! The field GF(2^32) modulo x^32 + x^15 + x^9 + x^7 + x^4 + x^3 + 1.

use super::BinaryField;
use super::carryless::product32;
use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Mul, MulAssign};

/// An element of GF(2^32) modulo x^32 + x^15 + x^9 + x^7 + x^4 + x^3 + 1: bit i is the coefficient of x^i. Every bit
/// pattern is an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Gf32(pub(crate) u32);

impl Gf32 {
    /// A polynomial of degree at most 62, reduced.
    #[inline]
    pub(super) const fn reduce(mut product: u64) -> Self {
        // x^32 = x^15 + x^9 + x^7 + x^4 + x^3 + 1: two folds of the upper part bring degree 62 below 32.
        let mut fold = 0;
        while fold < 2 {
            let high = product >> 32;
            product =
                product & 0xffff_ffff ^ high ^ high << 3 ^ high << 4 ^ high << 7 ^ high << 9 ^ high << 15;
            fold += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "reduced to 32 bits above")]
        Self(product as u32)
    }
}

impl BinaryField for Gf32 {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);
    const BITS: u32 = 32;

    fn from_integer(integer: u64) -> Self {
        Self(u32::try_from(integer).expect("the integer has at most as many bits as the field"))
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.0.to_le_bytes());
    }
}

impl Add for Gf32 {
    type Output = Self;

    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "addition is XOR in characteristic two")]
    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl AddAssign for Gf32 {
    #[inline]
    #[expect(clippy::suspicious_op_assign_impl, reason = "addition is XOR in characteristic two")]
    fn add_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl MulAssign for Gf32 {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Mul for Gf32 {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::reduce(product32(self.0, other.0))
    }
}
