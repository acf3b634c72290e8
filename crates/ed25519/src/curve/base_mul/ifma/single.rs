//! One product across the lanes. The 64 digits of radix 16 are independent of each other, so lane l takes those at the
//! positions l, 8 + l, ..., 56 + l: eight entries are added in each lane, and then the eight lanes in three steps.

use crate::curve::base_mul::digits::Digits;
use crate::curve::base_mul::registers::{Stored, lane, niels, store};
use crate::curve::base_tables::{self, LimbRow, NIELS_LIMBS as LIMBS, SIGNING_ENTRIES};
use crate::curve::constants::D;
use crate::curve::point::{Addend, Niels, Projective, Summable};
use crate::fields::p25519::{Element, Fe8 as Fe, FieldLanes, X8};
use crate::fields::scalar25519::Scalar;
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_mask_load_epi64,
    _mm512_movm_epi64, _mm512_permutexvar_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_srlv_epi64, _mm512_testn_epi64_mask, _mm512_xor_si512,
};
use phalanx_core::simd::Ifma;

const BITS: u32 = 4;
const POSITIONS: usize = 64;
const STEPS: usize = POSITIONS / 8;

/// Step, entry, limb; lane l is position 8 step + l.
type Table = [[[LimbRow; LIMBS]; SIGNING_ENTRIES]; STEPS];

/// [s]B.
pub(in super::super) fn base_mul(witness: Ifma, s: &Scalar) -> Projective<Element> {
    let digits = Digits::new(s, BITS, 64);
    let mut stored: Stored = [[0; 8]; LIMBS];
    // SAFETY: the witness proves the features that the function is compiled for.
    unsafe { run(X8(witness), base_tables::signing_single(), &digits.0, &mut stored) };
    lane(&stored, 0)
}

/// # Safety
/// The CPU has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
unsafe fn run(l: X8, table: &Table, digits: &[u64; 4], to: &mut Stored) {
    // SAFETY: the features of this function.
    unsafe {
        let mut sum = scan(l, &table[0], digits[0]).summable(l);
        let mut step = 1;
        while step < STEPS {
            let piece = digits[step / 2] >> (32 * (step % 2));
            sum = sum.add_niels(l, &scan(l, &table[step], piece)).summable(l);
            step += 1;
        }
        collapse(l, &sum, to);
    }
}

/// In lane i the entry that the i-th group of four bits says, after reading all of them.
///
/// # Safety
/// The CPU has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline]
unsafe fn scan(l: X8, rows: &[[LimbRow; LIMBS]; SIGNING_ENTRIES], digits: u64) -> Niels<Fe> {
    let groups = _mm512_srlv_epi64(
        _mm512_set1_epi64(digits.cast_signed()),
        _mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28),
    );
    let negative = _mm512_testn_epi64_mask(groups, _mm512_set1_epi64(8));
    let seven = _mm512_set1_epi64(7);
    let entry = _mm512_and_si512(_mm512_xor_si512(groups, _mm512_movm_epi64(negative)), seven);
    let mut found = [_mm512_setzero_si512(); LIMBS];
    let mut wanted = _mm512_setzero_si512();
    let mut e = 0;
    while e < SIGNING_ENTRIES {
        let mask = _mm512_cmpeq_epi64_mask(entry, wanted);
        let mut i = 0;
        while i < LIMBS {
            // SAFETY: a row is 64 bytes, aligned.
            found[i] = unsafe { _mm512_mask_load_epi64(found[i], mask, rows[e][i].0.as_ptr().cast()) };
            i += 1;
        }
        wanted = _mm512_add_epi64(wanted, _mm512_set1_epi64(1));
        e += 1;
    }
    niels(&found).negate_if(l, negative, &Fe([_mm512_setzero_si512(); 5]))
}

/// The sum of all lanes, in every lane.
///
/// # Safety
/// The CPU has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
unsafe fn collapse(l: X8, lanes: &Summable<Fe>, to: &mut Stored) {
    let d2 = l.splat(&D.add(&D));
    let mut sum = *lanes;
    let mut order = _mm512_setr_epi64(4, 5, 6, 7, 0, 1, 2, 3);
    let mut step = 0;
    while step < 3 {
        let other = Summable {
            y_plus_x: turned(order, &sum.y_plus_x),
            y_minus_x: turned(order, &sum.y_minus_x),
            z: turned(order, &sum.z),
            t: turned(order, &sum.t),
        };
        let addend = Addend {
            y_plus_x: other.y_plus_x,
            y_minus_x: other.y_minus_x,
            z2: l.reduce(l.add(l.widen(&other.z), l.widen(&other.z))),
            t2d: l.reduce(l.mul(&other.t, &d2)),
        };
        sum = sum.add(l, &addend).summable(l);
        order = if step == 0 {
            _mm512_setr_epi64(2, 3, 0, 1, 6, 7, 4, 5)
        } else {
            _mm512_setr_epi64(1, 0, 3, 2, 5, 4, 7, 6)
        };
        step += 1;
    }
    // SAFETY: the features of this function.
    unsafe { store(&sum.projective(l), to) };
}

#[target_feature(enable = "avx512f")]
#[inline]
fn turned(order: __m512i, a: &Fe) -> Fe {
    let turn = |limb| _mm512_permutexvar_epi64(order, limb);
    Fe([turn(a.0[0]), turn(a.0[1]), turn(a.0[2]), turn(a.0[3]), turn(a.0[4])])
}
