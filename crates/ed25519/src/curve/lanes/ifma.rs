//! Eight lanes: the entry of the stages on AVX-512, and tables whose rows are transposed on the way.
#![expect(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::point_lanes::{PointLanes, Stage};
use crate::curve::point::{Addend, Niels, NielsRow};
use crate::fields::p25519::{Fe8, X8};
use core::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_storeu_si512};
use phalanx_core::lanes::transpose8;
use phalanx_core::simd::align_frame;

/// y + x, y - x, 2z and 2dt, limb after limb, in three whole cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Row([u64; 24]);

impl PointLanes for X8 {
    type Row = Row;
    const IDENTITY: Row = {
        let mut words = [0; 24];
        words[0] = 1;
        words[5] = 1;
        words[10] = 2;
        Row(words)
    };

    #[inline(always)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        // SAFETY: `self` holds the proof that this CPU has the features of the entry.
        unsafe { enter(self, stage) }
    }

    #[inline(always)]
    fn split(self, point: &Addend<Fe8>, rows: &mut [Row]) {
        let zero = zero(self);
        let (p, m, z, t) = (point.y_plus_x.0, point.y_minus_x.0, point.z2.0, point.t2d.0);
        let first = transpose(self, [p[0], p[1], p[2], p[3], p[4], m[0], m[1], m[2]]);
        let second = transpose(self, [m[3], m[4], z[0], z[1], z[2], z[3], z[4], t[0]]);
        let third = transpose(self, [t[1], t[2], t[3], t[4], zero, zero, zero, zero]);
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

    #[inline(always)]
    fn join(self, rows: &[&Row]) -> Addend<Fe8> {
        let (mut first, mut second, mut third) = ([zero(self); 8], [zero(self); 8], [zero(self); 8]);
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
        let [p0, p1, p2, p3, p4, m0, m1, m2] = transpose(self, first);
        let [m3, m4, z0, z1, z2, z3, z4, t0] = transpose(self, second);
        let [t1, t2, t3, t4, ..] = transpose(self, third);
        Addend {
            y_plus_x: Fe8([p0, p1, p2, p3, p4]),
            y_minus_x: Fe8([m0, m1, m2, m3, m4]),
            z2: Fe8([z0, z1, z2, z3, z4]),
            t2d: Fe8([t0, t1, t2, t3, t4]),
        }
    }

    #[inline(always)]
    fn join_base(self, rows: &[&NielsRow]) -> Niels<Fe8> {
        let (mut first, mut second) = ([zero(self); 8], [zero(self); 8]);
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
        let [p0, p1, p2, p3, p4, m0, m1, m2] = transpose(self, first);
        let [m3, m4, t0, t1, t2, t3, t4, _] = transpose(self, second);
        Niels {
            y_plus_x: Fe8([p0, p1, p2, p3, p4]),
            y_minus_x: Fe8([m0, m1, m2, m3, m4]),
            xy2d: Fe8([t0, t1, t2, t3, t4]),
        }
    }
}

/// One compiled function for each stage.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn enter<S: Stage<X8>>(lanes: X8, stage: S) {
    align_frame::<__m512i>();
    stage.run(lanes);
}

/// Word `j` of vector `i` becomes word `i` of vector `j`.
#[inline(always)]
fn transpose(_: X8, rows: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: the first argument holds the proof of AVX-512 F.
    unsafe { transpose8(rows) }
}

#[inline(always)]
fn zero(_: X8) -> __m512i {
    // SAFETY: the first argument holds the proof of AVX-512 F.
    unsafe { _mm512_setzero_si512() }
}
