//! Keys: what they hold, which epochs they cover, and how they move on.
#![forbid(unsafe_code)]

use super::digest::{Digest, Parameter};
use super::error::Error;
use super::identity::{KeyId, OneTimeKeyId};
use super::parameters::ParameterSet;
use super::prf_key::PrfKey;
use super::progress::Progress;
use super::tree;
use super::used::{Instance, Used};
use super::window::{Trees, node_of, trees_to};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{ControlFlow, Range};
use phalanx_core::Malformed;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::Subtree;
use phalanx_core::threads::{Inline, Pool};

/// What verifies signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VerifyingKey {
    pub(crate) set: ParameterSet,
    pub(crate) root: Digest,
    pub(crate) parameter: Parameter,
}

impl VerifyingKey {
    /// The parameter set of the key.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }

    /// The name of the one-time keys behind this key: equal for all keys that one seed gives. At most one of those may
    /// ever sign.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        KeyId::of(self.set, &self.parameter)
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({} {:08x?})", self.set, &self.root.0[..self.set.hash_len()])
    }
}

/// What signs: once per epoch, for the epochs of its activation interval.
///
/// A key holds the tree top whole and two neighbouring bottom trees, its *prepared interval*; it moves on by itself
/// when a later epoch is signed, and never back. It has no `Debug` and cannot be cloned:
///
/// ```compile_fail,E0277
/// fn show(key: &phalanx_xmss::SigningKey) {
///     println!("{key:?}");
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn copy(key: &phalanx_xmss::SigningKey) -> phalanx_xmss::SigningKey {
///     phalanx_xmss::SigningKey::clone(key)
/// }
/// ```
///
/// Signing takes the key whole, so that one key object cannot be asked by two at the same time:
///
/// ```compile_fail,E0596
/// fn sign(key: &phalanx_xmss::SigningKey) {
///     let _ = key.sign(0, &[0; 32]);
/// }
/// ```
pub struct SigningKey {
    pub(crate) set: ParameterSet,
    pub(crate) prf_key: PrfKey,
    pub(crate) parameter: Parameter,
    pub(crate) trees: Trees,
    pub(crate) top: Subtree<Digest>,
    pub(crate) left_index: u64,
    pub(crate) left: Subtree<Digest>,
    pub(crate) right: Subtree<Digest>,
    pub(crate) used: Used,
}

/// The parts of a key as they come from key generation or from the wire.
pub(crate) struct Parts {
    pub(crate) set: ParameterSet,
    pub(crate) prf_key: PrfKey,
    pub(crate) parameter: Parameter,
    pub(crate) trees: Trees,
    pub(crate) top: Subtree<Digest>,
    pub(crate) left_index: u64,
    pub(crate) left: Subtree<Digest>,
    pub(crate) right: Subtree<Digest>,
}

impl SigningKey {
    /// A key from parts that are known to fit.
    pub(crate) fn from_parts(parts: Parts) -> Self {
        let Parts { set, prf_key, parameter, trees, top, left_index, left, right } = parts;
        let (scheme, leaves) = (set.name(), set.tree_leaves());
        let (start, end) = (trees.first * leaves, trees.end * leaves);
        let instance = Instance { scheme, root: top.root(), parameter, start, end };
        let mut used = Used::of(OneTimeKeyId::of(&prf_key), instance);
        used.pass(left_index * leaves);
        Self { set, prf_key, parameter, trees, top, left_index, left, right, used }
    }

    /// A key from parts that came from outside, after checking everything that can be checked without recomputing its
    /// leaves: shapes and places of all three trees, every inner node, the two bottom roots against the top tree, and
    /// the first leaf against the PRF key.
    ///
    /// # Errors
    /// [`Malformed`], naming the first thing that does not fit.
    pub(crate) fn from_untrusted_parts(parts: Parts) -> Result<Self, Malformed> {
        let set = parts.set.parameters();
        let all = 1u64 << (set.log2_lifetime - set.log2_lifetime / 2);
        let Trees { first, end } = parts.trees;
        let left_index = parts.left_index;
        check_at_most("last bottom tree of the activation interval", end, all)?;
        check_at_least("bottom trees of the activation interval", end.saturating_sub(first), 2)?;
        check_at_least("index of the left bottom tree", left_index, first)?;
        check_at_most("index of the left bottom tree", left_index, end - 2)?;
        let (depth, leaves) = (set.log2_lifetime, set.tree_leaves());
        let padded = |start: u64, end: u64| (start - start % 2, end + end % 2);
        check_shape(&parts.top, depth, depth / 2, padded(first, end), padded)?;
        for (good, index, tree) in [(0, left_index, &parts.left), (1, left_index + 1, &parts.right)] {
            check_shape(tree, depth, 0, (index * leaves, (index + 1) * leaves), |a, b| (a, b))?;
            if Some(tree.root()) != node_of(&parts.top, index) {
                return Err(Malformed {
                    what: "bottom trees whose root is in the top tree",
                    got: good,
                    wanted: 2,
                });
            }
        }
        for (good, tree) in [&parts.top, &parts.left, &parts.right].into_iter().enumerate() {
            if !tree::is_consistent(set, &parts.parameter, tree) {
                let got = good as u64;
                return Err(Malformed {
                    what: "trees whose nodes are hashes of their children",
                    got,
                    wanted: 3,
                });
            }
        }
        let mut leaf = [Digest::default()];
        let epoch = u32::try_from(left_index * leaves).expect("below the lifetime");
        set.family.leaves(Isa::current(), &parts.parameter, &parts.prf_key, epoch, &mut leaf);
        if leaf[0] != parts.left.layers[0].nodes[0] {
            return Err(Malformed { what: "first leaves that come from the PRF key", got: 0, wanted: 1 });
        }
        Ok(Self::from_parts(parts))
    }

    /// The parameter set of the key.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey { set: self.set, root: self.top.root(), parameter: self.parameter }
    }

    /// The name of the key's one-time keys, from their secret: equal for all keys with the same PRF key. For records of
    /// used epochs.
    #[must_use]
    pub fn one_time_key_id(&self) -> OneTimeKeyId {
        OneTimeKeyId::of(&self.prf_key)
    }

    /// The epochs the key can ever sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        let leaves = self.set.tree_leaves();
        self.trees.first * leaves..self.trees.end * leaves
    }

    /// The epochs the key can sign now, without computing a bottom tree.
    #[must_use]
    pub fn prepared_interval(&self) -> Range<u64> {
        let leaves = self.set.tree_leaves();
        self.left_index * leaves..(self.left_index + 2) * leaves
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
        (self.trees.first..self.trees.end).contains(&index).then(|| NextTree {
            set: self.set,
            prf_key: self.prf_key.duplicate(),
            parameter: self.parameter,
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
        let right = self.accept_at(next, self.left_index + 2)?;
        self.left = core::mem::replace(&mut self.right, right);
        self.left_index += 1;
        self.used.pass(self.prepared_interval().start);
        Ok(())
    }

    /// The bottom trees by which `epoch` becomes prepared, to be computed beside the live key: the next one, or two where
    /// trees are passed over; none if `epoch` is prepared, passed, or outside the activation interval. Of two, the first
    /// is that of `epoch` unless it is the last of the key.
    #[must_use]
    pub fn trees_to(&self, epoch: u64) -> Vec<NextTree> {
        let trees = trees_to(epoch / self.set.tree_leaves(), self.left_index + 2, self.trees.end);
        trees.filter_map(|index| self.tree_at(index)).collect()
    }

    /// Moves the prepared interval on by trees that [`trees_to`](Self::trees_to) gave and that were computed.
    ///
    /// # Errors
    /// As [`advance_with`](Self::advance_with). The key is then unchanged.
    pub fn move_on_with(&mut self, trees: Vec<NextTree>) -> Result<(), Error> {
        let wanted = self.left_index + 2;
        let mut trees = trees.into_iter();
        match (trees.next(), trees.next()) {
            (Some(next), None) => self.advance_with(next),
            (Some(left), Some(right)) if left.index >= wanted && right.index == left.index + 1 => {
                let is_own = |next: &NextTree| next.set == self.set && next.parameter == self.parameter;
                if !is_own(&left) || !is_own(&right) {
                    return Err(Error::WrongTree { got: left.index, wanted });
                }
                let index = left.index;
                let (left, right) = (self.accept(left)?, self.accept(right)?);
                (self.left, self.right, self.left_index) = (left, right, index);
                self.used.pass(self.prepared_interval().start);
                Ok(())
            }
            (Some(other), Some(_)) => Err(Error::WrongTree { got: other.index, wanted }),
            (None, _) => Ok(()),
        }
    }

    /// Moves on until `epoch`, which is inside the activation interval, is prepared. Bottom trees that would be passed
    /// over are not computed.
    pub(crate) fn advance_to(&mut self, epoch: u64) -> Result<(), Error> {
        let tree = epoch / self.set.tree_leaves();
        if tree <= self.left_index + 1 {
            return Ok(());
        }
        if tree == self.left_index + 2 {
            return self.advance().map(|_| ());
        }
        let fetch = |index| {
            let mut next =
                self.tree_at(index).ok_or(Error::WrongTree { got: index, wanted: self.trees.end - 1 })?;
            next.compute_on(&Inline, &|_| ControlFlow::Continue(()))?;
            self.accept(next)
        };
        let (left, right) = (fetch(tree - 1)?, fetch(tree)?);
        (self.left, self.right, self.left_index) = (left, right, tree - 1);
        self.used.pass(self.prepared_interval().start);
        Ok(())
    }

    /// The computed tree, if it is this key's tree number `wanted`.
    pub(crate) fn accept_at(&self, next: NextTree, wanted: u64) -> Result<Subtree<Digest>, Error> {
        if next.index != wanted || next.set != self.set || next.parameter != self.parameter {
            return Err(Error::WrongTree { got: next.index, wanted });
        }
        self.accept(next)
    }

    /// The computed tree, if it belongs under the top tree.
    fn accept(&self, next: NextTree) -> Result<Subtree<Digest>, Error> {
        let NextTree { index, tree, .. } = next;
        let tree = tree.ok_or(Error::Unfinished)?;
        if Some(tree.root()) != node_of(&self.top, index) {
            return Err(Malformed {
                what: "computed bottom trees whose root is in the top tree",
                got: 0,
                wanted: 1,
            }
            .into());
        }
        Ok(tree)
    }
}

/// `Ok` if `got <= wanted`.
fn check_at_most(what: &'static str, got: u64, wanted: u64) -> Result<(), Malformed> {
    if got <= wanted { Ok(()) } else { Err(Malformed { what, got, wanted }) }
}

/// `Ok` if `got >= wanted`.
fn check_at_least(what: &'static str, got: u64, wanted: u64) -> Result<(), Malformed> {
    if got >= wanted { Ok(()) } else { Err(Malformed { what, got, wanted }) }
}

/// Checks that `tree` has depth `depth`, lowest level `lowest`, and half as many further layers as the tree is deep, of
/// which the first spans `positions` and each further one the parents, rounded outwards by `padded`.
fn check_shape(
    tree: &Subtree<Digest>,
    depth: u8,
    lowest: u8,
    positions: (u64, u64),
    padded: impl Fn(u64, u64) -> (u64, u64),
) -> Result<(), Malformed> {
    Malformed::unless_equal("depth of a tree", u64::from(tree.depth), u64::from(depth))?;
    Malformed::unless_equal("lowest level of a tree", u64::from(tree.lowest), u64::from(lowest))?;
    Malformed::unless_equal("layers of a tree", tree.layers.len() as u64, u64::from(depth / 2) + 1)?;
    let (mut start, mut end) = positions;
    for layer in &tree.layers {
        Malformed::unless_equal("first position of a layer", layer.start, start)?;
        Malformed::unless_equal("nodes of a layer", layer.nodes.len() as u64, end - start)?;
        (start, end) = padded(start / 2, end.div_ceil(2));
    }
    Ok(())
}

/// A bottom tree on its way to a key; see [`SigningKey::next_tree`]. Holds a copy of the key's secret, wiped on drop.
pub struct NextTree {
    set: ParameterSet,
    prf_key: PrfKey,
    parameter: Parameter,
    pub(crate) index: u64,
    tree: Option<Subtree<Digest>>,
}

impl NextTree {
    /// First epoch of the tree, and the first after it.
    #[must_use]
    pub fn epochs(&self) -> Range<u64> {
        let leaves = self.set.tree_leaves();
        self.index * leaves..(self.index + 1) * leaves
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
        let set = self.set.parameters();
        let on_leaves = Progress { leaves_done: 0, leaves_total: set.tree_leaves() }.counting_on(progress);
        let tree = tree::bottom(set, &self.parameter, &self.prf_key, self.index, pool, &on_leaves)?;
        self.tree = Some(tree);
        Ok(())
    }
}
