//! What the vectors of sums are drawn by, and elements of the large fields as they stand in the files.

use phalanx_reference::ligerito::{Large, large_bytes};

/// xorshift64.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// As many words as an element has, the first on top.
    pub(crate) fn element<N: Large>(&mut self) -> N {
        let mut words: Vec<u64> = (0..N::FIELD.bytes() / 8).map(|_| self.word()).collect();
        words.reverse();
        N::of_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }
}

/// Big-endian digits of an element, as many as the field has.
pub(crate) fn digits<N: Large>(element: N) -> String {
    let mut bytes = large_bytes(&[element]);
    bytes.reverse();
    hex::encode(bytes)
}

/// A list of them.
pub(crate) fn list<N: Large>(elements: &[N]) -> Vec<String> {
    elements.iter().map(|&element| digits(element)).collect()
}
