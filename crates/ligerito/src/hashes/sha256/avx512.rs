//! Sixteen rows at a time with AVX-512.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::kernel::{self, INITIAL};
use super::lanes::Compress;
use crate::hashes::blake3::lanes::{Digests, Message};
use core::arch::x86_64::*;
use phalanx_core::simd::{Avx512, Lanes32};

/// Rows side by side.
const LANES: usize = 16;

impl Compress<LANES> for Avx512 {
    fn block(self, start: bool, state: &mut Digests<LANES>, first: &[u32; LANES], rest: &Message<LANES>) {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F and BW.
        unsafe { block(self, start, state, first, rest) }
    }

    fn digest_words(self, state: &Digests<LANES>, message: &mut Message<LANES>) {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F and BW.
        unsafe { digest_words(self, state, message) }
    }
}

/// [`Compress::block`].
#[target_feature(enable = "avx512f,avx512bw")]
#[inline(never)]
fn block(
    witness: Avx512,
    start: bool,
    state: &mut Digests<LANES>,
    first: &[u32; LANES],
    rest: &Message<LANES>,
) {
    let mut w = [swapped(witness.load(first)); 16];
    let mut i = 1;
    while i < 16 {
        w[i] = swapped(witness.load(&rest.0[i - 1]));
        i += 1;
    }
    let mut s = [_mm512_setzero_si512(); 8];
    let mut i = 0;
    while i < 8 {
        s[i] = if start { witness.splat(INITIAL[i]) } else { witness.load(&state.0[i]) };
        i += 1;
    }
    let s = kernel::compress(witness, s, w);
    let mut i = 0;
    while i < 8 {
        witness.store(&mut state.0[i], s[i]);
        i += 1;
    }
}

/// [`Compress::digest_words`].
#[target_feature(enable = "avx512f,avx512bw")]
#[inline(never)]
fn digest_words(witness: Avx512, state: &Digests<LANES>, message: &mut Message<LANES>) {
    for (to, from) in message.0.iter_mut().zip(&state.0) {
        witness.store(to, swapped(witness.load(from)));
    }
}

/// The bytes of every word in the other order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swapped(x: __m512i) -> __m512i {
    _mm512_shuffle_epi8(x, _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203))
}
