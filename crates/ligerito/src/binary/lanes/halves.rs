//! Elements of GF(2^128) as two limbs side by side in a register.
//!
//! A product of a = a0 + a1 X and b = b0 + b1 X, X = x^64, is kept as three products of halves (Karatsuba): a0 b0, a1
//! b1 and (a0 + a1)(b0 + b1). Products by one [`Constant`] that have to be elements each take another way.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use super::Lanes;
use crate::binary::Gf128;

/// A sum of unreduced products, in every lane.
#[derive(Clone, Copy)]
pub(crate) struct Sum<V> {
    /// Of a0 b0.
    pub(super) low: V,
    /// Of a1 b1, of degree at most 126.
    pub(super) high: V,
    /// Of (a0 + a1)(b0 + b1).
    pub(super) cross: V,
}

/// A vector made ready to be multiplied in sums of products.
#[derive(Clone, Copy)]
pub(crate) struct Weight<V> {
    value: V,
    cross: V,
}

/// An element made ready to multiply many vectors, each product to be an element: r, and r X. Then a r = a0 r + a1 (r
/// X) takes four products of halves, but has only 64 bits too many.
#[derive(Clone, Copy)]
pub(crate) struct Constant<V> {
    pub(super) value: V,
    pub(super) shifted: V,
}

/// What instructions do with elements of two halves. Methods without a comment are those of [`Lanes`].
pub(crate) trait Halves: Copy {
    type Vector: Copy;

    const COUNT: usize;

    fn load(self, from: &[Gf128]) -> Self::Vector;
    fn store(self, vector: Self::Vector, to: &mut [Gf128]);
    fn splat(self, element: &Gf128) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn evens(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn odds(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The sum of the halves of each element, in its lower half; the upper half is anything.
    fn cross(self, a: Self::Vector) -> Self::Vector;

    /// The products of lower halves, in every lane.
    fn low_product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The products of upper halves, in every lane.
    fn high_product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    fn reduce(self, sum: Sum<Self::Vector>) -> Self::Vector;

    /// The element times X, in every lane.
    fn shift(self, a: Self::Vector) -> Self::Vector;

    fn multiply_add(self, a: Self::Vector, r: Constant<Self::Vector>, addend: Self::Vector) -> Self::Vector;
    fn sum_of_lanes(self, a: Self::Vector) -> Gf128;
}

impl<H: Halves> Lanes<Gf128> for H {
    type Vector = H::Vector;
    type Sum = Sum<H::Vector>;
    type Weight = Weight<H::Vector>;
    type Constant = Constant<H::Vector>;

    const COUNT: usize = H::COUNT;

    #[inline(always)]
    fn load(self, from: &[Gf128]) -> H::Vector {
        Halves::load(self, from)
    }

    #[inline(always)]
    fn store(self, vector: H::Vector, to: &mut [Gf128]) {
        Halves::store(self, vector, to);
    }

    #[inline(always)]
    fn splat(self, element: &Gf128) -> H::Vector {
        Halves::splat(self, element)
    }

    #[inline(always)]
    fn add(self, a: H::Vector, b: H::Vector) -> H::Vector {
        Halves::add(self, a, b)
    }

    #[inline(always)]
    fn evens(self, a: H::Vector, b: H::Vector) -> H::Vector {
        Halves::evens(self, a, b)
    }

    #[inline(always)]
    fn odds(self, a: H::Vector, b: H::Vector) -> H::Vector {
        Halves::odds(self, a, b)
    }

    #[inline(always)]
    fn nothing(self) -> Sum<H::Vector> {
        let zero = Halves::splat(self, &Gf128(0));
        Sum { low: zero, high: zero, cross: zero }
    }

    #[inline(always)]
    fn weight(self, value: H::Vector) -> Weight<H::Vector> {
        Weight { value, cross: self.cross(value) }
    }

    #[inline(always)]
    fn accumulate(self, sum: Sum<H::Vector>, a: H::Vector, b: Weight<H::Vector>) -> Sum<H::Vector> {
        Sum {
            low: Halves::add(self, sum.low, self.low_product(a, b.value)),
            high: Halves::add(self, sum.high, self.high_product(a, b.value)),
            cross: Halves::add(self, sum.cross, self.low_product(self.cross(a), b.cross)),
        }
    }

    #[inline(always)]
    fn reduce(self, sum: Sum<H::Vector>) -> H::Vector {
        Halves::reduce(self, sum)
    }

    #[inline(always)]
    fn square(self, a: H::Vector) -> H::Vector {
        let (low, high) = (self.low_product(a, a), self.high_product(a, a));
        // What the middle has beside the cross product is low and high: nothing is left of it.
        Halves::reduce(self, Sum { low, high, cross: Halves::add(self, low, high) })
    }

    #[inline(always)]
    fn constant(self, element: &Gf128) -> Constant<H::Vector> {
        let value = Halves::splat(self, element);
        Constant { value, shifted: self.shift(value) }
    }

    #[inline(always)]
    fn multiply_add(self, a: H::Vector, r: Constant<H::Vector>, addend: H::Vector) -> H::Vector {
        Halves::multiply_add(self, a, r, addend)
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: H::Vector) -> Gf128 {
        Halves::sum_of_lanes(self, a)
    }
}
