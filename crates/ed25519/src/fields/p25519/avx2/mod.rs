//! Four elements in AVX2 lanes: limbs are doubles, and a fused multiply-add gives both halves of a product exactly.
//!
//! The mathematics, with the proof that nothing is rounded away, is docs/p25519.md, "AVX2: products by fused
//! multiply-add". In short: with h = round(a b / 2^51), `fma(a, b, 3 * 2^102)` is 3 * 2^102 + 2^51 h, and a second
//! fused multiply-add yields 3 * 2^51 + (a b - 2^51 h). The bit patterns of these doubles, as integers, are h and
//! a b - 2^51 h plus constants, so they are summed into 64-bit columns as they stand.
//!
//! For public data only: verification. The time of floating-point instructions on integers of this size is not known to
//! vary, but no vendor promises it, so secrets go through the portable field.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

#[cfg(test)]
mod tests;

use super::element::Element;
use super::lanes::{FieldLanes, Single};
use core::arch::x86_64::*;
use phalanx_core::simd::{Avx2, in_order_ymm};

/// An element in each lane: five limbs of radix 2^51, signed integers held as doubles.
///
/// Bounds: |limb| is at most 2^50 + 2^14 after [`FieldLanes::reduce`], and below 2^51 after [`X4::canonical`]; a
/// product takes one factor of the second kind, a square none. What the proof needs is |a_i b_j| at most 2^102, and
/// half of that in a square.
#[derive(Clone, Copy)]
pub(crate) struct Limbs(pub(crate) [__m256d; 5]);

/// Columns of radix 2^51 in each lane, signed 64-bit integers: weight w is below 2^58 w in magnitude.
#[derive(Clone, Copy)]
pub(crate) struct Columns([__m256i; 5]);

/// The engine of four lanes. Holds the proof that the CPU has AVX2 and FMA.
#[derive(Clone, Copy)]
pub(crate) struct X4(pub(crate) Avx2);

/// What pulls the upper half of a product out: doubles near it are 2^51 apart.
const UPPER: f64 = 3.0 * (1u128 << 102) as f64;
/// What pulls the lower half out: doubles near it are 1 apart.
const LOWER: f64 = 3.0 * (1u128 << 51) as f64;
/// Their sum is a double, since LOWER is a multiple of 2^51.
const BOTH: f64 = UPPER + LOWER;

/// How many lower halves fall into each of the ten columns of a product, and of a square. As many upper halves fall
/// into the next column.
const PRODUCT_TERMS: [u64; 10] = [1, 2, 3, 4, 5, 4, 3, 2, 1, 0];
const SQUARE_TERMS: [u64; 10] = [1, 1, 2, 2, 3, 2, 2, 1, 1, 0];

/// What the bit patterns of `LOWER` and `UPPER` alone come to in the five folded columns, modulo 2^64.
const fn surplus(terms: [u64; 10]) -> [i64; 5] {
    let mut surplus = [0; 5];
    let mut k = 0;
    while k < 5 {
        let lower = terms[k] + 19 * terms[k + 5];
        let upper = 19 * terms[k + 4] + if k == 0 { 0 } else { terms[k - 1] };
        let sum = LOWER.to_bits().wrapping_mul(lower).wrapping_add(UPPER.to_bits().wrapping_mul(upper));
        surplus[k] = sum.cast_signed();
        k += 1;
    }
    surplus
}

const PRODUCT: [i64; 5] = surplus(PRODUCT_TERMS);
const SQUARE: [i64; 5] = surplus(SQUARE_TERMS);

const MASK: i64 = (1 << 51) - 1;
/// Makes columns positive, and rounds their quotients by 2^51 to the nearest.
const BIAS: i64 = (1 << 62) + (1 << 50);
/// 2^52, whose bit pattern OR a smaller integer is the double 2^52 plus that integer.
const TWO_52: f64 = (1u64 << 52) as f64;
/// What a limb carries too much before it is one: 2^52, the rounding, and the share of the bias in the carry.
const EXCESS: f64 = ((1u64 << 52) + (1 << 50) + (1 << 11)) as f64;
/// The same for the limb that receives 19 times the last carry.
const EXCESS_0: f64 = ((1u64 << 52) + (1 << 50) + 19 * (1 << 11)) as f64;

