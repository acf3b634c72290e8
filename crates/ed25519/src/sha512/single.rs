//! One message at a time.

use super::kernel::{self, Block, INITIAL};
#[cfg(target_arch = "x86_64")]
use super::long::CompressLong;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;
#[cfg(target_arch = "x86_64")]
use phalanx_core::simd::Witness;
use zeroize::optimization_barrier;

/// Where the last block has the length.
const LENGTH_AT: usize = 112;

/// What holds message bytes and the state, in one place to be wiped.
struct Scratch {
    state: [u64; 8],
    buffer: Block,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        (self.state, self.buffer) = ([0; 8], [0; 128]);
        optimization_barrier(self);
    }
}

/// The digest of the concatenation of `parts`. The caller wipes the stack.
#[inline(never)]
pub(super) fn digest(isa: Isa, parts: &[&[u8]]) -> [u8; 64] {
    let mut scratch = Scratch { state: INITIAL, buffer: [0; 128] };
    let Scratch { state, buffer } = &mut scratch;
    let (mut filled, mut len_bytes) = (0, 0);
    for part in parts {
        len_bytes += part.len();
        let mut part = *part;
        if filled > 0 {
            let free = &mut buffer[filled..];
            let (now, later) = part.split_at(part.len().min(free.len()));
            copy(now, free);
            (filled, part) = (filled + now.len(), later);
            if filled < size_of::<Block>() {
                continue;
            }
            compress(isa, state, core::slice::from_ref(buffer));
        }
        // Blocks that lie whole in a part are read where they are.
        let (blocks, rest) = part.as_chunks();
        compress(isa, state, blocks);
        copy(rest, buffer);
        filled = rest.len();
    }
    // The bit 1, zeros, and the length in bits (FIPS 180-4, section 5.1.2).
    buffer[filled] = 0x80;
    buffer[filled + 1..].fill(0);
    if filled >= LENGTH_AT {
        compress(isa, state, core::slice::from_ref(buffer));
        buffer.fill(0);
    }
    buffer[LENGTH_AT..].copy_from_slice(&(8 * len_bytes as u128).to_be_bytes());
    compress(isa, state, core::slice::from_ref(buffer));
    let mut digest = [0; 64];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    digest
}

/// `from` to the beginning of `to`.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    // Keys, points and many a message have 32 bytes: two moves instead of a call.
    match (<&[u8; 32]>::try_from(from), to.first_chunk_mut()) {
        (Ok(from), Some(to)) => *to = *from,
        _ => to[..from.len()].copy_from_slice(from),
    }
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
