//! Lists of inputs, side by side: states in blocks that stay in the nearest cache, no memory of an input's own.

use crate::digest::Digest;
use crate::permutation::{Permutation, permute_many};
use crate::sponge::{MAX_RATE, MAX_WIDTH, Message};
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Job, Pool};

/// States in work at the same time: many times the lanes, and six kilobytes.
const SLOTS: usize = 64;

/// Permutations handed to one job of a pool: a few milliseconds at most.
pub(super) const JOB_PERMUTATIONS: usize = 1024;

/// Hashes `message(i)` into `digests[i]`. A message that ends leaves its place to the next, the long ones first, so that the
/// lanes stay full whatever the lengths.
pub(super) fn hash<M: Message>(
    isa: Isa,
    permutation: Permutation,
    message: impl Fn(usize) -> M,
    digests: &mut [Digest],
) {
    let (width, rate) = (permutation.width(), permutation.rate());
    digests.fill(Digest::default());
    // Messages without a word keep the digest of zeros.
    let lens = (0..digests.len()).map(|i| (message(i).len(), i)).filter(|&(len, _)| len > 0);
    let mut waiting = longest_first(lens.map(|(len, i)| (len.div_ceil(rate), i)).collect()).into_iter();
    let mut states = [0; SLOTS * MAX_WIDTH];
    // Of each state in work: its message, and the words of it that are absorbed.
    let mut slots = [(0, 0); SLOTS];
    let mut active = 0;
    loop {
        while active < SLOTS
            && let Some((_, i)) = waiting.next()
        {
            let start = permutation.start(message(i).len() as u64, M::BYTES, 0);
            states[active * width..][..width].copy_from_slice(&start[..width]);
            slots[active] = (i, 0);
            active += 1;
        }
        if active == 0 {
            return;
        }
        for ((i, absorbed), state) in slots[..active].iter_mut().zip(states.chunks_exact_mut(width)) {
            let message = message(*i);
            let mut words = [0; MAX_RATE];
            let words = &mut words[..rate.min(message.len() - *absorbed)];
            message.read(*absorbed, words);
            permutation.absorb(isa, state, words);
            *absorbed += words.len();
        }
        permute_many(isa, permutation, &mut states[..active * width]);
        let mut slot = 0;
        while slot < active {
            let (i, absorbed) = slots[slot];
            if absorbed < message(i).len() {
                slot += 1;
                continue;
            }
            digests[i] = permutation.squeeze(&states[slot * width..][..width]);
            // The last state in work closes the gap.
            active -= 1;
            slots[slot] = slots[active];
            states.copy_within(active * width..(active + 1) * width, slot * width);
        }
    }
}

/// Pairs of a length and an index, the greatest lengths first. A function of its own: a sort is a lot of code, and
/// [`hash`] is compiled for every kind of message.
#[inline(never)]
fn longest_first(mut order: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    order.sort_unstable_by_key(|&(len, _)| core::cmp::Reverse(len));
    order
}

/// Compresses the eight words `input(i)`, of which `len` count, into `digests[i]`.
pub(super) fn compress(
    isa: Isa,
    permutation: Permutation,
    (len, domain): (u64, u64),
    input: impl Fn(usize) -> [u64; 8],
    digests: &mut [Digest],
) {
    let width = permutation.width();
    let mut states = [0; SLOTS * MAX_WIDTH];
    for (block, digests) in digests.chunks_mut(SLOTS).enumerate() {
        let states = &mut states[..digests.len() * width];
        for (i, state) in states.chunks_exact_mut(width).enumerate() {
            permutation.load(state, &input(block * SLOTS + i), len, domain);
        }
        permute_many(isa, permutation, states);
        for (i, (state, digest)) in states.chunks_exact(width).zip(digests).enumerate() {
            *digest = permutation.unload(isa, state, &input(block * SLOTS + i));
        }
    }
}

/// Fills `items` in jobs of a pool: `work(first, part)` fills the part that starts at `first`. Item `i` takes `cost(i)`
/// permutations. Parts start at multiples of eight items, so that only the last one leaves lanes empty.
pub(super) fn split<T: Send>(
    pool: &dyn Pool,
    items: &mut [T],
    cost: impl Fn(usize) -> usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let work = &work;
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let (mut rest, mut first) = (items, 0);
    while !rest.is_empty() {
        let (mut len, mut sum) = (0, 0);
        while len < rest.len() && (sum < JOB_PERMUTATIONS || !len.is_multiple_of(8)) {
            sum += cost(first + len);
            len += 1;
        }
        let (part, others) = rest.split_at_mut(len);
        jobs.push(Box::new(move || work(first, part)));
        (rest, first) = (others, first + len);
    }
    pool.run(jobs);
}

/// A job for each part.
pub(super) fn jobs<'a, T: Send + 'a>(
    parts: impl Iterator<Item = &'a mut [T]>,
    work: &'a (impl Fn(&mut [T]) + Sync),
) -> Vec<Job<'a>> {
    parts.map(|part| Box::new(move || work(part)) as Job<'a>).collect()
}