/// Ten columns, while products are added to them.
struct Sum {
    columns: [__m256i; 10],
    upper: __m256d,
    both: __m256d,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn new() -> Self {
        Self {
            columns: [_mm256_setzero_si256(); 10],
            upper: _mm256_set1_pd(UPPER),
            both: _mm256_set1_pd(BOTH),
        }
    }

    /// Adds the halves of a b to columns k and k + 1, with the surplus of their bit patterns.
    ///
    /// Left alone, the optimiser gathers all sums behind all products, and the halves go through memory: a doubling
    /// then took 450 cycles instead of 340 (Zen 5, November 2026). So it is told that each sum changes the constant
    /// that the next product needs, and that products stay in the order written.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn add_product(&mut self, k: usize, a: __m256d, b: __m256d) {
        let (lower, upper) = split(a, b, self.upper, self.both);
        let (low, high) =
            (_mm256_add_epi64(self.columns[k], lower), _mm256_add_epi64(self.columns[k + 1], upper));
        (self.columns[k], self.columns[k + 1], self.upper) = in_order_ymm(low, high, self.upper);
    }

    /// Ten columns to five, 2^255 being 19, less the surplus.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn fold(self, surplus: &[i64; 5]) -> Columns {
        let mut folded = [_mm256_setzero_si256(); 5];
        let mut k = 0;
        while k < 5 {
            let (low, high) = (self.columns[k], self.columns[k + 5]);
            let thrice = _mm256_add_epi64(_mm256_add_epi64(high, high), high);
            let low = _mm256_sub_epi64(low, _mm256_set1_epi64x(surplus[k]));
            folded[k] = _mm256_add_epi64(_mm256_add_epi64(low, thrice), _mm256_slli_epi64::<4>(high));
            k += 1;
        }
        Columns(folded)
    }
}

/// Both halves of a product as bit patterns: of `LOWER` plus the lower, of `UPPER` plus 2^51 times the upper.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn split(a: __m256d, b: __m256d, constant: __m256d, both: __m256d) -> (__m256i, __m256i) {
    let upper = _mm256_fmadd_pd(a, b, constant);
    let lower = _mm256_fmadd_pd(a, b, _mm256_sub_pd(both, upper));
    (_mm256_castpd_si256(lower), _mm256_castpd_si256(upper))
}

impl X4 {
    /// The element whose canonical limbs, each below 2^51, are given as integers in the bits of `limbs`. It is not
    /// reduced: see [`Limbs`].
    #[inline(always)]
    pub(crate) fn canonical(self, limbs: [__m256d; 5]) -> Limbs {
        let mut doubles = limbs;
        for k in 0..5 {
            // SAFETY: `self` holds the proof of AVX2.
            doubles[k] = unsafe {
                let two_52 = _mm256_set1_pd(TWO_52);
                _mm256_sub_pd(_mm256_or_pd(limbs[k], two_52), two_52)
            };
        }
        Limbs(doubles)
    }
}

impl FieldLanes for X4 {
    const COUNT: usize = 4;
    type Fe = Limbs;
    type Wide = Columns;

    #[inline(always)]
    fn splat(self, element: &Element) -> Limbs {
        let [l0, l1, l2, l3, l4] = element.0.map(u64::cast_signed);
        // SAFETY: `self` holds the proof of AVX2.
        let columns = unsafe {
            [
                _mm256_set1_epi64x(l0),
                _mm256_set1_epi64x(l1),
                _mm256_set1_epi64x(l2),
                _mm256_set1_epi64x(l3),
                _mm256_set1_epi64x(l4),
            ]
        };
        self.reduce(Columns(columns))
    }

