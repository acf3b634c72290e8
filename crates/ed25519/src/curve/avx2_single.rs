//! One point at a time on AVX2: X, Y, Z and T stand in the four lanes of a vector, so what the formulas of the group
//! law do in four products is one product here (Hisil, Wong, Carter, Dawson, ePrint 2008/522, section 4). Sums and
//! differences of coordinates are made of columns, before the carry. Variable time: for public data.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::base_tables::{DoublesRow as Row, NAF_ENTRIES};
use super::constants::D;
use super::digits::Naf;
use super::point::{CoordinateRow, Point};
use crate::fields::p25519::{Doubles, Element, FieldLanes, Limbs};
use core::arch::x86_64::{
    __m256d, __m256i, _mm256_add_epi64, _mm256_blend_epi32, _mm256_blendv_epi8, _mm256_castpd_ps,
    _mm256_castps_pd, _mm256_load_pd, _mm256_loadu_pd, _mm256_loadu_si256, _mm256_permute4x64_epi64,
    _mm256_permute4x64_pd, _mm256_permutevar8x32_ps, _mm256_setzero_si256, _mm256_sub_epi64,
};
use phalanx_core::simd::{Avx2, align_frame};

type Lanes = Doubles<Avx2>;
type Fe = Limbs<Avx2>;
/// Columns without a surplus, so that lanes may change places.
type Wide = [__m256i; 5];

/// The pattern that puts lanes a, b, c, d into lanes 0 to 3.
const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// Lane `LANE`, for a blend of 32-bit lanes.
const fn lane(lane: i32) -> i32 {
    3 << (2 * lane)
}

/// The sum of digits times points, over one chain of doublings (Straus).
pub(super) fn interleaved<const N: usize>(
    witness: Avx2,
    points: [(&Point, &Naf); N],
    base: [(&[Row; NAF_ENTRIES], &Naf); N],
) -> Point {
    let mut result = Point::IDENTITY;
    // SAFETY: the witness proves AVX2 and FMA.
    unsafe { run(Doubles(witness), points, base, &mut result) };
    result
}

#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn run<const N: usize>(
    l: Lanes,
    points: [(&Point, &Naf); N],
    base: [(&[Row; NAF_ENTRIES], &Naf); N],
    result: &mut Point,
) {
    align_frame::<__m256d>();
    let mut sum = identity(l);
    let mut tables = [[l.reduce_settled(&sum); 8]; N];
    let mut j = 0;
    while j < N {
        odd_multiples(l, points[j].0, &mut tables[j]);
        j += 1;
    }
    let (mut i, mut started) = (256, false);
    while i > 0 {
        i -= 1;
        if started {
            sum = double(l, sum);
        }
        j = 0;
        while j < N {
            let (of_point, of_base) = (points[j].1[i], base[j].1[i]);
            if of_point != 0 {
                let entry = &tables[j][usize::from(of_point.unsigned_abs() / 2)];
                (sum, started) = (add(l, sum, entry, of_point < 0), true);
            }
            if of_base != 0 {
                let entry = load(&base[j].0[usize::from(of_base.unsigned_abs() / 2)]);
                (sum, started) = (add(l, sum, &entry, of_base < 0), true);
            }
            j += 1;
        }
    }
    store(l, sum, result);
}

/// \[s\]B + \[k\]P by [`comb`](super::comb).
pub(super) fn comb(
    witness: Avx2,
    tables: &[[CoordinateRow; 9]; 8],
    k: &[i8; 64],
    base: &[[CoordinateRow; 129]; 8],
    s: &[i8; 32],
) -> Point {
    let mut result = Point::IDENTITY;
    // SAFETY: the witness proves AVX2 and FMA.
    unsafe { run_comb(Doubles(witness), tables, k, base, s, &mut result) };
    result
}

