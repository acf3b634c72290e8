//! Programs: what an operation is, and what a circuit says of itself.
#![forbid(unsafe_code)]

use alloc::vec::Vec;

/// An operation. Operands that are words are numbers of the operations that made them; `p` is the position of the first
/// of its products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Word `word` of the block.
    Input {
        /// Which.
        word: usize,
    },
    /// a + b over GF(2).
    Xor(usize, usize),
    /// The word, rotated right by this many bits.
    Rotr(usize, usize),
    /// x + y modulo 2^32: 31 products.
    Add2 {
        /// The first summand.
        x: usize,
        /// The second summand.
        y: usize,
        /// Where its products are.
        p: usize,
    },
    /// x + y + t modulo 2^32: 61 products.
    Add3 {
        /// The first summand.
        x: usize,
        /// The second summand.
        y: usize,
        /// The third summand.
        t: usize,
        /// Where its products are.
        p: usize,
    },
    /// A word becomes word `word` of the block.
    Output {
        /// The word's operation.
        a: usize,
        /// Which.
        word: usize,
    },
    /// The products of the bits of two words: 32 of them.
    And2 {
        /// The first factor.
        x: usize,
        /// The second factor.
        y: usize,
        /// Where its products are.
        p: usize,
    },
    /// The word, shifted right by this many bits.
    Shr(usize, usize),
}

/// A compression function.
pub(crate) trait Circuit {
    /// log2 of the bits of a block.
    const LOG2_BITS: usize;
    /// log2 of the bits of a slot.
    const LOG2_SLOT_BITS: usize;
    /// log2 of the slots that wirings may speak of; inputs and outputs come first.
    const LOG2_SLOTS: usize;
    /// Slots that are inputs or outputs: part of the listing.
    #[cfg(test)]
    const SLOTS: usize;
    /// BLAKE2s of the listing: what proofs are bound to.
    const DIGEST: [u8; 32];
    /// Input words that are the same in every compression, in whole slots: where they begin, and which they are. The circuit
    /// does not know them; a wiring has to say them of every block.
    const CONSTANTS: (usize, &'static [u32]);

    /// Words of a block.
    const WORDS: usize = 1 << (Self::LOG2_BITS - 5);

    /// The operations in order.
    fn program() -> Vec<Op>;

    /// The program's bytes: 16-bit little-endian numbers.
    ///
    /// # Panics
    /// If a number of the program has more than 16 bits.
    #[cfg(test)]
    fn listing() -> Vec<u8> {
        let program = Self::program();
        let mut numbers = alloc::vec![Self::LOG2_BITS, Self::SLOTS, program.len()];
        for op in program {
            match op {
                Op::Input { word } => numbers.extend([1, word]),
                Op::Xor(a, b) => numbers.extend([2, a, b]),
                Op::Rotr(a, n) => numbers.extend([3, a, n]),
                Op::Add2 { x, y, p } => numbers.extend([4, x, y, p]),
                Op::Add3 { x, y, t, p } => numbers.extend([5, x, y, t, p]),
                Op::Output { a, word } => numbers.extend([6, a, word]),
                Op::And2 { x, y, p } => numbers.extend([7, x, y, p]),
                Op::Shr(a, n) => numbers.extend([8, a, n]),
            }
        }
        let bytes = |number| u16::try_from(number).expect("programs are short").to_le_bytes();
        numbers.into_iter().flat_map(bytes).collect()
    }
}
