//! Batches: one answer for all, and which ones are bad.

use super::{BatchElement, Profile, verify_many_on};
use crate::{Inline, InvalidSignature, Pool};
use alloc::vec::Vec;

/// What was found about one entry of a batch.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Single verification accepts it.
    Valid,
    /// Single verification refuses it.
    Invalid,
}

/// Whether all signatures are valid under `profile`. An empty batch is.
///
/// # Errors
/// [`InvalidSignature`] if any is not.
pub fn verify_batch(profile: Profile, elements: &[BatchElement<'_>]) -> Result<(), InvalidSignature> {
    verify_batch_on(&Inline, profile, elements)
}

/// [`verify_batch`] on the threads of `pool`.
///
/// # Errors
/// [`InvalidSignature`] if any is not valid.
pub fn verify_batch_on(
    pool: &impl Pool,
    profile: Profile,
    elements: &[BatchElement<'_>],
) -> Result<(), InvalidSignature> {
    let mut verdicts = alloc::vec![false; elements.len()];
    verify_many_on(pool, profile, elements, &mut verdicts).expect("lengths agree");
    if verdicts.iter().all(|&valid| valid) { Ok(()) } else { Err(InvalidSignature) }
}

/// Collects signatures and verifies them together; every entry has a readable result, whatever happens.
#[derive(Clone, Debug)]
pub struct BatchVerifier {
    profile: Profile,
    entries: Vec<([u8; 32], Vec<u8>, [u8; 64])>,
}

/// The results of a batch, one for each entry in the order of adding.
#[must_use]
#[derive(Clone, Debug)]
pub struct BatchReport {
    results: Vec<Verdict>,
}

impl BatchVerifier {
    /// An empty batch under `profile`.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile, entries: Vec::new() }
    }

    /// Adds an entry. Key and signature of a wrong length make it invalid; nothing is refused. Borrows nothing.
    pub fn add(&mut self, public_key: &[u8], signature: &[u8], message: &[u8]) {
        let key = public_key.try_into().unwrap_or([0xff; 32]);
        let signature = signature.try_into().unwrap_or([0xff; 64]);
        self.entries.push((key, message.to_vec(), signature));
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets all entries, for the next batch.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Verifies all entries.
    pub fn verify(&mut self) -> BatchReport {
        self.verify_on(&Inline)
    }

    /// Verifies all entries on the threads of `pool`.
    pub fn verify_on(&mut self, pool: &impl Pool) -> BatchReport {
        let elements: Vec<_> = self
            .entries
            .iter()
            .map(|(public_key, message, signature)| BatchElement { public_key, message, signature })
            .collect();
        let mut verdicts = alloc::vec![false; elements.len()];
        verify_many_on(pool, self.profile, &elements, &mut verdicts).expect("lengths agree");
        let verdict = |valid| if valid { Verdict::Valid } else { Verdict::Invalid };
        BatchReport { results: verdicts.into_iter().map(verdict).collect() }
    }
}

impl BatchReport {
    /// Whether every entry is valid. True for an empty batch.
    #[must_use]
    pub fn all_valid(&self) -> bool {
        self.first_invalid().is_none()
    }

    /// One verdict per entry, in the order of adding.
    pub fn results(&self) -> &[Verdict] {
        &self.results
    }

    /// The index of the first invalid entry.
    #[must_use]
    pub fn first_invalid(&self) -> Option<usize> {
        self.invalid().next()
    }

    /// The indexes of the invalid entries, ascending.
    pub fn invalid(&self) -> impl Iterator<Item = usize> + '_ {
        self.results.iter().enumerate().filter(|(_, verdict)| **verdict == Verdict::Invalid).map(|(i, _)| i)
    }
}
