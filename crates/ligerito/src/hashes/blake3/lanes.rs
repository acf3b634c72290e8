//! Rows and nodes side by side: from rows to the roots of small trees without leaving the lanes.
//!
//! Digests of `LANES` rows lie *in slices*: word i of all of them together. The parents of the digests of two
//! neighbouring groups are again a group, and their messages are the even and the odd lanes of the two: no
//! transposition between the leaves and the nodes that are kept.

use super::kernel::Compress;
use super::portable::{CHUNK_END_AND_ROOT, CHUNK_START};
use super::slices::{Digests, Message};
use super::{Digest, Mode};
use alloc::vec;
use core::ops::Range;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Witness;

/// A backend that hashes `LANES` inputs at a time, and faster several such *streams* beside each other.
pub(crate) trait Lanes<const LANES: usize>: Witness + WordLanes<u32, Words = [u32; LANES]> {
    /// The chaining values after one block of `len` bytes. Before it they are `start` in every lane, or, without, what
    /// stands in `chaining`.
    fn compress<const STREAMS: usize>(
        self,
        start: Option<&[u32; 8]>,
        chaining: &mut [Digests<LANES>; STREAMS],
        messages: &[Message<LANES>; STREAMS],
        len: u32,
        flags: u32,
    ) {
        // One stream after the other: the registers hold one state.
        for (chaining, message) in chaining.iter_mut().zip(messages) {
            self.enter(Compress { start, chaining, message, len, flags });
        }
    }

    /// The words of `LANES` blocks of 64 bytes, which begin at every `stride` bytes.
    ///
    /// # Panics
    /// If `bytes` ends before the last of them.
    fn gather(self, bytes: &[u8], stride: usize, message: &mut Message<LANES>);

    /// The message of parents, two children each: first those in `lower`, then those in `upper`.
    fn pair(self, lower: &Digests<LANES>, upper: &Digests<LANES>, message: &mut Message<LANES>);

    /// Digests as bytes.
    fn digests(self, slices: &Digests<LANES>, out: &mut [Digest; LANES]);
}

/// Rows of equal length.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    bytes: &'a [u8],
    len: usize,
}

impl<'a> Rows<'a> {
    /// `bytes` are the rows one after the other, `len_bytes` each.
    pub(crate) fn new(bytes: &'a [u8], len_bytes: usize) -> Self {
        Self { bytes, len: len_bytes }
    }

    /// The length of a row.
    pub(crate) fn len_bytes(self) -> usize {
        self.len
    }

    /// Bytes `64 block …` of the `LANES` rows from `first` on; zeros where a row ends and for rows that there are not.
    #[inline]
    pub(crate) fn load<const LANES: usize, B: Lanes<LANES>>(
        self,
        backend: B,
        first: usize,
        block: usize,
        message: &mut Message<LANES>,
    ) {
        let at = 64 * block;
        if at + 64 <= self.len && (first + LANES) * self.len <= self.bytes.len() {
            backend.gather(&self.bytes[first * self.len + at..], self.len, message);
        } else {
            self.load_edge(backend, first, at, message);
        }
    }

    /// [`load`](Self::load) where something is missing.
    #[cold]
    fn load_edge<const LANES: usize, B: Lanes<LANES>>(
        self,
        backend: B,
        first: usize,
        at: usize,
        message: &mut Message<LANES>,
    ) {
        let mut blocks = [[0; 64]; LANES];
        let rows = self.bytes.chunks_exact(self.len).skip(first);
        for (block, row) in blocks.iter_mut().zip(rows) {
            let bytes = &row[at.min(row.len())..(at + 64).min(row.len())];
            block[..bytes.len()].copy_from_slice(bytes);
        }
        backend.gather(blocks.as_flattened(), 64, message);
    }
}

/// How rows become leaves.
pub(crate) trait Leaf<const LANES: usize>: Copy {
    /// The leaves of rows `first … first + STREAMS LANES - 1`; any for rows that there are not.
    fn leaves<const STREAMS: usize>(self, rows: Rows<'_>, first: usize, out: &mut [Digests<LANES>; STREAMS]);
}

/// Leaves that are digests of rows of whole words, at least one and at most a chunk.
#[derive(Clone, Copy)]
struct Plain<'a, B> {
    backend: B,
    mode: &'a Mode,
}

