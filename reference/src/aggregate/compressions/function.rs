//! The compression functions that have suites, each with what is its own.

use crate::aggregate::circuit::Circuit;

/// A compression function, and the strings of its suites.
#[derive(Clone, Debug)]
pub struct Function {
    /// As products of bits.
    pub circuit: Circuit,
    /// The suite strings, with 100 and with 128 bits.
    pub suites: [&'static str; 2],
    /// What a proof begins with.
    pub magic: &'static [u8; 4],
    /// What the context of an opening begins with.
    pub opening: &'static str,
    /// Slots that a statement may make public: the first of a block.
    pub public_slots: usize,
    /// The most compressions of a statement.
    pub most: usize,
    /// Whether statements have the first byte of a word as its highest.
    pub big_endian: bool,
    /// Slots that are public in every block, whatever the statement says, with their bytes in the block's order.
    pub constants: Vec<(usize, [u8; 16])>,
}

impl Function {
    /// BLAKE2s: 8 slots of input, 2 of output (spec section 7.4).
    pub fn blake2s() -> Function {
        Function {
            circuit: Circuit::blake2s(),
            suites: ["phalanx-compressions-v1-provable100", "phalanx-compressions-v1-provable128"],
            magic: b"PXC1",
            opening: "phalanx-compressions-v1",
            public_slots: 10,
            most: 1 << 21,
            big_endian: false,
            constants: Vec::new(),
        }
    }

    /// SHA-256: 2 slots of the state before, 4 of the block, 2 of the state after it.
    pub fn sha256() -> Function {
        let k = constants();
        let constants = (8..).zip(k.chunks(4)).map(|(slot, words)| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            (slot, bytes.try_into().expect("four words"))
        });
        Function {
            circuit: Circuit::sha256(),
            suites: [
                "phalanx-sha256-compressions-v1-provable100",
                "phalanx-sha256-compressions-v1-provable128",
            ],
            magic: b"PXS1",
            opening: "phalanx-sha256-compressions-v1",
            public_slots: 8,
            most: 1 << 20,
            big_endian: true,
            constants: constants.collect(),
        }
    }

    /// The bytes of a slot in the block's order from those of a statement, and the other way around.
    pub fn reordered(&self, mut slot: [u8; 16]) -> [u8; 16] {
        if self.big_endian {
            slot.chunks_mut(4).for_each(<[u8]>::reverse);
        }
        slot
    }

    /// A block's first words, from those of its inputs that are no constants.
    pub fn inputs(&self, given: &[u32]) -> Vec<u32> {
        let mut words = given.to_vec();
        words.resize(4 * self.circuit.io_slots, 0);
        for (slot, bytes) in &self.constants {
            for (word, bytes) in words[4 * slot..].iter_mut().zip(bytes.chunks(4)) {
                *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
            }
        }
        words
    }
}

/// K (FIPS 180-4, section 4.2.2): the first 32 bits behind the point of the cube roots of the first 64 primes.
pub fn constants() -> Vec<u32> {
    let is_prime = |n: &u128| !(2..*n).any(|d| n.is_multiple_of(d));
    let root = |prime: u128| {
        // The largest r with r^3 <= 2^96 p: 2^32 times the root, rounded down.
        let (mut low, mut high) = (0_u128, 1 << 36);
        while high - low > 1 {
            let middle = u128::midpoint(low, high);
            if middle * middle * middle <= prime << 96 { low = middle } else { high = middle }
        }
        u32::try_from(low % (1 << 32)).expect("32 bits")
    };
    (2..).filter(is_prime).take(64).map(root).collect()
}
