//! The compression functions that have suites, with one shape for the tests of all: slots and inputs in vectors.

use phalanx_aggregate::compressions::{self as blake2s, sha256};
use phalanx_aggregate::{Error, Limits, Profile, ProofError, Threads};
use phalanx_reference::aggregate::compressions::Function;
use sha2::{Digest, Sha256 as AnotherSha256};
use std::fmt::Debug;

/// What is in the public slots of a compression.
pub(super) type Public = Vec<Option<[u8; 16]>>;

/// A compression function: what is its own, and its module's functions.
pub(super) trait Compression {
    type Statement: Clone + Debug + PartialEq;

    /// The words of a compression that are given.
    const INPUTS: usize;
    /// Words of a block.
    const WORDS: usize;
    /// log2 of the bits of a block.
    const LOG2_BITS: usize;
    /// Elements of a proof of 2^2 blocks before its opening.
    const OUTER: usize;
    /// Slots that may be public, and the first that is output.
    const SLOTS: usize;
    const FIRST_OUTPUT: usize;
    /// The most compressions of a statement.
    const MOST: usize;
    /// Numbers of compressions: with padding, without, and one that is not half of the blocks; and around the lanes.
    const FEW: [usize; 3];
    const AROUND_THE_LANES: &'static [usize];
    /// Lengths of messages that are whole slots and have one block, and some that are not.
    const LENGTHS: &'static [usize];
    const NO_LENGTHS: &'static [usize];
    /// Words that no change may stay unseen in: outputs, products of every kind, unused ones.
    const GATES: &'static [usize];

    /// As the reference has it.
    fn plain() -> Function;
    /// Another implementation's digest.
    fn digest(message: &[u8]) -> [u8; 32];

    fn state(public: &[Public]) -> Result<Self::Statement, Error>;
    fn read(bytes: &[u8]) -> Result<Self::Statement, Error>;
    fn bytes(statement: &Self::Statement) -> Vec<u8>;
    fn blocks(statement: &Self::Statement) -> Vec<Public>;
    fn of_message(digest: &[u8; 32], len: usize) -> Option<Public>;
    fn inputs_of_message(message: &[u8]) -> Option<Vec<u32>>;
    fn memory_len(profile: Profile, compressions: usize) -> u64;
    /// By the caller's thread, or by some.
    fn prove(
        threads: Option<&Threads>,
        profile: Profile,
        statement: &Self::Statement,
        inputs: &[Vec<u32>],
        context: &[u8],
    ) -> Result<Vec<u8>, Error>;
    fn verify(
        limits: &Limits,
        statement: &Self::Statement,
        context: &[u8],
        proof: &[u8],
    ) -> Result<(), ProofError>;
    fn words(inputs: &[Vec<u32>]) -> Vec<u32>;
    /// The proof of any words, with bent forms.
    fn forge(
        profile: Profile,
        statement: &Self::Statement,
        words: Vec<u32>,
        context: &[u8],
        bend: impl FnOnce(&mut [u32], &mut [u32]),
    ) -> Vec<u8>;
}

/// BLAKE2s.
pub(super) struct Blake2s;

/// SHA-256.
pub(super) struct Sha256;

