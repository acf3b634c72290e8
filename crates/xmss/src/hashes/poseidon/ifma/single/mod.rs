//! One state across lanes: the engine for a lone verification, whose hashes wait for one another.
//!
//! The words of a state lie in two or three vectors, in order. docs/koalabear.md, "One state across lanes", has the
//! plan: full rounds by shuffles ([`poseidon1`], [`poseidon2`]), partial rounds as a chain of S-boxes with all else
//! beside it ([`partial`]).
#![allow(unsafe_code, reason = "enters functions compiled for AVX-512 on the strength of the witness")]

#[cfg(test)]
mod bounds;
mod lanes;
mod partial;
mod poseidon1;
mod poseidon2;
mod rounds;

use super::super::engine::{Engine, Version};
use super::ops::{P, R, ResidueLanes, Vector, pow_mod};
use crate::fields::koala_bear::KoalaBear;
use core::arch::x86_64::*;
use phalanx_core::simd::Ifma;
use rounds::{Permutation, permute};

/// One word in R form. Bounds as for [`Lanes`](super::word::Lanes): below `2^33` when fresh, below `2^38` where a
/// permutation takes it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Word(u64);

/// One state at a time.
#[derive(Clone, Copy)]
pub(crate) struct Single(Ifma);

impl Single {
    /// The engine, given the proof that the CPU has the instructions.
    pub(crate) fn new(witness: Ifma) -> Self {
        Self(witness)
    }
}

/// `x mod p` as the Montgomery word of an element, to multiply other Montgomery words by `x / 2^32`.
const fn raw(x: u64) -> KoalaBear {
    KoalaBear::from_reduced_montgomery((x % P) as u32)
}

impl Engine for Single {
    const LANES: usize = 1;
    type Word = Word;
    type Single = Self;

    #[inline(always)]
    fn single(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> Word {
        const TO_R: KoalaBear = raw(R);
        Word(u64::from(x.mul(TO_R).montgomery()))
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> Word {
        self.splat(xs[0])
    }

    #[inline(always)]
    fn store(self, word: &Word, out: &mut [KoalaBear]) {
        // Times 2^-20: `from_wide`, which takes integers below 2^32 p, divides by 2^32, the product multiplies by 2^12.
        const FROM_R: KoalaBear = raw(pow_mod(2, 44));
        out[0] = KoalaBear::from_wide(word.0).mul(FROM_R);
    }

    #[inline(always)]
    fn add(self, a: &Word, b: &Word) -> Word {
        Word(a.0 + b.0)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &Word, b: &Word) -> Word {
        if lanes & 1 == 1 { *a } else { *b }
    }

    #[inline]
    fn permute16(self, version: Version, state: &mut [Word; 16]) {
        match version {
            // SAFETY: the witness proves the target features.
            Version::One => unsafe { enter::<poseidon1::Width16, 16, 2>(self.0, state) },
            // SAFETY: the witness proves the target features.
            Version::Two => unsafe { enter::<poseidon2::Width16, 16, 2>(self.0, state) },
        }
    }

    #[inline]
    fn permute24(self, version: Version, state: &mut [Word; 24]) {
        match version {
            // SAFETY: the witness proves the target features.
            Version::One => unsafe { enter::<poseidon1::Width24, 24, 3>(self.0, state) },
            // SAFETY: the witness proves the target features.
            Version::Two => unsafe { enter::<poseidon2::Width24, 24, 3>(self.0, state) },
        }
    }
}

/// The permutation of a state in memory.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter<W: Permutation<T, N>, const T: usize, const N: usize>(witness: Ifma, state: &mut [Word; T]) {
    let v = Vector(witness);
    let mut x = [v.splat(0); N];
    let mut i = 0;
    while i < N {
        // SAFETY: eight of the `8 * N = T` words (a `Word` is a transparent u64), unaligned load.
        x[i] = unsafe { _mm512_loadu_epi64(state.as_ptr().add(8 * i).cast()) };
        i += 1;
    }
    const { assert!(T == 8 * N) };
    permute::<Vector, W, T, N>(v, &mut x);
    i = 0;
    while i < N {
        // SAFETY: eight of the `8 * N = T` words (a `Word` is a transparent u64), unaligned store.
        unsafe { _mm512_storeu_epi64(state.as_mut_ptr().add(8 * i).cast(), x[i]) };
        i += 1;
    }
}
