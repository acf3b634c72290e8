//! What a program did to its files, in order.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file, whatever it is called: what other systems call an inode, but never used twice.
pub type FileId = usize;

/// One completed call. Paths are relative to the folder that is watched.
#[derive(Clone, Debug)]
pub enum Op {
    /// A new file under a new name.
    Create(FileId, PathBuf),
    /// Bytes at an offset.
    Write(FileId, u64, Vec<u8>),
    /// A new size.
    Truncate(FileId, u64),
    /// A flush, and the name under which the file was opened.
    Flush(FileId, PathBuf),
    /// A flush that has failed. What was written since the last one may be lost, and no later flush brings it to the disk.
    FailedFlush(FileId),
    /// A flush of the names in a folder.
    FlushFolder(PathBuf),
    /// Another name for the file of this one.
    Rename(PathBuf, PathBuf),
    /// A second name.
    Link(PathBuf, PathBuf),
    /// A name less.
    Unlink(PathBuf),
    /// What the program said of itself: what has been released, say.
    Mark(Vec<u8>),
}

/// The files at the start, and what was done since.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The contents of each file at the start; files made later begin empty.
    pub base: BTreeMap<FileId, Vec<u8>>,
    /// The names at the start.
    pub names: BTreeMap<PathBuf, FileId>,
    /// Everything done since.
    pub ops: Vec<Op>,
    /// The number that the system gave to each file.
    pub inodes: BTreeMap<FileId, u64>,
}

impl Record {
    /// The instants just before a flush is complete.
    #[must_use]
    pub fn flushes(&self) -> Vec<usize> {
        let is_flush = |op: &Op| matches!(op, Op::Flush(..) | Op::FlushFolder(_));
        (0..self.ops.len()).filter(|&at| is_flush(&self.ops[at])).collect()
    }

    /// The marks before an instant.
    pub fn marks(&self, end: usize) -> impl Iterator<Item = &[u8]> {
        self.ops[..end].iter().filter_map(|op| match op {
            Op::Mark(bytes) => Some(&bytes[..]),
            _ => None,
        })
    }
}
