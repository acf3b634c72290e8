//! SHA-256 by the SHA-2 instructions of aarch64: four rounds each.
#![allow(unsafe_code, reason = "the entry into such code, on the strength of a witness")]

use super::Block;
use super::kernel::ROUND_CONSTANTS;
use crate::simd::Sha2;
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vreinterpretq_u32_u8, vrev32q_u8, vsha256h2q_u32, vsha256hq_u32, vsha256su0q_u32,
    vsha256su1q_u32,
};
use core::mem::transmute;

/// Takes `blocks` into `state`.
pub(super) fn compress(_: Sha2, state: &mut [u32; 8], blocks: &[Block]) {
    // SAFETY: the witness is the proof that this CPU has the instructions.
    unsafe { entered(state, blocks) }
}

#[target_feature(enable = "neon,sha2")]
fn entered(state: &mut [u32; 8], blocks: &[Block]) {
    // SAFETY: eight words are two vectors of four.
    let [mut abcd, mut efgh] = unsafe { transmute::<[u32; 8], [uint32x4_t; 2]>(*state) };
    for block in blocks {
        let before = (abcd, efgh);
        // SAFETY: a block is four vectors of sixteen bytes.
        let mut words = unsafe { transmute::<Block, [_; 4]>(*block) }
            .map(|bytes| vreinterpretq_u32_u8(vrev32q_u8(bytes)));
        for (step, constants) in ROUND_CONSTANTS.as_chunks::<4>().0.iter().enumerate() {
            // SAFETY: four words are a vector.
            let constants = unsafe { transmute::<[u32; 4], uint32x4_t>(*constants) };
            let sum = vaddq_u32(words[0], constants);
            (abcd, efgh) = (vsha256hq_u32(abcd, efgh, sum), vsha256h2q_u32(efgh, abcd, sum));
            let [w0, w1, w2, w3] = words;
            let next = if step < 12 { vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3) } else { w0 };
            words = [w1, w2, w3, next];
        }
        (abcd, efgh) = (vaddq_u32(abcd, before.0), vaddq_u32(efgh, before.1));
    }
    // SAFETY: two vectors of four are eight words.
    *state = unsafe { transmute::<[uint32x4_t; 2], [u32; 8]>([abcd, efgh]) };
}
