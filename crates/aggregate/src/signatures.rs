//! A statement about XMSS signatures as a wiring: which compressions a verification is made of, and how they hang
//! together (docs/aggregate.md, section 3.4). All that is particular to XMSS is in this file.
#![forbid(unsafe_code)]

use crate::error::ProofError;
use crate::statement::{Signer, Statement};
use crate::wiring::{Rule, SLOT_LEN, Wiring};
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_xmss::blake2s::Signature;
use phalanx_xmss::blake2s::parts::{CHAINS, HEIGHT, STEPS, chain_tweak, digits, leaf_tweak, node_tweak};

/// Blocks of a signature: steps of its chains, then its leaf, then the nodes of its path.
pub(crate) const BLOCKS: usize = CHAIN_STEPS + LEAF_BLOCKS + HEIGHT as usize;
/// Steps of all chains: the digits add up to 195.
pub(crate) const CHAIN_STEPS: usize = 99;
/// Blocks of a leaf: tweak, parameter, the ends of 42 chains.
const LEAF_BLOCKS: usize = 11;
/// Bytes of a randomizer.
pub(crate) const RANDOMIZER_LEN: usize = 24;

/// The slot with the first half of a block's output: all that anybody looks at, but for the blocks of a leaf.
const OUTPUT: usize = 8;

const ZERO: [u8; SLOT_LEN] = [0; SLOT_LEN];
pub(crate) const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
/// The parameter word of BLAKE2s-256 without a key (RFC 7693, section 2.8).
const PARAMETERS: u32 = 0x0101_0020;

// What most blocks have in their first four slots: made once, since the verifier asks for them hundreds of times a signature.

/// h as BLAKE2s begins.
pub(crate) const START: [[u8; SLOT_LEN]; 2] =
    [bytes([IV[0] ^ PARAMETERS, IV[1], IV[2], IV[3]]), bytes([IV[4], IV[5], IV[6], IV[7]])];
/// The third quarter of the state.
pub(crate) const THIRD: [u8; SLOT_LEN] = bytes([IV[0], IV[1], IV[2], IV[3]]);
/// The fourth, in a step of a chain and in a node.
const OF_STEP: [u8; SLOT_LEN] = fourth(48, true);
const OF_NODE: [u8; SLOT_LEN] = fourth(64, true);

/// log2 of the number of blocks: the smallest n of at least 8 with 2^n blocks for so many signatures.
pub(crate) fn log2_blocks(signatures: usize) -> usize {
    let needed = BLOCKS * signatures;
    (needed.next_power_of_two().trailing_zeros() as usize).max(8)
}

/// The verifications of all signatures of a statement.
pub(crate) struct Verifications<'a> {
    signatures: Vec<(Signer<'a>, [u8; CHAINS])>,
}

impl<'a> Verifications<'a> {
    /// For the randomizers of the signatures, one after the other.
    ///
    /// # Errors
    /// [`ProofError::NoEncoding`] names the first that gives none.
    ///
    /// # Panics
    /// If there is not a randomizer for every signature.
    pub(crate) fn new(statement: &'a Statement, randomizers: &[u8]) -> Result<Self, ProofError> {
        let randomizers = randomizers.as_chunks::<RANDOMIZER_LEN>().0;
        assert_eq!(randomizers.len(), statement.signatures(), "a randomizer for every signature");
        let signatures =
            statement.signers().zip(randomizers).enumerate().map(|(index, (signer, randomizer))| {
                let [_, parameter] = halves(signer.key);
                let digits = digits(&parameter, signer.epoch, signer.message, randomizer);
                Ok((signer, digits.ok_or(ProofError::NoEncoding { index })?))
            });
        Ok(Self { signatures: signatures.collect::<Result<_, _>>()? })
    }

    /// Calls `visit(block, slot, rule)` for the rules of one signature, blocks in order.
    pub(crate) fn rules_of_signature(&self, index: usize, visit: &mut dyn FnMut(usize, usize, Rule)) {
        let (signer, digits) = &self.signatures[index];
        let mut blocks = Blocks { next: BLOCKS * index, visit };
        blocks.signature(signer, digits);
        assert_eq!(blocks.next, BLOCKS * (index + 1), "digits add up to 195");
    }

    /// What a signature puts into its free input slots, in order: the values whose chains have steps to go, those at the
    /// end of theirs, the path.
    pub(crate) fn free(&self, index: usize, signature: &Signature) -> Vec<[u8; SLOT_LEN]> {
        let bytes = signature.to_bytes();
        let (values, rest) = bytes.split_at(SLOT_LEN * CHAINS);
        let values = values.as_chunks::<SLOT_LEN>().0;
        let path = rest[RANDOMIZER_LEN..].as_chunks::<SLOT_LEN>().0;
        let digits = &self.signatures[index].1;
        let at_end = |end: bool| {
            let chains = values.iter().zip(digits);
            chains.filter(move |(_, digit)| (**digit == STEPS) == end).map(|(value, _)| *value)
        };
        at_end(false).chain(at_end(true)).chain(path.iter().copied()).collect()
    }
}

