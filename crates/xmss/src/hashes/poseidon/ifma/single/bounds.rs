//! Proof of the bounds: the permutations on what is known about the lanes of a vector.

use super::super::bounds::{ACCEPTED, Bounds, FRESH, Interval};
use super::super::ops::{LOW, ResidueLanes};
use super::lanes::{StateLanes, Sum};
use super::rounds::{Permutation, permute};
use super::{poseidon1, poseidon2};

/// What holds of both.
fn either(a: Interval, b: Interval) -> Interval {
    Interval { min: a.min.min(b.min), max: a.max.max(b.max) }
}

impl StateLanes for Bounds {
    fn table(self, lanes: &[u64; 8]) -> Interval {
        lanes.iter().map(|&x| self.splat(x)).reduce(either).expect("eight lanes")
    }

    fn broadcast(self, x: Interval, lane: usize) -> Interval {
        assert!(lane < 8);
        x
    }

    fn rotate<const K: usize>(self, x: Interval) -> Interval {
        x
    }

    fn swap(self, x: Interval) -> Interval {
        x
    }

    fn window<const K: i32>(self, x: Interval, next: Interval) -> Interval {
        either(x, next)
    }

    fn accumulate(self, sum: &mut Sum<Interval>, x: Interval, c: Interval) {
        sum.low = self.add(sum.low, Interval { min: 0, max: LOW });
        sum.high = self.hi(sum.high, x, c);
    }

    fn mul_lanes(self, acc: Interval, x: Interval, c: Interval, _: Interval) -> Interval {
        assert!(x.max < 1 << 35, "{x:?} is no input of a partial round");
        self.mul(acc, x, c)
    }
}

#[test]
fn bounds_hold_for_every_accepted_state() {
    fn greatest<W: Permutation<T, N>, const T: usize, const N: usize>() -> u64 {
        let mut x = [ACCEPTED; N];
        permute::<Bounds, W, T, N>(Bounds, &mut x);
        x.iter().map(|x| x.max).max().expect("words")
    }
    assert!(greatest::<poseidon1::Width16, 16, 2>() < FRESH);
    assert!(greatest::<poseidon1::Width24, 24, 3>() < FRESH);
    assert!(greatest::<poseidon2::Width16, 16, 2>() < FRESH);
    assert!(greatest::<poseidon2::Width24, 24, 3>() < FRESH);
}
