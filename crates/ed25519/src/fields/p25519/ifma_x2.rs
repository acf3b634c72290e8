//! Two elements side by side in vectors of 256 bits, by the products of AVX-512 IFMA: for chains of squarings, where
//! every operation waits for the one before.
//!
//! Bounds and formulas are those of [`super::ifma`]. The vectors are short because CPUs that work off 512 bits in two
//! turns (Zen 4) have twice as many operations of this width in flight; and what is multiplied by 19 is added up, since
//! that is the shorter wait everywhere. docs/p25519.md, section 3, has the measurements.
#![expect(unsafe_code, reason = "entry into compiled code, on the strength of a witness")]

use super::element::Element;
use super::power::pow_2_250_minus_1;
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_extract_epi64, _mm256_madd52hi_epu64,
    _mm256_madd52lo_epu64, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64,
    _mm256_srli_epi64,
};
use phalanx_core::simd::{Ifma, opaque_ymm};

/// Limbs below 2^51 + 2^15.
type Fe = [__m256i; 5];

/// x^((p - 5) / 8) of both, as [`Element::pow_p58`].
pub(crate) fn pow_p58_x2(_: Ifma, x: &mut [Element; 2]) {
    // SAFETY: the witness proves the instructions.
    unsafe { powers(x) };
}

#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline(never)]
fn powers(x: &mut [Element; 2]) {
    let limb = |i: usize| _mm256_set_epi64x(0, 0, x[1].0[i].cast_signed(), x[0].0[i].cast_signed());
    let one = [limb(0), limb(1), limb(2), limb(3), limb(4)];
    let (p250, _) = pow_2_250_minus_1(&one, &square(&one), |a, count, b| power(a, count, b));
    let result = power(&p250, 2, &one);
    let [mut first, mut second] = [Element::ZERO; 2];
    for (i, limb) in result.into_iter().enumerate() {
        first.0[i] = _mm256_extract_epi64::<0>(limb).cast_unsigned();
        second.0[i] = _mm256_extract_epi64::<1>(limb).cast_unsigned();
    }
    *x = [first, second];
}

/// x^(2^count) y.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline(never)]
fn power(x: &Fe, count: u32, y: &Fe) -> Fe {
    let (mut x, mut i) = (*x, 0);
    while i < count {
        x = square(&x);
        i += 1;
    }
    product(&x, y)
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
    carried(&low, &high)
}

#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn product(a: &Fe, b: &Fe) -> Fe {
    let z = _mm256_setzero_si256();
    // Columns, and the high halves that count twice in the next one.
    let (mut columns, mut halves) = ([z; 10], [z; 10]);
    let mut k = 0;
    while k < 25 {
        let (i, j) = (k / 5, k % 5);
        columns[i + j] = _mm256_madd52lo_epu64(columns[i + j], a[i], b[j]);
        halves[i + j + 1] = _mm256_madd52hi_epu64(halves[i + j + 1], a[i], b[j]);
        k += 1;
    }
    let column = |k: usize| _mm256_add_epi64(columns[k], _mm256_add_epi64(halves[k], halves[k]));
    let low = [column(0), column(1), column(2), column(3), column(4)];
    carried(&low, &[column(5), column(6), column(7), column(8), column(9)])
}

/// Columns 0 to 4 with columns 5 to 9 folded into them, after one carry pass.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
#[inline]
fn carried(low: &Fe, high: &Fe) -> Fe {
    let mask = _mm256_set1_epi64x((1 << 51) - 1);
    let plus = |a, b| _mm256_add_epi64(a, b);
    // a + 19 b. Told what it is, the compiler multiplies, by five instructions one after the other.
    let add_19 = |a, b| plus(a, plus(plus(opaque_ymm(plus(b, b)), b), _mm256_slli_epi64::<4>(b)));
    let r0 = add_19(low[0], high[0]);
    let r1 = add_19(low[1], high[1]);
    let r2 = add_19(low[2], high[2]);
    let r3 = add_19(low[3], high[3]);
    let r4 = add_19(low[4], high[4]);
    let (carry, rest) = (|x| _mm256_srli_epi64::<51>(x), |x| _mm256_and_si256(x, mask));
    [
        add_19(rest(r0), carry(r4)),
        plus(rest(r1), carry(r0)),
        plus(rest(r2), carry(r1)),
        plus(rest(r3), carry(r2)),
        plus(rest(r4), carry(r3)),
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
