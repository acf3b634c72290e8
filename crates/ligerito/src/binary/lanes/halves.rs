//! Elements of GF(2^128) as two limbs side by side in a register.
//!
//! A product of a = a0 + a1 X and b = b0 + b1 X, X = x^64, is kept as three products of halves (Karatsuba): a0 b0, a1
//! b1 and (a0 + a1)(b0 + b1). Products by one [`Constant`] that have to be elements each take another way.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

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

/// What instructions do with elements of two halves. Methods without a comment are those of [`Lanes`](super::Lanes).
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

/// [`Lanes`](super::Lanes) of registers, where all that is not an instruction is a step compiled for the features.
macro_rules! lanes_of_halves {
    ($lanes:ty, $register:ty, $features:literal) => {
        impl Lanes<Gf128> for $lanes {
            type Vector = $register;
            type Sum = halves::Sum<$register>;
            type Weight = halves::Weight<$register>;
            type Constant = halves::Constant<$register>;

            const COUNT: usize = <$lanes as Halves>::COUNT;

            #[inline(always)]
            fn enter<K: Kernel<Field = Gf128>>(self, kernel: K) -> K::Output {
                // SAFETY: `self` is the proof that this CPU has every feature that `entry` is compiled for.
                unsafe { entry(self, kernel) }
            }

            steps! { $lanes, $features:
                load(from: &[Gf128]) -> $register = Halves::load;
                store(vector: $register, to: &mut [Gf128]) -> () = Halves::store;
                splat(element: &Gf128) -> $register = Halves::splat;
                add(a: $register, b: $register) -> $register = Halves::add;
                evens(a: $register, b: $register) -> $register = Halves::evens;
                odds(a: $register, b: $register) -> $register = Halves::odds;
                nothing() -> halves::Sum<$register> = halves::nothing;
                weight(value: $register) -> halves::Weight<$register> = halves::weight;
                accumulate(
                    sum: halves::Sum<$register>,
                    a: $register,
                    b: halves::Weight<$register>
                ) -> halves::Sum<$register> = halves::accumulate;
                reduce(sum: halves::Sum<$register>) -> $register = Halves::reduce;
                product(a: $register, b: $register) -> $register = halves::product;
                square(a: $register) -> $register = halves::square;
                constant(element: &Gf128) -> halves::Constant<$register> = halves::constant;
                multiply_add(a: $register, r: halves::Constant<$register>, addend: $register) -> $register
                    = Halves::multiply_add;
                sum_of_lanes(a: $register) -> Gf128 = Halves::sum_of_lanes;
            }
        }
    };
}

pub(super) use lanes_of_halves;

// Methods of `Lanes` that the registers have not.

#[inline(always)]
pub(super) fn nothing<H: Halves>(lanes: H) -> Sum<H::Vector> {
    let zero = lanes.splat(&Gf128(0));
    Sum { low: zero, high: zero, cross: zero }
}

#[inline(always)]
pub(super) fn weight<H: Halves>(lanes: H, value: H::Vector) -> Weight<H::Vector> {
    Weight { value, cross: lanes.cross(value) }
}

#[inline(always)]
pub(super) fn accumulate<H: Halves>(
    lanes: H,
    sum: Sum<H::Vector>,
    a: H::Vector,
    b: Weight<H::Vector>,
) -> Sum<H::Vector> {
    let Sum { low, high, cross } = products(lanes, a, b);
    Sum { low: lanes.add(sum.low, low), high: lanes.add(sum.high, high), cross: lanes.add(sum.cross, cross) }
}

#[inline(always)]
pub(super) fn product<H: Halves>(lanes: H, a: H::Vector, b: H::Vector) -> H::Vector {
    lanes.reduce(products(lanes, a, weight(lanes, b)))
}

#[inline(always)]
pub(super) fn square<H: Halves>(lanes: H, a: H::Vector) -> H::Vector {
    let (low, high) = (lanes.low_product(a, a), lanes.high_product(a, a));
    // What the middle has beside the cross product is low and high: nothing is left of it.
    lanes.reduce(Sum { low, high, cross: lanes.add(low, high) })
}

#[inline(always)]
pub(super) fn constant<H: Halves>(lanes: H, element: &Gf128) -> Constant<H::Vector> {
    let value = lanes.splat(element);
    Constant { value, shifted: lanes.shift(value) }
}

/// Three products.
#[inline(always)]
fn products<H: Halves>(lanes: H, a: H::Vector, b: Weight<H::Vector>) -> Sum<H::Vector> {
    Sum {
        low: lanes.low_product(a, b.value),
        high: lanes.high_product(a, b.value),
        cross: lanes.low_product(lanes.cross(a), b.cross),
    }
}
