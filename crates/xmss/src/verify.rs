//! Verification (spec section 12): what is checked before any hashing, and verdicts for many signatures.
//!
//! Decoding has already made sure that every element is canonical and every length is the parameter set's. What is left
//! is the epoch's range here, and encoding, chains, leaf and path in the hash family.

use super::family::Instance;
use super::key::VerifyingKey;
use super::parameters::ParameterSet;
use super::signature::Signature;
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;
#[cfg(feature = "std")]
use phalanx_core::threads::{Job, Pool};

/// A signature with what it claims: that `key` signed `message` at `epoch`.
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
        let mut verdict = [Err(InvalidSignature)];
        verify_on(Isa::current(), &[SignedMessage { key: self, epoch, message, signature }], &mut verdict);
        verdict[0]
    }
}

/// A verdict for every claim, in order; the claims may be of different keys and parameter sets. Much faster per
/// signature than one at a time.
#[must_use]
pub fn verify_many(claims: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    let mut verdicts = alloc::vec![Err(InvalidSignature); claims.len()];
    verify_on(Isa::current(), claims, &mut verdicts);
    verdicts
}

/// As [`verify_many`], on the threads of `pool`. The verdicts are the same.
#[cfg(feature = "std")]
#[must_use]
pub fn verify_many_on(pool: &dyn Pool, claims: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    /// Claims of one job: enough to fill every lane, about a millisecond of work.
    const JOB_CLAIMS: usize = 64;
    let isa = Isa::current();
    let mut verdicts = alloc::vec![Err(InvalidSignature); claims.len()];
    let jobs = claims.chunks(JOB_CLAIMS).zip(verdicts.chunks_mut(JOB_CLAIMS));
    let job =
        |(claims, verdicts)| -> Job<'_> { alloc::boxed::Box::new(move || verify_on(isa, claims, verdicts)) };
    pool.run(jobs.map(job).collect());
    verdicts
}

/// Fills `verdicts`, one for each of `claims`.
fn verify_on(isa: Isa, claims: &[SignedMessage<'_>], verdicts: &mut [Result<(), InvalidSignature>]) {
    verdicts.fill(Err(InvalidSignature));
    for set in ParameterSet::ALL {
        let mine: Vec<usize> = (0..claims.len()).filter(|&i| belongs(&claims[i], set)).collect();
        if mine.is_empty() {
            continue;
        }
        let instances: Vec<Instance<'_>> = mine
            .iter()
            .map(|&i| {
                let SignedMessage { key, epoch, message, signature } = claims[i];
                Instance { root: &key.root, parameter: &key.parameter, epoch, message, signature }
            })
            .collect();
        let mut results = alloc::vec![Err(InvalidSignature); mine.len()];
        set.parameters().family.verify(isa, &instances, &mut results);
        for (&i, result) in mine.iter().zip(results) {
            verdicts[i] = result;
        }
    }
}

/// Whether a claim is for `set` throughout: key, signature and epoch.
fn belongs(claim: &SignedMessage<'_>, set: ParameterSet) -> bool {
    claim.key.set == set && claim.signature.set == set && u64::from(claim.epoch) < set.lifetime()
}
