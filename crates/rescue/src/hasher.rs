//! The hash of bytes that come in pieces.
#![forbid(unsafe_code)]

use crate::digest::Digest;
use crate::error::Error;
use crate::function::Function;
use crate::permutation::permute_many;
use crate::sponge::{Bytes, MAX_RATE, MAX_WIDTH, Message, WORD_BYTES};
use phalanx_core::simd::Isa;

/// Hashes bytes that come in pieces, of a length known before: these functions absorb the length first. Takes the same
/// memory whatever the length. For public data.
///
/// ```
/// use phalanx_rescue::{Function, Hasher};
///
/// # fn main() -> Result<(), phalanx_rescue::Error> {
/// let mut hasher = Hasher::new(Function::Rp64_256, 21)?;
/// hasher.update(b"seven bytes");
/// hasher.update(b" at a time");
/// assert_eq!(hasher.finalize()?, Function::Rp64_256.hash(b"seven bytes at a time")?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Hasher {
    function: Function,
    isa: Isa,
    state: [u64; MAX_WIDTH],
    /// The bytes of the block to come.
    pending: [u8; WORD_BYTES * MAX_RATE],
    /// How many they are.
    filled: usize,
    got: u64,
    wanted: u64,
    terminated: bool,
}

impl Hasher {
    /// For `len_bytes` bytes: gives what [`Function::hash`] gives.
    ///
    /// # Errors
    /// [`Error::UndefinedLength`] where the reference panics: Rp64_256, above 56 bytes, no multiple of 7.
    pub fn new(function: Function, len_bytes: u64) -> Result<Self, Error> {
        Ok(Self::start(function, len_bytes, function.terminated(len_bytes)?))
    }

    /// For `len_bytes` bytes: gives what [`Function::hash_padded`] gives.
    #[must_use]
    pub fn new_padded(function: Function, len_bytes: u64) -> Self {
        Self::start(function, len_bytes, true)
    }

    fn start(function: Function, wanted: u64, terminated: bool) -> Self {
        let state = function.permutation().start(wanted.div_ceil(WORD_BYTES as u64), true, 0);
        let pending = [0; WORD_BYTES * MAX_RATE];
        Self { function, isa: Isa::current(), state, pending, filled: 0, got: 0, wanted, terminated }
    }

    /// Takes the next bytes. Those beyond the length announced are counted only, for the error.
    pub fn update(&mut self, mut bytes: &[u8]) {
        let block_bytes = WORD_BYTES * self.function.permutation().rate();
        let surplus = (bytes.len() as u64).saturating_sub(self.wanted.saturating_sub(self.got));
        self.got = self.got.saturating_add(bytes.len() as u64);
        if surplus > 0 {
            // At most the length of `bytes`.
            bytes = &bytes[..bytes.len() - usize::try_from(surplus).unwrap_or(bytes.len())];
        }
        while !bytes.is_empty() {
            let (taken, rest) = bytes.split_at(bytes.len().min(block_bytes - self.filled));
            self.pending[self.filled..][..taken.len()].copy_from_slice(taken);
            self.filled += taken.len();
            bytes = rest;
            if self.filled == block_bytes {
                // The last block, if nothing follows.
                self.absorb(bytes.is_empty() && self.got >= self.wanted);
            }
        }
    }

    /// The digest.
    ///
    /// # Errors
    /// [`Error::Length`] if fewer or more bytes came than were announced.
    pub fn finalize(mut self) -> Result<Digest, Error> {
        if self.got != self.wanted {
            return Err(Error::Length { got: self.got, wanted: self.wanted });
        }
        if self.wanted == 0 {
            return Ok(Digest::default());
        }
        if self.filled > 0 {
            self.absorb(true);
        }
        Ok(self.function.permutation().squeeze(&self.state))
    }

    /// Absorbs what is pending and permutes.
    fn absorb(&mut self, last: bool) {
        let permutation = self.function.permutation();
        let block = Bytes { bytes: &self.pending[..self.filled], terminated: self.terminated && last };
        let mut words = [0; MAX_RATE];
        let words = &mut words[..block.len()];
        block.read(0, words);
        let state = &mut self.state[..permutation.width()];
        permutation.absorb(self.isa, state, words);
        permute_many(self.isa, permutation, state);
        self.filled = 0;
    }
}

impl core::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hasher")
            .field("function", &self.function)
            .field("got", &self.got)
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}
