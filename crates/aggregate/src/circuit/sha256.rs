//! The compression function of SHA-256 (FIPS 180-4, section 6.2.2): 22,456 products.
#![forbid(unsafe_code)]

use super::program::{Circuit, Op};
use alloc::vec::Vec;

/// One compression of SHA-256. Words 0 to 7 are H before the block, 8 to 23 the block, 24 to 31 H after it, 32 to 95 the
/// round constants K: inputs, since the circuit has no wire for a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha256Compression;

/// K (FIPS 180-4, section 4.2.2).
const K: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// The word of the block where K begins.
const FIRST_CONSTANT: usize = 32;
/// The word where the new H begins.
const FIRST_OUTPUT: usize = 24;

/// Products of an addition of two words, of three, and of an And.
const TWO: usize = 31;
const THREE: usize = 61;
const AND: usize = 32;

impl Circuit for Sha256Compression {
    const LOG2_BITS: usize = 15;
    const LOG2_SLOT_BITS: usize = 7;
    const LOG2_SLOTS: usize = 5;
    #[cfg(test)]
    const SLOTS: usize = 24;
    const DIGEST: [u8; 32] = [
        0x02, 0x30, 0x63, 0x00, 0xf7, 0x07, 0xa2, 0x34, 0x83, 0xb7, 0x54, 0xa4, 0x2f, 0x4a, 0x4a, 0x71, 0xdc,
        0xdf, 0x44, 0x00, 0x7f, 0x1f, 0x3d, 0x6c, 0x63, 0x86, 0x21, 0xb3, 0x4a, 0x27, 0xa5, 0x3a,
    ];
    const CONSTANTS: (usize, &'static [u32]) = (FIRST_CONSTANT, &K);

    fn program() -> Vec<Op> {
        let mut program = Program { ops: Vec::with_capacity(2024), p: 32 * (FIRST_CONSTANT + K.len()) };
        let h: [usize; 8] = core::array::from_fn(|word| program.push(Op::Input { word }));
        let mut schedule: [usize; 64] = [0; 64];
        for (t, word) in schedule[..16].iter_mut().enumerate() {
            *word = program.push(Op::Input { word: h.len() + t });
        }
        let k: [usize; 64] = core::array::from_fn(|t| program.push(Op::Input { word: FIRST_CONSTANT + t }));
        for t in 16..64 {
            let late = program.small_sigma(schedule[t - 2], [17, 19], 10);
            let early = program.small_sigma(schedule[t - 15], [7, 18], 3);
            let sum = program.add3(late, schedule[t - 7], early);
            schedule[t] = program.add2(sum, schedule[t - 16]);
        }
        let mut v = h;
        for (k, w) in k.into_iter().zip(schedule) {
            program.round(&mut v, k, w);
        }
        for (i, (before, after)) in h.into_iter().zip(v).enumerate() {
            let a = program.add2(before, after);
            program.push(Op::Output { a, word: FIRST_OUTPUT + i });
        }
        program.ops
    }
}

struct Program {
    ops: Vec<Op>,
    /// The position of the next product.
    p: usize,
}

impl Program {
    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// Takes so many positions; gives the first.
    fn products(&mut self, count: usize) -> usize {
        self.p += count;
        self.p - count
    }

    fn add2(&mut self, x: usize, y: usize) -> usize {
        let p = self.products(TWO);
        self.push(Op::Add2 { x, y, p })
    }

    fn add3(&mut self, x: usize, y: usize, t: usize) -> usize {
        let p = self.products(THREE);
        self.push(Op::Add3 { x, y, t, p })
    }

    /// `x` where the bits of `of` are 1, `y` where they are 0, `difference` being the sum of both over GF(2).
    fn chosen(&mut self, of: usize, difference: usize, y: usize) -> usize {
        let p = self.products(AND);
        let product = self.push(Op::And2 { x: of, y: difference, p });
        self.push(Op::Xor(product, y))
    }

    /// Large sigma: the sum of three rotations over GF(2).
    fn large_sigma(&mut self, x: usize, by: [usize; 3]) -> usize {
        let [a, b, c] = by.map(|n| self.push(Op::Rotr(x, n)));
        let ab = self.push(Op::Xor(a, b));
        self.push(Op::Xor(ab, c))
    }

    /// Small sigma: the sum of two rotations and a shift.
    fn small_sigma(&mut self, x: usize, by: [usize; 2], shift: usize) -> usize {
        let [a, b] = by.map(|n| self.push(Op::Rotr(x, n)));
        let shifted = self.push(Op::Shr(x, shift));
        let ab = self.push(Op::Xor(a, b));
        self.push(Op::Xor(ab, shifted))
    }

    /// A round (FIPS 180-4, section 6.2.2, step 3).
    fn round(&mut self, v: &mut [usize; 8], k: usize, w: usize) {
        let [a, b, c, d, e, f, g, h] = *v;
        let sigma = self.large_sigma(e, [6, 11, 25]);
        // Ch: f where e is 1, g where it is 0.
        let difference = self.push(Op::Xor(f, g));
        let choice = self.chosen(e, difference, g);
        let sum = self.add3(h, sigma, choice);
        let first = self.add3(sum, k, w);
        let sigma = self.large_sigma(a, [2, 13, 22]);
        // Maj: b where a and c differ, c where they do not.
        let a_c = self.push(Op::Xor(a, c));
        let b_c = self.push(Op::Xor(b, c));
        let majority = self.chosen(a_c, b_c, c);
        let new_e = self.add2(d, first);
        let new_a = self.add3(first, sigma, majority);
        *v = [new_a, a, b, c, new_e, e, f, g];
    }
}
