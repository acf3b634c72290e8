//! Where the files of a ledger are, and whether that place is fit for them.
#![forbid(unsafe_code)]

use super::disk::{Mark, no_follow};
use crate::hexadecimal;
use crate::ledger::layout;
use crate::ledger::refused::{LedgerError, Problem};
use phalanx_core::process::ProcessMark;
use rustix::fs::{statfs, statvfs};
use sha2::{Digest as _, Sha256};
use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The folder of the side log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessFolder {
    /// That of the store.
    WithStore,
    /// Another one: best on another disk.
    At(PathBuf),
    /// The folder named after the ledger in this one: the user's state folder, say, which does not travel with the store.
    NamedIn(PathBuf),
}

impl WitnessFolder {
    /// The one in the user's state folder, as the command line has it.
    ///
    /// # Errors
    /// [`Problem::Storage`] if the environment names no such folder.
    pub fn of_user() -> Result<Self, LedgerError> {
        state_folder().map(Self::NamedIn)
    }
}

/// The user's state folder: `$XDG_STATE_HOME/phalanx`, else `$HOME/.local/state/phalanx`.
pub(in crate::ledger) fn state_folder() -> Result<PathBuf, LedgerError> {
    let named = |name| env::var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    let found = named("XDG_STATE_HOME").or_else(|| Some(named("HOME")?.join(".local/state")));
    let missing = |text: String| Err(LedgerError::new(Problem::Storage, text));
    match found {
        Some(folder) if folder.is_absolute() => Ok(folder.join("phalanx")),
        Some(folder) => missing(format!("the state folder '{}' is not an absolute path", folder.display())),
        None => missing("there is no home for the state folder: HOME is not set".to_owned()),
    }
}

/// The files of a ledger.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The folder of the store.
    pub(crate) folder: PathBuf,
    /// That of the side log.
    pub(crate) witness: PathBuf,
    /// Whether the store is a file.
    pub(crate) has_store: bool,
}

impl Files {
    pub(crate) fn new(folder: &Path, witness: &WitnessFolder, ledger_id: &[u8; 16]) -> Self {
        let witness = match witness {
            WitnessFolder::WithStore => folder.to_owned(),
            WitnessFolder::At(path) => path.clone(),
            WitnessFolder::NamedIn(path) => path.join(hexadecimal::text(ledger_id)),
        };
        Self { folder: folder.to_owned(), witness, has_store: true }
    }

    pub(crate) fn segment(&self, number: u32) -> PathBuf {
        self.witness.join(format!("witness-{number:08}.log"))
    }

    /// A file that says that a flush of the side log has failed: what the memory shows of it may not be on the disk.
    pub(crate) fn flush_failed(&self) -> PathBuf {
        self.witness.join("flush-failed")
    }
}

/// The store in `folder`.
pub(crate) fn store(folder: &Path) -> PathBuf {
    folder.join(layout::STORE)
}

/// What stands there of a ledger whose store is in a database.
pub(crate) fn in_database(folder: &Path) -> PathBuf {
    folder.join(layout::IN_DATABASE)
}

/// What a reconciliation leaves that was not finished: the ledger does not open before it has been.
pub(crate) fn reconciling(folder: &Path) -> PathBuf {
    folder.join(layout::RECONCILING)
}

/// Makes `folder`, for its owner alone, if it is not there.
pub(crate) fn make_folder(folder: &Path) -> Result<(), LedgerError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| failed("make the folder", folder, &error))
}

/// What a failed operation on a file becomes.
pub(crate) fn failed(what: &str, path: &Path, error: &io::Error) -> LedgerError {
    LedgerError::new(Problem::Storage, format_args!("cannot {what} {}: {error}", path.display()))
}

/// The lock of a file, of a ledger's most of all, held as long as this lives. It outlives crashes as little as the process does.
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
    process: ProcessMark,
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.release();
    }
}

impl Lock {
    /// Lets go of it, before this ends.
    pub(crate) fn release(&self) {
        // Closing alone would not release it while a child that is about to become another program has the descriptor.
        // In a child that stays this program the lock is the parent's.
        if self.process.is_here() {
            let _ = self.file.unlock();
        }
    }

    pub(crate) fn take(folder: &Path) -> Result<Self, LedgerError> {
        let in_use = || LedgerError::new(Problem::InUse, "another process has this ledger open");
        Self::try_on(&folder.join("ledger.lock"), File::try_lock)?.ok_or_else(in_use)
    }

    /// Locks the file at `path`, which is made if need be, by `try_lock`. `None` if another process is in the way.
    pub(crate) fn try_on(
        path: &Path,
        try_lock: fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Option<Self>, LedgerError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600).custom_flags(no_follow());
        let file = options.open(path).map_err(|error| failed("open", path, &error))?;
        match try_lock(&file) {
            Ok(()) => Ok(Some(Self { file, path: path.to_owned(), process: ProcessMark::here() })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed("lock", path, &error)),
        }
    }

    /// Whether the lock is still the file at its path.
    pub(crate) fn is_in_place(&self) -> bool {
        let here = self.file.metadata().map(|metadata| metadata.ino());
        matches!((here, Mark::at(&self.path)), (Ok(here), Ok(mark)) if mark.inode() == here && mark.is_alone())
    }
}

