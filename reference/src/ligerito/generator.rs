//! What the vectors of sums, and tests, are drawn by.

use super::Large;

/// xorshift64, with its state.
pub struct Generator(pub u64);

impl Generator {
    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// As many words as an element has, the first on top.
    pub fn element<N: Large>(&mut self) -> N {
        let mut words: Vec<u64> = (0..N::FIELD.bytes() / 8).map(|_| self.word()).collect();
        words.reverse();
        N::of_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// So many elements.
    pub fn elements<N: Large>(&mut self, count: usize) -> Vec<N> {
        (0..count).map(|_| self.element()).collect()
    }
}
