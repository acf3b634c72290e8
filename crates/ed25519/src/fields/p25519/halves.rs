//! Eight elements side by side on AVX-512 without IFMA, in integers: for signing.
//!
//! Ten limbs of 26 and 25 bits in turn (radix 2^25.5), so that products of limbs are those of 32-bit numbers (Bernstein,
//! "Curve25519: new Diffie-Hellman speed records", 2006, section 4). Two limbs are one of radix 2^51, which is the form
//! of tables. Products of doubles ([`super::doubles`]) are fewer, but not for secrets. docs/p25519.md, section 5, has the
//! bounds.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::element::Element;
use super::lanes::FieldLanes;
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_si512, _mm512_mask_blend_epi64,
    _mm512_mul_epu32, _mm512_set1_epi64, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_storeu_si512,
    _mm512_sub_epi64,
};
use phalanx_core::simd::Avx512;

/// Eight lanes. Time is independent of values throughout.
#[derive(Clone, Copy)]
pub(crate) struct X8Halves(pub(crate) Avx512);

/// Even limbs at most [`EVEN`], odd ones at most [`ODD`].
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Fe([__m512i; 10]);

/// Columns; weight w is at most w * 2^60.
#[derive(Clone, Copy)]
pub(crate) struct Wide([__m512i; 10]);

/// The bounds of limbs.
const EVEN: u64 = (1 << 26) + (1 << 12);
const ODD: u64 = (1 << 25) + (1 << 16);

/// 2^34 p, limb by limb: at least any column of a product.
const BIAS: [u64; 10] = {
    let (even, odd) = (((1 << 26) - 1) << 34, ((1 << 25) - 1) << 34);
    [((1 << 26) - 19) << 34, odd, even, odd, even, odd, even, odd, even, odd]
};

/// The largest columns of a product of limbs at their bounds, and what that says of the other constants.
const _: () = {
    let mut k = 0;
    while k < 10 {
        let (mut column, mut i) = (0u128, 0);
        while i < 10 {
            let j = (k + 10 - i) % 10;
            let a = if i % 2 == 0 { EVEN } else { ODD };
            let b = if j % 2 == 0 { EVEN } else { ODD };
            let a = if i % 2 == 1 && j % 2 == 1 { 2 * a } else { a };
            let b = if i + j >= 10 { 19 * b } else { b };
            assert!(a < 1 << 32 && b < 1 << 32, "factors of 32 bits");
            column += a as u128 * b as u128;
            i += 1;
        }
        assert!(column <= BIAS[k] as u128 && BIAS[k] < 1 << 60, "no difference is below zero");
        k += 1;
    }
    // Of weight 4: what column 9 carries on, with what came to it, and column 4.
    let (carry_9, carry_4) = ((1u64 << 62 | 1 << 38) >> 25, (1u64 << 62 | 1 << 38) >> 26);
    assert!(19 * carry_9 < 1 << 63, "the last carry, nineteenfold");
    assert!((1 << 25) + ((19 * carry_9 + (1 << 26)) >> 26) <= ODD, "limb 1");
    assert!((1 << 26) + ((carry_4 + (1 << 25)) >> 25) <= EVEN, "limb 6");
};

/// The sum of products: `sum!(lanes: a b, c d)`.
macro_rules! sum {
    ($lanes:ident: $first:ident $by:ident, $($a:ident $b:ident),+) => {{
        let sum = $lanes.times($first, $by);
        $(let sum = $lanes.plus(sum, $lanes.times($a, $b));)+
        sum
    }};
}

