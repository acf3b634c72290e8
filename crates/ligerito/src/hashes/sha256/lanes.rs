//! Rows side by side: SHA-256 of each, and BLAKE3 of the digests.

use super::kernel::{Compress, SwapBytes};
use crate::hashes::blake3::lanes::{Lanes, Leaf, Rows, digest_blocks, roots};
use crate::hashes::blake3::slices::{Digests, Message};
use crate::hashes::blake3::{Digest, Mode};

/// Leaves that are BLAKE3 of SHA-256 of `le32(prefix) || row`, of rows of whole words.
#[derive(Clone, Copy)]
struct Prefixed<B> {
    backend: B,
    prefix: u32,
}

/// See [`super::hash_rows`].
pub(super) fn hash_rows<const LANES: usize, B: Lanes<LANES>>(
    backend: B,
    prefix: u32,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    roots(backend, Prefixed { backend, prefix }, &Mode::UNKEYED, rows, row_len_bytes, height, nodes);
}

impl<const LANES: usize, B: Lanes<LANES>> Leaf<LANES> for Prefixed<B> {
    fn leaves<const STREAMS: usize>(self, rows: Rows<'_>, first: usize, out: &mut [Digests<LANES>; STREAMS]) {
        let mut messages = [Message::ZERO; STREAMS];
        for (stream, message) in messages.iter_mut().enumerate() {
            let state = self.digests(rows, first + stream * LANES);
            self.backend.enter(SwapBytes { from: &state, to: message });
        }
        digest_blocks(self.backend, &Mode::UNKEYED, &messages, 32, out);
    }
}

impl<B> Prefixed<B> {
    /// SHA-256 of `LANES` rows from `first` on.
    ///
    /// The prefix moves the row by a word, so the blocks of a message are the blocks of the row and the last word
    /// before. Behind the row come a set bit, zeros, and the length in bits (FIPS 180-4, section 5.1.1).
    fn digests<const LANES: usize>(self, rows: Rows<'_>, first: usize) -> Digests<LANES>
    where
        B: Lanes<LANES>,
    {
        let words = rows.len_bytes() / 4;
        let blocks = (words + 4).div_ceil(16);
        let bits = (rows.len_bytes() as u64 + 4) * 8;
        let mut state = Digests::ZERO;
        let mut before = [self.prefix; LANES];
        let mut message = Message::ZERO;
        for block in 0..blocks {
            if 16 * block < words {
                rows.load(self.backend, first, block, &mut message);
            } else {
                message = Message::ZERO;
            }
            if words / 16 == block {
                message.0[words % 16] = [0x80; LANES];
            }
            if block + 1 == blocks {
                let [high, low] = [bits >> 32, bits & 0xffff_ffff]
                    .map(|half| u32::try_from(half).expect("half of a number").swap_bytes());
                (message.0[13], message.0[14]) = ([high; LANES], [low; LANES]);
            }
            self.backend.enter(Compress {
                start: block == 0,
                state: &mut state,
                first: &before,
                rest: &message,
            });
            before = message.0[15];
        }
        state
    }
}
