//! BLAKE2s (RFC 7693) with a digest of 32 bytes and no key: many messages side by side, in lanes.
//!
//! The compression function is written once, in [`kernel`], and entered with one message, four, eight or sixteen to a
//! vector. Nothing here branches on or indexes by a message, so it may be secret.

mod kernel;
#[cfg(test)]
mod tests;

use core::ops::{Deref, DerefMut};
use kernel::{Climb, Columns, Compress, Misses, START, Steps};
pub(crate) use kernel::{Meanwhile, PARTS};
use phalanx_core::lanes::{Scalar, WordLanes};
use phalanx_core::simd::Witness;
use zeroize::{Zeroize, Zeroizing};

/// Most messages side by side.
pub(crate) const MAX_LANES: usize = 16;

/// Runs `$body` with `$lanes` bound to the lanes of `$isa`; the body is compiled once for each instruction set.
macro_rules! with_lanes {
    ($isa:expr, $lanes:ident => $body:expr) => {
        phalanx_core::first_of!($isa;
            avx512(witness) => {
                let $lanes = witness;
                $crate::hashes::apart(|| $body)
            },
            avx2(witness) => {
                let $lanes = witness;
                $crate::hashes::apart(|| $body)
            },
            neon(witness) => {
                let $lanes = witness;
                $crate::hashes::apart(|| $body)
            },
            wasm128(witness) => {
                let $lanes = witness;
                $crate::hashes::apart(|| $body)
            },
            sse2(witness) => {
                let $lanes = witness;
                $crate::hashes::apart(|| $body)
            },
            else => {
                let $lanes = phalanx_core::lanes::Scalar;
                $crate::hashes::apart(|| $body)
            },
        )
    };
}
pub(crate) use with_lanes;

/// `COUNT` words of `N` messages, word i of all together; aligned, so that no vector crosses a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Slices<const COUNT: usize, const N: usize>(pub(crate) [[u32; N]; COUNT]);

impl<const COUNT: usize, const N: usize> Slices<COUNT, N> {
    /// All zero.
    pub(crate) const ZERO: Self = Self([[0; N]; COUNT]);
}

impl<const COUNT: usize, const N: usize> Deref for Slices<COUNT, N> {
    type Target = [[u32; N]; COUNT];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<const COUNT: usize, const N: usize> DerefMut for Slices<COUNT, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<const COUNT: usize, const N: usize> Zeroize for Slices<COUNT, N> {
    fn zeroize(&mut self) {
        self.as_flattened_mut().zeroize();
    }
}

/// A backend that hashes `N` messages at a time.
pub(crate) trait Lanes<const N: usize>: Witness + WordLanes<u32, Words = [u32; N]> {
    /// Takes a block into `state`, the first one for `start`; `count` is the number of bytes up to its end.
    #[inline]
    fn compress(
        self,
        start: bool,
        state: &mut Slices<8, N>,
        message: &Slices<16, N>,
        count: u32,
        last: bool,
    ) {
        self.enter(Compress::<_, 0> { start, state, message, count, last });
    }

    /// As [`compress`](Self::compress), for the last block, whose second half is zero.
    #[inline]
    fn compress_half(self, start: bool, state: &mut Slices<8, N>, message: &Slices<16, N>, count: u32) {
        self.enter(Compress::<_, 0xff00> { start, state, message, count, last: true });
    }

    /// What [`steps`](Self::steps) computes once for all messages with the same words 0 and 2 to 7.
    #[inline]
    fn columns(self, message: &Slices<16, N>) -> Slices<16, N> {
        let mut out = Slices::ZERO;
        self.enter(Columns { message, out: &mut out });
        out
    }

    /// Hashes messages of 48 bytes whose word 2 is zero, `steps` times: words 8 to 11 of `message` become the first half of
    /// the digest, then one is added to word 1. The `columns` are those of a message with the same words 0 and 2 to 7.
    #[inline]
    fn steps(self, message: &mut Slices<16, N>, columns: &Slices<16, N>, steps: u32) {
        self.enter(Steps { message, columns, steps, meanwhile: () });
    }

    /// One of those steps, between whose rounds the parts of `meanwhile` are done.
    #[inline]
    fn step_while(self, message: &mut Slices<16, N>, columns: &Slices<16, N>, meanwhile: impl Meanwhile) {
        self.enter(Steps { message, columns, steps: 1, meanwhile });
    }

    /// Climbs a path in every lane, from the node of `index` to the ancestor that is as many levels above as there are
    /// `siblings`. Messages have `label` in word 0, the level above the first node in word 1, and words 4 to 7 of `message`,
    /// whose others are room to work in.
    #[inline]
    fn climb(
        self,
        label: u32,
        node: &mut Slices<4, N>,
        index: &[u32; N],
        siblings: &[Slices<4, N>],
        message: &mut Slices<16, N>,
    ) {
        self.enter(Climb { label, node, index, siblings, message });
    }

    /// Zero for the digests whose first half encodes with digits of sum `target`.
    #[inline]
    fn misses(self, digests: &Slices<8, N>, target: u32) -> [u32; N] {
        let mut out = [0; N];
        self.enter(Misses { digests, target, out: &mut out });
        out
    }
}

impl<L: Witness + WordLanes<u32, Words = [u32; N]>, const N: usize> Lanes<N> for L {}

/// The first half of the digest of a message of whole words, alone. What it copies is wiped.
#[inline(never)]
pub(crate) fn half_digest(message: &[[u32; 4]]) -> [u32; 4] {
    let mut block = Zeroizing::new(Slices::<16, 1>::ZERO);
    let mut state = Slices(START.map(|word| [word]));
    let blocks = message.len().div_ceil(4).max(1);
    let mut count = 0;
    for (number, words) in (1..).zip(message.chunks(4)) {
        block.fill([0]);
        for (to, &from) in block.iter_mut().zip(words.as_flattened()) {
            *to = [from];
        }
        count += 16 * u32::try_from(words.len()).expect("at most four");
        // Not by way of `compress`, whose copy for all callers asks every time whether it starts.
        let last = number == blocks;
        Scalar.enter(Compress::<_, 0> { start: false, state: &mut state, message: &block, count, last });
    }
    core::array::from_fn(|i| state[i][0])
}
