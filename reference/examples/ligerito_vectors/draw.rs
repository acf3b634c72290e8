//! The generator, and values as they stand in the files.

use phalanx_reference::ligerito::{E, Field, T, U192};

/// xorshift64.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// An element of T: the low half of a word.
    pub(crate) fn small(&mut self) -> u32 {
        u32::try_from(self.word() & 0xffff_ffff).expect("32 bits")
    }

    /// An element of GF(2^192): three words, the first on top.
    pub(crate) fn large(&mut self) -> U192 {
        let [high, middle, low] = [self.word(), self.word(), self.word()];
        U192([low, middle, high])
    }

    pub(crate) fn element(&mut self, field: Field) -> U192 {
        if field == T { U192::from(u64::from(self.small())) } else { self.large() }
    }

    pub(crate) fn elements(&mut self, field: Field, count: usize) -> Vec<U192> {
        (0..count).map(|_| self.element(field)).collect()
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.word().to_le_bytes()[0]).collect()
    }
}

/// Big-endian digits of the integer, as many as the field has.
pub(crate) fn digits(field: Field, element: U192) -> String {
    let mut bytes = field.to_bytes(element);
    bytes.reverse();
    hex::encode(bytes)
}

/// Digits of an element of GF(2^192).
pub(crate) fn large(element: U192) -> String {
    digits(E, element)
}

/// A list of them.
pub(crate) fn list(field: Field, elements: &[U192]) -> Vec<String> {
    elements.iter().map(|&element| digits(field, element)).collect()
}
