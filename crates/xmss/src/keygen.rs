//! Key generation (spec section 10), in steps that can be watched, stopped and taken up again.
#![forbid(unsafe_code)]

use super::digest::{Digest, Parameter};
use super::error::Error;
use super::identity::{KeyId, OneTimeKeyId};
use super::key::{Parts, SigningKey};
use super::padding::Padding;
use super::parameters::{ParameterSet, Parameters};
use super::prf_key::PrfKey;
use super::progress::Progress;
use super::tree;
use super::window::Trees;
use crate::hashes::keccak;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use chacha20::ChaCha12Rng;
use core::ops::{ControlFlow, Range};
use phalanx_core::Malformed;
use phalanx_core::subtree::Subtree;
use phalanx_core::threads::{Inline, Pool};
use rand_core::{CryptoRng, Rng, SeedableRng};
use zeroize::Zeroizing;

/// A key being generated: one bottom tree after another.
///
/// Call [`step_on`](Self::step_on) until it returns `None`, then [`finish`](Self::finish). Between steps the roots of
/// finished trees can be kept elsewhere and given back later with [`restore`](Self::restore), to a generation begun
/// from the same seed and interval: [`commitment`](Self::commitment) tells whether it is.
pub struct KeyGeneration {
    set: ParameterSet,
    trees: Trees,
    parameter: Parameter,
    prf_key: PrfKey,
    padding: Padding,
    roots: BTreeMap<u64, Digest>,
    left: Option<Subtree<Digest>>,
    right: Option<Subtree<Digest>>,
    leaves_done: u64,
    leaves_total: u64,
}

impl KeyGeneration {
    /// Begins a key for the epochs of `activation`, rounded outwards to bottom trees, at least two.
    ///
    /// Randomness is drawn in leanSig's order: parameter, PRF key (from disjoint output), padding of the top tree.
    ///
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or there are none (Poseidon1 sets).
    pub fn new(set: ParameterSet, rng: &mut impl CryptoRng, activation: Range<u64>) -> Result<Self, Error> {
        let Range { start, end } = activation;
        let count =
            end.checked_sub(start).ok_or(Error::Interval { start, count: 0, lifetime: set.lifetime() })?;
        let p = set.parameters();
        let trees = Trees::covering(p, start, count)?;
        let (parameter, prf_key) = draw_secrets(p, rng);
        let padding = Padding::draw(p.family, rng, trees.first, trees.count(), p.log2_lifetime / 2);
        Ok(Self::from_secrets(set, trees, parameter, prf_key, padding))
    }

    /// Begins a key of which everything that is drawn is known.
    pub(crate) fn from_secrets(
        set: ParameterSet,
        trees: Trees,
        parameter: Parameter,
        prf_key: PrfKey,
        padding: Padding,
    ) -> Self {
        Self {
            set,
            trees,
            parameter,
            prf_key,
            padding,
            roots: BTreeMap::new(),
            left: None,
            right: None,
            leaves_done: 0,
            leaves_total: trees.count() * set.tree_leaves(),
        }
    }

