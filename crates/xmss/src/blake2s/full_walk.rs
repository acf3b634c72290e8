//! The chains of as many signatures as there are lanes, a signature a lane.
//!
//! The digits of every signature have one sum, so every verification walks the same number of steps: lanes that take one
//! chain after the other are all full from the first step to the last.
#![forbid(unsafe_code)]

use super::encoding::Digits;
use super::hashing::{LeafMessage, get, put, put_end, put_nodes, take_steps};
use super::parameters::{CHAINS, Node, Profile, STEPS, TARGET, Use};
use crate::hashes::blake2s::{Lanes, MAX_LANES, Meanwhile, PARTS, Slices};
use core::sync::atomic::{Ordering, compiler_fence};

/// Steps of a verification.
pub(super) const VERIFICATION_STEPS: u8 = 99;
const _: () = assert!(VERIFICATION_STEPS as usize == STEPS as usize * CHAINS - TARGET as usize);

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
    columns: Slices<16, N>,
    /// The word of the block that has the position, and the bit where it begins there.
    position: (usize, u32),
    /// For every lane the chain that it walks.
    chain: [usize; N],
    /// For every lane a bit for each chain that waits.
    waiting: [u64; N],
    /// For every lane the step that its chain ends with. What a step moves is found here and not in the block, where it
    /// is seen only once the step is done: a branch on that would have to be waited for.
    until: [u8; MAX_LANES],
}

