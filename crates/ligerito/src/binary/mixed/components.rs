//! GF(2^128) and GF(2^192) as vector spaces over GF(2^32), with the basis 1, x, x^2, …
//!
//! Their moduli are irreducible, so x has degree four or six over the subfield of 2^32 elements and its first powers
//! are a basis. Component k of an element is bits 32 k … 32 k + 31 of an integer here, in limbs of 64 bits, the lowest
//! first.

use crate::binary::embed::{POWERS_32_IN_128, POWERS_32_IN_192};
use crate::binary::lanes::OnLanes;
use crate::binary::{Gf32, Gf128, Gf192};

/// A field of which an element is `N` components.
pub(super) trait Components<const N: usize>: OnLanes {
    /// The components of an element.
    fn components(self) -> [u32; N];

    /// The element with the mask, all ones or all zeros, on each of its limbs.
    fn masked(self, mask: u64) -> Self;

    /// The element of given components.
    fn assemble(components: [Gf32; N]) -> Self {
        // Horner's rule in x, highest component first.
        components.into_iter().rev().fold(Self::ZERO, |sum, part| sum.times_x() + Self::from(part))
    }
}

impl Components<4> for Gf128 {
    #[expect(clippy::cast_possible_truncation, reason = "halves are taken")]
    fn components(self) -> [u32; 4] {
        split::<2, 128, 4>([self.0 as u64, (self.0 >> 64) as u64], &TO_COMPONENTS_128)
    }

    #[inline]
    fn masked(self, mask: u64) -> Self {
        Self(self.0 & (u128::from(mask) << 64 | u128::from(mask)))
    }
}

impl Components<6> for Gf192 {
    fn components(self) -> [u32; 6] {
        split::<3, 192, 6>(self.0, &TO_COMPONENTS_192)
    }

    #[inline]
    fn masked(self, mask: u64) -> Self {
        Self(self.0.map(|limb| limb & mask))
    }
}

/// The components of every x^i of GF(2^128).
pub(super) static TO_COMPONENTS_128: [[u64; 2]; 128] = {
    let mut powers = [[0; 2]; 32];
    let mut i = 0;
    while i < 32 {
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is taken")]
        let low = POWERS_32_IN_128[i] as u64;
        powers[i] = [low, (POWERS_32_IN_128[i] >> 64) as u64];
        i += 1;
    }
    to_components(&powers)
};

/// The components of every x^i of GF(2^192).
pub(super) static TO_COMPONENTS_192: [[u64; 3]; 192] = {
    let mut powers = [[0; 3]; 32];
    let mut i = 0;
    while i < 32 {
        powers[i] = POWERS_32_IN_192[i].0;
        i += 1;
    }
    to_components(&powers)
};

/// a + b.
const fn add<const LIMBS: usize>(a: [u64; LIMBS], b: [u64; LIMBS]) -> [u64; LIMBS] {
    let mut sum = a;
    let mut limb = 0;
    while limb < LIMBS {
        sum[limb] ^= b[limb];
        limb += 1;
    }
    sum
}

/// a x, modulo x^(64 LIMBS) + x^7 + x^2 + x + 1.
const fn shift<const LIMBS: usize>(a: [u64; LIMBS]) -> [u64; LIMBS] {
    let mut shifted = a;
    shifted[0] = (a[0] << 1) ^ ((a[LIMBS - 1] >> 63) * 0x87);
    let mut limb = 1;
    while limb < LIMBS {
        shifted[limb] = a[limb] << 1 | a[limb - 1] >> 63;
        limb += 1;
    }
    shifted
}

/// The components of every x^i, of the images of the x^i of GF(2^32): a matrix over GF(2) is inverted.
const fn to_components<const LIMBS: usize, const BITS: usize>(
    powers: &[[u64; LIMBS]; 32],
) -> [[u64; LIMBS]; BITS] {
    // `values[i]` is always what `components[i]` stands for. First the components are single bits.
    let mut values = [[0; LIMBS]; BITS];
    let mut components = [[0; LIMBS]; BITS];
    let mut i = 0;
    while i < BITS {
        values[i] = if i < 32 { powers[i] } else { shift(values[i - 32]) };
        components[i][i / 64] = 1 << (i % 64);
        i += 1;
    }
    // Gauss and Jordan.
    let mut bit = 0;
    while bit < BITS {
        let mut pivot = bit;
        while values[pivot][bit / 64] >> (bit % 64) & 1 == 0 {
            pivot += 1;
        }
        (values[bit], values[pivot]) = (values[pivot], values[bit]);
        (components[bit], components[pivot]) = (components[pivot], components[bit]);
        let mut i = 0;
        while i < BITS {
            if i != bit && values[i][bit / 64] >> (bit % 64) & 1 == 1 {
                values[i] = add(values[i], values[bit]);
                components[i] = add(components[i], components[bit]);
            }
            i += 1;
        }
        bit += 1;
    }
    components
}

/// The sum of components over the bits of an element.
#[expect(clippy::cast_possible_truncation, reason = "halves are taken")]
fn split<const LIMBS: usize, const BITS: usize, const N: usize>(
    element: [u64; LIMBS],
    table: &[[u64; LIMBS]; BITS],
) -> [u32; N] {
    let mut sum = [0; LIMBS];
    for (i, components) in table.iter().enumerate() {
        let mask = (element[i / 64] >> (i % 64) & 1).wrapping_neg();
        sum = add(sum, components.map(|limb| limb & mask));
    }
    core::array::from_fn(|k| (sum[k / 2] >> (32 * (k % 2))) as u32)
}
