//! The sponge that hashes all chain ends of an epoch into a leaf (spec section 7).
#![forbid(unsafe_code)]

use super::lanes::Lanes;
use crate::fields::koala_bear::KoalaBear;
use crate::hashes::poseidon::{Engine, Version};

/// Words absorbed per permutation.
const RATE: usize = 15;

/// Words that input never touches.
pub(crate) const CAPACITY: usize = 9;

/// A sponge of width 24 in every lane.
///
/// Poseidon2 sets add the input to words 0..15 and keep the capacity in words 15..24; Poseidon1 sets keep it in words
/// 0..9 and overwrite words 9..24.
pub(crate) struct Sponge<'a, E: Engine> {
    lanes: &'a Lanes<E>,
    state: [E::Word; 24],
    absorbed: usize,
}

impl<'a, E: Engine> Sponge<'a, E> {
    /// An empty sponge with the parameter set's capacity value.
    pub(crate) fn new(lanes: &'a Lanes<E>, capacity: &[KoalaBear; CAPACITY]) -> Self {
        let mut state = [lanes.zero; 24];
        let at = match lanes.version {
            Version::Two => RATE,
            Version::One => 0,
        };
        for (word, &value) in state[at..].iter_mut().zip(capacity) {
            *word = lanes.engine.splat(value);
        }
        Self { lanes, state, absorbed: 0 }
    }

    /// Absorbs words, permuting whenever a block is full.
    pub(crate) fn absorb(&mut self, words: &[E::Word]) {
        for word in words {
            match self.lanes.version {
                Version::Two => {
                    self.state[self.absorbed] = self.lanes.engine.add(&self.state[self.absorbed], word);
                }
                Version::One => self.state[CAPACITY + self.absorbed] = *word,
            }
            self.absorbed += 1;
            if self.absorbed == RATE {
                self.permute();
            }
        }
    }

    /// Completes the last block with zeros and returns the first eight words of the rate. (Eight are always computed;
    /// sets with shorter hashes use fewer.)
    pub(crate) fn finish(mut self) -> [E::Word; 8] {
        if self.absorbed > 0 {
            if self.lanes.version == Version::One {
                self.state[CAPACITY + self.absorbed..].fill(self.lanes.zero);
            }
            self.permute();
        }
        let at = match self.lanes.version {
            Version::Two => 0,
            Version::One => CAPACITY,
        };
        core::array::from_fn(|i| self.state[at + i])
    }

    fn permute(&mut self) {
        self.lanes.engine.permute24(self.lanes.version, &mut self.state);
        self.absorbed = 0;
    }
}
