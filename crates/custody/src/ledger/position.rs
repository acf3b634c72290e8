//! What a signature spends.
#![forbid(unsafe_code)]

use super::record::{NUMBER_LIMIT, Place};
use crate::hexadecimal;

/// Steps of a consensus round, with the numbers that its signers use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Step {
    /// A proposal.
    Propose = 1,
    /// A first vote.
    Prevote = 2,
    /// A second vote.
    Precommit = 3,
}

/// What a signature spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position<'a> {
    /// An epoch of an XMSS key.
    Epoch(u32),
    /// A step of a round of a height of a chain.
    Consensus {
        /// The chain's name, 1 to 64 bytes.
        chain: &'a str,
        /// The height, below 2^63.
        height: u64,
        /// The round.
        round: u32,
        /// The step.
        step: Step,
    },
}

impl Position<'_> {
    /// The place in a ledger; `None` for one that no key has.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        match *self {
            Self::Epoch(epoch) => Some(Place::epoch(epoch.into())),
            Self::Consensus { chain, height, round, step } => {
                let is_possible = (1..=64).contains(&chain.len()) && height < NUMBER_LIMIT;
                let domain = hexadecimal::text(chain.as_bytes());
                is_possible.then(|| Place { domain, position: [height, round.into(), step as u64] })
            }
        }
    }
}
