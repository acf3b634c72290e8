//! Which epochs a key covers: rounding to bottom trees, and the prepared interval (spec section 10).
#![forbid(unsafe_code)]

use super::error::Error;
use super::parameters::Parameters;
use core::ops::Range;
use phalanx_core::subtree::Subtree;

/// The consecutive bottom trees of a key, as indices `first..end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trees {
    /// First bottom tree.
    pub(crate) first: u64,
    /// First bottom tree after them.
    pub(crate) end: u64,
}

impl Trees {
    /// The smallest run of at least two bottom trees that covers `count` epochs from `start` on.
    ///
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or `count` is 0 and the set refuses that.
    pub(crate) fn covering(set: &Parameters, start: u64, count: u64) -> Result<Self, Error> {
        let lifetime = set.lifetime();
        let fits = start.checked_add(count).is_some_and(|end| end <= lifetime);
        if !fits || (count == 0 && set.refuses_empty_interval) {
            return Err(Error::Interval { start, count, lifetime });
        }
        Ok(Self::rounded(set.log2_lifetime, start, count))
    }

    /// The rounding alone, for epochs that fit a lifetime of `2^log2_lifetime`.
    pub(crate) fn rounded(log2_lifetime: u8, start: u64, count: u64) -> Self {
        let leaves = 1u64 << (log2_lifetime / 2);
        let all = 1u64 << (log2_lifetime - log2_lifetime / 2);
        let first = start / leaves;
        let end = (start + count).div_ceil(leaves).max(first + 2);
        if end <= all {
            return Self { first, end };
        }
        // Too far right: the same number of trees, moved left until they fit.
        let trees = (end - first).min(all);
        Self { first: all - trees, end: all }
    }

    /// Number of bottom trees.
    pub(crate) fn count(self) -> u64 {
        self.end - self.first
    }
}

/// The bottom trees that are to be computed so that tree `tree` becomes one of the two that a key holds, of which `next`
/// follows and `end` is past the last: none, one or two.
pub(crate) fn trees_to(tree: u64, next: u64, end: u64) -> Range<u64> {
    match tree {
        _ if tree < next || tree >= end => next..next,
        _ if tree == next => next..next + 1,
        _ => tree.min(end - 2)..tree.min(end - 2) + 2,
    }
}

/// The node of the top tree's lowest layer at `position`.
pub(crate) fn node_of<N: Copy>(top: &Subtree<N>, position: u64) -> Option<N> {
    let layer = top.layers.first()?;
    let index = usize::try_from(position.checked_sub(layer.start)?).ok()?;
    layer.nodes.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParameterSet;

    #[test]
    fn rounding_by_hand() {
        let trees = |start, count| Trees::rounded(8, start, count);
        assert_eq!(trees(0, 256), Trees { first: 0, end: 16 });
        assert_eq!(trees(100, 40), Trees { first: 6, end: 9 });
        assert_eq!(trees(255, 1), Trees { first: 14, end: 16 });
        assert_eq!(trees(0, 1), Trees { first: 0, end: 2 });
        assert_eq!(trees(0, 0), Trees { first: 0, end: 2 });
    }

    #[test]
    fn intervals_outside_the_lifetime_are_refused() {
        let set = ParameterSet::POSEIDON2_L8_D64B8.parameters();
        for (start, count) in
            [(0, 257), (256, 1), (255, 2), (u64::MAX, 1), (1, u64::MAX), (u64::MAX, u64::MAX)]
        {
            assert_eq!(
                Trees::covering(set, start, count),
                Err(Error::Interval { start, count, lifetime: 256 })
            );
        }
        assert!(Trees::covering(set, 256, 0).is_ok());
        assert!(Trees::covering(ParameterSet::POSEIDON1_L8_D4B8_TEST.parameters(), 0, 0).is_err());
    }
}
