//! The transcripts of the published crate `ligerito` 0.8.0, behind the operations that its protocol uses.
#![forbid(unsafe_code)]

use super::{merlin, sha256};
use crate::binary::{BinaryField, Gf128};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// What prover and verifier have said so far.
#[derive(Clone)]
pub(crate) enum Published {
    /// One stream under SHA-256.
    Sha256(sha256::Stream),
    /// Merlin version 3, on STROBE-128.
    Merlin(merlin::Stream),
}

impl Published {
    /// SHA-256, from a seed. `raw`: roots and elements without tags and lengths.
    pub(crate) fn sha256(seed: i32, raw: bool) -> Self {
        Self::Sha256(sha256::Stream::new(seed, raw))
    }

    /// Merlin.
    pub(crate) fn merlin() -> Self {
        Self::Merlin(merlin::Stream::new())
    }

    /// Appends a root.
    pub(crate) fn absorb_root(&mut self, root: &[u8; 32]) {
        self.absorb_tagged("merkle_root", root);
    }

    /// Appends one element.
    pub(crate) fn absorb_element<F: BinaryField>(&mut self, element: F) {
        let mut bytes = Vec::with_capacity(F::LEN_BYTES);
        element.put(&mut bytes);
        self.absorb_tagged("field_element", &bytes);
    }

    /// Appends elements as one message.
    pub(crate) fn absorb_elements<F: BinaryField>(&mut self, elements: &[F]) {
        let mut bytes = Vec::with_capacity(elements.len() * F::LEN_BYTES);
        elements.iter().for_each(|element| element.put(&mut bytes));
        self.absorb_tagged("field_elements", &bytes);
    }

    /// Appends bytes. Merlin does not hear the label.
    pub(crate) fn absorb_bytes(&mut self, label: &str, data: &[u8]) {
        match self {
            Self::Sha256(stream) => stream.absorb(label, data),
            Self::Merlin(stream) => stream.absorb(data),
        }
    }

    /// The bytes of a challenge of at most 32 bytes.
    pub(crate) fn challenge_bytes<const N: usize>(&mut self) -> [u8; N] {
        self.squeeze("challenge")
    }

    /// A challenge from all of GF(2^128).
    pub(crate) fn challenge(&mut self) -> Gf128 {
        Gf128::from_le_bytes(self.challenge_bytes())
    }

    /// A position below `positions`.
    ///
    /// # Panics
    /// If there are none.
    pub(crate) fn query(&mut self, positions: u64) -> u64 {
        u64::from_le_bytes(self.squeeze("query")) % positions
    }

    /// `count` different positions below `positions`, or all if there are fewer; ascending.
    pub(crate) fn queries(&mut self, positions: u64, count: usize) -> Vec<usize> {
        let count = count.min(usize::try_from(positions).unwrap_or(usize::MAX));
        let mut drawn = BTreeSet::new();
        while drawn.len() < count {
            drawn.insert(self.query(positions));
        }
        drawn.into_iter().map(|position| usize::try_from(position).expect("a row of a matrix")).collect()
    }

    fn absorb_tagged(&mut self, tag: &'static str, data: &[u8]) {
        match self {
            Self::Sha256(stream) => stream.absorb_tagged(tag, data),
            Self::Merlin(stream) => stream.absorb_tagged(tag, data),
        }
    }

    fn squeeze<const N: usize>(&mut self, label: &'static str) -> [u8; N] {
        let mut out = [0; N];
        match self {
            Self::Sha256(stream) => stream.squeeze(&mut out),
            Self::Merlin(stream) => stream.squeeze(label, &mut out),
        }
        out
    }
}
