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
    values: [&'a [Node; CHAINS]; N],
    message: &'a mut LeafMessage<N>,
    block: Slices<16, N>,
    /// The word of the block that has the position, and the bit where it begins there.
    position: (usize, u32),
    /// For every lane the positions that its chains begin at, without chains that have no steps to go, then 0.
    waiting: [[u16; CHAINS + 1]; N],
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
        let (word, by) = profile.next_position();
        let mut walk = Self {
            values: signatures.map(|signature| signature.values),
            message,
            block: Slices::ZERO,
            position: (word, by.trailing_zeros()),
            waiting: [[0; CHAINS + 1]; N],
            done: [0; N],
            ending: [0; VERIFICATION_STEPS + 1],
        };
        let epochs = signatures.map(|signature| signature.epoch);
        walk.block[..4].copy_from_slice(&profile.tweaks(Use::Chain, 0, &epochs));
        put_nodes(&mut *walk.block, 4, |lane| *signatures[lane].parameter);
        for (lane, Chains { values, digits, .. }) in signatures.iter().enumerate() {
            let (mut step, mut count) = (0, 0);
            for (chain, &digit) in (0..).zip(*digits) {
                if digit == STEPS {
                    put_end(walk.message, usize::from(chain), lane, &values[usize::from(chain)]);
                } else {
                    step += usize::from(STEPS - digit);
                    walk.ending[step] |= 1 << lane;
                    walk.waiting[lane][count] = 8 * chain + u16::from(digit);
                    count += 1;
                }
            }
            walk.start(lane);
        }
        walk
    }

    /// Puts the next chain of a lane into it.
    #[inline(always)]
    fn start(&mut self, lane: usize) {
        let position = self.waiting[lane][self.done[lane]];
        // The tweak of a step is that of position 0, which is zero in this word, and the position.
        let (word, from) = self.position;
        self.block[word][lane] = u32::from(position) << from;
        put(&mut *self.block, 8, lane, &self.values[lane][usize::from(position / 8)]);
    }

    /// Step number `step`, from 1 on, in every lane.
    #[inline(always)]
    pub(super) fn step(&mut self, lanes: impl Lanes<N>, step: usize) {
        let (word, from) = self.position;
        lanes.steps(&mut self.block, 1, word, 1 << from);
        let mut ending = self.ending[step];
        while ending != 0 {
            let lane = ending.trailing_zeros() as usize;
            ending &= ending - 1;
            let end = get(&self.block[8..], lane);
            let position = self.waiting[lane][self.done[lane]];
            put_end(self.message, usize::from(position / 8), lane, &end);
            self.done[lane] += 1;
            self.start(lane);
        }
    }
}
