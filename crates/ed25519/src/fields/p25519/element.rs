//! Portable arithmetic modulo p: five limbs of 51 bits, products in `u128`. Time independent of values throughout.

use super::power::pow_2_250_minus_1;
use zeroize::Zeroize;

const MASK: u64 = (1 << 51) - 1;

/// An element, as limbs of radix 2^51, least significant first.
///
/// Bounds: limbs are below 2^51 + 2^15 always (B below); products would accept limbs below 2^52.
#[derive(Clone, Copy)]
pub(crate) struct Element(pub(crate) [u64; 5]);

impl Zeroize for Element {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Columns of radix 2^51, times 2^13: so the carry out of a column is its upper word, with no shift.
///
/// Bounds: column i of a product is a sum of at most 77, 59, 41, 23 and 5 products of limbs (i = 0 to 4; the factor 19
/// of the fold counted), so weight 1 is below that many times 2^13 B^2 = 2^115 (1 + 2^-34).
#[derive(Clone, Copy)]
pub(crate) struct Columns([u128; 5]);

/// A multiple of p, column by column at least any value of weight 1: 2^54 p with borrows from each column to the one
/// below, where weight 1 is larger. In units of 2^115: above 128, 64, 64, 32 and 7.9.
const BIAS: [u128; 5] = {
    let limb = ((1 << 51) - 1) << 54;
    let [x0, x1, x2, x3] = [1 << 58, 1 << 57, 1 << 57, 1 << 56];
    [
        ((((1 << 51) - 19) << 54) + (x0 << 51)) << 13,
        (limb - x0 + (x1 << 51)) << 13,
        (limb - x1 + (x2 << 51)) << 13,
        (limb - x2 + (x3 << 51)) << 13,
        (limb - x3) << 13,
    ]
};

impl Columns {
    // WebAssembly has no wide product: a call is cheap beside one made of parts, and copies of it were half the module.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn product(a: &Element, b: &Element) -> Self {
        let m = |x: u64, y: u64| u128::from(x) * u128::from(y);
        let [a0, a1, a2, a3, a4] = [a.0[0] << 6, a.0[1] << 6, a.0[2] << 6, a.0[3] << 6, a.0[4] << 6];
        let [b0, b1, b2, b3, b4] = [b.0[0] << 7, b.0[1] << 7, b.0[2] << 7, b.0[3] << 7, b.0[4] << 7];
        let [c1, c2, c3, c4] = [19 * b1, 19 * b2, 19 * b3, 19 * b4];
        Self([
            m(a0, b0) + m(a4, c1) + m(a3, c2) + m(a2, c3) + m(a1, c4),
            m(a1, b0) + m(a0, b1) + m(a4, c2) + m(a3, c3) + m(a2, c4),
            m(a2, b0) + m(a1, b1) + m(a0, b2) + m(a4, c3) + m(a3, c4),
            m(a3, b0) + m(a2, b1) + m(a1, b2) + m(a0, b3) + m(a4, c4),
            m(a4, b0) + m(a3, b1) + m(a2, b2) + m(a1, b3) + m(a0, b4),
        ])
    }

    // WebAssembly has no wide product: a call is cheap beside one made of parts, and copies of it were half the module.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn square(a: &Element) -> Self {
        let m = |x: u64, y: u64| u128::from(x) * u128::from(y);
        let [a0, a1, a2, a3, a4] = [a.0[0] << 6, a.0[1] << 6, a.0[2] << 6, a.0[3] << 6, a.0[4] << 6];
        // Twice that, and 19 times twice that.
        let [d0, d1, d2, d3, d4] = [a.0[0] << 7, a.0[1] << 7, a.0[2] << 7, a.0[3] << 7, a.0[4] << 7];
        let [c3, c4] = [19 * d3, 19 * d4];
        Self([
            m(a0, d0) + m(d1, c4) + m(d2, c3),
            m(d0, d1) + m(d2, c4) + m(a3, c3),
            m(d0, d2) + m(a1, d1) + m(d3, c4),
            m(d0, d3) + m(d1, d2) + m(a4, c4),
            m(d0, d4) + m(d1, d3) + m(a2, d2),
        ])
    }

    #[inline(always)]
    pub(super) fn of(a: &Element) -> Self {
        Self(a.0.map(|limb| u128::from(limb) << 13))
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline(always)]
    pub(super) fn sub(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] + BIAS[i] - other.0[i]))
    }

    /// Two parallel carry passes.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[expect(clippy::cast_possible_truncation, reason = "columns split into words")]
    pub(super) fn reduce(self) -> Element {
        let [r0, r1, r2, r3, r4] = self.0;
        // Weight 4 is below 4 * 128 units in the lowest column and 32 in the highest: carries are below 2^60 and 2^56.
        let (k0, k1, k2, k3, k4) =
            ((r0 >> 64) as u64, (r1 >> 64) as u64, (r2 >> 64) as u64, (r3 >> 64) as u64, (r4 >> 64) as u64);
        carry([
            (r0 as u64 >> 13) + 19 * k4,
            (r1 as u64 >> 13) + k0,
            (r2 as u64 >> 13) + k1,
            (r3 as u64 >> 13) + k2,
            (r4 as u64 >> 13) + k3,
        ])
    }
}

