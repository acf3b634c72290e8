//! One message at a time.

use super::kernel::{self, Block, INITIAL};
#[cfg(target_arch = "x86_64")]
use super::long::CompressLong;
use phalanx_core::blocks::BlockBuffer;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;
#[cfg(target_arch = "x86_64")]
use phalanx_core::simd::Witness;
use zeroize::optimization_barrier;

/// The hash of a message that comes in parts. Wiped on drop; the stack is the caller's.
#[derive(Clone)]
pub(crate) struct Sha512 {
    state: [u64; 8],
    buffer: BlockBuffer<128>,
    isa: Isa,
}

impl Sha512 {
    /// Of no bytes so far.
    #[inline(always)]
    pub(crate) const fn new(isa: Isa) -> Self {
        Self { state: INITIAL, buffer: BlockBuffer::new(), isa }
    }

    /// The next part.
    #[inline(always)]
    pub(crate) fn update(&mut self, part: &[u8]) {
        self.buffer.take(part, |blocks| compress(self.isa, &mut self.state, blocks));
    }

    /// The digest of all parts.
    #[inline(always)]
    pub(crate) fn finalize(mut self) -> [u8; 64] {
        self.buffer.finish(|blocks| compress(self.isa, &mut self.state, blocks));
        let mut digest = [0; 64];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(&self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}

impl Drop for Sha512 {
    fn drop(&mut self) {
        self.state = [0; 8];
        optimization_barrier(self);
    }
}

/// The digest of the concatenation of `parts`. The caller wipes the stack.
#[inline(never)]
pub(super) fn digest(isa: Isa, parts: &[&[u8]]) -> [u8; 64] {
    let mut hasher = Sha512::new(isa);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// Takes `blocks` into `state`.
#[inline(never)]
pub(super) fn compress(isa: Isa, state: &mut [u64; 8], blocks: &[Block]) {
    let alone = first_of!(isa;
        avx2(witness) if blocks.len() >= 4 => {
            let (groups, alone) = blocks.as_chunks::<4>();
            witness.enter(CompressLong { state, groups });
            alone
        },
        else => blocks,
    );
    kernel::compress(state, alone);
}
