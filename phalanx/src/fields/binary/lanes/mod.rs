//! GF(2^128) in vectors: four elements to a register with AVX-512, one with AVX2, by carry-less multiplication.
//!
//! A product of elements a = a0 + a1 X and b = b0 + b1 X, X = x^64, is kept as three products of halves (Karatsuba): a0 b0,
//! a1 b1 and (a0 + a1)(b0 + b1). All steps are linear, so sums of products are summed in this form, and one reduction
//! serves the whole sum. Products by one [`Constant`] that have to be elements each take another way.
//!
//! The instruction that multiplies is the bottleneck: on Zen 5 it takes two cycles, in which eight others could start.
//!
//! Kernels are written once, against [`Lanes`], and entered through [`run`].

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no CPU but x86-64 has lanes so far"))]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use super::Gf128;
use crate::simd::Level;

/// The largest [`Lanes::COUNT`].
pub(crate) const MAX_COUNT: usize = 4;

/// A sum of unreduced products, in every lane.
#[derive(Clone, Copy)]
pub(crate) struct Sum<V> {
    /// Of a0 b0.
    pub(crate) low: V,
    /// Of a1 b1, of degree at most 126.
    pub(crate) high: V,
    /// Of (a0 + a1)(b0 + b1).
    pub(crate) cross: V,
}

/// A vector made ready to be multiplied in sums of products.
#[derive(Clone, Copy)]
pub(crate) struct Weight<V> {
    value: V,
    cross: V,
}

/// An element made ready to multiply many vectors, each product to be an element: r, and r X. Then a r = a0 r + a1 (r X)
/// takes four products of halves, but has only 64 bits too many.
#[derive(Clone, Copy)]
pub(crate) struct Constant<V> {
    pub(crate) value: V,
    pub(crate) shifted: V,
}

/// What a vector of elements can do. Holding the value is the proof that this CPU has the instructions.
pub(crate) trait Lanes: Copy {
    /// `COUNT` elements.
    type Vector: Copy;

    /// How many elements a vector has: 1 or 4.
    const COUNT: usize;

    /// The first `COUNT` elements.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(self, from: &[Gf128]) -> Self::Vector;

    /// Overwrites the first `COUNT` elements.
    ///
    /// # Panics
    /// If there are fewer.
    fn store(self, vector: Self::Vector, to: &mut [Gf128]);

    /// The same element in every lane.
    fn splat(self, element: &Gf128) -> Self::Vector;

    /// Lane by lane.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Of the 2 `COUNT` elements of `a` and then `b`, those at even places.
    fn evens(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Of the 2 `COUNT` elements of `a` and then `b`, those at odd places.
    fn odds(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The sum of the halves of each element, in its lower half; the upper half is anything.
    fn cross(self, a: Self::Vector) -> Self::Vector;

    /// The products of lower halves, in every lane.
    fn low_product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The products of upper halves, in every lane.
    fn high_product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The sums as elements.
    fn reduce(self, sum: Sum<Self::Vector>) -> Self::Vector;

    /// The element times X, in every lane.
    fn shift(self, a: Self::Vector) -> Self::Vector;

    /// a r + addend.
    fn multiply_add(self, a: Self::Vector, r: Constant<Self::Vector>, addend: Self::Vector) -> Self::Vector;

    /// The sum of the lanes.
    fn sum_of_lanes(self, a: Self::Vector) -> Gf128;

    /// The empty sum.
    #[inline(always)]
    fn nothing(self) -> Sum<Self::Vector> {
        let zero = self.splat(&Gf128(0));
        Sum { low: zero, high: zero, cross: zero }
    }

    /// Makes a factor of products that are summed.
    #[inline(always)]
    fn weight(self, value: Self::Vector) -> Weight<Self::Vector> {
        Weight { value, cross: self.cross(value) }
    }

    /// sum + a b.
    #[inline(always)]
    fn accumulate(
        self,
        sum: Sum<Self::Vector>,
        a: Self::Vector,
        b: Weight<Self::Vector>,
    ) -> Sum<Self::Vector> {
        Sum {
            low: self.add(sum.low, self.low_product(a, b.value)),
            high: self.add(sum.high, self.high_product(a, b.value)),
            cross: self.add(sum.cross, self.low_product(self.cross(a), b.cross)),
        }
    }

    /// a b.
    #[inline(always)]
    fn product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.reduce(self.accumulate(self.nothing(), a, self.weight(b)))
    }

    /// Makes a factor of products that are elements.
    #[inline(always)]
    fn constant(self, element: &Gf128) -> Constant<Self::Vector> {
        let value = self.splat(element);
        Constant { value, shifted: self.shift(value) }
    }

    /// a r.
    #[inline(always)]
    fn multiply(self, a: Self::Vector, r: Constant<Self::Vector>) -> Self::Vector {
        self.multiply_add(a, r, self.splat(&Gf128(0)))
    }
}

/// An algorithm over vectors of any width.
pub(crate) trait Kernel {
    /// What it gives.
    type Output;

    /// Runs it. Implementations are `inline(always)`, and so is all they call: that is how they are compiled for the
    /// instruction set of the lanes.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs the kernel on the lanes of `level`; gives it back if the level is the portable one.
pub(crate) fn run<K: Kernel>(level: Level, kernel: K) -> Result<K::Output, K> {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(witness) => Ok(avx2::run(witness, kernel)),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(witness) => Ok(avx512::run(witness, kernel)),
        _ => Err(kernel),
    }
}
