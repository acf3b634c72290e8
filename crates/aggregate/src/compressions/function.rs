//! What a compression function brings along for its compressions to be proved.
#![forbid(unsafe_code)]

use super::statement::StatementOf;
use crate::circuit::Circuit;
use crate::profile::Profile;
use crate::transcript::Names;
use crate::wiring::{Rule, SLOT_LEN, Wiring};
use crate::witness::SLOT_WORDS;
use core::marker::PhantomData;
use core::ops::Range;

/// A compression function with suites.
pub(crate) trait Function: Sync {
    /// As products of bits.
    type Circuit: Circuit;
    /// Whether the first byte of a word, in messages and so in statements, is its highest.
    const BIG_ENDIAN: bool;

    /// The strings of the suite with that security.
    fn names(profile: Profile) -> &'static Names;
}

/// The words of a slot, as bytes of a statement.
pub(crate) fn slot_of_words<F: Function>(words: [u32; SLOT_WORDS]) -> [u8; SLOT_LEN] {
    let bytes = words.map(if F::BIG_ENDIAN { u32::to_be_bytes } else { u32::to_le_bytes });
    core::array::from_fn(|i| bytes[i / 4][i % 4])
}

/// Its words.
pub(crate) fn words_of_slot<F: Function>(slot: &[u8; SLOT_LEN]) -> [u32; SLOT_WORDS] {
    let word = if F::BIG_ENDIAN { u32::from_be_bytes } else { u32::from_le_bytes };
    core::array::from_fn(|i| word(slot.as_chunks().0[i]))
}

/// A rule that a slot has these words.
fn public(words: [u32; SLOT_WORDS]) -> Rule {
    Rule::Public(core::array::from_fn(|i| words[i / 4].to_le_bytes()[i % 4]))
}

/// A statement as a wiring: its public slots, and the circuit's constants in every block.
pub(crate) struct Rules<'a, F, const SLOTS: usize, const MOST: usize> {
    pub(crate) statement: &'a StatementOf<SLOTS, MOST>,
    pub(crate) of: PhantomData<F>,
}

impl<F: Function, const SLOTS: usize, const MOST: usize> Wiring for Rules<'_, F, SLOTS, MOST> {
    fn units(&self) -> usize {
        self.statement.len()
    }

    fn blocks_of_a_unit(&self) -> usize {
        1
    }

    fn rules_of(&self, blocks: Range<usize>, visit: &mut dyn FnMut(usize, usize, Rule)) {
        let (first, constants) = F::Circuit::CONSTANTS;
        for (block, slots) in blocks.clone().zip(self.statement.blocks_of(blocks)) {
            for (slot, value) in slots.into_iter().enumerate() {
                if let Some(value) = value {
                    visit(block, slot, public(words_of_slot::<F>(&value)));
                }
            }
            for (slot, words) in (first / SLOT_WORDS..).zip(constants.as_chunks().0) {
                visit(block, slot, public(*words));
            }
        }
    }
}