/// See [`super::hash_rows`].
pub(super) fn hash_rows<const LANES: usize, B: Lanes<LANES>>(
    backend: B,
    leaf: &Mode,
    node: &Mode,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    roots(backend, Plain { backend, mode: leaf }, node, rows, row_len_bytes, height, nodes);
}

/// Digests of inputs of one block of `len` bytes.
pub(crate) fn digest_blocks<const LANES: usize, const STREAMS: usize, B: Lanes<LANES>>(
    backend: B,
    mode: &Mode,
    messages: &[Message<LANES>; STREAMS],
    len: u32,
    out: &mut [Digests<LANES>; STREAMS],
) {
    let flags = mode.flags | CHUNK_START | CHUNK_END_AND_ROOT;
    backend.compress(Some(&mode.chaining), out, messages, len, flags);
}

impl<const LANES: usize, B: Lanes<LANES>> Leaf<LANES> for Plain<'_, B> {
    fn leaves<const STREAMS: usize>(self, rows: Rows<'_>, first: usize, out: &mut [Digests<LANES>; STREAMS]) {
        let mut messages = [Message::ZERO; STREAMS];
        let blocks = rows.len_bytes().div_ceil(64);
        for block in 0..blocks {
            for (stream, message) in messages.iter_mut().enumerate() {
                rows.load(self.backend, first + stream * LANES, block, message);
            }
            let is_first = block == 0;
            let is_last = block + 1 == blocks;
            let flags = self.mode.flags
                | if is_first { CHUNK_START } else { 0 }
                | if is_last { CHUNK_END_AND_ROOT } else { 0 };
            let len = u32::try_from(rows.len_bytes() - 64 * block).map_or(64, |left| left.min(64));
            let start = if is_first { Some(&self.mode.chaining) } else { None };
            self.backend.compress(start, out, &messages, len, flags);
        }
    }
}

/// Levels of a tree that are computed in the lanes. Their leaves, 2^4 groups of 512 bytes, and their rows stay in the
/// first level of the cache.
const LEVELS: usize = 4;

/// See [`super::hash_rows`].
pub(crate) fn roots<const LANES: usize, B: Lanes<LANES>>(
    backend: B,
    leaf: impl Leaf<LANES>,
    node: &Mode,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    if height > LEVELS {
        let above = height - LEVELS;
        let mut layer = vec![[0; 32]; 1 << above];
        for (root, rows) in nodes.iter_mut().zip(rows.chunks_exact(row_len_bytes << height)) {
            roots(backend, leaf, node, rows, row_len_bytes, LEVELS, &mut layer);
            for level in (0..above).rev() {
                let children = layer[..2 << level].to_vec();
                parents(backend, node, &children, &mut layer[..1 << level]);
            }
            *root = layer[0];
        }
        return;
    }
    let mut layer = [Digests::<LANES>::ZERO; 1 << LEVELS];
    let nodes_at_once = (LANES << LEVELS) >> height;
    let batches = rows.chunks((row_len_bytes * LANES) << LEVELS).zip(nodes.chunks_mut(nodes_at_once));
    for (rows, nodes) in batches {
        let mut groups = (nodes.len() << height).div_ceil(LANES);
        leaves(leaf, Rows::new(rows, row_len_bytes), &mut layer[..groups]);
        for _ in 0..height {
            groups = ascend(backend, node, &mut layer, groups);
        }
        for (group, nodes) in layer.iter().zip(nodes.chunks_mut(LANES)) {
            put(backend, group, nodes);
        }
    }
}

