//! SHA-512 with AVX-512: one block of each of eight messages at a time.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::kernel::{self, Lanes64};
use super::lanes::Compress;
use super::message::Block;
use core::arch::x86_64::*;
use phalanx_core::lanes::transpose8;
use phalanx_core::simd::Avx512;

/// Messages side by side.
const LANES: usize = 8;

impl Lanes64 for Avx512 {
    type Vector = __m512i;

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_set1_epi64(word.cast_signed()) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn choose(self, e: __m512i, f: __m512i, g: __m512i) -> __m512i {
        // Truth table of e ? f : g, bit 4e + 2f + g.
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_ternarylogic_epi64::<0xca>(e, f, g) }
    }

    #[inline(always)]
    fn majority(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // Truth table of two or three out of three.
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_ternarylogic_epi64::<0xe8>(a, b, c) }
    }

    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { xor3(_mm512_ror_epi64::<A>(x), _mm512_ror_epi64::<B>(x), _mm512_ror_epi64::<C>(x)) }
    }

    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { xor3(_mm512_ror_epi64::<A>(x), _mm512_ror_epi64::<B>(x), shift_right::<C>(x)) }
    }
}

/// `a ^ b ^ c`.
#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// Every word shifted right by `BY`.
#[inline]
#[target_feature(enable = "avx512f")]
fn shift_right<const BY: i32>(x: __m512i) -> __m512i {
    // The count is a constant, so this becomes a shift by an immediate.
    _mm512_srl_epi64(x, _mm_cvtsi32_si128(BY))
}

impl Compress<LANES> for Avx512 {
    // A vector takes 220 ns a block, `sha2` 150 to 175 (Zen 5, 2026-11).
    const MIN_ACTIVE: usize = 2;

    fn compress(self, state: &mut [[u64; LANES]; 8], blocks: &[&Block; LANES], active: u8) {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F and BW.
        unsafe { compress(self, state, blocks, active) }
    }
}

/// [`Compress::compress`].
#[target_feature(enable = "avx512f,avx512bw")]
#[inline(never)]
fn compress(witness: Avx512, state: &mut [[u64; LANES]; 8], blocks: &[&Block; LANES], active: u8) {
    let [w0, w1, w2, w3, w4, w5, w6, w7] = load_half::<0>(blocks);
    let [w8, w9, w10, w11, w12, w13, w14, w15] = load_half::<64>(blocks);
    let w = [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15];
    let mut s = [_mm512_setzero_si512(); 8];
    for (vector, words) in s.iter_mut().zip(state.iter()) {
        // SAFETY: `words` is an array of eight words; the load needs no alignment.
        *vector = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    }
    let s = kernel::rounds(witness, s, w);
    for (vector, words) in s.iter().zip(state.iter_mut()) {
        // SAFETY: `words` is an array of eight words; the load needs no alignment.
        let before = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
        let after = _mm512_mask_add_epi64(before, active, before, *vector);
        // SAFETY: `words` is an array of eight words; the store needs no alignment.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), after) };
    }
}

/// The eight big-endian words at bytes `AT..AT + 64` of each lane's block: `result[word]` has one of every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_half<const AT: usize>(blocks: &[&Block; LANES]) -> [__m512i; 8] {
    let reversed = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
    let mut rows = [_mm512_setzero_si512(); 8];
    for (row, block) in rows.iter_mut().zip(blocks) {
        let bytes = &block[AT..AT + 64];
        // SAFETY: `bytes` is a slice of 64 bytes; the load needs no alignment.
        *row = _mm512_shuffle_epi8(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }, reversed);
    }
    transpose8(rows)
}
