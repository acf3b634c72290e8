//! Verification (spec section 12): what is checked before any hashing, and results for many signatures.
//!
//! Decoding has already made sure that every element is canonical and every length is the parameter set's. What is left
//! is the epoch's range here, and encoding, chains, leaf and path in the hash family.
#![forbid(unsafe_code)]

use super::family::ToVerify;
use super::key::VerifyingKey;
use super::parameters::ParameterSet;
use super::signature::Signature;
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;
#[cfg(feature = "std")]
use phalanx_core::threads::{Job, Pool};

/// A signature with what it signs: `message` at `epoch`, under `key`.
#[derive(Clone, Copy, Debug)]
pub struct SignedMessage<'a> {
    /// The signer's key.
    pub key: &'a VerifyingKey,
    /// The epoch.
    pub epoch: u32,
    /// The message, 32 bytes.
    pub message: &'a [u8; 32],
    /// The signature.
    pub signature: &'a Signature,
}

impl VerifyingKey {
    /// Verifies that this key signed `message` at `epoch`.
    ///
    /// # Errors
    /// [`InvalidSignature`] if it did not.
    pub fn verify(
        &self,
        epoch: u32,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        let mut result = [Err(InvalidSignature)];
        verify_all(Isa::current(), &[SignedMessage { key: self, epoch, message, signature }], &mut result);
        result[0]
    }
}

/// The result for every signature, in order. They may be of different keys and parameter sets. Much faster per
/// signature than one at a time.
#[must_use]
pub fn verify_many(messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    let mut results = alloc::vec![Err(InvalidSignature); messages.len()];
    verify_all(Isa::current(), messages, &mut results);
    results
}

/// As [`verify_many`], on the threads of `pool`. The results are the same.
#[cfg(feature = "std")]
#[must_use]
pub fn verify_many_on(pool: &dyn Pool, messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    /// Signatures of one job: enough to fill every lane, about a millisecond of work.
    const JOB_SIGNATURES: usize = 64;
    let isa = Isa::current();
    let mut results = alloc::vec![Err(InvalidSignature); messages.len()];
    let jobs = messages.chunks(JOB_SIGNATURES).zip(results.chunks_mut(JOB_SIGNATURES));
    let job = |(messages, results)| -> Job<'_> {
        alloc::boxed::Box::new(move || verify_all(isa, messages, results))
    };
    pool.run(jobs.map(job).collect());
    results
}

/// Fills `results`, one for each of `messages`.
fn verify_all(isa: Isa, messages: &[SignedMessage<'_>], results: &mut [Result<(), InvalidSignature>]) {
    results.fill(Err(InvalidSignature));
    for set in ParameterSet::ALL {
        let mine: Vec<usize> = (0..messages.len()).filter(|&i| belongs(&messages[i], set)).collect();
        if mine.is_empty() {
            continue;
        }
        let signatures: Vec<ToVerify<'_>> = mine.iter().map(|&i| taken_apart(&messages[i])).collect();
        let mut of_set = alloc::vec![Err(InvalidSignature); mine.len()];
        set.parameters().family.verify(isa, &signatures, &mut of_set);
        for (&i, result) in mine.iter().zip(of_set) {
            results[i] = result;
        }
    }
}

/// Whether key, signature and epoch are all of `set`.
fn belongs(message: &SignedMessage<'_>, set: ParameterSet) -> bool {
    message.key.set == set && message.signature.set == set && u64::from(message.epoch) < set.lifetime()
}

/// What the hash family looks at.
fn taken_apart<'a>(message: &SignedMessage<'a>) -> ToVerify<'a> {
    let SignedMessage { key, epoch, message, signature } = *message;
    ToVerify {
        root: &key.root,
        parameter: &key.parameter,
        epoch,
        message,
        randomness: &signature.randomness,
        hashes: &signature.hashes,
        path: &signature.path,
    }
}
