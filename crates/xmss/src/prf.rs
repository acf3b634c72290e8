//! The pseudorandom function: SHAKE128 with one Keccak-f a call (spec section 4).
//!
//! Inputs are shorter than the rate and outputs no longer than it, so a call is: fill the block, permute, read. The
//! block is prepared once per key and purpose; lanes differ in one or two words only.
#![forbid(unsafe_code)]

use super::prf_key::PrfKey;
use crate::fields::koala_bear::KoalaBear;
use crate::hashes::keccak;
use crate::hashes::poseidon::{Engine, MAX_LANES};
use phalanx_core::simd::Isa;
use zeroize::Zeroize;

/// The fixed prefix of every input.
pub(crate) const PREFIX: [u8; 16] =
    [0xae, 0xae, 0x22, 0xff, 0x00, 0x01, 0xfa, 0xff, 0x21, 0xaf, 0x12, 0x00, 0x01, 0x11, 0xff, 0x00];

/// Rate of SHAKE128 in bytes.
const RATE: usize = 168;

/// Domain byte of chain starts.
const CHAIN_START: u8 = 0x00;

/// Domain byte of signing randomness.
const RANDOMNESS: u8 = 0x01;

/// A prepared input block, and buffers for lanes of it. Wiped on drop.
pub(crate) struct Prf {
    block: [u64; 25],
    lanes: [[[u64; 8]; 25]; MAX_LANES / 8],
}

impl Drop for Prf {
    fn drop(&mut self) {
        self.block.zeroize();
        self.lanes.zeroize();
    }
}

impl Prf {
    /// Chain starts of `key`: `SHAKE128(PREFIX || 00 || key || BE32(epoch) || BE64(chain))`.
    pub(crate) fn chain_starts(key: &PrfKey) -> Self {
        Self::new(CHAIN_START, key, &[])
    }

    /// Randomness of `key` for one message at one epoch:
    /// `SHAKE128(PREFIX || 01 || key || BE32(epoch) || message || BE64(counter))`.
    pub(crate) fn randomness(key: &PrfKey, epoch: u32, message: &[u8; 32]) -> Self {
        let mut prf = Self::new(RANDOMNESS, key, message);
        prf.block[6] ^= epoch_word(epoch);
        prf
    }

    /// The block with epoch 0 and counter 0.
    fn new(domain: u8, key: &PrfKey, message: &[u8]) -> Self {
        let mut bytes = [0u8; 200];
        bytes[..16].copy_from_slice(&PREFIX);
        bytes[16] = domain;
        bytes[17..49].copy_from_slice(key.bytes());
        // Bytes 49..53 are the epoch.
        let counter = 53 + message.len();
        bytes[53..counter].copy_from_slice(message);
        // SHAKE's domain bits and first padding bit directly after the eight bytes of the counter, the last one at the
        // end of the rate (FIPS 202, section 6.2 and algorithm 9).
        bytes[counter + 8] = 0x1f;
        bytes[RATE - 1] ^= 0x80;
        let mut block = [0; 25];
        for (word, bytes) in block.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        bytes.zeroize();
        Self { block, lanes: [[[0; 8]; 25]; MAX_LANES / 8] }
    }

    /// The first `len <= 8` elements of the chain start of `chain(lane)` at `epoch(lane)`, in every lane.
    #[inline(always)]
    pub(crate) fn starts<E: Engine>(
        &mut self,
        engine: E,
        isa: Isa,
        epochs: &[u32; MAX_LANES],
        chains: &[u8; MAX_LANES],
        len: usize,
    ) -> [E::Word; 8] {
        self.fill(E::LANES);
        for lane in 0..E::LANES {
            self.lanes[lane / 8][6][lane % 8] ^= epoch_word(epochs[lane]);
            // Bytes 53..61, big-endian: the lowest byte is byte 60, byte 4 of word 7.
            self.lanes[lane / 8][7][lane % 8] ^= u64::from(chains[lane]) << 32;
        }
        self.squeeze(engine, isa, len)
    }

    /// The `len <= 8` elements of the randomness of counters `first, first + 1, ...`, one a lane.
    #[inline(always)]
    pub(crate) fn candidates<E: Engine>(
        &mut self,
        engine: E,
        isa: Isa,
        first: u32,
        len: usize,
    ) -> [E::Word; 8] {
        self.fill(E::LANES);
        for lane in 0..E::LANES {
            // Bytes 85..93, big-endian: bytes 88..93 are the first five bytes of word 11.
            let counter = u64::from(first) + lane as u64;
            self.lanes[lane / 8][11][lane % 8] ^= (counter << 24).swap_bytes();
        }
        self.squeeze(engine, isa, len)
    }

    /// Copies the block to the first `lanes` lanes.
    #[inline(always)]
    fn fill(&mut self, lanes: usize) {
        for group in &mut self.lanes[..lanes.div_ceil(8)] {
            for (words, &word) in group.iter_mut().zip(&self.block) {
                *words = [word; 8];
            }
        }
    }

    /// Permutes, and reads 16 bytes an element as a big-endian integer modulo `p`.
    #[inline(always)]
    fn squeeze<E: Engine>(&mut self, engine: E, isa: Isa, len: usize) -> [E::Word; 8] {
        match E::LANES {
            1 => {
                let mut state = self.lanes[0].map(|words| words[0]);
                keccak::permute(&mut state);
                for (words, word) in self.lanes[0].iter_mut().zip(state) {
                    words[0] = word;
                }
                state.zeroize();
            }
            4 => keccak::permute4(isa, &mut self.lanes[0]),
            lanes => {
                for group in &mut self.lanes[..lanes / 8] {
                    keccak::permute8(isa, group);
                }
            }
        }
        let mut elements = [engine.splat(KoalaBear::ZERO); 8];
        for (i, element) in elements[..len].iter_mut().enumerate() {
            let (mut high, mut low) = ([0; MAX_LANES], [0; MAX_LANES]);
            for (group, (high, low)) in
                self.lanes.iter().zip(high.as_chunks_mut::<8>().0.iter_mut().zip(low.as_chunks_mut::<8>().0))
            {
                for lane in 0..8 {
                    high[lane] = group[2 * i][lane].swap_bytes();
                    low[lane] = group[2 * i + 1][lane].swap_bytes();
                }
            }
            *element = engine.from_u128(&high[..E::LANES], &low[..E::LANES]);
        }
        elements
    }
}

/// `BE32(epoch)` at bytes 49..53: bytes 1..5 of word 6.
fn epoch_word(epoch: u32) -> u64 {
    u64::from(epoch.swap_bytes()) << 8
}
