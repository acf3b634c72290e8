//! Files that are on the disk when a call returns, and which file is at a path. Tests make each of these calls fail, and lose
//! what was not flushed, below the C library: `tools/powerloss`.
#![forbid(unsafe_code)]

use rustix::fs::OFlags;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Which file a path or a descriptor leads to, and how many names it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    device: u64,
    inode: u64,
    links: u64,
}

impl Mark {
    /// The file that this is told of.
    pub(crate) fn of(metadata: &fs::Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino(), links: metadata.nlink() }
    }

    /// The file at `path`, which may not be a symbolic link.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|metadata| Self::of(&metadata))
    }

    /// Its number on its file system.
    pub(crate) fn inode(&self) -> u64 {
        self.inode
    }

    /// Whether it has one name.
    pub(crate) fn is_alone(&self) -> bool {
        self.links == 1
    }
}

/// Writes all of `bytes` and waits until they are on the disk.
pub(crate) fn write_flushed(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    // The file's length is data: it grows with every group.
    file.sync_data()
}

/// Makes the file `path` with these contents, as a whole or not at all.
pub(crate) fn create_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("tmp");
    let _ = fs::remove_file(&temporary);
    let mut options = OpenOptions::new();
    options.append(true).create_new(true).mode(0o600).custom_flags(no_follow());
    write_flushed(&mut options.open(&temporary)?, bytes)?;
    rename(&temporary, path)
}

/// Gives a file another name in its folder, and waits until that is on the disk.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    File::open(to.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// Opens a file at whose end is written; not through a symbolic link.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).custom_flags(no_follow()).open(path)
}

/// The flag by which a symbolic link is not followed.
pub(crate) fn no_follow() -> i32 {
    i32::try_from(OFlags::NOFOLLOW.bits()).expect("a flag is a small number")
}
