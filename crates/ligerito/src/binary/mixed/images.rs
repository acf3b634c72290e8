//! What the bits of an element of GF(2^32) become, times a weight.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use crate::binary::embed::{POWERS_32_IN_128, POWERS_32_IN_192};
use crate::binary::lanes::{Kernel, Lanes, OnLanes, run};
use crate::binary::{Gf128, Gf192};
use phalanx_core::simd::Isa;

/// A field with a table of the images of the bits of GF(2^32).
pub(super) trait Images: OnLanes {
    /// The image of bit i, at index i.
    const POWERS: &'static [Self; 32];

    /// The element with these limbs, lowest first; those that it has no room for are left out.
    fn from_limbs(limbs: [u64; 3]) -> Self;
}

impl Images for Gf128 {
    const POWERS: &'static [Self; 32] = &{
        let mut powers = [Self(0); 32];
        let mut i = 0;
        while i < 32 {
            powers[i] = Self(POWERS_32_IN_128[i]);
            i += 1;
        }
        powers
    };

    fn from_limbs([low, high, _]: [u64; 3]) -> Self {
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

impl Images for Gf192 {
    const POWERS: &'static [Self; 32] = &POWERS_32_IN_192;

    fn from_limbs(limbs: [u64; 3]) -> Self {
        Self(limbs)
    }
}

/// The image of every bit, times `weight`.
pub(super) fn images<E: Images>(isa: Isa, weight: E) -> [E; 32] {
    run(isa, Weighted(weight)).unwrap_or_else(|Weighted(weight)| E::POWERS.map(|power| power * weight))
}

/// Of an element of the large field, whose part for every bit is given: the sum of parts times images of the bits.
pub(super) fn sum_of_bits<E: Images>(isa: Isa, parts: &[E; 32]) -> E {
    crate::binary::vectors::inner(isa, E::POWERS, parts)
}

/// Adds what every bit gave.
pub(super) fn add_parts<E: Images>(sums: &mut [E; 32], parts: &[E; 32]) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += *part;
    }
}

struct Weighted<E>(E);

impl<E: Images> Kernel for Weighted<E> {
    type Field = E;
    type Output = [E; 32];

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> [E; 32] {
        let weight = lanes.constant(&self.0);
        let mut images = *E::POWERS;
        let mut i = 0;
        while i < images.len() {
            lanes.store(lanes.multiply(lanes.load(&images[i..]), weight), &mut images[i..]);
            i += L::COUNT;
        }
        images
    }
}
