//! One scalar.

use super::portable::{self, L};
use zeroize::Zeroize;

/// An integer below L, as 64-bit words, least significant first.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)] // vectors load two scalars at once
pub(crate) struct Scalar(pub(super) [u64; 4]);

impl Zeroize for Scalar {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    for (word, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*chunk);
    }
    words
}

impl Scalar {
    pub(crate) const ZERO: Self = Self([0; 4]);

    /// The scalar of canonical `bytes`; `None` for values from L up. The time depends on the answer only.
    pub(crate) fn from_canonical(bytes: &[u8; 32]) -> Option<Self> {
        let words = words(bytes);
        // x is canonical exactly if x - L borrows.
        let (_, borrow) = portable::subtract(&words, &L);
        (borrow == 1).then_some(Self(words))
    }

    /// Any 256-bit integer, reduced.
    pub(crate) fn from_bytes_reduced(bytes: &[u8; 32]) -> Self {
        Self(portable::reduce_256(&words(bytes)))
    }

    /// A 512-bit integer such as a SHA-512 digest, reduced.
    pub(crate) fn from_wide(bytes: &[u8; 64]) -> Self {
        Self(portable::reduce_512(&words(bytes)))
    }

    /// The integer `x`.
    pub(crate) fn from_u128(x: u128) -> Self {
        Self(words(&x.to_le_bytes()))
    }

    /// The words, least significant first.
    pub(crate) fn words(&self) -> &[u64; 4] {
        &self.0
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
        portable::add(&self.0, &L.map(|word| word & add)).0
    }

    /// self + other.
    pub(crate) fn add(&self, other: &Self) -> Self {
        // The sum is below 2L < 2^254.
        Self(portable::subtract_mod_l(&portable::add(&self.0, &other.0).0, &L))
    }

    /// self * other.
    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self(portable::reduce_512(&portable::product(&self.0, &other.0)))
    }

    /// self * other + term: S = k a + r of signing (RFC 8032 section 5.1.6, step 5).
    pub(crate) fn mul_add(&self, other: &Self, term: &Self) -> Self {
        let [t0, t1, t2, t3] = term.0;
        let product = portable::product(&self.0, &other.0);
        Self(portable::reduce_512(&portable::add(&product, &[t0, t1, t2, t3, 0, 0, 0, 0]).0))
    }

    /// -self.
    pub(crate) fn negate(&self) -> Self {
        Self(portable::subtract_mod_l(&[0; 4], &self.0))
    }
}

/// The sum of `weight_i` `scalar_i`, reduced once at the end. Any number of terms: each is below 2^381.
#[derive(Clone, Copy)]
pub(crate) struct WeightedSum([u64; 8]);

impl WeightedSum {
    pub(crate) const ZERO: Self = Self([0; 8]);

    /// Adds `weight` * `scalar`.
    pub(crate) fn add(&mut self, weight: u128, scalar: &Scalar) {
        let weight: [u64; 2] = words(&weight.to_le_bytes());
        let [p0, p1, p2, p3, p4, p5] = portable::product(&scalar.0, &weight);
        self.0 = portable::add(&self.0, &[p0, p1, p2, p3, p4, p5, 0, 0]).0;
    }

    /// The sum modulo L.
    pub(crate) fn reduce(&self) -> Scalar {
        Scalar(portable::reduce_512(&self.0))
    }
}
