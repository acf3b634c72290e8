//! Eight elements side by side on AVX-512 IFMA: five limbs of radix 2^51, one 64-bit lane for each element.
//!
//! The instructions give the low and the high 52 bits of the product of two 52-bit numbers, added to 64 bits. With
//! limbs of 51 bits the high half counts twice in the next column. docs/p25519.md derives the bounds.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::element::Element;
use super::lanes::FieldLanes;
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_si512, _mm512_madd52hi_epu64,
    _mm512_madd52lo_epu64, _mm512_mask_blend_epi64, _mm512_mullo_epi64, _mm512_or_si512, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask,
};
use phalanx_core::simd::{Ifma, after_zmm};

/// Eight lanes. Holding one proves that the instructions exist. Time is independent of values throughout.
#[derive(Clone, Copy)]
pub(crate) struct X8(pub(crate) Ifma);

/// Limbs below 2^51 + 2^15.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Fe(pub(crate) [__m512i; 5]);

/// Columns of radix 2^51; weight w is at most w * 2^59.
#[derive(Clone, Copy)]
pub(crate) struct Wide(pub(crate) [__m512i; 5]);

/// 256 p, limb by limb: at least any column of a product.
pub(super) const BIAS: [i64; 5] = {
    let one = ((1 << 51) - 1) << 8;
    [((1 << 51) - 19) << 8, one, one, one, one]
};

/// The sum of the low or of the high halves of products: `sum!(intrinsic: a b, c d)`.
macro_rules! sum {
    ($half:ident: $($a:ident $b:ident),+) => {{
        let sum = _mm512_setzero_si512();
        $(let sum = $half(sum, $a, $b);)+
        sum
    }};
}

// What follows is compiled for the features, so that the compiler sees the intrinsics as instructions from the start: as
// calls, whose arguments go through memory until all is inlined, they were most of what it had to inline for this
// tier.
// Product by product, and no loops: it unrolls nested ones only if it optimises a crate twice, and with one unit for the
// crate (a user's profile may say so) it made them branches, at half the speed.

/// Columns 5 to 9 of a product, nineteenfold. They come first, so that this runs beside the rest.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn high_columns(a: &[__m512i; 5], b: &[__m512i; 5]) -> [__m512i; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (*a, *b);
    // lo_k is column k, hi_k column k + 1.
    let hi_4 = sum!(_mm512_madd52hi_epu64: a0 b4, a1 b3, a2 b2, a3 b1, a4 b0);
    let hi_5 = sum!(_mm512_madd52hi_epu64: a1 b4, a2 b3, a3 b2, a4 b1);
    let lo_5 = sum!(_mm512_madd52lo_epu64: a1 b4, a2 b3, a3 b2, a4 b1);
    let hi_6 = sum!(_mm512_madd52hi_epu64: a2 b4, a3 b3, a4 b2);
    let lo_6 = sum!(_mm512_madd52lo_epu64: a2 b4, a3 b3, a4 b2);
    let hi_7 = sum!(_mm512_madd52hi_epu64: a3 b4, a4 b3);
    let lo_7 = sum!(_mm512_madd52lo_epu64: a3 b4, a4 b3);
    let hi_8 = sum!(_mm512_madd52hi_epu64: a4 b4);
    let lo_8 = sum!(_mm512_madd52lo_epu64: a4 b4);
    let twice = |x| _mm512_add_epi64(x, x);
    let column = |lo, hi| _mm512_mullo_epi64(_mm512_add_epi64(lo, twice(hi)), _mm512_set1_epi64(19));
    let last = _mm512_mullo_epi64(twice(hi_8), _mm512_set1_epi64(19));
    [column(lo_5, hi_4), column(lo_6, hi_5), column(lo_7, hi_6), column(lo_8, hi_7), last]
}

