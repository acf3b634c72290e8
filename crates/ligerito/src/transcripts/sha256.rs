//! The SHA-256 transcript of the published crate `ligerito` 0.8.0.
//!
//! The stream D begins with a seed of four bytes. An absorbed root or element is preceded by a tag without its own
//! length, and by its length as le64; bytes under a label likewise. The n-th squeeze appends n - 1 as le32 and gives
//! the first bytes of SHA-256(D); the digest is not fed back. The *raw* variant leaves out tags and lengths of roots
//! and elements.
#![forbid(unsafe_code)]

use phalanx_core::sha256::Sha256;
use phalanx_core::simd::Isa;

/// The stream so far.
#[derive(Clone)]
pub(crate) struct Stream {
    stream: Sha256,
    squeezed: u32,
    raw: bool,
}

impl Stream {
    pub(super) fn new(seed: i32, raw: bool) -> Self {
        let mut stream = Sha256::new(Isa::current());
        stream.update(&seed.to_le_bytes());
        Self { stream, squeezed: 0, raw }
    }

    /// Appends a root or elements under their tag.
    pub(super) fn absorb_tagged(&mut self, tag: &str, data: &[u8]) {
        if self.raw {
            self.stream.update(data);
        } else {
            self.absorb(tag, data);
        }
    }

    /// Appends label, length and data.
    pub(super) fn absorb(&mut self, label: &str, data: &[u8]) {
        self.stream.update(label.as_bytes());
        self.stream.update(&(data.len() as u64).to_le_bytes());
        self.stream.update(data);
    }

    /// # Panics
    /// If more than a digest is asked for.
    pub(super) fn squeeze(&mut self, out: &mut [u8]) {
        self.stream.update(&self.squeezed.to_le_bytes());
        self.squeezed = self.squeezed.wrapping_add(1);
        let digest = self.stream.clone().finalize();
        out.copy_from_slice(&digest[..out.len()]);
    }
}
