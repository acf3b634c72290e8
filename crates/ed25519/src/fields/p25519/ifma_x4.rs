//! Four elements side by side in vectors of 256 bits, by the products of AVX-512 IFMA: where every operation waits for
//! the one before.
//!
//! Bounds and formulas are those of [`super::ifma`]. The vectors are short because CPUs that work off 512 bits in two
//! turns (Zen 4) have twice as many operations of this width in flight; and what is multiplied by 19 is added up, since
//! that is the shorter wait everywhere. docs/p25519.md, section 3, has the measurements.
#![expect(unsafe_code, reason = "entry into compiled code, on the strength of a witness")]

use super::element::Element;
use super::four_lanes::{Columns as Fe, FourLanes, Lacks, Offsets};
use super::ifma::BIAS;
use super::power::pow_2_250_minus_1;
use core::arch::x86_64::{
    _mm256_add_epi64, _mm256_and_si256, _mm256_load_si256, _mm256_madd52hi_epu64, _mm256_madd52lo_epu64,
    _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_storeu_si256,
};
use phalanx_core::simd::{Ifma, opaque_ymm};

/// Four lanes. Holding one proves that the instructions exist. Limbs are below 2^51 + 2^15.
#[derive(Clone, Copy)]
pub(crate) struct X4(pub(crate) Ifma);

/// x^((p - 5) / 8) of both, as [`Element::pow_p58`].
pub(crate) fn pow_p58_x2(witness: Ifma, x: &mut [Element; 2]) {
    // SAFETY: the witness proves the instructions.
    unsafe { powers(X4(witness), x) };
}

#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline(never)]
fn powers(l: X4, x: &mut [Element; 2]) {
    let one = l.load(&[x[0], x[1], Element::ZERO, Element::ZERO]);
    let (p250, _) = pow_2_250_minus_1(&one, &carried(&square(&one)), |a, count, b| power(a, count, b));
    let [first, second, ..] = l.store(&power(&p250, 2, &one));
    *x = [first, second];
}

/// x^(2^count) y.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline(never)]
fn power(x: &Fe, count: u32, y: &Fe) -> Fe {
    let (mut x, mut i) = (*x, 0);
    while i < count {
        x = carried(&square(&x));
        i += 1;
    }
    carried(&folded(&low_columns(&x, y), &high_columns(&x, y)))
}

impl FourLanes for X4 {
    const PRODUCTS: Lacks = Lacks {
        always: [0; 5],
        added: [0; 5],
        complements: [BIAS[0] + 1, BIAS[1] + 1, BIAS[2] + 1, BIAS[3] + 1, BIAS[4] + 1],
    };
    const SQUARES: Lacks = Self::PRODUCTS;

    #[inline(always)]
    fn load(self, elements: &[Element; 4]) -> Fe {
        let [e0, e1, e2, e3] = elements.map(|element| element.0.map(u64::cast_signed));
        // SAFETY: the witness proves AVX.
        let limb = |i: usize| unsafe { _mm256_set_epi64x(e3[i], e2[i], e1[i], e0[i]) };
        [limb(0), limb(1), limb(2), limb(3), limb(4)]
    }

