//! Compression functions as products of bits (spec sections 2 and 8).

mod blake2s;
mod sha256;

use crate::xmss_blake2s::blake2s;
use std::ops::BitXor;

/// An operation. Words are named by the number of the operation that made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Input word `word` of the block.
    Input(usize),
    /// The sum of two words over GF(2).
    Xor(usize, usize),
    /// A word, rotated to the right.
    Rotr(usize, usize),
    /// x + y modulo 2^32, products from position p on.
    Add2(usize, usize, usize),
    /// x + y + t modulo 2^32, products from position p on.
    Add3(usize, usize, usize, usize),
    /// Word a is word `word` of the block.
    Output(usize, usize),
    /// The products of the bits of two words, from position p on.
    And2(usize, usize, usize),
    /// A word, shifted to the right.
    Shr(usize, usize),
}

/// A circuit (spec section 8).
#[derive(Clone, Debug)]
pub struct Circuit {
    /// log2 of the bits of a block.
    pub log2_bits: usize,
    /// Slots that are inputs or outputs; they come first.
    pub io_slots: usize,
    /// log2 of the slots that the wiring looks at.
    pub log2_slots: usize,
    /// Its operations.
    pub program: Vec<Op>,
}

impl Circuit {
    /// Bits of a block.
    pub fn positions(&self) -> usize {
        1 << self.log2_bits
    }

    /// Words of a block.
    pub fn words(&self) -> usize {
        self.positions() / 32
    }

    /// Slots of a block that the wiring looks at.
    pub fn slots(&self) -> usize {
        1 << self.log2_slots
    }

    /// The program's bytes (spec section 2.4).
    pub fn listing(&self) -> Vec<u8> {
        let mut numbers = vec![self.log2_bits, self.io_slots, self.program.len()];
        for &op in &self.program {
            match op {
                Op::Input(word) => numbers.extend([1, word]),
                Op::Xor(a, b) => numbers.extend([2, a, b]),
                Op::Rotr(a, n) => numbers.extend([3, a, n]),
                Op::Add2(x, y, p) => numbers.extend([4, x, y, p]),
                Op::Add3(x, y, t, p) => numbers.extend([5, x, y, t, p]),
                Op::Output(a, word) => numbers.extend([6, a, word]),
                Op::And2(x, y, p) => numbers.extend([7, x, y, p]),
                Op::Shr(a, n) => numbers.extend([8, a, n]),
            }
        }
        numbers.into_iter().flat_map(|x| u16::try_from(x).expect("16 bits").to_le_bytes()).collect()
    }

    /// The circuit digest (spec section 2.4).
    pub fn digest(&self) -> [u8; 32] {
        blake2s(&[], &[&b"phalanx circuit v1"[..], &self.listing()].concat())
    }

    /// Walks the program forwards. `z` gives what stands at an input position, and, told both forms of a row, what stands
    /// at that row's position; it is told those of inputs and outputs as well. `V` is what forms take values in.
    pub fn rows<V: Copy + Default + BitXor<Output = V>>(
        &self,
        mut z: impl FnMut(usize, Option<(V, V)>) -> V,
    ) {
        let mut words: Vec<[V; 32]> = Vec::new();
        for &op in &self.program {
            let word = match op {
                Op::Input(word) => std::array::from_fn(|i| {
                    let bit = z(32 * word + i, None);
                    z(32 * word + i, Some((bit, bit)));
                    bit
                }),
                Op::Xor(a, b) => std::array::from_fn(|i| words[a][i] ^ words[b][i]),
                Op::Rotr(a, n) => std::array::from_fn(|i| words[a][(i + n) % 32]),
                Op::Add2(x, y, p) => {
                    let (x, y, mut c) = (words[x], words[y], [V::default(); 32]);
                    for i in 0..31 {
                        c[i + 1] = c[i] ^ z(p + i, Some((x[i] ^ c[i], y[i] ^ c[i])));
                    }
                    std::array::from_fn(|i| x[i] ^ y[i] ^ c[i])
                }
                Op::Add3(x, y, t, p) => {
                    let (x, y, t) = (words[x], words[y], words[t]);
                    let (mut q, mut c) = ([V::default(); 32], [V::default(); 32]);
                    for i in 0..31 {
                        q[i + 1] = t[i] ^ z(p + i, Some((x[i] ^ t[i], y[i] ^ t[i])));
                    }
                    let s: [V; 32] = std::array::from_fn(|i| x[i] ^ y[i] ^ t[i]);
                    for i in 1..31 {
                        c[i + 1] = c[i] ^ z(p + 30 + i, Some((s[i] ^ c[i], q[i] ^ c[i])));
                    }
                    std::array::from_fn(|i| s[i] ^ q[i] ^ c[i])
                }
                Op::Output(a, word) => {
                    for (i, &bit) in words[a].iter().enumerate() {
                        z(32 * word + i, Some((bit, bit)));
                    }
                    words[a]
                }
                Op::And2(x, y, p) => {
                    let (x, y) = (words[x], words[y]);
                    std::array::from_fn(|i| z(p + i, Some((x[i], y[i]))))
                }
                Op::Shr(a, n) => {
                    std::array::from_fn(|i| if i + n < 32 { words[a][i + n] } else { V::default() })
                }
            };
            words.push(word);
        }
    }

