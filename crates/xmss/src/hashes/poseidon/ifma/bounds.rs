//! Proof of the bounds: the kernels run on intervals.
//!
//! An [`Interval`] holds the least and the greatest value that a lane can have. The kernel code is the shipped one,
//! through [`ResidueLanes`]; every operation asserts what it needs, so a schedule that lets a word grow too far fails
//! here, whatever the inputs. The two products are replaced by their bounds, proved in docs/koalabear.md sections 2 and
//! 3.

use super::ops::{
    CARRY, Factor, LOW, NEGATED_INVERSE, P, R, ResidueLanes, inverse_mod, mul_mod, pow_mod, sub_mod,
};

/// What is known about a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// The least value.
    pub(super) min: u64,
    /// The greatest value.
    pub(super) max: u64,
}

/// Interval arithmetic.
#[derive(Clone, Copy)]
pub(super) struct Bounds;

/// `floor(a b / 2^52)`, checked.
fn upper(a: u64, b: u64) -> u64 {
    assert!(a <= LOW && b <= LOW, "a product reads 52 bits");
    u64::try_from((u128::from(a) * u128::from(b)) >> 52).expect("a product of 52-bit numbers")
}

impl ResidueLanes for Bounds {
    type V = Interval;

    fn splat(self, x: u64) -> Interval {
        Interval { min: x, max: x }
    }

    fn add(self, a: Interval, b: Interval) -> Interval {
        let max = a.max.checked_add(b.max).expect("a sum fits into 64 bits");
        Interval { min: a.min + b.min, max }
    }

    fn sub(self, a: Interval, b: Interval) -> Interval {
        assert!(a.min >= b.max, "a difference stays positive: {a:?} - {b:?}");
        Interval { min: a.min - b.max, max: a.max - b.min }
    }

    fn lo(self, c: Interval, a: Interval, b: Interval) -> Interval {
        // Used outside the products for small multiples: the true product must fit.
        assert!(upper(a.max, b.max) == 0, "a small multiple fits into 52 bits: {a:?} * {b:?}");
        self.add(c, Interval { min: a.min * b.min, max: a.max * b.max })
    }

    fn hi(self, c: Interval, a: Interval, b: Interval) -> Interval {
        self.add(c, Interval { min: upper(a.min, b.min), max: upper(a.max, b.max) })
    }

    fn mul(self, start: Interval, a: Interval, b: Interval) -> Interval {
        self.hi(self.hi(start, a, b), Interval { min: 0, max: LOW }, self.splat(P))
    }

    fn cube(self, start: Interval, x: Interval) -> Interval {
        let r = self.mul(self.splat(CARRY), x, x);
        self.mul(start, r, x)
    }

    fn mul_const(self, acc: Interval, x: Interval, m: &Factor) -> Interval {
        self.mul(acc, x, self.splat(m.c))
    }

    fn mul_small_const(self, acc: Interval, x: Interval, m: &Factor) -> Interval {
        assert!(upper(x.max, m.c) == 0, "the upper half of the product is nothing");
        self.mul_const(acc, x, m)
    }

    fn carries(self, x: Interval) -> Interval {
        Interval { min: x.min >> 52, max: x.max >> 52 }
    }

    fn fold(self, high: Interval, low: Interval) -> Interval {
        let quotient = Interval { min: 0, max: LOW };
        self.hi(self.add(high, self.carries(low)), quotient, self.splat(P))
    }
}

/// Any word that a permutation accepts, and any fresh word.
pub(super) const ACCEPTED: Interval = Interval { min: 0, max: (1 << 38) - 1 };
pub(super) const FRESH: u64 = 1 << 33;

#[test]
fn constants_are_what_they_say() {
    assert_eq!(P.wrapping_mul(NEGATED_INVERSE) & LOW, LOW);
    assert_eq!(mul_mod(sub_mod(1, CARRY), R), 1);
    for m in [0, 1, 2, P - 1, inverse_mod(2), pow_mod(inverse_mod(2), 48)] {
        let factor = Factor::new(m);
        assert_eq!(factor.c, mul_mod(m, R));
        assert_eq!(factor.q.wrapping_mul(P).wrapping_add(factor.c) & LOW, 0);
    }
}

