//! Elements of GF(2^192) as three limbs: two side by side in one register, the third in another.
//!
//! A product of a = a0 + a1 X + a2 X^2 and b, X = x^64, is kept as six products of limbs: a0 b0, a1 b1, a2 b2 and those
//! of the sums of two limbs each (Weimerskirch and Paar, "Generalizations of the Karatsuba algorithm for efficient
//! implementations", 2003, section 3). An instruction multiplies one limb of every lane, so nothing is lost by the half
//! of the second register that is not used.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use super::Lanes;
use crate::binary::Gf192;

/// Elements, one in every lane of 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct Element<R> {
    /// Limbs 0 and 1.
    pub(super) lower: R,
    /// Limb 2, and above it anything.
    pub(super) upper: R,
}

/// A sum of unreduced products, in every lane.
#[derive(Clone, Copy)]
pub(crate) struct Sum<R> {
    /// Of a0 b0, a1 b1 and a2 b2.
    squares: [R; 3],
    /// Of (a0 + a1)(b0 + b1), (a0 + a2)(b0 + b2) and (a1 + a2)(b1 + b2).
    cross: [R; 3],
}

/// A factor: its limbs, and the sums of two of them.
#[derive(Clone, Copy)]
pub(crate) struct Weight<R> {
    value: Element<R>,
    /// Limb 0 plus limb 1, and above it anything.
    inner: R,
    /// Limb 0 plus limb 2, limb 1 plus limb 2.
    outer: R,
}

/// Polynomials of degree below 384, in every lane: the sum of column k times x^(64 k).
pub(crate) struct Columns<R>(pub(super) [R; 5]);

/// What instructions do with elements of three limbs. Methods without a comment are those of [`Lanes`].
pub(crate) trait Limbs: Copy {
    type Register: Copy;

    const COUNT: usize;

    fn load(self, from: &[Gf192]) -> Element<Self::Register>;
    fn store(self, element: Element<Self::Register>, to: &mut [Gf192]);
    fn splat(self, element: &Gf192) -> Element<Self::Register>;

    /// a + b, bit by bit.
    fn xor(self, a: Self::Register, b: Self::Register) -> Self::Register;

    fn evens(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn odds(self, a: Self::Register, b: Self::Register) -> Self::Register;

    /// The halves of each lane exchanged.
    fn swapped(self, a: Self::Register) -> Self::Register;

    /// The lower half of each lane in both.
    fn doubled(self, a: Self::Register) -> Self::Register;

    /// The products of lower halves, in every lane.
    fn low_product(self, a: Self::Register, b: Self::Register) -> Self::Register;

    /// The products of upper halves, in every lane.
    fn high_product(self, a: Self::Register, b: Self::Register) -> Self::Register;

    /// The polynomials as elements.
    fn reduce(self, columns: Columns<Self::Register>) -> Element<Self::Register>;
}

/// A factor of products.
#[inline(always)]
fn weight<L: Limbs>(lanes: L, value: Element<L::Register>) -> Weight<L::Register> {
    Weight {
        value,
        inner: lanes.xor(value.lower, lanes.swapped(value.lower)),
        outer: lanes.xor(value.lower, lanes.doubled(value.upper)),
    }
}

/// a + b.
#[inline(always)]
fn add<L: Limbs>(lanes: L, a: Element<L::Register>, b: Element<L::Register>) -> Element<L::Register> {
    Element { lower: lanes.xor(a.lower, b.lower), upper: lanes.xor(a.upper, b.upper) }
}

/// The polynomials that products stand for, reduced.
#[inline(always)]
fn reduce<L: Limbs>(lanes: L, sum: Sum<L::Register>) -> Element<L::Register> {
    let Sum { squares: [s0, s1, s2], cross: [c01, c02, c12] } = sum;
    let s01 = lanes.xor(s0, s1);
    let (c1, c2) = (lanes.xor(c01, s01), lanes.xor(lanes.xor(c02, s01), s2));
    let c3 = lanes.xor(c12, lanes.xor(s1, s2));
    Limbs::reduce(lanes, Columns([s0, c1, c2, c3, s2]))
}

/// Six products.
#[inline(always)]
fn products<L: Limbs>(lanes: L, a: Weight<L::Register>, b: Weight<L::Register>) -> Sum<L::Register> {
    Sum {
        squares: [
            lanes.low_product(a.value.lower, b.value.lower),
            lanes.high_product(a.value.lower, b.value.lower),
            lanes.low_product(a.value.upper, b.value.upper),
        ],
        cross: [
            lanes.low_product(a.inner, b.inner),
            lanes.low_product(a.outer, b.outer),
            lanes.high_product(a.outer, b.outer),
        ],
    }
}

impl<L: Limbs> Lanes<Gf192> for L {
    type Vector = Element<L::Register>;
    type Sum = Sum<L::Register>;
    type Weight = Weight<L::Register>;
    type Constant = Weight<L::Register>;

