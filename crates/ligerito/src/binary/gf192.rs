//! The field GF(2^192) modulo x^192 + x^7 + x^2 + x + 1.

use super::BinaryField;
use super::carryless::{product64, square64};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign};

/// An element of GF(2^192) modulo x^192 + x^7 + x^2 + x + 1, in three limbs of 64 bits, the lowest first: bit i of limb
/// k is the coefficient of x^(64 k + i). Every bit pattern is an element.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Gf192(pub [u64; 3]);

impl Gf192 {
    /// The element whose little-endian bytes are given.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 24]) -> Self {
        let mut limbs = [0; 3];
        let mut i = 24;
        while i > 0 {
            i -= 1;
            limbs[i / 8] = limbs[i / 8] << 8 | bytes[i] as u64;
        }
        Self(limbs)
    }

    /// The twenty-four bytes of the element, little-endian.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "bytes are taken")]
    pub const fn to_le_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        let mut i = 0;
        while i < 24 {
            bytes[i] = (self.0[i / 8] >> (8 * (i % 8))) as u8;
            i += 1;
        }
        bytes
    }

    /// The product with x.
    pub(super) const fn times_x(self) -> Self {
        let [a, b, c] = self.0;
        Self([(a << 1) ^ ((c >> 63) * 0x87), b << 1 | a >> 63, c << 1 | b >> 63])
    }

    /// The polynomial with these six limbs, reduced. x^192 = x^7 + x^2 + x + 1, so the upper three are folded twice;
    /// the second time only the seven bits that the first fold pushed out are left of them.
    #[inline]
    const fn reduce(limbs: [u64; 6]) -> Self {
        let [l0, l1, l2, h0, h1, h2] = limbs;
        let h0 = h0 ^ h2 >> 63 ^ h2 >> 62 ^ h2 >> 57;
        Self([l0 ^ times_0x87(h0, 0), l1 ^ times_0x87(h1, h0), l2 ^ times_0x87(h2, h1)])
    }
}

/// A limb times x^7 + x^2 + x + 1, with what the limb `below` it pushes up; what it pushes up itself is left out.
#[inline]
const fn times_0x87(limb: u64, below: u64) -> u64 {
    limb ^ (limb << 1 | below >> 63) ^ (limb << 2 | below >> 62) ^ (limb << 7 | below >> 57)
}

impl fmt::Debug for Gf192 {
    /// The integer, as the vectors write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.0;
        write!(f, "Gf192({c:016x}{b:016x}{a:016x})")
    }
}

impl BinaryField for Gf192 {
    const ZERO: Self = Self([0; 3]);
    const ONE: Self = Self([1, 0, 0]);
    const BITS: u32 = 192;

    fn from_integer(integer: u64) -> Self {
        Self([integer, 0, 0])
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    #[inline]
    fn square(self) -> Self {
        let [a, b, c] = self.0.map(square64);
        Self::reduce([low(a), high(a), low(b), high(b), low(c), high(c)])
    }
}

impl Add for Gf192 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        Self([a0 ^ b0, a1 ^ b1, a2 ^ b2])
    }
}

impl AddAssign for Gf192 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl MulAssign for Gf192 {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Mul for Gf192 {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        // Karatsuba for three parts: six products of limbs. A. Weimerskirch, C. Paar, "Generalizations of the Karatsuba
        // algorithm for efficient implementations", 2003, section 3.
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        let (d0, d1, d2) = (product64(a0, b0), product64(a1, b1), product64(a2, b2));
        let c1 = product64(a0 ^ a1, b0 ^ b1) ^ d0 ^ d1;
        let c2 = product64(a0 ^ a2, b0 ^ b2) ^ d0 ^ d1 ^ d2;
        let c3 = product64(a1 ^ a2, b1 ^ b2) ^ d1 ^ d2;
        Self::reduce([
            low(d0),
            high(d0) ^ low(c1),
            high(c1) ^ low(c2),
            high(c2) ^ low(c3),
            high(c3) ^ low(d2),
            high(d2),
        ])
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is taken")]
const fn low(product: u128) -> u64 {
    product as u64
}

#[inline]
const fn high(product: u128) -> u64 {
    (product >> 64) as u64
}