#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn run_comb(
    l: Lanes,
    tables: &[[CoordinateRow; 9]; 8],
    k: &[i8; 64],
    base: &[[CoordinateRow; 129]; 8],
    s: &[i8; 32],
    result: &mut Point,
) {
    align_frame::<__m256d>();
    let mut sum = identity(l);
    let mut i = 8;
    while i > 0 {
        i -= 1;
        let mut count = if i == 7 { 4 } else { 0 };
        while count < 4 {
            sum = double(l, sum);
            count += 1;
        }
        let mut j = 0;
        while j < 8 {
            let of_point = k[8 * j + i];
            let of_base = if i % 2 == 0 { s[4 * j + i / 2] } else { 0 };
            if of_point != 0 {
                let entry = integers(l, &tables[j][usize::from(of_point.unsigned_abs())]);
                sum = add(l, sum, &entry, of_point < 0);
            }
            if of_base != 0 {
                let entry = integers(l, &base[j][usize::from(of_base.unsigned_abs())]);
                sum = add(l, sum, &entry, of_base < 0);
            }
            j += 1;
        }
    }
    store(l, sum, result);
}

/// P, 3P, ..., 15P, each ready to be added: (Y - X, Y + X, 2dT, 2Z).
#[inline]
#[target_feature(enable = "avx2,fma")]
fn odd_multiples(l: Lanes, point: &Point, entries: &mut [Fe; 8]) {
    let (one, d2, two) = (Element::ONE, D.add(&D), Element::ONE.add(&Element::ONE));
    let factors = l.load(&[one, one, d2, two]);
    let mut multiple = l.settled(l.widen(&l.load(&[point.x, point.y, point.z, point.t])));
    entries[0] = l.reduce(l.mul(&summable(l, multiple), &factors));
    let twice = double(l, multiple);
    let twice = l.reduce(l.mul(&summable(l, twice), &factors));
    let mut i = 1;
    while i < 8 {
        multiple = add(l, multiple, &twice, false);
        entries[i] = l.reduce(l.mul(&summable(l, multiple), &factors));
        i += 1;
    }
}

