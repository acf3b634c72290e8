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

use super::MAX_COUNT;
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

/// What instructions do with elements of three limbs. Methods without a comment are those of [`Lanes`](super::Lanes).
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

/// [`Lanes`](super::Lanes) of registers, where all that is not an instruction is a step compiled for the features.
macro_rules! lanes_of_limbs {
    ($lanes:ty, $register:ty, $features:literal) => {
        impl Lanes<Gf192> for $lanes {
            type Vector = limbs::Element<$register>;
            type Sum = limbs::Sum<$register>;
            type Weight = limbs::Weight<$register>;
            type Constant = limbs::Weight<$register>;

            const COUNT: usize = <$lanes as Limbs>::COUNT;

            #[inline(always)]
            fn enter<K: Kernel<Field = Gf192>>(self, kernel: K) -> K::Output {
                // SAFETY: `self` is the proof that this CPU has every feature that `entry` is compiled for.
                unsafe { entry(self, kernel) }
            }

            steps! { $lanes, $features:
                load(from: &[Gf192]) -> limbs::Element<$register> = Limbs::load;
                store(vector: limbs::Element<$register>, to: &mut [Gf192]) -> () = Limbs::store;
                splat(element: &Gf192) -> limbs::Element<$register> = Limbs::splat;
                add(a: limbs::Element<$register>, b: limbs::Element<$register>) -> limbs::Element<$register>
                    = limbs::add;
                evens(a: limbs::Element<$register>, b: limbs::Element<$register>) -> limbs::Element<$register>
                    = limbs::evens;
                odds(a: limbs::Element<$register>, b: limbs::Element<$register>) -> limbs::Element<$register>
                    = limbs::odds;
                nothing() -> limbs::Sum<$register> = limbs::nothing;
                weight(value: limbs::Element<$register>) -> limbs::Weight<$register> = limbs::weight;
                accumulate(
                    sum: limbs::Sum<$register>,
                    a: limbs::Element<$register>,
                    b: limbs::Weight<$register>
                ) -> limbs::Sum<$register> = limbs::accumulate;
                reduce(sum: limbs::Sum<$register>) -> limbs::Element<$register> = limbs::reduce;
                product(a: limbs::Element<$register>, b: limbs::Element<$register>) -> limbs::Element<$register>
                    = limbs::product;
                square(a: limbs::Element<$register>) -> limbs::Element<$register> = limbs::square;
                constant(element: &Gf192) -> limbs::Weight<$register> = limbs::constant;
                multiply_add(
                    a: limbs::Element<$register>,
                    r: limbs::Weight<$register>,
                    addend: limbs::Element<$register>
                ) -> limbs::Element<$register> = limbs::multiply_add;
                sum_of_lanes(a: limbs::Element<$register>) -> Gf192 = limbs::sum_of_lanes;
            }
        }
    };
}

pub(super) use lanes_of_limbs;

// The methods of `Lanes`.

#[inline(always)]
pub(super) fn add<L: Limbs>(
    lanes: L,
    a: Element<L::Register>,
    b: Element<L::Register>,
) -> Element<L::Register> {
    Element { lower: lanes.xor(a.lower, b.lower), upper: lanes.xor(a.upper, b.upper) }
}

#[inline(always)]
pub(super) fn evens<L: Limbs>(
    lanes: L,
    a: Element<L::Register>,
    b: Element<L::Register>,
) -> Element<L::Register> {
    Element { lower: lanes.evens(a.lower, b.lower), upper: lanes.evens(a.upper, b.upper) }
}

#[inline(always)]
pub(super) fn odds<L: Limbs>(
    lanes: L,
    a: Element<L::Register>,
    b: Element<L::Register>,
) -> Element<L::Register> {
    Element { lower: lanes.odds(a.lower, b.lower), upper: lanes.odds(a.upper, b.upper) }
}

#[inline(always)]
pub(super) fn nothing<L: Limbs>(lanes: L) -> Sum<L::Register> {
    let zero = lanes.splat(&Gf192([0; 3])).lower;
    Sum { squares: [zero; 3], cross: [zero; 3] }
}

#[inline(always)]
pub(super) fn weight<L: Limbs>(lanes: L, value: Element<L::Register>) -> Weight<L::Register> {
    Weight {
        value,
        inner: lanes.xor(value.lower, lanes.swapped(value.lower)),
        outer: lanes.xor(value.lower, lanes.doubled(value.upper)),
    }
}

#[inline(always)]
pub(super) fn accumulate<L: Limbs>(
    lanes: L,
    sum: Sum<L::Register>,
    a: Element<L::Register>,
    b: Weight<L::Register>,
) -> Sum<L::Register> {
    let Sum { squares: [s0, s1, s2], cross: [c0, c1, c2] } = sum;
    let Sum { squares: [t0, t1, t2], cross: [d0, d1, d2] } = products(lanes, weight(lanes, a), b);
    Sum {
        squares: [lanes.xor(s0, t0), lanes.xor(s1, t1), lanes.xor(s2, t2)],
        cross: [lanes.xor(c0, d0), lanes.xor(c1, d1), lanes.xor(c2, d2)],
    }
}

#[inline(always)]
pub(super) fn reduce<L: Limbs>(lanes: L, sum: Sum<L::Register>) -> Element<L::Register> {
    let Sum { squares: [s0, s1, s2], cross: [c01, c02, c12] } = sum;
    let s01 = lanes.xor(s0, s1);
    let (c1, c2) = (lanes.xor(c01, s01), lanes.xor(lanes.xor(c02, s01), s2));
    let c3 = lanes.xor(c12, lanes.xor(s1, s2));
    lanes.reduce(Columns([s0, c1, c2, c3, s2]))
}

#[inline(always)]
pub(super) fn product<L: Limbs>(
    lanes: L,
    a: Element<L::Register>,
    b: Element<L::Register>,
) -> Element<L::Register> {
    reduce(lanes, products(lanes, weight(lanes, a), weight(lanes, b)))
}

#[inline(always)]
pub(super) fn square<L: Limbs>(lanes: L, a: Element<L::Register>) -> Element<L::Register> {
    let nothing = lanes.splat(&Gf192([0; 3])).lower;
    let inner = [lanes.low_product(a.lower, a.lower), lanes.high_product(a.lower, a.lower)];
    let upper = lanes.low_product(a.upper, a.upper);
    lanes.reduce(Columns([inner[0], nothing, inner[1], nothing, upper]))
}

#[inline(always)]
pub(super) fn constant<L: Limbs>(lanes: L, element: &Gf192) -> Weight<L::Register> {
    weight(lanes, lanes.splat(element))
}

#[inline(always)]
pub(super) fn multiply_add<L: Limbs>(
    lanes: L,
    a: Element<L::Register>,
    r: Weight<L::Register>,
    addend: Element<L::Register>,
) -> Element<L::Register> {
    add(lanes, reduce(lanes, products(lanes, weight(lanes, a), r)), addend)
}

#[inline(always)]
pub(super) fn sum_of_lanes<L: Limbs>(lanes: L, a: Element<L::Register>) -> Gf192 {
    let mut elements = [Gf192([0; 3]); MAX_COUNT];
    lanes.store(a, &mut elements);
    elements[0] + elements[1] + (elements[2] + elements[3])
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
