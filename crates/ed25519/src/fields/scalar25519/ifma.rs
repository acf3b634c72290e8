//! Eight scalars side by side with AVX-512 IFMA: five limbs of radix 2^52.
//!
//! Reduction folds as the portable one does, at 2^260, where a limb ends: 2^260 is -E modulo L, with E = 2^8 C below
//! 2^133. Nothing branches on values.
#![expect(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::portable::L;
use super::scalar::Scalar;
use core::arch::x86_64::*;
use phalanx_core::lanes::transpose8;
use phalanx_core::simd::Ifma;

/// Scalars to a vector.
pub(super) const LANES: usize = 8;

/// Which scalar stands in each lane: the order that costs least to make and to undo.
const ORDER: [usize; LANES] = [0, 2, 1, 3, 4, 6, 5, 7];

/// 52 ones.
const MASK: u64 = (1 << 52) - 1;

/// L, E = 2^8 C and 2^9 L, which is above 2^261, in limbs.
const L_LIMBS: [u64; 5] = limbs(&L, 0);
const E: [u64; 3] = {
    let [e0, e1, e2, ..] = limbs(&[L[0], L[1], 0, 0], 8);
    [e0, e1, e2]
};
const L_TIMES_2_9: [u64; 5] = limbs(&L, 9);

/// x 2^shift, for shift below 12; the highest limb may be longer than 52 bits.
const fn limbs(x: &[u64; 4], shift: u32) -> [u64; 5] {
    let (mut limbs, mut carry, mut i) = ([0; 5], 0, 0);
    let plain = [
        x[0] & MASK,
        (x[0] >> 52 | x[1] << 12) & MASK,
        (x[1] >> 40 | x[2] << 24) & MASK,
        (x[2] >> 28 | x[3] << 36) & MASK,
        x[3] >> 16,
    ];
    while i < 5 {
        let shifted = (plain[i] << shift) | carry;
        limbs[i] = if i < 4 { shifted & MASK } else { shifted };
        carry = shifted >> 52;
        i += 1;
    }
    limbs
}

/// Eight times [`Scalar::from_wide`].
pub(super) fn from_wide(_: Ifma, wide: &[[u8; 64]; LANES], scalars: &mut [Scalar; LANES]) {
    // SAFETY: the witness is the proof that this CPU has AVX-512 F and IFMA.
    unsafe { from_wide_inner(wide, scalars) }
}

/// Eight times [`Scalar::mul_add`].
pub(super) fn mul_add(
    _: Ifma,
    a: &[Scalar; LANES],
    b: &[Scalar; LANES],
    terms: &[Scalar; LANES],
    sums: &mut [Scalar; LANES],
) {
    // SAFETY: the witness is the proof that this CPU has AVX-512 F and IFMA.
    unsafe { mul_add_inner(a, b, terms, sums) }
}

#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn from_wide_inner(wide: &[[u8; 64]; LANES], scalars: &mut [Scalar; LANES]) {
    let mut rows = [_mm512_setzero_si512(); LANES];
    for i in 0..LANES {
        // SAFETY: the pointer is to an array of 64 bytes; the load needs no alignment.
        rows[i] = unsafe { _mm512_loadu_si512(wide[ORDER[i]].as_ptr().cast()) };
    }
    let [w0, w1, w2, w3, w4, w5, w6, w7] = transpose8(rows);
    let low = [
        masked(w0),
        masked(across::<52, 12>(w0, w1)),
        masked(across::<40, 24>(w1, w2)),
        masked(across::<28, 36>(w2, w3)),
        masked(across::<16, 48>(w3, w4)),
    ];
    let high = [
        _mm512_srli_epi64::<4>(w4),
        across::<56, 8>(w4, w5),
        across::<44, 20>(w5, w6),
        across::<32, 32>(w6, w7),
        _mm512_srli_epi64::<20>(w7),
    ];
    store(scalars, reduce(low, high));
}