/// The functions of a module.
macro_rules! functions_of {
    ($module:ident) => {
        type Statement = $module::Statement;

        const SLOTS: usize = $module::PUBLIC_SLOTS;
        const MOST: usize = $module::MAX_BLOCKS;

        fn state(public: &[Public]) -> Result<Self::Statement, Error> {
            let public: Vec<$module::Public> =
                public.iter().map(|slots| slots[..].try_into().expect("all slots")).collect();
            $module::Statement::of(&public)
        }

        fn read(bytes: &[u8]) -> Result<Self::Statement, Error> {
            $module::Statement::from_bytes(bytes)
        }

        fn bytes(statement: &Self::Statement) -> Vec<u8> {
            statement.to_bytes()
        }

        fn blocks(statement: &Self::Statement) -> Vec<Public> {
            statement.blocks().map(|slots| slots.to_vec()).collect()
        }

        fn of_message(digest: &[u8; 32], len: usize) -> Option<Public> {
            $module::of_message(digest, len).map(|slots| slots.to_vec())
        }

        fn inputs_of_message(message: &[u8]) -> Option<Vec<u32>> {
            $module::inputs_of_message(message).map(|words| words.to_vec())
        }

        fn memory_len(profile: Profile, compressions: usize) -> u64 {
            $module::memory_len(profile, compressions)
        }

        fn prove(
            threads: Option<&Threads>,
            profile: Profile,
            statement: &Self::Statement,
            inputs: &[Vec<u32>],
            context: &[u8],
        ) -> Result<Vec<u8>, Error> {
            let inputs = arrays(inputs);
            match threads {
                None => $module::prove(profile, statement, &inputs, context),
                Some(pool) => $module::prove_on(pool, profile, statement, &inputs, context),
            }
        }

        fn verify(
            limits: &Limits,
            statement: &Self::Statement,
            context: &[u8],
            proof: &[u8],
        ) -> Result<(), ProofError> {
            $module::verify(limits, statement, context, proof)
        }

        fn words(inputs: &[Vec<u32>]) -> Vec<u32> {
            $module::hazmat::words(&arrays(inputs))
        }

        fn forge(
            profile: Profile,
            statement: &Self::Statement,
            words: Vec<u32>,
            context: &[u8],
            bend: impl FnOnce(&mut [u32], &mut [u32]),
        ) -> Vec<u8> {
            $module::hazmat::prove(profile, statement, words, context, bend).expect("it fits")
        }
    };
}

/// Inputs as the modules take them.
fn arrays<const WORDS: usize>(inputs: &[Vec<u32>]) -> Vec<[u32; WORDS]> {
    inputs.iter().map(|words| words[..].try_into().expect("as many words")).collect()
}

impl Compression for Blake2s {
    const INPUTS: usize = 32;
    const WORDS: usize = 512;
    const LOG2_BITS: usize = 14;
    const OUTER: usize = 162 + 4 * 2;
    const FIRST_OUTPUT: usize = 8;
    const FEW: [usize; 3] = [1, 2, 5];
    const AROUND_THE_LANES: &'static [usize] = &[15, 16, 17, 33];
    const LENGTHS: &'static [usize] = &[16, 32, 48, 64];
    const NO_LENGTHS: &'static [usize] = &[0, 1, 15, 17, 65, 80];
    const GATES: &'static [usize] = &[32, 36, 39, 40, 300, 499, 500, 511];

    fn plain() -> Function {
        Function::blake2s()
    }

    fn digest(message: &[u8]) -> [u8; 32] {
        phalanx_reference::xmss_blake2s::blake2s(&[], message)
    }

    functions_of!(blake2s);
}

impl Compression for Sha256 {
    const INPUTS: usize = 24;
    const WORDS: usize = 1024;
    const LOG2_BITS: usize = 15;
    const OUTER: usize = 168 + 4 * 2;
    const FIRST_OUTPUT: usize = 6;
    const FEW: [usize; 3] = [1, 2, 3];
    const AROUND_THE_LANES: &'static [usize] = &[15, 16, 17];
    const LENGTHS: &'static [usize] = &[16, 32, 48];
    const NO_LENGTHS: &'static [usize] = &[0, 1, 15, 17, 55, 56, 64, 80];
    // The schedule; rounds, their And2 and additions; the last sums.
    const GATES: &'static [usize] = &[24, 31, 96, 200, 234, 235, 240, 500, 789, 796, 797, 798, 1023];

    fn plain() -> Function {
        Function::sha256()
    }

    fn digest(message: &[u8]) -> [u8; 32] {
        AnotherSha256::digest(message).into()
    }

    functions_of!(sha256);
}
