//! Eight products side by side, one to a lane. The sixteen entries of a position stand in two registers for each limb,
//! and a permutation of registers picks for every lane the entry that its digit says.

use super::registers::{Stored, lane, niels, store};
use super::single;
use crate::curve::base_mul::digits::Digits;
use crate::curve::base_tables::{self, LimbRow, NIELS_LIMBS as LIMBS};
use crate::curve::point::{Niels, Projective};
use crate::fields::p25519::{Element, Fe8 as Fe, X8};
use crate::fields::scalar25519::Scalar;
use core::arch::x86_64::{
    _mm_cvtsi64_si128, _mm512_load_si512, _mm512_loadu_si512, _mm512_movm_epi64, _mm512_or_si512,
    _mm512_permutex2var_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_sll_epi64, _mm512_srl_epi64,
    _mm512_testn_epi64_mask, _mm512_xor_si512,
};
use phalanx_core::simd::Ifma;

const BITS: u32 = 5;
const POSITIONS: usize = 51;

/// Position, limb, half: the entries 0 to 7, then 8 to 15.
type Table = [[[LimbRow; 2]; LIMBS]; POSITIONS];

/// A few products are faster one after the other than in lanes that stand empty.
const MIN_LANES: usize = 3;

/// [`scalars[i]`]B to `points[i]`.
pub(in super::super) fn base_mul_many(witness: Ifma, scalars: &[Scalar], points: &mut [Projective<Element>]) {
    let table = base_tables::signing_batch8();
    let mut stored: Stored = [[0; 8]; LIMBS];
    for (scalars, points) in scalars.chunks(8).zip(points.chunks_mut(8)) {
        if scalars.len() < MIN_LANES {
            for (s, point) in scalars.iter().zip(points) {
                *point = single::base_mul(witness, s);
            }
            continue;
        }
        // Empty lanes take the scalar 0.
        let mut digits = [[0; 8]; 4];
        for (lane, s) in scalars.iter().enumerate() {
            for (row, word) in digits.iter_mut().zip(Digits::new(s, BITS, 51).0) {
                row[lane] = word;
            }
        }
        // SAFETY: the witness proves the features that the function is compiled for.
        unsafe { run(X8(witness), table, &digits, &mut stored) };
        for (i, point) in points.iter_mut().enumerate() {
            *point = lane(&stored, i);
        }
    }
}

/// # Safety
/// The CPU has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
unsafe fn run(l: X8, table: &Table, digits: &[[u64; 8]; 4], to: &mut Stored) {
    // SAFETY: the features of this function.
    unsafe {
        let mut sum = pick(l, &table[0], digits, 0).summable(l);
        let mut position = 1;
        while position < POSITIONS {
            sum = sum.add_niels(l, &pick(l, &table[position], digits, position)).summable(l);
            position += 1;
        }
        store(&sum.projective(l), to);
    }
}

/// In each lane the entry, with its sign, that the lane's digit at `position` says.
///
/// # Safety
/// The CPU has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline]
unsafe fn pick(l: X8, rows: &[[LimbRow; 2]; LIMBS], digits: &[[u64; 8]; 4], position: usize) -> Niels<Fe> {
    let (word, shift) = (5 * position / 64, 5 * position % 64);
    // A group that reaches into the next word gets its upper bits from there; a shift by 64 gives zero.
    let next = &digits[(word + 1).min(3)];
    // SAFETY: both are 64 bytes.
    let (low, high) = unsafe {
        (_mm512_loadu_si512(digits[word].as_ptr().cast()), _mm512_loadu_si512(next.as_ptr().cast()))
    };
    #[expect(clippy::cast_possible_wrap, reason = "at most 64")]
    let (down, up) = (_mm_cvtsi64_si128(shift as i64), _mm_cvtsi64_si128(64 - shift as i64));
    let groups = _mm512_or_si512(_mm512_srl_epi64(low, down), _mm512_sll_epi64(high, up));
    let negative = _mm512_testn_epi64_mask(groups, _mm512_set1_epi64(16));
    // The permutation looks at the low four bits of an index.
    let entry = _mm512_xor_si512(groups, _mm512_movm_epi64(negative));
    let mut found = [_mm512_setzero_si512(); LIMBS];
    let mut i = 0;
    while i < LIMBS {
        // SAFETY: a row is 64 bytes, aligned.
        let (lower, upper) = unsafe {
            (_mm512_load_si512(rows[i][0].0.as_ptr().cast()), _mm512_load_si512(rows[i][1].0.as_ptr().cast()))
        };
        found[i] = _mm512_permutex2var_epi64(lower, entry, upper);
        i += 1;
    }
    niels(&found).negate_if(l, negative, &Fe([_mm512_setzero_si512(); 5]))
}
