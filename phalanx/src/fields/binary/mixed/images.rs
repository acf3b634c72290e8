//! What the bits of an element of GF(2^32) become, times a weight.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use crate::fields::binary::Gf128;
use crate::fields::binary::embed::POWERS_32_IN_128;
use crate::fields::binary::lanes::{Kernel, Lanes, run};
use crate::simd::Level;

/// The image in GF(2^128) of bit i of GF(2^32), at index i.
const POWERS: [Gf128; 32] = {
    let mut powers = [Gf128(0); 32];
    let mut i = 0;
    while i < 32 {
        powers[i] = Gf128(POWERS_32_IN_128[i]);
        i += 1;
    }
    powers
};

/// The image of every bit, times `weight`.
pub(super) fn images(level: Level, weight: Gf128) -> [Gf128; 32] {
    run(level, Images(weight)).unwrap_or_else(|Images(weight)| POWERS.map(|power| power * weight))
}

/// Of an element in GF(2^128), whose part for every bit is given: the sum of parts times images of the bits.
pub(super) fn sum_of_bits(level: Level, parts: &[Gf128; 32]) -> Gf128 {
    crate::fields::binary::vectors::inner(level, &POWERS, parts)
}

struct Images(Gf128);

impl Kernel for Images {
    type Output = [Gf128; 32];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [Gf128; 32] {
        let weight = lanes.constant(&self.0);
        let mut images = POWERS;
        let mut i = 0;
        while i < images.len() {
            lanes.store(lanes.multiply(lanes.load(&images[i..]), weight), &mut images[i..]);
            i += L::COUNT;
        }
        images
    }
}
