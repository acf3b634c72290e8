//! Proof of the bounds: the arithmetic runs on intervals.
//!
//! An [`Interval`] holds the least and the greatest value that a lane can have. The formulas are the shipped ones, through
//! [`Products52`]; every operation asserts what it needs.

use super::super::kernel::{Layer, PackedField};
use super::lanes::{A0, EPSILON, M0, MASK_52, MINUS_256, Products52, T0};
use crate::goldilocks::P;
use phalanx_core::simd::Kernel;

/// What is known about a lane.
#[derive(Clone, Copy, Debug)]
struct Interval {
    min: u64,
    max: u64,
}

/// Interval arithmetic.
#[derive(Clone, Copy)]
struct Bounds;

const FULL: u64 = MASK_52.cast_unsigned();

/// What a multiplication reads.
fn read(a: Interval) -> Interval {
    if a.max <= FULL { a } else { Interval { min: 0, max: FULL } }
}

/// Products of the bounds.
fn products(a: Interval, b: Interval) -> (u128, u128) {
    let (a, b) = (read(a), read(b));
    (u128::from(a.min) * u128::from(b.min), u128::from(a.max) * u128::from(b.max))
}

fn narrow(x: u128) -> u64 {
    u64::try_from(x).expect("64 bits")
}

impl Products52 for Bounds {
    type V = Interval;

    fn constant(self, value: i64) -> Interval {
        let value = u64::try_from(value).expect("a positive constant");
        Interval { min: value, max: value }
    }

    fn lo(self, acc: Interval, a: Interval, b: Interval) -> Interval {
        let minus_256 = MINUS_256.cast_unsigned();
        let product = if (b.min, b.max) == (minus_256, minus_256) {
            // a (2^52 - 2^8) = 2^52 (a - 1) + (2^52 - 2^8 a) if the last is in range.
            assert!(a.min > 0 && a.max < 1 << 44, "2^52 - 2^8 t is between 0 and 2^52: {a:?}");
            Interval { min: (1 << 52) - 256 * a.max, max: (1 << 52) - 256 * a.min }
        } else {
            let (min, max) = products(a, b);
            if max <= u128::from(FULL) {
                Interval { min: narrow(min), max: narrow(max) }
            } else {
                Interval { min: 0, max: FULL }
            }
        };
        self.add(acc, product)
    }

    fn hi(self, acc: Interval, a: Interval, b: Interval) -> Interval {
        let (min, max) = products(a, b);
        self.add(acc, Interval { min: narrow(min >> 52), max: narrow(max >> 52) })
    }

    fn shr<const BITS: i32>(self, a: Interval) -> Interval {
        Interval { min: a.min >> BITS, max: a.max >> BITS }
    }

    fn shl<const BITS: i32>(self, a: Interval) -> Interval {
        assert!(a.max.leading_zeros() >= BITS.cast_unsigned(), "nothing is shifted out: {a:?}");
        Interval { min: a.min << BITS, max: a.max << BITS }
    }

    fn and(self, a: Interval, b: Interval) -> Interval {
        assert_eq!(b.min, b.max, "a mask");
        if a.max <= b.max { a } else { Interval { min: 0, max: b.max } }
    }

    fn add(self, a: Interval, b: Interval) -> Interval {
        Interval { min: a.min + b.min, max: a.max.checked_add(b.max).expect("a sum fits into 64 bits") }
    }

    fn sub(self, a: Interval, b: Interval) -> Interval {
        assert!(a.min >= b.max, "a difference stays positive: {a:?} - {b:?}");
        Interval { min: a.min - b.max, max: a.max - b.min }
    }

    fn in_order(self, a: [Interval; 2]) -> [Interval; 2] {
        a
    }

    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    fn layer<K: Layer<[Interval; 2]>>(self, layer: K) {
        layer.run(self);
    }
}

/// Bound of the upper limb of every element.
const HIGH: u64 = (1 << 22) - 1;

/// Any element: junk above the 52 bits of the lower limb.
const ELEMENT: [Interval; 2] = [Interval { min: 0, max: u64::MAX }, Interval { min: 0, max: HIGH }];

fn assert_element([_, h]: [Interval; 2]) {
    assert!(h.max <= HIGH, "{h:?}");
}

#[test]
fn products_of_elements_are_elements() {
    assert_element(Bounds.mul(ELEMENT, ELEMENT));
    assert_element(Bounds.square(ELEMENT));
}

/// The exact values behind the linear layer are at most 160 times a limb; its own sums are modulo 2^64.
#[test]
fn sums_of_the_linear_layer_make_elements() {
    let [low, high] = Bounds.split(ELEMENT);
    let sum = |limb: Interval| Interval { min: 0, max: 160 * limb.max };
    let limbs = [sum(low), sum(high)];
    assert!(limbs[1].max + 0xfff < 1 << 52, "the fold reads all of the upper limb");
    for constant in [0, P - 1] {
        assert_element(Bounds.join(limbs, constant));
    }
    // The cubic extension adds five products at most.
    let five = |limb: Interval| Interval { min: 0, max: 5 * limb.max };
    assert_element(Bounds.join([five(low), five(high)], 0));
}

/// A `u64` is an element, and the way back carries at most once.
#[test]
fn entry_and_exit() {
    const { assert!(u64::MAX >> 52 <= HIGH) };
    let folded = (HIGH >> 12) * EPSILON.cast_unsigned();
    // After a carry the sum is below `folded`, and 2^32 - 1 more does not carry.
    assert!(folded.checked_add(EPSILON.cast_unsigned()).is_some());
    assert!(u128::from(u64::MAX) < 2 * u128::from(P), "one subtraction makes it canonical");
}

#[test]
fn biases_sum_to_p() {
    let biases = u128::from(A0.cast_unsigned())
        + (u128::from(M0.cast_unsigned()) << 52)
        + u128::from(MINUS_256.cast_unsigned());
    // T0 meets -2^8, which MINUS_256 already holds.
    assert_eq!(T0, 1);
    assert_eq!(biases, u128::from(P));
}
