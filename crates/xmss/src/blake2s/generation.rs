//! Key generation (specification section 7), in steps that can be watched and stopped.
#![forbid(unsafe_code)]

use super::hashing;
use super::parameters::Node;
use super::signing_key::SigningKey;
use super::trees::{Place, Source};
use crate::error::Error;
use crate::identity::{KeyId, OneTimeKeyId};
use crate::prf_key::PrfKey;
use crate::progress::Progress;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use phalanx_core::subtree::Subtree;
use phalanx_core::threads::{Inline, Pool};
use rand_core::CryptoRng;

/// A key being generated: one bottom tree after another.
///
/// Call [`step_on`](Self::step_on) until it returns `None`, then [`finish`](Self::finish).
pub struct KeyGeneration {
    seed: PrfKey,
    parameter: Node,
    place: Place,
    /// Of the bottom trees that are done.
    roots: Vec<Node>,
    left: Option<Subtree<Node>>,
    right: Option<Subtree<Node>>,
    leaves_done: u64,
}

impl KeyGeneration {
    /// Begins a key with a random seed, for the epochs of `activation`.
    ///
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or there are none.
    pub fn new(rng: &mut impl CryptoRng, activation: Range<u64>) -> Result<Self, Error> {
        Self::of(PrfKey::filled_by(|seed| rng.fill_bytes(seed)), activation)
    }

    /// Begins the key of `seed`, which is the whole secret, for the epochs of `activation`. They are part of the key:
    /// for other epochs the same seed gives another root, and of the two keys one may ever sign.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_seed(seed: &[u8; 32], activation: Range<u64>) -> Result<Self, Error> {
        Self::of(PrfKey::filled_by(|copy| copy.copy_from_slice(seed)), activation)
    }

    fn of(seed: PrfKey, activation: Range<u64>) -> Result<Self, Error> {
        let place = Place::new(activation)?;
        let parameter = hashing::parameter(&seed);
        Ok(Self { seed, parameter, place, roots: Vec::new(), left: None, right: None, leaves_done: 0 })
    }

    /// What [`VerifyingKey::key_id`](super::VerifyingKey::key_id) will be: known before anything is computed, so that a
    /// second key from one seed can be refused in time.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        KeyId::of_blake2s(&super::keys::bytes_of(&self.parameter))
    }

    /// What [`SigningKey::one_time_key_id`] will be.
    #[must_use]
    pub fn one_time_key_id(&self) -> OneTimeKeyId {
        OneTimeKeyId::of_blake2s(&self.seed)
    }

    /// The epochs that the key will be able to sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        self.place.epochs.clone()
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let Range { start, end } = self.place.epochs;
        Progress { leaves_done: self.leaves_done, leaves_total: end - start }
    }

    /// Computes the next bottom tree on `pool` and returns its index, or `None` if all are done. Tells `progress` now and
    /// then, from any thread.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `progress` answered [`ControlFlow::Break`]; the step can be taken again.
    pub fn step_on(
        &mut self,
        pool: &dyn Pool,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Option<u64>, Error> {
        let trees = self.place.trees();
        let index = trees.start + self.roots.len() as u64;
        if index >= trees.end {
            return Ok(None);
        }
        let on_leaves = self.progress().counting_on(progress);
        let source = Source { seed: &self.seed, parameter: &self.parameter, place: &self.place };
        let tree = source.bottom(index, pool, &on_leaves)?;
        let Range { start, end } = self.place.epochs_of(index..index + 1);
        self.leaves_done += end - start;
        self.roots.push(tree.root());
        match index - trees.start {
            0 => self.left = Some(tree),
            1 => self.right = Some(tree),
            _ => {}
        }
        Ok(Some(index))
    }

    /// The key, once all steps are done.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if they are not.
    pub fn finish(self) -> Result<SigningKey, Error> {
        let Self { seed, parameter, place, roots, left, right, .. } = self;
        let trees = place.trees();
        let Some(left) = left else { return Err(Error::Unfinished) };
        if roots.len() as u64 != trees.end - trees.start {
            return Err(Error::Unfinished);
        }
        let top = Source { seed: &seed, parameter: &parameter, place: &place }.top(roots);
        Ok(SigningKey::from_parts(seed, parameter, place, top, (left, right)))
    }

    /// All steps at once.
    fn run(mut self, pool: &dyn Pool) -> Result<SigningKey, Error> {
        while self.step_on(pool, &|_| ControlFlow::Continue(()))?.is_some() {}
        self.finish()
    }
}

impl SigningKey {
    /// Generates a key with a random seed for the epochs of `activation`.
    ///
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or there are none.
    pub fn generate(rng: &mut impl CryptoRng, activation: Range<u64>) -> Result<Self, Error> {
        KeyGeneration::new(rng, activation)?.run(&Inline)
    }

    /// Generates the key of `seed` for the epochs of `activation`.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn from_seed(seed: &[u8; 32], activation: Range<u64>) -> Result<Self, Error> {
        Self::from_seed_on(&Inline, seed, activation)
    }

    /// As [`from_seed`](Self::from_seed), on the threads of `pool`. The key is the same.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn from_seed_on(pool: &dyn Pool, seed: &[u8; 32], activation: Range<u64>) -> Result<Self, Error> {
        KeyGeneration::from_seed(seed, activation)?.run(pool)
    }
}
