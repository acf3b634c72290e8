//! SHA-256 (FIPS 180-4): one message at a time, by the CPU's own instructions where it has them. Many side by side go
//! through the same [`kernel`] in lanes, beside what they are hashed for.
//!
//! Time depends on the lengths of the parts and never on their content.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod aarch64;
pub mod kernel;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::blocks::BlockBuffer;
use crate::first_of;
use crate::lanes::Scalar;
use crate::simd::Isa;
use kernel::INITIAL;

/// Bytes that are compressed at a time.
type Block = [u8; 64];

/// The hash of a message that comes in parts. Wiped on drop; what the compression leaves on the stack is not.
#[derive(Clone)]
pub struct Sha256 {
    state: [u32; 8],
    buffer: BlockBuffer<64>,
    isa: Isa,
}

impl Sha256 {
    /// Of no bytes so far.
    #[must_use]
    pub const fn new(isa: Isa) -> Self {
        Self { state: INITIAL, buffer: BlockBuffer::new(), isa }
    }

    /// The next part.
    pub fn update(&mut self, part: &[u8]) {
        self.buffer.take(part, |blocks| compress(self.isa, &mut self.state, blocks));
    }

    /// The digest of all parts.
    #[must_use]
    pub fn finalize(mut self) -> [u8; 32] {
        self.buffer.finish(|blocks| compress(self.isa, &mut self.state, blocks));
        let mut digest = [0; 32];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}

impl Drop for Sha256 {
    fn drop(&mut self) {
        self.state = [0; 8];
        zeroize::optimization_barrier(self);
    }
}

/// The digest of the concatenation of `parts`.
#[must_use]
pub fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new(Isa::current());
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// Takes `blocks` into `state`.
fn compress(isa: Isa, state: &mut [u32; 8], blocks: &[Block]) {
    first_of!(isa;
        sha(witness) => x86::compress(witness, state, blocks),
        sha2(witness) => aarch64::compress(witness, state, blocks),
        else => {
            for block in blocks {
                let mut words = [0; 16];
                for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
                    *word = u32::from_be_bytes(*bytes);
                }
                *state = kernel::compress(Scalar, *state, words);
            }
        },
    );
}
