//! Elements in the four lanes of half a vector: what one state needs, and half of the work where a CPU's vectors of 512 bits
//! take twice as long as those of 256, or have fewer ports.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::super::kernel::Layer;
use super::lanes::Products52;
use core::arch::x86_64::*;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::{Ifma, Kernel, opaque_ymm};

/// Four lanes.
#[derive(Clone, Copy)]
pub(super) struct X4(pub(super) Ifma);

impl X4 {
    /// The lanes as words: of the vocabularies that AVX2 has, the one of 64 bits.
    #[inline(always)]
    pub(super) fn words(self) -> impl WordLanes<u64, Vector = __m256i, Words = [u64; 4]> {
        self.0.avx2()
    }
}

impl Products52 for X4 {
    type V = __m256i;

    #[inline(always)]
    fn constant(self, value: i64) -> __m256i {
        self.words().splat(value.cast_unsigned())
    }

    #[inline(always)]
    fn lo(self, acc: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX-512 IFMA and VL.
        unsafe { _mm256_madd52lo_epu64(acc, a, b) }
    }

    #[inline(always)]
    fn hi(self, acc: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX-512 IFMA and VL.
        unsafe { _mm256_madd52hi_epu64(acc, a, b) }
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self, a: __m256i) -> __m256i {
        self.words().shift_right::<BITS>(a)
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self, a: __m256i) -> __m256i {
        self.words().shift_left::<BITS>(a)
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        self.words().and(a, b)
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        self.words().add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        self.words().sub(a, b)
    }

    #[inline(always)]
    fn in_order(self, [a, b]: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: the witness proves AVX2.
        unsafe { [opaque_ymm(a), opaque_ymm(b)] }
    }

    #[inline(always)]
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        fn stepped<K: Kernel<X4>>(lanes: X4, kernel: K) -> K::Output {
            kernel.run(lanes)
        }
        // SAFETY: the witness proves these features.
        unsafe { stepped(self, kernel) }
    }

    #[inline(always)]
    fn layer<K: Layer<[__m256i; 2]>>(self, layer: K) {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        fn layered<K: Layer<[__m256i; 2]>>(lanes: X4, layer: K) {
            layer.run(lanes);
        }
        // SAFETY: the witness proves these features.
        unsafe { layered(self, layer) }
    }
}