/// Columns 0 to 4 of a product, and what is folded into them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn low_columns(a: &[__m512i; 5], b: &[__m512i; 5], folded: [__m512i; 5]) -> [__m512i; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4], [f0, f1, f2, f3, f4]) = (*a, *b, folded);
    let hi_0 = sum!(_mm512_madd52hi_epu64: a0 b0);
    let lo_0 = sum!(_mm512_madd52lo_epu64: a0 b0);
    let hi_1 = sum!(_mm512_madd52hi_epu64: a0 b1, a1 b0);
    let lo_1 = sum!(_mm512_madd52lo_epu64: a0 b1, a1 b0);
    let hi_2 = sum!(_mm512_madd52hi_epu64: a0 b2, a1 b1, a2 b0);
    let lo_2 = sum!(_mm512_madd52lo_epu64: a0 b2, a1 b1, a2 b0);
    let hi_3 = sum!(_mm512_madd52hi_epu64: a0 b3, a1 b2, a2 b1, a3 b0);
    let lo_3 = sum!(_mm512_madd52lo_epu64: a0 b3, a1 b2, a2 b1, a3 b0);
    let lo_4 = sum!(_mm512_madd52lo_epu64: a0 b4, a1 b3, a2 b2, a3 b1, a4 b0);
    let column = |lo, hi, f| _mm512_add_epi64(lo, _mm512_add_epi64(_mm512_add_epi64(hi, hi), f));
    [
        _mm512_add_epi64(lo_0, f0),
        column(lo_1, hi_0, f1),
        column(lo_2, hi_1, f2),
        column(lo_3, hi_2, f3),
        column(lo_4, hi_3, f4),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum(a: &[__m512i; 5], b: &[__m512i; 5]) -> [__m512i; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (*a, *b);
    let plus = |a, b| _mm512_add_epi64(a, b);
    [plus(a0, b0), plus(a1, b1), plus(a2, b2), plus(a3, b3), plus(a4, b4)]
}

/// a - b + 256 p.
#[inline]
#[target_feature(enable = "avx512f")]
fn difference(a: &[__m512i; 5], b: &[__m512i; 5]) -> [__m512i; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (*a, *b);
    let (first, other) = (_mm512_set1_epi64(BIAS[0]), _mm512_set1_epi64(BIAS[1]));
    let minus = |a, bias, b| _mm512_add_epi64(a, _mm512_sub_epi64(bias, b));
    [
        minus(a0, first, b0),
        minus(a1, other, b1),
        minus(a2, other, b2),
        minus(a3, other, b3),
        minus(a4, other, b4),
    ]
}

/// One carry pass.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn carried(columns: &[__m512i; 5]) -> [__m512i; 5] {
    let ([r0, r1, r2, r3, r4], mask) = (*columns, _mm512_set1_epi64((1 << 51) - 1));
    let carry = |x| _mm512_srli_epi64::<51>(x);
    let (c0, c1, c2, c3, c4) = (carry(r0), carry(r1), carry(r2), carry(r3), carry(r4));
    let rest = |x| _mm512_and_si512(x, mask);
    let (r0, r1, r2, r3, r4) = (rest(r0), rest(r1), rest(r2), rest(r3), rest(r4));
    [
        _mm512_madd52lo_epu64(r0, c4, _mm512_set1_epi64(19)),
        _mm512_add_epi64(r1, c0),
        _mm512_add_epi64(r2, c1),
        _mm512_add_epi64(r3, c2),
        _mm512_add_epi64(r4, c3),
    ]
}

impl X8 {
    /// acc + the low 52 bits of a b.
    #[inline(always)]
    fn lo(self, acc: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 IFMA.
        unsafe { _mm512_madd52lo_epu64(acc, a, b) }
    }

    /// acc + a b / 2^52, rounded down.
    #[inline(always)]
    fn hi(self, acc: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 IFMA.
        unsafe { _mm512_madd52hi_epu64(acc, a, b) }
    }

