//! One element to a register: PMULL, which is of the `aes` extension.
#![allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics and the entry into code with PMULL, on the strength of a witness"
)]

use super::halves::{self, Constant, Halves, Sum, lanes_of_halves};
use super::limbs::{self, Columns, Element, Limbs, lanes_of_limbs};
use super::steps::steps;
use super::{Kernel, Lanes};
use crate::binary::{Gf128, Gf192};
use core::arch::aarch64::*;
use phalanx_core::simd::Pmull;

/// x^7 + x^2 + x + 1: what x^128 is in GF(2^128), and x^192 in GF(2^192).
const MODULUS: u64 = 0x87;

/// One element, where the CPU multiplies without carries.
#[derive(Clone, Copy)]
struct Single(Pmull);

impl Single {
    /// The product of polynomials of 64 bits.
    #[inline(always)]
    fn times(self, a: u64, b: u64) -> uint64x2_t {
        // SAFETY: `self` is the proof of PMULL.
        unsafe { product(a, b) }
    }

    #[inline(always)]
    fn low(self, a: uint64x2_t) -> u64 {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vgetq_lane_u64::<0>(a) }
    }

    #[inline(always)]
    fn high(self, a: uint64x2_t) -> u64 {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vgetq_lane_u64::<1>(a) }
    }

    #[inline(always)]
    fn plus(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u64(a, b) }
    }

    /// The upper half of `a` and the lower half of `b`.
    #[inline(always)]
    fn between(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vextq_u64::<1>(a, b) }
    }

    #[inline(always)]
    fn zero(self) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vdupq_n_u64(0) }
    }

    /// The lower half in the place of the upper one, above zeros.
    #[inline(always)]
    fn up(self, a: uint64x2_t) -> uint64x2_t {
        self.between(self.zero(), a)
    }

    /// The upper half in the place of the lower one, below zeros.
    #[inline(always)]
    fn down(self, a: uint64x2_t) -> uint64x2_t {
        self.between(a, self.zero())
    }

    #[inline(always)]
    fn pair(self, low: u64, high: u64) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vcombine_u64(vcreate_u64(low), vcreate_u64(high)) }
    }
}

/// [`Single::times`].
#[inline]
#[target_feature(enable = "neon,aes")]
fn product(a: u64, b: u64) -> uint64x2_t {
    // SAFETY: this function is compiled for PMULL.
    unsafe { vreinterpretq_u64_p128(vmull_p64(a, b)) }
}

/// The halves of a number.
#[allow(clippy::cast_possible_truncation, reason = "the halves are wanted")]
fn halves(x: u128) -> (u64, u64) {
    (x as u64, (x >> 64) as u64)
}

impl Halves for Single {
    type Vector = uint64x2_t;

    const COUNT: usize = 1;

    #[inline(always)]
    fn load(self, from: &[Gf128]) -> uint64x2_t {
        Halves::splat(self, &from[0])
    }

    #[inline(always)]
    fn store(self, vector: uint64x2_t, to: &mut [Gf128]) {
        to[0] = Halves::sum_of_lanes(self, vector);
    }

    #[inline(always)]
    fn splat(self, element: &Gf128) -> uint64x2_t {
        let (low, high) = halves(element.0);
        self.pair(low, high)
    }

    #[inline(always)]
    fn add(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        self.plus(a, b)
    }

    #[inline(always)]
    fn evens(self, a: uint64x2_t, _: uint64x2_t) -> uint64x2_t {
        a
    }

    #[inline(always)]
    fn odds(self, _: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        b
    }

    #[inline(always)]
    fn cross(self, a: uint64x2_t) -> uint64x2_t {
        self.plus(a, self.between(a, a))
    }

