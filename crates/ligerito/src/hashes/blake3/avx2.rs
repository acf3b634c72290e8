//! Eight inputs at a time with AVX2.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::Digest;
use super::kernel;
use super::lanes::{Digests, Lanes, Message, Slices};
use core::arch::x86_64::*;
use phalanx_core::lanes::transpose8x32;
use phalanx_core::simd::{Avx2, Lanes32};

/// Inputs side by side.
const LANES: usize = 8;

impl Lanes<LANES> for Avx2 {
    fn compress<const STREAMS: usize>(
        self,
        start: Option<&[u32; 8]>,
        chaining: &mut [Digests<LANES>; STREAMS],
        messages: &[Message<LANES>; STREAMS],
        len: u32,
        flags: u32,
    ) {
        // One stream after the other: the registers hold one state.
        for (chaining, message) in chaining.iter_mut().zip(messages) {
            // SAFETY: `self` is the proof that this CPU has AVX2.
            unsafe { compress(self, start, chaining, message, len, flags) }
        }
    }

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

/// [`Lanes::compress`] of one stream.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn compress(
    witness: Avx2,
    start: Option<&[u32; 8]>,
    chaining: &mut Digests<LANES>,
    message: &Message<LANES>,
    len: u32,
    flags: u32,
) {
    // The state and a temporary are more than the registers hold. An aligned local makes the compiler align the frame, so
    // that what it spills crosses no cache lines: some 7 % (Zen 5, 2026-11).
    let mut aligned = Slices([[0_u32; LANES]; 1]);
    core::hint::black_box(&mut aligned);
    let (chaining, messages) = (core::array::from_mut(chaining), core::array::from_ref(message));
    kernel::compress(witness, start, chaining, messages, len, flags);
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
            witness.store(words, column);
        }
    }
}

/// [`Lanes::pair`].
#[target_feature(enable = "avx2")]
#[inline(never)]
fn pair(witness: Avx2, lower: &Digests<LANES>, upper: &Digests<LANES>, message: &mut Message<LANES>) {
    let (left, right) = message.0.split_at_mut(8);
    for i in 0..8 {
        let a = _mm256_castsi256_ps(witness.load(&lower.0[i]));
        let b = _mm256_castsi256_ps(witness.load(&upper.0[i]));
        // Two words of a, two of b, in either half: the middle pairs change places.
        let even = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b));
        let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(a, b));
        witness.store(&mut left[i], _mm256_permute4x64_epi64::<0xd8>(even));
        witness.store(&mut right[i], _mm256_permute4x64_epi64::<0xd8>(odd));
    }
}

/// [`Lanes::digests`].
#[target_feature(enable = "avx2")]
#[inline(never)]
fn digests(witness: Avx2, slices: &Digests<LANES>, out: &mut [Digest; LANES]) {
    let mut words = [_mm256_setzero_si256(); 8];
    for (word, slice) in words.iter_mut().zip(&slices.0) {
        *word = witness.load(slice);
    }
    for (digest, words) in out.iter_mut().zip(transpose8x32(words)) {
        // SAFETY: a digest has 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(digest.as_mut_ptr().cast(), words) };
    }
}
