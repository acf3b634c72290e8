//! What an open ledger tells those who measure it.
#![forbid(unsafe_code)]

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A group that is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Its number.
    pub group: u64,
    /// How many records are in it.
    pub records: usize,
    /// How long the side log took to be written and flushed.
    pub witness: Duration,
    /// How long both files took.
    pub whole: Duration,
}

/// Is told what a ledger does, by the thread that does it: an answer waits until these return.
pub trait Observer: Send + Sync {
    /// A group is on the disk.
    fn committed(&self, what: &Committed);

    /// At the start something was repaired; the words are those of the line that says so in the side log.
    fn repaired(&self, what: &str);

    /// At the start flushes in `folder` took so little time, `median`, that they can hardly have reached a disk. Caches
    /// with a battery are that fast, too.
    fn suspicious_flush(&self, folder: &Path, median: Duration);
}

/// An observer, if there is one.
#[derive(Clone, Default)]
pub(super) struct Watched(pub(super) Option<Arc<dyn Observer>>);

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watched")
    }
}

impl Watched {
    pub(super) fn tell(&self, what: impl FnOnce(&dyn Observer)) {
        if let Some(observer) = &self.0 {
            what(&**observer);
        }
    }
}
