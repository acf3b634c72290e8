//! How a record hands the used epochs of its key over to a ledger.

use super::lines::{Content, Line, Tail, compare};
use super::log::Log;
use super::owner::{Owner, path_beside};
use super::pair::{IN_A_LEDGER, Record, check_near, check_witness};
use crate::exit::Failure;
use crate::state::StateFolder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A record that is to become a ledger's, locked until dropped.
pub(crate) struct Leaving {
    near: Log,
    witness: Log,
    path: PathBuf,
}

impl Leaving {
    /// Opens the record of the key in `secret_key`. One whose handing over was cut short is taken up again, if `has_ledger`
    /// says that the ledger is there: a copy of the key from before has none, and gets none.
    ///
    /// # Errors
    /// As [`Record::open`].
    pub(crate) fn open(secret_key: &Path, owner: &Owner, has_ledger: bool) -> Result<Self, Failure> {
        let state = StateFolder::of_user()?;
        state.check()?;
        let path = path_beside(secret_key);
        let witness = Log::find(&owner.instance.witness_path(&state), &owner.witness_header())?;
        let near = Log::find(&path, &owner.header())?;
        if let (Some(mut witness), Some(near), true) = (witness, near, has_ledger)
            && witness.content.lines.last() == Some(&Line::Moved)
            && witness.content.tail == Tail::Whole
            && check_near(&near).is_ok()
        {
            let lines = witness.content.lines[..witness.content.lines.len() - 1].to_vec();
            let before = Content { lines, ..Content::default() };
            if compare(&near.content, &before).is_ok_and(|missing| missing == Default::default()) {
                witness.content = Content { whole_bytes: witness.content.whole_bytes, ..before };
                return Ok(Self { near, witness, path });
            }
        }
        let Record { near, witness } = Record::open(secret_key, owner)?;
        check_witness(&witness)?;
        Ok(Self { near, witness, path })
    }

    /// Every used epoch with the SHA-256 of its message, or closed; and the epoch below which all are.
    pub(crate) fn used(&self) -> (BTreeMap<u64, Option<[u8; 32]>>, Option<u64>) {
        let (mut used, mut begin) = (BTreeMap::new(), None);
        for line in &self.near.content.lines {
            match *line {
                Line::Used { epoch, message } => {
                    let known = used.entry(u64::from(epoch)).or_insert(message);
                    if *known != message {
                        *known = None;
                    }
                }
                Line::Begin { from } => begin = begin.max(Some(from)),
                Line::Moved => {}
            }
        }
        (used, begin)
    }

    /// Says in both files that a ledger has the used epochs now, so that neither signs any more: first in the witness,
    /// which every copy of the key shares.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(crate) fn leave(mut self, ledger_id: &str) -> Result<(), Failure> {
        self.witness.check_in_place()?;
        self.near.check_in_place()?;
        self.witness.append(&[Line::Moved])?;
        Log::create(&self.path, &format!("{IN_A_LEDGER}{ledger_id}\n"), &[]).map(drop)
    }
}
