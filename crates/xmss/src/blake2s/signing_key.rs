//! Keys that sign, and how they move on (specification section 8).
#![forbid(unsafe_code)]

use super::hashing::{self, OneTimeKey, Walk};
use super::keys::{Signature, VerifyingKey};
use super::parameters::{CHAINS, Node, ParameterSet, Profile};
use super::trees::{Place, Source};
use crate::error::Error;
use crate::hashes::blake2s::with_lanes;
use crate::identity::OneTimeKeyId;
use crate::prf_key::PrfKey;
use crate::progress::Progress;
use crate::used::{Instance, Used};
use crate::window::{node_of, trees_to};
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use phalanx_core::Malformed;
use phalanx_core::secret::wipe_stack;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::Subtree;
use phalanx_core::threads::{Inline, Pool};
use zeroize::Zeroizing;

/// What signs: once per epoch, for exactly the epochs that were asked for.
///
/// A key holds the top of its tree whole and two neighbouring bottom trees, its *prepared interval*; it moves on by
/// itself when a later epoch is signed, and never back. It has no `Debug` and cannot be cloned.
pub struct SigningKey {
    pub(super) seed: PrfKey,
    pub(super) parameter: Node,
    pub(crate) place: Place,
    pub(super) top: Subtree<Node>,
    /// Index of the first bottom tree that is held.
    pub(crate) left_index: u64,
    pub(super) left: Subtree<Node>,
    /// The one after it, where there is one.
    pub(super) right: Option<Subtree<Node>>,
    used: Used,
}

impl SigningKey {
    /// A key from parts that fit.
    pub(super) fn from_parts(
        seed: PrfKey,
        parameter: Node,
        place: Place,
        top: Subtree<Node>,
        left_index: u64,
        (left, right): (Subtree<Node>, Option<Subtree<Node>>),
    ) -> Self {
        let widened = |node: Node| {
            let mut digest = crate::digest::Digest::default();
            digest.0[..4].copy_from_slice(&node);
            digest
        };
        let Range { start, end } = place.epochs;
        let instance = Instance {
            scheme: ParameterSet::L32_D42B8.name(),
            root: widened(top.root()),
            parameter: widened(parameter),
            start,
            end,
        };
        let used = Used::of(OneTimeKeyId::of_blake2s(&seed), instance);
        let mut key = Self { seed, parameter, place, top, left_index, left, right, used };
        key.used.pass(key.prepared_interval().start);
        key
    }

