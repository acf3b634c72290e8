//! The chains of as many signatures as there are lanes, a signature a lane.
//!
//! The digits of every signature have one sum, so every verification walks the same number of steps: lanes that take one
//! chain after the other are all full from the first step to the last.
#![forbid(unsafe_code)]

use super::encoding::Digits;
use super::hashing::{LeafMessage, get, put, put_end};
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
    /// For every lane the chains that have steps to go, in order. Behind the last one is chain 0, which is then walked
    /// no further.
    waiting: [[u8; CHAINS + 1]; N],
    /// For every lane how many of them are done.
    done: [usize; N],
    /// For every step the lanes whose chain ends with it.
    ending: [u32; VERIFICATION_STEPS + 1],
}

impl<'a, const N: usize> FullWalk<'a, N> {
    /// Before the first step. `message` is that of the leaves.
    pub(super) fn new(
        profile: Profile,
        signatures: [Chains<'a>; N],
        message: &'a mut LeafMessage<N>,
    ) -> Self {
        let mut walk = Self {
            profile,
            signatures,
            message,
            block: Slices::ZERO,
            waiting: [[0; CHAINS + 1]; N],
            done: [0; N],
            ending: [0; VERIFICATION_STEPS + 1],
        };
        for lane in 0..N {
            let Chains { parameter, epoch, values, digits } = walk.signatures[lane];
            let (mut step, mut count) = (0, 0);
            for (chain, &digit) in (0..).zip(digits) {
                if digit == STEPS {
                    put_end(walk.message, chain.into(), lane, &values[usize::from(chain)]);
                } else {
                    step += usize::from(STEPS - digit);
                    walk.ending[step] |= 1 << lane;
                    walk.waiting[lane][count] = chain;
                    count += 1;
                }
            }
            put(&mut *walk.block, 0, lane, &profile.tweak(Use::Chain, 0, epoch));
            put(&mut *walk.block, 4, lane, parameter);
            walk.start(lane);
        }
        walk
    }

    /// Puts the next chain of a lane into it.
    #[inline(always)]
    fn start(&mut self, lane: usize) {
        let Chains { values, digits, .. } = self.signatures[lane];
        let chain = self.waiting[lane][self.done[lane]];
        let at = usize::from(chain);
        // The tweak of a step is that of position 0, which is zero in this word, and the position.
        let (word, by) = self.profile.next_position();
        self.block[word][lane] = by * (8 * u32::from(chain) + u32::from(digits[at]));
        put(&mut *self.block, 8, lane, &values[at]);
    }

    /// Step number `step`, from 1 on, in every lane.
    #[inline(always)]
    pub(super) fn step(&mut self, lanes: impl Lanes<N>, step: usize) {
        let (word, by) = self.profile.next_position();
        lanes.steps(&mut self.block, 1, word, by);
        let mut ending = self.ending[step];
        while ending != 0 {
            let lane = ending.trailing_zeros() as usize;
            ending &= ending - 1;
            let end = get(&self.block[8..], lane);
            let chain = usize::from(self.waiting[lane][self.done[lane]]);
            put_end(self.message, chain, lane, &end);
            self.done[lane] += 1;
            self.start(lane);
        }
    }
}
