//! GF(2^128) as a vector space over GF(2^32), with the basis 1, x, x^2, x^3.
//!
//! The modulus x^128 + x^7 + x^2 + x + 1 is irreducible, so x has degree four over the subfield of 2^32 elements and its
//! first four powers are a basis. Component k of an element is bits 32 k … 32 k + 31 of an integer here.

use crate::fields::binary::embed::POWERS_32_IN_128;
use crate::fields::binary::{Gf32, Gf128};

/// x^k of GF(2^128) times the image of x^i of GF(2^32), at index 32 k + i: bit by bit, what components stand for.
pub(super) const FROM_COMPONENTS: [u128; 128] = {
    let mut images = [0; 128];
    let mut i = 0;
    while i < 32 {
        let mut image = POWERS_32_IN_128[i];
        let mut k = 0;
        while k < 4 {
            images[32 * k + i] = image;
            image = (image << 1) ^ ((image >> 127) * 0x87);
            k += 1;
        }
        i += 1;
    }
    images
};

/// The components of x^i of GF(2^128): the inverse of [`FROM_COMPONENTS`] as a matrix over GF(2).
pub(super) const TO_COMPONENTS: [u128; 128] = {
    let mut values = FROM_COMPONENTS;
    let mut components = [0; 128];
    let mut i = 0;
    while i < 128 {
        components[i] = 1u128 << i;
        i += 1;
    }
    // Gauss and Jordan: `values[i]` is always what `components[i]` stands for.
    let mut bit = 0;
    while bit < 128 {
        let mut pivot = bit;
        while values[pivot] >> bit & 1 == 0 {
            pivot += 1;
        }
        (values[bit], values[pivot]) = (values[pivot], values[bit]);
        (components[bit], components[pivot]) = (components[pivot], components[bit]);
        let mut i = 0;
        while i < 128 {
            if i != bit && values[i] >> bit & 1 == 1 {
                values[i] ^= values[bit];
                components[i] ^= components[bit];
            }
            i += 1;
        }
        bit += 1;
    }
    components
};

/// The four components of `element`.
#[allow(clippy::cast_possible_truncation, reason = "quarters are taken")]
pub(super) fn components(element: Gf128) -> [u32; 4] {
    let mut sum = 0;
    for (i, image) in TO_COMPONENTS.iter().enumerate() {
        sum ^= image & (element.0 >> i & 1).wrapping_neg();
    }
    [sum as u32, (sum >> 32) as u32, (sum >> 64) as u32, (sum >> 96) as u32]
}

/// The element of given components.
pub(super) fn assemble(components: [Gf32; 4]) -> Gf128 {
    // Horner's rule in x, highest component first.
    let [c0, c1, c2, c3] = components.map(Gf128::from);
    let times_x = |a: Gf128| Gf128((a.0 << 1) ^ ((a.0 >> 127) * 0x87));
    c0 + times_x(c1 + times_x(c2 + times_x(c3)))
}