/// The randomizer of a signature.
pub(crate) fn randomizer(signature: &Signature) -> [u8; RANDOMIZER_LEN] {
    let bytes = signature.to_bytes();
    *bytes[SLOT_LEN * CHAINS..].first_chunk().expect("a signature has one")
}

impl Wiring for Verifications<'_> {
    fn units(&self) -> usize {
        self.signatures.len()
    }

    fn blocks_of_a_unit(&self) -> usize {
        BLOCKS
    }

    fn rules_of(&self, signatures: Range<usize>, visit: &mut dyn FnMut(usize, usize, Rule)) {
        signatures.for_each(|index| self.rules_of_signature(index, visit));
    }
}

/// The blocks of a signature, one after the other.
struct Blocks<'a> {
    next: usize,
    visit: &'a mut dyn FnMut(usize, usize, Rule),
}

impl Blocks<'_> {
    fn signature(&mut self, signer: &Signer<'_>, digits: &[u8; CHAINS]) {
        let [root, parameter] = halves(signer.key);
        let epoch = signer.epoch;
        let mut ends = [None; CHAINS];
        for (chain, (digit, end)) in (0..).zip(digits.iter().zip(&mut ends)) {
            for k in *digit..STEPS {
                self.start();
                self.state(OF_STEP);
                self.public(4, chain_tweak(chain, k.into(), epoch));
                self.public(5, parameter);
                // Only the first value of a walk is the prover's to choose.
                self.same(6, *end);
                self.public(7, ZERO);
                *end = Some(self.end());
            }
        }
        let leaf = self.leaf(epoch, parameter, &ends);
        self.path(epoch, parameter, root, leaf);
    }

    /// The leaf's blocks; gives the last one.
    fn leaf(&mut self, epoch: u32, parameter: [u8; SLOT_LEN], ends: &[Option<usize>; CHAINS]) -> usize {
        let mut before = None;
        for block in 0..LEAF_BLOCKS {
            match before {
                None => self.start(),
                Some(before) => {
                    // The whole output is the next block's h.
                    for slot in 0..2 {
                        self.rule(slot, Rule::Link { slot: OUTPUT + slot, block: before });
                    }
                }
            }
            let count = u32::try_from(64 * (block + 1)).expect("eleven blocks");
            self.state(fourth(count, block + 1 == LEAF_BLOCKS));
            for slot in 4..8 {
                match 4 * block + slot - 4 {
                    0 => self.public(slot, leaf_tweak(epoch)),
                    1 => self.public(slot, parameter),
                    content => self.same(slot, ends[content - 2]),
                }
            }
            before = Some(self.end());
        }
        before.expect("a leaf has blocks")
    }

    /// The nodes from the leaf's parent to the root.
    fn path(&mut self, epoch: u32, parameter: [u8; SLOT_LEN], root: [u8; SLOT_LEN], leaf: usize) {
        let mut child = leaf;
        for level in 1..=u32::from(HEIGHT) {
            self.start();
            self.state(OF_NODE);
            let index = u32::try_from(u64::from(epoch) >> level).expect("at most the epoch");
            self.public(4, node_tweak(level, index));
            self.public(5, parameter);
            let side = 6 + (epoch >> (level - 1) & 1) as usize;
            self.rule(side, Rule::Link { slot: OUTPUT, block: child });
            if level == u32::from(HEIGHT) {
                self.public(OUTPUT, root);
            }
            child = self.end();
        }
    }

    /// h as BLAKE2s begins.
    fn start(&mut self) {
        self.public(0, START[0]);
        self.public(1, START[1]);
    }

    /// The second half of the state.
    fn state(&mut self, fourth: [u8; SLOT_LEN]) {
        self.public(2, THIRD);
        self.public(3, fourth);
    }

    /// Equal to the output of a block, or free.
    fn same(&mut self, slot: usize, output: Option<usize>) {
        if let Some(block) = output {
            self.rule(slot, Rule::Link { slot: OUTPUT, block });
        }
    }

    fn public(&mut self, slot: usize, bytes: [u8; SLOT_LEN]) {
        self.rule(slot, Rule::Public(bytes));
    }

    fn rule(&mut self, slot: usize, rule: Rule) {
        (self.visit)(self.next, slot, rule);
    }

    /// Ends the block; gives its number.
    fn end(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }
}

/// Root and public parameter of a key.
fn halves(key: &[u8; 32]) -> [[u8; SLOT_LEN]; 2] {
    let (halves, _) = key.as_chunks();
    [halves[0], halves[1]]
}

/// The fourth quarter of the state, with the count of bytes and whether the block is the last.
pub(crate) const fn fourth(count: u32, last: bool) -> [u8; SLOT_LEN] {
    bytes([IV[4] ^ count, IV[5], if last { !IV[6] } else { IV[6] }, IV[7]])
}

const fn bytes(words: [u32; 4]) -> [u8; SLOT_LEN] {
    let mut bytes = [0; SLOT_LEN];
    let mut i = 0;
    while i < SLOT_LEN {
        bytes[i] = words[i / 4].to_le_bytes()[i % 4];
        i += 1;
    }
    bytes
}
