//! Signatures and roots that fit each other by construction, under the rules of a verifier that may have a hole.
//!
//! Nobody's secret is needed: random chain values and siblings lead to *some* root, and a key with that root accepts
//! them. A verifier that ignores part of its input computes the root from other values than those shown; so does
//! [`Values::root`], which takes each use of epoch and parameter from a field of its own.

use super::{Random, params, signature, verifying_key};
use phalanx_reference as plain;
use phalanx_xmss::{ParameterSet, Signature, VerifyingKey};
use plain::params::Params;

/// Epoch or parameter, once for every place where verification uses it.
#[derive(Clone)]
pub(crate) struct Uses<T> {
    pub(crate) message_hash: T,
    pub(crate) chains: T,
    pub(crate) leaf: T,
    pub(crate) nodes: T,
    /// Left or right; of the epoch only.
    pub(crate) sides: T,
}

/// One of the uses.
pub(crate) type Use<T> = fn(&mut Uses<T>) -> &mut T;

impl<T: Clone> Uses<T> {
    /// The same everywhere, as it should be.
    fn of(value: T) -> Self {
        Self {
            message_hash: value.clone(),
            chains: value.clone(),
            leaf: value.clone(),
            nodes: value.clone(),
            sides: value,
        }
    }

    /// Each use in turn, to be tampered with; the sides last.
    pub(crate) fn each() -> [Use<T>; 5] {
        [
            |uses| &mut uses.message_hash,
            |uses| &mut uses.chains,
            |uses| &mut uses.leaf,
            |uses| &mut uses.nodes,
            |uses| &mut uses.sides,
        ]
    }
}

/// What a verifier computes with.
#[derive(Clone)]
pub(crate) struct Values {
    pub(crate) set: ParameterSet,
    pub(crate) epoch: Uses<u32>,
    pub(crate) parameter: Uses<Vec<u32>>,
    pub(crate) message: [u8; 32],
    pub(crate) rho: Vec<u32>,
    pub(crate) hashes: Vec<Vec<u32>>,
    pub(crate) path: Vec<Vec<u32>>,
}

/// A key with what it is asked to verify.
pub(crate) struct Shown {
    pub(crate) key: VerifyingKey,
    pub(crate) epoch: u32,
    pub(crate) message: [u8; 32],
    pub(crate) signature: Signature,
}

impl Shown {
    /// Whether the library accepts.
    pub(crate) fn verifies(&self) -> bool {
        self.key.verify(self.epoch, &self.message, &self.signature).is_ok()
    }
}

impl Values {
    /// Random values for `epoch`, no element of them zero. The codeword is whatever it is.
    pub(crate) fn random(random: &mut Random, set: ParameterSet, epoch: u32) -> Self {
        let mut elements =
            |count: usize| (0..count).map(|_| 1 + random.u32() % (plain::field::P - 1)).collect::<Vec<u32>>();
        let mut digests = |count: usize| (0..count).map(|_| elements(set.hash_len())).collect::<Vec<_>>();
        let (hashes, path) = (digests(set.chains()), digests(params(set).log_lifetime.into()));
        let (rho, parameter) = (elements(set.randomness_len()), elements(5));
        let message = std::array::from_fn(|_| random.u8() | 1);
        Self { set, epoch: Uses::of(epoch), parameter: Uses::of(parameter), message, rho, hashes, path }
    }

    /// As [`random`](Self::random), the message hashed to a codeword of the target sum.
    pub(crate) fn accepted(random: &mut Random, set: ParameterSet, epoch: u32) -> Self {
        let mut values = Self::random(random, set, epoch);
        values.accept(|_| ());
        values
    }

    /// Changes the randomness until the message hash is accepted when computed from these values, tampered with.
    pub(crate) fn accept(&mut self, tamper: impl Fn(&mut Self)) -> Self {
        loop {
            let mut tampered = self.clone();
            tamper(&mut tampered);
            if tampered.hash().accepted {
                return tampered;
            }
            // More than one word, so that a tamperer who fixes one finds others.
            self.rho[0] = self.rho[0] % (plain::field::P - 1) + 1;
            self.rho[1] = (self.rho[1] + self.rho[0]) % (plain::field::P - 1) + 1;
        }
    }

    /// The message hash.
    pub(crate) fn hash(&self) -> plain::MessageHash {
        let Self { set, epoch, parameter, message, rho, .. } = self;
        plain::message_hash(params(*set), &parameter.message_hash, epoch.message_hash, rho, message)
    }

    /// The root that these values lead to, whether or not the codeword has the target sum.
    pub(crate) fn root(&self) -> Vec<u32> {
        self.root_with(&Rules::STRICT)
    }

    /// As [`root`](Self::root), by a verifier with other rules.
    pub(crate) fn root_with(&self, rules: &Rules) -> Vec<u32> {
        let params: &Params = params(self.set);
        let codeword = self.hash().chunks.expect("no word is p - 1: the inputs are fixed");
        let walked = |((chain, &x), value): ((u8, &u8), &Vec<u32>)| {
            (x + 1..params.base).fold(value.clone(), |value, position| {
                let (chain, position) = ((rules.chain)(chain), (rules.position)(position));
                plain::chain::chain_step(
                    params,
                    &self.parameter.chains,
                    self.epoch.chains,
                    chain,
                    position,
                    &value,
                )
            })
        };
        let ends: Vec<_> = (0..).zip(&codeword).zip(&self.hashes).map(walked).collect();
        let mut node = plain::leaf(params, &self.parameter.leaf, self.epoch.leaf, &ends);
        for (level, sibling) in (1..).zip(&self.path) {
            // In 64 bits: with lifetime 2^32 the last shift is by 32.
            let position = u32::try_from(u64::from(self.epoch.nodes) >> level).expect("32 bits");
            let is_left = u64::from(self.epoch.sides) >> (level - 1) & 1 == 0;
            let (left, right) = if is_left { (&node, sibling) } else { (sibling, &node) };
            node = plain::node(params, &self.parameter.nodes, (rules.level)(level), position, left, right);
        }
        node
    }

    /// These values as they would be presented, with a key of `root`. Epoch and parameter are those of the chains.
    pub(crate) fn shown(&self, root: Vec<u32>) -> Shown {
        let key = plain::PublicKey { root, parameter: self.parameter.chains.clone() };
        let made =
            plain::Signature { path: self.path.clone(), rho: self.rho.clone(), hashes: self.hashes.clone() };
        Shown {
            key: verifying_key(self.set, &key),
            epoch: self.epoch.chains,
            message: self.message,
            signature: signature(self.set, &made),
        }
    }
}

/// How a verifier numbers chains, positions and levels in tweaks.
pub(crate) struct Rules {
    pub(crate) chain: fn(u8) -> u8,
    pub(crate) position: fn(u8) -> u8,
    pub(crate) level: fn(u8) -> u8,
}

impl Rules {
    /// As the specification has it.
    pub(crate) const STRICT: Self = Self { chain: |x| x, position: |x| x, level: |x| x };
}
