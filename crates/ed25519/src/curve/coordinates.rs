//! One point at a time in vectors of four lanes: X, Y, T and Z stand side by side, so what the formulas of the group law
//! do in four products is one product here (Hisil, Wong, Carter, Dawson, ePrint 2008/522, section 4).
//!
//! Sums and differences of coordinates are made of columns, before the carry. A difference is the sum with a complement,
//! -x - 1: one operation for lanes that add and lanes that subtract; what is missing then is among the constants of the
//! carry pass. Variable time: for public data.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::base_tables::{LaneRow, NAF_ENTRIES};
use super::constants::D;
use super::digits::Nafs;
use super::lanes::{PointLanes, Stage};
use super::point::{CoordinateRow, Point};
use crate::fields::p25519::{Columns, Doubles, Element, FourLanes, X4};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_blend_epi32, _mm256_castpd_si256, _mm256_castsi256_pd,
    _mm256_loadu_si256, _mm256_permute_pd, _mm256_permute4x64_epi64, _mm256_permutevar_pd, _mm256_set_epi64x,
    _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_store_si256, _mm256_xor_si256,
};
use phalanx_core::simd::{Avx2, align_frame};

/// A backend and its entry into code that is compiled for it.
pub(super) trait OnePoint: FourLanes {
    /// Runs `stage`, compiled for this backend, out of line.
    fn enter<S: Stage<Self>>(self, stage: S);
}

impl OnePoint for Doubles<Avx2> {
    #[inline(always)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        PointLanes::enter(self, stage);
    }
}

impl OnePoint for X4 {
    #[inline(always)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        #[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
        #[inline(never)]
        fn enter<S: Stage<X4>>(lanes: X4, stage: S) {
            align_frame::<__m256i>();
            stage.run(lanes);
        }
        // SAFETY: `self` holds the proof that this CPU has the features of the entry.
        unsafe { enter(self, stage) }
    }
}

/// The sum of digits times points, over one chain of doublings (Straus): digits of one or two points, whose tables are
/// made here, then of as many with tables at hand.
pub(super) fn straus<L: OnePoint, const N: usize>(
    l: L,
    points: [&Point; N],
    base: &[[LaneRow; NAF_ENTRIES]; 2],
    digits: &Nafs,
) -> Point {
    let (mut tables, mut result) = ([[LaneRow::ZERO; 8]; N], Point::IDENTITY);
    l.enter(OddMultiples { points: &points, tables: &mut tables });
    let mut rows: [&[LaneRow]; 4] = [&base[0]; 4];
    for i in 0..N {
        (rows[i], rows[N + i]) = (&tables[i], &base[i]);
    }
    l.enter(Straus { rows: &rows[..2 * N], digits, result: &mut result });
    result
}

struct Straus<'a> {
    rows: &'a [&'a [LaneRow]],
    digits: &'a Nafs,
    result: &'a mut Point,
}

impl<L: OnePoint> Stage<L> for Straus<'_> {
    #[inline(always)]
    fn run(self, l: L) {
        let mut sum = columns(l, &Point::IDENTITY);
        let (mut i, mut started) = (self.digits.end(), false);
        while i > 0 {
            i -= 1;
            if started {
                sum = double(l, &sum);
            }
            for (rows, &digit) in self.rows.iter().zip(self.digits.at(i)) {
                if digit != 0 {
                    let LaneRow(row) = &rows[usize::from(digit.unsigned_abs() / 2)];
                    (sum, started) = (add(l, &summable(l, &sum), &limbs(l, row), digit < 0), true);
                }
            }
        }
        *self.result = point(l, &sum);
    }
}

/// P, 3P, ..., 15P of one or two points, each ready to be added: (Y - X, Y + X, 2dT, 2Z). In turn, since each multiple
/// waits for the one before.
struct OddMultiples<'a> {
    points: &'a [&'a Point],
    tables: &'a mut [[LaneRow; 8]],
}

impl<L: OnePoint> Stage<L> for OddMultiples<'_> {
    #[inline(always)]
    fn run(self, l: L) {
        let factors = addend_factors(l);
        let [mut sums, mut steps] = [[factors; 2]; 2];
        for (j, point) in self.points.iter().enumerate() {
            let single = columns(l, point);
            sums[j] = summable(l, &single);
            steps[j] = addend(l, &summable(l, &double(l, &single)), &factors);
        }
        let mut i = 0;
        while i < 8 {
            for (j, table) in self.tables.iter_mut().enumerate() {
                if i > 0 {
                    sums[j] = summable(l, &add(l, &sums[j], &steps[j], false));
                }
                table[i] = row(l, &addend(l, &sums[j], &factors));
            }
            i += 1;
        }
    }
}

