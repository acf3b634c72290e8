//! From rows to lanes and back: for kernels whose input lies one item after the other.

use core::arch::x86_64::*;

/// 64-bit word `i` of row `j` to word `j` of row `i`.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn transpose8(r: [__m512i; 8]) -> [__m512i; 8] {
    // Pairs of words, then pairs of 128-bit quarters, then halves.
    let low = |a, b| _mm512_unpacklo_epi64(a, b);
    let high = |a, b| _mm512_unpackhi_epi64(a, b);
    let (a0, a1, a2, a3) = (low(r[0], r[1]), low(r[2], r[3]), low(r[4], r[5]), low(r[6], r[7]));
    let (b0, b1, b2, b3) = (high(r[0], r[1]), high(r[2], r[3]), high(r[4], r[5]), high(r[6], r[7]));
    let [c0, c2, c4, c6] = quarters(a0, a1, a2, a3);
    let [c1, c3, c5, c7] = quarters(b0, b1, b2, b3);
    [c0, c1, c2, c3, c4, c5, c6, c7]
}

/// Row `q` of the result is quarter `q` of each operand.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarters(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    // Quarters 0 and 2, and 1 and 3, of two operands each.
    let (ab02, ab13) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
    let (cd02, cd13) = (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(ab02, cd02),
        _mm512_shuffle_i64x2::<0x88>(ab13, cd13),
        _mm512_shuffle_i64x2::<0xdd>(ab02, cd02),
        _mm512_shuffle_i64x2::<0xdd>(ab13, cd13),
    ]
}

/// 32-bit word `i` of row `j` to word `j` of row `i`.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn transpose16(r: [__m512i; 16]) -> [__m512i; 16] {
    // Four words of four rows together in every quarter: result `i` has words i, 4 + i, 8 + i and 12 + i.
    let a = fours(r[0], r[1], r[2], r[3]);
    let b = fours(r[4], r[5], r[6], r[7]);
    let c = fours(r[8], r[9], r[10], r[11]);
    let d = fours(r[12], r[13], r[14], r[15]);
    let [w0, w4, w8, w12] = quarters(a[0], b[0], c[0], d[0]);
    let [w1, w5, w9, w13] = quarters(a[1], b[1], c[1], d[1]);
    let [w2, w6, w10, w14] = quarters(a[2], b[2], c[2], d[2]);
    let [w3, w7, w11, w15] = quarters(a[3], b[3], c[3], d[3]);
    [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15]
}

/// In every quarter, word `i` of the four rows to result `i`.
#[inline]
#[target_feature(enable = "avx512f")]
fn fours(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    let (ab01, ab23) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    let (cd01, cd23) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    [
        _mm512_unpacklo_epi64(ab01, cd01),
        _mm512_unpackhi_epi64(ab01, cd01),
        _mm512_unpacklo_epi64(ab23, cd23),
        _mm512_unpackhi_epi64(ab23, cd23),
    ]
}

/// 32-bit word `i` of row `j` to word `j` of row `i`, of half the length.
#[inline]
#[target_feature(enable = "avx2")]
pub fn transpose8x32(r: [__m256i; 8]) -> [__m256i; 8] {
    let a = fours_of_half(r[0], r[1], r[2], r[3]);
    let b = fours_of_half(r[4], r[5], r[6], r[7]);
    [
        _mm256_permute2x128_si256::<0x20>(a[0], b[0]),
        _mm256_permute2x128_si256::<0x20>(a[1], b[1]),
        _mm256_permute2x128_si256::<0x20>(a[2], b[2]),
        _mm256_permute2x128_si256::<0x20>(a[3], b[3]),
        _mm256_permute2x128_si256::<0x31>(a[0], b[0]),
        _mm256_permute2x128_si256::<0x31>(a[1], b[1]),
        _mm256_permute2x128_si256::<0x31>(a[2], b[2]),
        _mm256_permute2x128_si256::<0x31>(a[3], b[3]),
    ]
}

/// In every half, word `i` of the four rows to result `i`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn fours_of_half(a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> [__m256i; 4] {
    let (ab01, ab23) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    let (cd01, cd23) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab01, cd01),
        _mm256_unpackhi_epi64(ab01, cd01),
        _mm256_unpacklo_epi64(ab23, cd23),
        _mm256_unpackhi_epi64(ab23, cd23),
    ]
}

/// 64-bit word `i` of row `j` to word `j` of row `i`, of half the length.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose4x64(r: [__m256i; 4]) -> [__m256i; 4] {
    // Pairs of words, then halves.
    let (a01, b01) = (_mm256_unpacklo_epi64(r[0], r[1]), _mm256_unpackhi_epi64(r[0], r[1]));
    let (a23, b23) = (_mm256_unpacklo_epi64(r[2], r[3]), _mm256_unpackhi_epi64(r[2], r[3]));
    [
        _mm256_permute2x128_si256::<0x20>(a01, a23),
        _mm256_permute2x128_si256::<0x20>(b01, b23),
        _mm256_permute2x128_si256::<0x31>(a01, a23),
        _mm256_permute2x128_si256::<0x31>(b01, b23),
    ]
}
