//! BLAKE2s (spec section 2).

use super::{Circuit, Op};
use crate::xmss_blake2s::SIGMA;

const LANES: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

impl Circuit {
    /// That of BLAKE2s (spec section 2).
    pub fn blake2s() -> Circuit {
        Circuit { log2_bits: 14, io_slots: 10, log2_slots: 4, program: program() }
    }
}

/// The program (spec section 2.3).
fn program() -> Vec<Op> {
    let mut ops: Vec<Op> = (0..32).map(Op::Input).collect();
    let mut push = |op| {
        ops.push(op);
        ops.len() - 1
    };
    let mut v: [usize; 16] = std::array::from_fn(|i| i);
    let mut p = 1280;
    for sigma in SIGMA {
        for (g, [a, b, c, d]) in LANES.into_iter().enumerate() {
            let (mx, my) = (16 + sigma[2 * g], 16 + sigma[2 * g + 1]);
            v[a] = push(Op::Add3(v[a], v[b], mx, p));
            let mixed = push(Op::Xor(v[d], v[a]));
            v[d] = push(Op::Rotr(mixed, 16));
            v[c] = push(Op::Add2(v[c], v[d], p + 61));
            let mixed = push(Op::Xor(v[b], v[c]));
            v[b] = push(Op::Rotr(mixed, 12));
            v[a] = push(Op::Add3(v[a], v[b], my, p + 92));
            let mixed = push(Op::Xor(v[d], v[a]));
            v[d] = push(Op::Rotr(mixed, 8));
            v[c] = push(Op::Add2(v[c], v[d], p + 153));
            let mixed = push(Op::Xor(v[b], v[c]));
            v[b] = push(Op::Rotr(mixed, 7));
            p += 184;
        }
    }
    for i in 0..8 {
        let halves = push(Op::Xor(v[i], v[i + 8]));
        let out = push(Op::Xor(halves, i));
        push(Op::Output(out, 32 + i));
    }
    ops
}