    #[inline(always)]
    fn low_product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        self.times(self.low(a), self.low(b))
    }

    #[inline(always)]
    fn high_product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        self.times(self.high(a), self.high(b))
    }

    /// low + middle X + high X^2: the upper word of the high part comes down into the middle, and then what is above
    /// 128 bits of all.
    #[inline(always)]
    fn reduce(self, sum: Sum<uint64x2_t>) -> uint64x2_t {
        let middle = self.plus(sum.cross, self.plus(sum.low, sum.high));
        let middle = self.plus(middle, self.times(self.high(sum.high), MODULUS));
        let high = self.plus(sum.high, self.down(middle));
        self.plus(self.plus(sum.low, self.up(middle)), self.times(self.low(high), MODULUS))
    }

    #[inline(always)]
    fn shift(self, a: uint64x2_t) -> uint64x2_t {
        self.plus(self.times(self.high(a), MODULUS), self.up(a))
    }

    /// low + middle X, whose upper half comes down.
    #[inline(always)]
    fn multiply_add(self, a: uint64x2_t, r: Constant<uint64x2_t>, addend: uint64x2_t) -> uint64x2_t {
        let (a0, a1) = (self.low(a), self.high(a));
        let low = self.plus(self.times(a0, self.low(r.value)), self.times(a1, self.low(r.shifted)));
        let middle = self.plus(self.times(a0, self.high(r.value)), self.times(a1, self.high(r.shifted)));
        let over = self.times(self.high(middle), MODULUS);
        self.plus(self.plus(self.plus(low, addend), self.up(middle)), over)
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: uint64x2_t) -> Gf128 {
        Gf128(u128::from(self.low(a)) | u128::from(self.high(a)) << 64)
    }
}

impl Limbs for Single {
    type Register = uint64x2_t;

    const COUNT: usize = 1;

    #[inline(always)]
    fn load(self, from: &[Gf192]) -> Element<uint64x2_t> {
        Limbs::splat(self, &from[0])
    }

    #[inline(always)]
    fn store(self, element: Element<uint64x2_t>, to: &mut [Gf192]) {
        to[0] = Gf192([self.low(element.lower), self.high(element.lower), self.low(element.upper)]);
    }

    #[inline(always)]
    fn splat(self, element: &Gf192) -> Element<uint64x2_t> {
        let [l0, l1, l2] = element.0;
        Element { lower: self.pair(l0, l1), upper: self.pair(l2, 0) }
    }

    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        self.plus(a, b)
    }

    #[inline(always)]
    fn evens(self, a: uint64x2_t, _: uint64x2_t) -> uint64x2_t {
        a
    }

    #[inline(always)]
    fn odds(self, _: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        b
    }

    #[inline(always)]
    fn swapped(self, a: uint64x2_t) -> uint64x2_t {
        self.between(a, a)
    }

    #[inline(always)]
    fn doubled(self, a: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vdupq_laneq_u64::<0>(a) }
    }

    #[inline(always)]
    fn low_product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        Halves::low_product(self, a, b)
    }

    #[inline(always)]
    fn high_product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        Halves::high_product(self, a, b)
    }

    /// Limbs 5, 4 and then 3 come down, each by a product.
    #[inline(always)]
    fn reduce(self, columns: Columns<uint64x2_t>) -> Element<uint64x2_t> {
        let [c0, c1, c2, c3, c4] = columns.0;
        let top = self.plus(c4, self.down(c3));
        let next = self.plus(c2, self.between(c1, c3));
        let next = self.plus(next, self.times(self.high(top), MODULUS));
        let middle = self.times(self.low(top), MODULUS);
        let low = self.plus(c0, self.up(self.plus(c1, middle)));
        Element {
            lower: self.plus(low, self.times(self.high(next), MODULUS)),
            upper: self.plus(next, self.down(middle)),
        }
    }
}

lanes_of_halves!(Single, uint64x2_t, "neon,aes");
lanes_of_limbs!(Single, uint64x2_t, "neon,aes");

/// Runs the kernel on one lane.
#[allow(private_bounds, reason = "how it is done is this file's affair")]
pub(super) fn run<K: Kernel>(witness: Pmull, kernel: K) -> K::Output
where
    Single: Lanes<K::Field>,
{
    // SAFETY: `witness` is the proof that this CPU has every feature that `entry` is compiled for.
    unsafe { entry(Single(witness), kernel) }
}

/// [`run`], compiled for PMULL.
#[target_feature(enable = "neon,aes")]
#[inline(never)]
fn entry<K: Kernel>(lanes: Single, kernel: K) -> K::Output
where
    Single: Lanes<K::Field>,
{
    kernel.run(lanes)
}
