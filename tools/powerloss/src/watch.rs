//! Folders that are watched.
#![forbid(unsafe_code)]

use crate::hooks;
use crate::record::{Op, Record};
use crate::registry::{Folder, Plan, locked};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A folder is watched as long as this lives. Only files opened meanwhile are.
#[derive(Debug)]
pub struct Watch {
    id: usize,
}

impl Watch {
    /// Watches `folder`, an absolute path without symbolic links, that has only files.
    ///
    /// # Panics
    /// If the folder cannot be read.
    #[must_use]
    pub fn start(folder: &Path) -> Self {
        hooks::are_linked();
        let mut record = Record::default();
        for (file, entry) in fs::read_dir(folder).expect("a folder that can be listed").enumerate() {
            let path = entry.expect("an entry that can be read").path();
            let inode = fs::symlink_metadata(&path).expect("a file that is there").ino();
            record.base.insert(file, fs::read(&path).expect("a file that can be read"));
            record.names.insert(PathBuf::from(path.file_name().expect("an entry has a name")), file);
            record.inodes.insert(file, inode);
        }
        Self { id: locked().watch(Folder::new(folder.to_owned(), record)) }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Folder) -> T) -> T {
        act(locked().folders.get_mut(&self.id).expect("it is watched as long as this lives"))
    }

    /// Notes what the program has done by now, between two operations.
    pub fn mark(&self, text: &[u8]) {
        self.with(|folder| folder.record.ops.push(Op::Mark(text.to_owned())));
    }

    /// From now on calls fail as `plan` says; they are counted anew.
    pub fn plan(&self, plan: Option<Plan>) {
        self.with(|folder| folder.set_plan(plan));
    }

    /// How many calls that could have failed there were since the last plan.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.with(|folder| folder.calls())
    }

    /// Ends watching.
    #[must_use]
    pub fn stop(self) -> Record {
        self.with(|folder| std::mem::take(&mut folder.record))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        locked().forget(self.id);
    }
}
