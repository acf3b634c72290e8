//! Compressions of BLAKE2s (docs/aggregate.md, section 7).
#![forbid(unsafe_code)]

use super::function::Function;
use super::functions::functions_of;
use super::statement::{MAX_BLOCKS, StatementOf};
use crate::circuit::Blake2sCompression;
use crate::signatures::{START, THIRD, fourth};
use crate::suites;
use crate::transcript::Names;
use crate::wiring::SLOT_LEN;

/// Slots that may be public: 0 to 7 are the input, 8 and 9 the output.
pub const PUBLIC_SLOTS: usize = 10;

/// What is in the public slots of a compression; the others are hidden. Slots 0 and 1 are h, 2 and 3 the second half of
/// the state as the rounds begin with it, 4 to 7 the message, 8 and 9 the new h: words in little-endian order.
pub type Public = [Option<[u8; 16]>; PUBLIC_SLOTS];

/// The words of a compression's slots 0 to 7.
pub type Inputs = [u32; 32];

/// What is in the public slots of compressions of BLAKE2s.
pub type Statement = StatementOf<PUBLIC_SLOTS, MAX_BLOCKS>;

/// BLAKE2s, with its suites.
pub(crate) struct Blake2s;

impl Function for Blake2s {
    type Circuit = Blake2sCompression;
    const BIG_ENDIAN: bool = false;

    fn names(profile: Profile) -> &'static Names {
        match profile {
            Profile::Provable100 => &suites::COMPRESSIONS100,
            Profile::Provable128 => &suites::COMPRESSIONS128,
        }
    }
}

functions_of!(Blake2s);

/// BLAKE2s-256 of a hidden message of `len` bytes without a key: a digest and everything else is public. `None` unless
/// `len` is 16, 32, 48 or 64: a slot is hidden as a whole, and what is behind the message has to be zero.
#[must_use]
pub fn of_message(digest: &[u8; 32], len: usize) -> Option<Public> {
    let hidden = hidden_slots(len)?;
    let mut public = [Some([0; SLOT_LEN]); PUBLIC_SLOTS];
    public[..4].copy_from_slice(&first_slots(len).map(Some));
    public[4..4 + hidden].fill(None);
    let (halves, _) = digest.as_chunks();
    public[8..].copy_from_slice(&[Some(halves[0]), Some(halves[1])]);
    Some(public)
}

/// The input of the compression that [`of_message`] is about. `None` for the same lengths.
#[must_use]
pub fn inputs_of_message(message: &[u8]) -> Option<Inputs> {
    hidden_slots(message.len())?;
    let mut bytes = [0; 128];
    bytes[..64].copy_from_slice(first_slots(message.len()).as_flattened());
    bytes[64..][..message.len()].copy_from_slice(message);
    Some(core::array::from_fn(|i| u32::from_le_bytes(bytes.as_chunks().0[i])))
}

/// h as BLAKE2s begins, and the second half of the state for the only block of a message.
fn first_slots(len: usize) -> [[u8; SLOT_LEN]; 4] {
    [START[0], START[1], THIRD, fourth(u32::try_from(len).expect("at most 64"), true)]
}

/// Slots of a message of one block that fills them.
fn hidden_slots(len: usize) -> Option<usize> {
    (matches!(len, 1..=64) && len.is_multiple_of(SLOT_LEN)).then_some(len / SLOT_LEN)
}
