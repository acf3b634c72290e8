//! A key goes to a ledger: from then on its record here signs nothing.
//!
//! Two authorities over one key would each let it sign. So before a ledger is told of a key, the record in the state
//! folder closes all its epochs; it is made for this if the key has none. Whatever copy of the key asks that record
//! later, and whatever seed makes the key again, is refused.

use super::begin::{check_above, known_lines};
use super::lines::Line;
use super::log::{Log, State};
use super::owner::{Owner, path_beside};
use super::pair::{check_near, check_witness};
use crate::exit::Failure;
use crate::state::StateFolder;
use std::path::Path;

/// Closes the record of a key for good. Of a key that comes from elsewhere `from` says from which epoch on it has signed
/// nothing; of a new one, which must have signed nothing, it is `None`.
///
/// # Errors
/// Exit code 2 if a record, also the one beside `secret_key`, knows of a signature at or after `from`; 3 if it knows of
/// one of a new key, or of another key with the same one-time keys; 4 if the system fails.
pub(crate) fn hand_to_ledger(
    owner: &Owner,
    secret_key: Option<&Path>,
    from: Option<u64>,
) -> Result<(), Failure> {
    let state = StateFolder::of_user()?;
    let _registration = state.lock()?;
    owner.instance.check_is_only_one(&state)?;
    let (witness_path, header) = (owner.instance.witness_path(&state), owner.witness_header());
    let witness = Log::find(&witness_path, &header)?;
    let near = match secret_key {
        Some(path) => Log::find(&path_beside(path), &owner.header())?,
        None => None,
    };
    if let Some(near) = near.as_ref().filter(|near| near.state != State::Good) {
        check_near(near)?;
    }
    let closed = Line::Begin { from: owner.instance.epochs.end };
    let mut known = known_lines(witness.as_ref(), near.as_ref());
    known.retain(|line| *line != closed);
    match from {
        Some(from) => check_above(from, &known)?,
        None if known.is_empty() => {}
        None => {
            return Err(Failure::refused("this key is not new: a record of its used epochs is here")
                .hint("'phalanx key import' takes it, with the first epoch that it has not signed"));
        }
    }
    match witness {
        Some(mut witness) => {
            check_witness(&witness)?;
            let torn: Vec<_> = witness.content.torn().collect();
            witness.append(&torn)?;
            witness.append(&[closed])
        }
        None => {
            known.push(closed);
            Log::create(&witness_path, &header, &known).map(|_| ())
        }
    }
}