/// The formulas of the products on single integers.
#[derive(Clone, Copy)]
struct Integers;

impl ResidueLanes for Integers {
    type V = u64;

    fn splat(self, x: u64) -> u64 {
        x
    }

    fn add(self, a: u64, b: u64) -> u64 {
        a + b
    }

    fn sub(self, a: u64, b: u64) -> u64 {
        a - b
    }

    fn lo(self, c: u64, a: u64, b: u64) -> u64 {
        c + ((a & LOW).wrapping_mul(b & LOW) & LOW)
    }

    fn hi(self, c: u64, a: u64, b: u64) -> u64 {
        c + upper(a & LOW, b & LOW)
    }

    fn carries(self, x: u64) -> u64 {
        x >> 52
    }
}

/// Congruence and range of every product at the edges of its domain, low halves of zero included.
#[test]
fn products_keep_their_promise() {
    let residue = |x: u128| u64::try_from(x % u128::from(P)).expect("below p");
    let unlike = |x: u64, scale: u64| mul_mod(residue(u128::from(x)), inverse_mod(scale));
    let edges = [
        0,
        1,
        2,
        P - 1,
        P,
        P + 1,
        3 * P,
        1 << 26,
        1 << 32,
        1 << 38,
        (1 << 44) - 1,
        (1 << 48) - 1,
        NEGATED_INVERSE & ((1 << 48) - 1),
    ];
    for &start in &[CARRY, CARRY + P, CARRY + 12345] {
        let added = sub_mod(start % P, CARRY);
        for &x in &edges {
            let bound = |v: Interval| v.max;
            let exact = |x: u64| Interval { min: x, max: x };
            let cube = Integers.cube(start, x);
            let wanted = mul_mod(mul_mod(unlike(x, R), unlike(x, R)), unlike(x, R));
            assert_eq!(residue(u128::from(cube)), (mul_mod(wanted, R) + added) % P, "cube of {x}");
            assert!(cube >= start && cube <= bound(Bounds.cube(exact(start), exact(x))));
            for &y in &edges {
                let product = Integers.mul(start, x, y);
                let wanted = mul_mod(unlike(x, R), residue(u128::from(y)));
                assert_eq!(residue(u128::from(product)), (wanted + added) % P, "{x} * {y}");
                assert!(product >= start && product <= bound(Bounds.mul(exact(start), exact(x), exact(y))));
                let factor = Factor::new(y % P);
                let product = Integers.mul_const(start, x, &factor);
                let wanted = mul_mod(residue(u128::from(x)), y % P);
                assert_eq!(residue(u128::from(product)), (wanted + added) % P, "constant {y} * {x}");
                assert!(product <= bound(Bounds.mul_const(exact(start), exact(x), &factor)));
                if upper(x, factor.c) == 0 {
                    assert_eq!(Integers.mul_small_const(start, x, &factor), product);
                }
            }
        }
    }
}

/// The widest difference the range reduction at storing sees.
#[test]
fn stored_words_are_canonical_after_two_subtractions() {
    let r = Bounds.mul_const(Bounds.splat(CARRY), Interval { min: 0, max: (1 << 51) - 1 }, &Factor::new(1));
    assert!(r.max < 3 * P);
}

/// Fresh words: what loading, digits and 128-bit integers can give.
#[test]
fn conversions_give_fresh_words() {
    let any = |bits: u32| Interval { min: 0, max: (1 << bits) - 1 };
    let worst = Factor { c: P - 1, q: 0 };
    assert!(Bounds.mul_const(Bounds.splat(CARRY), any(32), &worst).max < FRESH);
    let mut sum = Bounds.splat(P - 1);
    for _ in 0..3 {
        sum = Bounds.mul_const(sum, any(43), &worst);
    }
    assert!(sum.max < FRESH);
}
