//! Eight lanes: the entries of the stages on AVX-512, with products of IFMA or of doubles, and tables whose rows are
//! transposed on the way.
#![expect(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::point_lanes::{PointLanes, Stage};
use crate::curve::point::{Addend, Niels, NielsRow};
use crate::fields::p25519::{Doubles, Fe8, Limbs, Vectors, X8};
use core::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_storeu_si512};
use phalanx_core::lanes::transpose8;
use phalanx_core::simd::{Avx512, align_frame};

/// y + x, y - x, 2z and 2dt, limb after limb, in three whole cache lines. Doubles stand as their bits.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Row([u64; 24]);

impl Row {
    /// O, with what stands for 1 and for 2.
    const fn identity(one: u64, two: u64) -> Self {
        let mut words = [0; 24];
        words[0] = one;
        words[5] = one;
        words[10] = two;
        Self(words)
    }
}

/// The vectors of one coordinate.
type Coordinate = [__m512i; 5];

impl PointLanes for X8 {
    type Row = Row;
    const IDENTITY: Row = Row::identity(1, 2);

    #[inline(always)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        /// One compiled function for each stage.
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        #[inline(never)]
        fn enter<S: Stage<X8>>(lanes: X8, stage: S) {
            align_frame::<__m512i>();
            stage.run(lanes);
        }
        // SAFETY: `self` holds the proof that this CPU has the features of the entry.
        unsafe { enter(self, stage) }
    }

    #[inline(always)]
    fn split(self, point: &Addend<Fe8>, rows: &mut [Row]) {
        let Addend { y_plus_x, y_minus_x, z2, t2d } = point;
        split(self.0.avx512(), [y_plus_x.0, y_minus_x.0, z2.0, t2d.0], rows);
    }

    #[inline(always)]
    fn join(self, rows: &[&Row]) -> Addend<Fe8> {
        let [plus, minus, z2, t2d] = join(self.0.avx512(), rows);
        Addend { y_plus_x: Fe8(plus), y_minus_x: Fe8(minus), z2: Fe8(z2), t2d: Fe8(t2d) }
    }

    #[inline(always)]
    fn join_base(self, rows: &[&NielsRow]) -> Niels<Fe8> {
        let [plus, minus, xy2d] = join_base(self.0.avx512(), rows);
        Niels { y_plus_x: Fe8(plus), y_minus_x: Fe8(minus), xy2d: Fe8(xy2d) }
    }
}

impl PointLanes for Doubles<Avx512> {
    type Row = Row;
    const IDENTITY: Row = Row::identity(1f64.to_bits(), 2f64.to_bits());

    #[inline(always)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        /// One compiled function for each stage.
        #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
        #[inline(never)]
        fn enter<S: Stage<Doubles<Avx512>>>(lanes: Doubles<Avx512>, stage: S) {
            align_frame::<__m512i>();
            stage.run(lanes);
        }
        // SAFETY: `self` holds the proof that this CPU has the features of the entry.
        unsafe { enter(self, stage) }
    }

    #[inline(always)]
    fn split(self, point: &Addend<Limbs<Avx512>>, rows: &mut [Row]) {
        let Addend { y_plus_x, y_minus_x, z2, t2d } = point;
        let bits = |limbs: &Limbs<Avx512>| {
            let [l0, l1, l2, l3, l4] = limbs.0;
            let v = self.0;
            [v.bits(l0), v.bits(l1), v.bits(l2), v.bits(l3), v.bits(l4)]
        };
        split(self.0, [bits(y_plus_x), bits(y_minus_x), bits(z2), bits(t2d)], rows);
    }

    #[inline(always)]
    fn join(self, rows: &[&Row]) -> Addend<Limbs<Avx512>> {
        let [plus, minus, z2, t2d] = join(self.0, rows);
        let limbs = |coordinate| Limbs(of_bits(self.0, coordinate));
        Addend { y_plus_x: limbs(plus), y_minus_x: limbs(minus), z2: limbs(z2), t2d: limbs(t2d) }
    }

    #[inline(always)]
    fn join_base(self, rows: &[&NielsRow]) -> Niels<Limbs<Avx512>> {
        let [plus, minus, xy2d] = join_base(self.0, rows);
        // Not reduced, which the other factor of each product is.
        let limbs = |coordinate| self.canonical(of_bits(self.0, coordinate));
        Niels { y_plus_x: limbs(plus), y_minus_x: limbs(minus), xy2d: limbs(xy2d) }
    }
}

