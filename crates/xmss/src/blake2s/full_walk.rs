//! The chains of as many signatures as there are lanes, a signature a lane.
//!
//! The digits of every signature have one sum, so every verification walks the same number of steps: lanes that take one
//! chain after the other are all full from the first step to the last.
#![forbid(unsafe_code)]

use super::encoding::Digits;
use super::hashing::{LeafMessage, get, put, put_end, put_nodes};
use super::parameters::{CHAINS, Node, Profile, STEPS, TARGET, Use};
use crate::hashes::blake2s::{Lanes, Slices};

/// Steps of a verification.
pub(super) const VERIFICATION_STEPS: usize = STEPS as usize * CHAINS - TARGET as usize;

/// What one lane walks.
#[derive(Clone, Copy)]
pub(super) struct Chains<'a> {
    pub(super) parameter: &'a Node,
    pub(super) epoch: u32,
    pub(super) values: &'a [Node; CHAINS],
    pub(super) digits: &'a Digits,
}

/// All chains of `N` signatures on their way to the messages of leaves.
pub(super) struct FullWalk<'a, const N: usize> {
    profile: Profile,
    signatures: [Chains<'a>; N],
    message: &'a mut LeafMessage<N>,
    block: Slices<16, N>,
    /// For every lane the chain that it walks.
    chain: [usize; N],
}

impl<'a, const N: usize> FullWalk<'a, N> {
    /// Before the first step. `message` is that of the leaves.
    pub(super) fn new(
        profile: Profile,
        signatures: [Chains<'a>; N],
        message: &'a mut LeafMessage<N>,
    ) -> Self {
        let epochs = signatures.map(|signature| signature.epoch);
        let mut walk = Self { profile, signatures, message, block: Slices::ZERO, chain: [0; N] };
        walk.block[..4].copy_from_slice(&profile.tweaks(Use::Chain, 0, &epochs));
        put_nodes(&mut *walk.block, 4, |lane| *walk.signatures[lane].parameter);
        (0..N).for_each(|lane| walk.start(lane, 0));
        walk
    }

    /// Puts the next chain that has steps to go into a lane, from `chain` on; those without are at their ends.
    #[inline(always)]
    fn start(&mut self, lane: usize, mut chain: usize) {
        let Chains { values, digits, .. } = self.signatures[lane];
        while chain < CHAINS {
            if digits[chain] < STEPS {
                // The tweak of a step is that of position 0, which is zero in this word, and the position.
                let (word, by) = self.profile.next_position();
                let first = 8 * u32::try_from(chain).expect("42 chains");
                self.block[word][lane] = by * (first + u32::from(digits[chain]));
                put(&mut *self.block, 8, lane, &values[chain]);
                self.chain[lane] = chain;
                return;
            }
            put_end(self.message, chain, lane, &values[chain]);
            chain += 1;
        }
    }

    /// A step in every lane.
    #[inline(always)]
    pub(super) fn step(&mut self, lanes: impl Lanes<N>) {
        let (word, by) = self.profile.next_position();
        lanes.steps(&mut self.block, 1, word, by);
        // Eight positions a chain, and no step leads from the last.
        let last = u32::from(STEPS) * by;
        let mut ending = 0;
        for (lane, position) in self.block[word].iter().enumerate() {
            ending |= u32::from(position & last == last) << lane;
        }
        while ending != 0 {
            let lane = ending.trailing_zeros() as usize;
            ending &= ending - 1;
            let end = get(&self.block[8..], lane);
            let chain = self.chain[lane];
            put_end(self.message, chain, lane, &end);
            self.start(lane, chain + 1);
        }
    }
}