    /// Walks the program backwards: with weights for the rows of both matrices, what every column of them adds up to.
    pub fn columns<V: Copy + Default + BitXor<Output = V>>(&self, a0: &[V], b0: &[V]) -> Vec<V> {
        fn add<V: Copy + BitXor<Output = V>>(to: &mut V, what: V) {
            *to = *to ^ what;
        }
        let program = &self.program;
        let mut m = vec![V::default(); self.positions()];
        // What the bits of every word are counted with.
        let mut of_words = vec![[V::default(); 32]; program.len()];
        for (number, op) in program.iter().enumerate().rev() {
            let g = of_words[number];
            match *op {
                Op::Input(word) => {
                    for (i, &g) in g.iter().enumerate() {
                        let row = 32 * word + i;
                        add(&mut m[row], g ^ a0[row] ^ b0[row]);
                    }
                }
                Op::Xor(a, b) => {
                    for i in 0..32 {
                        add(&mut of_words[a][i], g[i]);
                        add(&mut of_words[b][i], g[i]);
                    }
                }
                Op::Rotr(a, n) => {
                    for i in 0..32 {
                        add(&mut of_words[a][(i + n) % 32], g[i]);
                    }
                }
                Op::Add2(x, y, p) => {
                    let (mut gx, mut gy, mut gc) = (g, g, g);
                    for i in (0..31).rev() {
                        let (row, carry) = (p + i, gc[i + 1]);
                        add(&mut m[row], carry);
                        add(&mut gx[i], a0[row]);
                        add(&mut gy[i], b0[row]);
                        add(&mut gc[i], carry ^ a0[row] ^ b0[row]);
                    }
                    for i in 0..32 {
                        add(&mut of_words[x][i], gx[i]);
                        add(&mut of_words[y][i], gy[i]);
                    }
                }
                Op::Add3(x, y, t, p) => {
                    let (mut gs, mut gq, mut gc) = (g, g, g);
                    for i in (1..31).rev() {
                        let (row, carry) = (p + 30 + i, gc[i + 1]);
                        add(&mut m[row], carry);
                        add(&mut gs[i], a0[row]);
                        add(&mut gq[i], b0[row]);
                        add(&mut gc[i], carry ^ a0[row] ^ b0[row]);
                    }
                    let (mut gx, mut gy, mut gt) = (gs, gs, gs);
                    for i in 0..31 {
                        let (row, carry) = (p + i, gq[i + 1]);
                        add(&mut m[row], carry);
                        add(&mut gx[i], a0[row]);
                        add(&mut gy[i], b0[row]);
                        add(&mut gt[i], carry ^ a0[row] ^ b0[row]);
                    }
                    for i in 0..32 {
                        add(&mut of_words[x][i], gx[i]);
                        add(&mut of_words[y][i], gy[i]);
                        add(&mut of_words[t][i], gt[i]);
                    }
                }
                Op::Output(a, word) => {
                    for (i, g) in of_words[a].iter_mut().enumerate() {
                        let row = 32 * word + i;
                        add(g, a0[row] ^ b0[row]);
                    }
                }
                Op::And2(x, y, p) => {
                    for (i, &g) in g.iter().enumerate() {
                        add(&mut m[p + i], g);
                        add(&mut of_words[x][i], a0[p + i]);
                        add(&mut of_words[y][i], b0[p + i]);
                    }
                }
                Op::Shr(a, n) => {
                    for i in n..32 {
                        add(&mut of_words[a][i], g[i - n]);
                    }
                }
            }
        }
        m
    }
}
