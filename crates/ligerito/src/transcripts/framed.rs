//! The transcript of suite `ligerito-v1`: framed operations, one stream, BLAKE3 in key-derivation mode.
//!
//! The stream D is what was done so far, every operation framed so that D can be read in one way only:
//! absorb: 01 || le32(length of label) || label || le64(length of data) || data; squeeze: 02 || le32(length of label)
//! || label || le64(n), and the answer is the first n bytes of BLAKE3(D). Output is not fed back; the frame of a
//! squeeze alone makes later output differ. Source: the specification of `ligerito-v1`, section 6 (docs/ligerito.md).
#![forbid(unsafe_code)]

use crate::binary::{ChallengeField, le_bytes};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// Bytes of an element of the largest field that challenges come from.
const MAX_CHALLENGE_LEN_BYTES: usize = 24;

/// What prover and verifier have said so far.
#[derive(Clone)]
pub struct Transcript {
    stream: blake3::Hasher,
    /// The end of the stream, which the hasher has not seen: it takes many blocks at once faster than one by one.
    unheard: Vec<u8>,
}

/// Bytes that are kept for the hasher.
const MAX_UNHEARD: usize = 1 << 14;

impl Transcript {
    /// Nothing said yet. `context` separates this use of BLAKE3 from every other.
    pub fn new(context: &str) -> Self {
        Self { stream: blake3::Hasher::new_derive_key(context), unheard: Vec::new() }
    }

    /// Appends one message of known length; `parts` are its pieces in order.
    pub fn absorb(&mut self, label: &str, parts: &[&[u8]]) {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        self.frame(1, label, len as u64);
        for part in parts {
            self.hear(part);
        }
    }

    /// Appends field elements as one message.
    pub(crate) fn absorb_elements<E: ChallengeField>(&mut self, label: &str, elements: &[E]) {
        self.absorb(label, &[&le_bytes(elements)]);
    }

    /// The next bytes that nobody could know before.
    pub fn squeeze(&mut self, label: &str, out: &mut [u8]) {
        self.frame(2, label, out.len() as u64);
        self.stream.update(&self.unheard).finalize_xof().fill(out);
        self.unheard.clear();
    }

    /// A challenge from all of the field.
    pub(crate) fn challenge<E: ChallengeField>(&mut self, label: &str) -> E {
        let mut bytes = [0; MAX_CHALLENGE_LEN_BYTES];
        let bytes = &mut bytes[..E::LEN_BYTES];
        self.squeeze(label, bytes);
        E::from_le_slice(bytes)
    }

    /// `count` different positions below 2^`log2_positions`, ascending, drawn without replacement.
    ///
    /// # Panics
    /// If there are fewer than `2 * count` positions: then drawing could last long.
    pub(crate) fn queries(&mut self, log2_positions: u32, count: usize) -> Vec<usize> {
        assert!(
            log2_positions <= 32 && count as u64 <= (1 << log2_positions) / 2,
            "at most half of the positions"
        );
        let mask = u32::try_from((1u64 << log2_positions) - 1).expect("at most 32 bits");
        let mut drawn = BTreeSet::new();
        let mut words = [0; 512];
        loop {
            self.squeeze("query", &mut words);
            for word in words.as_chunks().0 {
                drawn.insert(u32::from_le_bytes(*word) & mask);
                if drawn.len() == count {
                    return drawn.into_iter().map(|position| position as usize).collect();
                }
            }
        }
    }

    fn frame(&mut self, kind: u8, label: &str, len: u64) {
        let label_len = u32::try_from(label.len()).expect("labels are short");
        self.hear(&[kind]);
        self.hear(&label_len.to_le_bytes());
        self.hear(label.as_bytes());
        self.hear(&len.to_le_bytes());
    }

    fn hear(&mut self, bytes: &[u8]) {
        if self.unheard.len() + bytes.len() > MAX_UNHEARD {
            self.stream.update(&self.unheard);
            self.unheard.clear();
        }
        if bytes.len() > MAX_UNHEARD {
            self.stream.update(bytes);
        } else {
            self.unheard.extend_from_slice(bytes);
        }
    }
}