    #[inline(always)]
    fn plus(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn constant(self, value: i64) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_set1_epi64(value) }
    }

    /// 2 a.
    #[inline(always)]
    fn twice(self, a: __m512i) -> __m512i {
        self.plus(a, a)
    }

    /// 19 a. One instruction on Zen, as fast as a multiply-add; three on Intel, where the additions and the shift
    /// instead would be four.
    #[inline(always)]
    fn nineteen(self, a: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 DQ.
        unsafe { _mm512_mullo_epi64(a, self.constant(19)) }
    }

    /// The square of a by a shorter chain of more instructions: for when nothing else is there to be done meanwhile
    /// (single verification: 5 % faster; in lanes doublings would be 8 % slower).
    #[inline(always)]
    pub(crate) fn square_alone(self, a: &Fe) -> Wide {
        let [a0, a1, a2, a3, a4] = a.0;
        let (z, lo, hi) = (self.zero(), Self::lo, Self::hi);
        // Low halves of squares of limbs count once.
        let (s0, s2, s4) = (lo(self, z, a0, a0), lo(self, z, a1, a1), lo(self, z, a2, a2));
        let (s6, s8) = (lo(self, z, a3, a3), lo(self, z, a4, a4));
        // High halves of other products count four times.
        let (h2, h3) = (hi(self, z, a0, a1), hi(self, z, a0, a2));
        let h4 = hi(self, hi(self, z, a0, a3), a1, a2);
        let h5 = hi(self, hi(self, z, a0, a4), a1, a3);
        let h6 = hi(self, hi(self, z, a1, a4), a2, a3);
        let (h7, h8) = (hi(self, z, a2, a4), hi(self, z, a3, a4));
        // The rest twice.
        let x1 = hi(self, lo(self, z, a0, a1), a0, a0);
        let x2 = lo(self, z, a0, a2);
        let x3 = hi(self, lo(self, lo(self, z, a0, a3), a1, a2), a1, a1);
        let x4 = lo(self, lo(self, z, a0, a4), a1, a3);
        let x5 = hi(self, lo(self, lo(self, z, a1, a4), a2, a3), a2, a2);
        let x6 = lo(self, z, a2, a4);
        let x7 = hi(self, lo(self, z, a3, a4), a3, a3);
        let x9 = hi(self, z, a4, a4);
        let twice = |x| self.twice(x);
        let low = [
            s0,
            twice(x1),
            self.plus(s2, twice(self.plus(x2, twice(h2)))),
            twice(self.plus(x3, twice(h3))),
            self.plus(s4, twice(self.plus(x4, twice(h4)))),
        ];
        let high = [
            twice(self.plus(x5, twice(h5))),
            self.plus(s6, twice(self.plus(x6, twice(h6)))),
            twice(self.plus(x7, twice(h7))),
            self.plus(s8, twice(twice(h8))),
            twice(x9),
        ];
        Wide([
            self.plus(low[0], self.nineteen(high[0])),
            self.plus(low[1], self.nineteen(high[1])),
            self.plus(low[2], self.nineteen(high[2])),
            self.plus(low[3], self.nineteen(high[3])),
            self.plus(low[4], self.nineteen(high[4])),
        ])
    }

    /// The limbs of the values below p.
    #[inline(always)]
    fn canonical(self, a: &Fe) -> [__m512i; 5] {
        let (mask, nineteen) = (self.constant((1 << 51) - 1), self.constant(19));
        // SAFETY: the witness proves AVX-512 F.
        let carry = |x| unsafe { _mm512_srli_epi64::<51>(x) };
        // SAFETY: the witness proves AVX-512 F.
        let rest = |x| unsafe { _mm512_and_si512(x, mask) };
        // Limbs are below 2^51 + 2^16: one carry pass upwards leaves a value below 2^255 + 19 < 2p.
        let [l0, l1, l2, l3, l4] = a.0;
        let l1 = self.plus(l1, carry(l0));
        let l2 = self.plus(l2, carry(l1));
        let l3 = self.plus(l3, carry(l2));
        let l4 = self.plus(l4, carry(l3));
        let l0 = self.lo(rest(l0), carry(l4), nineteen);
        let (l1, l2, l3, l4) = (rest(l1), rest(l2), rest(l3), rest(l4));
        // 1 exactly if the value is at least p, which is then taken away by adding 19 and dropping bit 255.
        let mut q = carry(self.plus(l0, nineteen));
        q = carry(self.plus(l1, q));
        q = carry(self.plus(l2, q));
        q = carry(self.plus(l3, q));
        q = carry(self.plus(l4, q));
        let l0 = self.lo(l0, q, nineteen);
        let l1 = self.plus(l1, carry(l0));
        let l2 = self.plus(l2, carry(l1));
        let l3 = self.plus(l3, carry(l2));
        let l4 = self.plus(l4, carry(l3));
        [rest(l0), rest(l1), rest(l2), rest(l3), rest(l4)]
    }
}

