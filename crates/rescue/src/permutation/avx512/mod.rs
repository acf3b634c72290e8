//! Eight states in the lanes of AVX-512, products with IFMA.
//!
//! An element is `l + 2^52 h` in two vectors. Of `l` only the low 52 bits count; what stands above them has been added to
//! `h` as well, which stays below 2^22. docs/rescue.md derives the product.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

#[cfg(test)]
mod bounds;
mod single;

use super::Permutation;
use super::kernel::{self, PackedField};
use crate::goldilocks::P;
use core::arch::x86_64::*;
use phalanx_core::simd::Avx512;

/// Eight lanes.
#[derive(Clone, Copy)]
struct X8(Avx512);

const EPSILON: i64 = 0xffff_ffff;
const MASK_52: i64 = (1 << 52) - 1;

/// What products are made of: lanes of 64 bits, and fused multiply-adds that read the low 52 bits of their factors.
/// [`X8`] computes; in the tests, intervals prove the bounds.
pub(super) trait Ifma: Copy {
    /// A 64-bit number in each lane.
    type V: Copy;

    fn constant(self, value: i64) -> Self::V;
    /// `acc` plus the low 52 bits of a product.
    fn lo(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `acc` plus the high 52 bits of a product.
    fn hi(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    fn shr<const BITS: u32>(self, a: Self::V) -> Self::V;
    fn shl<const BITS: u32>(self, a: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The same element. Products stay in the order written, one after the other: left alone, the optimiser mixes them
    /// until their parts no longer fit into the registers.
    fn in_order(self, a: [Self::V; 2]) -> [Self::V; 2];
}

impl Ifma for X8 {
    type V = __m512i;

    #[inline(always)]
    fn constant(self, value: i64) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_set1_epi64(value) }
    }

    #[inline(always)]
    fn lo(self, acc: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 IFMA.
        unsafe { _mm512_madd52lo_epu64(acc, a, b) }
    }

    #[inline(always)]
    fn hi(self, acc: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 IFMA.
        unsafe { _mm512_madd52hi_epu64(acc, a, b) }
    }

    #[inline(always)]
    fn shr<const BITS: u32>(self, a: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_srli_epi64::<BITS>(a) }
    }

    #[inline(always)]
    fn shl<const BITS: u32>(self, a: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_slli_epi64::<BITS>(a) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn in_order(self, a: [__m512i; 2]) -> [__m512i; 2] {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { pinned(a) }
    }
}

/// The same vectors, from which the optimiser can conclude nothing, in the order of the calls. No instruction comes of it.
#[inline]
#[target_feature(enable = "avx512f")]
fn pinned([mut l, mut h]: [__m512i; 2]) -> [__m512i; 2] {
    // SAFETY: registers are named and nothing is done.
    unsafe {
        core::arch::asm!("/* {} {} */", inout(zmm_reg) l, inout(zmm_reg) h, options(nomem, nostack, preserves_flags));
    };
    [l, h]
}

/// The start values of the three columns of a product. They sum to p together with the 2^52 - 256 that the product by it
/// brings.
const A0: i64 = (1 << 52) - (1 << 32) + 257;
const M0: i64 = (1 << 12) - 2;
const T0: i64 = 1;
/// 2^104 = -2^8: the low 52 bits of its product by t are 2^52 - 2^8 t.
const MINUS_256: i64 = (1 << 52) - 256;

/// `a + 2^52 m + 2^104 t`, less the biases that the callers start with, which sum to p.
#[inline(always)]
fn reduced<A: Ifma>(e: A, a: A::V, m: A::V, t: A::V) -> [A::V; 2] {
    let epsilon = e.constant(EPSILON);
    // 2^64 = epsilon.
    let top = e.shr::<12>(m);
    let low = e.lo(e.lo(a, top, epsilon), t, e.constant(MINUS_256));
    let high = e.hi(e.and(m, e.constant(0xfff)), top, epsilon);
    e.in_order([low, e.add(high, e.shr::<52>(low))])
}

impl<A: Ifma> PackedField for A {
    const CHAINS: usize = 6;
    type Word = [A::V; 2];
    type Limb = A::V;

    #[inline(always)]
    fn mul(self, [l, h]: [A::V; 2], [l2, h2]: [A::V; 2]) -> [A::V; 2] {
        let a = self.lo(self.constant(A0), l, l2);
        let m = self.lo(self.lo(self.hi(self.constant(M0), l, l2), l, h2), h, l2);
        let t = self.lo(self.hi(self.hi(self.constant(T0), l, h2), h, l2), h, h2);
        reduced(self, a, m, t)
    }

    #[inline(always)]
    fn square(self, a: [A::V; 2]) -> [A::V; 2] {
        let [l, h] = self.in_order(a);
        let twice = self.add(h, h);
        let a = self.lo(self.constant(A0), l, l);
        let m = self.lo(self.hi(self.constant(M0), l, l), l, twice);
        let t = self.lo(self.hi(self.constant(T0), l, twice), h, h);
        reduced(self, a, m, t)
    }

