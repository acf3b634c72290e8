//! Integers modulo L = 2^252 + 27742317777372353535851937790883648493, the order of the base point of edwards25519.
//!
//! Montgomery form is used inside single products only; a [`Scalar`] is always the canonical value below L. Time is
//! independent of values unless a name says `vartime`.

use zeroize::Zeroize;

/// An integer below L, as 64-bit words, least significant first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar([u64; 4]);

impl Zeroize for Scalar {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// L.
const L: [u64; 4] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];

/// -1/L modulo 2^64.
const L_NEGATED_INVERSE: u64 = {
    // Newton's iteration doubles the correct low bits of 1/L: 1 (L is odd), then 2, 4, ... 64.
    let (mut inverse, mut i) = (1u64, 0);
    while i < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(L[0].wrapping_mul(inverse)));
        i += 1;
    }
    inverse.wrapping_neg()
};

/// 2^256 and 2^512 modulo L: R and R^2 of the Montgomery product.
const R: Scalar = Scalar(doubled(256));
const R_SQUARED: Scalar = Scalar(doubled(512));

/// 2^count modulo L.
const fn doubled(count: usize) -> [u64; 4] {
    let (mut x, mut i) = ([1, 0, 0, 0], 0);
    while i < count {
        x = subtract_l_once(add_words(&x, &x));
        i += 1;
    }
    x
}

/// a + b; the sum is below 2^256.
const fn add_words(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (mut sum, mut carry, mut i) = ([0; 4], 0u128, 0);
    while i < 4 {
        carry += a[i] as u128 + b[i] as u128;
        sum[i] = carry as u64;
        carry >>= 64;
        i += 1;
    }
    sum
}

/// x mod L for x below 2L.
const fn subtract_l_once(x: [u64; 4]) -> [u64; 4] {
    let (mut difference, mut borrow, mut i) = ([0; 4], 0u64, 0);
    while i < 4 {
        let (first, b1) = x[i].overflowing_sub(L[i]);
        let (second, b2) = first.overflowing_sub(borrow);
        difference[i] = second;
        borrow = (b1 | b2) as u64;
        i += 1;
    }
    let keep = 0u64.wrapping_sub(borrow);
    i = 0;
    while i < 4 {
        difference[i] ^= keep & (difference[i] ^ x[i]);
        i += 1;
    }
    difference
}

/// a b / 2^256 modulo L, canonical, for any a below 2^256 and b below L.
fn montgomery(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut t = [0u64; 5];
    for &word in a {
        // t + word * b, then + q * L, which clears the lowest word; t stays below 2L < 2^254.
        let mut carry = 0u128;
        for j in 0..4 {
            carry += u128::from(t[j]) + u128::from(word) * u128::from(b[j]);
            t[j] = low(carry);
            carry >>= 64;
        }
        t[4] = low(carry);
        let q = t[0].wrapping_mul(L_NEGATED_INVERSE);
        carry = (u128::from(t[0]) + u128::from(q) * u128::from(L[0])) >> 64;
        for j in 1..4 {
            carry += u128::from(t[j]) + u128::from(q) * u128::from(L[j]);
            t[j - 1] = low(carry);
            carry >>= 64;
        }
        t[3] = low(carry + u128::from(t[4]));
        t[4] = 0;
    }
    subtract_l_once([t[0], t[1], t[2], t[3]])
}

/// The low word.
#[allow(clippy::cast_possible_truncation)] // that is the purpose
const fn low(x: u128) -> u64 {
    x as u64
}

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    core::array::from_fn(|i| {
        u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("the slice has eight bytes"))
    })
}

impl Scalar {
    pub(crate) const ZERO: Self = Self([0; 4]);

    /// The scalar of canonical `bytes`; `None` for values from L up. The time depends on the answer only.
    pub(crate) fn from_canonical(bytes: &[u8; 32]) -> Option<Self> {
        let words: [u64; 4] = words(bytes);
        // x is canonical exactly if x - L borrows.
        let mut borrow = 0u64;
        for (x, l) in words.iter().zip(L) {
            let (first, b1) = x.overflowing_sub(l);
            let (_, b2) = first.overflowing_sub(borrow);
            borrow = u64::from(b1 | b2);
        }
        (borrow == 1).then_some(Self(words))
    }

    /// Any 256-bit integer, reduced.
    pub(crate) fn from_bytes_reduced(bytes: &[u8; 32]) -> Self {
        Self(montgomery(&words(bytes), &R.0))
    }

    /// A 512-bit integer such as a SHA-512 digest, reduced.
    pub(crate) fn from_wide(bytes: &[u8; 64]) -> Self {
        let low = montgomery(&words(&bytes[..32]), &R.0);
        let high = montgomery(&words(&bytes[32..]), &R_SQUARED.0);
        Self(subtract_l_once(add_words(&low, &high)))
    }

    /// The canonical bytes.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// An odd integer below 2^254 that is the same modulo L, as words: the scalar itself, or the scalar + L.
    pub(crate) fn odd_words(&self) -> [u64; 4] {
        let add = (self.0[0] & 1).wrapping_sub(1);
        add_words(&self.0, &L.map(|word| word & add))
    }

    /// self + other.
    pub(crate) fn add(&self, other: &Self) -> Self {
        Self(subtract_l_once(add_words(&self.0, &other.0)))
    }

    /// self * other.
    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self(montgomery(&montgomery(&self.0, &other.0), &R_SQUARED.0))
    }

    /// -self.
    pub(crate) fn negate(&self) -> Self {
        let (mut difference, mut borrow) = ([0; 4], 0u64);
        for i in 0..4 {
            let (first, b1) = L[i].overflowing_sub(self.0[i]);
            let (second, b2) = first.overflowing_sub(borrow);
            difference[i] = second;
            borrow = u64::from(b1 | b2);
        }
        Self(subtract_l_once(difference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges() {
        let mut l_minus_1 = [0; 32];
        for (chunk, word) in l_minus_1.chunks_exact_mut(8).zip(L) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        assert!(Scalar::from_canonical(&l_minus_1).is_none(), "L itself is not canonical");
        assert_eq!(Scalar::from_bytes_reduced(&l_minus_1).to_bytes(), [0; 32]);
        l_minus_1[0] -= 1;
        let minus_one = Scalar::from_canonical(&l_minus_1).expect("below L");
        let mut one = [0; 32];
        one[0] = 1;
        assert_eq!(minus_one.mul(&minus_one).to_bytes(), one);
        assert_eq!(minus_one.negate().to_bytes(), one);
        assert_eq!(Scalar::ZERO.negate().to_bytes(), [0; 32]);
        assert_eq!(minus_one.add(&minus_one.negate()).to_bytes(), [0; 32]);
        let large = Scalar::from_bytes_reduced(&[0xff; 32]);
        assert_eq!(large.add(&Scalar::ZERO).to_bytes(), large.to_bytes());
    }
}