/// Check 1: the folder is its owner's alone, and so is every file in it.
pub(crate) fn check_modes(folder: &Path) -> Result<(), LedgerError> {
    let insecure = |path: &Path, what: &str| {
        LedgerError::new(Problem::InsecureFiles, format_args!("{}: {what}", path.display()))
    };
    let owner = rustix::process::geteuid().as_raw();
    let metadata = fs::symlink_metadata(folder).map_err(|error| failed("look at", folder, &error))?;
    if !metadata.is_dir() {
        return Err(insecure(folder, "not a folder, or a symbolic link to one"));
    }
    if metadata.uid() != owner || metadata.mode() & 0o077 != 0 {
        return Err(insecure(folder, "must belong to this user, with mode 0700"));
    }
    let entries = fs::read_dir(folder).map_err(|error| failed("list", folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| failed("list", folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("ledger.") && !name.starts_with("witness-") {
            continue;
        }
        let metadata = match fs::symlink_metadata(&path) {
            // The process before us has closed the store just now, which removes its journal.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other.map_err(|error| failed("look at", &path, &error))?,
        };
        if !metadata.is_file() {
            return Err(insecure(&path, "not a regular file"));
        }
        if metadata.uid() != owner || metadata.mode() & 0o077 != 0 {
            return Err(insecure(&path, "must belong to this user, with mode 0600"));
        }
        // Without any it is being removed, by the process before us.
        if metadata.nlink() > 1 {
            return Err(insecure(&path, "has a second hard link"));
        }
    }
    Ok(())
}

/// File systems on which a flush or a lock may say nothing: their number, their name, and whether the configuration may
/// allow them.
const UNFIT: [(u64, &str, bool); 11] = [
    (0x6969, "nfs", false),
    (0x517b, "smb", false),
    (0xff53_4d42, "smb", false),
    (0xfe53_4d42, "smb", false),
    (0x564c, "ncp", false),
    (0x0102_1997, "9p", true),
    (0x5346_414f, "afs", true),
    (0x6b41_4653, "afs", true),
    (0x6573_5546, "fuse", true),
    (0x794c_7630, "overlay", true),
    (0x00c3_6400, "ceph", true),
];

/// Check 2: the file system is one whose flushes and locks are the disk's.
#[cfg(target_os = "linux")]
pub(crate) fn check_file_system(folder: &Path, allowed: &[String]) -> Result<(), LedgerError> {
    let found = statfs(folder).map_err(|error| failed("look at", folder, &error.into()))?;
    let kind = u64::try_from(found.f_type).unwrap_or(0) & 0xffff_ffff;
    match UNFIT.iter().find(|(number, ..)| *number == kind) {
        Some((_, name, may_be_allowed)) if !(*may_be_allowed && allowed.iter().any(|one| one == name)) => {
            let text = format!("{} is on a file system of type {name}", folder.display());
            Err(LedgerError::new(Problem::NetworkFileSystem, text))
        }
        _ => Ok(()),
    }
}

/// Check 2 is for Linux, where the numbers of file systems are known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn check_file_system(_folder: &Path, _allowed: &[String]) -> Result<(), LedgerError> {
    Ok(())
}

/// What check 10 compares: whether this is still the machine and the files that the last process used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Home {
    /// SHA-256 of the machine's name for itself.
    pub(crate) machine: [u8; 32],
    /// The boot that the machine is in.
    pub(crate) boot_id: String,
    /// File system and inode of store, side log and lock.
    pub(crate) files: String,
}

impl Home {
    pub(crate) fn of(files: &Files, segment: u32) -> Result<Self, LedgerError> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
        let machine = Sha256::new().chain_update("phalanx machine v1").chain_update(read("/etc/machine-id"));
        let mut marks = Vec::new();
        let store = files.has_store.then(|| store(&files.folder));
        for path in store.into_iter().chain([files.segment(segment), files.folder.join("ledger.lock")]) {
            let inode = Mark::at(&path).map_err(|error| failed("look at", &path, &error))?.inode();
            let system = statvfs(&path).map_err(|error| failed("look at", &path, &error.into()))?.f_fsid;
            marks.push(format!("{system:x}:{inode}"));
        }
        let boot_id = read("/proc/sys/kernel/random/boot_id");
        Ok(Self { machine: machine.finalize().into(), boot_id, files: marks.join(" ") })
    }

    /// Whether `self` is the place that `before` was. The machine may have been started anew since.
    pub(crate) fn is_same_place(&self, before: &Self) -> bool {
        self.machine == before.machine && self.files == before.files
    }
}
