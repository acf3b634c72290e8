//! Words as signed integers, each any of the class of its Montgomery word: no sum and no reduction is followed by a correction.
//!
//! Bounds are those of the absolute value. The permutations are generic over [`Signed`], so that `bounds.rs` can run them on
//! intervals.

use crate::fields::koala_bear::{KoalaBear, P};
use core::ops::{Add, Mul, Sub};

/// The modulus.
pub(super) const MODULUS: i64 = P as i64;

/// `1 / p mod 2^32`, as a signed integer.
const P_INVERSE: i32 = 0x8100_0001_u32.cast_signed();
const _: () = assert!(P.wrapping_mul(P_INVERSE.cast_unsigned()) == 1);

/// An integer of 64 bits that stands for an element, or what is known of one.
pub(super) trait Signed:
    Copy + From<i64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// `x / 2^32 mod p`. Input: within `2^63 - 2^31 p`. Output: within `|x| / 2^32 + p / 2`.
    fn reduce(self) -> Self;

    /// The same modulo `p`. Input: below `2^40`. Output: within `2^30 + 2^24 |x| / 2^31`, rounded up.
    fn fold(self) -> Self;

    /// The product. Input: within `2.04 p`. Output: within `(1 / 2 + |x| / 2^33) p`.
    fn times(self, factor: Factor) -> Self;

    /// The product. Input: below `2^33`. Output: with `c = |x| / 2^32`, between `-c p` and `(1 + c) p`.
    fn times_plain(self, factor: PlainFactor) -> Self;

    /// The S-box. Input: within `1.005 p`. Output: within `1.01 p`.
    #[inline(always)]
    fn cube(self) -> Self {
        ((self * self).reduce() * self).reduce()
    }

    /// The S-box on four words, step by step: a CPU looks ahead no further than some three S-boxes.
    #[inline(always)]
    fn cubes([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let squares = Self::reduce_four([a * a, b * b, c * c, d * d]);
        Self::reduce_four([squares[0] * a, squares[1] * b, squares[2] * c, squares[3] * d])
    }

    /// [`reduce`](Self::reduce) on four words, step by step.
    #[inline(always)]
    fn reduce_four([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        [a.reduce(), b.reduce(), c.reduce(), d.reduce()]
    }
}

impl Signed for i64 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is taken on purpose")]
    fn reduce(self) -> Self {
        // q p has the low half of x.
        let q = (self as i32).wrapping_mul(P_INVERSE);
        (self - Self::from(q) * MODULUS) >> 32
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is taken on purpose")]
    fn reduce_four(x: [Self; 4]) -> [Self; 4] {
        let q = x.map(|x| i64::from((x as i32).wrapping_mul(P_INVERSE)));
        let [a, b, c, d] = [q[0] * MODULUS, q[1] * MODULUS, q[2] * MODULUS, q[3] * MODULUS];
        [(x[0] - a) >> 32, (x[1] - b) >> 32, (x[2] - c) >> 32, (x[3] - d) >> 32]
    }

    #[inline(always)]
    fn fold(self) -> Self {
        // 2^31 is 2^24 - 1 more than p.
        self - ((self + (1 << 30)) >> 31) * MODULUS
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the low half is taken on purpose")]
    fn times(self, factor: Factor) -> Self {
        let q = (self as i32).wrapping_mul(factor.quotient);
        (self * factor.word - Self::from(q) * MODULUS) >> 32
    }

    #[inline(always)]
    fn times_plain(self, factor: PlainFactor) -> Self {
        // The quotient is off by 1/2 at most, so its product over 2^31 is off by c, and rounding down takes less than 1.
        let q = (self * factor.quotient) >> 31;
        self * factor.residue - q * MODULUS
    }
}

/// The signed integer of least absolute value in the class of `x`, below `2^31`.
pub(super) const fn centered(x: u32) -> i64 {
    if x > P / 2 { x as i64 - MODULUS } else { x as i64 }
}

/// A factor that is known beforehand, so that the quotient need not wait for the product.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    /// The Montgomery word, within `p / 2`.
    pub(super) word: i64,
    /// `word / p mod 2^32`.
    quotient: i32,
}

impl Factor {
    pub(super) const ZERO: Self = Self { word: 0, quotient: 0 };

    #[expect(clippy::cast_possible_truncation, reason = "the low half is taken on purpose")]
    pub(super) const fn new(x: KoalaBear) -> Self {
        let word = centered(x.montgomery());
        Self { word, quotient: (word as i32).wrapping_mul(P_INVERSE) }
    }
}

/// A factor that is known beforehand, as a residue: one operation less, and a greater product.
#[derive(Clone, Copy)]
pub(super) struct PlainFactor {
    /// Within `p / 2`.
    residue: i64,
    /// `2^31 residue / p`, rounded: within `2^30`.
    quotient: i64,
}

impl PlainFactor {
    pub(super) const ZERO: Self = Self { residue: 0, quotient: 0 };

    pub(super) const fn new(x: KoalaBear) -> Self {
        let residue = centered(x.canonical());
        let quotient = ((residue << 32) + MODULUS).div_euclid(2 * MODULUS);
        assert!(quotient.unsigned_abs() <= 1 << 30);
        Self { residue, quotient }
    }
}

/// A word as an integer.
#[inline(always)]
pub(super) fn word(x: KoalaBear) -> i64 {
    i64::from(x.montgomery())
}

/// The element of a word within `p`.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and p, as stated")]
pub(super) fn element(word: i64) -> KoalaBear {
    KoalaBear::from_reduced_montgomery((word + (MODULUS & (word >> 63))) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i64; 9] =
        [0, 1, MODULUS / 2, MODULUS - 1, MODULUS, 1 << 30, (1 << 31) - 1, 1 << 31, (1 << 32) - 1];

    /// The element of any word.
    fn class(word: i64) -> KoalaBear {
        KoalaBear::from_reduced_montgomery(u32::try_from(word.rem_euclid(MODULUS)).expect("below p"))
    }

    fn edges() -> impl Iterator<Item = i64> {
        EDGES.into_iter().chain(EDGES.map(|x| -x))
    }

    #[test]
    fn integers_stand_for_their_elements() {
        for x in edges() {
            for k in [-127, -64, -1, 0, 1, 64, 127] {
                let sum = x + k * MODULUS;
                assert!(class(sum.fold()) == class(x), "{sum}");
                assert!(sum.fold().abs() <= (1 << 30) + (1 << 24) * ((sum.abs() >> 31) + 1), "{sum}");
            }
            if x.abs() <= MODULUS {
                assert!(class(x.cube()) == class(x).cube(), "{x}");
                assert!(element(if x == MODULUS { 0 } else { x }) == class(x), "{x}");
            }
            for y in edges().chain([EDGES[5] + 12_345_678]) {
                let wanted = class(x).mul(class(y));
                let factor = class(y);
                assert!(class(x.times(Factor::new(factor))) == wanted, "{x} {y}");
                assert!(class(x.times_plain(PlainFactor::new(factor))) == wanted, "{x} {y}");
            }
        }
    }
}
