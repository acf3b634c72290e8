//! Roles and states of keys, by number.

use crate::status::{PHALANX_ERROR_INVALID_ARGUMENT, Status};
use phalanx_custody::keystore::Role;
use phalanx_custody::ledger::record::KeyState as State;

/// What a key is for: it stands in the ledger and in keystores, and decides what an exported history says.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum KeyRole {
    /// Signs attestations.
    Attester = 0,
    /// Signs blocks.
    Proposer = 1,
    /// Signs aggregates.
    Aggregator = 2,
    /// Signs what a builder bids.
    Builder = 3,
    /// Signs the votes of a consensus (Ed25519).
    Consensus = 4,
    /// Anything else.
    Other = 5,
}

/// Whether a key may sign, as far as its ledger says.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum KeyState {
    /// It may.
    Active = 0,
    /// It signs nothing until an operator has answered for it: `phalanx_ledger_adopt`.
    Quarantined = 1,
    /// It has moved to another ledger, and signs nothing here any more.
    Retired = 2,
}

/// Which role each number means.
const ROLES: [(KeyRole, Role); 6] = [
    (KeyRole::Attester, Role::Attester),
    (KeyRole::Proposer, Role::Proposer),
    (KeyRole::Aggregator, Role::Aggregator),
    (KeyRole::Builder, Role::Builder),
    (KeyRole::Consensus, Role::Consensus),
    (KeyRole::Other, Role::Other),
];

/// The role of a number.
pub(super) fn role(number: u32) -> Result<Role, Status> {
    let known = ROLES.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, role)| *role).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// The number of a role.
pub(super) fn number_of(wanted: Role) -> u32 {
    let known = ROLES.iter().find(|(_, role)| *role == wanted);
    known.map_or(KeyRole::Other as u32, |(known, _)| *known as u32)
}

/// The number of a state.
pub(super) fn number_of_state(state: State) -> u32 {
    let known = match state {
        State::Active => KeyState::Active,
        State::Quarantined => KeyState::Quarantined,
        State::Retired => KeyState::Retired,
    };
    known as u32
}