    #[inline(always)]
    fn store(self, limbs: &Fe) -> [Element; 4] {
        let mut rows = [[0u64; 4]; 5];
        for (row, limb) in rows.iter_mut().zip(limbs) {
            // SAFETY: the witness proves AVX, and a row is 32 bytes.
            unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), *limb) };
        }
        core::array::from_fn(|lane| Element(rows.map(|row| row[lane])))
    }

    #[inline(always)]
    fn canonical(self, limbs: &Fe) -> Fe {
        *limbs
    }

    #[inline(always)]
    fn widen(self, elements: &[Element; 4]) -> Fe {
        self.load(elements)
    }

    #[inline(always)]
    fn mul(self, a: &Fe, b: &Fe) -> Fe {
        // SAFETY: the witness proves the instructions.
        unsafe {
            let high = high_columns(a, b);
            folded(&low_columns(a, b), &high)
        }
    }

    #[inline(always)]
    fn square(self, a: &Fe) -> Fe {
        // SAFETY: the witness proves the instructions.
        unsafe { square(a) }
    }

    #[inline(always)]
    fn reduce(self, columns: &Fe, offsets: &Offsets) -> Fe {
        // SAFETY: the witness proves the instructions.
        unsafe { carried(&plus_offsets(columns, offsets)) }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn plus_offsets(columns: &Fe, Offsets(rows): &Offsets) -> Fe {
    // SAFETY: a row is 32 bytes, aligned.
    let plus = |i: usize| unsafe { _mm256_add_epi64(columns[i], _mm256_load_si256(rows[i].as_ptr().cast())) };
    [plus(0), plus(1), plus(2), plus(3), plus(4)]
}

/// The sum of the low or of the high halves of products: `sum!(intrinsic: a b, c d)`.
macro_rules! sum {
    ($half:ident: $($a:ident $b:ident),+) => {{
        let sum = _mm256_setzero_si256();
        $(let sum = $half(sum, $a, $b);)+
        sum
    }};
}

#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn square(a: &Fe) -> Fe {
    let ([a0, a1, a2, a3, a4], z) = (*a, _mm256_setzero_si256());
    let (lo, hi) =
        (|acc, a, b| _mm256_madd52lo_epu64(acc, a, b), |acc, a, b| _mm256_madd52hi_epu64(acc, a, b));
    let (plus, twice) = (|a, b| _mm256_add_epi64(a, b), |a| _mm256_add_epi64(a, a));
    let four = |a| _mm256_slli_epi64::<2>(a);
    // High halves of products of different limbs count four times, low halves of squares of limbs once, and the rest
    // twice. First what the longest way is left for: column 4, whose carry goes nineteenfold to column 0, and columns
    // 5 to 9. Sums of two products where there is time for one to wait for the other.
    let (x9, s4) = (hi(z, a4, a4), lo(z, a2, a2));
    let (x4, h4) = (lo(lo(z, a0, a4), a1, a3), hi(hi(z, a0, a3), a1, a2));
    let (x5, h5) = (lo(lo(z, a1, a4), a2, a3), hi(hi(z, a0, a4), a1, a3));
    let (x6, h6) = (lo(z, a2, a4), hi(hi(z, a1, a4), a2, a3));
    let (y5, s6) = (hi(z, a2, a2), lo(z, a3, a3));
    let (x7, h7, y7) = (lo(z, a3, a4), hi(z, a2, a4), hi(z, a3, a3));
    let (s8, h8) = (lo(z, a4, a4), hi(z, a3, a4));
    let high = [
        plus(twice(plus(x5, y5)), four(h5)),
        plus(plus(s6, twice(x6)), four(h6)),
        plus(twice(plus(x7, y7)), four(h7)),
        plus(s8, four(h8)),
        twice(x9),
    ];
    let (x3, y3, z3, h3) = (lo(z, a0, a3), lo(z, a1, a2), hi(z, a1, a1), hi(z, a0, a2));
    let (x2, h2, s2) = (lo(z, a0, a2), hi(z, a0, a1), lo(z, a1, a1));
    let (x1, y1, s0) = (lo(z, a0, a1), hi(z, a0, a0), lo(z, a0, a0));
    let low = [
        s0,
        twice(plus(x1, y1)),
        plus(plus(s2, twice(x2)), four(h2)),
        twice(plus(plus(x3, y3), plus(z3, twice(h3)))),
        plus(plus(s4, twice(x4)), four(h4)),
    ];
    folded(&low, &high)
}

/// Columns 5 to 9 of a product. They come first, so that their folding runs beside the rest.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn high_columns(a: &Fe, b: &Fe) -> Fe {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (*a, *b);
    // lo_k is column k, hi_k, which counts twice, column k + 1.
    let hi_4 = sum!(_mm256_madd52hi_epu64: a1 b3, a2 b2, a3 b1, a4 b0, a0 b4);
    let lo_5 = sum!(_mm256_madd52lo_epu64: a1 b4, a2 b3, a3 b2, a4 b1);
    let hi_5 = sum!(_mm256_madd52hi_epu64: a1 b4, a2 b3, a3 b2, a4 b1);
    let lo_6 = sum!(_mm256_madd52lo_epu64: a2 b4, a3 b3, a4 b2);
    let hi_6 = sum!(_mm256_madd52hi_epu64: a2 b4, a3 b3, a4 b2);
    let lo_7 = sum!(_mm256_madd52lo_epu64: a3 b4, a4 b3);
    let hi_7 = sum!(_mm256_madd52hi_epu64: a3 b4, a4 b3);
    let lo_8 = sum!(_mm256_madd52lo_epu64: a4 b4);
    let hi_8 = sum!(_mm256_madd52hi_epu64: a4 b4);
    let column = |lo, hi| _mm256_add_epi64(lo, _mm256_add_epi64(hi, hi));
    [
        column(lo_5, hi_4),
        column(lo_6, hi_5),
        column(lo_7, hi_6),
        column(lo_8, hi_7),
        _mm256_add_epi64(hi_8, hi_8),
    ]
}

