//! Two points side by side on AVX-512: the coordinates of one in lanes 0 to 3, of the other in lanes 4 to 7.
//!
//! The field is that of [`X8`]; four products of the group law are one product here (Hisil, Wong, Carter, Dawson,
//! ePrint 2008/522, section 4). What differs between coordinates is done with lane permutations and masks on columns,
//! before the carry. Variable time: for public data.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::point::{CoordinateRow, Point};
use crate::fields::p25519::{Element, Fe8 as Fe, FieldLanes, Wide8 as Wide, X8};
use core::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_add_epi64, _mm512_castsi256_si512, _mm512_inserti64x4,
    _mm512_loadu_si512, _mm512_mask_add_epi64, _mm512_mask_permutex_epi64, _mm512_mask_sub_epi64,
    _mm512_maskz_permutex_epi64, _mm512_permutex_epi64, _mm512_permutexvar_epi64, _mm512_set_epi64,
};
use phalanx_core::simd::Ifma;

/// Lane `LANE` of each half.
const fn lane(lane: u32) -> u8 {
    0x11 << lane
}

/// The pattern that puts lanes a, b, c, d of a half into its lanes 0 to 3.
const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// \[s\]B + \[k\]P by [`comb`](super::comb): parts 0 to 3 of the scalars in one half, 4 to 7 in the other.
pub(crate) fn comb(
    witness: Ifma,
    tables: &[[CoordinateRow; 9]; 8],
    k: &[i8; 64],
    base: &[[CoordinateRow; 129]; 8],
    s: &[i8; 32],
) -> Point {
    let mut halves = [Point::IDENTITY; 2];
    // SAFETY: the witness proves the instructions.
    unsafe { comb_halves(witness, tables, k, base, s, &mut halves) };
    halves[0].add(&halves[1])
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn comb_halves(
    witness: Ifma,
    tables: &[[CoordinateRow; 9]; 8],
    k: &[i8; 64],
    base: &[[CoordinateRow; 129]; 8],
    s: &[i8; 32],
    result: &mut [Point; 2],
) {
    let l = X8(witness);
    let mut sum = identity(l);
    let mut i = 8;
    while i > 0 {
        i -= 1;
        let mut count = if i == 7 { 4 } else { 0 };
        while count < 4 {
            sum = double(l, sum);
            count += 1;
        }
        let end = if i % 2 == 0 { 8 } else { 4 };
        let mut j = 0;
        while j < end {
            let (first, second, d0, d1): (&[_], &[_], _, _) = if j < 4 {
                (&tables[j], &tables[j + 4], k[8 * j + i], k[8 * j + i + 32])
            } else {
                let at = 4 * (j - 4) + i / 2;
                (&base[j - 4], &base[j], s[at], s[at + 16])
            };
            sum = add_digits(l, sum, first, second, d0, d1);
            j += 1;
        }
    }
    store(l, sum, result);
}

/// O in both halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn identity(l: X8) -> Wide {
    let (zero, one) = (Element::ZERO, Element::ONE);
    Wide(l.load(&[zero, one, one, zero, zero, one, one, zero]).0)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn store(l: X8, sum: Wide, result: &mut [Point; 2]) {
    let mut elements = [Element::ZERO; 8];
    l.store(&l.reduce(sum), &mut elements);
    let [x0, y0, z0, t0, x1, y1, z1, t1] = elements;
    *result = [Point { x: x0, y: y0, z: z0, t: t0 }, Point { x: x1, y: y1, z: z1, t: t1 }];
}

/// 2P of columns (X, Y, Z, T); T is not used.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn double(l: X8, p: Wide) -> Wide {
    // (X, Y, Z, X + Y), squared: (A, B, C, (X + Y)^2).
    let mut sums = p;
    let mut i = 0;
    while i < 5 {
        let x = _mm512_mask_permutex_epi64::<{ order(0, 1, 2, 0) }>(p.0[i], lane(3), p.0[i]);
        let y = _mm512_permutex_epi64::<{ order(1, 1, 1, 1) }>(p.0[i]);
        sums.0[i] = _mm512_mask_add_epi64(x, lane(3), x, y);
        i += 1;
    }
    let squares = l.square_alone(&l.reduce(sums));
    // E = (X + Y)^2 - A - B, F = 2C + A - B, G = B - A, H = A + B.
    let bias = bias(l, 2, 1, 1, 0);
    let mut completed = squares;
    i = 0;
    while i < 5 {
        let w = squares.0[i];
        let a = _mm512_permutex_epi64::<{ order(0, 0, 0, 0) }>(w);
        let b = _mm512_permutex_epi64::<{ order(1, 1, 1, 1) }>(w);
        let dc = _mm512_maskz_permutex_epi64::<{ order(3, 2, 0, 0) }>(lane(0) | lane(1), w);
        let first = _mm512_mask_add_epi64(dc, lane(1), dc, dc);
        let first = _mm512_add_epi64(first, if i == 0 { bias.0 } else { bias.1 });
        let sum = _mm512_add_epi64(first, a);
        let sum = _mm512_mask_sub_epi64(sum, lane(0) | lane(2), first, a);
        let total = _mm512_add_epi64(sum, b);
        completed.0[i] = _mm512_mask_sub_epi64(total, lane(0) | lane(1), sum, b);
        i += 1;
    }
    complete(l, completed)
}

