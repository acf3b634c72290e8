//! Keystores on the disk: whole or not at all, and nobody else's to read.
//!
//! Source: specification, section 2.7. For Unix: modes, owners, links and a rename that replaces nothing have no equals
//! elsewhere.

use super::document::Keystore;
use super::error::Error;
use super::master::{MasterKeystore, SealedMaster};
use super::seal::SealedFile;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Whose files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Also read files of root that their group may read: how Kubernetes hands out secrets. To be noted in a log.
    pub group_may_read_files_of_root: bool,
}

/// Why a file was not read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// What the file holds was refused.
    Keystore(Error),
    /// The file, or the folder it is to be in, is not safe.
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Something stands where the new file should be.
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// The system failed.
    System {
        /// What was tried.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keystore(error) => error.fmt(f),
            Self::Refused { path, what } => write!(f, "'{}' {what}", path.display()),
            Self::Exists { path } => write!(f, "'{}' exists", path.display()),
            Self::System { action, path, error } => {
                write!(f, "cannot {action} '{}': {error}", path.display())
            }
        }
    }
}

impl core::error::Error for FileError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Keystore(error) => Some(error),
            Self::System { error, .. } => Some(error),
            Self::Refused { .. } | Self::Exists { .. } => None,
        }
    }
}

impl From<Error> for FileError {
    fn from(error: Error) -> Self {
        Self::Keystore(error)
    }
}

/// A failure of the system, for `map_err`.
fn system<E: Into<io::Error>>(action: &'static str, path: &Path) -> impl FnOnce(E) -> FileError {
    let path = path.to_owned();
    move |error| FileError::System { action, path, error: error.into() }
}

/// The keystore in the file `path`, if only its owner, who is the caller or root, can read or write it. A symbolic link
/// is followed.
///
/// # Errors
/// [`FileError::Refused`] for a file that is not safe or not a regular one, [`FileError::Keystore`],
/// [`FileError::System`].
pub fn read(path: &Path, access: Access) -> Result<Keystore, FileError> {
    Ok(Keystore::parse(&read_safe(path, access)?)?)
}

/// The keystore of a master in the file `path`, as [`read`] reads others.
///
/// # Errors
/// As [`read`].
pub fn read_master(path: &Path, access: Access) -> Result<MasterKeystore, FileError> {
    Ok(MasterKeystore::parse(&read_safe(path, access)?)?)
}

/// All of a file that is safe.
fn read_safe(path: &Path, access: Access) -> Result<Vec<u8>, FileError> {
    let (file, what) = open(path, access)?;
    match what {
        Some(what) => Err(FileError::Refused { path: path.to_owned(), what }),
        None => read_bounded(&file).map_err(system("read", path)),
    }
}

/// As [`read`], for looking at the header alone: also a file that [`read`] would refuse, with what is wrong with it.
///
/// # Errors
/// As [`read`]; [`FileError::Refused`] only for what is not a regular file.
pub fn inspect(path: &Path) -> Result<(Keystore, Option<&'static str>), FileError> {
    let (file, what) = open(path, Access::default())?;
    if let Some(what) = what.filter(|&what| what == NOT_REGULAR) {
        return Err(FileError::Refused { path: path.to_owned(), what });
    }
    Ok((Keystore::parse(&read_bounded(&file).map_err(system("read", path))?)?, what))
}

/// The open file, and what is wrong with it.
fn open(path: &Path, access: Access) -> Result<(File, Option<&'static str>), FileError> {
    // Not to wait for somebody to write into a pipe.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file: File = rustix::fs::open(path, flags, Mode::empty()).map_err(system("open", path))?.into();
    let metadata = file.metadata().map_err(system("look at", path))?;
    Ok((file, unsafe_file(&metadata, access)))
}

const NOT_REGULAR: &str = "is not a regular file";

/// What is wrong with a file that should hold a keystore.
fn unsafe_file(metadata: &Metadata, access: Access) -> Option<&'static str> {
    let shared = metadata.mode() & 0o077;
    let is_of_root = metadata.uid() == 0;
    let may_be_shared = access.group_may_read_files_of_root && is_of_root && shared == 0o040;
    if !metadata.is_file() {
        Some(NOT_REGULAR)
    } else if !is_of_root && metadata.uid() != rustix::process::geteuid().as_raw() {
        Some("belongs to somebody else")
    } else if shared != 0 && !may_be_shared {
        Some("can be read or written by others than its owner")
    } else if metadata.nlink() != 1 {
        Some("has more than one name (hard links)")
    } else {
        None
    }
}

