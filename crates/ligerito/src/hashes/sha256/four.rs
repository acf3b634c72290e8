//! Four rows at a time, in vectors of 128 bits.

use super::kernel::{self, INITIAL};
use super::lanes::Compress;
use crate::hashes::blake3::lanes::{Digests, Message};
use phalanx_core::simd::Lanes32;

impl<B: Lanes32<Words = [u32; 4]>> Compress<4> for B {
    #[inline(never)]
    fn block(self, start: bool, state: &mut Digests<4>, first: &[u32; 4], rest: &Message<4>) {
        let swapped = |words: &[u32; 4]| self.load(&words.map(u32::swap_bytes));
        let mut w = [swapped(first); 16];
        for (w, words) in w[1..].iter_mut().zip(&rest.0) {
            *w = swapped(words);
        }
        let mut s = [self.splat(0); 8];
        for (i, s) in s.iter_mut().enumerate() {
            *s = if start { self.splat(INITIAL[i]) } else { self.load(&state.0[i]) };
        }
        let s = kernel::compress(self, s, w);
        for (words, s) in state.0.iter_mut().zip(s) {
            self.store(words, s);
        }
    }

    fn digest_words(self, state: &Digests<4>, message: &mut Message<4>) {
        for (to, from) in message.0.iter_mut().zip(&state.0) {
            *to = from.map(u32::swap_bytes);
        }
    }
}
