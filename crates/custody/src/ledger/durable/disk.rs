//! The file operations that the side log is written with: one seam, so that tests can make each of them fail.
#![forbid(unsafe_code)]

use rustix::fs::OFlags;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// A file that is being written.
pub(crate) trait LogFile: Send {
    /// Writes as much of `bytes` as the system takes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    /// Returns when everything written is on the disk.
    fn flush(&mut self) -> io::Result<()>;
    /// Cuts it.
    fn set_len(&mut self, len: u64) -> io::Result<()>;
    /// Which file it is.
    fn mark(&self) -> io::Result<Mark>;
}

/// Where files are.
pub(crate) trait Disk: Send + Sync {
    /// Opens a file at whose end is written; not through a symbolic link.
    fn append(&self, path: &Path) -> io::Result<Box<dyn LogFile>>;
    /// Makes a file that must not be there.
    fn create(&self, path: &Path) -> io::Result<Box<dyn LogFile>>;
    /// Gives a file another name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Returns when the names in a folder are on the disk.
    fn flush_folder(&self, folder: &Path) -> io::Result<()>;
}

/// Which file a path or a descriptor leads to, and how many names it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    device: u64,
    inode: u64,
    links: u64,
}

impl Mark {
    fn of(metadata: &fs::Metadata) -> Self {
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
pub(crate) fn write_flushed(file: &mut dyn LogFile, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    file.flush()
}

/// Makes the file `path` with these contents, as a whole or not at all.
pub(crate) fn create_whole(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("tmp");
    let _ = fs::remove_file(&temporary);
    write_flushed(&mut *disk.create(&temporary)?, bytes)?;
    disk.rename(&temporary, path)?;
    disk.flush_folder(path.parent().unwrap_or(Path::new(".")))
}

/// The machine's own files.
pub(crate) struct SystemDisk;

impl Disk for SystemDisk {
    fn append(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let file = OpenOptions::new().append(true).custom_flags(no_follow()).open(path)?;
        Ok(Box::new(SystemFile(file)))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn LogFile>> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create_new(true).mode(0o600).custom_flags(no_follow()).open(path)?;
        Ok(Box::new(SystemFile(file)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn flush_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

/// The flag by which a symbolic link is not followed.
pub(crate) fn no_follow() -> i32 {
    i32::try_from(OFlags::NOFOLLOW.bits()).expect("a flag is a small number")
}

struct SystemFile(File);

impl LogFile for SystemFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // The file's length is data: it grows with every group.
        self.0.sync_data()
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn mark(&self) -> io::Result<Mark> {
        self.0.metadata().map(|metadata| Mark::of(&metadata))
    }
}
