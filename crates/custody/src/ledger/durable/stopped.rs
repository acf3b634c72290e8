//! The proof that a ledger was stopped cleanly: a file in memory, which a copy or a restored backup does not bring back.
#![forbid(unsafe_code)]

use super::disk::no_follow;
use crate::hexadecimal;
use crate::ledger::log::Head;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

/// What the file says: where the side log ended.
pub(super) struct Stopped(String);

/// Where it is. Only on Linux is this folder in memory.
fn path(ledger_id: &[u8; 16]) -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    PathBuf::from(format!("/dev/shm/phalanx-{user}-{}.stopped", hexadecimal::text(ledger_id)))
}

fn line(head: &Head) -> String {
    format!("{} {}\n", head.group, hexadecimal::text(&head.chain))
}

impl Stopped {
    /// Takes the proof away, if there is one.
    pub(super) fn take(ledger_id: &[u8; 16]) -> Option<Self> {
        let path = path(ledger_id);
        let metadata = fs::symlink_metadata(&path).ok()?;
        let is_ours = metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw();
        let text = is_ours.then(|| fs::read_to_string(&path).ok());
        // One that cannot be removed proves nothing: it would prove the same again.
        fs::remove_file(&path).ok()?;
        text?.map(Self)
    }

    /// Leaves the proof, if that can be.
    pub(super) fn leave(ledger_id: &[u8; 16], head: &Head) {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).custom_flags(no_follow());
        if let Ok(mut file) = options.open(path(ledger_id)) {
            // Without it the next start burns forward, or is refused: never less safe.
            let _ = file.write_all(line(head).as_bytes());
        }
    }

    /// Whether the side log that ends at `head` is the one that was stopped.
    pub(super) fn proves(&self, head: &Head) -> bool {
        self.0 == line(head)
    }
}
