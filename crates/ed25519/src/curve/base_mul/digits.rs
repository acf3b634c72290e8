//! Scalars in odd signed digits.
//!
//! An odd s below 2^(w n) is the sum of `d_i` 2^(w i), i < n, with odd `d_i` between -2^w and 2^w: put
//! `d_0 = (s mod 2^(w+1)) - 2^w`, go on with `(s - d_0) / 2^w`, which is odd again and has the upper bits of s
//! unchanged. So no digit depends on a carry: with `t = (s >> 1) | 2^(w n - 1)` and `b_i` the i-th group of w bits of
//! t, `d_i = 2 b_i + 1 - 2^w`. The upper half of the `b_i` are the positive digits. |`d_i`| = 2 e + 1 for the entry e
//! of the table, which is `b_i` without its top bit for positive digits, and the complement of that for negative ones.

use crate::fields::scalar25519::Scalar;
use zeroize::Zeroize;

/// t, for digits of `w` bits at `n` positions; w n is 254 to 256.
pub(super) struct Digits(pub(super) [u64; 4]);

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Digits {
    pub(super) fn new(s: &Scalar, w: u32, n: u32) -> Self {
        debug_assert!((254..=256).contains(&(w * n)), "odd_words is below 2^254");
        let [s0, s1, s2, s3] = s.odd_words();
        let top = 1 << (w * n - 1 - 192);
        Self([s0 >> 1 | s1 << 63, s1 >> 1 | s2 << 63, s2 >> 1 | s3 << 63, s3 >> 1 | top])
    }

    /// For w = 4: the entry of the digit at `position`, and 1 if the digit is negative, else 0.
    #[inline(always)]
    pub(super) fn radix16(&self, position: usize) -> (u64, u64) {
        let b = self.0[position / 16] >> (4 * (position % 16)) & 15;
        let negative = (b >> 3) ^ 1;
        ((b ^ negative.wrapping_neg()) & 7, negative)
    }

    /// The same for w = 5.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn radix32(&self, position: usize) -> (u64, u64) {
        let (word, shift) = (5 * position / 64, 5 * position % 64);
        // What is above the last word is nothing that a digit has.
        let next = self.0[(word + 1).min(3)];
        let b = (self.0[word] >> shift | (next << 1) << (63 - shift)) & 31;
        let negative = (b >> 4) ^ 1;
        ((b ^ negative.wrapping_neg()) & 15, negative)
    }

    /// The same for 36 digits of 7 bits and one of 4, which is what is left of 256: with w_i bits in group i and W_i
    /// below it, the sum of (2 b_i + 1 - 2^(w_i)) 2^(W_i) is 2t + 1 - 2^256, too. t is that for w = 4.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn radix128(&self, position: usize) -> (u64, u64) {
        let (word, shift) = (7 * position / 64, 7 * position % 64);
        if position == 36 {
            // The top bit of t is set: a positive digit.
            return (self.0[word] >> shift & 7, 0);
        }
        let next = self.0[(word + 1).min(3)];
        let b = (self.0[word] >> shift | (next << 1) << (63 - shift)) & 127;
        let negative = (b >> 6) ^ 1;
        ((b ^ negative.wrapping_neg()) & 63, negative)
    }
}
