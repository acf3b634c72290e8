//! The blocks of a message that comes in parts, with the padding of FIPS 180-4, section 5.1.

use zeroize::optimization_barrier;

/// Bytes that do not make a block of `N` yet. Wiped on drop.
#[derive(Clone)]
pub struct BlockBuffer<const N: usize> {
    bytes: [u8; N],
    filled: usize,
    /// Of all parts so far.
    len_bytes: u64,
}

impl<const N: usize> BlockBuffer<N> {
    /// Of no bytes so far.
    #[allow(clippy::new_without_default, reason = "an empty buffer is no natural default of a hash")]
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; N], filled: 0, len_bytes: 0 }
    }

    /// Hands the blocks that `part` completes to `compress`, those that lie whole in it where they are.
    #[inline(always)]
    pub fn take(&mut self, mut part: &[u8], mut compress: impl FnMut(&[[u8; N]])) {
        self.len_bytes += part.len() as u64;
        if self.filled > 0 {
            let free = &mut self.bytes[self.filled..];
            let (now, later) = part.split_at(part.len().min(free.len()));
            copy(now, free);
            (self.filled, part) = (self.filled + now.len(), later);
            if self.filled < N {
                return;
            }
            compress(core::slice::from_ref(&self.bytes));
        }
        let (blocks, rest) = part.as_chunks();
        if !blocks.is_empty() {
            compress(blocks);
        }
        copy(rest, &mut self.bytes);
        self.filled = rest.len();
    }

    /// Hands the last block or two to `compress`: the rest of the message, the bit 1, zeros, and the length in bits
    /// as a number of an eighth of a block.
    #[inline(always)]
    pub fn finish(&mut self, mut compress: impl FnMut(&[[u8; N]])) {
        self.bytes[self.filled] = 0x80;
        self.bytes[self.filled + 1..].fill(0);
        if self.filled >= N - N / 8 {
            compress(core::slice::from_ref(&self.bytes));
            self.bytes.fill(0);
        }
        // Messages are shorter than 2^61 bytes.
        self.bytes[N - 8..].copy_from_slice(&(8 * self.len_bytes).to_be_bytes());
        compress(core::slice::from_ref(&self.bytes));
    }
}

impl<const N: usize> Drop for BlockBuffer<N> {
    fn drop(&mut self) {
        self.bytes = [0; N];
        optimization_barrier(self);
    }
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