    /// The parameter set of the key: the one that signs.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        ParameterSet::L32_D42B8
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey { set: self.parameter_set(), root: self.top.root(), parameter: self.parameter }
    }

    /// The name of the key's one-time keys, from their secret: equal for all keys with the same seed. For records of
    /// used epochs.
    #[must_use]
    pub fn one_time_key_id(&self) -> OneTimeKeyId {
        OneTimeKeyId::of_blake2s(&self.seed)
    }

    /// The epochs the key can ever sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        self.place.epochs.clone()
    }

    /// The epochs the key can sign now, without computing a bottom tree.
    #[must_use]
    pub fn prepared_interval(&self) -> Range<u64> {
        self.place.epochs_of(self.left_index..self.left_index + 2)
    }

    /// Moves the prepared interval on by one bottom tree, which is computed now. `Ok(false)` at the end of the
    /// activation interval, where there is none.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the computed tree does not belong to the key: then its secret part is damaged.
    pub fn advance(&mut self) -> Result<bool, Error> {
        let Some(mut next) = self.next_tree() else { return Ok(false) };
        next.compute_on(&Inline, &|_| ControlFlow::Continue(()))?;
        self.advance_with(next)?;
        Ok(true)
    }

    /// The bottom tree by which the prepared interval moves on, to be computed beside the live key: on another thread,
    /// say, while this key goes on signing. `None` at the end of the activation interval.
    #[must_use]
    pub fn next_tree(&self) -> Option<NextTree> {
        self.tree_at(self.left_index + 2)
    }

    /// Bottom tree `index`, if it is one of the key's.
    pub(crate) fn tree_at(&self, index: u64) -> Option<NextTree> {
        self.place.trees().contains(&index).then(|| NextTree {
            seed: self.seed.duplicate(),
            parameter: self.parameter,
            place: self.place.clone(),
            index,
            tree: None,
        })
    }

    /// Moves the prepared interval on by one bottom tree that was computed before.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if it was not; [`Error::WrongTree`] if it belongs to another key, or the key has moved on
    /// since; [`Error::Malformed`] if the secret part of the key is damaged. The key is then unchanged.
    pub fn advance_with(&mut self, next: NextTree) -> Result<(), Error> {
        let tree = self.accept_at(next, self.left_index + 2)?;
        let right = self.right.replace(tree).expect("before a third tree there is a second");
        self.left = right;
        self.left_index += 1;
        self.used.pass(self.prepared_interval().start);
        Ok(())
    }

    /// The bottom trees by which `epoch` becomes prepared, to be computed beside the live key: the next one, or two where
    /// trees are passed over; none if `epoch` is prepared, passed, or outside the activation interval. Of two, the first
    /// is that of `epoch` unless it is the last of the key.
    #[must_use]
    pub fn trees_to(&self, epoch: u64) -> Vec<NextTree> {
        let (next, end) = (self.left_index + 2, self.place.trees().end);
        // The last tree may reach beyond the last epoch.
        let end = if epoch < self.place.epochs.end { end } else { 0 };
        let trees = trees_to(epoch >> self.place.height, next, end);
        trees.filter_map(|index| self.tree_at(index)).collect()
    }

    /// Moves the prepared interval on by trees that [`trees_to`](Self::trees_to) gave and that were computed.
    ///
    /// # Errors
    /// As [`advance_with`](Self::advance_with). The key is then unchanged.
    pub fn move_on_with(&mut self, trees: Vec<NextTree>) -> Result<(), Error> {
        let wanted = self.left_index + 2;
        let mut trees = trees.into_iter();
        let Some(left) = trees.next() else { return Ok(()) };
        let Some(right) = trees.next() else { return self.advance_with(left) };
        let index = left.index;
        if index < wanted {
            return Err(Error::WrongTree { got: index, wanted });
        }
        let (left, right) = (self.accept_at(left, index)?, self.accept_at(right, index + 1)?);
        self.hold(index, left, right);
        Ok(())
    }

    /// Moves the prepared interval on to these two trees.
    fn hold(&mut self, index: u64, left: Subtree<Node>, right: Subtree<Node>) {
        (self.left, self.right, self.left_index) = (left, Some(right), index);
        self.used.pass(self.prepared_interval().start);
    }

    /// The computed tree, if it is this key's tree number `wanted`.
    pub(crate) fn accept_at(&self, next: NextTree, wanted: u64) -> Result<Subtree<Node>, Error> {
        if next.index != wanted || next.parameter != self.parameter || next.place != self.place {
            return Err(Error::WrongTree { got: next.index, wanted });
        }
        self.accept(next)
    }

    /// The computed tree, if it belongs under the top tree.
    fn accept(&self, next: NextTree) -> Result<Subtree<Node>, Error> {
        let NextTree { index, tree, .. } = next;
        let tree = tree.ok_or(Error::Unfinished)?;
        if node_of(&self.top, index) != Some(tree.root()) {
            let what = "computed bottom trees whose root is in the top tree";
            return Err(Malformed { what, got: 0, wanted: 1 }.into());
        }
        Ok(tree)
    }

    /// Moves on until `epoch`, one of the key's, is prepared. Bottom trees that would be passed over are not computed.
    pub(crate) fn advance_to(&mut self, epoch: u64) -> Result<(), Error> {
        let tree = epoch >> self.place.height;
        if tree <= self.left_index + 1 {
            return Ok(());
        }
        if tree == self.left_index + 2 {
            return self.advance().map(|_| ());
        }
        let fetch = |index| {
            let mut next = self.tree_at(index).expect("trees of epochs of the key");
            next.compute_on(&Inline, &|_| ControlFlow::Continue(()))?;
            self.accept(next)
        };
        let (left, right) = (fetch(tree - 1)?, fetch(tree)?);
        self.hold(tree - 1, left, right);
        Ok(())
    }

    /// Signs `message` at `epoch`, noting it in a record that **ends with this process**: across restarts, keep your own.
    ///
    /// The message is 32 bytes; callers hash longer ones. The signature is a deterministic function of key, epoch and
    /// message. An epoch signs one message in the life of this process, whichever copy of the key is asked; the same
    /// message again gives the same signature. Of several keys from one seed, for other intervals, one signs: they share
    /// their one-time keys. If the epoch lies beyond the prepared interval the key moves on first, which computes one or
    /// two bottom trees.
    ///
    /// # Errors
    /// [`Error::NotActive`], [`Error::Exhausted`], [`Error::Passed`] for epochs outside what the key can still sign;
    /// [`Error::EpochUsed`] for a second message; [`Error::OtherInstance`] if another key with the same one-time keys
    /// has signed; [`Error::Forked`] in a fork of the process that made the key; [`Error::EncodingAttempts`] if no
    /// encoding is found (never seen); [`Error::Malformed`] if the key's secret part is damaged.
    pub fn sign(&mut self, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
        self.check_can_sign(epoch)?;
        self.used.reserve(epoch, message)?;
        self.advance_to(epoch.into())?;
        Ok(self.sign_prepared(epoch, message)?.0)
    }

    /// Whether `epoch` is one that the key can still sign.
    pub(crate) fn check_can_sign(&self, epoch: u32) -> Result<(), Error> {
        let Range { start, end } = self.place.epochs;
        let at = u64::from(epoch);
        if at < start {
            return Err(Error::NotActive { epoch: at, start, end });
        }
        if at >= end {
            return Err(Error::Exhausted { epoch: at, end });
        }
        let prepared = self.prepared_interval().start;
        if at < prepared {
            return Err(Error::Passed { epoch: at, prepared });
        }
        Ok(())
    }

    /// The signature, for an epoch of the prepared interval that may sign `message`, and the number of its trial.
    pub(crate) fn sign_prepared(&self, epoch: u32, message: &[u8; 32]) -> Result<(Signature, u32), Error> {
        let tree = u64::from(epoch) >> self.place.height;
        let bottom = if tree == self.left_index { Some(&self.left) } else { self.right.as_ref() };
        self.sign_in(bottom.expect("the epoch is prepared"), epoch, message)
    }

    /// The same in `bottom`, the epoch's bottom tree.
    pub(crate) fn sign_in(
        &self,
        bottom: &Subtree<Node>,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<(Signature, u32), Error> {
        let isa = Isa::current();
        let set = self.parameter_set();
        let key = OneTimeKey { parameter: &self.parameter, seed: &self.seed, epoch };
        let (randomizer, digits, trial) =
            with_lanes!(isa, lanes => hashing::find_encoding(lanes, &key, message))
                .ok_or(Error::EncodingAttempts { attempts: u32::MAX })?;
        let mut starts = Zeroizing::new([Node::default(); CHAINS]);
        with_lanes!(isa, lanes => hashing::starts(lanes, &key, &mut starts));
        let parameter = &self.parameter;
        let walk = |(chain, steps)| Walk { parameter, epoch, chain, position: 0, steps };
        let walks: Vec<_> = (0..).zip(digits).map(walk).collect();
        let mut values = [Node::default(); CHAINS];
        with_lanes!(isa, lanes =>
            hashing::walk(lanes, Profile::B, &walks, |i| &starts[i], |i, value| values[i] = value));
        wipe_stack();
        let tree = u64::from(epoch) >> self.place.height;
        let mut path = bottom.path(u64::from(epoch)).expect("the epoch is the tree's");
        path.extend(self.top.path(tree).expect("the epoch is active"));
        let path = path.try_into().expect("as many siblings as levels");
        Ok((Signature { set, values, randomizer, path }, trial))
    }
}

/// A bottom tree on its way to a key; see [`SigningKey::next_tree`]. Holds a copy of the key's secret, wiped on drop.
pub struct NextTree {
    seed: PrfKey,
    parameter: Node,
    place: Place,
    pub(crate) index: u64,
    tree: Option<Subtree<Node>>,
}

impl NextTree {
    /// First epoch of the tree that is the key's, and the first after the last one.
    #[must_use]
    pub fn epochs(&self) -> Range<u64> {
        self.place.epochs_of(self.index..self.index + 1)
    }

    /// Computes the tree on `pool`, telling `progress` now and then, from any thread.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `progress` answered [`ControlFlow::Break`].
    pub fn compute_on(
        &mut self,
        pool: &dyn Pool,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<(), Error> {
        let Range { start, end } = self.epochs();
        let on_leaves = Progress { leaves_done: 0, leaves_total: end - start }.counting_on(progress);
        let source = Source { seed: &self.seed, parameter: &self.parameter, place: &self.place };
        let tree = source.bottom(self.index, pool, &on_leaves)?;
        self.tree = Some(tree);
        Ok(())
    }
}
