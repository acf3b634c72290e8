//! Statements (spec section 1.1).

use super::Error;

/// The most signatures of any statement.
pub const MAX_SIGNATURES: usize = 14768;

/// Keys that signed one message at one epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The epoch.
    pub epoch: u32,
    /// The message.
    pub message: [u8; 32],
    /// The keys: root, public parameter.
    pub keys: Vec<[u8; 32]>,
}

/// Groups, known to be in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    groups: Vec<Group>,
}

impl Statement {
    /// From its bytes, checked in reading order.
    ///
    /// # Errors
    ///
    /// The first rule that is broken.
    pub fn from_bytes(bytes: &[u8]) -> Result<Statement, Error> {
        let (count, mut rest) = split::<4>(bytes)?;
        let count = u32::from_le_bytes(count) as usize;
        if count == 0 {
            return Err(Error::NoGroups);
        }
        fits(count, 40, rest)?;
        let (mut groups, mut signatures): (Vec<Group>, usize) = (Vec::new(), 0);
        for _ in 0..count {
            let (epoch, after) = split::<4>(rest)?;
            let (message, after) = split::<32>(after)?;
            let (keys, after) = split::<4>(after)?;
            rest = after;
            let epoch = u32::from_le_bytes(epoch);
            let keys = u32::from_le_bytes(keys) as usize;
            if keys == 0 {
                return Err(Error::EmptyGroup);
            }
            fits(keys, 32, rest)?;
            if groups.last().is_some_and(|before| (before.epoch, before.message) >= (epoch, message)) {
                return Err(Error::GroupOrder);
            }
            let (of_group, after) = rest.split_at(32 * keys);
            rest = after;
            let keys: Vec<[u8; 32]> =
                of_group.chunks(32).map(|key| key.try_into().expect("32 bytes")).collect();
            if keys.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(Error::KeyOrder);
            }
            signatures += keys.len();
            if signatures > MAX_SIGNATURES {
                return Err(Error::TooManySignatures);
            }
            groups.push(Group { epoch, message, keys });
        }
        if rest.is_empty() { Ok(Statement { groups }) } else { Err(Error::StatementLength) }
    }

    /// Of groups in order.
    ///
    /// # Errors
    ///
    /// As for its bytes.
    pub fn new(groups: Vec<Group>) -> Result<Statement, Error> {
        Statement::from_bytes(&Statement { groups }.to_bytes())
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let le32 = |count: usize| u32::try_from(count).expect("32 bits").to_le_bytes();
        let mut bytes = le32(self.groups.len()).to_vec();
        for Group { epoch, message, keys } in &self.groups {
            bytes.extend(epoch.to_le_bytes());
            bytes.extend(message);
            bytes.extend(le32(keys.len()));
            bytes.extend(keys.as_flattened());
        }
        bytes
    }

    /// The number of signatures, N.
    pub fn signatures(&self) -> usize {
        self.groups.iter().map(|group| group.keys.len()).sum()
    }

    /// Epoch, message and key of every signature, in order.
    pub fn each(&self) -> impl Iterator<Item = (u32, &[u8; 32], &[u8; 32])> {
        self.groups.iter().flat_map(|group| group.keys.iter().map(|key| (group.epoch, &group.message, key)))
    }
}

fn split<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), Error> {
    bytes.split_first_chunk().map(|(first, rest)| (*first, rest)).ok_or(Error::StatementLength)
}

fn fits(count: usize, each: usize, rest: &[u8]) -> Result<(), Error> {
    if count <= rest.len() / each { Ok(()) } else { Err(Error::StatementLength) }
}
