//! From rows to lanes: the move that kernels share whose input lies one item after the other.

use core::arch::x86_64::{__m512i, _mm512_shuffle_i64x2, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64};

/// Word `i` of row `j` to word `j` of row `i`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn transpose8(r: [__m512i; 8]) -> [__m512i; 8] {
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