impl FieldLanes for X8 {
    const COUNT: usize = 8;
    type Fe = Fe;
    type Wide = Wide;

    #[inline(always)]
    fn splat(self, element: &Element) -> Fe {
        let [e0, e1, e2, e3, e4] = element.0.map(u64::cast_signed);
        Fe([self.constant(e0), self.constant(e1), self.constant(e2), self.constant(e3), self.constant(e4)])
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
        Fe(limbs.map(|row| unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }))
    }

    #[inline(always)]
    fn store(self, value: &Fe, elements: &mut [Element]) {
        let mut limbs = [[0u64; 8]; 5];
        for (row, limb) in limbs.iter_mut().zip(value.0) {
            // SAFETY: the witness proves AVX-512 F, and each row is 64 bytes.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), limb) };
        }
        for (lane, element) in elements[..8].iter_mut().enumerate() {
            *element =
                Element([limbs[0][lane], limbs[1][lane], limbs[2][lane], limbs[3][lane], limbs[4][lane]]);
        }
    }

    #[inline(always)]
    fn mul(self, a: &Fe, b: &Fe) -> Wide {
        // SAFETY: the witness proves AVX-512 DQ and IFMA.
        unsafe { Wide(low_columns(&a.0, &b.0, high_columns(&a.0, &b.0))) }
    }

    #[inline(always)]
    fn square(self, a: &Fe) -> Wide {
        let [a0, a1, a2, a3, a4] = a.0;
        let (z, lo, hi) = (self.zero(), Self::lo, Self::hi);
        let twice = |x| self.twice(x);
        // High halves of products of different limbs count four times: they begin the sums of what counts twice.
        let h5 = twice(hi(self, hi(self, z, a0, a4), a1, a3));
        let h6 = twice(hi(self, hi(self, z, a1, a4), a2, a3));
        let (h7, h8) = (twice(hi(self, z, a2, a4)), twice(hi(self, z, a3, a4)));
        let x5 = hi(self, lo(self, lo(self, h5, a1, a4), a2, a3), a2, a2);
        let x6 = lo(self, h6, a2, a4);
        let x7 = hi(self, lo(self, h7, a3, a4), a3, a3);
        let x9 = hi(self, z, a4, a4);
        // Low halves of squares of limbs count once.
        let high =
            [twice(x5), lo(self, twice(x6), a3, a3), twice(x7), lo(self, twice(h8), a4, a4), twice(x9)];
        let (h2, h3) = (twice(hi(self, z, a0, a1)), twice(hi(self, z, a0, a2)));
        let h4 = twice(hi(self, hi(self, z, a0, a3), a1, a2));
        let x1 = hi(self, lo(self, z, a0, a1), a0, a0);
        let x2 = lo(self, h2, a0, a2);
        let x3 = hi(self, lo(self, lo(self, h3, a0, a3), a1, a2), a1, a1);
        let x4 = lo(self, lo(self, h4, a0, a4), a1, a3);
        let low = [
            lo(self, z, a0, a0),
            twice(x1),
            lo(self, twice(x2), a1, a1),
            twice(x3),
            lo(self, twice(x4), a2, a2),
        ];
        Wide([
            self.plus(low[0], self.nineteen(high[0])),
            self.plus(low[1], self.nineteen(high[1])),
            self.plus(low[2], self.nineteen(high[2])),
            self.plus(low[3], self.nineteen(high[3])),
            self.plus(low[4], self.nineteen(high[4])),
        ])
    }

    #[inline(always)]
    fn after(self, value: &Fe, done: &Wide) -> Fe {
        // One limb is enough to keep two products apart, and lets the compiler mix the end of one with the beginning of
        // the other. (All limbs: 5 % slower; none: 10 %, for it then does the multiply-adds of all products first.)
        let [first, l1, l2, l3, l4] = value.0;
        // SAFETY: the witness proves AVX-512 F.
        Fe([unsafe { after_zmm(first, done.0) }, l1, l2, l3, l4])
    }

    #[inline(always)]
    fn widen(self, a: &Fe) -> Wide {
        Wide(a.0)
    }

    #[inline(always)]
    fn add(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: the witness proves AVX-512 F.
        Wide(unsafe { sum(&a.0, &b.0) })
    }

    #[inline(always)]
    fn sub(self, a: Wide, b: Wide) -> Wide {
        // SAFETY: the witness proves AVX-512 F.
        Wide(unsafe { difference(&a.0, &b.0) })
    }

    #[inline(always)]
    fn reduce(self, a: Wide) -> Fe {
        // SAFETY: the witness proves AVX-512 IFMA.
        Fe(unsafe { carried(&a.0) })
    }

    #[inline(always)]
    fn zero_mask(self, a: &Fe) -> u8 {
        let [l0, l1, l2, l3, l4] = self.canonical(a);
        // SAFETY: the witness proves AVX-512 F.
        unsafe {
            let low = _mm512_or_si512(_mm512_or_si512(l0, l1), _mm512_or_si512(l2, l3));
            let all = _mm512_or_si512(low, l4);
            _mm512_testn_epi64_mask(all, all)
        }
    }

    #[inline(always)]
    fn odd_mask(self, a: &Fe) -> u8 {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_test_epi64_mask(self.canonical(a)[0], _mm512_set1_epi64(1)) }
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: &Fe, set: &Fe) -> Fe {
        let (a, b) = (clear.0, set.0);
        // SAFETY: the witness proves AVX-512 F.
        unsafe {
            Fe([
                _mm512_mask_blend_epi64(mask, a[0], b[0]),
                _mm512_mask_blend_epi64(mask, a[1], b[1]),
                _mm512_mask_blend_epi64(mask, a[2], b[2]),
                _mm512_mask_blend_epi64(mask, a[3], b[3]),
                _mm512_mask_blend_epi64(mask, a[4], b[4]),
            ])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::eprintln;

    fn each(f: impl Fn(usize) -> u64) -> [Element; 8] {
        core::array::from_fn(|lane| Element(core::array::from_fn(|limb| f(5 * lane + limb))))
    }

    /// Products, squares and the widest sums at the limb bound and below it, against the portable field.
    #[test]
    fn agrees_with_portable() {
        let Some(witness) = Ifma::detect() else { return eprintln!("ifma: not run") };
        let l = X8(witness);
        const TOP: u64 = (1 << 51) + (1 << 15) - 1;
        let mut random = phalanx_testing::Random::from_seed(1);
        for round in 0..2000 {
            let mut next = |_: usize| match random.below(8) {
                0 => TOP,
                1 => 0,
                2 => (1 << 51) - 1,
                _ => random.u64() >> 13,
            };
            let cell = core::cell::RefCell::new(&mut next);
            let (a, b) = if round == 0 {
                (each(|_| TOP), each(|_| TOP))
            } else {
                (each(|i| cell.borrow_mut()(i)), each(|i| cell.borrow_mut()(i)))
            };
            let (va, vb) = (l.load(&a), l.load(&b));
            let (product, square) = (l.mul(&va, &vb), l.square(&va));
            let check = |value: Wide, wanted: &dyn Fn(&Element, &Element) -> Element| {
                let reduced = l.reduce(value);
                let mut got = [Element::ZERO; 8];
                l.store(&reduced, &mut got);
                for lane in 0..8 {
                    assert!(got[lane].0.iter().all(|&limb| limb <= TOP), "round {round}: {:?}", got[lane].0);
                    assert_eq!(got[lane].to_bytes(), wanted(&a[lane], &b[lane]).to_bytes(), "round {round}");
                }
            };
            check(product, &|a, b| a.mul(b));
            check(square, &|a, _| a.square());
            // Weight 4: 2 a b + a^2 - b^2's bias.
            let wide = l.sub(l.add(l.add(product, product), square), l.square(&vb));
            check(wide, &|a, b| a.mul(b).add(&a.mul(b)).add(&a.square()).sub(&b.square()));
            check(l.sub(l.widen(&va), product), &|a, b| a.sub(&a.mul(b)));
        }
    }
}