#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn mul_add_inner(
    a: &[Scalar; LANES],
    b: &[Scalar; LANES],
    terms: &[Scalar; LANES],
    sums: &mut [Scalar; LANES],
) {
    let (a, b, terms) = (load(a), load(b), load(terms));
    // Columns: at most five low and five high halves below 2^52, and a limb.
    let mut columns = [_mm512_setzero_si512(); 10];
    for i in 0..5 {
        columns[i] = masked(terms[i]);
    }
    for i in 0..5 {
        for j in 0..5 {
            columns[i + j] = _mm512_madd52lo_epu64(columns[i + j], a[i], b[j]);
            columns[i + j + 1] = _mm512_madd52hi_epu64(columns[i + j + 1], a[i], b[j]);
        }
    }
    for i in 0..9 {
        columns[i + 1] = _mm512_add_epi64(columns[i + 1], _mm512_srli_epi64::<52>(columns[i]));
    }
    let [c0, c1, c2, c3, c4, high @ ..] = columns;
    store(sums, reduce([masked(c0), masked(c1), masked(c2), masked(c3), masked(c4)], high));
}

/// The low 52 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn masked(x: __m512i) -> __m512i {
    _mm512_and_si512(x, splat(MASK))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u64) -> __m512i {
    _mm512_set1_epi64(x.cast_signed())
}

/// `low` shifted right, and the bits of `high` above it.
#[inline]
#[target_feature(enable = "avx512f")]
fn across<const RIGHT: u32, const LEFT: u32>(low: __m512i, high: __m512i) -> __m512i {
    _mm512_or_si512(_mm512_srli_epi64::<RIGHT>(low), _mm512_slli_epi64::<LEFT>(high))
}

/// The limbs of eight scalars, for products: bits from 52 up are not cleared.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(scalars: &[Scalar; LANES]) -> [__m512i; 5] {
    let mut rows = [_mm512_setzero_si512(); 4];
    for i in 0..4 {
        let pair: &[Scalar] = &scalars[2 * i..2 * i + 2];
        // SAFETY: `pair` is a slice of two scalars, eight words in all; the load needs no alignment.
        rows[i] = unsafe { _mm512_loadu_si512(pair.as_ptr().cast()) };
    }
    let (even0, even1) = (_mm512_unpacklo_epi64(rows[0], rows[1]), _mm512_unpacklo_epi64(rows[2], rows[3]));
    let (odd0, odd1) = (_mm512_unpackhi_epi64(rows[0], rows[1]), _mm512_unpackhi_epi64(rows[2], rows[3]));
    let w0 = _mm512_shuffle_i64x2::<0x88>(even0, even1);
    let w1 = _mm512_shuffle_i64x2::<0x88>(odd0, odd1);
    let w2 = _mm512_shuffle_i64x2::<0xdd>(even0, even1);
    let w3 = _mm512_shuffle_i64x2::<0xdd>(odd0, odd1);
    [
        w0,
        across::<52, 12>(w0, w1),
        across::<40, 24>(w1, w2),
        across::<28, 36>(w2, w3),
        _mm512_srli_epi64::<16>(w3),
    ]
}

/// The inverse of [`load`]; limbs are below 2^52.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(scalars: &mut [Scalar; LANES], l: [__m512i; 5]) {
    let w0 = _mm512_or_si512(l[0], _mm512_slli_epi64::<52>(l[1]));
    let w1 = across::<12, 40>(l[1], l[2]);
    let w2 = across::<24, 28>(l[2], l[3]);
    let w3 = across::<36, 16>(l[3], l[4]);
    // Scalars 0, 1, 4, 5 and then 2, 3, 6, 7: two words of each.
    let (a01, a23) = (_mm512_unpacklo_epi64(w0, w1), _mm512_unpacklo_epi64(w2, w3));
    let (b01, b23) = (_mm512_unpackhi_epi64(w0, w1), _mm512_unpackhi_epi64(w2, w3));
    let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    let rows = [
        _mm512_permutex2var_epi64(a01, first, a23),
        _mm512_permutex2var_epi64(b01, first, b23),
        _mm512_permutex2var_epi64(a01, second, a23),
        _mm512_permutex2var_epi64(b01, second, b23),
    ];
    for i in 0..4 {
        let pair: &mut [Scalar] = &mut scalars[2 * i..2 * i + 2];
        // SAFETY: `pair` is a slice of two scalars, eight words in all; the store needs no alignment.
        unsafe { _mm512_storeu_si512(pair.as_mut_ptr().cast(), rows[i]) };
    }
}