#[inline(always)]
fn of_bits(v: Avx512, [l0, l1, l2, l3, l4]: Coordinate) -> [<Avx512 as Vectors>::Doubles; 5] {
    [v.of_bits(l0), v.of_bits(l1), v.of_bits(l2), v.of_bits(l3), v.of_bits(l4)]
}

/// Writes lane `i` of the coordinates to `rows[i]`.
#[inline(always)]
fn split(witness: Avx512, [p, m, z, t]: [Coordinate; 4], rows: &mut [Row]) {
    let zero = zero(witness);
    let first = transpose(witness, [p[0], p[1], p[2], p[3], p[4], m[0], m[1], m[2]]);
    let second = transpose(witness, [m[3], m[4], z[0], z[1], z[2], z[3], z[4], t[0]]);
    let third = transpose(witness, [t[1], t[2], t[3], t[4], zero, zero, zero, zero]);
    let mut lane = 0;
    while lane < 8 {
        let words = rows[lane].0.as_mut_ptr();
        // SAFETY: the witness proves AVX-512 F, and a row is 24 words.
        unsafe {
            _mm512_storeu_si512(words.cast(), first[lane]);
            _mm512_storeu_si512(words.add(8).cast(), second[lane]);
            _mm512_storeu_si512(words.add(16).cast(), third[lane]);
        }
        lane += 1;
    }
}

/// The inverse of [`split`].
#[inline(always)]
fn join(witness: Avx512, rows: &[&Row]) -> [Coordinate; 4] {
    let zero = zero(witness);
    let (mut first, mut second, mut third) = ([zero; 8], [zero; 8], [zero; 8]);
    let mut lane = 0;
    while lane < 8 {
        let words = rows[lane].0.as_ptr();
        // SAFETY: the witness proves AVX-512 F, and a row is 24 words.
        unsafe {
            first[lane] = _mm512_loadu_si512(words.cast());
            second[lane] = _mm512_loadu_si512(words.add(8).cast());
            third[lane] = _mm512_loadu_si512(words.add(16).cast());
        }
        lane += 1;
    }
    let [p0, p1, p2, p3, p4, m0, m1, m2] = transpose(witness, first);
    let [m3, m4, z0, z1, z2, z3, z4, t0] = transpose(witness, second);
    let [t1, t2, t3, t4, ..] = transpose(witness, third);
    [[p0, p1, p2, p3, p4], [m0, m1, m2, m3, m4], [z0, z1, z2, z3, z4], [t0, t1, t2, t3, t4]]
}

/// y + x, y - x and 2dxy with `rows[i]` in lane `i`, as integers.
#[inline(always)]
fn join_base(witness: Avx512, rows: &[&NielsRow]) -> [Coordinate; 3] {
    let zero = zero(witness);
    let (mut first, mut second) = ([zero; 8], [zero; 8]);
    let mut lane = 0;
    while lane < 8 {
        let words = rows[lane].0.as_ptr();
        // SAFETY: the witness proves AVX-512 F, and a row is 16 words.
        unsafe {
            first[lane] = _mm512_loadu_si512(words.cast());
            second[lane] = _mm512_loadu_si512(words.add(8).cast());
        }
        lane += 1;
    }
    let [p0, p1, p2, p3, p4, m0, m1, m2] = transpose(witness, first);
    let [m3, m4, t0, t1, t2, t3, t4, _] = transpose(witness, second);
    [[p0, p1, p2, p3, p4], [m0, m1, m2, m3, m4], [t0, t1, t2, t3, t4]]
}

/// Word `j` of vector `i` becomes word `i` of vector `j`.
#[inline(always)]
fn transpose(_: Avx512, rows: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: the first argument is the proof of AVX-512 F.
    unsafe { transpose8(rows) }
}

#[inline(always)]
fn zero(_: Avx512) -> __m512i {
    // SAFETY: the argument is the proof of AVX-512 F.
    unsafe { _mm512_setzero_si512() }
}
