//! The engine of AVX-512 IFMA: sixteen lanes, two vectors of eight 64-bit ones.
//!
//! Elements are kept in R form (`x * 2^52 mod p`, any representative; [`ops`]) from loading to storing. Poseidon2 is in
//! [`poseidon2`], Poseidon1 in [`poseidon1`]; docs/koalabear.md has the mathematics.
#![allow(unsafe_code, reason = "enters functions compiled for AVX-512 on the strength of the witness")]

#[cfg(test)]
mod bounds;
mod ops;
mod poseidon1;
mod poseidon2;
mod single;
mod word;

use super::engine::{Engine, Version};
use crate::fields::koala_bear::KoalaBear;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;
use ops::{CARRY, Factor, LOW, P, ResidueLanes, Vector, mul_mod, pow_mod};
use phalanx_core::simd::Ifma;
use single::Single;
use word::Lanes;

/// Sixteen states side by side.
#[derive(Clone, Copy)]
pub(crate) struct X16(Ifma);

impl X16 {
    /// The engine, given the proof that the CPU has the instructions.
    pub(crate) fn new(witness: Ifma) -> Self {
        Self(witness)
    }
}

impl Engine for X16 {
    const LANES: usize = 16;
    type Word = Lanes;
    type Single = Single;

    #[inline]
    fn single(self) -> Single {
        Single::new(self.0)
    }

    #[inline]
    fn splat(self, x: KoalaBear) -> Lanes {
        Lanes([mul_mod(u64::from(x.montgomery()), 1 << 20); 16])
    }

    #[inline]
    fn load(self, xs: &[KoalaBear]) -> Lanes {
        let xs: &[KoalaBear; 16] = xs.try_into().expect("one element a lane");
        // SAFETY: the witness proves the target features.
        unsafe { load(self.0, xs) }
    }

    #[inline]
    fn store(self, word: &Lanes, out: &mut [KoalaBear]) {
        let out: &mut [KoalaBear; 16] = out.try_into().expect("one element a lane");
        // SAFETY: the witness proves the target features.
        unsafe { store(self.0, word, out) }
    }

    #[inline]
    fn add(self, a: &Lanes, b: &Lanes) -> Lanes {
        // SAFETY: the witness proves the target features.
        unsafe { add(self.0, a, b) }
    }

    #[inline]
    fn select(self, lanes: u32, a: &Lanes, b: &Lanes) -> Lanes {
        // SAFETY: the witness proves the target features.
        unsafe { select(self.0, lanes, a, b) }
    }

    #[inline]
    fn permute16(self, version: Version, state: &mut [Lanes; 16]) {
        match version {
            Version::One => poseidon1::permute16(self.0, state),
            // SAFETY: the witness proves the target features.
            Version::Two => unsafe { poseidon2::permute16(self.0, state) },
        }
    }

    #[inline]
    fn permute24(self, version: Version, state: &mut [Lanes; 24]) {
        match version {
            Version::One => poseidon1::permute24(self.0, state),
            // SAFETY: the witness proves the target features.
            Version::Two => unsafe { poseidon2::permute24(self.0, state) },
        }
    }

    #[inline]
    fn compress16(self, version: Version, input: &[Lanes; 16]) -> [Lanes; 8] {
        match version {
            Version::One => poseidon1::compress16(self.0, input),
            Version::Two => {
                let mut out = MaybeUninit::<[Lanes; 8]>::uninit();
                // SAFETY: a `Lanes` is two vectors of eight integers, and the reference dies before `out` is read.
                let halves = unsafe { &mut *out.as_mut_ptr().cast() };
                // SAFETY: the witness proves the target features.
                unsafe { poseidon2::compress16(self.0, input, halves) };
                // SAFETY: `compress16` has written every vector.
                unsafe { out.assume_init() }
            }
        }
    }

    #[inline]
    fn two_digits(self, n: &[u64]) -> [Lanes; 2] {
        let n: &[u64; 16] = n.try_into().expect("one integer a lane");
        // SAFETY: the witness proves the target features.
        unsafe { two_digits(self.0, n) }
    }

    #[inline]
    fn from_u128(self, high: &[u64], low: &[u64]) -> Lanes {
        let high: &[u64; 16] = high.try_into().expect("one integer a lane");
        let low: &[u64; 16] = low.try_into().expect("one integer a lane");
        // SAFETY: the witness proves the target features.
        unsafe { from_u128(self.0, high, low) }
    }
}

/// Montgomery words with radix `2^32` to R form: times `2^20`. Result: at most `CARRY + p < 2p`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn load(witness: Ifma, xs: &[KoalaBear; 16]) -> Lanes {
    const TO_R: Factor = Factor::new(1 << 20);
    let v = Vector(witness);
    let mut out = Lanes::ZERO;
    for (half, xs) in out.halves_mut().iter_mut().zip(xs.as_chunks::<8>().0) {
        // SAFETY: eight elements of four bytes (`KoalaBear` is a transparent u32), unaligned load.
        let words = unsafe { _mm256_loadu_si256(xs.as_ptr().cast()) };
        v.store(v.mul_const(v.splat(CARRY), _mm512_cvtepu32_epi64(words), &TO_R), half);
    }
    out
}