/// One parallel carry pass over limbs below 2^61.
#[inline(always)]
fn carry(t: [u64; 5]) -> Element {
    Element([
        (t[0] & MASK) + 19 * (t[4] >> 51),
        (t[1] & MASK) + (t[0] >> 51),
        (t[2] & MASK) + (t[1] >> 51),
        (t[3] & MASK) + (t[2] >> 51),
        (t[4] & MASK) + (t[3] >> 51),
    ])
}

impl Element {
    pub(crate) const ZERO: Self = Self([0; 5]);
    pub(crate) const ONE: Self = Self([1, 0, 0, 0, 0]);

    /// The element that the little-endian `bytes` give below bit 255; values from p up are accepted and mean their
    /// residue. Bit 255 is not looked at.
    pub(crate) const fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut words = [0u64; 4];
        let mut i = 0;
        while i < 32 {
            words[i / 8] |= (bytes[i] as u64) << (8 * (i % 8));
            i += 1;
        }
        let [w0, w1, w2, w3] = words;
        Self([
            w0 & MASK,
            (w0 >> 51 | w1 << 13) & MASK,
            (w1 >> 38 | w2 << 26) & MASK,
            (w2 >> 25 | w3 << 39) & MASK,
            (w3 >> 12) & MASK,
        ])
    }

    /// The canonical little-endian bytes.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let Self([mut l0, mut l1, mut l2, mut l3, mut l4]) = carry(self.0);
        // Limbs are below 2^51 + 2^15, so the value is below 2p: q is 1 exactly if it is at least p.
        let mut q = (l0 + 19) >> 51;
        q = (l1 + q) >> 51;
        q = (l2 + q) >> 51;
        q = (l3 + q) >> 51;
        q = (l4 + q) >> 51;
        l0 += 19 * q;
        l1 += l0 >> 51;
        l2 += l1 >> 51;
        l3 += l2 >> 51;
        l4 += l3 >> 51;
        let [l0, l1, l2, l3, l4] = [l0, l1, l2, l3, l4].map(|limb| limb & MASK);
        let words = [l0 | l1 << 51, l1 >> 13 | l2 << 38, l2 >> 26 | l3 << 25, l3 >> 39 | l4 << 12];
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    #[inline]
    pub(crate) fn mul(&self, other: &Self) -> Self {
        Columns::product(self, other).reduce()
    }

    #[inline]
    pub(crate) fn square(&self) -> Self {
        Columns::square(self).reduce()
    }

    /// The result of `count` squarings.
    pub(crate) fn square_times(&self, count: u32) -> Self {
        let mut x = *self;
        for _ in 0..count {
            x = x.square();
        }
        x
    }

    #[inline]
    pub(crate) fn add(&self, other: &Self) -> Self {
        let (a, b) = (self.0, other.0);
        carry([a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]])
    }

    #[inline]
    pub(crate) fn sub(&self, other: &Self) -> Self {
        // 2p, so that no limb goes below zero.
        const TWO_P: [u64; 5] = [(MASK << 1) - 36, MASK << 1, MASK << 1, MASK << 1, MASK << 1];
        let (a, b) = (self.0, other.0);
        carry([
            a[0] + TWO_P[0] - b[0],
            a[1] + TWO_P[1] - b[1],
            a[2] + TWO_P[2] - b[2],
            a[3] + TWO_P[3] - b[3],
            a[4] + TWO_P[4] - b[4],
        ])
    }

    #[inline]
    pub(crate) fn negate(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// Whether the value is 0 modulo p.
    pub(crate) fn is_zero(&self) -> bool {
        self.to_bytes() == [0; 32]
    }

    /// Whether the canonical value is odd.
    pub(crate) fn is_odd(&self) -> bool {
        self.to_bytes()[0] & 1 == 1
    }

    /// x^((p - 5) / 8), the heart of the square root (RFC 8032 section 5.1.3).
    pub(crate) fn pow_p58(&self) -> Self {
        let power = |x: &Self, count, factor: &Self| x.square_times(count).mul(factor);
        pow_2_250_minus_1(self, &self.square(), power).0.square_times(2).mul(self)
    }
}
