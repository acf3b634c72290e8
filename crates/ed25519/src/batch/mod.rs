//! Batches: one answer for all, and which ones are bad.
#![forbid(unsafe_code)]

mod coefficients;
mod decode;
mod entry;
mod equation;
mod independent;
mod keys;
mod search;
#[cfg(test)]
mod tests;

use crate::hashed::{Outcome, SignedMessage};
use crate::many::verify_many_on;
use crate::profile::Profile;
use alloc::boxed::Box;
use alloc::vec::Vec;
use coefficients::Salt;
use entry::{Entry, hashed};
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool, map_on};

/// Whether all signatures are valid under `profile`. An empty batch is.
///
/// Profiles that are [batch consistent](Profile::is_batch_consistent) check one equation with random coefficients for
/// many signatures; the others verify each signature by itself. The answer is that of single verification for every
/// entry, up to a chance of 2^-128 that an equation accepts a bad signature.
///
/// Coefficients are drawn from a hash of all signatures, messages and keys and (with the feature `std`) 32 random bytes
/// of the operating system. If it gives none, and without `std`, the hash alone decides, as in
/// [`verify_batch_deterministic`]: a forger must then search for signatures whose own hash makes them pass, at 2^128
/// hashes for one success.
///
/// # Errors
/// [`InvalidSignature`] if any is not valid.
pub fn verify_batch(profile: Profile, messages: &[SignedMessage<'_>]) -> Result<(), InvalidSignature> {
    whole(&Inline, profile, &salt(), messages, LARGEST_BLOCK)
}

/// [`verify_batch`] on the threads of `pool`, in blocks of at least 64 signatures.
///
/// # Errors
/// [`InvalidSignature`] if any is not valid.
pub fn verify_batch_on(
    pool: &dyn Pool,
    profile: Profile,
    messages: &[SignedMessage<'_>],
) -> Result<(), InvalidSignature> {
    whole(pool, profile, &salt(), messages, shared_block(messages.len()))
}

/// [`verify_batch`] with coefficients from the hash of the batch alone: the same on every machine and in every run.
///
/// # Errors
/// [`InvalidSignature`] if any is not valid.
pub fn verify_batch_deterministic(
    profile: Profile,
    messages: &[SignedMessage<'_>],
) -> Result<(), InvalidSignature> {
    whole(&Inline, profile, &None, messages, LARGEST_BLOCK)
}

/// Signatures to an equation. More would save nothing, and their points would leave the caches: on AVX-512 a signature
/// takes 1.53 us of 1024, 1.45 of 2048, 1.6 of 4096 (AMD EPYC Zen 5, November 2026).
const LARGEST_BLOCK: usize = 2048;

/// Signatures to a job when there are threads to share the work.
fn shared_block(len: usize) -> usize {
    (len / 8).next_multiple_of(64).clamp(64, LARGEST_BLOCK)
}

#[cfg(feature = "std")]
fn salt() -> Salt {
    let mut salt = [0; 32];
    getrandom::fill(&mut salt).ok().map(|()| salt)
}

#[cfg(not(feature = "std"))]
fn salt() -> Salt {
    None
}

fn whole(
    pool: &dyn Pool,
    profile: Profile,
    salt: &Salt,
    messages: &[SignedMessage<'_>],
    block: usize,
) -> Result<(), InvalidSignature> {
    if !profile.is_batch_consistent() {
        return verify_many_on(pool, profile, messages).into_iter().collect();
    }
    let isa = Isa::current();
    let blocks = messages.chunks(block);
    let verify = |messages| search::all_valid(isa, profile, salt, &hashed(isa, messages));
    map_on(pool, blocks, &verify).into_iter().collect()
}

/// Collects signatures and verifies them together; every entry has a readable result, whatever happens.
///
/// ```
/// use phalanx_ed25519::{BatchVerifier, InvalidSignature, Profile, SigningKey};
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let mut batch = BatchVerifier::new(Profile::Zip215);
/// batch.add(key.verifying_key().as_ref(), key.sign(b"one").as_ref(), b"one");
/// batch.add(key.verifying_key().as_ref(), key.sign(b"two").as_ref(), b"another");
/// let report = batch.verify();
/// assert_eq!(report.results(), [Ok(()), Err(InvalidSignature)]);
/// assert_eq!(report.first_invalid(), Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct BatchVerifier {
    profile: Profile,
    deterministic: bool,
    entries: Vec<Entry>,
    /// Copies of short messages of the last entries, which are hashed side by side later.
    waiting: Vec<u8>,
    /// Which entry, and where its message ends among the waiting; it begins where the one before ends.
    waiting_ends: Vec<(usize, usize)>,
}

/// The results of a batch, one for each entry in the order of adding.
#[must_use]
#[derive(Clone, Debug)]
pub struct BatchReport {
    results: Vec<Outcome>,
}

impl BatchVerifier {
    /// Longer messages are hashed when they come: copying them would save nothing.
    const LONGEST_COPY_BYTES: usize = 1024;
    /// Messages that wait at most.
    const MOST_WAITING: usize = 64;

    /// An empty batch under `profile`. See [`verify_batch`] for how it is verified.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            deterministic: false,
            entries: Vec::new(),
            waiting: Vec::new(),
            waiting_ends: Vec::new(),
        }
    }

    /// An empty batch with coefficients from the hash of the batch alone: see [`verify_batch_deterministic`].
    #[must_use]
    pub fn deterministic(profile: Profile) -> Self {
        Self { deterministic: true, ..Self::new(profile) }
    }

    /// Adds an entry. Key and signature of a wrong length make it invalid; nothing is refused. Borrows nothing: the
    /// message is hashed, at once or (up to 1 KiB) together with the next ones, and an entry keeps 200 bytes.
    pub fn add(&mut self, public_key: &[u8], signature: &[u8], message: &[u8]) {
        let entry = Entry::new(public_key, signature);
        let place = self.entries.len();
        self.entries.push(entry);
        if !entry.well_formed {
            return;
        }
        if message.len() > Self::LONGEST_COPY_BYTES {
            return entry::hash(Isa::current(), &mut self.entries[place..], &[message]);
        }
        self.waiting.extend_from_slice(message);
        self.waiting_ends.push((place, self.waiting.len()));
        if self.waiting_ends.len() == Self::MOST_WAITING {
            self.hash_waiting();
        }
    }

    fn hash_waiting(&mut self) {
        let mut entries: Vec<_> = self.waiting_ends.iter().map(|(place, _)| self.entries[*place]).collect();
        let mut start = 0;
        let messages: Vec<_> = self
            .waiting_ends
            .iter()
            .map(|(_, end)| {
                let message = &self.waiting[start..*end];
                start = *end;
                message
            })
            .collect();
        entry::hash(Isa::current(), &mut entries, &messages);
        for ((place, _), entry) in self.waiting_ends.drain(..).zip(entries) {
            self.entries[place] = entry;
        }
        self.waiting.clear();
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
        self.waiting.clear();
        self.waiting_ends.clear();
    }

    /// Verifies all entries. The entries stay, so that more can be added.
    pub fn verify(&mut self) -> BatchReport {
        self.verify_blocks(&Inline, LARGEST_BLOCK)
    }

    /// Verifies all entries on the threads of `pool`, in blocks of at least 64.
    pub fn verify_on(&mut self, pool: &dyn Pool) -> BatchReport {
        self.verify_blocks(pool, shared_block(self.entries.len()))
    }

    fn verify_blocks(&mut self, pool: &dyn Pool, block: usize) -> BatchReport {
        self.hash_waiting();
        let (isa, profile) = (Isa::current(), self.profile);
        let salt = if self.deterministic { None } else { salt() };
        let mut results = alloc::vec![Err(InvalidSignature); self.entries.len()];
        let jobs = self.entries.chunks(block).zip(results.chunks_mut(block)).map(|(entries, results)| {
            let salt = &salt;
            Box::new(move || search::verify_each(isa, profile, salt, entries, results)) as Job<'_>
        });
        pool.run(jobs.collect());
        BatchReport { results }
    }
}

impl BatchReport {
    /// Whether every entry is valid. True for an empty batch.
    #[must_use]
    pub fn all_valid(&self) -> bool {
        self.first_invalid().is_none()
    }

    /// What single verification says about each entry, in the order of adding.
    pub fn results(&self) -> &[Result<(), InvalidSignature>] {
        &self.results
    }

    /// The index of the first invalid entry.
    #[must_use]
    pub fn first_invalid(&self) -> Option<usize> {
        self.invalid().next()
    }

    /// The indexes of the invalid entries, ascending.
    pub fn invalid(&self) -> impl Iterator<Item = usize> + '_ {
        self.results.iter().enumerate().filter(|(_, result)| result.is_err()).map(|(i, _)| i)
    }
}
