//! The permutations on packed 32-bit lanes: the vector algorithm once, generic over an instruction set.
//!
//! A lane holds the Montgomery word of an element, radix `2^32` as in [`KoalaBear`], so loading and storing are copies.
//! *Reduced* means below `p`; every word is reduced between the steps below. `p` takes almost all of 32 bits (`2 p` is
//! `2^32 - 2^25 + 2`), so there is room for one addition of reduced words and no more: [`add`] costs three operations.
//!
//! The S-box takes any signed integer between `-p` and `p`. A reduced word plus a round constant from `-p..0` is one, so
//! adding the constant costs one operation.

pub(super) mod poseidon1;
pub(super) mod poseidon2;
#[cfg(test)]
mod tests;

use crate::fields::koala_bear::{KoalaBear, P};

/// Lane operations on vectors of 32-bit words; the implementor is a witness that its instructions exist.
///
/// Additions and subtractions wrap.
pub(crate) trait Lanes32: Copy {
    /// One 32-bit word of every lane.
    type Vector: Copy;

    /// A vector made ready for [`product`](Self::product).
    type Factor: Copy;

    /// One 64-bit integer of every lane.
    type Wide: Copy;

    /// The same word in every lane.
    fn splat(self, word: u32) -> Self::Vector;

    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a - b`.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The smaller one, as unsigned integers.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `x * 2^COUNT`.
    fn shift_left<const COUNT: i32>(self, x: Self::Vector) -> Self::Vector;

    /// `floor(x / 2^COUNT)`, unsigned.
    fn shift_right<const COUNT: i32>(self, x: Self::Vector) -> Self::Vector;

    /// The Montgomery word of the third power, between `-p` and `p` (both excluded), as a signed integer.
    ///
    /// Input: a signed integer between `-p` and `p` (both included).
    ///
    /// With `x` the input, a signed Montgomery product gives `r = x^2 / 2^32 - m` with `|m| <= p / 2`, so
    /// `|r| <= p^2 / 2^32 + p / 2 < 0.9961 p`, and then `|r x| / 2^32 + p / 2 < 0.9942 p`.
    fn cube(self, x: Self::Vector) -> Self::Vector;

    /// `x * constant / 2^32`, between `-p` and `p` (both excluded), as a signed integer. `x`, `constant`: reduced.
    fn scale(self, x: Self::Vector, constant: Constant) -> Self::Vector;

    /// Makes `x` ready for products.
    fn factor(self, x: Self::Vector) -> Self::Factor;

    /// `x * constant`, both signed.
    fn product(self, x: Self::Factor, constant: u32) -> Self::Wide;

    /// The same integer in every lane.
    fn splat_wide(self, x: u64) -> Self::Wide;

    /// `a + b`.
    fn add_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// `a - b`.
    fn sub_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// `x` or `x - 2^32 p`, whichever is smaller as an unsigned integer.
    fn fold(self, x: Self::Wide) -> Self::Wide;

    /// `x / 2^32 mod p`, between `-p` and `p` (both excluded), as a signed integer. `x < 2^32 p`.
    fn reduce(self, x: Self::Wide) -> Self::Vector;
}

/// A constant for [`Lanes32::scale`].
#[derive(Clone, Copy)]
pub(crate) struct Constant {
    /// The Montgomery word.
    pub(super) word: u32,
    /// `word / p mod 2^32`.
    pub(super) quotient: u32,
}

/// `1 / p mod 2^32`.
pub(super) const P_INVERSE: u32 = 0x8100_0001;
const _: () = assert!(P.wrapping_mul(P_INVERSE) == 1);

impl Constant {
    /// Multiplication by `x`.
    const fn new(x: KoalaBear) -> Self {
        Self { word: x.montgomery(), quotient: x.montgomery().wrapping_mul(P_INVERSE) }
    }
}

/// Sum of reduced words, reduced.
#[inline(always)]
pub(super) fn add<L: Lanes32>(lanes: L, a: L::Vector, b: L::Vector) -> L::Vector {
    // Below 2 p < 2^32; subtracting p wraps around to a larger value exactly if the sum is below p.
    let sum = lanes.add(a, b);
    lanes.min(sum, lanes.sub(sum, lanes.splat(P)))
}

/// Difference of reduced words, reduced.
#[inline(always)]
fn sub<L: Lanes32>(lanes: L, a: L::Vector, b: L::Vector) -> L::Vector {
    reduced(lanes, lanes.sub(a, b))
}

/// The reduced word of a signed integer in `-p..p`.
#[inline(always)]
pub(super) fn reduced<L: Lanes32>(lanes: L, x: L::Vector) -> L::Vector {
    // Negative integers are above 2^31 as unsigned ones, and adding p brings them below p; others grow.
    lanes.min(x, lanes.add(x, lanes.splat(P)))
}

/// `1/2`.
const HALF: KoalaBear = KoalaBear::new(P.div_ceil(2));

/// A round constant as the word that [`sbox`] adds: the Montgomery word less `p`, a signed integer in `-p..0`.
const fn round_constant(x: KoalaBear) -> u32 {
    x.montgomery().wrapping_sub(P)
}

/// The S-box on a reduced word after adding a [`round_constant`]. Output: reduced.
#[inline(always)]
fn sbox<L: Lanes32>(lanes: L, x: L::Vector, constant: u32) -> L::Vector {
    reduced(lanes, lanes.cube(lanes.add(x, lanes.splat(constant))))
}

/// The S-box on every word.
#[inline(always)]
fn sboxes<L: Lanes32, const T: usize>(lanes: L, x: &mut [L::Vector; T], constants: &[u32; T]) {
    // By hand: the compiler does not unroll a loop with so large a body.
    for block in 0..T / 4 {
        let i = 4 * block;
        x[i] = sbox(lanes, x[i], constants[i]);
        x[i + 1] = sbox(lanes, x[i + 1], constants[i + 1]);
        x[i + 2] = sbox(lanes, x[i + 2], constants[i + 2]);
        x[i + 3] = sbox(lanes, x[i + 3], constants[i + 3]);
    }
}
