//! What a proof of compressions says (docs/aggregate.md, sections 7 and 8).
#![forbid(unsafe_code)]

use crate::error::Error;
use crate::wiring::SLOT_LEN;
use alloc::vec::Vec;
use core::ops::Range;

/// The most compressions of any statement: as many as there are variables for.
pub const MAX_BLOCKS: usize = 1 << 21;

/// What is in the public slots of compressions, at least one and `MOST` at most. *For every compression somebody knows the
/// hidden slots.* Every function has its own type, with the number of its slots that may be public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementOf<const SLOTS: usize, const MOST: usize> {
    /// Of every compression which slots are public: bit s stands for slot s.
    masks: Vec<u16>,
    /// What is in them, one after the other.
    values: Vec<[u8; SLOT_LEN]>,
}

impl<const SLOTS: usize, const MOST: usize> StatementOf<SLOTS, MOST> {
    /// The statement about these compressions.
    ///
    /// # Errors
    /// [`Error::NoBlocks`], or [`Error::TooManyBlocks`] above `MOST`.
    pub fn of(blocks: &[[Option<[u8; 16]>; SLOTS]]) -> Result<Self, Error> {
        Self::count_is_valid(blocks.len())?;
        let mask = |block: &[Option<[u8; 16]>; SLOTS]| {
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
        Self::count_is_valid(count)?;
        let (mut masks, mut values) = (Vec::new(), Vec::new());
        for block in 0..count {
            let (mask, after) = rest.split_first_chunk().ok_or(Error::StatementLength)?;
            let mask = u16::from_le_bytes(*mask);
            if mask >> SLOTS != 0 {
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
    pub fn blocks(&self) -> impl Iterator<Item = [Option<[u8; 16]>; SLOTS]> {
        self.blocks_of(0..self.len())
    }

    /// The same of some compressions.
    pub(crate) fn blocks_of(&self, blocks: Range<usize>) -> impl Iterator<Item = [Option<[u8; 16]>; SLOTS]> {
        let before: u32 = self.masks[..blocks.start].iter().map(|mask| mask.count_ones()).sum();
        let mut values = self.values[before as usize..].iter();
        self.masks[blocks].iter().map(move |mask| {
            core::array::from_fn(|slot| {
                (mask >> slot & 1 == 1).then(|| *values.next().expect("a value for every bit"))
            })
        })
    }

    fn count_is_valid(count: usize) -> Result<(), Error> {
        match count {
            0 => Err(Error::NoBlocks),
            _ if count > MOST => Err(Error::TooManyBlocks),
            _ => Ok(()),
        }
    }
}

/// log2 of the number of blocks: the smallest n of at least 1 with 2^n for so many compressions.
pub(crate) fn log2_blocks(compressions: usize) -> usize {
    (compressions.next_power_of_two().trailing_zeros() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is public of some compressions is what is public of these among all, whatever was public before them.
    #[test]
    fn blocks_from_anywhere() {
        let value =
            |block: u8, slot: u8| (!block.is_multiple_of(slot + 2)).then_some([16 * block + slot; 16]);
        let all: Vec<_> = (0..7).map(|block| [0, 1, 2].map(|slot| value(block, slot))).collect();
        let statement = StatementOf::<3, 8>::of(&all).expect("seven of at most eight");
        for start in 0..=all.len() {
            for end in start..=all.len() {
                assert_eq!(statement.blocks_of(start..end).collect::<Vec<_>>(), all[start..end]);
            }
        }
    }
}
