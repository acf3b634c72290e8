//! Sixteen inputs at a time with AVX-512.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::Digest;
use super::avx512_pair::CompressTwo;
use super::kernel::Compress;
use super::lanes::Lanes;
use super::slices::{Digests, Message};
use core::arch::x86_64::*;
use phalanx_core::lanes::{WordLanes, transpose16};
use phalanx_core::simd::{Avx512, Witness};

/// Inputs side by side.
const LANES: usize = 16;

impl Lanes<LANES> for Avx512 {
    fn compress<const STREAMS: usize>(
        self,
        start: Option<&[u32; 8]>,
        chaining: &mut [Digests<LANES>; STREAMS],
        messages: &[Message<LANES>; STREAMS],
        len: u32,
        flags: u32,
    ) {
        let chaining = chaining.as_chunks_mut::<2>();
        let messages = messages.as_chunks::<2>();
        for (chaining, messages) in chaining.0.iter_mut().zip(messages.0) {
            self.enter(CompressTwo { start, chaining, messages, len, flags });
        }
        for (chaining, message) in chaining.1.iter_mut().zip(messages.1) {
            self.enter(Compress { start, chaining, message, len, flags });
        }
    }

    #[inline]
    fn gather(self, bytes: &[u8], stride: usize, message: &mut Message<LANES>) {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { gather(self, bytes, stride, message) }
    }

    fn pair(self, lower: &Digests<LANES>, upper: &Digests<LANES>, message: &mut Message<LANES>) {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { pair(self, lower, upper, message) }
    }

    fn digests(self, slices: &Digests<LANES>, out: &mut [Digest; LANES]) {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { digests(self, slices, out) }
    }
}

/// [`Lanes::gather`].
#[target_feature(enable = "avx512f")]
#[inline(never)]
fn gather(witness: Avx512, bytes: &[u8], stride: usize, message: &mut Message<LANES>) {
    assert!(stride >= 64 && bytes.len() >= (LANES - 1) * stride + 64, "a block for every lane");
    let mut rows = [_mm512_setzero_si512(); LANES];
    for (lane, row) in rows.iter_mut().enumerate() {
        // SAFETY: 64 bytes from `lane * stride` on lie in `bytes`, as asserted; the load needs no alignment.
        *row = unsafe { _mm512_loadu_si512(bytes.as_ptr().add(lane * stride).cast()) };
    }
    for (words, column) in message.0.iter_mut().zip(transpose16(rows)) {
        WordLanes::<u32>::store(witness, words, column);
    }
}

/// [`Lanes::pair`].
#[target_feature(enable = "avx512f")]
#[inline(never)]
fn pair(witness: Avx512, lower: &Digests<LANES>, upper: &Digests<LANES>, message: &mut Message<LANES>) {
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    let (left, right) = message.0.split_at_mut(8);
    for i in 0..8 {
        let (a, b) =
            (WordLanes::<u32>::load(witness, &lower.0[i]), WordLanes::<u32>::load(witness, &upper.0[i]));
        WordLanes::<u32>::store(witness, &mut left[i], _mm512_permutex2var_epi32(a, even, b));
        WordLanes::<u32>::store(witness, &mut right[i], _mm512_permutex2var_epi32(a, odd, b));
    }
}

/// [`Lanes::digests`].
#[target_feature(enable = "avx512f")]
#[inline(never)]
fn digests(witness: Avx512, slices: &Digests<LANES>, out: &mut [Digest; LANES]) {
    let zero = _mm512_setzero_si512();
    let mut rows = [zero; LANES];
    for (row, words) in rows.iter_mut().zip(&slices.0) {
        *row = WordLanes::<u32>::load(witness, words);
    }
    let columns = transpose16(rows);
    for (digest, words) in out.iter_mut().zip(columns) {
        // SAFETY: a digest has 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(digest.as_mut_ptr().cast(), _mm512_castsi512_si256(words)) };
    }
}
