//! The transcript: one byte stream, hashed anew for every challenge (spec section 6).

use std::collections::BTreeSet;
use std::marker::PhantomData;

use super::field::{Large, large_bytes};
use super::shape::Shape;
use super::tree::Digest;

/// A label and what was squeezed under it.
pub type Squeeze = (String, Vec<u8>);

/// The stream `D`, and every squeeze so far, in the suite of `N`.
#[derive(Clone, Debug)]
pub struct Transcript<N> {
    /// The hash is that of this suite.
    suite: &'static str,
    /// `D`.
    pub stream: Vec<u8>,
    /// For comparison with the vectors.
    pub squeezes: Vec<Squeeze>,
    /// A label that a broken transcript does not hear; `None` in a whole one.
    deaf_to: Option<&'static str>,
    large: PhantomData<N>,
}

impl<N: Large> Default for Transcript<N> {
    fn default() -> Transcript<N> {
        Transcript::of_suite(N::PRODUCTION)
    }
}

impl<N: Large> Transcript<N> {
    /// An empty one whose hash is that of another suite over the same field.
    pub fn of_suite(suite: &'static str) -> Transcript<N> {
        Transcript { suite, stream: Vec::new(), squeezes: Vec::new(), deaf_to: None, large: PhantomData }
    }

    /// A broken transcript, which does not hear what is absorbed under one label; a whole one for `None`.
    pub fn deaf_to(label: Option<&'static str>) -> Transcript<N> {
        Transcript { deaf_to: label, ..Transcript::default() }
    }

    /// The common start of both sides: binds the statement, returns gamma.
    pub fn start<'a>(
        &mut self,
        shape: &Shape<N>,
        root: &Digest,
        claims: impl ExactSizeIterator<Item = (&'a Vec<N>, N)>,
        ctx: &[u8],
    ) -> N {
        self.absorb("suite", shape.suite().as_bytes());
        self.absorb("ctx", ctx);
        self.absorb("params", &shape.params_bytes());
        self.absorb("root0", root);
        self.absorb("claims", &(claims.len() as u64).to_le_bytes());
        for (point, value) in claims {
            self.absorb("point", &large_bytes(point));
            self.absorb("value", &large_bytes(&[value]));
        }
        self.challenge("gamma")
    }

    /// Binds `data` under `label`.
    pub fn absorb(&mut self, label: &str, data: &[u8]) {
        if self.deaf_to == Some(label) {
            return;
        }
        self.frame(1, label, data.len());
        self.stream.extend(data);
    }

    /// `len` bytes that depend on everything before.
    pub fn squeeze(&mut self, label: &str, len: usize) -> Vec<u8> {
        self.frame(2, label, len);
        let mut output = vec![0; len];
        let mut hasher = blake3::Hasher::new_derive_key(&format!("{} transcript", self.suite));
        hasher.update(&self.stream).finalize_xof().fill(&mut output);
        self.squeezes.push((label.to_string(), output.clone()));
        output
    }

    fn frame(&mut self, kind: u8, label: &str, len: usize) {
        let label_len = u32::try_from(label.len()).expect("labels are short");
        self.stream.push(kind);
        self.stream.extend(label_len.to_le_bytes());
        self.stream.extend(label.as_bytes());
        self.stream.extend((len as u64).to_le_bytes());
    }

    /// An element of the large field, any of them.
    pub fn challenge(&mut self, label: &str) -> N {
        N::of_le(&self.squeeze(label, N::FIELD.bytes()))
    }

    /// `count` distinct positions below `2^log_len`, ascending. Needs `count <= 2^log_len`, or it never ends.
    pub fn queries(&mut self, log_len: u8, count: u16) -> Vec<u64> {
        let mut set = BTreeSet::new();
        loop {
            for word in self.squeeze("query", 512).chunks_exact(4) {
                let word = u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                set.insert(word & ((1 << log_len) - 1));
                if set.len() == usize::from(count) {
                    return set.into_iter().collect();
                }
            }
        }
    }
}

/// The proof-of-work hash: the first eight bytes as a little-endian integer.
pub fn pow<N: Large>(seed: &[u8], nonce: u64) -> u64 {
    let context = format!("{} pow", N::PRODUCTION);
    let hash = blake3::derive_key(&context, &[seed, &nonce.to_le_bytes()].concat());
    u64::from_le_bytes(hash[..8].try_into().expect("eight bytes of 32"))
}