/// O.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn identity(l: Lanes) -> Wide {
    l.settled(l.widen(&l.load(&[Element::ZERO, Element::ONE, Element::ONE, Element::ZERO])))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn store(l: Lanes, sum: Wide, result: &mut Point) {
    let mut elements = [Element::ZERO; 4];
    l.store(&l.reduce_settled(&sum), &mut elements);
    let [x, y, z, t] = elements;
    *result = Point { x, y, z, t };
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load(row: &Row) -> Fe {
    // SAFETY: a limb is 32 bytes, aligned.
    let limb = |i: usize| unsafe { _mm256_load_pd(row.0[i].as_ptr()) };
    Limbs([limb(0), limb(1), limb(2), limb(3), limb(4)])
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn integers(l: Lanes, row: &CoordinateRow) -> Fe {
    // SAFETY: a limb is 32 bytes.
    let limb = |i: usize| unsafe { _mm256_loadu_pd(row[i].as_ptr().cast()) };
    l.canonical([limb(0), limb(1), limb(2), limb(3), limb(4)])
}

/// 2P of columns (X, Y, Z, T); T is not used.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn double(l: Lanes, p: Wide) -> Wide {
    let zero = _mm256_setzero_si256();
    // (X, Y, Z, X + Y), squared: (A, B, C, (X + Y)^2).
    let mut sums = p;
    let mut i = 0;
    while i < 5 {
        let x = _mm256_permute4x64_epi64::<{ order(0, 1, 2, 0) }>(p[i]);
        let y = _mm256_permute4x64_epi64::<{ order(1, 1, 1, 1) }>(p[i]);
        sums[i] = _mm256_add_epi64(x, _mm256_blend_epi32::<{ lane(3) }>(zero, y));
        i += 1;
    }
    let squares = l.settled(l.square(&l.reduce_settled(&sums)));
    // E = (X + Y)^2 - A - B, F = 2C + A - B, G = B - A, H = A + B: weights 3, 4, 2, 2.
    let mut completed = squares;
    i = 0;
    while i < 5 {
        let w = squares[i];
        let a = _mm256_permute4x64_epi64::<{ order(0, 0, 0, 0) }>(w);
        let b = _mm256_permute4x64_epi64::<{ order(1, 1, 1, 1) }>(w);
        let sc = _mm256_permute4x64_epi64::<{ order(3, 2, 0, 0) }>(w);
        let sc = _mm256_blend_epi32::<{ lane(0) | lane(1) }>(zero, sc);
        let sc = _mm256_add_epi64(sc, _mm256_blend_epi32::<{ lane(1) }>(zero, sc));
        let (sum, difference) = (_mm256_add_epi64(sc, a), _mm256_sub_epi64(sc, a));
        let w = _mm256_blend_epi32::<{ lane(0) | lane(2) }>(sum, difference);
        let (sum, difference) = (_mm256_add_epi64(w, b), _mm256_sub_epi64(w, b));
        completed[i] = _mm256_blend_epi32::<{ lane(0) | lane(1) }>(sum, difference);
        i += 1;
    }
    complete(l, completed)
}

/// (EF, GH, FG, EH) from columns (E, F, G, H).
#[inline]
#[target_feature(enable = "avx2,fma")]
fn complete(l: Lanes, efgh: Wide) -> Wide {
    let efgh = l.reduce_settled(&efgh);
    let (mut u, mut v) = (efgh, efgh);
    let mut i = 0;
    while i < 5 {
        u.0[i] = _mm256_permute4x64_pd::<{ order(0, 2, 1, 0) }>(efgh.0[i]);
        v.0[i] = _mm256_permute4x64_pd::<{ order(1, 3, 2, 3) }>(efgh.0[i]);
        i += 1;
    }
    l.settled(l.mul(&u, &v))
}

/// (Y - X, Y + X, T, Z) from columns (X, Y, Z, T).
#[inline]
#[target_feature(enable = "avx2,fma")]
fn summable(l: Lanes, p: Wide) -> Fe {
    let mut sums = p;
    let mut i = 0;
    while i < 5 {
        let y = _mm256_permute4x64_epi64::<{ order(1, 1, 3, 2) }>(p[i]);
        let x = _mm256_permute4x64_epi64::<{ order(0, 0, 0, 0) }>(p[i]);
        let sum = _mm256_blend_epi32::<{ lane(1) }>(y, _mm256_add_epi64(y, x));
        sums[i] = _mm256_blend_epi32::<{ lane(0) }>(sum, _mm256_sub_epi64(y, x));
        i += 1;
    }
    l.reduce_settled(&sums)
}

/// P + Q or P - Q, for Q ready to be added.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn add(l: Lanes, p: Wide, q: &Fe, negative: bool) -> Wide {
    // Y - X and Y + X change places for -Q, and C is subtracted where it was added.
    static ORDERS: [[i32; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 0, 1, 4, 5, 6, 7]];
    static SUBTRACTED: [[i64; 4]; 2] = [[-1, -1, 0, 0], [-1, 0, -1, 0]];
    let which = usize::from(negative);
    // SAFETY: rows of both lists are 32 bytes.
    let (order_of_q, subtracted): (__m256i, __m256i) = unsafe {
        (
            _mm256_loadu_si256(ORDERS[which].as_ptr().cast()),
            _mm256_loadu_si256(SUBTRACTED[which].as_ptr().cast()),
        )
    };
    let mut entry = *q;
    let mut i = 0;
    while i < 5 {
        let ordered = _mm256_permutevar8x32_ps(_mm256_castpd_ps(q.0[i]), order_of_q);
        entry.0[i] = _mm256_castps_pd(ordered);
        i += 1;
    }
    let products = l.settled(l.mul(&summable(l, p), &entry));
    // E = B - A, F = D - C, G = D + C, H = B + A.
    let mut completed = products;
    i = 0;
    while i < 5 {
        let first = _mm256_permute4x64_epi64::<{ order(1, 3, 3, 1) }>(products[i]);
        let second = _mm256_permute4x64_epi64::<{ order(0, 2, 2, 0) }>(products[i]);
        let (sum, difference) = (_mm256_add_epi64(first, second), _mm256_sub_epi64(first, second));
        completed[i] = _mm256_blendv_epi8(sum, difference, subtracted);
        i += 1;
    }
    complete(l, completed)
}