/// R form to Montgomery words with radix `2^32`: times `2^-20`. Input: below `2^51`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn store(witness: Ifma, word: &Lanes, out: &mut [KoalaBear; 16]) {
    const FROM_R: Factor = Factor::new(pow_mod(1 << 20, P - 2));
    let v = Vector(witness);
    for (half, out) in word.halves().iter().zip(out.as_chunks_mut::<8>().0) {
        // Below CARRY + 2^51 / 2^21 + p < 3p: two conditional subtractions; r - p wraps to a huge integer if r < p.
        let mut r = v.mul_const(v.splat(CARRY), v.load(half), &FROM_R);
        r = _mm512_min_epu64(r, v.sub(r, v.splat(P)));
        r = _mm512_min_epu64(r, v.sub(r, v.splat(P)));
        // SAFETY: eight elements of four bytes (`KoalaBear` is a transparent u32), unaligned store of words below p.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(r)) };
    }
}

/// Lane by lane sum.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn add(witness: Ifma, a: &Lanes, b: &Lanes) -> Lanes {
    let v = Vector(witness);
    let mut out = Lanes::ZERO;
    for ((half, a), b) in out.halves_mut().iter_mut().zip(a.halves()).zip(b.halves()) {
        v.store(v.add(v.load(a), v.load(b)), half);
    }
    out
}

/// Lane `i` of `a` where bit `i` of `lanes` is set, else of `b`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn select(witness: Ifma, lanes: u32, a: &Lanes, b: &Lanes) -> Lanes {
    let v = Vector(witness);
    let mut out = Lanes::ZERO;
    let masks = [(lanes & 0xff) as __mmask8, (lanes >> 8 & 0xff) as __mmask8];
    for (i, half) in out.halves_mut().iter_mut().enumerate() {
        v.store(_mm512_mask_blend_epi64(masks[i], v.load(&b.halves()[i]), v.load(&a.halves()[i])), half);
    }
    out
}

/// The two base-`p` digits of integers below `2^60`. Results: below `2p`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn two_digits(witness: Ifma, n: &[u64; 16]) -> [Lanes; 2] {
    /// Canonical to R form.
    const TO_R: Factor = Factor::new(ops::R);
    /// `floor(2^76 / p)`, below `2^46`.
    #[expect(clippy::cast_possible_truncation, reason = "below 2^46")]
    const RECIPROCAL: u64 = ((1u128 << 76) / P as u128) as u64;
    let v = Vector(witness);
    let (one, p) = (v.splat(1), v.splat(P));
    let mut out = [Lanes::ZERO; 2];
    for (i, n) in n.as_chunks::<8>().0.iter().enumerate() {
        let n = v.load(n);
        // floor((n >> 24) * reciprocal / 2^52) <= n / p, and short of it by less than 2^24 / p + 2^-16 before rounding:
        // the quotient or one less.
        let estimate = v.hi(v.splat(0), _mm512_srli_epi64::<24>(n), v.splat(RECIPROCAL));
        let rest = v.sub(n, _mm512_mul_epu32(estimate, p));
        let short = _mm512_cmpge_epu64_mask(rest, p);
        let digits = [
            _mm512_mask_sub_epi64(rest, short, rest, p),
            _mm512_mask_add_epi64(estimate, short, estimate, one),
        ];
        for (out, digit) in out.iter_mut().zip(digits) {
            v.store(v.mul_const(v.splat(CARRY), digit, &TO_R), &mut out.halves_mut()[i]);
        }
    }
    out
}

/// The residues of 128-bit integers. Result: below `2^33`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn from_u128(witness: Ifma, high: &[u64; 16], low: &[u64; 16]) -> Lanes {
    /// `2^43 k`, times `R`. Limbs of 43 bits, not 52: then each product adds at most `p + 2^22`, and with the start
    /// below `p` the sum stays below `4p + 3 * 2^22 < 2^33`.
    const WEIGHTS: [Factor; 3] = [
        Factor::new(ops::R),
        Factor::new(mul_mod(ops::R, pow_mod(2, 43))),
        Factor::new(mul_mod(ops::R, pow_mod(2, 86))),
    ];
    const MASK: u64 = LOW >> 9;
    let v = Vector(witness);
    let mut out = Lanes::ZERO;
    for (i, half) in out.halves_mut().iter_mut().enumerate() {
        let (high, low) = (v.load(&high.as_chunks().0[i]), v.load(&low.as_chunks().0[i]));
        let mask = v.splat(MASK);
        let middle = _mm512_or_si512(_mm512_srli_epi64::<43>(low), _mm512_slli_epi64::<21>(high));
        let limbs =
            [_mm512_and_si512(low, mask), _mm512_and_si512(middle, mask), _mm512_srli_epi64::<22>(high)];
        let mut sum = v.splat(3 * CARRY % P);
        for (limb, weight) in limbs.iter().zip(&WEIGHTS) {
            sum = v.mul_const(sum, *limb, weight);
        }
        v.store(sum, half);
    }
    out
}
