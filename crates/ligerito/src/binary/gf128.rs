//! The field GF(2^128) modulo x^128 + x^7 + x^2 + x + 1.

use super::BinaryField;
use super::carryless::{product64, square64};
use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Mul, MulAssign};

/// An element of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1: bit i is the coefficient of x^i. Every bit pattern
/// is an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Gf128(pub u128);

impl Gf128 {
    /// The element whose little-endian bytes are given.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// The sixteen bytes of the element, little-endian.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The product with x.
    #[inline]
    pub(super) const fn times_x(self) -> Self {
        Self((self.0 << 1) ^ ((self.0 >> 127) * 0x87))
    }

    /// low(x) + x^128 high(x), reduced. x^128 = x^7 + x^2 + x + 1, so the upper part is folded twice; the second time
    /// only the seven bits that the first fold pushed out are left of it.
    #[inline]
    pub(crate) const fn reduce(low: u128, high: u128) -> Self {
        let out = high >> 127 ^ high >> 126 ^ high >> 121;
        let high = high ^ out;
        Self(low ^ high ^ high << 1 ^ high << 2 ^ high << 7)
    }
}

impl BinaryField for Gf128 {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);
    const BITS: u32 = 128;

    fn from_integer(integer: u64) -> Self {
        Self(u128::from(integer))
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.0.to_le_bytes());
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "halves are taken")]
    fn square(self) -> Self {
        Self::reduce(square64(self.0 as u64), square64((self.0 >> 64) as u64))
    }
}

impl Add for Gf128 {
    type Output = Self;

    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "addition is XOR in characteristic two")]
    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl AddAssign for Gf128 {
    #[inline]
    #[expect(clippy::suspicious_op_assign_impl, reason = "addition is XOR in characteristic two")]
    fn add_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl MulAssign for Gf128 {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Mul for Gf128 {
    type Output = Self;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "halves are taken")]
    fn mul(self, other: Self) -> Self {
        // Karatsuba: three products of halves.
        let (a0, a1, b0, b1) = (self.0 as u64, (self.0 >> 64) as u64, other.0 as u64, (other.0 >> 64) as u64);
        let low = product64(a0, b0);
        let high = product64(a1, b1);
        let middle = product64(a0 ^ a1, b0 ^ b1) ^ low ^ high;
        Self::reduce(low ^ middle << 64, high ^ middle >> 64)
    }
}
