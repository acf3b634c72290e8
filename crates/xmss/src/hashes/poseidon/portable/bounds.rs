//! The permutations on intervals: what every word can become for any state.

use super::signed::{Factor, MODULUS, PlainFactor, Signed};
use super::{poseidon2, split16};
use core::ops::{Add, Mul, Sub};

/// All integers from the first to the last. Operations panic where some of them would not fit 64 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Interval(i128, i128);

impl Interval {
    fn within(bound: i64) -> Self {
        Self(-i128::from(bound), i128::from(bound))
    }

    fn checked(self) -> Self {
        assert!(
            i128::from(i64::MIN) <= self.0 && self.0 <= self.1 && self.1 <= i128::from(i64::MAX),
            "{self:?}"
        );
        self
    }

    fn is_within(self, bound: i64) -> bool {
        -i128::from(bound) <= self.0 && self.1 <= i128::from(bound)
    }
}

impl From<i64> for Interval {
    fn from(x: i64) -> Self {
        Self(x.into(), x.into())
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1).checked()
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.1, self.1 - other.0).checked()
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let corners = [self.0 * other.0, self.0 * other.1, self.1 * other.0, self.1 * other.1];
        let (least, greatest) = (corners.into_iter().min(), corners.into_iter().max());
        Self(least.expect("four"), greatest.expect("four")).checked()
    }
}

impl Signed for Interval {
    fn reduce(self) -> Self {
        let product = Self(-(1 << 31), (1 << 31) - 1) * Self::from(MODULUS);
        let Self(least, greatest) = self - product;
        Self(least >> 32, greatest >> 32)
    }

    fn fold(self) -> Self {
        assert!(self.is_within(1 << 40), "{self:?}");
        let more = (1 << 31) - i128::from(MODULUS);
        let high = |x: i128| (x + (1 << 30)) >> 31;
        Self(-(1 << 30) + high(self.0) * more, (1 << 30) - 1 + high(self.1) * more)
    }

    fn times(self, factor: Factor) -> Self {
        // Any factor: the tables' own are in the type, but not what they multiply.
        assert!(factor.word.abs() <= MODULUS / 2);
        (self * Self::within(MODULUS / 2)).reduce()
    }

    fn times_plain(self, _: PlainFactor) -> Self {
        assert!(self.is_within((1 << 33) - 1), "{self:?}");
        let size = self.1.max(-self.0);
        // Rounded up.
        let c = ((size * i128::from(MODULUS)) >> 32) + 1;
        Self(-c, i128::from(MODULUS) + c)
    }
}

const ANY: [Interval; 24] = [Interval(0, MODULUS as i128 - 1); 24];

/// Every operation asserts what it needs, and in the end words are within `p`, as reduced elements are made of.
#[test]
fn bounds_hold_for_every_state() {
    let any16 = *ANY.first_chunk::<16>().expect("more than that");
    for word in split16::permute_words(any16).into_iter().chain(poseidon2::permute16_words(any16)) {
        assert!(word.is_within(MODULUS - 1), "{word:?}");
    }
    for word in poseidon2::permute24_words(ANY) {
        assert!(word.is_within(MODULUS - 1), "{word:?}");
    }
}

/// The intervals do notice.
#[test]
#[should_panic(expected = "Interval")]
fn a_state_that_is_too_large_is_noticed() {
    split16::permute_words([Interval::within(MODULUS << 10); 16]);
}