/// See [`super::parents`].
pub(super) fn parents<const LANES: usize, B: Lanes<LANES>>(
    backend: B,
    mode: &Mode,
    nodes: &[Digest],
    out: &mut [Digest],
) {
    let leaf = Plain { backend, mode };
    let mut layer = [Digests::<LANES>::ZERO; 2];
    for (nodes, out) in nodes.chunks(4 * LANES).zip(out.chunks_mut(2 * LANES)) {
        let groups = out.len().div_ceil(LANES);
        leaves(leaf, Rows::new(nodes.as_flattened(), 64), &mut layer[..groups]);
        for (group, out) in layer.iter().zip(out.chunks_mut(LANES)) {
            put(backend, group, out);
        }
    }
}

/// The leaves of all rows, a group of lanes each; two groups side by side as long as there are.
fn leaves<const LANES: usize>(leaf: impl Leaf<LANES>, rows: Rows<'_>, layer: &mut [Digests<LANES>]) {
    let (pairs, rest) = layer.as_chunks_mut::<2>();
    let mut first = 0;
    for pair in pairs {
        leaf.leaves(rows, first, pair);
        first += 2 * LANES;
    }
    if let [last] = rest {
        leaf.leaves(rows, first, core::array::from_mut(last));
    }
}

/// From the digests in `groups` groups to their parents, in place; how many groups these are.
fn ascend<const LANES: usize, B: Lanes<LANES>>(
    backend: B,
    mode: &Mode,
    layer: &mut [Digests<LANES>],
    groups: usize,
) -> usize {
    let above = groups.div_ceil(2);
    let mut messages = [Message::ZERO; 2];
    for group in (0..above).step_by(2) {
        for (i, message) in messages.iter_mut().enumerate() {
            // A group that is missing has no descendants that count.
            let lower = 2 * (group + i);
            backend.pair(&layer[lower.min(groups - 1)], &layer[(lower + 1).min(groups - 1)], message);
        }
        if group + 1 < above {
            let pair = layer[group..].first_chunk_mut().expect("two groups");
            digest_blocks(backend, mode, &messages, 64, pair);
        } else {
            let [message, _] = &messages;
            let last = core::array::from_mut(&mut layer[group]);
            digest_blocks(backend, mode, core::array::from_ref(message), 64, last);
        }
    }
    above
}

/// The first digests of a group as bytes.
fn put<const LANES: usize, B: Lanes<LANES>>(backend: B, group: &Digests<LANES>, out: &mut [Digest]) {
    if let Ok(out) = out.try_into() {
        backend.digests(group, out);
    } else {
        let mut digests = [[0; 32]; LANES];
        backend.digests(group, &mut digests);
        out.copy_from_slice(&digests[..out.len()]);
    }
}

/// See [`super::smallest_nonce`].
pub(super) fn smallest_nonce<const LANES: usize, B: Lanes<LANES>>(
    backend: B,
    mode: &Mode,
    seed: &[u8; 32],
    mask: u64,
    nonces: Range<u64>,
) -> Option<u64> {
    let mut messages = [Message::ZERO; 2];
    for message in &mut messages {
        for (words, bytes) in message.0.iter_mut().zip(seed.as_chunks().0) {
            *words = [u32::from_le_bytes(*bytes); LANES];
        }
    }
    let mut out = [Digests::ZERO; 2];
    let mut nonce = nonces.start;
    while nonce < nonces.end {
        let first = nonce;
        for message in &mut messages {
            for lane in 0..LANES {
                let (low, high) = words(nonce);
                (message.0[8][lane], message.0[9][lane]) = (low, high);
                nonce = nonce.wrapping_add(1);
            }
        }
        digest_blocks(backend, mode, &messages, 40, &mut out);
        let (mask_low, mask_high) = words(mask);
        for (stream, digests) in out.iter().enumerate() {
            for lane in 0..LANES {
                if digests.0[0][lane] & mask_low | digests.0[1][lane] & mask_high == 0 {
                    // Of those behind the end this is the first, too.
                    let found = first.wrapping_add((stream * LANES + lane) as u64);
                    return Some(found).filter(|nonce| nonces.contains(nonce));
                }
            }
        }
    }
    None
}

/// The two halves of a number.
#[allow(clippy::cast_possible_truncation, reason = "the halves are wanted")]
fn words(x: u64) -> (u32, u32) {
    (x as u32, (x >> 32) as u32)
}