    #[inline(always)]
    fn load(self, elements: &[Element]) -> Limbs {
        let [a, b, c, d] = [&elements[0].0, &elements[1].0, &elements[2].0, &elements[3].0];
        // SAFETY: `self` holds the proof of AVX2.
        let mut columns = unsafe { [_mm256_setzero_si256(); 5] };
        for k in 0..5 {
            let [a, b, c, d] =
                [a[k].cast_signed(), b[k].cast_signed(), c[k].cast_signed(), d[k].cast_signed()];
            // SAFETY: `self` holds the proof of AVX2.
            columns[k] = unsafe { _mm256_set_epi64x(d, c, b, a) };
        }
        self.reduce(Columns(columns))
    }

    #[inline(always)]
    fn store(self, value: &Limbs, elements: &mut [Element]) {
        // 2 p, limb by limb: more than any negative limb, and the sum is below 2^53.
        const TWO_P: [i64; 5] = [2 * (MASK - 18), 2 * MASK, 2 * MASK, 2 * MASK, 2 * MASK];
        let columns = self.widen(value).0;
        for k in 0..5 {
            // SAFETY: `self` holds the proof of AVX2.
            let lanes: [u64; 4] =
                unsafe { core::mem::transmute(_mm256_add_epi64(columns[k], _mm256_set1_epi64x(TWO_P[k]))) };
            for (element, limb) in elements[..4].iter_mut().zip(lanes) {
                element.0[k] = limb;
            }
        }
        for element in &mut elements[..4] {
            *element = Single.reduce(Single.widen(element));
        }
    }

