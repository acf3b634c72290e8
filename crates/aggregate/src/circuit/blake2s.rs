//! The compression function of BLAKE2s (RFC 7693, section 3.2): 14,720 products.
#![forbid(unsafe_code)]

use super::program::{Circuit, Op};
use alloc::vec::Vec;

/// One compression of BLAKE2s. Words 0 to 7 are h, 8 to 15 the second half of the state as the rounds begin with it, 16
/// to 31 the message, 32 to 39 the new h.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blake2sCompression;

/// The words that a round's G works on, G by G.
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

/// Which words of the message a round takes, a hexadecimal digit each, the first one highest (RFC 7693, section 2.7).
const SIGMA: [u64; 10] = [
    0x0123_4567_89ab_cdef,
    0xea48_9fd6_1c02_b753,
    0xb8c0_52fd_ae36_7194,
    0x7931_dcbe_265a_40f8,
    0x9057_24af_e1bc_683d,
    0x2c6a_0b83_4d75_fe19,
    0xc51f_ed4a_0763_928b,
    0xdb7e_c139_50f4_862a,
    0x6fe9_b308_c2d7_14a5,
    0xa284_7615_fb9e_3cd0,
];

/// Products of a G.
const PRODUCTS: usize = 184;

impl Circuit for Blake2sCompression {
    const LOG2_BITS: usize = 14;
    const LOG2_SLOT_BITS: usize = 7;
    const LOG2_SLOTS: usize = 4;
    #[cfg(test)]
    const SLOTS: usize = 10;
    const DIGEST: [u8; 32] = [
        0x75, 0x97, 0xbf, 0xa7, 0x38, 0x1a, 0x6d, 0xe9, 0x46, 0x6e, 0xa1, 0x4c, 0x02, 0x71, 0xc7, 0x2b, 0xaf,
        0xa9, 0x32, 0x8d, 0x0f, 0x18, 0xf8, 0x39, 0x6c, 0x2d, 0xf8, 0xae, 0x3a, 0x0c, 0xd1, 0x59,
    ];
    const CONSTANTS: (usize, &'static [u32]) = (0, &[]);

    fn program() -> Vec<Op> {
        let mut program = Program { ops: (0..32).map(|word| Op::Input { word }).collect() };
        let mut v: [usize; 16] = core::array::from_fn(|i| i);
        let mut p = 1280;
        for sigma in SIGMA {
            for (g, lanes) in LANES.into_iter().enumerate() {
                let message = |i: usize| 16 + (sigma >> (60 - 4 * i) & 15) as usize;
                program.half_of_g(&mut v, lanes, message(2 * g), p, [16, 12]);
                program.half_of_g(&mut v, lanes, message(2 * g + 1), p + PRODUCTS / 2, [8, 7]);
                p += PRODUCTS;
            }
        }
        for i in 0..8 {
            let halves = program.push(Op::Xor(v[i], v[i + 8]));
            let a = program.push(Op::Xor(halves, i));
            program.push(Op::Output { a, word: 32 + i });
        }
        program.ops
    }
}

struct Program {
    ops: Vec<Op>,
}

impl Program {
    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// The first or the second four lines of G (RFC 7693, section 3.1).
    fn half_of_g(
        &mut self,
        v: &mut [usize; 16],
        [a, b, c, d]: [usize; 4],
        t: usize,
        p: usize,
        by: [usize; 2],
    ) {
        v[a] = self.push(Op::Add3 { x: v[a], y: v[b], t, p });
        let mixed = self.push(Op::Xor(v[d], v[a]));
        v[d] = self.push(Op::Rotr(mixed, by[0]));
        v[c] = self.push(Op::Add2 { x: v[c], y: v[d], p: p + 61 });
        let mixed = self.push(Op::Xor(v[b], v[c]));
        v[b] = self.push(Op::Rotr(mixed, by[1]));
    }
}