    #[inline(always)]
    fn split(self, [l, h]: [A::V; 2]) -> [A::V; 2] {
        [self.and(l, self.constant(MASK_52)), h]
    }

    #[inline(always)]
    fn join(self, [low, high]: [A::V; 2], constant: u64) -> [A::V; 2] {
        let constant = constant.cast_signed();
        let low = self.add(low, self.constant(constant & MASK_52));
        let high = self.add(high, self.constant((constant >> 52) & 0xfff));
        joined(self, low, high)
    }

    #[inline(always)]
    fn plus(self, a: A::V, b: A::V) -> A::V {
        self.add(a, b)
    }

    #[inline(always)]
    fn minus(self, a: A::V, b: A::V) -> A::V {
        self.sub(a, b)
    }

    #[inline(always)]
    fn shifted<const BITS: u32>(self, a: A::V) -> A::V {
        self.shl::<BITS>(a)
    }
}

/// The element low + 2^52 high.
#[inline(always)]
fn joined<A: Ifma>(e: A, low: A::V, high: A::V) -> [A::V; 2] {
    // 2^64 = epsilon. What stands above the 52 bits of `low` goes to `high` together with the carry.
    let low = e.lo(low, e.shr::<12>(high), e.constant(EPSILON));
    [low, e.add(e.and(high, e.constant(0xfff)), e.shr::<52>(low))]
}

/// With this many states or fewer, pairs (or, where there are none, scalar words) are faster than a batch of eight that is
/// not full.
const fn few(permutation: Permutation) -> usize {
    match permutation {
        Permutation::Rp64 | Permutation::Rpo => 4,
        Permutation::Jive | Permutation::Rpx => 1,
    }
}

/// Permutes states that stand one after the other.
pub(super) fn permute_many(witness: Avx512, permutation: Permutation, words: &mut [u64]) {
    let e = X8(witness);
    for batch in words.chunks_mut(8 * permutation.width()) {
        if batch.len() <= few(permutation) * permutation.width() {
            single::permute_pairs(witness, permutation, batch);
            continue;
        }
        // SAFETY: the witness proves the features that the entry is compiled for.
        unsafe {
            match permutation {
                Permutation::Rp64 => batch_of_8(e, batch, rp64),
                Permutation::Jive => batch_of_8(e, batch, jive),
                Permutation::Rpo => batch_of_8(e, batch, rpo),
                Permutation::Rpx => batch_of_8(e, batch, rpx),
            }
        }
    }
}

/// Brings up to eight states of `W` words into lanes, permutes them and brings them back, canonical.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn batch_of_8<const W: usize>(e: X8, words: &mut [u64], permute: unsafe fn(X8, &mut [[__m512i; 2]; W])) {
    let mut columns = [[0u64; 8]; W];
    for (lane, state) in words.chunks_exact(W).enumerate() {
        for (column, &word) in columns.iter_mut().zip(state) {
            column[lane] = word;
        }
    }
    let mut state = [[_mm512_setzero_si512(); 2]; W];
    for (word, column) in state.iter_mut().zip(&columns) {
        *word = split_lanes(e, column);
    }
    // SAFETY: this function is compiled for the features that `permute` needs.
    unsafe { permute(e, &mut state) };
    for (word, column) in state.iter().zip(&mut columns) {
        canonical_lanes(e, *word, column);
    }
    for (lane, state) in words.chunks_exact_mut(W).enumerate() {
        for (column, word) in columns.iter().zip(state) {
            *word = column[lane];
        }
    }
}

/// Eight `u64` to elements.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn split_lanes(e: X8, words: &[u64; 8]) -> [__m512i; 2] {
    // SAFETY: 64 bytes are read.
    let loaded = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    [e.and(loaded, e.constant(MASK_52)), e.shr::<52>(loaded)]
}

/// Elements to their canonical integers.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn canonical_lanes(e: X8, [l, h]: [__m512i; 2], words: &mut [u64; 8]) {
    // l + 2^52 h with h below 2^22: 2^64 (h / 2^12) = epsilon (h / 2^12), which may carry once.
    let low = _mm512_or_si512(e.and(l, e.constant(MASK_52)), _mm512_slli_epi64::<52>(h));
    let folded = _mm512_mul_epu32(e.shr::<12>(h), e.constant(EPSILON));
    let sum = e.add(low, folded);
    let carried = _mm512_cmplt_epu64_mask(sum, low);
    let sum = _mm512_mask_add_epi64(sum, carried, sum, e.constant(EPSILON));
    // Below 2p: the lesser of x and x - p, which wraps around below p.
    let reduced = _mm512_min_epu64(sum, e.sub(sum, e.constant(P.cast_signed())));
    // SAFETY: 64 bytes are written.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), reduced) };
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rp64(e: X8, state: &mut [[__m512i; 2]; 12]) {
    kernel::rp64(e, state);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn jive(e: X8, state: &mut [[__m512i; 2]; 8]) {
    kernel::jive(e, state);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rpo(e: X8, state: &mut [[__m512i; 2]; 12]) {
    kernel::rpo(e, state);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rpx(e: X8, state: &mut [[__m512i; 2]; 12]) {
    kernel::rpx(e, state);
}
