//! The prover of compressions: inputs in, a proof out.
#![forbid(unsafe_code)]

use super::statement::{Inputs, Statement, log2_blocks};
use crate::circuit::Blake2sCompression;
use crate::error::Error;
use crate::profile::Profile;
use crate::prove::{DEFAULT_MEMORY_LIMIT, memory_of_blocks, within};
use crate::suites;
use crate::verify::{About, variables};
use crate::witness::{SLOT_WORDS, WORDS, Witness};
use alloc::vec::Vec;
use phalanx_core::threads::{Inline, Pool};
use phalanx_ligerito::Gf128;
use phalanx_ligerito::provable128::Gf192;

/// One proof for compressions of these inputs, in the order of the statement. `context` is bound to it, of any length: who
/// verifies has to name the same. The same input gives the same bytes.
///
/// # Errors
/// [`Error::InputCount`]; [`Error::FalseSlot`] names the first public slot in which there is something else;
/// [`Error::Memory`] above [`DEFAULT_MEMORY_LIMIT`].
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
    if inputs.len() != statement.len() {
        return Err(Error::InputCount { got: inputs.len(), wanted: statement.len() });
    }
    within(memory_len(profile, inputs.len()), DEFAULT_MEMORY_LIMIT)?;
    let witness = Witness::of_inputs(pool, inputs, committed(statement));
    for (block, (public, words)) in statement.blocks().zip(witness.z.chunks(WORDS)).enumerate() {
        for (slot, (value, words)) in public.iter().zip(words.chunks(SLOT_WORDS)).enumerate() {
            let is = words.iter().flat_map(|word| word.to_le_bytes());
            if value.is_some_and(|value| !is.eq(value)) {
                return Err(Error::FalseSlot { block, slot });
            }
        }
    }
    prove_witness(pool, profile, statement, witness, context)
}

/// The memory that proving takes, in bytes, without what the caller holds.
#[must_use]
pub fn memory_len(profile: Profile, compressions: usize) -> u64 {
    memory_of_blocks(profile, log2_blocks(compressions), compressions)
}

/// Words that are committed.
fn committed(statement: &Statement) -> usize {
    1 << variables::<Blake2sCompression>(log2_blocks(statement.len()))
}

fn prove_witness(
    pool: &dyn Pool,
    profile: Profile,
    statement: &Statement,
    witness: Witness,
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    let bytes = statement.to_bytes();
    let is_about = About { statement: &bytes, context, n: log2_blocks(statement.len()), randomizers_len: 0 };
    let silent = |_| ();
    match profile {
        Profile::Provable100 => {
            is_about.prove::<Gf128>(pool, &suites::COMPRESSIONS100, &[], &statement, witness, &silent)
        }
        Profile::Provable128 => {
            is_about.prove::<Gf192>(pool, &suites::COMPRESSIONS128, &[], &statement, witness, &silent)
        }
    }
}

/// Proofs of any words, which promise nothing: for tests of the verifier.
#[cfg(feature = "hazmat")]
pub mod hazmat {
    use super::{Error, Inline, Inputs, Profile, Statement, Witness, committed, prove_witness};
    use alloc::vec::Vec;

    /// The committed words of compressions of these inputs, whatever the statement says of them.
    #[must_use]
    pub fn words(statement: &Statement, inputs: &[Inputs]) -> Vec<u32> {
        Witness::of_inputs(&Inline, inputs, committed(statement)).z
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
        let used = words.len();
        let mut witness = Witness::of_words(words, used);
        bend(&mut witness.a, &mut witness.b);
        prove_witness(&Inline, profile, statement, witness, context)
    }
}
