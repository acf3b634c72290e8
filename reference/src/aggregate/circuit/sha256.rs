//! SHA-256 (FIPS 180-4, section 6.2.2), by the operations that spec section 8 keeps numbers for.
//!
//! | words | slots | content |
//! |---|---|---|
//! | 0..7 | 0, 1 | H before the block, input |
//! | 8..23 | 2..5 | the block, input |
//! | 24..31 | 6, 7 | H after it, output |
//! | 32..95 | 8..23 | K, input: pinned by the wiring |
//! | bits 3072..25527 | | products |
//! | bits 25528..32767 | | unused, forced to 0 |

use super::{Circuit, Op};

/// Products of a word of the message schedule, and of a round.
const OF_SCHEDULE: usize = 61 + 31;
const OF_ROUND: usize = 32 + 61 + 61 + 32 + 31 + 61;

impl Circuit {
    /// That of SHA-256.
    pub fn sha256() -> Circuit {
        Circuit { log2_bits: 15, io_slots: 24, log2_slots: 5, program: program() }
    }
}

struct Program(Vec<Op>);

impl Program {
    fn push(&mut self, op: Op) -> usize {
        self.0.push(op);
        self.0.len() - 1
    }

    /// Three words over GF(2).
    fn xor3(&mut self, [x, y, z]: [usize; 3]) -> usize {
        let xy = self.push(Op::Xor(x, y));
        self.push(Op::Xor(xy, z))
    }

    /// A capital sigma: the sum of three rotations.
    fn large_sigma(&mut self, x: usize, by: [usize; 3]) -> usize {
        let rotated = by.map(|n| self.push(Op::Rotr(x, n)));
        self.xor3(rotated)
    }

    /// A small sigma: the sum of two rotations and a shift.
    fn small_sigma(&mut self, x: usize, [a, b, c]: [usize; 3]) -> usize {
        let rotated = [a, b].map(|n| self.push(Op::Rotr(x, n)));
        let shifted = self.push(Op::Shr(x, c));
        self.xor3([rotated[0], rotated[1], shifted])
    }
}

fn program() -> Vec<Op> {
    let mut program = Program(Vec::new());
    let start: [usize; 8] = std::array::from_fn(|i| program.push(Op::Input(i)));
    let mut w: Vec<usize> = (8..24).map(|word| program.push(Op::Input(word))).collect();
    let k: Vec<usize> = (32..96).map(|word| program.push(Op::Input(word))).collect();
    let mut p = 3072;
    for t in 16..64 {
        let s1 = program.small_sigma(w[t - 2], [17, 19, 10]);
        let s0 = program.small_sigma(w[t - 15], [7, 18, 3]);
        let three = program.push(Op::Add3(s1, w[t - 7], s0, p));
        w.push(program.push(Op::Add2(three, w[t - 16], p + 61)));
        p += OF_SCHEDULE;
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = start;
    for t in 0..64 {
        let s1 = program.large_sigma(e, [6, 11, 25]);
        // Ch: g + e (f + g).
        let fg = program.push(Op::Xor(f, g));
        let chosen = program.push(Op::And2(e, fg, p));
        let ch = program.push(Op::Xor(chosen, g));
        let three = program.push(Op::Add3(h, s1, ch, p + 32));
        let t1 = program.push(Op::Add3(three, k[t], w[t], p + 93));
        let s0 = program.large_sigma(a, [2, 13, 22]);
        // Maj: c + (a + c) (b + c).
        let ac = program.push(Op::Xor(a, c));
        let bc = program.push(Op::Xor(b, c));
        let both = program.push(Op::And2(ac, bc, p + 154));
        let maj = program.push(Op::Xor(both, c));
        (h, g, f) = (g, f, e);
        e = program.push(Op::Add2(d, t1, p + 186));
        (d, c, b) = (c, b, a);
        a = program.push(Op::Add3(t1, s0, maj, p + 217));
        p += OF_ROUND;
    }
    for (i, (before, after)) in start.into_iter().zip([a, b, c, d, e, f, g, h]).enumerate() {
        let sum = program.push(Op::Add2(before, after, p));
        program.push(Op::Output(sum, 24 + i));
        p += 31;
    }
    program.0
}
