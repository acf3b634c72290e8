//! A message in parts, given out block by block with the padding of FIPS 180-4, section 5.1.2.

use super::kernel::Block;

/// The bytes that padding adds at least: the bit 1, and the length in 128 bits.
const MIN_PADDING_BYTES: usize = 1 + 16;

/// How many blocks the concatenation of `parts` makes.
#[inline]
pub(super) fn block_count<const N: usize>(parts: &[&[u8]; N]) -> usize {
    (len_bytes(parts) + MIN_PADDING_BYTES).div_ceil(size_of::<Block>())
}

#[inline]
fn len_bytes<const N: usize>(parts: &[&[u8]; N]) -> usize {
    let mut len = 0;
    for part in parts {
        len += part.len();
    }
    len
}

/// The blocks of one message that have not been given out.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a, const N: usize> {
    /// What is left of each part.
    parts: [&'a [u8]; N],
    /// Parts before this one are used up.
    first: usize,
    len_bytes: usize,
    left: usize,
    /// Whether the bit after the message has been given out.
    marked: bool,
}

impl<'a, const N: usize> Blocks<'a, N> {
    /// No block at all.
    pub(super) const NONE: Self = Self { parts: [&[]; N], first: N, len_bytes: 0, left: 0, marked: true };

    #[inline]
    pub(super) fn new(parts: &[&'a [u8]; N]) -> Self {
        Self { parts: *parts, first: 0, len_bytes: len_bytes(parts), left: block_count(parts), marked: false }
    }

    /// How many blocks are left.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// As many of the next blocks as lie whole in one part, without a copy: none when the next block is made of several
    /// parts or of padding.
    #[inline]
    pub(super) fn whole(&mut self, at_most: usize) -> &'a [Block] {
        let Some(part) = self.parts.get_mut(self.first) else { return &[] };
        let (blocks, _) = part.as_chunks();
        let blocks = &blocks[..blocks.len().min(at_most)];
        *part = &part[size_of_val(blocks)..];
        self.left -= blocks.len();
        blocks
    }

    /// The next block, in the message's own memory where it lies there whole, else put together in `buffer`.
    ///
    /// # Panics
    /// If there is none left.
    #[inline]
    pub(super) fn next<'b>(&mut self, buffer: &'b mut Block) -> &'b Block
    where
        'a: 'b,
    {
        if let [block] = self.whole(1) {
            return block;
        }
        self.assemble(buffer);
        buffer
    }

    /// [`next`](Self::next) of parts and padding.
    #[inline]
    fn assemble(&mut self, buffer: &mut Block) {
        assert!(self.left > 0, "a block is left");
        self.left -= 1;
        *buffer = [0; 128];
        let mut filled = 0;
        while self.first < N {
            let part = self.parts[self.first];
            let free = &mut buffer[filled..];
            if part.len() > free.len() {
                let (now, later) = part.split_at(free.len());
                free.copy_from_slice(now);
                self.parts[self.first] = later;
                return;
            }
            // R, A and many a message have 32 bytes: two moves instead of a call.
            match (<&[u8; 32]>::try_from(part), free.first_chunk_mut::<32>()) {
                (Ok(part), Some(free)) => *free = *part,
                _ => free[..part.len()].copy_from_slice(part),
            }
            filled += part.len();
            self.first += 1;
        }
        if !self.marked && filled < size_of::<Block>() {
            buffer[filled] = 0x80;
            self.marked = true;
        }
        if self.left == 0 {
            buffer[112..].copy_from_slice(&(8 * self.len_bytes as u128).to_be_bytes());
        }
    }
}