/// (EF, GH, FG, EH) from columns (E, F, G, H).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn complete(l: X8, efgh: Wide) -> Wide {
    let efgh = l.reduce(efgh);
    let (mut u, mut v) = (efgh, efgh);
    let mut i = 0;
    while i < 5 {
        u.0[i] = _mm512_permutex_epi64::<{ order(0, 2, 1, 0) }>(efgh.0[i]);
        v.0[i] = _mm512_permutex_epi64::<{ order(1, 3, 2, 3) }>(efgh.0[i]);
        i += 1;
    }
    l.mul(&u, &v)
}

/// (Y - X, Y + X, T, Z) from columns (X, Y, Z, T).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn summable(l: X8, p: Wide) -> Fe {
    let bias = bias(l, 1, 0, 0, 0);
    let mut sums = p;
    let mut i = 0;
    while i < 5 {
        let y = _mm512_permutex_epi64::<{ order(1, 1, 3, 2) }>(p.0[i]);
        let x = _mm512_permutex_epi64::<{ order(0, 0, 0, 0) }>(p.0[i]);
        let y = _mm512_add_epi64(y, if i == 0 { bias.0 } else { bias.1 });
        let sum = _mm512_mask_add_epi64(y, lane(1), y, x);
        sums.0[i] = _mm512_mask_sub_epi64(sum, lane(0), y, x);
        i += 1;
    }
    l.reduce(sums)
}

/// P + Q, where bit 0 and bit 1 of `signs` say that the first and the second half take -Q: `q` is given with Y - X and
/// Y + X in their places for that, and the sign of 2dT is taken in here.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn add(l: X8, p: Wide, q: &Fe, signs: usize) -> Wide {
    // The lanes in which C, or A, is subtracted.
    const SUBTRACTED: [u8; 4] = [0x33, 0x35, 0x53, 0x55];
    let products = l.mul(&summable(l, p), q);
    // E = B - A, F = D - C, G = D + C, H = B + A, with -C for C where Q is negated.
    let bias = bias(l, 1, 1, 1, 0);
    let mut completed = products;
    let mut i = 0;
    while i < 5 {
        let first = _mm512_permutex_epi64::<{ order(1, 3, 3, 1) }>(products.0[i]);
        let second = _mm512_permutex_epi64::<{ order(0, 2, 2, 0) }>(products.0[i]);
        let first = _mm512_add_epi64(first, if i == 0 { bias.0 } else { bias.1 });
        let sum = _mm512_add_epi64(first, second);
        completed.0[i] = _mm512_mask_sub_epi64(sum, SUBTRACTED[signs], first, second);
        i += 1;
    }
    complete(l, completed)
}

/// P + d0 Q0 in one half and d1 Q1 in the other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn add_digits(l: X8, p: Wide, first: &[CoordinateRow], second: &[CoordinateRow], d0: i8, d1: i8) -> Wide {
    // Y - X and Y + X change places for a negative digit.
    static ORDERS: [[i64; 8]; 4] = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [1, 0, 2, 3, 4, 5, 6, 7],
        [0, 1, 2, 3, 5, 4, 6, 7],
        [1, 0, 2, 3, 5, 4, 6, 7],
    ];
    let signs = usize::from(d0 < 0) | usize::from(d1 < 0) << 1;
    let (e0, e1) = (&first[usize::from(d0.unsigned_abs())], &second[usize::from(d1.unsigned_abs())]);
    // SAFETY: a row of the list is 64 bytes.
    let order = unsafe { _mm512_loadu_si512(ORDERS[signs].as_ptr().cast()) };
    let mut entry = Fe([order; 5]);
    let mut i = 0;
    while i < 5 {
        // SAFETY: a limb is 32 bytes.
        let (low, high) =
            unsafe { (_mm256_loadu_si256(e0[i].as_ptr().cast()), _mm256_loadu_si256(e1[i].as_ptr().cast())) };
        let both = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        entry.0[i] = _mm512_permutexvar_epi64(order, both);
        i += 1;
    }
    add(l, p, &entry, signs)
}

/// Multiples of 256 p for the four lanes of each half: limb 0, and the other limbs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn bias(_: X8, l0: i64, l1: i64, l2: i64, l3: i64) -> (__m512i, __m512i) {
    const FIRST: i64 = ((1 << 51) - 19) << 8;
    const OTHER: i64 = ((1 << 51) - 1) << 8;
    let each = |b: i64| _mm512_set_epi64(l3 * b, l2 * b, l1 * b, l0 * b, l3 * b, l2 * b, l1 * b, l0 * b);
    (each(FIRST), each(OTHER))
}
