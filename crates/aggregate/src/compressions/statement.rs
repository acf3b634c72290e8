//! What a proof of compressions says (docs/aggregate.md, section 7).
#![forbid(unsafe_code)]

use crate::error::Error;
use crate::signatures::{START, THIRD, fourth};
use crate::wiring::{Rule, SLOT_LEN, Wiring};
use alloc::vec::Vec;

/// Slots that may be public: 0 to 7 are the input, 8 and 9 the output.
pub const PUBLIC_SLOTS: usize = 10;
/// The most compressions of any statement.
pub const MAX_BLOCKS: usize = 1 << 21;

/// What is in the public slots of a compression; the others are hidden. Slots 0 and 1 are h, 2 and 3 the second half of
/// the state as the rounds begin with it, 4 to 7 the message, 8 and 9 the new h: words in little-endian order.
pub type Public = [Option<[u8; 16]>; PUBLIC_SLOTS];

/// The words of a compression's slots 0 to 7.
pub type Inputs = [u32; 32];

/// What is in the public slots of compressions, at least one. *For every compression somebody knows the hidden slots.*
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Of every compression which slots are public: bit s stands for slot s.
    masks: Vec<u16>,
    /// What is in them, one after the other.
    values: Vec<[u8; SLOT_LEN]>,
}

impl Statement {
    /// The statement about these compressions.
    ///
    /// # Errors
    /// [`Error::NoBlocks`], or [`Error::TooManyBlocks`] above [`MAX_BLOCKS`].
    pub fn of(blocks: &[Public]) -> Result<Self, Error> {
        count_is_valid(blocks.len())?;
        let mask = |block: &Public| {
            (0..).zip(block).fold(0, |mask, (slot, value)| mask | u16::from(value.is_some()) << slot)
        };
        Ok(Self {
            masks: blocks.iter().map(mask).collect(),
            values: blocks.iter().flatten().flatten().copied().collect(),
        })
    }

    /// From its bytes, strictly. Nothing is allocated that the bytes do not pay for.
    ///
    /// # Errors
    /// The first rule of section 7 that is broken: [`Error::StatementLength`], [`Error::NoBlocks`],
    /// [`Error::TooManyBlocks`], [`Error::UnknownSlot`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (count, mut rest) = bytes.split_first_chunk().ok_or(Error::StatementLength)?;
        let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
        count_is_valid(count)?;
        let (mut masks, mut values) = (Vec::new(), Vec::new());
        for block in 0..count {
            let (mask, after) = rest.split_first_chunk().ok_or(Error::StatementLength)?;
            let mask = u16::from_le_bytes(*mask);
            if mask >> PUBLIC_SLOTS != 0 {
                return Err(Error::UnknownSlot { block });
            }
            let len = SLOT_LEN * mask.count_ones() as usize;
            let (slots, after) = after.split_at_checked(len).ok_or(Error::StatementLength)?;
            masks.push(mask);
            values.extend(slots.as_chunks::<SLOT_LEN>().0);
            rest = after;
        }
        if rest.is_empty() { Ok(Self { masks, values }) } else { Err(Error::StatementLength) }
    }

    /// The wire form, which proofs are bound to.
    ///
    /// # Panics
    /// Never: there are fewer than 2^32 compressions.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.masks.len()).expect("at most 2^21");
        let mut bytes = Vec::with_capacity(4 + 2 * self.masks.len() + SLOT_LEN * self.values.len());
        bytes.extend(count.to_le_bytes());
        let mut values = self.values.iter();
        for mask in &self.masks {
            bytes.extend(mask.to_le_bytes());
            values.by_ref().take(mask.count_ones() as usize).for_each(|value| bytes.extend(value));
        }
        bytes
    }

    /// The number of compressions, at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.masks.len()
    }

    /// No: there is at least one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What is public of every compression.
    pub fn blocks(&self) -> impl Iterator<Item = Public> {
        let mut values = self.values.iter();
        self.masks.iter().map(move |mask| {
            core::array::from_fn(|slot| {
                (mask >> slot & 1 == 1).then(|| *values.next().expect("a value for every bit"))
            })
        })
    }
}

/// log2 of the number of blocks: the smallest n of at least 1 with 2^n for so many compressions.
pub(crate) fn log2_blocks(compressions: usize) -> usize {
    (compressions.next_power_of_two().trailing_zeros() as usize).max(1)
}

impl Wiring for &Statement {
    fn rules(&self, visit: &mut dyn FnMut(usize, usize, Rule)) {
        for (block, public) in self.blocks().enumerate() {
            for (slot, value) in public.into_iter().enumerate() {
                if let Some(value) = value {
                    visit(block, slot, Rule::Public(value));
                }
            }
        }
    }
}

fn count_is_valid(count: usize) -> Result<(), Error> {
    match count {
        0 => Err(Error::NoBlocks),
        1..=MAX_BLOCKS => Ok(()),
        _ => Err(Error::TooManyBlocks),
    }
}

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
