//! Compressions of SHA-256, each with public and hidden slots, in one proof (docs/aggregate.md, section 8).
//!
//! All is as for [BLAKE2s](super), but for the slots: 0 and 1 are the state before, 2 to 5 the block, 6 and 7 the state after
//! it, bytes in the order in which messages and digests have them. The round constants are inputs of the circuit, and part of
//! every statement without being said. **A hidden slot is not stated, and it is not a secret.**
//!
//! # Examples
//!
//! ```
//! use phalanx_aggregate::compressions::sha256::{Statement, inputs_of_message, of_message, prove, verify};
//! use phalanx_aggregate::{Limits, Profile};
//!
//! // SHA-256 of 32 bytes that are 7.
//! let digest = [
//!     0x4b, 0xb0, 0x6f, 0x8e, 0x4e, 0x3a, 0x77, 0x15, 0xd2, 0x01, 0xd5, 0x73, 0xd0, 0xaa, 0x42, 0x37,
//!     0x62, 0xe5, 0x5d, 0xab, 0xd6, 0x1a, 0x2c, 0x02, 0x27, 0x8f, 0xa5, 0x6c, 0xc6, 0xd2, 0x94, 0xe0,
//! ];
//! let statement = Statement::of(&[of_message(&digest, 32).expect("two slots")])?;
//! let inputs = inputs_of_message(&[7; 32]).expect("two slots");
//! let proof = prove(Profile::Provable128, &statement, &[inputs], b"example")?;
//! assert!(verify(&Limits::new(&[Profile::Provable128]), &statement, b"example", &proof).is_ok());
//! # Ok::<(), phalanx_aggregate::Error>(())
//! ```
#![forbid(unsafe_code)]

use super::function::{Function, slot_of_words};
use super::statement::StatementOf;
use super::{prover, verifier};
use crate::circuit::Sha256Compression;
use crate::error::{Error, ProofError};
use crate::profile::{Limits, Profile};
use crate::signatures::IV;
use crate::suites;
use crate::transcript::Names;
use crate::wiring::SLOT_LEN;
use alloc::vec::Vec;
use phalanx_core::threads::{Inline, Pool};

/// Slots that may be public: 0 to 5 are the input, 6 and 7 the output.
pub const PUBLIC_SLOTS: usize = 8;
/// The most compressions of a statement.
pub const MAX_BLOCKS: usize = 1 << 20;

/// What is in the public slots of a compression; the others are hidden. Slots 0 and 1 are the state before, 2 to 5 the block,
/// 6 and 7 the state after it: words in big-endian order.
pub type Public = [Option<[u8; 16]>; PUBLIC_SLOTS];

/// The words of a compression's slots 0 to 5.
pub type Inputs = [u32; 24];

/// What is in the public slots of compressions of SHA-256.
pub type Statement = StatementOf<PUBLIC_SLOTS, MAX_BLOCKS>;

/// SHA-256, with its suites.
pub(crate) struct Sha256;

impl Function for Sha256 {
    type Circuit = Sha256Compression;
    const BIG_ENDIAN: bool = true;

    fn names(profile: Profile) -> &'static Names {
        match profile {
            Profile::Provable100 => &suites::SHA256_COMPRESSIONS100,
            Profile::Provable128 => &suites::SHA256_COMPRESSIONS128,
        }
    }
}

/// One proof for compressions of these inputs, in the order of the statement. `context` is bound to it, of any length: who
/// verifies has to name the same. The same input gives the same bytes.
///
/// # Errors
/// [`Error::InputCount`]; [`Error::FalseSlot`] names the first public slot in which there is something else;
/// [`Error::Memory`] above [`DEFAULT_MEMORY_LIMIT`](crate::DEFAULT_MEMORY_LIMIT).
pub fn prove(
    profile: Profile,
    statement: &Statement,
    inputs: &[Inputs],
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    prove_on(&Inline, profile, statement, inputs, context)
}

/// [`prove`] on the threads of a pool. The answer is the same.
///
/// # Errors
/// As [`prove`].
pub fn prove_on(
    pool: &dyn Pool,
    profile: Profile,
    statement: &Statement,
    inputs: &[Inputs],
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    prover::prove_on::<Sha256, PUBLIC_SLOTS, MAX_BLOCKS, _>(pool, profile, statement, inputs, context)
}