impl<'a, const N: usize> FullWalk<'a, N> {
    /// Before the first step. `message` is that of the leaves.
    pub(super) fn new(
        lanes: impl Lanes<N>,
        profile: Profile,
        signatures: [Chains<'a>; N],
        message: &'a mut LeafMessage<N>,
    ) -> Self {
        let (word, by) = profile.next_position();
        let mut block = Slices::ZERO;
        block[..4].copy_from_slice(&profile.tweaks(
            Use::Chain,
            0,
            &signatures.map(|signature| signature.epoch),
        ));
        put_nodes(&mut *block, 4, |lane| *signatures[lane].parameter);
        let columns = lanes.columns(&block);
        let (position, chain, waiting) = ((word, by.trailing_zeros()), [0; N], [0; N]);
        let until = [0; MAX_LANES];
        let mut walk = Self { profile, signatures, message, block, columns, position, chain, waiting, until };
        for (lane, Chains { values, digits, .. }) in signatures.iter().enumerate() {
            let mut at_end = chains_at_end(digits);
            walk.waiting[lane] = !at_end;
            while at_end != 0 {
                let chain = at_end.trailing_zeros() as usize;
                at_end &= at_end - 1;
                put_end(walk.message, chain, lane, &values[chain]);
            }
            walk.start(lane, 0);
        }
        walk
    }

    /// Puts the next chain of a lane into it, after `step`; behind the last one any, whose end nobody asks for.
    #[inline(always)]
    fn start(&mut self, lane: usize, step: u8) {
        let waiting = self.waiting[lane];
        let chain = (waiting.trailing_zeros() as usize).min(CHAINS - 1);
        self.waiting[lane] = waiting & waiting.wrapping_sub(1);
        self.chain[lane] = chain;
        let Chains { values, digits, .. } = self.signatures[lane];
        // The tweak of a step is that of position 0, which is zero in this word, and the position.
        let (word, from) = self.position;
        let first = 8 * u32::try_from(chain).expect("42 chains");
        self.block[word][lane] = (first + u32::from(digits[chain])) << from;
        self.until[lane] = step + STEPS - digits[chain];
        put(&mut *self.block, 8, lane, &values[chain]);
    }

    /// A step in every lane.
    fn step(&mut self, lanes: impl Lanes<N>) {
        take_steps(lanes, self.profile, &mut self.block, &self.columns, 1);
    }

    /// What there is to do after step number `step`, from 1 on.
    fn after(&mut self, step: u8) -> After<'_, 'a, N> {
        After { ending: equal_to(step, &self.until), step, walk: self }
    }
}

/// What there is to do after a step: chains that are at their ends make room for others.
struct After<'w, 'a, const N: usize> {
    walk: &'w mut FullWalk<'a, N>,
    step: u8,
    /// A bit for every lane whose chain is at its end.
    ending: u32,
}

impl<const N: usize> After<'_, '_, N> {
    /// Does it in the lanes of `ending`.
    #[inline(always)]
    fn exchange(&mut self, mut ending: u32) {
        while ending != 0 {
            let lane = ending.trailing_zeros() as usize;
            ending &= ending - 1;
            let end = get(&self.walk.block[8..], lane);
            let quarter = 2 + self.walk.chain[lane];
            let block = &mut self.walk.message[quarter / 4];
            for (slice, word) in block[quarter % 4 * 4..].iter_mut().zip(end) {
                slice[lane] = word;
                // Among vectors the compiler would make one of the words, and scatter it, which takes much longer.
                compiler_fence(Ordering::SeqCst);
            }
            self.walk.start(lane, self.step);
        }
    }
}

impl<const N: usize> Meanwhile for After<'_, '_, N> {
    #[inline(always)]
    fn part(&mut self, part: usize) {
        let lanes = N / PARTS;
        self.exchange(self.ending & ((1 << lanes) - 1) << (part * lanes));
    }
}

/// Lanes from which on it pays to move values in and out of them between the rounds of others.
const MANY_LANES: usize = 16;

/// Walks all chains to their ends. Of two groups each has its values moved while the other computes.
pub(super) fn walk_all<const N: usize>(lanes: impl Lanes<N>, walks: &mut [FullWalk<'_, N>]) {
    match walks {
        [a, b] if N >= MANY_LANES && a.profile == Profile::B => {
            for step in 1..=VERIFICATION_STEPS {
                lanes.step_while(&mut a.block, &a.columns, b.after(step - 1));
                lanes.step_while(&mut b.block, &b.columns, a.after(step));
            }
            let mut last = b.after(VERIFICATION_STEPS);
            last.exchange(last.ending);
        }
        _ => {
            for step in 1..=VERIFICATION_STEPS {
                for walk in &mut *walks {
                    walk.step(lanes);
                    let mut after = walk.after(step);
                    after.exchange(after.ending);
                }
            }
        }
    }
}

/// A bit for each of `numbers` that is `number`, all of them below 128.
#[inline(always)]
fn equal_to(number: u8, numbers: &[u8; MAX_LANES]) -> u32 {
    let (eights, []) = numbers.as_chunks() else { unreachable!("lanes are a multiple of eight") };
    let mut bits = 0;
    for eight in eights.iter().rev() {
        let differs = u64::from_le_bytes(*eight) ^ (u64::from(number) * LOWEST_BITS);
        // The highest bit of a byte stays clear where nothing differs.
        let equal = !(differs + 0x7f * LOWEST_BITS) >> 7 & LOWEST_BITS;
        bits = bits << 8 | one_bit_a_byte(equal);
    }
    bits
}

/// The lowest bit of every byte.
const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;

/// The lowest bits of all bytes, side by side; their other bits are zero.
#[inline(always)]
fn one_bit_a_byte(bytes: u64) -> u32 {
    // That of byte i moves to bit 56 + i.
    (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// A bit for each chain that has no step to go.
fn chains_at_end(digits: &Digits) -> u64 {
    let (eights, rest) = digits.as_chunks();
    let (mut bits, mut at) = (0, 0);
    for eight in eights {
        let digits = u64::from_le_bytes(*eight);
        // All three bits of a digit.
        let last = digits & (digits >> 1) & (digits >> 2) & LOWEST_BITS;
        bits |= u64::from(one_bit_a_byte(last)) << at;
        at += 8;
    }
    for &digit in rest {
        bits |= u64::from(digit == STEPS) << at;
        at += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_have_their_bits() {
        let mut numbers = core::array::from_fn(|i| [5, 127, 0, 4, 6, 1][i % 6]);
        assert_eq!(equal_to(5, &numbers), 1 << 0 | 1 << 6 | 1 << 12);
        assert_eq!(equal_to(127, &numbers), 1 << 1 | 1 << 7 | 1 << 13);
        assert_eq!(equal_to(99, &numbers), 0);
        numbers[MAX_LANES - 1] = 99;
        assert_eq!(equal_to(99, &numbers), 1 << (MAX_LANES - 1));
        assert_eq!(equal_to(7, &[7; MAX_LANES]), (1 << MAX_LANES) - 1);
    }

    #[test]
    fn every_chain_at_its_end_has_its_bit() {
        for chain in 0..CHAINS {
            for digit in 0..=STEPS {
                let mut digits = [6, 5, 3, 0, 4, 2, 1].repeat(6);
                digits[chain] = digit;
                let digits = digits.try_into().expect("42 digits");
                assert_eq!(chains_at_end(&digits), u64::from(digit == STEPS) << chain, "{chain} {digit}");
            }
        }
        assert_eq!(chains_at_end(&[STEPS; CHAINS]), (1 << CHAINS) - 1);
    }
}
