//! Key generation (specification section 7), in steps that can be watched and stopped.
#![forbid(unsafe_code)]

use super::hashing::{self, words};
use super::keys::bytes_of;
use super::parameters::{Node, ParameterSet};
use super::signing_key::SigningKey;
use super::trees::{Place, Source};
use crate::error::Error;
use crate::identity::{KeyId, OneTimeKeyId};
use crate::prf_key::PrfKey;
use crate::progress::Progress;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use phalanx_core::subtree::Subtree;
use phalanx_core::threads::{Inline, Pool};
use phalanx_core::{Malformed, sha256};
use rand_core::CryptoRng;

/// A key being generated: one bottom tree after another.
///
/// Call [`step_on`](Self::step_on) until it returns `None`, then [`finish`](Self::finish). Between steps the roots of
/// finished trees can be kept elsewhere and given back later with [`restore`](Self::restore), to a generation begun
/// from the same seed and interval: [`commitment`](Self::commitment) tells whether it is.
pub struct KeyGeneration {
    seed: PrfKey,
    parameter: Node,
    place: Place,
    /// Of the bottom trees that are done.
    roots: BTreeMap<u64, Node>,
    left: Option<Subtree<Node>>,
    right: Option<Subtree<Node>>,
    leaves_done: u64,
    leaves_total: u64,
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
        let (roots, leaves_total) = (BTreeMap::new(), place.epochs.end - place.epochs.start);
        Ok(Self { seed, parameter, place, roots, left: None, right: None, leaves_done: 0, leaves_total })
    }

    /// What [`VerifyingKey::key_id`](super::VerifyingKey::key_id) will be: known before anything is computed, so that a
    /// second key from one seed can be refused in time.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        KeyId::of_blake2s(&bytes_of(&self.parameter))
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
        Progress { leaves_done: self.leaves_done, leaves_total: self.leaves_total }
    }

    /// Indices of the key's bottom trees.
    #[must_use]
    pub fn trees(&self) -> Range<u64> {
        self.place.trees()
    }

    /// 32 bytes that tell generations of other seeds or intervals apart, and reveal nothing of the seed:
    /// `SHA-256("phalanx xmss keygen v1" || 00 || set name || 00 || LE64 first epoch || LE64 end || seed)`.
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        let Range { start, end } = self.place.epochs;
        let name = ParameterSet::L32_D42B8.name().as_bytes();
        let (start, end) = (start.to_le_bytes(), end.to_le_bytes());
        sha256::digest(&[b"phalanx xmss keygen v1\0", name, b"\0", &start, &end, self.seed.bytes()])
    }

    /// The root of finished bottom tree `index`; `None` if it is not finished.
    #[must_use]
    pub fn root(&self, index: u64) -> Option<Vec<u8>> {
        self.roots.get(&index).map(|root| bytes_of(root).to_vec())
    }

    /// Computes bottom tree `index` on `pool` and gives its root, for [`restore`](Self::restore) of another generation of
    /// the same [`commitment`](Self::commitment); this one is as before. So trees are shared out.
    ///
    /// # Errors
    /// [`Error::WrongTree`] if the tree is not one of the key's.
    pub fn compute_root_on(&self, pool: &dyn Pool, index: u64) -> Result<Vec<u8>, Error> {
        let trees = self.place.trees();
        if !trees.contains(&index) {
            return Err(Error::WrongTree { got: index, wanted: trees.start });
        }
        let source = Source { seed: &self.seed, parameter: &self.parameter, place: &self.place };
        let tree = source.bottom(index, pool, &|_| ControlFlow::Continue(()))?;
        Ok(bytes_of(&tree.root()).to_vec())
    }

    /// Takes the root of bottom tree `index` from an earlier run. The two trees that the new key must hold whole are
    /// computed again all the same; for those the root is dropped.
    ///
    /// Give it only roots that went with the same [`commitment`](Self::commitment): they are not recomputed.
    ///
    /// # Errors
    /// [`Error::WrongTree`] if the tree is not one of the key's; [`Error::Malformed`] for a root of the wrong length.
    pub fn restore(&mut self, index: u64, root: &[u8]) -> Result<(), Error> {
        let trees = self.place.trees();
        if !trees.contains(&index) {
            return Err(Error::WrongTree { got: index, wanted: trees.start });
        }
        Malformed::unless_equal("length of a root in bytes", root.len() as u64, 16)?;
        if index >= trees.start + 2 && self.roots.insert(index, words(root)).is_none() {
            let Range { start, end } = self.place.epochs_of(index..index + 1);
            self.leaves_total -= end - start;
        }
        Ok(())
    }

    /// Computes the next missing bottom tree on `pool` and returns its index, or `None` if all are done. Tells `progress`
    /// now and then, from any thread. The trees that are kept whole come last, so that what an interrupted run has to do
    /// again is small.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `progress` answered [`ControlFlow::Break`]; the step can be taken again.
    pub fn step_on(
        &mut self,
        pool: &dyn Pool,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Option<u64>, Error> {
        let Range { start: first, end: last } = self.place.trees();
        let held = last.min(first + 2);
        let mut order = (held..last).chain(first..held);
        let Some(index) = order.find(|index| !self.roots.contains_key(index)) else { return Ok(None) };
        let on_leaves = self.progress().counting_on(progress);
        let source = Source { seed: &self.seed, parameter: &self.parameter, place: &self.place };
        let tree = source.bottom(index, pool, &on_leaves)?;
        let Range { start, end } = self.place.epochs_of(index..index + 1);
        self.leaves_done += end - start;
        self.roots.insert(index, tree.root());
        match index - first {
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
        let source = Source { seed: &seed, parameter: &parameter, place: &place };
        let top = source.top(roots.into_values().collect());
        Ok(SigningKey::from_parts(seed, parameter, place, top, trees.start, (left, right)))
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
