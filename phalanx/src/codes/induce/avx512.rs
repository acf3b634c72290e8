//! Four elements at a time, with carry-less products.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use crate::fields::binary::Gf128;
use crate::simd::Avx512;
use core::arch::x86_64::*;

/// As [`super::portable::expand`].
pub(super) fn expand(_cpu: Avx512, weight: Gf128, factors: &[Gf128], out: &mut [Gf128]) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { expand_on(weight, factors, out) }
}

/// As [`super::portable::scale`].
pub(super) fn scale(_cpu: Avx512, u: &[Gf128], l: Gf128, w: &mut [Gf128]) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { scale_on(u, l, w) }
}

/// As [`super::portable::butterfly`].
pub(super) fn butterfly(_cpu: Avx512, u: &mut [Gf128], w: &mut [Gf128], l: Gf128) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { butterfly_on(u, w, l) }
}

/// As [`super::portable::butterfly_add`].
pub(super) fn butterfly_add(
    _cpu: Avx512,
    u: &[Gf128],
    w: &[Gf128],
    l: Gf128,
    out_u: &mut [Gf128],
    out_w: &mut [Gf128],
) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { butterfly_add_on(u, w, l, out_u, out_w) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,vpclmulqdq")]
#[inline(never)]
fn expand_on(weight: Gf128, factors: &[Gf128], out: &mut [Gf128]) {
    out[0] = weight;
    for (j, factor) in factors.iter().enumerate() {
        let (lower, upper) = out.split_at_mut(1 << j);
        scale_on(lower, *factor, &mut upper[..1 << j]);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,vpclmulqdq")]
#[inline]
fn scale_on(u: &[Gf128], l: Gf128, w: &mut [Gf128]) {
    let constant = Constant::new(l);
    let ((fours, rest), (to, rest_to)) = (u.as_chunks::<4>(), w.as_chunks_mut::<4>());
    for (u, w) in fours.iter().zip(to) {
        store(w, constant.times(load(u)));
    }
    if !rest.is_empty() {
        store(rest_to, constant.times(load(rest)));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,vpclmulqdq")]
#[inline(never)]
fn butterfly_on(u: &mut [Gf128], w: &mut [Gf128], l: Gf128) {
    let constant = Constant::new(l);
    let ((us, rest_u), (ws, rest_w)) = (u.as_chunks_mut::<4>(), w.as_chunks_mut::<4>());
    for (u, w) in us.iter_mut().zip(ws) {
        constant.butterfly(u, w);
    }
    if !rest_u.is_empty() {
        constant.butterfly(rest_u, rest_w);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,vpclmulqdq")]
#[inline(never)]
fn butterfly_add_on(u: &[Gf128], w: &[Gf128], l: Gf128, out_u: &mut [Gf128], out_w: &mut [Gf128]) {
    let constant = Constant::new(l);
    let ((us, rest_u), (ws, rest_w)) = (u.as_chunks::<4>(), w.as_chunks::<4>());
    let ((to_u, rest_to_u), (to_w, rest_to_w)) = (out_u.as_chunks_mut::<4>(), out_w.as_chunks_mut::<4>());
    for ((u, w), (to_u, to_w)) in us.iter().zip(ws).zip(to_u.iter_mut().zip(to_w)) {
        constant.butterfly_add(u, w, to_u, to_w);
    }
    if !rest_u.is_empty() {
        constant.butterfly_add(rest_u, rest_w, rest_to_u, rest_to_w);
    }
}

/// Words of the first four elements, if there are so many.
#[inline]
fn mask(elements: &[Gf128]) -> __mmask8 {
    if elements.len() >= 4 { 0xff } else { (1 << (2 * elements.len())) - 1 }
}

/// Up to four elements, and zeros.
#[target_feature(enable = "avx512f")]
#[inline]
fn load(from: &[Gf128]) -> __m512i {
    // SAFETY: the mask leaves out what lies behind the end.
    unsafe { _mm512_maskz_loadu_epi64(mask(from), from.as_ptr().cast()) }
}

/// As many of four elements as there is room for.
#[target_feature(enable = "avx512f")]
#[inline]
fn store(to: &mut [Gf128], elements: __m512i) {
    // SAFETY: the mask leaves out what lies behind the end.
    unsafe { _mm512_mask_storeu_epi64(to.as_mut_ptr().cast(), mask(to), elements) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// An element that many are multiplied by, and x^64 times it: so that a product is 192 bits and not 256, and one
/// more carry-less product reduces it.
#[derive(Clone, Copy)]
struct Constant {
    /// l.
    low: __m512i,
    /// x^64 l modulo x^128 + x^7 + x^2 + x + 1.
    high: __m512i,
}

impl Constant {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn new(l: Gf128) -> Self {
        Self { low: broadcast(l), high: broadcast(Gf128::reduce(l.0 << 64, l.0 >> 64)) }
    }

    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    #[inline]
    fn times(self, x: __m512i) -> __m512i {
        let low = _mm512_clmulepi64_epi128::<0x00>(x, self.low);
        let low_too = _mm512_clmulepi64_epi128::<0x01>(x, self.high);
        let middle = _mm512_xor_si512(
            _mm512_clmulepi64_epi128::<0x10>(x, self.low),
            _mm512_clmulepi64_epi128::<0x11>(x, self.high),
        );
        // The upper half of the middle part falls on bits 128 … 190.
        let fold = _mm512_clmulepi64_epi128::<0x01>(middle, _mm512_set1_epi64(0x87));
        xor3(_mm512_xor_si512(low, low_too), _mm512_bslli_epi128::<8>(middle), fold)
    }

    /// Of up to four pairs.
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    #[inline]
    fn butterfly(self, u: &mut [Gf128], w: &mut [Gf128]) {
        let lower = load(w);
        let sum = _mm512_xor_si512(load(u), lower);
        store(u, sum);
        store(w, _mm512_xor_si512(lower, self.times(sum)));
    }

    /// Of up to four pairs.
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
    #[inline]
    fn butterfly_add(self, u: &[Gf128], w: &[Gf128], to_u: &mut [Gf128], to_w: &mut [Gf128]) {
        let lower = load(w);
        let sum = _mm512_xor_si512(load(u), lower);
        store(to_u, _mm512_xor_si512(load(to_u), sum));
        store(to_w, xor3(load(to_w), lower, self.times(sum)));
    }
}

/// The same element in all four lanes.
#[target_feature(enable = "avx512f")]
#[inline]
fn broadcast(element: Gf128) -> __m512i {
    load(&[element; 4])
}
