//! Scalars as signed digits that can be read at any position.
//!
//! Half a base is added at every position but the highest beforehand; a digit of the sum, less that half, then stands
//! for itself, and no digit needs to know a carry from its neighbour.

use crate::fields::scalar25519::Scalar;

/// How scalars are cut: `width` bits a digit; digits are between -2^(width - 1) and 2^(width - 1).
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) width: usize,
    /// Digits of a long scalar, which is below 2^251 + 2^124 in absolute value.
    pub(super) long: usize,
    /// Digits of a short scalar, which is below 2^128.
    pub(super) short: usize,
}

impl Shape {
    /// `width` is 3 to 12.
    pub(super) fn new(width: usize) -> Self {
        // Of a long scalar, the highest digit holds at least one bit below 2^252, so that it is at most 2^(width - 1):
        // equal to it only from 2^251 on, where the bits below are zeros and carry nothing.
        Self { width, long: 252usize.div_ceil(width), short: 128 / width + 1 }
    }

    /// The largest absolute value of a digit: the number of buckets.
    pub(super) fn buckets(&self) -> usize {
        1 << (self.width - 1)
    }

    /// The half added at all of `count` positions but the last.
    fn bias(&self, count: usize) -> [u64; 4] {
        let (mut words, mut position) = ([0u64; 4], 0);
        while position + 1 < count {
            let bit = position * self.width + self.width - 1;
            words[bit / 64] |= 1 << (bit % 64);
            position += 1;
        }
        words
    }
}

/// A biased scalar: 256 bits, and room to read past them.
pub(super) type Digits = [u8; 36];

/// Makes digits of scalars under one shape.
pub(super) struct Recoder {
    long: [u64; 4],
    short: [u64; 4],
}

impl Recoder {
    pub(super) fn new(shape: &Shape) -> Self {
        Self { long: shape.bias(shape.long), short: shape.bias(shape.short) }
    }

    /// The digits of the scalar of smaller absolute value among s and s - L, and whether it is the negative one, of
    /// which the digits are then those of L - s.
    pub(super) fn long(&self, scalar: &Scalar) -> (Digits, bool) {
        let opposite = scalar.negate();
        let (plain, opposite) = (scalar.words(), opposite.words());
        // The opposite of 0 is 0, of which the sign does not matter.
        let negative = plain.iter().rev().gt(opposite.iter().rev());
        (biased(if negative { opposite } else { plain }, &self.long), negative)
    }

    pub(super) fn short(&self, scalar: u128) -> Digits {
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let words = [scalar as u64, (scalar >> 64) as u64, 0, 0];
        biased(&words, &self.short)
    }
}

/// a + b, which is below 2^256.
fn biased(a: &[u64; 4], b: &[u64; 4]) -> Digits {
    let (mut digits, mut carry) = ([0; 36], false);
    for (i, to) in digits[..32].chunks_exact_mut(8).enumerate() {
        let (sum, c1) = a[i].overflowing_add(b[i]);
        let (sum, c2) = sum.overflowing_add(u64::from(carry));
        to.copy_from_slice(&sum.to_le_bytes());
        carry = c1 | c2;
    }
    digits
}

/// The `width` bits from bit `at` on.
#[inline(always)]
pub(super) fn raw_digit(digits: &Digits, at: usize, width: usize) -> u32 {
    let from = at / 8;
    let four = [digits[from], digits[from + 1], digits[from + 2], digits[from + 3]];
    (u32::from_le_bytes(four) >> (at % 8)) & ((1 << width) - 1)
}
