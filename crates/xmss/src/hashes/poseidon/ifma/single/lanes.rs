//! A state in the lanes of two or three vectors: what that needs beyond arithmetic lane by lane.
#![allow(unsafe_code, reason = "intrinsics on the strength of the witness")]

use super::super::ops::{NEGATED_INVERSE, P, ResidueLanes, Vector};
use core::arch::x86_64::*;

/// A sum of products, low and high halves apart.
#[derive(Clone, Copy)]
pub(super) struct Sum<V> {
    pub(super) low: V,
    pub(super) high: V,
}

/// What a state in lanes needs beyond [`ResidueLanes`]: values that differ from lane to lane.
pub(super) trait StateLanes: ResidueLanes {
    /// Eight known values.
    fn table(self, lanes: &[u64; 8]) -> Self::V;

    /// Lane `lane` in every lane.
    fn broadcast(self, x: Self::V, lane: usize) -> Self::V;

    /// Lane `i` is `x[i + K]`, within each half; `K` is 1, 2 or 3.
    fn rotate<const K: usize>(self, x: Self::V) -> Self::V;

    /// The halves exchanged.
    fn swap(self, x: Self::V) -> Self::V;

    /// Lane `i` is lane `i + K` of `x` followed by `next`.
    fn window<const K: i32>(self, x: Self::V, next: Self::V) -> Self::V;

    /// A sum that starts at `high`, to be followed by `close`.
    #[inline(always)]
    fn sum(self, high: Self::V) -> Sum<Self::V> {
        Sum { low: self.splat(0), high }
    }

    /// Adds a product to the sum. Inputs: below `2^52`. At most `2^12` products before [`StateLanes::close`].
    #[inline(always)]
    fn accumulate(self, sum: &mut Sum<Self::V>, x: Self::V, c: Self::V) {
        sum.low = self.lo(sum.low, x, c);
        sum.high = self.hi(sum.high, x, c);
    }

    /// `high - CARRY` plus the products divided by `R`; at most `high + floor(low / 2^52) + p`.
    #[inline(always)]
    fn close(self, sum: Sum<Self::V>) -> Self::V {
        self.fold(sum.high, sum.low)
    }

    /// Both sums in one.
    #[inline(always)]
    fn join(self, a: Sum<Self::V>, b: Sum<Self::V>) -> Sum<Self::V> {
        Sum { low: self.add(a.low, b.low), high: self.add(a.high, b.high) }
    }

    /// [`ResidueLanes::mul_const`] with a factor a lane.
    #[inline(always)]
    fn mul_lanes(self, acc: Self::V, x: Self::V, c: Self::V, q: Self::V) -> Self::V {
        let q = self.lo(self.splat(NEGATED_INVERSE), x, q);
        self.hi(self.hi(acc, x, c), q, self.splat(P))
    }
}

impl StateLanes for Vector {
    #[inline(always)]
    fn table(self, lanes: &[u64; 8]) -> __m512i {
        self.load(lanes)
    }

    #[inline(always)]
    fn broadcast(self, x: __m512i, lane: usize) -> __m512i {
        let index = self.splat(lane as u64);
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_permutexvar_epi64(index, x) }
    }

    #[inline(always)]
    fn rotate<const K: usize>(self, x: __m512i) -> __m512i {
        match K {
            // SAFETY: the witness proves AVX-512.
            1 => unsafe { _mm512_permutex_epi64::<0b00_11_10_01>(x) },
            // SAFETY: the witness proves AVX-512.
            2 => unsafe { _mm512_permutex_epi64::<0b01_00_11_10>(x) },
            // SAFETY: the witness proves AVX-512.
            _ => unsafe { _mm512_permutex_epi64::<0b10_01_00_11>(x) },
        }
    }

    #[inline(always)]
    fn swap(self, x: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(x, x) }
    }

    #[inline(always)]
    fn window<const K: i32>(self, x: __m512i, next: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_alignr_epi64::<K>(next, x) }
    }
}

/// A row of the state, by vectors.
pub(super) type Row<const N: usize> = [[u64; 8]; N];

/// A row of residues, by vectors.
pub(super) const fn vectors<const T: usize, const N: usize>(row: &[u64; T]) -> Row<N> {
    let mut out = [[0; 8]; N];
    let mut i = 0;
    while i < T {
        out[i / 8][i % 8] = row[i];
        i += 1;
    }
    out
}
