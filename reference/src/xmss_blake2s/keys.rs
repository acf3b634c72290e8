//! Keys from a seed (specification section 7).

use super::hash::{blake2s, half, tweak, tweak_hash};
use super::leaf::{CHAINS, HEIGHT, Node, STEPS, leaf, node, walk};
use super::profile::Profile;

/// A public key: 32 bytes on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey {
    /// Root of the tree.
    pub root: Node,
    /// The public parameter `P`.
    pub parameter: Node,
}

impl PublicKey {
    /// The key in 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; 32] = bytes.try_into().ok()?;
        let (root, parameter) = bytes.split_at(16);
        Some(Self { root: root.try_into().ok()?, parameter: parameter.try_into().ok()? })
    }

    /// Its bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.root, self.parameter].concat()
    }
}

/// A key: the seed and the inclusive range of its epochs.
#[derive(Clone, Debug)]
pub struct SecretKey {
    /// Which definition.
    pub profile: Profile,
    /// The whole secret.
    pub seed: [u8; 32],
    /// First epoch.
    pub first: u32,
    /// Last epoch.
    pub last: u32,
    /// The public parameter.
    pub parameter: Node,
}

impl SecretKey {
    /// The key of a seed for an inclusive range of epochs; `None` if that is empty.
    #[must_use]
    pub fn new(profile: Profile, seed: &[u8; 32], first: u32, last: u32) -> Option<Self> {
        let parameter = match profile {
            Profile::A => derived(seed, 1001, 0, 0),
            Profile::B => tweak_hash(&[0; 16], &tweak(profile, 5, 0, 0), seed),
        };
        (first <= last).then_some(Self { profile, seed: *seed, first, last, parameter })
    }

    /// The secret start of a chain.
    #[must_use]
    pub fn start(&self, epoch: u32, chain: u32) -> Node {
        match self.profile {
            Profile::A => derived(&self.seed, 1000, epoch.into(), chain.into()),
            Profile::B => tweak_hash(&self.parameter, &tweak(self.profile, 0, chain, epoch), &self.seed),
        }
    }

    /// What stands in the tree instead of a node without an epoch of the range below it.
    #[must_use]
    pub fn filler(&self, level: u32, index: u64) -> Node {
        let index = u32::try_from(index).expect("positions of a tree of 2^32 leaves");
        match self.profile {
            Profile::A => derived(&self.seed, 1002, level.into(), index.into()),
            Profile::B => tweak_hash(&self.parameter, &tweak(self.profile, 6, level, index), &self.seed),
        }
    }

    /// The leaf of an epoch.
    #[must_use]
    pub fn leaf(&self, epoch: u32) -> Node {
        let mut ends = [[0; 16]; CHAINS];
        for (chain, end) in (0..).zip(&mut ends) {
            *end = walk(self.profile, &self.parameter, epoch, chain, 0, STEPS, self.start(epoch, chain));
        }
        leaf(self.profile, &self.parameter, epoch, &ends)
    }

    /// The node at `index` of `level`; computed from its leaves.
    #[must_use]
    pub fn node(&self, level: u32, index: u64) -> Node {
        if index < u64::from(self.first) >> level || index > u64::from(self.last) >> level {
            return self.filler(level, index);
        }
        if level == 0 {
            return self.leaf(u32::try_from(index).expect("an epoch of the range"));
        }
        let (left, right) = (self.node(level - 1, 2 * index), self.node(level - 1, 2 * index + 1));
        node(self.profile, &self.parameter, level, index, &left, &right)
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        PublicKey { root: self.node(HEIGHT, 0), parameter: self.parameter }
    }

    /// The siblings on the way from an epoch's leaf to the root.
    #[must_use]
    pub fn path(&self, epoch: u32) -> Vec<Node> {
        (0..HEIGHT).map(|level| self.node(level, (u64::from(epoch) >> level) ^ 1)).collect()
    }
}

/// The keyed derivation of profile A.
fn derived(seed: &[u8; 32], domain: u32, a: u64, b: u64) -> Node {
    half(blake2s(seed, &[&domain.to_le_bytes()[..], &a.to_le_bytes(), &b.to_le_bytes()].concat()))
}
