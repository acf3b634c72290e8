//! The transcripts, operation by operation.

#[cfg(feature = "ref-v08")]
use super::fields::{Element, Field};
#[cfg(feature = "ref-v08")]
use crate::binary::{Gf16, Gf32, Gf128};
use crate::suite;
use crate::transcripts;
use alloc::vec;
use alloc::vec::Vec;

/// The transcript of our own suites.
#[derive(Clone)]
pub struct Framed(transcripts::Transcript);

impl Default for Framed {
    fn default() -> Self {
        Self::new()
    }
}

impl Framed {
    /// Nothing said yet.
    #[must_use]
    pub fn new() -> Self {
        Self(transcripts::Transcript::new(suite::PROVABLE100.transcript_context))
    }

    /// Nothing said yet, in the suite of 128 bits.
    #[must_use]
    pub fn provable128() -> Self {
        Self(transcripts::Transcript::new(suite::PROVABLE128.transcript_context))
    }

    /// Nothing said yet, in the suite up to the Johnson radius.
    #[must_use]
    pub fn johnson128() -> Self {
        Self(transcripts::Transcript::new(suite::JOHNSON128.transcript_context))
    }

    /// Appends a message under a label.
    pub fn absorb(&mut self, label: &str, data: &[u8]) {
        self.0.absorb(label, &[data]);
    }

    /// The next `len` bytes under a label.
    pub fn squeeze(&mut self, label: &str, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.0.squeeze(label, &mut out);
        out
    }

    /// `count` different positions below 2^`log2_positions`, ascending; `None` if that is more than half of them.
    pub fn queries(&mut self, log2_positions: u32, count: usize) -> Option<Vec<usize>> {
        let few = log2_positions <= 32 && count as u64 <= (1 << log2_positions) / 2 && count > 0;
        few.then(|| self.0.queries(log2_positions, count))
    }
}

/// A transcript of the published crate.
#[cfg(feature = "ref-v08")]
#[derive(Clone)]
pub struct Published(transcripts::Published);

#[cfg(feature = "ref-v08")]
impl Published {
    /// SHA-256 from a seed; proofs begin with 1234.
    #[must_use]
    pub fn sha256(seed: i32) -> Self {
        Self(transcripts::Published::sha256(seed, false))
    }

    /// SHA-256 from a seed, without tags and lengths of roots and elements.
    #[must_use]
    pub fn sha256_raw(seed: i32) -> Self {
        Self(transcripts::Published::sha256(seed, true))
    }

    /// Merlin, with the label that proofs begin with.
    #[must_use]
    pub fn merlin() -> Self {
        Self(transcripts::Published::merlin())
    }

    /// Appends a root.
    pub fn absorb_root(&mut self, root: &[u8; 32]) {
        self.0.absorb_root(root);
    }

    /// Appends an element; `None` if the integer has more bits than the field.
    pub fn absorb_element(&mut self, field: Field, element: u128) -> Option<()> {
        match field {
            Field::Gf16 => self.0.absorb_element(Gf16::element(element)?),
            Field::Gf32 => self.0.absorb_element(Gf32::element(element)?),
            Field::Gf128 => self.0.absorb_element(Gf128::element(element)?),
        }
        Some(())
    }

    /// Appends elements as one message; `None` if an integer has more bits than the field.
    pub fn absorb_elements(&mut self, field: Field, elements: &[u128]) -> Option<()> {
        fn all<F: Element>(elements: &[u128]) -> Option<Vec<F>> {
            elements.iter().map(|x| F::element(*x)).collect()
        }
        match field {
            Field::Gf16 => self.0.absorb_elements::<Gf16>(&all(elements)?),
            Field::Gf32 => self.0.absorb_elements::<Gf32>(&all(elements)?),
            Field::Gf128 => self.0.absorb_elements::<Gf128>(&all(elements)?),
        }
        Some(())
    }

    /// Appends bytes under a label, which Merlin does not hear.
    pub fn absorb_bytes(&mut self, label: &str, data: &[u8]) {
        self.0.absorb_bytes(label, data);
    }

    /// A challenge.
    pub fn challenge(&mut self, field: Field) -> u128 {
        match field {
            Field::Gf16 => u16::from_le_bytes(self.0.challenge_bytes()).into(),
            Field::Gf32 => u32::from_le_bytes(self.0.challenge_bytes()).into(),
            Field::Gf128 => u128::from_le_bytes(self.0.challenge_bytes()),
        }
    }

    /// A position below `positions`; `None` if there are none.
    pub fn query(&mut self, positions: u64) -> Option<u64> {
        (positions > 0).then(|| self.0.query(positions))
    }

    /// `count` different positions below `positions`, or all if there are fewer; ascending.
    pub fn queries(&mut self, positions: u64, count: usize) -> Vec<usize> {
        self.0.queries(positions, count)
    }
}
