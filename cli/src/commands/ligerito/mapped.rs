//! Large files of words, seen through the system's memory map: no copy of ours.

#![allow(unsafe_code, reason = "the system maps files as memory, and memory as words")]

use memmap2::{Advice, Mmap};
use std::fs::{File, Metadata};
use std::io;
use std::ops::Deref;
use std::time::SystemTime;

/// The words of a file.
pub(super) struct Mapped {
    memory: Mmap,
    file: File,
    length: u64,
    modified: Option<SystemTime>,
}

impl Mapped {
    /// Maps all of `file`.
    pub(super) fn new(file: File, metadata: &Metadata) -> io::Result<Self> {
        // SAFETY: the map is read only and of a regular file; whoever changes the file meanwhile changes numbers, for
        // which every value is valid, is told so afterwards, and who cuts it off ends the program.
        let memory = unsafe { Mmap::map(&file)? };
        // Rows are read from the first to the last, more than once; where that cannot be said, nothing is lost.
        #[cfg(unix)]
        let _ = memory.advise(Advice::WillNeed);
        Ok(Self { memory, file, length: metadata.len(), modified: metadata.modified().ok() })
    }

    /// Whether the file is as long and as old as when it was mapped.
    pub(super) fn is_unchanged(&self) -> bool {
        self.file.metadata().is_ok_and(|now| (now.len(), now.modified().ok()) == (self.length, self.modified))
    }
}

impl Deref for Mapped {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        // SAFETY: every bit pattern is a `u32`, and the words are cut where the alignment allows.
        let (before, words, after) = unsafe { self.memory.align_to::<u32>() };
        assert!(before.is_empty() && after.is_empty(), "maps begin at a page, and hold whole words");
        words
    }
}
