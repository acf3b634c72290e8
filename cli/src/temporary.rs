//! Files that are written whole before they have a name.
//!
//! A secret is written without any name, where the system can do that (Linux, `O_TMPFILE`): a process that is killed
//! leaves nothing behind. Elsewhere, and for the moment in which one file takes the place of another, it has a hidden
//! name beside its target, `.<name>.<16 digits>.tmp`; what was left there by a killed process is removed by the next.

use crate::faults;
use crate::folder::{folder_of, sync_folder_of};
use crate::private::{self, Privacy};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file that is whole and flushed, and not yet where it belongs. Dropped, it is gone.
pub(crate) enum Temporary {
    /// One without a name.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// One with a hidden name beside its target.
    Named(Hidden),
}

impl Temporary {
    /// Writes `bytes` where they can become `target`.
    ///
    /// # Errors
    /// As the system.
    pub(crate) fn create(target: &Path, bytes: &[u8], privacy: Privacy) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if privacy == Privacy::Secret
            && let Some(file) = nameless::create(target)
        {
            faults::write_all(&file, bytes)?;
            faults::point();
            file.sync_all()?;
            return Ok(Self::Nameless(file));
        }
        let hidden = Hidden(hidden_name(target)?);
        let file =
            private::mode_of(OpenOptions::new().write(true).create_new(true), privacy).open(&hidden.0)?;
        faults::write_all(&file, bytes)?;
        file.sync_all()?;
        Ok(Self::Named(hidden))
    }

    /// Gives it its place and flushes the folder. What stands there is replaced only if `replace`.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if something stands there; else as the system.
    pub(crate) fn place(self, target: &Path, replace: bool) -> io::Result<()> {
        faults::point();
        match self {
            #[cfg(target_os = "linux")]
            Self::Nameless(file) if replace => {
                let hidden = Hidden(hidden_name(target)?);
                nameless::link(&file, &hidden.0)?;
                fs::rename(&hidden.0, target)?;
            }
            #[cfg(target_os = "linux")]
            Self::Nameless(file) => nameless::link(&file, target)?,
            Self::Named(hidden) if replace => fs::rename(&hidden.0, target)?,
            Self::Named(hidden) => move_to_free(&hidden.0, target)?,
        }
        faults::point();
        sync_folder_of(target)
    }
}

/// A hidden name; removed when dropped, unless the file was moved away.
pub(crate) struct Hidden(PathBuf);

impl Drop for Hidden {
    fn drop(&mut self) {
        // If it cannot be removed, the next run tries again.
        let _ = fs::remove_file(&self.0);
    }
}

/// Digits in a hidden name.
const DIGITS: usize = 16;

/// What a hidden name of `target` begins with.
fn hidden_prefix(target: &Path) -> io::Result<String> {
    Ok(format!(".{}.", target.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy()))
}

fn hidden_name(target: &Path) -> io::Result<PathBuf> {
    let unique = getrandom::u64().map_err(io::Error::other)?;
    Ok(target.with_file_name(OsString::from(format!("{}{unique:0DIGITS$x}.tmp", hidden_prefix(target)?))))
}

/// Removes what killed processes left of `target`, and says what it was. To be called when nobody else writes it.
///
/// # Errors
/// As the system.
pub(crate) fn remove_leftovers(target: &Path) -> io::Result<Vec<PathBuf>> {
    let prefix = hidden_prefix(target)?;
    let folder = folder_of(target);
    let mut removed = Vec::new();
    if !folder.is_dir() {
        return Ok(removed);
    }
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let digits = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(".tmp"));
        if digits
            .is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit()))
        {
            let path = folder.join(name);
            fs::remove_file(&path)?;
            removed.push(path);
        }
    }
    Ok(removed)
}

/// Moves without replacing: a hard link fails if the name is taken, also when another process takes it just now. On
/// file systems without hard links a small window remains.
fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            if fs::symlink_metadata(to).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            fs::rename(from, to)
        }
        other => other,
    }
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod nameless {
    use super::{File, Path, folder_of, io};
    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use std::os::fd::AsRawFd;

    /// One in the folder of `target`, for its owner alone; `None` where the file system cannot.
    pub(super) fn create(target: &Path) -> Option<File> {
        // Its name is given through /proc; where that is missing, it could never have one.
        if !Path::new("/proc/self/fd").is_dir() {
            return None;
        }
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        rustix::fs::open(folder_of(target), flags, Mode::RUSR | Mode::WUSR).ok().map(File::from)
    }

    /// Names it. Fails if the name is taken.
    pub(super) fn link(file: &File, name: &Path) -> io::Result<()> {
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(rustix::fs::linkat(CWD, path, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_own_leftovers_go() {
        let folder = std::env::temp_dir().join(format!("phalanx-leftovers-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("can be created");
        let names = [
            ".key.0123456789abcdef.tmp",
            ".key.0123456789abcde.tmp",
            ".key.0123456789abcdefg.tmp",
            ".other.0123456789abcdef.tmp",
            ".key.0123456789abcdeg.tmp",
            "key.0123456789abcdef.tmp",
        ];
        for name in names {
            fs::write(folder.join(name), "secret").expect("can be written");
        }
        let removed = remove_leftovers(&folder.join("key")).expect("can be removed");
        assert_eq!(removed, [folder.join(names[0])]);
        assert!(names[1..].iter().all(|name| folder.join(name).exists()));
        fs::remove_dir_all(&folder).expect("can be removed");
    }
}
