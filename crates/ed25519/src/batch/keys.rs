//! Which entries share a public key.

use alloc::vec::Vec;

/// The distinct keys of a list, in the order of their first appearance, and for each entry which of them is its own.
///
/// Only identical bytes are merged. Merging saves work and decides nothing: the search is given up after a few steps,
/// so that keys chosen to collide cost no more than keys that differ.
pub(super) struct Distinct {
    pub(super) keys: Vec<[u8; 32]>,
    pub(super) of: Vec<u32>,
}

impl Distinct {
    pub(super) fn new<'a>(keys: impl ExactSizeIterator<Item = &'a [u8; 32]>) -> Self {
        /// An empty place in the table.
        const NONE: u32 = u32::MAX;
        /// Places looked at for one key.
        const STEPS: usize = 8;
        let places = (2 * keys.len()).next_power_of_two();
        let mut table = alloc::vec![NONE; places];
        let mut distinct = Self { keys: Vec::with_capacity(keys.len()), of: Vec::with_capacity(keys.len()) };
        for key in keys {
            let place = start(key);
            let mut found = None;
            for step in 0..STEPS {
                let candidate = &mut table[(place + step) & (places - 1)];
                if *candidate == NONE {
                    *candidate = number(distinct.keys.len());
                    break;
                }
                if distinct.keys[*candidate as usize] == *key {
                    found = Some(*candidate);
                    break;
                }
            }
            distinct.of.push(found.unwrap_or_else(|| {
                distinct.keys.push(*key);
                number(distinct.keys.len() - 1)
            }));
        }
        distinct
    }
}

/// Where the search begins: keys are as good as random.
fn start(key: &[u8; 32]) -> usize {
    usize::from(key[0]) | usize::from(key[1]) << 8 | usize::from(key[2]) << 16
}

#[expect(clippy::cast_possible_truncation, reason = "a block has fewer keys")]
fn number(i: usize) -> u32 {
    i as u32
}
