//! GF(2^128) and GF(2^192) in vectors, by carry-less multiplication: four elements to a vector with AVX-512, one with AVX2 and
//! NEON.
//!
//! A product of elements is kept as products of their limbs of 64 bits: three for GF(2^128) ([`halves`]), six for GF(2^192)
//! ([`limbs`]), both by Karatsuba's identity. All steps are linear, so sums of products are summed in this form, and one
//! reduction serves the whole sum.
//!
//! The instruction that multiplies is the bottleneck: on Zen 5 it takes two cycles, in which eight others could start.
//!
//! Kernels are written once, against [`Lanes`], and entered through [`run`].

#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))),
    allow(dead_code, reason = "other CPUs have no lanes so far")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod halves;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod limbs;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;

use super::{Gf128, Gf192};
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// The largest [`Lanes::COUNT`].
pub(crate) const MAX_COUNT: usize = 4;

/// Fields whose elements lie in lanes.
pub(crate) trait OnLanes: Copy + 'static {
    /// Runs the kernel on the widest lanes of `isa`; gives it back if the field has none there.
    fn run<K: Kernel<Field = Self>>(isa: Isa, kernel: K) -> Result<K::Output, K>;
}

/// What a vector of elements can do. Holding the value is the proof that this CPU has the instructions.
pub(crate) trait Lanes<F>: Copy {
    /// `COUNT` elements.
    type Vector: Copy;

    /// A sum of unreduced products, in every lane.
    type Sum: Copy;

    /// A vector made ready to be multiplied in sums of products.
    type Weight: Copy;

    /// An element made ready to multiply many vectors, each product to be an element.
    type Constant: Copy;

    /// How many elements a vector has: 1 or 4.
    const COUNT: usize;

    /// The first `COUNT` elements.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(self, from: &[F]) -> Self::Vector;

    /// Overwrites the first `COUNT` elements.
    ///
    /// # Panics
    /// If there are fewer.
    fn store(self, vector: Self::Vector, to: &mut [F]);

    /// The same element in every lane.
    fn splat(self, element: &F) -> Self::Vector;

    /// Lane by lane.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Of the 2 `COUNT` elements of `a` and then `b`, those at even places.
    fn evens(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Of the 2 `COUNT` elements of `a` and then `b`, those at odd places.
    fn odds(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The empty sum.
    fn nothing(self) -> Self::Sum;

    /// Makes a factor of products that are summed.
    fn weight(self, value: Self::Vector) -> Self::Weight;

    /// sum + a b.
    fn accumulate(self, sum: Self::Sum, a: Self::Vector, b: Self::Weight) -> Self::Sum;

    /// The sums as elements.
    fn reduce(self, sum: Self::Sum) -> Self::Vector;

    /// Makes a factor of products that are elements.
    fn constant(self, element: &F) -> Self::Constant;

    /// a r + addend.
    fn multiply_add(self, a: Self::Vector, r: Self::Constant, addend: Self::Vector) -> Self::Vector;

    /// The sum of the lanes.
    fn sum_of_lanes(self, a: Self::Vector) -> F;

    /// a b.
    #[inline(always)]
    fn product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.reduce(self.accumulate(self.nothing(), a, self.weight(b)))
    }

    /// a r.
    #[inline(always)]
    fn multiply(self, a: Self::Vector, r: Self::Constant) -> Self::Vector
    where
        F: super::BinaryField,
    {
        self.multiply_add(a, r, self.splat(&F::ZERO))
    }
}

/// An algorithm over vectors of any width.
pub(crate) trait Kernel {
    /// What the elements belong to.
    type Field: OnLanes;
    /// What it gives.
    type Output;

    /// Runs it. Implementations are `inline(always)`, and so is all they call: that is how they are compiled for the
    /// instruction set of the lanes.
    fn run<L: Lanes<Self::Field>>(self, lanes: L) -> Self::Output;
}

/// Runs the kernel on the widest lanes of `isa`; gives it back if the field has none there.
pub(crate) fn run<K: Kernel>(isa: Isa, kernel: K) -> Result<K::Output, K> {
    K::Field::run(isa, kernel)
}

/// Lanes of a field, in all of their widths.
macro_rules! on_lanes {
    ($field:ty) => {
        impl OnLanes for $field {
            fn run<K: Kernel<Field = Self>>(isa: Isa, kernel: K) -> Result<K::Output, K> {
                first_of!(isa;
                    avx512(witness) => Ok(avx512::run(witness, kernel)),
                    avx2(witness) => Ok(avx2::run(witness, kernel)),
                    pmull(witness) => Ok(neon::run(witness, kernel)),
                    else => Err(kernel),
                )
            }
        }
    };
}

on_lanes!(Gf128);
on_lanes!(Gf192);
