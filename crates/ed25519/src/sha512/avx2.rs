//! SHA-512 with AVX2: one block of each of four messages at a time.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::kernel::{self, Lanes64};
use super::lanes::Compress;
use super::message::Block;
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

/// Messages side by side.
const LANES: usize = 4;

impl Lanes64 for Avx2 {
    type Vector = __m256i;

    #[inline(always)]
    fn splat(self, word: u64) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_set1_epi64x(word.cast_signed()) }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_add_epi64(a, b) }
    }

    #[inline(always)]
    fn choose(self, e: __m256i, f: __m256i, g: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g))) }
    }

    #[inline(always)]
    fn majority(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // Where a and b agree, it is theirs; elsewhere c decides.
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_xor_si256(b, _mm256_and_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(b, c))) }
    }

    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { xor3(rotate::<A>(x), rotate::<B>(x), rotate::<C>(x)) }
    }

    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { xor3(rotate::<A>(x), rotate::<B>(x), _mm256_srli_epi64::<C>(x)) }
    }
}

/// `a ^ b ^ c`.
#[inline]
#[target_feature(enable = "avx2")]
fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(_mm256_xor_si256(a, b), c)
}

/// Every word rotated right by `BY`, in `1..64`.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate<const BY: i32>(x: __m256i) -> __m256i {
    if BY == 8 {
        // Whole bytes move: one shuffle.
        let by_8 = _mm256_set_epi64x(
            0x080f_0e0d_0c0b_0a09,
            0x0007_0605_0403_0201,
            0x080f_0e0d_0c0b_0a09,
            0x0007_0605_0403_0201,
        );
        return _mm256_shuffle_epi8(x, by_8);
    }
    // The count is a constant, so this becomes a shift by an immediate.
    let left = _mm256_sll_epi64(x, _mm_cvtsi32_si128(64 - BY));
    _mm256_xor_si256(_mm256_srli_epi64::<BY>(x), left)
}

impl Compress<LANES> for Avx2 {
    // A vector takes 320 ns a block, `sha2` 150 to 175: two messages are a draw (Zen 5, 2026-11).
    const MIN_ACTIVE: usize = 3;

    fn compress(self, state: &mut [[u64; LANES]; 8], blocks: &[&Block; LANES], active: u8) {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { compress(self, state, blocks, active) }
    }
}

/// [`Compress::compress`].
#[target_feature(enable = "avx2")]
#[inline(never)]
fn compress(witness: Avx2, state: &mut [[u64; LANES]; 8], blocks: &[&Block; LANES], active: u8) {
    let [w0, w1, w2, w3] = load_quarter::<0>(blocks);
    let [w4, w5, w6, w7] = load_quarter::<32>(blocks);
    let [w8, w9, w10, w11] = load_quarter::<64>(blocks);
    let [w12, w13, w14, w15] = load_quarter::<96>(blocks);
    let w = [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15];
    let mut s = [_mm256_setzero_si256(); 8];
    for (vector, words) in s.iter_mut().zip(state.iter()) {
        // SAFETY: `words` is an array of four words; the load needs no alignment.
        *vector = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
    }
    let s = kernel::rounds(witness, s, w);
    let bits = _mm256_set_epi64x(8, 4, 2, 1);
    let active = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(active.into()), bits), bits);
    for (vector, words) in s.iter().zip(state.iter_mut()) {
        // SAFETY: `words` is an array of four words; the load needs no alignment.
        let before = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
        let after = _mm256_add_epi64(before, _mm256_and_si256(active, *vector));
        // SAFETY: `words` is an array of four words; the store needs no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), after) };
    }
}

/// The four big-endian words at bytes `AT..AT + 32` of each lane's block: `result[word]` has one of every lane.
#[inline]
#[target_feature(enable = "avx2")]
fn load_quarter<const AT: usize>(blocks: &[&Block; LANES]) -> [__m256i; 4] {
    let reversed = _mm256_set_epi64x(
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
    );
    let mut r = [_mm256_setzero_si256(); 4];
    for (row, block) in r.iter_mut().zip(blocks) {
        let bytes = &block[AT..AT + 32];
        // SAFETY: `bytes` is a slice of 32 bytes; the load needs no alignment.
        *row = _mm256_shuffle_epi8(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }, reversed);
    }
    // The transposition: pairs of words, then halves.
    let (a01, b01) = (_mm256_unpacklo_epi64(r[0], r[1]), _mm256_unpackhi_epi64(r[0], r[1]));
    let (a23, b23) = (_mm256_unpacklo_epi64(r[2], r[3]), _mm256_unpackhi_epi64(r[2], r[3]));
    [
        _mm256_permute2x128_si256::<0x20>(a01, a23),
        _mm256_permute2x128_si256::<0x20>(b01, b23),
        _mm256_permute2x128_si256::<0x31>(a01, a23),
        _mm256_permute2x128_si256::<0x31>(b01, b23),
    ]
}