/// `low` + 2^260 `high` modulo L, canonical, for `high` below 2^252. Limbs of `low` are below 2^52; of those of `high`
/// the low 52 bits count.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn reduce(low: [__m512i; 5], high: [__m512i; 5]) -> [__m512i; 5] {
    let e = [splat(E[0]), splat(E[1]), splat(E[2])];
    // t = E high: high is below 2^252 and E below 2^132.4, so t is below 2^384.4. Columns are below 6 2^52.
    let mut t = [_mm512_setzero_si512(); 8];
    for i in 0..5 {
        for j in 0..3 {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], high[i], e[j]);
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], high[i], e[j]);
        }
    }
    for i in 0..7 {
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64::<52>(t[i]));
    }
    // v = low + 2^9 L - (t mod 2^260) + E (t / 2^260), the last term below 2^(132.4 + 124.4).
    let mut v = [_mm512_setzero_si512(); 5];
    for i in 0..5 {
        v[i] = _mm512_sub_epi64(_mm512_add_epi64(low[i], splat(L_TIMES_2_9[i])), masked(t[i]));
    }
    for i in 0..3 {
        for j in 0..3 {
            v[i + j] = _mm512_madd52lo_epu64(v[i + j], t[5 + i], e[j]);
            // The very last high half is zero: its factors, t[7] and E[2], are below 2^21 and 2^29.
            if i + j < 4 {
                v[i + j + 1] = _mm512_madd52hi_epu64(v[i + j + 1], t[5 + i], e[j]);
            }
        }
    }
    let v = carried(v);
    // v is between 2^260 and 2^262: what stands from bit 252 up is below 2^10, times C below 2^135.
    let over = _mm512_srli_epi64::<44>(v[4]);
    let zero = _mm512_setzero_si512();
    let (c0, c1, c2) = (splat(L_LIMBS[0]), splat(L_LIMBS[1]), splat(L_LIMBS[2]));
    let p0 = _mm512_madd52lo_epu64(zero, over, c0);
    let p1 = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(zero, over, c0), over, c1);
    let p2 = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(zero, over, c1), over, c2);
    let top = _mm512_and_si512(v[4], splat((1 << 44) - 1));
    let [d0, d1, d2, d3, d4] = carried([
        _mm512_sub_epi64(v[0], p0),
        _mm512_sub_epi64(v[1], p1),
        _mm512_sub_epi64(v[2], p2),
        v[3],
        top,
    ]);
    // The difference is above -L and below L; below zero exactly if its top limb is.
    let below = _mm512_srai_epi64::<63>(d4);
    let mut sum = [d0, d1, d2, d3, d4];
    for i in 0..5 {
        sum[i] = _mm512_add_epi64(sum[i], _mm512_and_si512(below, splat(L_LIMBS[i])));
    }
    carried(sum)
}

/// The same value with limbs 0 to 3 between 0 and 2^52; limbs are signed.
#[inline]
#[target_feature(enable = "avx512f")]
fn carried(mut x: [__m512i; 5]) -> [__m512i; 5] {
    for i in 0..4 {
        x[i + 1] = _mm512_add_epi64(x[i + 1], _mm512_srai_epi64::<52>(x[i]));
        x[i] = masked(x[i]);
    }
    x
}
