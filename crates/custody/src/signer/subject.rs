//! What a key is asked to sign.
#![forbid(unsafe_code)]

use crate::ledger::Step;

/// What is to be signed.
pub(super) enum Subject {
    /// An epoch, and its message.
    Epoch(u32, [u8; 32]),
    /// A vote or proposal.
    Consensus {
        /// Name of the chain.
        chain: String,
        /// Height.
        height: u64,
        /// Round.
        round: u32,
        /// Step.
        step: Step,
        /// Its bytes.
        sign_bytes: Vec<u8>,
    },
}

impl Subject {
    /// What is signed.
    pub(super) fn message(&self) -> &[u8] {
        match self {
            Self::Epoch(_, message) => message,
            Self::Consensus { sign_bytes, .. } => sign_bytes,
        }
    }

    /// Where, in a word for the log.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Epoch(epoch, _) => epoch.to_string(),
            Self::Consensus { height, round, step, .. } => format!("{height}/{round}/{}", *step as u8),
        }
    }
}
