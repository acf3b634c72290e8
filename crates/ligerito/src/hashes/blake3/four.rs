//! Four inputs at a time, in vectors of 128 bits. What goes in and comes out is moved word by word, and the compiler
//! makes vectors of that where it pays.

use super::Digest;
use super::lanes::Lanes;
use super::slices::{Digests, Message};
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Witness;

impl<B: Witness + WordLanes<u32, Words = [u32; 4]>> Lanes<4> for B {
    fn gather(self, bytes: &[u8], stride: usize, message: &mut Message<4>) {
        assert!(stride >= 64 && bytes.len() >= 3 * stride + 64, "a block for every lane");
        let rows: [&[[u8; 4]]; 4] = core::array::from_fn(|lane| bytes[lane * stride..][..64].as_chunks().0);
        for (i, words) in message.0.iter_mut().enumerate() {
            *words = rows.map(|row| u32::from_le_bytes(row[i]));
        }
    }

    fn pair(self, lower: &Digests<4>, upper: &Digests<4>, message: &mut Message<4>) {
        let (left, right) = message.0.split_at_mut(8);
        for i in 0..8 {
            let (a, b) = (lower.0[i], upper.0[i]);
            left[i] = [a[0], a[2], b[0], b[2]];
            right[i] = [a[1], a[3], b[1], b[3]];
        }
    }

    fn digests(self, slices: &Digests<4>, out: &mut [Digest; 4]) {
        for (lane, digest) in out.iter_mut().enumerate() {
            for (bytes, words) in digest.as_chunks_mut().0.iter_mut().zip(&slices.0) {
                *bytes = words[lane].to_le_bytes();
            }
        }
    }
}
