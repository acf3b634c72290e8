//! The prover of compressions: inputs in, a proof out.
#![forbid(unsafe_code)]

use super::function::{Function, Rules, words_of_slot};
use super::statement::{StatementOf, log2_blocks};
use crate::circuit::Circuit;
use crate::error::Error;
use crate::profile::Profile;
use crate::prove::{DEFAULT_MEMORY_LIMIT, memory_of_blocks, within};
use crate::verify::{About, variables};
use crate::witness::{SLOT_WORDS, Witness};
use alloc::vec::Vec;
use core::marker::PhantomData;
use phalanx_core::threads::Pool;
use phalanx_ligerito::Gf128;
use phalanx_ligerito::provable128::Gf192;

/// One proof for compressions that begin with these words, in the order of the statement.
pub(crate) fn prove_on<F: Function, const SLOTS: usize, const MOST: usize, const WORDS: usize>(
    pool: &dyn Pool,
    profile: Profile,
    statement: &StatementOf<SLOTS, MOST>,
    inputs: &[[u32; WORDS]],
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    if inputs.len() != statement.len() {
        return Err(Error::InputCount { got: inputs.len(), wanted: statement.len() });
    }
    within(memory_len::<F>(profile, inputs.len()), DEFAULT_MEMORY_LIMIT)?;
    let witness = Witness::of_inputs::<F::Circuit, WORDS>(pool, inputs, committed::<F>(statement.len()));
    let blocks = witness.z.chunks(F::Circuit::WORDS);
    for (block, (public, words)) in statement.blocks().zip(blocks).enumerate() {
        for (slot, (value, words)) in public.iter().zip(words.as_chunks::<SLOT_WORDS>().0).enumerate() {
            if value.is_some_and(|value| words_of_slot::<F>(&value) != *words) {
                return Err(Error::FalseSlot { block, slot });
            }
        }
    }
    prove_witness::<F, SLOTS, MOST>(pool, profile, statement, witness, context)
}

/// The memory that proving takes, in bytes, without what the caller holds.
pub(crate) fn memory_len<F: Function>(profile: Profile, compressions: usize) -> u64 {
    memory_of_blocks::<F::Circuit>(profile, log2_blocks(compressions), compressions)
}

/// Words that are committed.
fn committed<F: Function>(compressions: usize) -> usize {
    1 << variables::<F::Circuit>(log2_blocks(compressions))
}

fn prove_witness<F: Function, const SLOTS: usize, const MOST: usize>(
    pool: &dyn Pool,
    profile: Profile,
    statement: &StatementOf<SLOTS, MOST>,
    witness: Witness,
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    let bytes = statement.to_bytes();
    let is_about = About { statement: &bytes, context, n: log2_blocks(statement.len()), randomizers_len: 0 };
    let (names, rules, silent) = (F::names(profile), Rules { statement, of: PhantomData::<F> }, |_| ());
    match profile {
        Profile::Provable100 => {
            is_about.prove::<F::Circuit, Gf128>(pool, names, &[], &rules, witness, &silent)
        }
        Profile::Provable128 => {
            is_about.prove::<F::Circuit, Gf192>(pool, names, &[], &rules, witness, &silent)
        }
    }
}

/// Proofs of any words, which promise nothing: for tests of the verifier.
#[cfg(feature = "hazmat")]
pub(crate) mod any {
    use super::{Error, Function, Profile, StatementOf, Witness, committed, prove_witness};
    use alloc::vec::Vec;
    use phalanx_core::threads::Inline;

    /// The committed words of compressions of these inputs.
    pub(crate) fn words<F: Function, const WORDS: usize>(inputs: &[[u32; WORDS]]) -> Vec<u32> {
        Witness::of_inputs::<F::Circuit, WORDS>(&Inline, inputs, committed::<F>(inputs.len())).z
    }

    /// The proof of any words under a statement, by the honest prover. `bend` may change the forms A z and B z.
    pub(crate) fn prove<F: Function, const SLOTS: usize, const MOST: usize>(
        profile: Profile,
        statement: &StatementOf<SLOTS, MOST>,
        words: Vec<u32>,
        context: &[u8],
        bend: impl FnOnce(&mut [u32], &mut [u32]),
    ) -> Result<Vec<u8>, Error> {
        let used = words.len();
        let mut witness = Witness::of_words::<F::Circuit>(words, used);
        bend(witness.a.words(), witness.b.words());
        prove_witness::<F, SLOTS, MOST>(&Inline, profile, statement, witness, context)
    }
}
