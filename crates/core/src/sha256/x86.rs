//! SHA-256 by the SHA instructions of x86-64: two rounds each.
#![allow(unsafe_code, reason = "the entry into such code, on the strength of a witness")]

use super::Block;
use super::kernel::ROUND_CONSTANTS;
use crate::simd::Sha;
use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_extract_epi32, _mm_set_epi32, _mm_set_epi64x,
    _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
};

/// Takes `blocks` into `state`.
pub(super) fn compress(_: Sha, state: &mut [u32; 8], blocks: &[Block]) {
    // SAFETY: the witness is the proof that this CPU has the instructions.
    unsafe { entered(state, blocks) }
}

/// The instructions have no form that leaves the upper parts of vector registers alone, and are three hundred times
/// slower while one is in use: so this is a function of its own, before which the compiler clears them.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline(never)]
fn entered(state: &mut [u32; 8], blocks: &[Block]) {
    let [a, b, c, d, e, f, g, h] = state.map(u32::cast_signed);
    // The order that the instructions want, the first in the highest place.
    let (mut abef, mut cdgh) = (_mm_set_epi32(a, b, e, f), _mm_set_epi32(c, d, g, h));
    for block in blocks {
        let before = (abef, cdgh);
        let mut words = load(block);
        for (step, constants) in ROUND_CONSTANTS.as_chunks::<4>().0.iter().enumerate() {
            let [k0, k1, k2, k3] = constants.map(u32::cast_signed);
            let sum = _mm_add_epi32(words[0], _mm_set_epi32(k3, k2, k1, k0));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0x0e>(sum));
            let [w0, w1, w2, w3] = words;
            let next = if step < 12 { extend(words) } else { w0 };
            words = [w1, w2, w3, next];
        }
        (abef, cdgh) = (_mm_add_epi32(abef, before.0), _mm_add_epi32(cdgh, before.1));
    }
    *state = [
        _mm_extract_epi32::<3>(abef),
        _mm_extract_epi32::<2>(abef),
        _mm_extract_epi32::<3>(cdgh),
        _mm_extract_epi32::<2>(cdgh),
        _mm_extract_epi32::<1>(abef),
        _mm_extract_epi32::<0>(abef),
        _mm_extract_epi32::<1>(cdgh),
        _mm_extract_epi32::<0>(cdgh),
    ]
    .map(i32::cast_unsigned);
}

/// The words of a block, the first in the lowest place.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn load(block: &Block) -> [__m128i; 4] {
    let swap = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let (quarters, _) = block.as_chunks::<16>();
    let mut words = [swap; 4];
    for (words, bytes) in words.iter_mut().zip(quarters) {
        let [low, high] =
            [0, 8].map(|at| i64::from_le_bytes(*bytes[at..].first_chunk().expect("eight of sixteen bytes")));
        *words = _mm_shuffle_epi8(_mm_set_epi64x(high, low), swap);
    }
    words
}

/// The next four words of the schedule.
#[target_feature(enable = "sha,ssse3,sse4.1")]
#[inline]
fn extend([w0, w1, w2, w3]: [__m128i; 4]) -> __m128i {
    let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8::<4>(w3, w2));
    _mm_sha256msg2_epu32(sum, w3)
}
