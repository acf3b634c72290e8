//! The two files of a record, open and locked together.

use super::lines::{Disagreement, Line, compare};
use super::log::{Log, State};
use super::owner::{self, Owner, path_beside};
use crate::exit::Failure;
use crate::state::StateFolder;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// What to do when a record cannot be trusted.
pub(super) const BEGIN: &str = "epochs may be used that nobody remembers: 'phalanx xmss record --begin' closes all below one of your choice";

/// What a record begins with whose key has a ledger; earlier versions take it for another key's.
pub(super) const IN_A_LEDGER: &str = "phalanx-epochs v2 moved-to-ledger ";

/// Whether an epoch may sign a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// It has signed nothing.
    Unused,
    /// It has signed this very message; the same signature may be given again.
    SameMessage,
    /// It has signed another message, or one that can no longer be read.
    Closed,
    /// It lies below the epoch with which the record was begun.
    Before {
        /// That epoch.
        begin: u64,
    },
}

/// Both files, open and locked until dropped, and equal.
#[derive(Debug)]
pub(crate) struct Record {
    pub(super) near: Log,
    pub(super) witness: Log,
}

impl Record {
    /// Opens and locks the record of the secret key in `secret_key`.
    ///
    /// # Errors
    /// Exit code 3 if a file is missing, another key's, damaged, or does not agree with the other; 4 if the system fails
    /// or another process holds it too long.
    pub(crate) fn open(secret_key: &Path, owner: &Owner) -> Result<Self, Failure> {
        let state = StateFolder::of_user()?;
        state.check()?;
        // The witness is locked first: it is the one that all copies of a key share.
        let witness = Log::find(&owner.instance.witness_path(&state), &owner.witness_header())?;
        let near = Log::find(&path_beside(secret_key), &owner.header())?;
        match (near, witness) {
            (Some(near), Some(witness)) => Self::of(near, witness),
            (Some(near), None) => Err(no_witness(&near, owner, &state)),
            (None, witness) => Err(no_record(secret_key, witness.is_some())),
        }
    }

    /// The record of two files, made equal if a crash came between two writes.
    pub(super) fn of(mut near: Log, mut witness: Log) -> Result<Self, Failure> {
        check_witness(&witness)?;
        check_near(&near)?;
        let missing = compare(&near.content, &witness.content)
            .map_err(|disagreement| disagree(&near, &witness, disagreement))?;
        witness.append(&missing.in_second)?;
        near.append(&missing.in_first)?;
        Ok(Self { near, witness })
    }

    /// What the record says about signing `message` at `epoch`.
    pub(crate) fn standing(&self, epoch: u32, message: &[u8; 32]) -> Standing {
        let digest = Some(hash(message));
        let (mut standing, mut begin) = (Standing::Unused, 0);
        for line in self.lines() {
            match line {
                Line::Used { epoch: used, message } if *used == epoch => {
                    let same = *message == digest && standing != Standing::Closed;
                    standing = if same { Standing::SameMessage } else { Standing::Closed };
                }
                Line::Begin { from } => begin = begin.max(*from),
                _ => {}
            }
        }
        if standing == Standing::Unused && u64::from(epoch) < begin {
            Standing::Before { begin }
        } else {
            standing
        }
    }

    /// Notes, durably and in both files, that `epoch` signs `message`. A repetition is written again: who wrote it the
    /// first time may have failed to flush it, and what the system shows of it then need not be on the disk.
    ///
    /// # Errors
    /// Exit code 4 if the system fails: then nothing may be signed.
    pub(crate) fn reserve(&mut self, epoch: u32, message: &[u8; 32]) -> Result<(), Failure> {
        let line = [Line::Used { epoch, message: Some(hash(message)) }];
        self.witness.append(&line)?;
        self.near.append(&line)
    }

    /// Checks that both files are still those at their paths. To be asked last, before a signature is released.
    ///
    /// # Errors
    /// Exit code 4 if one was exchanged or removed.
    pub(crate) fn check_in_place(&self) -> Result<(), Failure> {
        self.witness.check_in_place()?;
        self.near.check_in_place()
    }

