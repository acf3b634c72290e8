//! Blocks of rows through the SHA-256 compression function, and digests as words of a message.

use crate::hashes::blake3::slices::{Digests, Message};
use phalanx_core::lanes::WordLanes;
use phalanx_core::sha256::kernel::{INITIAL, compress};
use phalanx_core::simd::Kernel;

/// Takes a block of every lane into `state`, which is the initial one for `start`: the word `first` and fifteen words
/// of `rest`. Their bytes lie as in the messages, the most significant one first.
pub(super) struct Compress<'a, const LANES: usize> {
    pub(super) start: bool,
    pub(super) state: &'a mut Digests<LANES>,
    pub(super) first: &'a [u32; LANES],
    pub(super) rest: &'a Message<LANES>,
}

impl<L: WordLanes<u32, Words = [u32; LANES]>, const LANES: usize> Kernel<L> for Compress<'_, LANES> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let mut w = [lanes.swap_bytes(lanes.load(self.first)); 16];
        let mut i = 1;
        while i < 16 {
            w[i] = lanes.swap_bytes(lanes.load(&self.rest.0[i - 1]));
            i += 1;
        }
        let mut s = [lanes.splat(0); 8];
        let mut i = 0;
        while i < 8 {
            s[i] = if self.start { lanes.splat(INITIAL[i]) } else { lanes.load(&self.state.0[i]) };
            i += 1;
        }
        let s = compress(lanes, s, w);
        let mut i = 0;
        while i < 8 {
            lanes.store(&mut self.state.0[i], s[i]);
            i += 1;
        }
    }
}

/// The words of digests, with their bytes in the other order, as words of a message.
pub(super) struct SwapBytes<'a, const LANES: usize> {
    pub(super) from: &'a Digests<LANES>,
    pub(super) to: &'a mut Message<LANES>,
}

impl<L: WordLanes<u32, Words = [u32; LANES]>, const LANES: usize> Kernel<L> for SwapBytes<'_, LANES> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let mut i = 0;
        while i < 8 {
            lanes.store(&mut self.to.0[i], lanes.swap_bytes(lanes.load(&self.from.0[i])));
            i += 1;
        }
    }
}
