//! The three sponge modes: what is in the state before the first block, how a block enters, where the digest is.
#![forbid(unsafe_code)]

use crate::digest::Digest;
use crate::goldilocks::{EPSILON, add};
use crate::permutation::{Permutation, permute_many, permute_secret};
use phalanx_core::simd::Isa;

/// The largest state.
pub(super) const MAX_WIDTH: usize = 12;

/// The largest rate.
pub(super) const MAX_RATE: usize = 8;

/// Bytes in a word of a byte string: one fewer than in an element, so that every word is below p.
pub(super) const WORD_BYTES: usize = 7;

/// Words to be hashed.
pub(super) trait Message {
    /// Whether the words come from bytes: RPO and RPX tell those from elements.
    const BYTES: bool;

    /// The number of words.
    fn len(&self) -> usize;

    /// The words from `first` on, as many as `words` holds.
    fn read(&self, first: usize, words: &mut [u64]);
}

/// Field elements, as they are.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a>(pub(super) &'a [u64]);

impl Message for Elements<'_> {
    const BYTES: bool = false;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn read(&self, first: usize, words: &mut [u64]) {
        words.copy_from_slice(&self.0[first..first + words.len()]);
    }
}

/// Digests, one after the other: four elements each.
#[derive(Clone, Copy)]
pub(super) struct Digests<'a>(pub(super) &'a [Digest]);

impl Message for Digests<'_> {
    const BYTES: bool = false;

    fn len(&self) -> usize {
        4 * self.0.len()
    }

    fn read(&self, first: usize, words: &mut [u64]) {
        for (i, word) in words.iter_mut().enumerate() {
            *word = self.0[(first + i) / 4].to_elements()[(first + i) % 4];
        }
    }
}

/// Bytes, seven to a word, little-endian.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether a byte 1 follows the last byte in the last word.
    pub(super) terminated: bool,
}

impl Message for Bytes<'_> {
    const BYTES: bool = true;

    fn len(&self) -> usize {
        self.bytes.len().div_ceil(WORD_BYTES)
    }

    fn read(&self, first: usize, words: &mut [u64]) {
        for (chunk, word) in self.bytes[WORD_BYTES * first..].chunks(WORD_BYTES).zip(words.iter_mut()) {
            *word = from_bytes(chunk);
        }
        // Here if these words are the last ones.
        let last = self.len() - 1;
        if self.terminated && first + words.len() > last {
            let len_bytes = self.bytes.len() - WORD_BYTES * last;
            words[last - first] |= 1 << (8 * len_bytes);
        }
    }
}

/// At most seven bytes as an integer.
fn from_bytes(chunk: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..chunk.len()].copy_from_slice(chunk);
    u64::from_le_bytes(word)
}

/// What a sponge is run with.
pub(super) trait Run: Copy {
    /// Permutes states.
    fn permute(self, permutation: Permutation, words: &mut [u64]);
    /// a + b.
    fn add(self, a: u64, b: u64) -> u64;
}

/// Public data: the kernels of an instruction set, and branches where they are rarely taken.
impl Run for Isa {
    fn permute(self, permutation: Permutation, words: &mut [u64]) {
        permute_many(self, permutation, words);
    }

    #[inline(always)]
    fn add(self, a: u64, b: u64) -> u64 {
        add(a, b)
    }
}

/// Secret data: no branches.
#[derive(Clone, Copy)]
pub(super) struct Secretly;

impl Run for Secretly {
    fn permute(self, permutation: Permutation, words: &mut [u64]) {
        permute_secret(permutation, words);
    }

    /// The black boxes keep the masks: without them the compiler branches on the carries, as the constant-time test shows.
    #[inline(always)]
    fn add(self, a: u64, b: u64) -> u64 {
        let mask = |carry: bool| core::hint::black_box(u64::from(carry).wrapping_neg()) & EPSILON;
        let (sum, carry) = a.overflowing_add(b);
        let (sum, again) = sum.overflowing_add(mask(carry));
        sum.wrapping_add(mask(again))
    }
}