    /// Every line, of either file: they are equal.
    pub(super) fn lines(&self) -> &[Line] {
        &self.near.content.lines
    }

    /// How many epochs are used, and the epoch below which all are closed if the record was begun on purpose.
    pub(crate) fn extent(&self) -> (usize, Option<u64>) {
        let (mut used, mut begin) = (BTreeSet::new(), None);
        for line in self.lines() {
            match line {
                Line::Used { epoch, .. } => drop(used.insert(*epoch)),
                Line::Begin { from } => begin = begin.max(Some(*from)),
                Line::Moved => {}
            }
        }
        (used.len(), begin)
    }

    /// Where the witness stands.
    pub(crate) fn witness_path(&self) -> &Path {
        self.witness.path()
    }
}

/// SHA-256 of a message.
fn hash(message: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(message).into()
}

/// Refuses a witness that is not the key's record.
pub(super) fn check_witness(witness: &Log) -> Result<(), Failure> {
    match &witness.state {
        State::Good if witness.content.lines.contains(&Line::Moved) => Err(in_a_ledger()),
        State::Good => Ok(()),
        State::Foreign(first) => Err(owner::taken_by(first).unwrap_or_else(|| unreadable(witness))),
        State::Headless => Err(unreadable(witness)),
        State::Damaged(line) => Err(damaged(witness, *line)),
    }
}

/// Refuses a record beside a key that is not its own, or no longer is.
pub(super) fn check_near(near: &Log) -> Result<(), Failure> {
    let shown = near.path().display();
    match &near.state {
        State::Good if near.content.lines.contains(&Line::Moved) => {
            Err(Failure::refused("the right to sign with this key has moved to another file")
                .hint("sign with the file that it was converted into"))
        }
        State::Good => Ok(()),
        State::Foreign(first) if first.starts_with(IN_A_LEDGER) => Err(in_a_ledger()),
        State::Foreign(first) if first.starts_with("phalanx-epochs ") => {
            Err(Failure::refused(format_args!("the epoch record '{shown}' belongs to another key"))
                .hint("put the right record beside the key, or move this one away"))
        }
        State::Foreign(_) | State::Headless => Err(unreadable(near)),
        State::Damaged(line) => Err(damaged(near, *line)),
    }
}

fn in_a_ledger() -> Failure {
    Failure::refused("the used epochs of this key are kept in a ledger, which is not beside this file")
        .hint("sign with the file that has the ledger")
}

fn unreadable(log: &Log) -> Failure {
    let text = format!("'{}' is not an epoch record, or is empty or damaged", log.path().display());
    Failure::refused(text).hint(BEGIN)
}

fn damaged(log: &Log, line: u64) -> Failure {
    Failure::refused(format_args!("the epoch record '{}' is damaged at line {line}", log.path().display()))
        .hint(BEGIN)
}

fn no_record(secret_key: &Path, is_known: bool) -> Failure {
    let known = if is_known { ", though the key has signed here" } else { "" };
    let path = path_beside(secret_key);
    let text = format!("there is no epoch record '{}' beside the secret key{known}", path.display());
    Failure::refused(text).hint(BEGIN)
}

pub(super) fn no_witness(near: &Log, owner: &Owner, state: &StateFolder) -> Failure {
    let witness = owner.instance.witness_path(state);
    Failure::refused(format_args!(
        "the epoch record '{}' has no witness '{}': the key comes from elsewhere, or the state folder was emptied",
        near.path().display(),
        witness.display()
    ))
    .hint(BEGIN)
}

fn disagree(near: &Log, witness: &Log, disagreement: Disagreement) -> Failure {
    let (near, witness) = (near.path().display(), witness.path().display());
    let text = match disagreement {
        Disagreement::FirstIsOlder(lines) => {
            format!(
                "the epoch record '{near}' is {lines} lines older than its witness: it was restored or copied"
            )
        }
        Disagreement::SecondIsOlder(lines) => {
            format!("the witness '{witness}' is {lines} lines older than the epoch record beside the key")
        }
        Disagreement::Differ(line) => {
            format!("the epoch record '{near}' and its witness differ from entry {line} on")
        }
    };
    Failure::refused(text).hint(BEGIN)
}
