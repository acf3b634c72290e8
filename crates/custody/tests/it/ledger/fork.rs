//! A child process that was forked with a ledger open: in it nothing is answered, and the parent notices nothing.

use super::{Folder, ask, new_ledger, registered};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::{EpochLedger, Health, Position, Refused, Request};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;

#[test]
fn in_a_forked_child_every_answer_is_forked() {
    let folder = Folder::new();
    let ledger = Arc::new(new_ledger(folder.path()));
    let key = registered(&ledger, 1, Ordering::Any);
    assert_eq!(ask(&ledger, &key, 1, 1), Ok(false));
    let (theirs, id) = (Arc::clone(&ledger), *key.id());
    let in_child = move || {
        let request = |epoch| Request { key: &id, position: Position::Epoch(epoch), message: &[1; 32] };
        let answers = [1, 2].map(|epoch| theirs.reserve(request(epoch)).map(|_| ()));
        let is_forked = answers == [Err(Refused::Forked); 2] && theirs.health() == Health::Forked;
        if is_forked { Ok(()) } else { Err(io::Error::other("the child was answered")) }
    };
    let mut command = Command::new("true");
    // SAFETY: what runs between fork and exec asks for the process's number and allocates a few bytes, which the C
    // libraries of the systems that this runs on allow; it takes no lock that another thread could have held.
    unsafe { command.pre_exec(in_child) };
    assert!(command.status().expect("the child saw only refusals").success());
    assert_eq!(ask(&ledger, &key, 1, 1), Ok(true), "the parent goes on");
    assert_eq!(ask(&ledger, &key, 2, 1), Ok(false));
}