    #[inline(always)]
    fn mul(self, a: &Limbs, b: &Limbs) -> Columns {
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a.0, b.0);
        // SAFETY: `self` holds the proof of AVX2 and FMA.
        unsafe {
            // Column after column, and no loop: the optimiser leaves loops over columns as loops.
            let mut s = Sum::new();
            s.add_product(0, a0, b0);
            s.add_product(1, a0, b1);
            s.add_product(1, a1, b0);
            s.add_product(2, a0, b2);
            s.add_product(2, a1, b1);
            s.add_product(2, a2, b0);
            s.add_product(3, a0, b3);
            s.add_product(3, a1, b2);
            s.add_product(3, a2, b1);
            s.add_product(3, a3, b0);
            s.add_product(4, a0, b4);
            s.add_product(4, a1, b3);
            s.add_product(4, a2, b2);
            s.add_product(4, a3, b1);
            s.add_product(4, a4, b0);
            s.add_product(5, a1, b4);
            s.add_product(5, a2, b3);
            s.add_product(5, a3, b2);
            s.add_product(5, a4, b1);
            s.add_product(6, a2, b4);
            s.add_product(6, a3, b3);
            s.add_product(6, a4, b2);
            s.add_product(7, a3, b4);
            s.add_product(7, a4, b3);
            s.add_product(8, a4, b4);
            s.fold(&PRODUCT)
        }
    }

    #[inline(always)]
    fn square(self, a: &Limbs) -> Columns {
        let [a0, a1, a2, a3, a4] = a.0;
        // SAFETY: `self` holds the proof of AVX2 and FMA.
        unsafe {
            let (d0, d1) = (_mm256_add_pd(a0, a0), _mm256_add_pd(a1, a1));
            let (d2, d3) = (_mm256_add_pd(a2, a2), _mm256_add_pd(a3, a3));
            let mut s = Sum::new();
            s.add_product(0, a0, a0);
            s.add_product(1, d0, a1);
            s.add_product(2, d0, a2);
            s.add_product(2, a1, a1);
            s.add_product(3, d0, a3);
            s.add_product(3, d1, a2);
            s.add_product(4, d0, a4);
            s.add_product(4, d1, a3);
            s.add_product(4, a2, a2);
            s.add_product(5, d1, a4);
            s.add_product(5, d2, a3);
            s.add_product(6, d2, a4);
            s.add_product(6, a3, a3);
            s.add_product(7, d3, a4);
            s.add_product(8, a4, a4);
            s.fold(&SQUARE)
        }
    }

    #[inline(always)]
    fn widen(self, a: &Limbs) -> Columns {
        // SAFETY: `self` holds the proof of AVX2.
        unsafe {
            let lower = _mm256_set1_pd(LOWER);
            let (mut columns, mut k) = ([_mm256_castpd_si256(lower); 5], 0);
            while k < 5 {
                let bits = _mm256_castpd_si256(_mm256_add_pd(a.0[k], lower));
                columns[k] = _mm256_sub_epi64(bits, columns[k]);
                k += 1;
            }
            Columns(columns)
        }
    }

    #[inline(always)]
    fn add(self, a: Columns, b: Columns) -> Columns {
        let mut sum = a;
        for k in 0..5 {
            // SAFETY: `self` holds the proof of AVX2.
            sum.0[k] = unsafe { _mm256_add_epi64(a.0[k], b.0[k]) };
        }
        sum
    }

    #[inline(always)]
    fn sub(self, a: Columns, b: Columns) -> Columns {
        let mut difference = a;
        for k in 0..5 {
            // SAFETY: `self` holds the proof of AVX2.
            difference.0[k] = unsafe { _mm256_sub_epi64(a.0[k], b.0[k]) };
        }
        difference
    }

    #[inline(always)]
    fn reduce(self, a: Columns) -> Limbs {
        // SAFETY: `self` holds the proof of AVX2.
        unsafe {
            let (mask, bias) = (_mm256_set1_epi64x(MASK), _mm256_set1_epi64x(BIAS));
            let x0 = _mm256_add_epi64(a.0[0], bias);
            let x1 = _mm256_add_epi64(a.0[1], bias);
            let x2 = _mm256_add_epi64(a.0[2], bias);
            let x3 = _mm256_add_epi64(a.0[3], bias);
            let x4 = _mm256_add_epi64(a.0[4], bias);
            // The last carry is below 2^13: its product with 19 fits the 32-bit multiply.
            let carry = _mm256_mul_epu32(_mm256_srli_epi64::<51>(x4), _mm256_set1_epi64x(19));
            Limbs([
                limb(_mm256_and_si256(x0, mask), carry, EXCESS_0),
                limb(_mm256_and_si256(x1, mask), _mm256_srli_epi64::<51>(x0), EXCESS),
                limb(_mm256_and_si256(x2, mask), _mm256_srli_epi64::<51>(x1), EXCESS),
                limb(_mm256_and_si256(x3, mask), _mm256_srli_epi64::<51>(x2), EXCESS),
                limb(_mm256_and_si256(x4, mask), _mm256_srli_epi64::<51>(x3), EXCESS),
            ])
        }
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: &Limbs, set: &Limbs) -> Limbs {
        let mut chosen = *clear;
        // SAFETY: `self` holds the proof of AVX2.
        unsafe {
            let bits = _mm256_set_epi64x(8, 4, 2, 1);
            let mask = _mm256_and_si256(_mm256_set1_epi64x(i64::from(mask)), bits);
            let mask = _mm256_castsi256_pd(_mm256_cmpeq_epi64(mask, bits));
            for k in 0..5 {
                chosen.0[k] = _mm256_blendv_pd(clear.0[k], set.0[k], mask);
            }
        }
        chosen
    }
}

/// The double `kept + carry - (excess - 2^52)`, for integers with a sum below 2^52.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn limb(kept: __m256i, carry: __m256i, excess: f64) -> __m256d {
    // SAFETY: the caller vouches for AVX2.
    unsafe {
        let sum = _mm256_castsi256_pd(_mm256_add_epi64(kept, carry));
        _mm256_sub_pd(_mm256_or_pd(sum, _mm256_set1_pd(TWO_52)), _mm256_set1_pd(excess))
    }
}