impl X8Halves {
    /// The product of the lower 32 bits.
    #[inline(always)]
    fn times(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_mul_epu32(a, b) }
    }

    #[inline(always)]
    fn plus(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn constant(self, value: u64) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_set1_epi64(value.cast_signed()) }
    }

    /// The lower bits, as many, and the others.
    #[inline(always)]
    fn split<const BITS: u32>(self, a: __m512i) -> (__m512i, __m512i) {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { (_mm512_and_si512(a, self.constant((1 << BITS) - 1)), _mm512_srli_epi64::<BITS>(a)) }
    }

    /// 19 a.
    #[inline(always)]
    fn nineteen(self, a: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        let nine = self.plus(a, unsafe { _mm512_slli_epi64::<3>(a) });
        self.plus(a, self.plus(nine, nine))
    }

    /// The elements whose limbs of radix 2^51, at most 2^51 + 2^15, are given.
    #[inline(always)]
    pub(crate) fn of_limbs(self, limbs: [__m512i; 5]) -> Fe {
        let [l0, l1, l2, l3, l4] = limbs;
        let ((a0, a1), (a2, a3), (a4, a5)) =
            (self.split::<26>(l0), self.split::<26>(l1), self.split::<26>(l2));
        let ((a6, a7), (a8, a9)) = (self.split::<26>(l3), self.split::<26>(l4));
        Fe([a0, a1, a2, a3, a4, a5, a6, a7, a8, a9])
    }

    /// The limbs of radix 2^51, at most 2^51 + 2^15.
    #[inline(always)]
    pub(crate) fn limbs(self, a: &Fe) -> [__m512i; 5] {
        let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = a.0;
        let ((l0, c0), (l1, c1)) = (self.joined(a0, a1), self.joined(a2, a3));
        let ((l2, c2), (l3, c3)) = (self.joined(a4, a5), self.joined(a6, a7));
        let (l4, c4) = self.joined(a8, a9);
        [
            self.plus(l0, self.nineteen(c4)),
            self.plus(l1, c0),
            self.plus(l2, c1),
            self.plus(l3, c2),
            self.plus(l4, c3),
        ]
    }

    /// Two limbs as one of 51 bits, and what is above.
    #[inline(always)]
    fn joined(self, low: __m512i, high: __m512i) -> (__m512i, __m512i) {
        // SAFETY: the witness proves AVX-512 F.
        self.split::<51>(self.plus(low, unsafe { _mm512_slli_epi64::<26>(high) }))
    }
}

impl FieldLanes for X8Halves {
    const COUNT: usize = 8;
    type Fe = Fe;
    type Wide = Wide;

    #[inline(always)]
    fn splat(self, element: &Element) -> Fe {
        let [l0, l1, l2, l3, l4] = element.0;
        self.of_limbs([
            self.constant(l0),
            self.constant(l1),
            self.constant(l2),
            self.constant(l3),
            self.constant(l4),
        ])
    }

