//! Messages side by side: which ones share a vector, and for how many blocks.

use super::kernel::{Block, INITIAL, rounds};
use super::long::words;
use super::message::{Blocks, block_count};
use super::single::compress;
use phalanx_core::lanes::Transpose;
use phalanx_core::simd::{Isa, Kernel, Witness};
use zeroize::{Zeroize, optimization_barrier};

/// Lanes that take messages side by side.
pub(super) trait Lanes<const LANES: usize>: Witness + Transpose<u64, LANES> {
    /// From this many messages on, a vector is faster than one message after the other.
    const MIN_ACTIVE: usize;

    /// `a + b` in the lanes whose bit of `active` is set, else `a`.
    fn add_active(self, a: Self::Vector, b: Self::Vector, active: u8) -> Self::Vector;
}

/// Takes `blocks[lane]` into `state[word][lane]`, for the lanes whose bit of `active` is set.
struct Compress<'a, const LANES: usize> {
    state: &'a mut [[u64; LANES]; 8],
    blocks: &'a [&'a Block; LANES],
    active: u8,
}

impl<L: Lanes<LANES>, const LANES: usize> Kernel<L> for Compress<'_, LANES> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let w = words(lanes, self.blocks);
        let mut s = [lanes.splat(0); 8];
        let mut i = 0;
        while i < 8 {
            s[i] = lanes.load(&self.state[i]);
            i += 1;
        }
        let s = rounds(lanes, s, w);
        let mut i = 0;
        while i < 8 {
            let after = lanes.add_active(lanes.load(&self.state[i]), s[i], self.active);
            lanes.store(&mut self.state[i], after);
            i += 1;
        }
    }
}

/// Messages that are sorted together.
const WINDOW: usize = 64;

/// What holds message bytes and states, in one place to be wiped.
struct Scratch<const LANES: usize> {
    buffers: [Block; LANES],
    state: [[u64; LANES]; 8],
}

impl<const LANES: usize> Drop for Scratch<LANES> {
    fn drop(&mut self) {
        self.buffers = [[0; 128]; LANES];
        self.state = [[0; LANES]; 8];
        optimization_barrier(self);
    }
}

/// See [`super::digest_many`]; the caller wipes the stack.
#[inline(never)]
pub(super) fn digest_many<const LANES: usize, const N: usize, B: Lanes<LANES>>(
    (isa, backend): (Isa, B),
    messages: &[[&[u8]; N]],
    digests: &mut [[u8; 64]],
) {
    let mut scratch = Scratch { buffers: [[0; 128]; LANES], state: [[0; LANES]; 8] };
    for (messages, digests) in messages.chunks(WINDOW).zip(digests.chunks_mut(WINDOW)) {
        digest_window((isa, backend), &mut scratch, messages, digests);
    }
}

/// Up to [`WINDOW`] messages, those of most blocks first: then the lanes of a vector end one after the other, and
/// messages of like length share a vector.
#[inline(never)]
fn digest_window<const LANES: usize, const N: usize, B: Lanes<LANES>>(
    (isa, backend): (Isa, B),
    scratch: &mut Scratch<LANES>,
    messages: &[[&[u8]; N]],
    digests: &mut [[u8; 64]],
) {
    let mut counts = [0; WINDOW];
    let mut order = [0; WINDOW];
    let mut sorted = true;
    for (i, message) in messages.iter().enumerate() {
        counts[i] = block_count(message);
        order[i] = i;
        sorted &= i == 0 || counts[i] <= counts[i - 1];
    }
    let order = &mut order[..messages.len()];
    if !sorted {
        longest_first(order, &counts);
    }
    for group in order.chunks(LANES) {
        digest_group((isa, backend), scratch, messages, digests, group);
    }
}

/// Sorts indexes by their counts, the greatest first. A function of its own: a sort is a lot of code, and its caller is
/// compiled for every shape of messages.
#[inline(never)]
fn longest_first(order: &mut [usize], counts: &[usize; WINDOW]) {
    order.sort_unstable_by_key(|&i| (usize::MAX - counts[i], i));
}

/// The messages at the indexes `group`, at most `LANES` of them, those of most blocks first.
fn digest_group<const LANES: usize, const N: usize, B: Lanes<LANES>>(
    (isa, backend): (Isa, B),
    Scratch { buffers, state }: &mut Scratch<LANES>,
    messages: &[[&[u8]; N]],
    digests: &mut [[u8; 64]],
    group: &[usize],
) {
    let mut lanes = [Blocks::NONE; LANES];
    for (lane, &i) in lanes.iter_mut().zip(group) {
        *lane = Blocks::new(&messages[i]);
    }
    for (words, word) in state.iter_mut().zip(INITIAL) {
        *words = [word; LANES];
    }
    let mut active = group.len();
    loop {
        while active > 0 && lanes[active - 1].left() == 0 {
            active -= 1;
        }
        if active < B::MIN_ACTIVE {
            break;
        }
        // Lanes that have ended read some block, and their states stay.
        let mut blocks = [&[0; 128]; LANES];
        for ((block, lane), buffer) in blocks.iter_mut().zip(&mut lanes[..active]).zip(&mut *buffers) {
            *block = lane.next(buffer);
        }
        backend.enter(Compress { state, blocks: &blocks, active: 0xff >> (8 - active) });
    }
    // The few that run on do so one at a time, from where they stand.
    for (lane, blocks) in lanes[..active].iter_mut().enumerate() {
        let mut one = state.map(|words| words[lane]);
        finish_alone(isa, &mut one, blocks, &mut buffers[lane]);
        for (words, word) in state.iter_mut().zip(one) {
            words[lane] = word;
        }
        one.zeroize();
    }
    for (lane, &i) in group.iter().enumerate() {
        for (bytes, words) in digests[i].as_chunks_mut().0.iter_mut().zip(&*state) {
            *bytes = words[lane].to_be_bytes();
        }
    }
}

/// Takes all that is left of a message into `state`.
fn finish_alone<const N: usize>(
    isa: Isa,
    state: &mut [u64; 8],
    blocks: &mut Blocks<'_, N>,
    buffer: &mut Block,
) {
    while blocks.left() > 0 {
        match blocks.whole(usize::MAX) {
            [] => compress(isa, state, core::slice::from_ref(blocks.next(buffer))),
            whole => compress(isa, state, whole),
        }
    }
}