/// The memory that proving takes, in bytes, without what the caller holds.
#[must_use]
pub fn memory_len(profile: Profile, compressions: usize) -> u64 {
    prover::memory_len::<Sha256>(profile, compressions)
}

/// Verifies that for every compression of the statement somebody knows the hidden slots. `context` is what the prover
/// bound the proof to, of any length.
///
/// # Errors
/// [`ProofError`] names the first check that failed, in the order of its variants.
pub fn verify(
    limits: &Limits,
    statement: &Statement,
    context: &[u8],
    proof: &[u8],
) -> Result<(), ProofError> {
    verifier::verify::<Sha256, PUBLIC_SLOTS, MAX_BLOCKS>(limits, statement, context, proof)
}

/// Proofs of any words, which promise nothing: for tests of the verifier.
#[cfg(feature = "hazmat")]
pub mod hazmat {
    use super::{Error, Inputs, MAX_BLOCKS, PUBLIC_SLOTS, Profile, Sha256, Statement, prover::any};
    use alloc::vec::Vec;

    /// The committed words of compressions of these inputs.
    #[must_use]
    pub fn words(inputs: &[Inputs]) -> Vec<u32> {
        any::words::<Sha256, _>(inputs)
    }

    /// The proof of any words under a statement, by the honest prover. `bend` may change the forms A z and B z.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn prove(
        profile: Profile,
        statement: &Statement,
        words: Vec<u32>,
        context: &[u8],
        bend: impl FnOnce(&mut [u32], &mut [u32]),
    ) -> Result<Vec<u8>, Error> {
        any::prove::<Sha256, PUBLIC_SLOTS, MAX_BLOCKS>(profile, statement, words, context, bend)
    }
}

/// The bytes of a block.
const BLOCK_LEN: usize = 64;

/// SHA-256 of a hidden message of `len` bytes: its digest and everything else is public. `None` unless `len` is 16, 32 or 48: a
/// slot is hidden as a whole, and the message's end and its length have to follow in the same block.
#[must_use]
pub fn of_message(digest: &[u8; 32], len: usize) -> Option<Public> {
    let hidden = hidden_slots(len)?;
    let mut public = [None; PUBLIC_SLOTS];
    let [h @ .., _, _] = &mut public;
    let of_block = padded(&[0; BLOCK_LEN][..len]);
    let slots = of_block.as_chunks().0.iter();
    h[..2].copy_from_slice(&start().map(Some));
    for (slot, bytes) in h[2..].iter_mut().zip(slots).skip(hidden) {
        *slot = Some(*bytes);
    }
    let (halves, _) = digest.as_chunks();
    public[6..].copy_from_slice(&[Some(halves[0]), Some(halves[1])]);
    Some(public)
}

/// The input of the compression that [`of_message`] is about. `None` for the same lengths.
#[must_use]
pub fn inputs_of_message(message: &[u8]) -> Option<Inputs> {
    hidden_slots(message.len())?;
    let block = padded(message);
    let words = block.as_chunks().0.iter().map(|bytes| u32::from_be_bytes(*bytes));
    let mut inputs = [0; 24];
    inputs.iter_mut().zip(IV.into_iter().chain(words)).for_each(|(input, word)| *input = word);
    Some(inputs)
}

/// The state before the first block (FIPS 180-4, section 5.3.3): the same words as in BLAKE2s.
fn start() -> [[u8; SLOT_LEN]; 2] {
    let (slots, _) = IV.as_chunks();
    [slots[0], slots[1]].map(slot_of_words::<Sha256>)
}

/// A message as a block (FIPS 180-4, section 5.1.1).
fn padded(message: &[u8]) -> [u8; BLOCK_LEN] {
    let mut block = [0; BLOCK_LEN];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x80;
    block[BLOCK_LEN - 8..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
    block
}

/// Slots of a message that fills them, and leaves room for its end.
fn hidden_slots(len: usize) -> Option<usize> {
    matches!(len, 16 | 32 | 48).then_some(len / SLOT_LEN)
}
