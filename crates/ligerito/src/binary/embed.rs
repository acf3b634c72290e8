//! The small fields inside the large ones: x goes to a root of the small modulus.

use super::{BinaryField, Gf16, Gf32, Gf128, Gf192};

/// The powers 1, g, g^2, … of a root, one for every bit of the small field.
const fn powers<const BITS: usize>(root: u128) -> [u128; BITS] {
    let mut powers = [1; BITS];
    let mut i = 1;
    while i < BITS {
        powers[i] = multiply(powers[i - 1], root);
        i += 1;
    }
    powers
}

/// The product in GF(2^128) by shifts and additions, for tables made by the compiler.
const fn multiply(a: u128, b: u128) -> u128 {
    let (mut shifted, mut sum, mut bit) = (a, 0, 0);
    while bit < 128 {
        if b >> bit & 1 == 1 {
            sum ^= shifted;
        }
        let top = shifted >> 127;
        shifted = (shifted << 1) ^ (top * 0x87);
        bit += 1;
    }
    sum
}

/// Images of x^0 … x^31 of GF(2^32) in GF(2^128).
pub(crate) const POWERS_32_IN_128: [u128; 32] = powers(0xc2ad_7d2a_889a_2e62_5daf_e1c0_f5fa_0b0f);
/// Their lower and upper halves: masks of 64 bits make the embedding take half the time of masks of 128 (12 ns, 24 ns).
const HALVES_32_IN_128: [[u64; 2]; 32] = {
    let mut halves = [[0; 2]; 32];
    let mut i = 0;
    while i < 32 {
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is taken")]
        let low = POWERS_32_IN_128[i] as u64;
        halves[i] = [low, (POWERS_32_IN_128[i] >> 64) as u64];
        i += 1;
    }
    halves
};
/// Images of x^0 … x^15 of GF(2^16) in GF(2^128).
const POWERS_16_IN_128: [u128; 16] = powers(0x9e17_23a5_3bc3_2675_5304_e1b0_b798_bb58);
/// The image of x of GF(2^16) in GF(2^32).
const ROOT_16_IN_32: Gf32 = Gf32(0xdcbf_24b2);

/// The image of x of GF(2^32) in GF(2^192): of the 32 roots of the modulus the one whose integer is smallest.
pub(super) const ROOT_32_IN_192: Gf192 =
    Gf192([0xe269_37fb_eef4_e19a, 0xcfa4_847a_3a44_4f1c, 0x00a8_0a0a_d9e4_4d3e]);
/// Images of x^0 … x^31 of GF(2^32) in GF(2^192).
pub(crate) const POWERS_32_IN_192: [Gf192; 32] = {
    let mut powers = [Gf192([1, 0, 0]); 32];
    let mut i = 1;
    while i < 32 {
        // The product by shifts and additions, Horner's rule from the highest bit of the root.
        let mut product = [0; 3];
        let mut bit = 192;
        while bit > 0 {
            bit -= 1;
            product = Gf192(product).times_x().0;
            if ROOT_32_IN_192.0[bit / 64] >> (bit % 64) & 1 == 1 {
                let [a, b, c] = powers[i - 1].0;
                product = [product[0] ^ a, product[1] ^ b, product[2] ^ c];
            }
        }
        powers[i] = Gf192(product);
        i += 1;
    }
    powers
};

impl From<Gf32> for Gf128 {
    /// The embedding: GF(2)-linear, by one mask for every bit.
    #[inline]
    fn from(small: Gf32) -> Self {
        let bits = u64::from(small.0);
        let (mut low, mut high) = (0, 0);
        for (i, power) in HALVES_32_IN_128.iter().enumerate() {
            let mask = (bits >> i & 1).wrapping_neg();
            low ^= power[0] & mask;
            high ^= power[1] & mask;
        }
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

impl From<Gf32> for Gf192 {
    /// The embedding: GF(2)-linear, by one mask for every bit.
    #[inline]
    fn from(small: Gf32) -> Self {
        let bits = u64::from(small.0);
        let mut sum = [0; 3];
        for (i, power) in POWERS_32_IN_192.iter().enumerate() {
            let mask = (bits >> i & 1).wrapping_neg();
            for (sum, limb) in sum.iter_mut().zip(power.0) {
                *sum ^= limb & mask;
            }
        }
        Self(sum)
    }
}

impl From<Gf16> for Gf128 {
    /// The embedding, which is also the one through GF(2^32).
    fn from(small: Gf16) -> Self {
        let mut sum = 0;
        for (i, power) in POWERS_16_IN_128.iter().enumerate() {
            sum ^= power & u128::from(small.0 >> i & 1).wrapping_neg();
        }
        Self(sum)
    }
}

impl From<Gf16> for Gf32 {
    /// The embedding.
    fn from(small: Gf16) -> Self {
        // Horner's rule, highest coefficient first.
        (0..16).rev().fold(Self::ZERO, |sum, i| sum * ROOT_16_IN_32 + Self(u32::from(small.0 >> i & 1)))
    }
}
