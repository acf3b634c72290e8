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
}