/// All of a file, or one byte more than a keystore has.
fn read_bounded(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(Keystore::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a new keystore to `path`, where nothing may stand. Its folder is made if it is not there (mode 0700).
///
/// The file is written under a temporary name, flushed, read back and decrypted, and only then gets its name; then the
/// folder is flushed. A crash leaves no file, or the whole file; what is left under a temporary name, which
/// [`leftovers`] finds, holds the secret encrypted only.
///
/// # Errors
/// [`FileError::Exists`]; [`FileError::Refused`] if the folder belongs to somebody else or others can use it;
/// [`FileError::System`].
pub fn create(path: &Path, file: &SealedFile) -> Result<(), FileError> {
    check_place(path)?;
    Place::of(path)?.write_temporary(file.as_bytes(), |bytes| file.check(bytes))?.name_without_replacing()
}

/// Writes the keystore of a new master, as [`create`] does.
///
/// # Errors
/// As [`create`].
pub fn create_master(path: &Path, file: &SealedMaster) -> Result<(), FileError> {
    check_place(path)?;
    Place::of(path)?.write_temporary(file.as_bytes(), |bytes| file.check(bytes))?.name_without_replacing()
}

/// Whether [`create`] could write to `path`: to be asked before a key is computed, which may take hours. The folder is
/// made if it is not there.
///
/// # Errors
/// As [`create`].
pub fn check_place(path: &Path) -> Result<(), FileError> {
    Place::of(path)?;
    if fs::symlink_metadata(path).is_ok() {
        return Err(FileError::Exists { path: path.to_owned() });
    }
    Ok(())
}

/// Replaces the keystore `old` at `path` by `file`, which holds the same key. A symbolic link stays, and the file that
/// it names is replaced.
///
/// # Errors
/// As [`create`]; [`FileError::Refused`] if the file at `path` is not `old` any more.
pub fn replace(path: &Path, old: &Keystore, file: &SealedFile) -> Result<(), FileError> {
    let target = fs::canonicalize(path).map_err(system("find", path))?;
    let temporary = Place::of(&target)?.write_temporary(file.as_bytes(), |bytes| file.check(bytes))?;
    let now = read(&target, Access::default())?;
    let same = |a: &Keystore| (&a.header.uuid, a.header.key_id) == (&old.header.uuid, old.header.key_id);
    if !same(&now) || file.header().key_id != old.header.key_id {
        return Err(FileError::Refused { path: target, what: "is not the keystore that was opened" });
    }
    temporary.name_replacing()
}

/// Writes what can be computed again to `path`, and replaces what stands there: whole or not at all.
pub(super) fn replace_derived(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    Place::of(path)?.write_bytes(bytes)?.name_replacing()
}

/// Temporary files of this form in `folder`, which unfinished runs have left there: `.NAME.<16 digits>.tmp`. They hold
/// secrets only encrypted and may be removed.
///
/// # Errors
/// [`FileError::System`].
pub fn leftovers(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(system("list", folder))? {
        let name = entry.map_err(system("list", folder))?.file_name();
        if is_temporary(name.as_bytes()) {
            found.push(folder.join(name));
        }
    }
    found.sort();
    Ok(found)
}

/// Whether `name` is one that [`temporary_name`] gives.
fn is_temporary(name: &[u8]) -> bool {
    let unique = name.strip_suffix(b".tmp").and_then(|rest| rest.split_last_chunk::<17>());
    unique.is_some_and(|(stem, unique)| {
        let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        stem.starts_with(b".") && stem.len() > 1 && unique[0] == b'.' && unique[1..].iter().all(is_digit)
    })
}

fn temporary_name(name: &OsStr) -> Result<OsString, Error> {
    let unique = getrandom::u64().map_err(|_| Error::NoRandomness)?;
    let mut bytes = b".".to_vec();
    bytes.extend(name.as_bytes());
    bytes.extend(format!(".{unique:016x}.tmp").bytes());
    Ok(OsString::from_vec(bytes))
}

/// A name in an open folder: whatever is renamed above it, everything happens in this folder.
struct Place {
    folder: File,
    name: OsString,
    path: PathBuf,
}

impl Place {
    fn of(path: &Path) -> Result<Self, FileError> {
        let no_file = || FileError::Refused { path: path.to_owned(), what: "is not the name of a file" };
        let name = path.file_name().ok_or_else(no_file)?.to_owned();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        make_folder(folder)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open: File =
            rustix::fs::open(folder, flags, Mode::empty()).map_err(system("open", folder))?.into();
        let metadata = open.metadata().map_err(system("look at", folder))?;
        let what = if metadata.uid() != rustix::process::geteuid().as_raw() {
            Some("belongs to somebody else: keystores are written to a folder of one's own")
        } else if metadata.mode() & 0o077 != 0 {
            Some("can be used by others: keystores are written to folders of mode 0700")
        } else {
            None
        };
        match what {
            Some(what) => Err(FileError::Refused { path: folder.to_owned(), what }),
            None => Ok(Self { folder: open, name, path: path.to_owned() }),
        }
    }

    /// Writes `bytes` under a temporary name, flushed.
    fn write_bytes(self, bytes: &[u8]) -> Result<Temporary, FileError> {
        let name = temporary_name(&self.name)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let open = rustix::fs::openat(&self.folder, &name, flags, mode);
        let mut out: File = open.map_err(system("create a file beside", &self.path))?.into();
        let temporary = Temporary { place: self, name, is_named: false };
        let path = &temporary.place.path;
        out.write_all(bytes).and_then(|()| out.sync_all()).map_err(system("write a file beside", path))?;
        Ok(temporary)
    }

    /// Writes `bytes` under a temporary name, flushed, and makes sure that what is read back passes `check`: it is the same,
    /// and can be decrypted.
    fn write_temporary(
        self,
        bytes: &[u8],
        check: impl FnOnce(&[u8]) -> Result<bool, Error>,
    ) -> Result<Temporary, FileError> {
        let temporary = self.write_bytes(bytes)?;
        let path = &temporary.place.path;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let back = rustix::fs::openat(&temporary.place.folder, &temporary.name, flags, Mode::empty());
        let back: File = back.map_err(system("read back", path))?.into();
        let bytes = read_bounded(&back).map_err(system("read back", path))?;
        match check(&bytes) {
            Ok(true) => Ok(temporary),
            Ok(false) | Err(_) => {
                let error = io::Error::other("what was read back is not what was written");
                Err(FileError::System { action: "write", path: path.clone(), error })
            }
        }
    }
}

/// A file under a temporary name, which is removed when dropped, unless it got its own.
struct Temporary {
    place: Place,
    name: OsString,
    is_named: bool,
}

impl Temporary {
    fn name_without_replacing(mut self) -> Result<(), FileError> {
        let Place { folder, name, path } = &self.place;
        let moved = rustix::fs::renameat_with(folder, &self.name, folder, name, RenameFlags::NOREPLACE);
        let moved = match moved {
            // File systems that cannot refuse to replace can refuse to link.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                rustix::fs::linkat(folder, &self.name, folder, name, AtFlags::empty())
                    .and_then(|()| rustix::fs::unlinkat(folder, &self.name, AtFlags::empty()))
            }
            other => other,
        };
        match moved {
            Err(Errno::EXIST) => return Err(FileError::Exists { path: path.clone() }),
            other => other.map_err(system("name", path))?,
        }
        self.is_named = true;
        self.flush_folder()
    }

    fn name_replacing(mut self) -> Result<(), FileError> {
        let Place { folder, name, path } = &self.place;
        rustix::fs::renameat(folder, &self.name, folder, name).map_err(system("replace", path))?;
        self.is_named = true;
        self.flush_folder()
    }

    fn flush_folder(&self) -> Result<(), FileError> {
        rustix::fs::fsync(&self.place.folder).map_err(system("flush the folder of", &self.place.path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_named {
            // What cannot be removed stays behind, encrypted, and is reported by `leftovers`.
            let _ = rustix::fs::unlinkat(&self.place.folder, &self.name, AtFlags::empty());
        }
    }
}

/// Makes the folder, and those above it that are missing, for the caller alone.
fn make_folder(folder: &Path) -> Result<(), FileError> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(system("create the folder", folder))?;
    // The new name is as durable as the file in it.
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let flushed = File::open(parent).and_then(|parent| parent.sync_all());
    flushed.map_err(system("flush the folder of", folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_are_known_again() {
        let name = temporary_name(OsStr::new("key.json")).expect("randomness");
        assert!(is_temporary(name.as_bytes()));
        for other in [
            "key.json",
            ".tmp",
            ".0123456789abcdef.tmp",
            "..0123456789abcde.tmp",
            ".key.json.0123456789ABCDEF.tmp",
            "key.json.0123456789abcdef.tmp",
            ".key.json.0123456789abcdef.tmp.old",
        ] {
            assert!(!is_temporary(other.as_bytes()), "{other}");
        }
    }
}
