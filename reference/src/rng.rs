//! The seeded generator of key generation: ChaCha12 as in Rust's `StdRng` (spec section 5).

use crate::field::{from_montgomery, is_canonical};

/// "expand 32-byte k", the constant row of the ChaCha state.
const SIGMA: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
/// Twelve rounds, two at a time.
const DOUBLE_ROUNDS: usize = 6;

/// A stream of 32-bit words from a 32-byte seed.
#[derive(Clone, Debug)]
pub struct Rng {
    key: [u32; 8],
    /// Number of the next block.
    counter: u64,
    /// Words of the current block not yet given out, the next one last.
    pending: Vec<u32>,
}

impl Rng {
    /// The stream of this seed, from its first word.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(seed.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("chunks of four bytes"));
        }
        Self { key, counter: 0, pending: Vec::new() }
    }

    /// The stream of the seed that `rand` derives from a number. Source: eight PCG32 outputs, spec section 5.
    pub fn seed_from_u64(number: u64) -> Self {
        let mut x = number;
        let mut seed = [0; 32];
        for bytes in seed.chunks_exact_mut(4) {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(11_634_580_027_462_260_723);
            let xorshifted = low_word(((x >> 18) ^ x) >> 27);
            let rotation = u32::try_from(x >> 59).expect("five bits");
            bytes.copy_from_slice(&xorshifted.rotate_right(rotation).to_le_bytes());
        }
        Self::from_seed(&seed)
    }

    /// The next 32-bit word.
    pub fn next_u32(&mut self) -> u32 {
        if self.pending.is_empty() {
            self.pending = block(&self.key, self.counter).into_iter().rev().collect();
            self.counter += 1;
        }
        self.pending.pop().expect("a block holds sixteen words")
    }

    /// A random field element: 31 bits, drawn again until below `p`, taken as the Montgomery form.
    pub fn element(&mut self) -> u32 {
        loop {
            let candidate = self.next_u32() >> 1;
            if is_canonical(candidate) {
                return from_montgomery(candidate);
            }
        }
    }

    /// `count` random field elements, in index order.
    pub fn elements(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.element()).collect()
    }

    /// 32 random bytes, each the low byte of a word of its own.
    pub fn bytes32(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| self.next_u32().to_le_bytes()[0])
    }
}

/// One ChaCha12 block: words 12 and 13 are the block counter, words 14 and 15 are zero.
fn block(key: &[u32; 8], counter: u64) -> [u32; 16] {
    let mut input = [0; 16];
    input[..4].copy_from_slice(&SIGMA);
    input[4..12].copy_from_slice(key);
    input[12] = low_word(counter);
    input[13] = low_word(counter >> 32);

    let mut state = input;
    for _ in 0..DOUBLE_ROUNDS {
        for column in 0..4 {
            quarter_round(&mut state, column, 4 + column, 8 + column, 12 + column);
        }
        for diagonal in 0..4 {
            let wrapped = |row: usize| 4 * row + (diagonal + row) % 4;
            quarter_round(&mut state, wrapped(0), wrapped(1), wrapped(2), wrapped(3));
        }
    }
    std::array::from_fn(|i| state[i].wrapping_add(input[i]))
}

/// The ChaCha quarter round. Source: RFC 8439 section 2.1.
fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (x, y, z, rotation) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[x] = state[x].wrapping_add(state[y]);
        state[z] = (state[z] ^ state[x]).rotate_left(rotation);
    }
}

fn low_word(x: u64) -> u32 {
    u32::try_from(x & 0xffff_ffff).expect("masked to 32 bits")
}