impl Permutation {
    /// Words absorbed by one permutation.
    pub(super) const fn rate(self) -> usize {
        match self {
            Self::Jive => 4,
            Self::Rp64 | Self::Rpo | Self::Rpx => MAX_RATE,
        }
    }

    /// The state before the first block of `len` words; the words above the width are not used.
    pub(super) fn start(self, len: u64, bytes: bool, domain: u64) -> [u64; MAX_WIDTH] {
        let mut state = [0; MAX_WIDTH];
        match self {
            Self::Rp64 => state[0] = len,
            Self::Jive => state[0] = u64::from(!len.is_multiple_of(4)),
            Self::Rpo | Self::Rpx => {
                state[8] = len % 8 + if bytes { 8 } else { 0 };
                state[9] = domain;
            }
        }
        state
    }

    /// Brings a block into `state`: as many words as the rate, or fewer at the end. A permutation follows.
    pub(super) fn absorb(self, run: impl Run, state: &mut [u64], words: &[u64]) {
        match self {
            Self::Rp64 | Self::Jive => {
                for (state, word) in state[4..].iter_mut().zip(words) {
                    *state = run.add(*state, *word);
                }
                if self == Self::Jive && words.len() < 4 {
                    // Overwritten, not added.
                    state[4 + words.len()] = 1;
                    state[5 + words.len()..].fill(0);
                }
            }
            Self::Rpo | Self::Rpx => {
                state[..words.len()].copy_from_slice(words);
                state[words.len()..MAX_RATE].fill(0);
            }
        }
    }

    /// The digest in a state that has been permuted.
    pub(super) fn squeeze(self, state: &[u64]) -> Digest {
        let at = match self {
            Self::Rp64 | Self::Jive => 4,
            Self::Rpo | Self::Rpx => 0,
        };
        Digest::from_elements([state[at], state[at + 1], state[at + 2], state[at + 3]])
    }

    /// Hashes one message in the caller's memory, which holds traces of it afterwards.
    pub(super) fn hash<M: Message>(
        self,
        message: &M,
        domain: u64,
        state: &mut [u64; MAX_WIDTH],
        words: &mut [u64; MAX_RATE],
        run: impl Run,
    ) -> Digest {
        let len = message.len();
        if len == 0 {
            // No permutation, and zeros whatever the capacity would hold.
            return Digest::default();
        }
        *state = self.start(len as u64, M::BYTES, domain);
        let state = &mut state[..self.width()];
        for first in (0..len).step_by(self.rate()) {
            let words = &mut words[..self.rate().min(len - first)];
            message.read(first, words);
            self.absorb(run, state, words);
            run.permute(self, state);
        }
        self.squeeze(state)
    }

    // ---- eight words by one permutation ----

    /// The state in which the eight words `x` are compressed: of the sponge on the first `len` of them, or Jive's.
    pub(super) fn load(self, state: &mut [u64], x: &[u64; 8], len: u64, domain: u64) {
        match self {
            Self::Rp64 => {
                state[..4].copy_from_slice(&[len, 0, 0, 0]);
                state[4..].copy_from_slice(x);
            }
            Self::Jive => state.copy_from_slice(x),
            Self::Rpo | Self::Rpx => {
                state[..8].copy_from_slice(x);
                state[8..].copy_from_slice(&[len % 8, domain, 0, 0]);
            }
        }
    }

    /// The digest of the eight words `x` once the state has been permuted.
    pub(super) fn unload(self, run: impl Run, y: &[u64], x: &[u64; 8]) -> Digest {
        if self == Self::Jive {
            let mut elements = [0; 4];
            for (i, element) in elements.iter_mut().enumerate() {
                *element = run.add(run.add(x[i], x[i + 4]), run.add(y[i], y[i + 4]));
            }
            Digest::from_elements(elements)
        } else {
            self.squeeze(y)
        }
    }

    /// One compression in the caller's memory, which holds traces of it afterwards.
    pub(super) fn compress(
        self,
        x: &[u64; 8],
        (len, domain): (u64, u64),
        state: &mut [u64; MAX_WIDTH],
        run: impl Run,
    ) -> Digest {
        let state = &mut state[..self.width()];
        self.load(state, x, len, domain);
        run.permute(self, state);
        self.unload(run, state, x)
    }
}
