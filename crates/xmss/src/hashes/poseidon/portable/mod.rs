//! The scalar permutations: the reference behaviour, which the vector engines are tested against.
//!
//! Both keep the full rounds of the specification. Poseidon2's internal rounds are on pairs of words
//! ([`poseidon2`]). Poseidon1's partial rounds touch only word 0 non-linearly, so everything else about them is one
//! precomputed linear map ([`poseidon1::PartialRounds`]).

#[cfg(test)]
mod bounds;
pub(crate) mod poseidon1;
pub(crate) mod poseidon2;
mod signed;
mod split16;

use super::engine::{Engine, Version};
use crate::fields::koala_bear::KoalaBear;

/// The engine of one lane.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Engine for Scalar {
    const LANES: usize = 1;
    type Word = KoalaBear;
    type Single = Self;

    #[inline(always)]
    fn single(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> KoalaBear {
        x
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> KoalaBear {
        xs[0]
    }

    #[inline(always)]
    fn store(self, word: &KoalaBear, out: &mut [KoalaBear]) {
        out[0] = *word;
    }

    #[inline(always)]
    fn add(self, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        KoalaBear::add(*a, *b)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        if lanes & 1 == 1 { *a } else { *b }
    }

    // Thousands of instructions, and a dozen callers: a call costs nothing beside them.
    #[inline(never)]
    fn permute16(self, version: Version, state: &mut [KoalaBear; 16]) {
        match version {
            Version::One => split16::permute(state),
            Version::Two => poseidon2::permute16(state),
        }
    }

    #[inline(never)]
    fn permute24(self, version: Version, state: &mut [KoalaBear; 24]) {
        match version {
            Version::One => poseidon1::permute24(state),
            Version::Two => poseidon2::permute24(state),
        }
    }
}

/// A table of canonical residues as field elements.
const fn table<const T: usize, const N: usize>(rows: &[[u32; T]; N]) -> [[KoalaBear; T]; N] {
    let mut out = [[KoalaBear::ZERO; T]; N];
    let mut i = 0;
    while i < N {
        out[i] = row(&rows[i]);
        i += 1;
    }
    out
}

/// A row of canonical residues as field elements.
const fn row<const T: usize>(row: &[u32; T]) -> [KoalaBear; T] {
    let mut out = [KoalaBear::ZERO; T];
    let mut i = 0;
    while i < T {
        out[i] = KoalaBear::new(row[i]);
        i += 1;
    }
    out
}
