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
use super::functions::functions_of;
use super::statement::StatementOf;
use crate::circuit::Sha256Compression;
use crate::signatures::IV;
use crate::suites;
use crate::transcript::Names;
use crate::wiring::SLOT_LEN;

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

functions_of!(Sha256);

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
