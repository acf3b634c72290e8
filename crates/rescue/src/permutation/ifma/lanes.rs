//! Elements in eight lanes of AVX-512: `l + 2^52 h` in two vectors. Of `l` only the low 52 bits count; what stands above them
//! has been added to `h` as well, which stays below 2^22. docs/rescue.md derives the product.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::super::kernel::{Layer, PackedField};
use crate::goldilocks::P;
use core::arch::x86_64::*;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::{Ifma, Kernel, in_order_zmm};

/// Eight lanes.
#[derive(Clone, Copy)]
pub(in crate::permutation) struct X8(pub(super) Ifma);

pub(super) const EPSILON: i64 = 0xffff_ffff;
pub(super) const MASK_52: i64 = (1 << 52) - 1;

/// What products are made of: lanes of 64 bits, and fused multiply-adds that read the low 52 bits of their factors.
/// [`X8`] computes; in the tests, intervals prove the bounds.
pub(in crate::permutation) trait Products52: Copy {
    /// A 64-bit number in each lane.
    type V: Copy;

    fn constant(self, value: i64) -> Self::V;
    /// `acc` plus the low 52 bits of a product.
    fn lo(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `acc` plus the high 52 bits of a product.
    fn hi(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    fn shr<const BITS: i32>(self, a: Self::V) -> Self::V;
    fn shl<const BITS: i32>(self, a: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The same element. Products stay in the order written, one after the other: left alone, the optimiser mixes them
    /// until their parts no longer fit into the registers.
    fn in_order(self, a: [Self::V; 2]) -> [Self::V; 2];
    /// [`PackedField::step`].
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output;
    /// [`PackedField::layer`].
    fn layer<K: Layer<[Self::V; 2]>>(self, layer: K);
}

impl X8 {
    /// The lanes as words: of the vocabularies that AVX-512 has, the one of 64 bits.
    #[inline(always)]
    pub(super) fn words(self) -> impl WordLanes<u64, Vector = __m512i, Words = [u64; 8]> {
        self.0.avx512()
    }
}

impl Products52 for X8 {
    type V = __m512i;

    #[inline(always)]
    fn constant(self, value: i64) -> __m512i {
        self.words().splat(value.cast_unsigned())
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
    fn shr<const BITS: i32>(self, a: __m512i) -> __m512i {
        self.words().shift_right::<BITS>(a)
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self, a: __m512i) -> __m512i {
        self.words().shift_left::<BITS>(a)
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        self.words().and(a, b)
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        self.words().add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        self.words().sub(a, b)
    }

    #[inline(always)]
    fn in_order(self, a: [__m512i; 2]) -> [__m512i; 2] {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { in_order_zmm(a) }
    }

    #[inline(always)]
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        fn stepped<K: Kernel<X8>>(lanes: X8, kernel: K) -> K::Output {
            kernel.run(lanes)
        }
        // SAFETY: the witness proves these features.
        unsafe { stepped(self, kernel) }
    }

    #[inline(always)]
    fn layer<K: Layer<[__m512i; 2]>>(self, layer: K) {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        fn layered<K: Layer<[__m512i; 2]>>(lanes: X8, layer: K) {
            layer.run(lanes);
        }
        // SAFETY: the witness proves these features.
        unsafe { layered(self, layer) }
    }
}

/// The start values of the three columns of a product. They sum to p together with the 2^52 - 256 that the product by it
/// brings.
pub(super) const A0: i64 = (1 << 52) - (1 << 32) + 257;
pub(super) const M0: i64 = (1 << 12) - 2;
pub(super) const T0: i64 = 1;
/// 2^104 = -2^8: the low 52 bits of its product by t are 2^52 - 2^8 t.
pub(super) const MINUS_256: i64 = (1 << 52) - 256;

/// `a + 2^52 m + 2^104 t`, less the biases that the callers start with, which sum to p.
#[inline(always)]
fn reduced<A: Products52>(e: A, a: A::V, m: A::V, t: A::V) -> [A::V; 2] {
    let epsilon = e.constant(EPSILON);
    // 2^64 = epsilon.
    let top = e.shr::<12>(m);
    let low = e.lo(e.lo(a, top, epsilon), t, e.constant(MINUS_256));
    let high = e.hi(e.and(m, e.constant(0xfff)), top, epsilon);
    e.in_order([low, e.add(high, e.shr::<52>(low))])
}

impl<A: Products52> PackedField for A {
    const CHAINS: usize = 6;
    type Word = [A::V; 2];
    type Limb = A::V;

    #[inline(always)]
    fn mul_inlined(self, [l, h]: [A::V; 2], [l2, h2]: [A::V; 2]) -> [A::V; 2] {
        let a = self.lo(self.constant(A0), l, l2);
        let m = self.lo(self.lo(self.hi(self.constant(M0), l, l2), l, h2), h, l2);
        let t = self.lo(self.hi(self.hi(self.constant(T0), l, h2), h, l2), h, h2);
        reduced(self, a, m, t)
    }

    #[inline(always)]
    fn square_inlined(self, a: [A::V; 2]) -> [A::V; 2] {
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
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        Products52::step(self, kernel)
    }

    #[inline(always)]
    fn layer<K: Layer<[A::V; 2]>>(self, layer: K) {
        Products52::layer(self, layer);
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
    fn shifted<const BITS: i32>(self, a: A::V) -> A::V {
        self.shl::<BITS>(a)
    }
}

/// The element low + 2^52 high.
#[inline(always)]
pub(super) fn joined<A: Products52>(e: A, low: A::V, high: A::V) -> [A::V; 2] {
    // 2^64 = epsilon. What stands above the 52 bits of `low` goes to `high` together with the carry.
    let low = e.lo(low, e.shr::<12>(high), e.constant(EPSILON));
    [low, e.add(e.and(high, e.constant(0xfff)), e.shr::<52>(low))]
}

/// Eight `u64` to elements.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn split_lanes(e: X8, words: &[u64; 8]) -> [__m512i; 2] {
    // SAFETY: 64 bytes are read.
    let loaded = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    [e.and(loaded, e.constant(MASK_52)), e.shr::<52>(loaded)]
}

/// Elements to their canonical integers.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn canonical_lanes(e: X8, [l, h]: [__m512i; 2], words: &mut [u64; 8]) {
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
