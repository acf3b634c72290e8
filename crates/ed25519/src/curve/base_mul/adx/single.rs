//! One product: all entries of a position are read, and masks keep one.

use super::entries::{signed, store};
use crate::curve::base_mul::digits::Digits;
use crate::curve::base_tables::{self, WordsRow};
use crate::curve::point::{HalvedNiels, Projective};
use crate::fields::p25519::{Element, Fe1 as Fe, X1};
use crate::fields::scalar25519::Scalar;
use core::arch::x86_64::{
    _MM_HINT_T0, _mm_prefetch, _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_load_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sub_epi64,
};
use phalanx_core::simd::Adx;

/// Digits of 5 bits: a row of the table for each of 51 positions, and no doubling at all.
const BITS: u32 = 5;
const POSITIONS: usize = 51;

/// [s]B.
pub(in super::super) fn base_mul(witness: Adx, s: &Scalar) -> Projective<Element> {
    let mut sum = Projective { x: Element::ZERO, y: Element::ZERO, z: Element::ZERO };
    // SAFETY: the witness proves AVX2, too.
    unsafe { run(X1(witness), base_tables::signing_words(), &Digits::new(s, BITS, 51), &mut sum) };
    sum
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn run(l: X1, table: &[[WordsRow; 16]; POSITIONS], digits: &Digits, to: &mut Projective<Element>) {
    let mut sum = scan(&table[0], digits.radix32(0)).summable(l);
    let mut position = 1;
    while position < POSITIONS {
        let entry = scan(&table[position], digits.radix32(position));
        if position + 1 < POSITIONS {
            prefetch(&table[position + 1]);
        }
        sum = sum.add_halved(l, &entry).summable(l);
        position += 1;
    }
    store(l, &sum, to);
}

/// All cache lines of a row that is read next: the table is larger than the nearest cache.
#[inline(always)]
fn prefetch(row: &[WordsRow; 16]) {
    let mut at = 0;
    while at < size_of_val(row) {
        // SAFETY: every CPU of x86-64 has the instruction, which reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(row).cast::<i8>().wrapping_add(at)) };
        at += 64;
    }
}

/// The entry with its sign, after reading all of the row.
#[inline]
#[target_feature(enable = "avx2")]
fn scan(row: &[WordsRow; 16], (entry, negative): (u64, u64)) -> HalvedNiels<Fe> {
    let mut left = _mm256_set1_epi64x(entry.cast_signed());
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi64x(1));
    let [mut plus, mut minus, mut xyd] = [zero; 3];
    let mut i = 0;
    while i < 16 {
        let mask = _mm256_cmpeq_epi64(left, zero);
        let of = |coordinate: usize| {
            // SAFETY: a coordinate is 32 bytes, aligned.
            let words = unsafe { _mm256_load_si256(row[i].0[coordinate].as_ptr().cast()) };
            _mm256_and_si256(mask, words)
        };
        plus = _mm256_or_si256(plus, of(0));
        minus = _mm256_or_si256(minus, of(1));
        xyd = _mm256_or_si256(xyd, of(2));
        left = _mm256_sub_epi64(left, one);
        i += 1;
    }
    signed([plus, minus, xyd], negative)
}
