//! What kernels are written in.

use crate::binary::{BinaryField, Gf32};
use phalanx_core::simd::Isa;

/// The largest [`Lanes::COUNT`].
pub(crate) const MAX_COUNT: usize = 4;

/// Extensions of GF(2^32) whose elements lie in lanes.
pub(crate) trait OnLanes: BinaryField + core::fmt::Debug + From<Gf32> {
    /// Runs the kernel on the widest lanes of `isa`; gives it back if the field has none there.
    fn run<K: Kernel<Field = Self>>(isa: Isa, kernel: K) -> Result<K::Output, K>;

    /// The product with x.
    #[must_use]
    fn times_x(self) -> Self;

    /// The limbs of 64 bits, lowest first; zero those that the field has not.
    fn limbs(self) -> [u64; 3];
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

    /// How many elements a vector has: 1, 2 or 4.
    const COUNT: usize;

    /// Runs a kernel within another, as a function of its own: a long part that several have in common.
    fn enter<K: Kernel<Field = F>>(self, kernel: K) -> K::Output;

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

    /// a a: in characteristic two there are no products of different parts.
    fn square(self, a: Self::Vector) -> Self::Vector;

    /// a r.
    #[inline(always)]
    fn multiply(self, a: Self::Vector, r: Self::Constant) -> Self::Vector
    where
        F: BinaryField,
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