/// \[s\]B + \[k\]P by [`comb`](super::comb).
pub(super) fn comb<L: OnePoint>(
    l: L,
    tables: &[[CoordinateRow; 9]; 8],
    k: &[i8; 64],
    base: &[[CoordinateRow; 129]; 8],
    s: &[i8; 32],
) -> Point {
    let mut result = Point::IDENTITY;
    l.enter(Comb { tables, k, base, s, result: &mut result });
    result
}

struct Comb<'a> {
    tables: &'a [[CoordinateRow; 9]; 8],
    k: &'a [i8; 64],
    base: &'a [[CoordinateRow; 129]; 8],
    s: &'a [i8; 32],
    result: &'a mut Point,
}

impl<L: OnePoint> Stage<L> for Comb<'_> {
    #[inline(always)]
    fn run(self, l: L) {
        let mut sum = columns(l, &Point::IDENTITY);
        let mut i = 8;
        while i > 0 {
            i -= 1;
            let mut count = if i == 7 { 4 } else { 0 };
            while count < 4 {
                sum = double(l, &sum);
                count += 1;
            }
            let mut j = 0;
            let end = if i % 2 == 0 { 16 } else { 8 };
            while j < end {
                let (digit, row) = if j < 8 {
                    let digit = self.k[8 * j + i];
                    (digit, &self.tables[j][usize::from(digit.unsigned_abs())])
                } else {
                    let digit = self.s[4 * (j - 8) + i / 2];
                    (digit, &self.base[j - 8][usize::from(digit.unsigned_abs())])
                };
                if digit != 0 {
                    sum = add(l, &summable(l, &sum), &l.canonical(&limbs(l, row)), digit < 0);
                }
                j += 1;
            }
        }
        *self.result = point(l, &sum);
    }
}

/// The sum of 2^(width i) `points[i]`, of at least one point.
pub(super) fn horner<L: OnePoint>(l: L, points: &[Point], width: usize) -> Point {
    let mut result = Point::IDENTITY;
    l.enter(Horner { points, width, result: &mut result });
    result
}

struct Horner<'a> {
    points: &'a [Point],
    width: usize,
    result: &'a mut Point,
}

impl<L: OnePoint> Stage<L> for Horner<'_> {
    #[inline(always)]
    fn run(self, l: L) {
        let factors = addend_factors(l);
        let mut i = self.points.len() - 1;
        let mut sum = columns(l, &self.points[i]);
        while i > 0 {
            i -= 1;
            let mut count = 0;
            while count < self.width {
                sum = double(l, &sum);
                count += 1;
            }
            let entry = addend(l, &summable(l, &columns(l, &self.points[i])), &factors);
            sum = add(l, &summable(l, &sum), &entry, false);
        }
        *self.result = point(l, &sum);
    }
}

/// Columns (X, Y, T, Z).
#[inline(always)]
fn columns<L: OnePoint>(l: L, point: &Point) -> Columns {
    l.widen(&[point.x, point.y, point.t, point.z])
}

#[inline(always)]
fn point<L: OnePoint>(l: L, sum: &Columns) -> Point {
    let sum = l.reduce(sum, const { &L::PRODUCTS.offsets([[1, 0]; 4]) });
    let [x, y, t, z] = l.store(&sum);
    Point { x, y, z, t }
}

/// 2P of columns (X, Y, T, Z), T not used. The signs of all coordinates are the opposite of the formulas'.
#[inline(always)]
fn double<L: OnePoint>(l: L, p: &Columns) -> Columns {
    // SAFETY: the backend proves AVX2.
    let factors = unsafe { square_factors(p) };
    let factors = l.reduce(&factors, const { &L::PRODUCTS.offsets([[1, 0], [1, 0], [2, 0], [1, 0]]) });
    let squares = l.square(&factors);
    // SAFETY: as above.
    let completed = unsafe { completed_by_squares(&squares) };
    // E = A + B - S, G = A - B, H = A + B, F = 2C + A - B.
    let first = l.reduce(&completed, const { &L::SQUARES.offsets([[2, 1], [1, 1], [2, 0], [3, 1]]) });
    // SAFETY: as above.
    let second = unsafe { permuted::<{ order(3, 2, 0, 1) }>(&first) };
    l.mul(&first, &second)
}

