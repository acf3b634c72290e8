//! The functions of a module of compressions: all compression functions have the same.
#![forbid(unsafe_code)]

/// Of a [`Function`](super::function::Function). The module that they are in has the types `Statement` and `Inputs`, and
/// the numbers `PUBLIC_SLOTS` and `MAX_BLOCKS`; what else the functions name is imported here.
macro_rules! functions_of {
    ($function:ident) => {
        use crate::compressions::{prover, verifier};
        use crate::error::{Error, ProofError};
        use crate::profile::{Limits, Profile};
        use alloc::vec::Vec;
        use phalanx_core::threads::{Inline, Pool};

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
            prover::prove_on::<$function, PUBLIC_SLOTS, MAX_BLOCKS, _>(
                pool, profile, statement, inputs, context,
            )
        }

        /// The memory that proving takes, in bytes, without what the caller holds.
        #[must_use]
        pub fn memory_len(profile: Profile, compressions: usize) -> u64 {
            prover::memory_len::<$function>(profile, compressions)
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
            verifier::verify::<$function, PUBLIC_SLOTS, MAX_BLOCKS>(limits, statement, context, proof)
        }

        /// Proofs of any words, which promise nothing: for tests of the verifier.
        #[cfg(feature = "hazmat")]
        pub mod hazmat {
            use super::{Error, Inputs, MAX_BLOCKS, PUBLIC_SLOTS, Profile, Statement, Vec, prover::any};

            /// The committed words of compressions of these inputs.
            #[must_use]
            pub fn words(inputs: &[Inputs]) -> Vec<u32> {
                any::words::<super::$function, _>(inputs)
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
                any::prove::<super::$function, PUBLIC_SLOTS, MAX_BLOCKS>(
                    profile, statement, words, context, bend,
                )
            }
        }
    };
}

pub(super) use functions_of;