    const COUNT: usize = L::COUNT;

    #[inline(always)]
    fn load(self, from: &[Gf192]) -> Self::Vector {
        Limbs::load(self, from)
    }

    #[inline(always)]
    fn store(self, vector: Self::Vector, to: &mut [Gf192]) {
        Limbs::store(self, vector, to);
    }

    #[inline(always)]
    fn splat(self, element: &Gf192) -> Self::Vector {
        Limbs::splat(self, element)
    }

    #[inline(always)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        add(self, a, b)
    }

    #[inline(always)]
    fn evens(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Element { lower: Limbs::evens(self, a.lower, b.lower), upper: Limbs::evens(self, a.upper, b.upper) }
    }

    #[inline(always)]
    fn odds(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Element { lower: Limbs::odds(self, a.lower, b.lower), upper: Limbs::odds(self, a.upper, b.upper) }
    }

    #[inline(always)]
    fn nothing(self) -> Self::Sum {
        let zero = Limbs::splat(self, &Gf192([0; 3])).lower;
        Sum { squares: [zero; 3], cross: [zero; 3] }
    }

    #[inline(always)]
    fn weight(self, value: Self::Vector) -> Self::Weight {
        weight(self, value)
    }

    #[inline(always)]
    fn accumulate(self, sum: Self::Sum, a: Self::Vector, b: Self::Weight) -> Self::Sum {
        let Sum { squares: [s0, s1, s2], cross: [c0, c1, c2] } = sum;
        let products = products(self, weight(self, a), b);
        let Sum { squares: [t0, t1, t2], cross: [d0, d1, d2] } = products;
        Sum {
            squares: [self.xor(s0, t0), self.xor(s1, t1), self.xor(s2, t2)],
            cross: [self.xor(c0, d0), self.xor(c1, d1), self.xor(c2, d2)],
        }
    }

    #[inline(always)]
    fn reduce(self, sum: Self::Sum) -> Self::Vector {
        reduce(self, sum)
    }

    #[inline(always)]
    fn square(self, a: Self::Vector) -> Self::Vector {
        let nothing = Limbs::splat(self, &Gf192([0; 3])).lower;
        let inner = [self.low_product(a.lower, a.lower), self.high_product(a.lower, a.lower)];
        let upper = self.low_product(a.upper, a.upper);
        Limbs::reduce(self, Columns([inner[0], nothing, inner[1], nothing, upper]))
    }

    #[inline(always)]
    fn constant(self, element: &Gf192) -> Self::Constant {
        weight(self, Limbs::splat(self, element))
    }

    #[inline(always)]
    fn multiply_add(self, a: Self::Vector, r: Self::Constant, addend: Self::Vector) -> Self::Vector {
        add(self, reduce(self, products(self, weight(self, a), r)), addend)
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: Self::Vector) -> Gf192 {
        let mut lanes = [Gf192([0; 3]); super::MAX_COUNT];
        Limbs::store(self, a, &mut lanes);
        lanes[0] + lanes[1] + (lanes[2] + lanes[3])
    }
}