    #[inline(always)]
    fn load(self, elements: &[Element]) -> Fe {
        let mut limbs = [[0u64; 8]; 5];
        for (lane, element) in elements[..8].iter().enumerate() {
            for (row, limb) in limbs.iter_mut().zip(element.0) {
                row[lane] = limb;
            }
        }
        // SAFETY: the witness proves AVX-512 F, and each row is 64 bytes.
        self.of_limbs(limbs.map(|row| unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }))
    }

    #[inline(always)]
    fn store(self, value: &Fe, elements: &mut [Element]) {
        let mut limbs = [[0u64; 8]; 5];
        for (row, limb) in limbs.iter_mut().zip(self.limbs(value)) {
            // SAFETY: the witness proves AVX-512 F, and each row is 64 bytes.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), limb) };
        }
        for (lane, element) in elements[..8].iter_mut().enumerate() {
            *element =
                Element([limbs[0][lane], limbs[1][lane], limbs[2][lane], limbs[3][lane], limbs[4][lane]]);
        }
    }

    /// Column by column, and no loops, which the compiler would leave as loops over memory. Products of two odd limbs
    /// count twice, and those of columns from 10 on nineteen times.
    #[inline(always)]
    fn mul(self, a: &Fe, b: &Fe) -> Wide {
        let ([a0, a1, a2, a3, a4, a5, a6, a7, a8, a9], [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9]) = (a.0, b.0);
        let (d1, d3, d5, d7, d9) =
            (self.plus(a1, a1), self.plus(a3, a3), self.plus(a5, a5), self.plus(a7, a7), self.plus(a9, a9));
        let by = self.constant(19);
        let (n1, n2, n3, n4, n5) = (
            self.times(b1, by),
            self.times(b2, by),
            self.times(b3, by),
            self.times(b4, by),
            self.times(b5, by),
        );
        let (n6, n7, n8, n9) =
            (self.times(b6, by), self.times(b7, by), self.times(b8, by), self.times(b9, by));
        Wide([
            sum!(self: a0 b0, d1 n9, a2 n8, d3 n7, a4 n6, d5 n5, a6 n4, d7 n3, a8 n2, d9 n1),
            sum!(self: a0 b1, a1 b0, a2 n9, a3 n8, a4 n7, a5 n6, a6 n5, a7 n4, a8 n3, a9 n2),
            sum!(self: a0 b2, d1 b1, a2 b0, d3 n9, a4 n8, d5 n7, a6 n6, d7 n5, a8 n4, d9 n3),
            sum!(self: a0 b3, a1 b2, a2 b1, a3 b0, a4 n9, a5 n8, a6 n7, a7 n6, a8 n5, a9 n4),
            sum!(self: a0 b4, d1 b3, a2 b2, d3 b1, a4 b0, d5 n9, a6 n8, d7 n7, a8 n6, d9 n5),
            sum!(self: a0 b5, a1 b4, a2 b3, a3 b2, a4 b1, a5 b0, a6 n9, a7 n8, a8 n7, a9 n6),
            sum!(self: a0 b6, d1 b5, a2 b4, d3 b3, a4 b2, d5 b1, a6 b0, d7 n9, a8 n8, d9 n7),
            sum!(self: a0 b7, a1 b6, a2 b5, a3 b4, a4 b3, a5 b2, a6 b1, a7 b0, a8 n9, a9 n8),
            sum!(self: a0 b8, d1 b7, a2 b6, d3 b5, a4 b4, d5 b3, a6 b2, d7 b1, a8 b0, d9 n9),
            sum!(self: a0 b9, a1 b8, a2 b7, a3 b6, a4 b5, a5 b4, a6 b3, a7 b2, a8 b1, a9 b0),
        ])
    }

    /// Signing has none but those of this trait.
    #[inline(always)]
    fn square(self, a: &Fe) -> Wide {
        self.mul(a, a)
    }

    #[inline(always)]
    fn widen(self, a: &Fe) -> Wide {
        Wide(a.0)
    }

    #[inline(always)]
    fn add(self, a: Wide, b: Wide) -> Wide {
        let mut sum = a;
        let mut k = 0;
        while k < 10 {
            sum.0[k] = self.plus(a.0[k], b.0[k]);
            k += 1;
        }
        sum
    }

    #[inline(always)]
    fn sub(self, a: Wide, b: Wide) -> Wide {
        let mut difference = a;
        let mut k = 0;
        while k < 10 {
            // SAFETY: the witness proves AVX-512 F.
            let other = unsafe { _mm512_sub_epi64(self.constant(BIAS[k]), b.0[k]) };
            difference.0[k] = self.plus(a.0[k], other);
            k += 1;
        }
        difference
    }

    /// Two chains of carries, from columns 0 and 5, each a step into the other.
    #[inline(always)]
    fn reduce(self, a: Wide) -> Fe {
        let [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9] = a.0;
        let ((r0, c0), (r5, c5)) = (self.split::<26>(r0), self.split::<25>(r5));
        let ((r1, c1), (r6, c6)) = (self.split::<25>(self.plus(r1, c0)), self.split::<26>(self.plus(r6, c5)));
        let ((r2, c2), (r7, c7)) = (self.split::<26>(self.plus(r2, c1)), self.split::<25>(self.plus(r7, c6)));
        let ((r3, c3), (r8, c8)) = (self.split::<25>(self.plus(r3, c2)), self.split::<26>(self.plus(r8, c7)));
        let ((r4, c4), (r9, c9)) = (self.split::<26>(self.plus(r4, c3)), self.split::<25>(self.plus(r9, c8)));
        let (r5, c5) = self.split::<25>(self.plus(r5, c4));
        let (r0, c0) = self.split::<26>(self.plus(r0, self.nineteen(c9)));
        Fe([r0, self.plus(r1, c0), r2, r3, r4, r5, self.plus(r6, c5), r7, r8, r9])
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: &Fe, set: &Fe) -> Fe {
        let mut chosen = *clear;
        let mut k = 0;
        while k < 10 {
            // SAFETY: the witness proves AVX-512 F.
            chosen.0[k] = unsafe { _mm512_mask_blend_epi64(mask, clear.0[k], set.0[k]) };
            k += 1;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::p25519::tests::engines::{agrees_with_portable, operations_agree};

    /// The body of every engine, and limbs at their bounds.
    #[test]
    #[expect(clippy::print_stdout, reason = "a backend that did not run is reported by name")]
    fn halves_agree_with_portable() {
        let Some(witness) = Avx512::detect() else { return std::println!("not run: avx512") };
        let l = X8Halves(witness);
        agrees_with_portable(l);
        let mut top = [l.constant(EVEN); 10];
        for limb in top.iter_mut().skip(1).step_by(2) {
            *limb = l.constant(ODD);
        }
        let top = Fe(top);
        operations_agree(l, &top, &top);
        operations_agree(l, &top, &l.load(&[Element::ONE; 8]));
    }
}