/// Columns 0 to 4 of a product.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn low_columns(a: &Fe, b: &Fe) -> Fe {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (*a, *b);
    let lo_4 = sum!(_mm256_madd52lo_epu64: a1 b3, a2 b2, a3 b1, a4 b0, a0 b4);
    let hi_3 = sum!(_mm256_madd52hi_epu64: a0 b3, a1 b2, a2 b1, a3 b0);
    let lo_3 = sum!(_mm256_madd52lo_epu64: a0 b3, a1 b2, a2 b1, a3 b0);
    let hi_2 = sum!(_mm256_madd52hi_epu64: a0 b2, a1 b1, a2 b0);
    let lo_2 = sum!(_mm256_madd52lo_epu64: a0 b2, a1 b1, a2 b0);
    let hi_1 = sum!(_mm256_madd52hi_epu64: a0 b1, a1 b0);
    let lo_1 = sum!(_mm256_madd52lo_epu64: a0 b1, a1 b0);
    let hi_0 = sum!(_mm256_madd52hi_epu64: a0 b0);
    let lo_0 = sum!(_mm256_madd52lo_epu64: a0 b0);
    let column = |lo, hi| _mm256_add_epi64(lo, _mm256_add_epi64(hi, hi));
    [lo_0, column(lo_1, hi_0), column(lo_2, hi_1), column(lo_3, hi_2), column(lo_4, hi_3)]
}

/// Columns 0 to 4 with columns 5 to 9 folded into them.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn folded(low: &Fe, high: &Fe) -> Fe {
    let plus = |a, b| _mm256_add_epi64(a, b);
    // a + 19 b. Told what it is, the compiler multiplies, by five instructions one after the other.
    let add_19 = |a, b| plus(a, plus(plus(opaque_ymm(plus(b, b)), b), _mm256_slli_epi64::<4>(b)));
    let ([l0, l1, l2, l3, l4], [h0, h1, h2, h3, h4]) = (*low, *high);
    [add_19(l0, h0), add_19(l1, h1), add_19(l2, h2), add_19(l3, h3), add_19(l4, h4)]
}

/// One carry pass.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn carried(columns: &Fe) -> Fe {
    let ([r0, r1, r2, r3, r4], mask) = (*columns, _mm256_set1_epi64x((1 << 51) - 1));
    let (carry, rest) = (|x| _mm256_srli_epi64::<51>(x), |x| _mm256_and_si256(x, mask));
    [
        _mm256_madd52lo_epu64(rest(r0), carry(r4), _mm256_set1_epi64x(19)),
        _mm256_add_epi64(rest(r1), carry(r0)),
        _mm256_add_epi64(rest(r2), carry(r1)),
        _mm256_add_epi64(rest(r3), carry(r2)),
        _mm256_add_epi64(rest(r4), carry(r3)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::eprintln;

    /// The largest limb that may stand in a product.
    const TOP: u64 = (1 << 51) + (1 << 15) - 1;

    /// Against the portable field: limbs at the bound, 0, 1 and others, different ones in the two lanes.
    #[test]
    fn agrees_with_portable() {
        let Some(witness) = Ifma::detect() else { return eprintln!("not run: ifma") };
        let mut elements = std::vec![Element::ZERO, Element::ONE, Element([TOP; 5])];
        for i in 0..5 {
            let mut limbs = [0; 5];
            limbs[i] = TOP;
            elements.push(Element(limbs));
            elements.push(Element(limbs.map(|limb| TOP - limb)));
        }
        let mut last = Element([3, 1 << 50, 5, (1 << 51) - 19, 7]);
        for _ in 0..50 {
            last = last.square().add(&Element::ONE);
            elements.push(last);
        }
        for pair in elements.windows(2) {
            let mut powers = [pair[0], pair[1]];
            pow_p58_x2(witness, &mut powers);
            for (x, power) in pair.iter().zip(&powers) {
                assert!(power.0.iter().all(|&limb| limb <= TOP), "{:x?} of {:x?}", power.0, x.0);
                assert_eq!(power.to_bytes(), x.pow_p58().to_bytes(), "{:x?}", x.0);
            }
        }
    }
}