/// (Y - X, Y + X, T, Z) from columns (X, Y, T, Z).
#[inline(always)]
fn summable<L: OnePoint>(l: L, p: &Columns) -> Columns {
    // SAFETY: the backend proves AVX2.
    let sums = unsafe { differences_and_sums(p) };
    l.reduce(&sums, const { &L::PRODUCTS.offsets([[1, 1], [2, 0], [1, 0], [1, 0]]) })
}

/// (1, 1, 2d, 2).
#[inline(always)]
fn addend_factors<L: OnePoint>(l: L) -> Columns {
    l.load(&[Element::ONE, Element::ONE, D.add(&D), Element::ONE.add(&Element::ONE)])
}

/// (Y - X, Y + X, 2dT, 2Z) of (Y - X, Y + X, T, Z) and [`addend_factors`].
#[inline(always)]
fn addend<L: OnePoint>(l: L, summable: &Columns, factors: &Columns) -> Columns {
    l.reduce(&l.mul(summable, factors), const { &L::PRODUCTS.offsets([[1, 0]; 4]) })
}

/// P + Q or P - Q, for Q ready to be added.
#[inline(always)]
fn add<L: OnePoint>(l: L, summable: &Columns, q: &Columns, negative: bool) -> Columns {
    // SAFETY: the backend proves AVX2.
    let products = l.mul(summable, &unsafe { exchanged(q, negative) });
    // SAFETY: as above.
    let completed = unsafe { completed_by_products(&products, negative) };
    // E = B - A, H = B + A, F = D - C, G = D + C, with -C for C where Q is subtracted.
    let offsets = const {
        &[
            L::PRODUCTS.offsets([[1, 1], [2, 0], [1, 1], [2, 0]]),
            L::PRODUCTS.offsets([[1, 1], [2, 0], [2, 0], [1, 1]]),
        ]
    };
    let completed = l.reduce(&completed, &offsets[usize::from(negative)]);
    // SAFETY: as above.
    let (first, second) = unsafe {
        (permuted::<{ order(0, 3, 1, 2) }>(&completed), permuted::<{ order(2, 1, 0, 3) }>(&completed))
    };
    l.mul(&first, &second)
}

/// The pattern that puts lanes a, b, c, d into lanes 0 to 3.
const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// Lane `lane`, for a blend of 32-bit lanes.
const fn lane(lane: i32) -> i32 {
    3 << (2 * lane)
}

/// For a shuffle of 32-bit lanes that exchanges lanes 0 and 1, and lanes 2 and 3.
const NEIGHBOURS: i32 = order(2, 3, 0, 1);

#[inline(always)]
fn limbs<L: OnePoint>(_: L, row: &CoordinateRow) -> Columns {
    // SAFETY: the backend proves AVX, and a limb is 32 bytes.
    let limb = |i: usize| unsafe { _mm256_loadu_si256(row[i].as_ptr().cast()) };
    [limb(0), limb(1), limb(2), limb(3), limb(4)]
}

#[inline(always)]
fn row<L: OnePoint>(_: L, limbs: &Columns) -> LaneRow {
    let mut row = LaneRow::ZERO;
    let mut i = 0;
    while i < 5 {
        // SAFETY: the backend proves AVX, and a limb is 32 bytes, aligned.
        unsafe { _mm256_store_si256(row.0[i].as_mut_ptr().cast(), limbs[i]) };
        i += 1;
    }
    row
}

#[inline]
#[target_feature(enable = "avx2")]
fn permuted<const ORDER: i32>(a: &Columns) -> Columns {
    let mut permuted = *a;
    let mut i = 0;
    while i < 5 {
        permuted[i] = _mm256_permute4x64_epi64::<ORDER>(a[i]);
        i += 1;
    }
    permuted
}

