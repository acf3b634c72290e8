//! Eight products side by side, one to a lane, on AVX-512 with IFMA or without. The sixteen entries of a position stand
//! in two registers for each limb, and a permutation of registers picks for every lane the entry that its digit says.
#![expect(unsafe_code, reason = "intrinsics and loads, on the strength of a witness")]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use super::registers::{Stored, lane, store_limbs};
use crate::curve::base_mul::digits::Digits;
use crate::curve::base_tables::{self, LimbRow, NIELS_LIMBS as LIMBS};
use crate::curve::point::{Niels, Projective};
use crate::fields::p25519::{Element, Fe8, FieldLanes, X8, X8Halves};
use crate::fields::scalar25519::Scalar;
use core::arch::x86_64::{
    __m512i, __mmask8, _mm_cvtsi64_si128, _mm512_load_si512, _mm512_loadu_si512, _mm512_movm_epi64,
    _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_sll_epi64,
    _mm512_srl_epi64, _mm512_testn_epi64_mask, _mm512_xor_si512,
};
use phalanx_core::simd::{Avx512, Ifma, Kernel, Witness};

const BITS: u32 = 5;
const POSITIONS: usize = 51;

/// What has eight lanes of elements.
pub(super) trait Eight: Witness {
    /// The field in them.
    type Lanes: FieldLanes;

    fn lanes(self) -> Self::Lanes;

    /// From limbs of radix 2^51, as they stand in tables.
    fn of_limbs(self, limbs: [__m512i; 5]) -> <Self::Lanes as FieldLanes>::Fe;

    /// The limbs of radix 2^51, at most 2^51 + 2^15.
    fn limbs(self, fe: &<Self::Lanes as FieldLanes>::Fe) -> [__m512i; 5];
}

impl Eight for Ifma {
    type Lanes = X8;

    #[inline(always)]
    fn lanes(self) -> X8 {
        X8(self)
    }

    #[inline(always)]
    fn of_limbs(self, limbs: [__m512i; 5]) -> Fe8 {
        Fe8(limbs)
    }

    #[inline(always)]
    fn limbs(self, fe: &Fe8) -> [__m512i; 5] {
        fe.0
    }
}

impl Eight for Avx512 {
    type Lanes = X8Halves;

    #[inline(always)]
    fn lanes(self) -> X8Halves {
        X8Halves(self)
    }

    #[inline(always)]
    fn of_limbs(self, limbs: [__m512i; 5]) -> <X8Halves as FieldLanes>::Fe {
        X8Halves(self).of_limbs(limbs)
    }

    #[inline(always)]
    fn limbs(self, fe: &<X8Halves as FieldLanes>::Fe) -> [__m512i; 5] {
        X8Halves(self).limbs(fe)
    }
}

/// Position, limb, half: the entries 0 to 7, then 8 to 15.
type Table = [[[LimbRow; 2]; LIMBS]; POSITIONS];

/// [`scalars[i]`]B to `points[i]`, in whole groups and in one more of at least `min_group`; how many that were.
pub(super) fn base_mul_many(
    witness: impl Eight,
    min_group: usize,
    scalars: &[Scalar],
    points: &mut [Projective<Element>],
) -> usize {
    let mut done = 0;
    let table = base_tables::signing_batch8();
    let mut stored: Stored = [[0; 8]; LIMBS];
    for (scalars, points) in scalars.chunks(8).zip(points.chunks_mut(8)) {
        if scalars.len() < min_group {
            break;
        }
        // Empty lanes take the scalar 0.
        let mut digits = [[0; 8]; 4];
        for (lane, s) in scalars.iter().enumerate() {
            for (row, word) in digits.iter_mut().zip(Digits::new(s, BITS, 51).0) {
                row[lane] = word;
            }
        }
        witness.enter(Group { table, digits: &digits, to: &mut stored });
        for (i, point) in points.iter_mut().enumerate() {
            *point = lane(&stored, i);
        }
        done += scalars.len();
    }
    done
}

/// Eight products, to be entered.
struct Group<'a> {
    table: &'a Table,
    digits: &'a [[u64; 8]; 4],
    to: &'a mut Stored,
}

impl<E: Eight> Kernel<E> for Group<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, witness: E) {
        let Self { table, digits, to } = self;
        let l = witness.lanes();
        let mut sum = pick(witness, &table[0], digits, 0).summable(l);
        let mut position = 1;
        while position < POSITIONS {
            sum = sum.add_niels(l, &pick(witness, &table[position], digits, position)).summable(l);
            position += 1;
        }
        let Projective { x, y, z } = sum.projective(l);
        // SAFETY: the witness proves AVX-512 F.
        unsafe { store_limbs([witness.limbs(&x), witness.limbs(&y), witness.limbs(&z)], to) };
    }
}

/// In each lane the entry, with its sign, that the lane's digit at `position` says.
#[inline(always)]
fn pick<E: Eight>(
    witness: E,
    rows: &[[LimbRow; 2]; LIMBS],
    digits: &[[u64; 8]; 4],
    position: usize,
) -> Niels<<E::Lanes as FieldLanes>::Fe> {
    // SAFETY: every witness of eight lanes proves AVX-512 F and DQ.
    let (found, negative) = unsafe { entries(rows, digits, position) };
    let [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = found;
    let l = witness.lanes();
    let entry = Niels {
        y_plus_x: witness.of_limbs([f0, f1, f2, f3, f4]),
        y_minus_x: witness.of_limbs([f5, f6, f7, f8, f9]),
        xy2d: witness.of_limbs([f10, f11, f12, f13, f14]),
    };
    entry.negate_if(l, negative, &l.splat(&Element::ZERO))
}

/// The limbs of the entries that the digits at `position` say, and which are negative.
///
/// # Safety
/// The CPU has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
unsafe fn entries(
    rows: &[[LimbRow; 2]; LIMBS],
    digits: &[[u64; 8]; 4],
    position: usize,
) -> ([__m512i; LIMBS], __mmask8) {
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
    (found, negative)
}
