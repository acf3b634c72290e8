//! What the crate of aggregates shares with this one: fields, passes over vectors, the transcript. Hidden, since it
//! promises nothing: proofs and what they mean are the business of the public functions.
#![forbid(unsafe_code)]

pub use crate::binary::POINTS;
use crate::binary::vectors::{self, Factor};
use crate::binary::{BinaryField, ChallengeField, Gf32, Gf128, Gf192, gf32s, mixed};
pub use crate::transcripts::Transcript;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul};
use phalanx_core::memory::Plain;
use phalanx_core::simd::Isa;

/// A field that challenges come from, [`Gf128`] or [`Gf192`], and what is done with vectors over it. Index bit j is
/// coordinate j; binding a coordinate takes the lowest one left.
pub trait Field:
    Plain + Debug + Default + Eq + Send + Sync + Add<Output = Self> + AddAssign + Mul<Output = Self> + 'static
{
    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;
    /// The length of an element's bytes.
    const LEN_BYTES: usize;

    /// The element whose little-endian bytes are given.
    ///
    /// # Panics
    /// If there are not [`LEN_BYTES`](Self::LEN_BYTES).
    fn from_le_slice(bytes: &[u8]) -> Self;

    /// Appends the little-endian bytes.
    fn put(self, out: &mut Vec<u8>);

    /// The product with itself.
    #[must_use]
    fn square(self) -> Self;

    /// The image of an element of GF(2^32).
    #[must_use]
    fn embed(element: u32) -> Self;

    /// eq(point, x) `scale` for every x of the cube.
    #[must_use]
    fn equal(isa: Isa, scale: Self, point: &[Self]) -> Vec<Self>;

    /// The sum of products of entries.
    ///
    /// # Panics
    /// If the lengths differ.
    #[must_use]
    fn inner(isa: Isa, a: &[Self], b: &[Self]) -> Self;

    /// The message of the next round of a sumcheck about the sum of v w: the value at 0, the coefficient of X^2.
    ///
    /// # Panics
    /// If the lengths differ or are odd.
    #[must_use]
    fn round(isa: Isa, v: &[Self], w: &[Self]) -> [Self; 2];

    /// With q(X) the sum over x of weights\[x\] a(X, x) b(X, x): q(0) + q(1), and the coefficient of X^2.
    ///
    /// # Panics
    /// Unless `a` and `b` have two entries for each weight.
    #[must_use]
    fn weighted_round(isa: Isa, a: &[Self], b: &[Self], weights: &[Self]) -> [Self; 2];

    /// Binds the lowest coordinate of `a` and `b` to `r`, in place, and gives [`weighted_round`](Self::weighted_round) of
    /// the halves that are left.
    ///
    /// # Panics
    /// Unless `a` and `b` have four entries for each weight.
    #[must_use]
    fn fold_weighted_round(isa: Isa, a: &mut [Self], b: &mut [Self], r: Self, weights: &[Self]) -> [Self; 2];

    /// Binds the lowest coordinate of `v` and `w` to `r`, in place, and gives [`round`](Self::round) of the halves that are
    /// left.
    ///
    /// # Panics
    /// If the lengths differ or are no multiples of four.
    #[must_use]
    fn fold_round(isa: Isa, v: &mut [Self], w: &mut [Self], r: Self) -> [Self; 2];

    /// out\[i\] += a\[i\] b\[i\].
    ///
    /// # Panics
    /// If the lengths differ.
    fn add_products(isa: Isa, out: &mut [Self], a: &[Self], b: &[Self]);

    /// Rows of words, `out.len()` words wide, combined bit by bit: out\[c\]\[b\] += the sum of the weights of the rows
    /// whose word c has bit b.
    ///
    /// # Panics
    /// If `words` has not `weights.len()` rows.
    fn combine_bits(isa: Isa, words: &[u32], weights: &[Self], out: &mut [[Self; 32]]);

    /// Rows of two words as functions on {0, 1}^6, extended to [`POINTS`] points and multiplied: out\[p\] += the weighted
    /// sum of the products at point p. Weights are `weights` times the first of `scales`, then times the second, and so
    /// on. Digit j of p in base 3 is coordinate j, 2 standing for infinity: the sum of the values at 0 and at 1.
    ///
    /// # Panics
    /// If the factors differ in length, or there are more rows than weights.
    fn combine_products(
        isa: Isa,
        factors: [&[u32]; 2],
        weights: &[Self],
        scales: &[Self],
        out: &mut [Self; POINTS],
    );

    /// Rows of words, `images.len()` words wide, mapped: out\[row\] = the sum of the images of all bits that are set.
    ///
    /// # Panics
    /// If `words` has not `out.len()` rows.
    fn map_bits(isa: Isa, words: &[u32], images: &[[Self; 32]], out: &mut [Self]);
}

macro_rules! field {
    ($field:ty) => {
        impl Field for $field {
            const ZERO: Self = <Self as BinaryField>::ZERO;
            const ONE: Self = <Self as BinaryField>::ONE;
            const LEN_BYTES: usize = <Self as BinaryField>::LEN_BYTES;

            fn from_le_slice(bytes: &[u8]) -> Self {
                ChallengeField::from_le_slice(bytes)
            }

            fn put(self, out: &mut Vec<u8>) {
                BinaryField::put(self, out);
            }

            fn square(self) -> Self {
                BinaryField::square(self)
            }

            fn embed(element: u32) -> Self {
                Gf32(element).into()
            }

            fn equal(isa: Isa, scale: Self, point: &[Self]) -> Vec<Self> {
                vectors::tensor(isa, scale, &factors(point))
            }

            fn inner(isa: Isa, a: &[Self], b: &[Self]) -> Self {
                vectors::inner(isa, a, b)
            }

            fn round(isa: Isa, v: &[Self], w: &[Self]) -> [Self; 2] {
                let message = vectors::round(isa, v, w);
                [message.at_zero, message.leading]
            }

            fn weighted_round(isa: Isa, a: &[Self], b: &[Self], weights: &[Self]) -> [Self; 2] {
                vectors::weighted_round(isa, a, b, weights)
            }

            fn fold_weighted_round(
                isa: Isa,
                a: &mut [Self],
                b: &mut [Self],
                r: Self,
                weights: &[Self],
            ) -> [Self; 2] {
                vectors::fold_weighted_round(isa, a, b, r, weights)
            }

            fn fold_round(isa: Isa, v: &mut [Self], w: &mut [Self], r: Self) -> [Self; 2] {
                let message = vectors::fold_round(isa, v, w, r);
                [message.at_zero, message.leading]
            }

            fn add_products(isa: Isa, out: &mut [Self], a: &[Self], b: &[Self]) {
                vectors::add_products(isa, out, a, b);
            }

            fn combine_bits(isa: Isa, words: &[u32], weights: &[Self], out: &mut [[Self; 32]]) {
                mixed::combine_rows_of_bits(isa, gf32s(words), weights, out);
            }

            fn combine_products(
                isa: Isa,
                factors: [&[u32]; 2],
                weights: &[Self],
                scales: &[Self],
                out: &mut [Self; POINTS],
            ) {
                mixed::combine_products(isa, factors, weights, scales, out);
            }

            fn map_bits(isa: Isa, words: &[u32], images: &[[Self; 32]], out: &mut [Self]) {
                mixed::map_columns(isa, gf32s(words), images, out);
            }
        }
    };
}

field!(Gf128);
field!(Gf192);

fn factors<E: ChallengeField>(point: &[E]) -> Vec<Factor<E>> {
    point.iter().copied().map(Factor::Equal).collect()
}
