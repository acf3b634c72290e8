//! Signatures, signing and verification (specification sections 6, 8 and 9).

use super::hash::{blake2s, tweak};
use super::keys::{PublicKey, SecretKey};
use super::leaf::{CHAINS, HEIGHT, Node, STEPS, digits, encoding_digest, leaf, node, walk};
use super::profile::Profile;

/// Bytes of a signature.
pub const SIGNATURE_LEN: usize = 1208;

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// One value a chain.
    pub values: Vec<Node>,
    /// The randomizer `rho`.
    pub randomness: [u8; 24],
    /// The siblings, from the leaf's up.
    pub path: Vec<Node>,
}

impl Signature {
    /// The signature in 1208 bytes (specification section 6).
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != SIGNATURE_LEN {
            return None;
        }
        let nodes = |bytes: &[u8]| bytes.chunks(16).map(|node| node.try_into().expect("16 bytes")).collect();
        let (values, rest) = bytes.split_at(16 * CHAINS);
        let (randomness, path) = rest.split_at(24);
        Some(Self { values: nodes(values), randomness: randomness.try_into().ok()?, path: nodes(path) })
    }

    /// Its bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.values.concat(), &self.randomness[..], &self.path.concat()].concat()
    }
}

/// The randomizer of trial `a` (profile B; specification section 8).
#[must_use]
pub fn randomizer(key: &SecretKey, epoch: u32, message: &[u8; 32], trial: u32) -> [u8; 24] {
    let tweak = tweak(key.profile, 7, trial, epoch);
    let digest = blake2s(&[], &[&tweak[..], &key.parameter, &key.seed, message].concat());
    digest[..24].try_into().expect("24 of 32 bytes")
}

/// Signs (profile B). Also says which trial gave the randomizer. `None` outside the key's range.
///
/// # Panics
/// For profile A, whose signer draws its randomizers.
#[must_use]
pub fn sign(key: &SecretKey, epoch: u32, message: &[u8; 32]) -> Option<(Signature, u32)> {
    assert_eq!(key.profile, Profile::B, "profile A is for verification");
    if epoch < key.first || epoch > key.last {
        return None;
    }
    let (trial, randomness, digits) = (0..=u32::MAX).find_map(|trial| {
        let randomness = randomizer(key, epoch, message, trial);
        let digest = encoding_digest(key.profile, &key.parameter, epoch, message, &randomness);
        Some((trial, randomness, digits(&digest).ok()?))
    })?;
    let reveal =
        |(chain, &digit)| walk(key.profile, &key.parameter, epoch, chain, 0, digit, key.start(epoch, chain));
    let values = (0..).zip(&digits).map(reveal).collect();
    Some((Signature { values, randomness, path: key.path(epoch) }, trial))
}

/// What verification says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is a signature.
    Valid,
    /// The randomizer gives no encoding of the message.
    NoEncoding,
    /// It leads to another root.
    OtherRoot,
}

/// Verifies (specification section 9).
#[must_use]
pub fn verify(
    profile: Profile,
    key: &PublicKey,
    epoch: u32,
    message: &[u8; 32],
    signature: &Signature,
) -> Verdict {
    let PublicKey { root, parameter } = key;
    let digest = encoding_digest(profile, parameter, epoch, message, &signature.randomness);
    let Ok(digits) = digits(&digest) else { return Verdict::NoEncoding };
    let mut ends = [[0; 16]; CHAINS];
    for (chain, end) in ends.iter_mut().enumerate() {
        let at = digits[chain];
        let number = u32::try_from(chain).expect("42 chains");
        *end = walk(profile, parameter, epoch, number, at, STEPS - at, signature.values[chain]);
    }
    let mut reached = leaf(profile, parameter, epoch, &ends);
    for (level, sibling) in (0..HEIGHT).zip(&signature.path) {
        let index = u64::from(epoch) >> (level + 1);
        reached = if (epoch >> level) & 1 == 0 {
            node(profile, parameter, level + 1, index, &reached, sibling)
        } else {
            node(profile, parameter, level + 1, index, sibling, &reached)
        };
    }
    if reached == *root { Verdict::Valid } else { Verdict::OtherRoot }
}