/// (X, Y, X + Y, Z) of (X, Y, T, Z).
#[inline]
#[target_feature(enable = "avx2")]
fn square_factors(p: &Columns) -> Columns {
    let (mut factors, zero) = (*p, _mm256_setzero_si256());
    let mut i = 0;
    while i < 5 {
        let x = _mm256_permute4x64_epi64::<{ order(0, 1, 0, 3) }>(p[i]);
        let y = _mm256_permute4x64_epi64::<{ order(1, 1, 1, 1) }>(p[i]);
        factors[i] = _mm256_add_epi64(x, _mm256_blend_epi32::<{ lane(2) }>(zero, y));
        i += 1;
    }
    factors
}

/// (A + B + -S, A + -B, A + B, 2C + A + -B) of (A, B, S, C), where -x is the complement.
#[inline]
#[target_feature(enable = "avx2")]
fn completed_by_squares(squares: &Columns) -> Columns {
    let (mut completed, zero) = (*squares, _mm256_setzero_si256());
    let complements = _mm256_set_epi64x(0, -1, 0, -1);
    let mut i = 0;
    while i < 5 {
        // (A, B, 0, C) and (B, A, S, C) make (A - B, A + B, -S, 2C).
        let abc = _mm256_blend_epi32::<{ lane(2) }>(squares[i], zero);
        let basc = _mm256_castpd_si256(_mm256_permute_pd::<0b1001>(_mm256_castsi256_pd(squares[i])));
        let parts = _mm256_add_epi64(abc, _mm256_xor_si256(basc, complements));
        let sums = _mm256_permute4x64_epi64::<{ order(1, 0, 1, 0) }>(parts);
        let others = _mm256_permute4x64_epi64::<{ order(2, 2, 3, 3) }>(parts);
        let others = _mm256_blend_epi32::<{ lane(1) | lane(2) }>(others, zero);
        completed[i] = _mm256_add_epi64(sums, others);
        i += 1;
    }
    completed
}

/// (Y + -X, Y + X, T, Z) of (X, Y, T, Z), where -x is the complement.
#[inline]
#[target_feature(enable = "avx2")]
fn differences_and_sums(p: &Columns) -> Columns {
    let (mut sums, zero) = (*p, _mm256_setzero_si256());
    let complement = _mm256_set_epi64x(0, 0, 0, -1);
    let mut i = 0;
    while i < 5 {
        let yx = _mm256_shuffle_epi32::<NEIGHBOURS>(p[i]);
        let yx = _mm256_blend_epi32::<{ lane(2) | lane(3) }>(yx, zero);
        sums[i] = _mm256_add_epi64(_mm256_xor_si256(p[i], complement), yx);
        i += 1;
    }
    sums
}

/// Q, or with Y - X and Y + X in each other's place.
#[inline]
#[target_feature(enable = "avx2")]
fn exchanged(q: &Columns, negative: bool) -> Columns {
    // Bit 1 says which lane of the two.
    static ORDERS: [[i64; 4]; 2] = [[0, 2, 0, 2], [2, 0, 0, 2]];
    // SAFETY: a row of the list is 32 bytes.
    let order = unsafe { _mm256_loadu_si256(ORDERS[usize::from(negative)].as_ptr().cast()) };
    let mut exchanged = *q;
    let mut i = 0;
    while i < 5 {
        exchanged[i] = _mm256_castpd_si256(_mm256_permutevar_pd(_mm256_castsi256_pd(q[i]), order));
        i += 1;
    }
    exchanged
}

/// (B + -A, B + A, D + -C, D + C) of (A, B, C, D), where -x is the complement; D + C and D + -C for a negative Q.
#[inline]
#[target_feature(enable = "avx2")]
fn completed_by_products(products: &Columns, negative: bool) -> Columns {
    // Complements of (A, B, C, D), and of (B, A, D, C).
    static COMPLEMENTS: [[[i64; 4]; 2]; 2] = [[[-1, 0, -1, 0], [0; 4]], [[-1, 0, 0, 0], [0, 0, 0, -1]]];
    let [first, second] = &COMPLEMENTS[usize::from(negative)];
    // SAFETY: a row of the list is 32 bytes.
    let (first, second) =
        unsafe { (_mm256_loadu_si256(first.as_ptr().cast()), _mm256_loadu_si256(second.as_ptr().cast())) };
    let mut completed = *products;
    let mut i = 0;
    while i < 5 {
        let badc = _mm256_shuffle_epi32::<NEIGHBOURS>(products[i]);
        completed[i] = _mm256_add_epi64(_mm256_xor_si256(products[i], first), _mm256_xor_si256(badc, second));
        i += 1;
    }
    completed
}
