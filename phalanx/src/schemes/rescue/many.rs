//! Many hashes side by side: each permutation call takes the states of all that still absorb.

use super::Digest;
use super::sponge::Input;
use crate::hashes::rescue::{Permutation, permute_many};
use crate::simd::Level;
use alloc::vec::Vec;

/// Hashes every input; digest `i` belongs to input `i`.
pub(super) fn hash_inputs(permutation: Permutation, inputs: &[Input<'_>], domain: u64) -> Vec<Digest> {
    let level = Level::current();
    let width = permutation.width();
    // Those with most blocks first: what still absorbs is a prefix.
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&i| core::cmp::Reverse(permutation.blocks(&inputs[i])));
    let mut states: Vec<u64> = Vec::with_capacity(inputs.len() * width);
    for &i in &order {
        states.extend(&permutation.start(&inputs[i], domain)[..width]);
    }
    let mut active = order.len();
    for block in 0.. {
        while active > 0 && permutation.blocks(&inputs[order[active - 1]]) == block {
            active -= 1;
        }
        if active == 0 {
            break;
        }
        for (state, &i) in states.chunks_exact_mut(width).zip(&order[..active]) {
            permutation.absorb(state, &inputs[i], block);
        }
        permute_many(level, permutation, &mut states[..active * width]);
    }
    let mut digests = alloc::vec![Digest::default(); inputs.len()];
    for (state, &i) in states.chunks_exact(width).zip(&order) {
        digests[i] = permutation.squeeze(state);
    }
    // Without a block, no permutation and a digest of zeros, whatever the capacity holds.
    for (digest, input) in digests.iter_mut().zip(inputs) {
        if input.len() == 0 {
            *digest = Digest::default();
        }
    }
    digests
}
