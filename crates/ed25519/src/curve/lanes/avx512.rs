//! Eight lanes: the entry of the stages on AVX-512, and tables whose rows are transposed on the way.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::super::law::{Addend, Niels};
use super::{BaseRow, Kernel, Stage};
use crate::fields::p25519::{Eight, Fe8};
use core::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_storeu_si512,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

/// y + x, y - x, 2z and 2dt, limb after limb, in three whole cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Row([u64; 24]);

impl Kernel for Eight {
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
        let zero = self.zero();
        let (p, m, z, t) = (point.y_plus_x.0, point.y_minus_x.0, point.z2.0, point.t2d.0);
        let first = self.transpose([p[0], p[1], p[2], p[3], p[4], m[0], m[1], m[2]]);
        let second = self.transpose([m[3], m[4], z[0], z[1], z[2], z[3], z[4], t[0]]);
        let third = self.transpose([t[1], t[2], t[3], t[4], zero, zero, zero, zero]);
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
        let (mut first, mut second, mut third) = ([self.zero(); 8], [self.zero(); 8], [self.zero(); 8]);
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
        let [p0, p1, p2, p3, p4, m0, m1, m2] = self.transpose(first);
        let [m3, m4, z0, z1, z2, z3, z4, t0] = self.transpose(second);
        let [t1, t2, t3, t4, ..] = self.transpose(third);
        Addend {
            y_plus_x: Fe8([p0, p1, p2, p3, p4]),
            y_minus_x: Fe8([m0, m1, m2, m3, m4]),
            z2: Fe8([z0, z1, z2, z3, z4]),
            t2d: Fe8([t0, t1, t2, t3, t4]),
        }
    }

    #[inline(always)]
    fn join_base(self, rows: &[&BaseRow]) -> Niels<Fe8> {
        let (mut first, mut second) = ([self.zero(); 8], [self.zero(); 8]);
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
        let [p0, p1, p2, p3, p4, m0, m1, m2] = self.transpose(first);
        let [m3, m4, t0, t1, t2, t3, t4, _] = self.transpose(second);
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
fn enter<S: Stage<Eight>>(lanes: Eight, stage: S) {
    let anchor = core::mem::MaybeUninit::<Anchor>::uninit();
    // SAFETY: no instruction at all; the address is only looked at.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) (&raw const anchor).addr(), options(nomem, nostack, preserves_flags))
    };
    stage.run(lanes);
}

/// A vector's worth of stack whose address is taken, so that the compiler aligns the frame before it allocates registers:
/// otherwise it aligns spilled vectors to 16 bytes, and three of four cross a cache line.
#[repr(C, align(64))]
struct Anchor([u8; 64]);

impl Transpose for Eight {}

/// Words across vectors.
trait Transpose: Copy {
    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: implemented by a witness of AVX-512 F.
        unsafe { _mm512_setzero_si512() }
    }

    /// Word `j` of vector `i` becomes word `i` of vector `j`.
    #[inline(always)]
    fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        // SAFETY: implemented by a witness of AVX-512 F.
        unsafe {
            // Pairs of rows: words (0, 2, 4, 6) and (1, 3, 5, 7) of both, interleaved.
            let (a0, a1) = (_mm512_unpacklo_epi64(r0, r1), _mm512_unpackhi_epi64(r0, r1));
            let (b0, b1) = (_mm512_unpacklo_epi64(r2, r3), _mm512_unpackhi_epi64(r2, r3));
            let (c0, c1) = (_mm512_unpacklo_epi64(r4, r5), _mm512_unpackhi_epi64(r4, r5));
            let (d0, d1) = (_mm512_unpacklo_epi64(r6, r7), _mm512_unpackhi_epi64(r6, r7));
            // Halves: 128-bit blocks 0 and 2 (0x88), or 1 and 3 (0xdd), of two vectors.
            let (ab02, ab13) = (_mm512_shuffle_i64x2::<0x88>(a0, b0), _mm512_shuffle_i64x2::<0xdd>(a0, b0));
            let (cd02, cd13) = (_mm512_shuffle_i64x2::<0x88>(c0, d0), _mm512_shuffle_i64x2::<0xdd>(c0, d0));
            let (ef02, ef13) = (_mm512_shuffle_i64x2::<0x88>(a1, b1), _mm512_shuffle_i64x2::<0xdd>(a1, b1));
            let (gh02, gh13) = (_mm512_shuffle_i64x2::<0x88>(c1, d1), _mm512_shuffle_i64x2::<0xdd>(c1, d1));
            // ab02 holds blocks a.0 a.2 b.0 b.2: word 0 of rows 0 1, word 4 of rows 0 1, word 0 of rows 2 3, word 4 of 2 3.
            [
                _mm512_shuffle_i64x2::<0x88>(ab02, cd02),
                _mm512_shuffle_i64x2::<0x88>(ef02, gh02),
                _mm512_shuffle_i64x2::<0x88>(ab13, cd13),
                _mm512_shuffle_i64x2::<0x88>(ef13, gh13),
                _mm512_shuffle_i64x2::<0xdd>(ab02, cd02),
                _mm512_shuffle_i64x2::<0xdd>(ef02, gh02),
                _mm512_shuffle_i64x2::<0xdd>(ab13, cd13),
                _mm512_shuffle_i64x2::<0xdd>(ef13, gh13),
            ]
        }
    }
}
