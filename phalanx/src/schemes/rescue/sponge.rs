//! The three sponge modes: what is in the state before the first block, how a block enters, where the digest is.

use super::Digest;
use crate::hashes::rescue::Permutation;

/// The largest state.
pub(super) const MAX_WIDTH: usize = 12;

/// Words to be hashed.
#[derive(Clone, Copy)]
pub(super) enum Input<'a> {
    /// Field elements, as they are.
    Elements(&'a [u64]),
    /// Bytes, seven to a word, little-endian.
    Bytes {
        bytes: &'a [u8],
        /// Whether a byte 1 follows the last byte in the last word.
        terminated: bool,
    },
}

impl Input<'_> {
    /// The number of words.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Elements(elements) => elements.len(),
            Self::Bytes { bytes, .. } => bytes.len().div_ceil(7),
        }
    }

    /// Word `index`.
    fn word(&self, index: usize) -> u64 {
        match self {
            Self::Elements(elements) => elements[index],
            Self::Bytes { bytes, terminated } => {
                let chunk = &bytes[7 * index..bytes.len().min(7 * index + 7)];
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                if *terminated && 7 * index + chunk.len() == bytes.len() {
                    word[chunk.len()] = 1;
                }
                u64::from_le_bytes(word)
            }
        }
    }
}

impl Permutation {
    /// Words absorbed by one permutation.
    pub(super) const fn rate(self) -> usize {
        match self {
            Self::Jive => 4,
            Self::Rp64 | Self::Rpo | Self::Rpx => 8,
        }
    }

    /// Permutations that hashing `input` takes.
    pub(super) fn blocks(self, input: &Input<'_>) -> usize {
        input.len().div_ceil(self.rate())
    }

    /// The state before the first block; the words above the width are not used.
    pub(super) fn start(self, input: &Input<'_>, domain: u64) -> [u64; MAX_WIDTH] {
        let (mut state, len) = ([0; MAX_WIDTH], input.len() as u64);
        match self {
            Self::Rp64 => state[0] = len,
            Self::Jive => state[0] = u64::from(!len.is_multiple_of(4)),
            Self::Rpo | Self::Rpx => {
                // Bytes and elements are told apart.
                state[8] = len % 8 + if matches!(input, Input::Bytes { .. }) { 8 } else { 0 };
                state[9] = domain;
            }
        }
        state
    }

    /// Brings block `block` of `input` into `state`. A permutation follows.
    pub(super) fn absorb(self, state: &mut [u64], input: &Input<'_>, block: usize) {
        let first = block * self.rate();
        let count = (input.len() - first).min(self.rate());
        match self {
            Self::Rp64 | Self::Jive => {
                for i in 0..count {
                    state[4 + i] = crate::fields::goldilocks::add(state[4 + i], input.word(first + i));
                }
                if self == Self::Jive && count < 4 {
                    // Overwritten, not added.
                    state[4 + count] = 1;
                    state[4 + count + 1..].fill(0);
                }
            }
            Self::Rpo | Self::Rpx => {
                for (i, word) in state[..8].iter_mut().enumerate() {
                    *word = if i < count { input.word(first + i) } else { 0 };
                }
            }
        }
    }

    /// The digest in a state that has been permuted, or that no block has entered.
    pub(super) fn squeeze(self, state: &[u64]) -> Digest {
        let at = match self {
            Self::Rp64 | Self::Jive => 4,
            Self::Rpo | Self::Rpx => 0,
        };
        Digest::from_elements(core::array::from_fn(|i| state[at + i]))
    }
}
