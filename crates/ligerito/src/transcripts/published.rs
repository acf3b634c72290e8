//! The transcripts of the published crate `ligerito` 0.8.0, behind the operations that its protocol uses.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::Gf32;
    use serde_json::Value;

    fn text(value: &Value) -> &str {
        value.as_str().expect("a string")
    }

    fn large(value: &Value) -> Gf128 {
        Gf128(u128::from_str_radix(text(value), 16).expect("digits"))
    }

    fn small(value: &Value) -> Gf32 {
        Gf32(u32::from_str_radix(text(value), 16).expect("digits"))
    }

    /// A fixed script on every variant; 20 of 8 positions are all of them.
    #[test]
    fn script_of_the_vectors() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/ligerito/transcript.json");
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors are there"))
                .expect("JSON");
        let cases = file.as_array().expect("a list");
        assert_eq!(cases.len(), 4);
        for case in cases {
            assert_eq!(case["script"].as_array().expect("a list").len(), 13, "the script below");
            let mut transcript = match text(&case["transcript"]) {
                "sha256_seed1234" => Published::sha256(1234, false),
                "sha256_seed0" => Published::sha256(0, false),
                "sha256_raw_seed1234" => Published::sha256(1234, true),
                "merlin" => Published::merlin(),
                other => panic!("transcript {other}"),
            };
            let list = |key: &str| case[key].as_array().expect("a list").as_slice();
            assert_eq!(transcript.challenge(), large(&case["c0"]));
            let root = hex::decode(text(&case["root"])).expect("digits").try_into().expect("32 bytes");
            transcript.absorb_root(&root);
            assert_eq!(transcript.challenge(), large(&case["c1"]));
            assert_eq!(u32::from_le_bytes(transcript.challenge_bytes()), small(&case["c2"]).0);
            transcript.absorb_element(large(&case["e128"]));
            transcript.absorb_elements(&list("es").iter().map(small).collect::<Vec<_>>());
            transcript.absorb_elements(&list("ev").iter().map(large).collect::<Vec<_>>());
            transcript.absorb_bytes("label", b"some data");
            assert_eq!(transcript.challenge(), large(&case["c3"]));
            assert_eq!(serde_json::json!(transcript.query(1000)), case["q1"]);
            assert_eq!(serde_json::json!(transcript.queries(256, 20)), case["q"]);
            assert_eq!(serde_json::json!(transcript.queries(8, 20)), case["q2"]);
            assert_eq!(transcript.challenge(), large(&case["c4"]));
        }
    }
}
