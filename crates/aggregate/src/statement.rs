//! What an aggregate says: which keys signed which message at which epoch (docs/aggregate.md, section 1).
#![forbid(unsafe_code)]

use crate::error::Error;
use alloc::vec::Vec;
use phalanx_xmss::blake2s::{ParameterSet, VerifyingKey};

/// The most signatures of any statement.
pub const MAX_SIGNATURES: usize = 14_768;

/// Keys that signed one message at one epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    epoch: u32,
    message: [u8; 32],
    /// Strictly increasing.
    keys: Vec<[u8; 32]>,
}

impl Group {
    /// The epoch.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &[u8; 32] {
        &self.message
    }

    /// The keys in their 32 bytes, strictly increasing.
    #[must_use]
    pub fn keys(&self) -> &[[u8; 32]] {
        &self.keys
    }
}

/// One signature that a statement speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signer<'a> {
    /// The epoch.
    pub epoch: u32,
    /// The message.
    pub message: &'a [u8; 32],
    /// The key.
    pub key: &'a [u8; 32],
}

/// Groups, strictly increasing by epoch and then message. *For every group and every key of it somebody knows a
/// signature that verifies.*
///
/// A key counts once for an epoch and a message. The same message at another epoch is another group: who counts the
/// signers of a message takes care of keys that are in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    groups: Vec<Group>,
    signatures: usize,
}

impl Statement {
    /// The statement about these signers, in any order.
    ///
    /// # Errors
    /// [`Error::NoGroups`] without any; [`Error::KeyOrder`] if a key is there twice for one epoch and message;
    /// [`Error::ParameterSet`] for a key of another set; [`Error::TooManySignatures`].
    pub fn of(signers: &[(VerifyingKey, u32, [u8; 32])]) -> Result<Self, Error> {
        if signers.is_empty() {
            return Err(Error::NoGroups);
        }
        if signers.len() > MAX_SIGNATURES {
            return Err(Error::TooManySignatures);
        }
        if signers.iter().any(|(key, ..)| key.parameter_set() != ParameterSet::L32_D42B8) {
            return Err(Error::ParameterSet);
        }
        let mut sorted: Vec<_> =
            signers.iter().map(|(key, epoch, message)| (*epoch, *message, key.to_bytes())).collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::KeyOrder);
        }
        let groups = sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|signers| Group {
            epoch: signers[0].0,
            message: signers[0].1,
            keys: signers.iter().map(|(.., key)| *key).collect(),
        });
        Ok(Self { groups: groups.collect(), signatures: sorted.len() })
    }

    /// From its bytes, strictly. Nothing is allocated that the bytes do not pay for.
    ///
    /// # Errors
    /// The first rule of section 1.1 that is broken.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (count, mut rest) = number(bytes)?;
        if count == 0 {
            return Err(Error::NoGroups);
        }
        if count > rest.len() / 40 {
            return Err(Error::StatementLength);
        }
        let (mut groups, mut signatures) = (Vec::<Group>::new(), 0);
        for _ in 0..count {
            let (epoch, after) = array::<4>(rest)?;
            let (message, after) = array::<32>(after)?;
            let (count, after) = number(after)?;
            let (epoch, message) = (u32::from_le_bytes(*epoch), *message);
            if count == 0 {
                return Err(Error::EmptyGroup);
            }
            let Some((keys, after)) = count.checked_mul(32).and_then(|len| after.split_at_checked(len))
            else {
                return Err(Error::StatementLength);
            };
            rest = after;
            if groups.last().is_some_and(|group| (group.epoch, group.message) >= (epoch, message)) {
                return Err(Error::GroupOrder);
            }
            let keys = keys.as_chunks::<32>().0;
            if keys.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(Error::KeyOrder);
            }
            signatures += keys.len();
            if signatures > MAX_SIGNATURES {
                return Err(Error::TooManySignatures);
            }
            groups.push(Group { epoch, message, keys: keys.to_vec() });
        }
        if rest.is_empty() { Ok(Self { groups, signatures }) } else { Err(Error::StatementLength) }
    }

    /// The wire form, which proofs are bound to.
    ///
    /// # Panics
    /// Never: there are fewer than 2^32 groups and keys.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = |count: usize| u32::try_from(count).expect("at most 14,768").to_le_bytes();
        let mut bytes = Vec::with_capacity(4 + 40 * self.groups.len() + 32 * self.signatures);
        bytes.extend(count(self.groups.len()));
        for group in &self.groups {
            bytes.extend(group.epoch.to_le_bytes());
            bytes.extend(group.message);
            bytes.extend(count(group.keys.len()));
            bytes.extend(group.keys.as_flattened());
        }
        bytes
    }

    /// The groups in order.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of signatures, at least one.
    #[must_use]
    pub fn signatures(&self) -> usize {
        self.signatures
    }

    /// Every signer: signatures are numbered in this order.
    pub fn signers(&self) -> impl Iterator<Item = Signer<'_>> {
        self.groups.iter().flat_map(|Group { epoch, message, keys }| {
            keys.iter().map(move |key| Signer { epoch: *epoch, message, key })
        })
    }

    /// Pairs of signatures, by their numbers, of one key at one epoch for different messages: the signer has broken its
    /// key. The statement is true all the same. Each key and epoch gives its neighbours in the statement's order.
    #[must_use]
    pub fn equivocations(&self) -> Vec<(usize, usize)> {
        let mut by_key: Vec<_> =
            self.signers().enumerate().map(|(index, signer)| (signer.epoch, signer.key, index)).collect();
        by_key.sort_unstable();
        let pairs = by_key.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
        pairs.map(|pair| (pair[0].2, pair[1].2)).collect()
    }
}

fn array<const N: usize>(bytes: &[u8]) -> Result<(&[u8; N], &[u8]), Error> {
    bytes.split_first_chunk().ok_or(Error::StatementLength)
}

fn number(bytes: &[u8]) -> Result<(usize, &[u8]), Error> {
    let (number, rest) = array::<4>(bytes)?;
    Ok((usize::try_from(u32::from_le_bytes(*number)).unwrap_or(usize::MAX), rest))
}
