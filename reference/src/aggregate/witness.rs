//! What the prover knows: all bits of all compressions (spec sections 2.5 and 3.4).

use super::circuit::Circuit;
use super::wiring::{Rule, SLOTS};
use super::{BLOCKS_OF_A_SIGNATURE, Statement};
use crate::xmss_blake2s::Signature;

/// Words of a block of BLAKE2s.
const WORDS: usize = 512;
/// Blocks that are steps of chains.
const STEPS_OF_A_SIGNATURE: usize = 99;
/// Blocks of the leaf, after them.
const LEAF_BLOCKS: usize = 11;

/// `z` as words, and what the forms make of it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// `f`: word `y` of `z`.
    pub z: Vec<u32>,
    /// `A z`.
    pub a: Vec<u32>,
    /// `B z`.
    pub b: Vec<u32>,
}

impl Witness {
    /// With `a` and `b` as the matrices make them of any `z`.
    pub fn of(circuit: &Circuit, z: Vec<u32>) -> Witness {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for block in z.chunks(circuit.words()) {
            let [mut a_of_block, mut b_of_block] = [(); 2].map(|()| vec![0; circuit.words()]);
            if block.iter().any(|&word| word != 0) {
                circuit.rows(|position, forms| {
                    if let Some((x, y)) = forms {
                        set(&mut a_of_block, position, x);
                        set(&mut b_of_block, position, y);
                    }
                    block[position / 32] >> (position % 32) & 1 == 1
                });
            }
            a.extend(a_of_block);
            b.extend(b_of_block);
        }
        Witness { z, a, b }
    }
}

fn set(words: &mut [u32], position: usize, bit: bool) {
    words[position / 32] |= u32::from(bit) << (position % 32);
}

/// All words of one compression, by those of its first words that are inputs.
pub fn compress(circuit: &Circuit, inputs: &[u32]) -> Vec<u32> {
    let mut words = vec![0; circuit.words()];
    circuit.rows(|position, forms| {
        let bit = match forms {
            None => inputs[position / 32] >> (position % 32) & 1 == 1,
            Some((x, y)) => x & y,
        };
        set(&mut words, position, bit);
        bit
    });
    words
}

/// The words of all blocks, for signatures in the order of the statement: slots by their rules, free ones from the
/// signature. The last padding is zeros.
pub fn witness(statement: &Statement, rules: &[[Rule; SLOTS]], signatures: &[Signature]) -> Vec<u32> {
    assert_eq!(statement.signatures(), signatures.len(), "a signature for every key");
    let circuit = Circuit::blake2s();
    let mut z: Vec<u32> = Vec::new();
    for (rules, signature) in rules.chunks(BLOCKS_OF_A_SIGNATURE).zip(signatures) {
        // A value that ends its chain already is free in the leaf; the others are free where their walks begin.
        let (steps, rest) = rules.split_at(STEPS_OF_A_SIGNATURE);
        let content = rest[..LEAF_BLOCKS].iter().flat_map(|block| &block[4..8]).skip(2);
        let (at_end, walked): (Vec<_>, Vec<_>) =
            signature.values.iter().zip(content).partition(|(_, rule)| **rule == Rule::Free);
        let starts = steps.iter().filter(|block| block[6] == Rule::Free).count();
        assert_eq!(starts, walked.len(), "every other chain is walked");
        let values = walked.iter().chain(&at_end).map(|(value, _)| *value);
        let mut free = values.chain(&signature.path);
        for of_block in rules {
            let mut inputs = [0; 32];
            for slot in 0..8 {
                let words: [u32; 4] = match of_block[slot] {
                    Rule::Public(bytes) => words(&bytes),
                    Rule::Link(from, block) => {
                        z[WORDS * block + 4 * from..][..4].try_into().expect("four words")
                    }
                    Rule::Free => words(free.next().expect("as many free slots as values and siblings")),
                };
                inputs[4 * slot..][..4].copy_from_slice(&words);
            }
            z.extend(compress(&circuit, &inputs));
        }
    }
    z.resize(WORDS * rules.len(), 0);
    z
}

fn words(slot: &[u8; 16]) -> [u32; 4] {
    std::array::from_fn(|i| u32::from_le_bytes(slot[4 * i..][..4].try_into().expect("four bytes")))
}
