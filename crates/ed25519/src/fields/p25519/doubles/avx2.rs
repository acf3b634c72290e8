//! Vectors of AVX2 and FMA: four lanes.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::vectors::{Constants, Vectors, carry_pass, intrinsics, steps};
use super::{BIAS, Doubles, EXCESS, EXCESS_0, Limbs, MASK, PRODUCT, SQUARE, TWO_52};
use crate::fields::p25519::element::Element;
use crate::fields::p25519::four_lanes::{Columns, FourLanes, Lacks, Offsets};
use crate::fields::p25519::lanes::{FieldLanes, MAX_LANES};
use core::arch::x86_64::*;
use phalanx_core::simd::{Avx2, in_order_ymm};

impl Vectors for Avx2 {
    const COUNT: usize = 4;
    type Doubles = __m256d;
    type Integers = __m256i;

    #[inline(always)]
    fn double(self, value: f64) -> __m256d {
        // SAFETY: `self` is the proof of AVX2 and FMA.
        unsafe { _mm256_set1_pd(value) }
    }

    #[inline(always)]
    fn integer(self, value: i64) -> __m256i {
        // SAFETY: `self` is the proof of AVX2 and FMA.
        unsafe { _mm256_set1_epi64x(value) }
    }

    #[inline(always)]
    fn load(self, row: &[i64; MAX_LANES]) -> __m256i {
        // SAFETY: `self` is the proof of AVX2 and FMA, and a row has as many bytes or more.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, value: __m256i, row: &mut [i64; MAX_LANES]) {
        // SAFETY: `self` is the proof of AVX2 and FMA, and a row has as many bytes or more.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), value) }
    }

    intrinsics! {
        plus(a: Doubles, b: Doubles) -> Doubles = _mm256_add_pd(a, b);
        minus(a: Doubles, b: Doubles) -> Doubles = _mm256_sub_pd(a, b);
        or(a: Doubles, b: Doubles) -> Doubles = _mm256_or_pd(a, b);
        bits(a: Doubles) -> Integers = _mm256_castpd_si256(a);
        of_bits(a: Integers) -> Doubles = _mm256_castsi256_pd(a);
        add(a: Integers, b: Integers) -> Integers = _mm256_add_epi64(a, b);
        sub(a: Integers, b: Integers) -> Integers = _mm256_sub_epi64(a, b);
    }

    steps! { "avx2,fma", __m256d, __m256i, in_order_ymm:
        _mm256_set1_pd _mm256_fmadd_pd _mm256_sub_pd _mm256_or_pd _mm256_castpd_si256 _mm256_castsi256_pd
        _mm256_set1_epi64x _mm256_add_epi64 _mm256_and_si256 _mm256_srli_epi64 _mm256_slli_epi64 _mm256_mul_epu32
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: __m256d, set: __m256d) -> __m256d {
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            let bits = _mm256_set_epi64x(8, 4, 2, 1);
            let mask = _mm256_and_si256(_mm256_set1_epi64x(i64::from(mask)), bits);
            _mm256_blendv_pd(clear, set, _mm256_castsi256_pd(_mm256_cmpeq_epi64(mask, bits)))
        }
    }
}

carry_pass! { "avx2,fma", __m256d, __m256i:
    _mm256_sub_pd _mm256_or_pd _mm256_castsi256_pd _mm256_set1_pd
    _mm256_set1_epi64x _mm256_add_epi64 _mm256_and_si256 _mm256_srli_epi64 _mm256_mul_epu32
}

/// Limbs stand in [`Columns`] as the bit patterns of their doubles.
impl FourLanes for Doubles<Avx2> {
    const PRODUCTS: Lacks = lacks(&PRODUCT);
    const SQUARES: Lacks = lacks(&SQUARE);

    #[inline(always)]
    fn load(self, elements: &[Element; 4]) -> Columns {
        bits(self, &FieldLanes::load(self, elements))
    }

    #[inline(always)]
    fn store(self, limbs: &Columns) -> [Element; 4] {
        let mut elements = [Element::ZERO; 4];
        FieldLanes::store(self, &of_bits(self, limbs), &mut elements);
        elements
    }

    #[inline(always)]
    fn canonical(self, limbs: &Columns) -> Columns {
        bits(self, &Self::canonical(self, of_bits(self, limbs).0))
    }

    #[inline(always)]
    fn widen(self, elements: &[Element; 4]) -> Columns {
        let (v, mut columns) =
            (self.0, self.settled(FieldLanes::widen(self, &FieldLanes::load(self, elements))));
        for (column, surplus) in columns.iter_mut().zip(PRODUCT) {
            *column = v.add(*column, v.integer(surplus));
        }
        columns
    }

    #[inline(always)]
    fn mul(self, a: &Columns, b: &Columns) -> Columns {
        FieldLanes::mul(self, &of_bits(self, a), &of_bits(self, b)).sums
    }

    #[inline(always)]
    fn square(self, a: &Columns) -> Columns {
        FieldLanes::square(self, &of_bits(self, a)).sums
    }

    #[inline(always)]
    fn reduce(self, columns: &Columns, Offsets(rows): &Offsets) -> Columns {
        let (v, mut sums) = (self.0, *columns);
        for (sum, row) in sums.iter_mut().zip(rows) {
            // SAFETY: the witness proves AVX, and a row is 32 bytes, aligned.
            *sum = v.add(*sum, unsafe { _mm256_load_si256(row.as_ptr().cast()) });
        }
        bits(self, &Limbs(v.carry_biased(&sums)))
    }
}

/// What columns with this surplus lack. A complement is -x - 1, for an x that has the surplus in it.
const fn lacks(surplus: &[i64; 5]) -> Lacks {
    let mut lacks = Lacks { always: [BIAS; 5], added: [0; 5], complements: [0; 5] };
    let mut i = 0;
    while i < 5 {
        lacks.added[i] = surplus[i].wrapping_neg();
        lacks.complements[i] = surplus[i].wrapping_add(1);
        i += 1;
    }
    lacks
}

#[inline(always)]
fn bits(l: Doubles<Avx2>, limbs: &Limbs<Avx2>) -> Columns {
    let ([l0, l1, l2, l3, l4], v) = (limbs.0, l.0);
    [v.bits(l0), v.bits(l1), v.bits(l2), v.bits(l3), v.bits(l4)]
}

#[inline(always)]
fn of_bits(l: Doubles<Avx2>, limbs: &Columns) -> Limbs<Avx2> {
    let ([l0, l1, l2, l3, l4], v) = (*limbs, l.0);
    Limbs([v.of_bits(l0), v.of_bits(l1), v.of_bits(l2), v.of_bits(l3), v.of_bits(l4)])
}
