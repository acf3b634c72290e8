//! Eight inputs at a time with AVX2.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::Digest;
use super::lanes::Lanes;
use super::slices::{Digests, Message};
use core::arch::x86_64::*;
use phalanx_core::lanes::{WordLanes, transpose8x32};
use phalanx_core::simd::Avx2;

/// Inputs side by side.
const LANES: usize = 8;

impl Lanes<LANES> for Avx2 {
    #[inline]
    fn gather(self, bytes: &[u8], stride: usize, message: &mut Message<LANES>) {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { gather(self, bytes, stride, message) }
    }

    fn pair(self, lower: &Digests<LANES>, upper: &Digests<LANES>, message: &mut Message<LANES>) {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { pair(self, lower, upper, message) }
    }

    fn digests(self, slices: &Digests<LANES>, out: &mut [Digest; LANES]) {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { digests(self, slices, out) }
    }
}

/// [`Lanes::gather`].
#[target_feature(enable = "avx2")]
#[inline(never)]
fn gather(witness: Avx2, bytes: &[u8], stride: usize, message: &mut Message<LANES>) {
    assert!(stride >= 64 && bytes.len() >= (LANES - 1) * stride + 64, "a block for every lane");
    for (half, words) in message.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut rows = [_mm256_setzero_si256(); LANES];
        for (lane, row) in rows.iter_mut().enumerate() {
            // SAFETY: 64 bytes from `lane * stride` on lie in `bytes`, as asserted; the load needs no alignment.
            *row = unsafe { _mm256_loadu_si256(bytes.as_ptr().add(lane * stride + 32 * half).cast()) };
        }
        for (words, column) in words.iter_mut().zip(transpose8x32(rows)) {
            WordLanes::<u32>::store(witness, words, column);
        }
    }
}

/// [`Lanes::pair`].
#[target_feature(enable = "avx2")]
#[inline(never)]
fn pair(witness: Avx2, lower: &Digests<LANES>, upper: &Digests<LANES>, message: &mut Message<LANES>) {
    let (left, right) = message.0.split_at_mut(8);
    for i in 0..8 {
        let a = _mm256_castsi256_ps(WordLanes::<u32>::load(witness, &lower.0[i]));
        let b = _mm256_castsi256_ps(WordLanes::<u32>::load(witness, &upper.0[i]));
        // Two words of a, two of b, in either half: the middle pairs change places.
        let even = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b));
        let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(a, b));
        WordLanes::<u32>::store(witness, &mut left[i], _mm256_permute4x64_epi64::<0xd8>(even));
        WordLanes::<u32>::store(witness, &mut right[i], _mm256_permute4x64_epi64::<0xd8>(odd));
    }
}

/// [`Lanes::digests`].
#[target_feature(enable = "avx2")]
#[inline(never)]
fn digests(witness: Avx2, slices: &Digests<LANES>, out: &mut [Digest; LANES]) {
    let mut words = [_mm256_setzero_si256(); 8];
    for (word, slice) in words.iter_mut().zip(&slices.0) {
        *word = WordLanes::<u32>::load(witness, slice);
    }
    for (digest, words) in out.iter_mut().zip(transpose8x32(words)) {
        // SAFETY: a digest has 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(digest.as_mut_ptr().cast(), words) };
    }
}