    /// As [`new`](Self::new), with ChaCha12 on `seed` as randomness: the key leanSig makes from Rust's `StdRng` (`rand`
    /// 0.9 and 0.10) on the same seed.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_seed(set: ParameterSet, seed: &[u8; 32], activation: Range<u64>) -> Result<Self, Error> {
        Self::new(set, &mut ChaCha12Rng::from_seed(*seed), activation)
    }

    /// What [`VerifyingKey::key_id`](super::key::VerifyingKey::key_id) will be: known before anything is computed, so
    /// that a second key from one seed can be refused in time.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        KeyId::of(self.set, &self.parameter)
    }

    /// What [`SigningKey::one_time_key_id`] will be.
    #[must_use]
    pub fn one_time_key_id(&self) -> OneTimeKeyId {
        OneTimeKeyId::of(&self.prf_key)
    }

    /// The epochs that the key will be able to sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        let leaves = self.set.tree_leaves();
        self.trees.first * leaves..self.trees.end * leaves
    }

    /// Indices of the key's bottom trees.
    #[must_use]
    pub fn trees(&self) -> Range<u64> {
        self.trees.first..self.trees.end
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { leaves_done: self.leaves_done, leaves_total: self.leaves_total }
    }

    /// 32 bytes that tell generations of other secrets, sets or intervals apart, and reveal nothing of the secret:
    /// `SHAKE128("phalanx xmss keygen v1" || set name || first tree || end tree || P || PRF key)`.
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        let mut parameter = Vec::new();
        self.parameter.0.iter().for_each(|word| parameter.extend(word.to_le_bytes()));
        let (first, end) = (self.trees.first.to_le_bytes(), self.trees.end.to_le_bytes());
        let name = self.set.name().as_bytes();
        let name_len = [u8::try_from(name.len()).expect("names are short")];
        let mut out = [0; 32];
        let parts: [&[u8]; 7] =
            [b"phalanx xmss keygen v1", &name_len, name, &first, &end, &parameter, self.prf_key.bytes()];
        keccak::shake128(&parts, &mut out);
        out
    }

    /// The root of finished bottom tree `index`, as SSZ has it; `None` if it is not finished.
    #[must_use]
    pub fn root(&self, index: u64) -> Option<Vec<u8>> {
        self.roots.get(&index).map(|root| self.root_to_ssz(root))
    }

    fn root_to_ssz(&self, root: &Digest) -> Vec<u8> {
        let p = self.set.parameters();
        root.0[..p.hash_len].iter().flat_map(|&word| p.family.word_to_ssz(word).to_le_bytes()).collect()
    }

    /// Computes bottom tree `index` on `pool` and gives its root, for [`restore`](Self::restore) of another generation of
    /// the same [`commitment`](Self::commitment); this one is as before. So trees are shared out.
    ///
    /// # Errors
    /// [`Error::WrongTree`] if the tree is not one of the key's.
    pub fn compute_root_on(&self, pool: &dyn Pool, index: u64) -> Result<Vec<u8>, Error> {
        if !self.trees().contains(&index) {
            return Err(Error::WrongTree { got: index, wanted: self.trees.first });
        }
        let unwatched = |_| ControlFlow::Continue(());
        let set = self.set.parameters();
        let tree = tree::bottom(set, &self.parameter, &self.prf_key, index, pool, &unwatched)?;
        Ok(self.root_to_ssz(&tree.root()))
    }

    /// Takes the root of bottom tree `index` from an earlier run. The two trees that the new key must hold whole are
    /// computed again all the same; for those the root is dropped.
    ///
    /// Give it only roots that went with the same [`commitment`](Self::commitment): they are not recomputed.
    ///
    /// # Errors
    /// [`Error::WrongTree`] if the tree is not one of the key's; [`Error::Malformed`] for a root of the wrong length or
    /// with a non-canonical element.
    pub fn restore(&mut self, index: u64, root: &[u8]) -> Result<(), Error> {
        if !self.trees().contains(&index) {
            return Err(Error::WrongTree { got: index, wanted: self.trees.first });
        }
        let p = self.set.parameters();
        Malformed::unless_equal("length of a root in bytes", root.len() as u64, 4 * p.hash_len as u64)?;
        let mut digest = Digest::default();
        for (word, bytes) in digest.0.iter_mut().zip(root.as_chunks::<4>().0) {
            let wire = u32::from_le_bytes(*bytes);
            *word = p.family.word_from_ssz(wire).map_err(|bound| Malformed {
                what: "element of a root",
                got: u64::from(wire),
                wanted: u64::from(bound) - 1,
            })?;
        }
        if index >= self.trees.first + 2 && self.roots.insert(index, digest).is_none() {
            self.leaves_total -= p.tree_leaves();
        }
        Ok(())
    }

    /// Computes the next missing bottom tree on `pool` and returns its index, or `None` if all are done. Tells
    /// `progress` now and then, from any thread. The trees that are kept whole come last, so that what an interrupted
    /// run has to do again is small.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `progress` answered [`ControlFlow::Break`]; the step can be taken again.
    pub fn step_on(
        &mut self,
        pool: &dyn Pool,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Option<u64>, Error> {
        let Trees { first, end } = self.trees;
        let mut order = (first + 2..end).chain(first..first + 2);
        let Some(index) = order.find(|index| !self.roots.contains_key(index)) else { return Ok(None) };
        let set = self.set.parameters();
        let on_leaves = self.progress().counting_on(progress);
        let tree = tree::bottom(set, &self.parameter, &self.prf_key, index, pool, &on_leaves)?;
        self.leaves_done += set.tree_leaves();
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
        let Self { set, trees, parameter, prf_key, padding, roots, left, right, .. } = self;
        let (Some(left), Some(right)) = (left, right) else { return Err(Error::Unfinished) };
        if roots.len() as u64 != trees.count() {
            return Err(Error::Unfinished);
        }
        let top = tree::top(set.parameters(), &parameter, trees, roots.into_values().collect(), padding);
        let left_index = trees.first;
        Ok(SigningKey::from_parts(Parts { set, prf_key, parameter, trees, top, left_index, left, right }))
    }

    /// All steps at once.
    fn run(mut self, pool: &dyn Pool) -> Result<SigningKey, Error> {
        while self.step_on(pool, &|_| ControlFlow::Continue(()))?.is_some() {}
        self.finish()
    }
}

/// Draws what a key's trees are computed from: first the parameter, then, from disjoint output, the PRF key.
pub(crate) fn draw_secrets(set: &Parameters, rng: &mut dyn Rng) -> (Parameter, PrfKey) {
    let parameter = set.family.random_parameter(rng);
    // leanSig draws a word for every byte; a faster fill would give another key from the same seed.
    let prf_key = PrfKey::filled_by(|bytes| {
        bytes.fill_with(|| {
            let [low, ..] = rng.next_u32().to_le_bytes();
            low
        });
    });
    (parameter, prf_key)
}

impl SigningKey {
    /// Generates a key for the epochs of `activation`, rounded outwards to bottom trees, at least two.
    ///
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or there are none (Poseidon1 sets).
    pub fn generate(
        set: ParameterSet,
        rng: &mut impl CryptoRng,
        activation: Range<u64>,
    ) -> Result<Self, Error> {
        KeyGeneration::new(set, rng, activation)?.run(&Inline)
    }

    /// Generates the key leanSig makes from the same 32-byte seed.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn from_seed(set: ParameterSet, seed: &[u8; 32], activation: Range<u64>) -> Result<Self, Error> {
        Self::from_seed_on(&Inline, set, seed, activation)
    }

    /// As [`from_seed`](Self::from_seed), on the threads of `pool`. The key is the same.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn from_seed_on(
        pool: &dyn Pool,
        set: ParameterSet,
        seed: &[u8; 32],
        activation: Range<u64>,
    ) -> Result<Self, Error> {
        let seed = Zeroizing::new(*seed);
        KeyGeneration::from_seed(set, &seed, activation)?.run(pool)
    }
}
