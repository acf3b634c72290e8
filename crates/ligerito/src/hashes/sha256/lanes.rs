//! Rows side by side: SHA-256 of each, and BLAKE3 of the digests.

use crate::hashes::blake3::Mode;
use crate::hashes::blake3::lanes::{self, Digests, Leaf, Message, Rows};

/// A backend that takes one block of each of `LANES` messages at a time.
///
/// Words are those of [`lanes::Lanes::gather`], least significant byte first; SHA-256 reads them the other way round, which
/// is the backend's work.
pub(super) trait Compress<const LANES: usize>: lanes::Lanes<LANES> {
    /// The state after one block: the word `first` and fifteen words of `rest`. Before it, it is the initial one for
    /// `start`, else `state`.
    fn block(self, start: bool, state: &mut Digests<LANES>, first: &[u32; LANES], rest: &Message<LANES>);

    /// The eight words of the digests as words of a message, which BLAKE3 reads the least significant byte first.
    fn digest_words(self, state: &Digests<LANES>, message: &mut Message<LANES>);
}

/// Leaves that are BLAKE3 of SHA-256 of `le32(prefix) || row`, of rows of whole words.
#[derive(Clone, Copy)]
pub(super) struct Prefixed<B> {
    pub(super) backend: B,
    pub(super) prefix: u32,
}

impl<const LANES: usize, B: Compress<LANES>> Leaf<LANES> for Prefixed<B> {
    fn leaves<const STREAMS: usize>(self, rows: Rows<'_>, first: usize, out: &mut [Digests<LANES>; STREAMS]) {
        let mut messages = [Message::ZERO; STREAMS];
        for (stream, message) in messages.iter_mut().enumerate() {
            let state = self.digests(rows, first + stream * LANES);
            self.backend.digest_words(&state, message);
        }
        lanes::digest_blocks(self.backend, &Mode::UNKEYED, &messages, 32, out);
    }
}

impl<B> Prefixed<B> {
    /// SHA-256 of `LANES` rows from `first` on.
    ///
    /// The prefix moves the row by a word, so the blocks of a message are the blocks of the row and the last word before.
    /// Behind the row come a set bit, zeros, and the length in bits (FIPS 180-4, section 5.1.1).
    fn digests<const LANES: usize>(self, rows: Rows<'_>, first: usize) -> Digests<LANES>
    where
        B: Compress<LANES>,
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
            self.backend.block(block == 0, &mut state, &before, &message);
            before = message.0[15];
        }
        state
    }
}
