//! Four lanes: the entry of the stages on AVX2, and tables whose rows are transposed on the way.
#![expect(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::point_lanes::{PointLanes, Stage};
use crate::curve::point::{Addend, Niels, NielsRow};
use crate::fields::p25519::{Doubles, Limbs};
use core::arch::x86_64::{
    __m256d, _mm256_loadu_pd, _mm256_permute2f128_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd,
};
use phalanx_core::simd::{Avx2, align_frame};

/// y + x, y - x, 2z and 2dt, limb after limb, as the engine holds them.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Row([f64; 20]);

impl PointLanes for Doubles<Avx2> {
    type Row = Row;
    const IDENTITY: Row = {
        let mut limbs = [0.0; 20];
        limbs[0] = 1.0;
        limbs[5] = 1.0;
        limbs[10] = 2.0;
        Row(limbs)
    };

    #[inline(always)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        // SAFETY: `self` holds the proof that this CPU has the features of the entry.
        unsafe { enter(self, stage) }
    }

    #[inline(always)]
    fn split(self, point: &Addend<Limbs<Avx2>>, rows: &mut [Row]) {
        let (p, m, z, t) = (&point.y_plus_x.0, &point.y_minus_x.0, &point.z2.0, &point.t2d.0);
        put(self, [p[0], p[1], p[2], p[3]], rows, 0);
        put(self, [p[4], m[0], m[1], m[2]], rows, 4);
        put(self, [m[3], m[4], z[0], z[1]], rows, 8);
        put(self, [z[2], z[3], z[4], t[0]], rows, 12);
        put(self, [t[1], t[2], t[3], t[4]], rows, 16);
    }

    #[inline(always)]
    fn join(self, rows: &[&Row]) -> Addend<Limbs<Avx2>> {
        let [p0, p1, p2, p3] = get(self, rows, 0);
        let [p4, m0, m1, m2] = get(self, rows, 4);
        let [m3, m4, z0, z1] = get(self, rows, 8);
        let [z2, z3, z4, t0] = get(self, rows, 12);
        let [t1, t2, t3, t4] = get(self, rows, 16);
        Addend {
            y_plus_x: Limbs([p0, p1, p2, p3, p4]),
            y_minus_x: Limbs([m0, m1, m2, m3, m4]),
            z2: Limbs([z0, z1, z2, z3, z4]),
            t2d: Limbs([t0, t1, t2, t3, t4]),
        }
    }

    #[inline(always)]
    fn join_base(self, rows: &[&NielsRow]) -> Niels<Limbs<Avx2>> {
        let [p0, p1, p2, p3] = get(self, rows, 0);
        let [p4, m0, m1, m2] = get(self, rows, 4);
        let [m3, m4, t0, t1] = get(self, rows, 8);
        let [t2, t3, t4, _] = get(self, rows, 12);
        // Not reduced, which the other factor of each product is.
        Niels {
            y_plus_x: self.canonical([p0, p1, p2, p3, p4]),
            y_minus_x: self.canonical([m0, m1, m2, m3, m4]),
            xy2d: self.canonical([t0, t1, t2, t3, t4]),
        }
    }
}

/// Rows of 64-bit numbers, of whatever kind.
trait Numbers {
    /// Numbers `at` to `at + 3`.
    fn four(&self, at: usize) -> *const f64;
}

impl Numbers for Row {
    #[inline(always)]
    fn four(&self, at: usize) -> *const f64 {
        self.0[at..at + 4].as_ptr()
    }
}

impl Numbers for NielsRow {
    #[inline(always)]
    fn four(&self, at: usize) -> *const f64 {
        self.0[at..at + 4].as_ptr().cast()
    }
}

/// One compiled function for each stage.
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn enter<S: Stage<Doubles<Avx2>>>(lanes: Doubles<Avx2>, stage: S) {
    align_frame::<__m256d>();
    stage.run(lanes);
}

/// Lane `i` of `limbs[j]` to number `at + j` of row `i`.
#[inline(always)]
fn put(l: Doubles<Avx2>, limbs: [__m256d; 4], rows: &mut [Row], at: usize) {
    let columns = transpose(l, limbs);
    let mut lane = 0;
    while lane < 4 {
        let numbers = &mut rows[lane].0[at..at + 4];
        // SAFETY: `l` holds the proof of AVX2, and the slice holds four numbers.
        unsafe { _mm256_storeu_pd(numbers.as_mut_ptr(), columns[lane]) };
        lane += 1;
    }
}

/// The inverse of [`put`].
#[inline(always)]
fn get<R: Numbers>(l: Doubles<Avx2>, rows: &[&R], at: usize) -> [__m256d; 4] {
    let [r0, r1, r2, r3] = [rows[0].four(at), rows[1].four(at), rows[2].four(at), rows[3].four(at)];
    // SAFETY: `l` holds the proof of AVX2, and each pointer is to four numbers.
    let vectors =
        unsafe { [_mm256_loadu_pd(r0), _mm256_loadu_pd(r1), _mm256_loadu_pd(r2), _mm256_loadu_pd(r3)] };
    transpose(l, vectors)
}

/// Number `j` of vector `i` becomes number `i` of vector `j`.
#[inline(always)]
fn transpose(_: Doubles<Avx2>, [r0, r1, r2, r3]: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: the first argument holds the proof of AVX2.
    unsafe {
        let (a0, a1) = (_mm256_unpacklo_pd(r0, r1), _mm256_unpackhi_pd(r0, r1));
        let (b0, b1) = (_mm256_unpacklo_pd(r2, r3), _mm256_unpackhi_pd(r2, r3));
        [
            _mm256_permute2f128_pd::<0x20>(a0, b0),
            _mm256_permute2f128_pd::<0x20>(a1, b1),
            _mm256_permute2f128_pd::<0x31>(a0, b0),
            _mm256_permute2f128_pd::<0x31>(a1, b1),
        ]
    }
}
