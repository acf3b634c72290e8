//! GF(2^128) and GF(2^192) as vector spaces over GF(2^32), with the basis 1, x, x^2, …
//!
//! Their moduli are irreducible, so x has degree four or six over the subfield of 2^32 elements and its first powers
//! are a basis. Component k of an element is bits 32 k … 32 k + 31 of an integer here, in limbs of 64 bits, the lowest
//! first.

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
pub(super) static TO_COMPONENTS_128: [[u64; 2]; 128] =
    to_components([0x4f80_f65a_e2ab_cb2e, 0xfcb8_0f41_320f_b682]);

/// The components of every x^i of GF(2^192).
pub(super) static TO_COMPONENTS_192: [[u64; 3]; 192] =
    to_components([0x6455_2f24_c864_6ccb, 0x9e5f_d898_be0e_4fed, 0xb4d0_7cfd_d576_1b5a]);

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

/// The components of every x^i, of those of x^4 or x^6: the coefficients of the minimal polynomial of x over GF(2^32).
///
/// From one power to the next all components go one place up, and the one that goes out comes back times these. (To
/// invert the matrix that takes components to elements was most of what the compiler evaluated for this crate.)
const fn to_components<const LIMBS: usize, const BITS: usize>(minimal: [u64; LIMBS]) -> [[u64; LIMBS]; BITS] {
    // Times every power of the generator of GF(2^32), in both halves of each limb.
    let mut multiples = [minimal; 32];
    let mut bit = 1;
    while bit < 32 {
        let mut limb = 0;
        while limb < LIMBS {
            let below = multiples[bit - 1][limb];
            let carries = below >> 31 & 0x1_0000_0001;
            multiples[bit][limb] = ((below & 0x7fff_ffff_7fff_ffff) << 1) ^ (carries * 0x8299);
            limb += 1;
        }
        bit += 1;
    }
    let mut powers = [[0; LIMBS]; BITS];
    powers[0][0] = 1;
    let mut i = 1;
    while i < BITS {
        let last = powers[i - 1];
        let mut next = last;
        let mut limb = LIMBS - 1;
        while limb > 0 {
            next[limb] = last[limb] << 32 | last[limb - 1] >> 32;
            limb -= 1;
        }
        next[0] = last[0] << 32;
        let mut out = last[LIMBS - 1] >> 32;
        while out != 0 {
            next = add(next, multiples[out.trailing_zeros() as usize]);
            out &= out - 1;
        }
        powers[i] = next;
        i += 1;
    }
    powers
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
