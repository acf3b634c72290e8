//! The record of used epochs: a file beside the secret key that outlives the process.
//!
//! An epoch that signs two messages can be forged from then on. So before a signature leaves this program, its epoch
//! and the SHA-256 of its message stand in `<secret key>.epochs`, flushed to the disk. The file is only ever appended
//! to, under an exclusive lock:
//!
//! ```text
//! phalanx-epochs v1 xmss-poseidon2-l8-d64b8 <SHA-256 of the public key in SSZ>
//! 0000000017 <SHA-256 of the message>
//! ```
//!
//! A line cut short by a crash closes its epoch for every message; if not even the epoch can be read, nothing is signed
//! until a person has looked. The record protects one key file: a copy of the key elsewhere has its own.

use crate::exit::Failure;
use crate::files::{self, Privacy};
use phalanx::xmss::{Format, VerifyingKey};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that is signing with the same key.
const PATIENCE: Duration = Duration::from_secs(20);

/// What every record begins with.
const MAGIC: &str = "phalanx-epochs v1 ";

/// Digits of an epoch: fixed, so that an epoch cut short is not taken for a smaller one.
const EPOCH_DIGITS: usize = 10;

/// Length of a whole line, with its end.
const LINE_BYTES: usize = EPOCH_DIGITS + 1 + 64 + 1;

/// Where the record of a secret key is.
pub(crate) fn path_beside(secret_key: &Path) -> PathBuf {
    let mut name = OsString::from(secret_key.as_os_str());
    name.push(".epochs");
    PathBuf::from(name)
}

/// The first line of the record of `key`.
fn header(key: &VerifyingKey) -> String {
    let public = Sha256::digest(key.to_bytes(Format::Ssz));
    format!("{MAGIC}{} {}\n", key.parameter_set().name(), hex::encode(public))
}

/// Whether an epoch may sign a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// It has signed nothing.
    Unused,
    /// It has signed this very message; the same signature may be given again.
    SameMessage,
    /// It has signed another message, or one that can no longer be read.
    Closed,
}

/// One line of a record.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry {
    /// The used epoch.
    pub(crate) epoch: u32,
    /// SHA-256 of its message; `None` if the line is damaged.
    pub(crate) message: Option<[u8; 32]>,
}

/// An open record, locked until dropped.
#[derive(Debug)]
pub(crate) struct Record {
    file: File,
    path: PathBuf,
    /// Whether this run made it.
    pub(crate) is_new: bool,
}

impl Record {
    /// Opens and locks the record of the secret key in `secret_key`, whose public key is `key`; begins one if there is
    /// none.
    ///
    /// # Errors
    /// Exit code 3 if it is another key's or damaged, 4 if the system fails or another process holds it too long.
    pub(crate) fn open(secret_key: &Path, key: &VerifyingKey) -> Result<Self, Failure> {
        let path = path_beside(secret_key);
        let file = lock(&path)?;
        let mut record = Self { file, path, is_new: false };
        let wanted = header(key);
        let mut found = Vec::new();
        record
            .reader()?
            .take(wanted.len() as u64)
            .read_to_end(&mut found)
            .map_err(|error| record.cannot(&error))?;
        if found == wanted.as_bytes() {
            return Ok(record);
        }
        // Empty, or cut short by a crash before anything was signed.
        if !wanted.as_bytes().starts_with(&found) {
            return Err(record.foreign(&found));
        }
        record.file.set_len(0).map_err(|error| record.cannot(&error))?;
        record.write(wanted.as_bytes())?;
        record.is_new = true;
        Ok(record)
    }

    /// What the record says about signing `message` at `epoch`.
    ///
    /// # Errors
    /// Exit code 3 if it is damaged.
    pub(crate) fn standing(&mut self, epoch: u32, message: &[u8; 32]) -> Result<Standing, Failure> {
        let digest = hash(message);
        let mut standing = Standing::Unused;
        self.for_each(|entry| {
            if entry.epoch == epoch && standing != Standing::Closed {
                standing =
                    if entry.message == Some(digest) { Standing::SameMessage } else { Standing::Closed };
            }
        })?;
        Ok(standing)
    }

    /// Notes, durably, that `epoch` signs `message`.
    ///
    /// # Errors
    /// Exit code 4 if the system fails: then nothing may be signed.
    pub(crate) fn append(&mut self, epoch: u32, message: &[u8; 32]) -> Result<(), Failure> {
        self.append_entry(&Entry { epoch, message: Some(hash(message)) })
    }

    /// Takes over every entry of another record of the same key.
    ///
    /// # Errors
    /// As [`append`](Self::append), and as reading the other.
    pub(crate) fn take_over(&mut self, other: &mut Self) -> Result<u64, Failure> {
        let mut mine = BTreeSet::new();
        self.for_each(|entry| {
            mine.insert(entry);
        })?;
        let mut missing = Vec::new();
        other.for_each(|entry| {
            if !mine.contains(&entry) {
                missing.push(entry);
            }
        })?;
        missing.iter().try_for_each(|entry| self.append_entry(entry))?;
        Ok(missing.len() as u64)
    }

    /// Makes sure that an entry found in the record is on the disk: whoever wrote it may have ended before it was.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub(crate) fn confirm(&self) -> Result<(), Failure> {
        let flushed = self.file.sync_all().and_then(|()| files::sync_folder_of(&self.path));
        flushed.map_err(|error| self.cannot(&error))
    }

    fn append_entry(&mut self, entry: &Entry) -> Result<(), Failure> {
        let message = entry.message.map_or_else(|| "unknown".to_owned(), hex::encode);
        let line = format!("{:0EPOCH_DIGITS$} {message}\n", entry.epoch);
        let end = self.file.seek(SeekFrom::End(-1)).and_then(|_| {
            let mut last = [0];
            self.file.read_exact(&mut last)?;
            Ok(last == *b"\n")
        });
        match end {
            Ok(true) => self.write(line.as_bytes()),
            // After a line that was cut short.
            Ok(false) => self.write(format!("\n{line}").as_bytes()),
            Err(error) => Err(self.cannot(&error)),
        }
    }

    /// Appends bytes and flushes them to the disk, with the name of the file.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| self.cannot(&error))?;
        self.confirm()
    }

    /// Calls `visit` with every entry.
    fn for_each(&mut self, visit: impl FnMut(Entry)) -> Result<(), Failure> {
        let path = self.path.clone();
        match read_entries(self.reader()?, visit) {
            Ok(None) => Ok(()),
            Ok(Some(line)) => Err(Failure::refused(format_args!(
                "the epoch record '{}' is damaged at line {line}",
                path.display()
            ))
            .hint("epochs may be used that it does not show: restore it, or make a new key")),
            Err(error) => Err(self.cannot(&error)),
        }
    }

    fn reader(&mut self) -> Result<BufReader<&File>, Failure> {
        self.file.seek(SeekFrom::Start(0)).map_err(|error| self.cannot(&error))?;
        Ok(BufReader::new(&self.file))
    }

    fn cannot(&self, error: &io::Error) -> Failure {
        Failure::system(format_args!("cannot keep the epoch record '{}': {error}", self.path.display()))
    }

    fn foreign(&self, found: &[u8]) -> Failure {
        let path = self.path.display();
        if found.starts_with(MAGIC.as_bytes()) {
            Failure::refused(format_args!("the epoch record '{path}' belongs to another key"))
                .hint("put the right record beside the key, or move this one away")
        } else {
            Failure::refused(format_args!("'{path}' is not an epoch record, or is damaged"))
                .hint("epochs may be used that it does not show: restore it, or make a new key")
        }
    }

    /// Moves a record that is in the way to a name of its own. Nothing is ever deleted: it may be all that protects
    /// another key.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(crate) fn move_aside(secret_key: &Path) -> Result<PathBuf, Failure> {
        let path = path_beside(secret_key);
        let cannot = |error| Failure::system(format_args!("cannot move '{}' aside: {error}", path.display()));
        let held = lock(&path)?;
        let aside = (1..)
            .map(|n| PathBuf::from(format!("{}.old-{n}", path.display())))
            .find(|aside| fs::symlink_metadata(aside).is_err())
            .expect("some number is free");
        fs::rename(&path, &aside).map_err(cannot)?;
        files::sync_folder_of(&path).map_err(cannot)?;
        drop(held);
        Ok(aside)
    }
}

/// SHA-256 of a message.
fn hash(message: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(message).into()
}

/// Opens the file at `path`, creating it if need be, and locks it.
fn lock(path: &Path) -> Result<File, Failure> {
    let cannot = |error: io::Error| {
        Failure::system(format_args!("cannot keep the epoch record '{}': {error}", path.display()))
            .hint("used epochs are recorded beside the secret key, in a folder that can be written")
    };
    let begun = Instant::now();
    loop {
        let mut options = OpenOptions::new();
        let file = files::private(options.read(true).append(true).create(true), Privacy::Secret);
        let file = file.open(path).map_err(cannot)?;
        match file.try_lock() {
            // While we waited, the file may have been moved aside: then we hold one that nobody reads.
            Ok(()) if is_at(&file, path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::system(format_args!(
                    "another process is using the key of '{}'",
                    path.display()
                ))
                .hint("try again when it has ended"));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
    }
}

/// Whether `path` still names the open file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), fs::metadata(path)) {
            (Ok(ours), Ok(named)) => (ours.dev(), ours.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Reads the entries after the first line. `Some(line)` is the number of a line whose epoch cannot be read.
pub(crate) fn read_entries(
    mut reader: impl BufRead,
    mut visit: impl FnMut(Entry),
) -> io::Result<Option<u64>> {
    let mut line = Vec::with_capacity(2 * LINE_BYTES);
    for number in 1.. {
        line.clear();
        // No whole line is longer; what is left of a longer one is read as lines of its own, and refused.
        if (&mut reader).take(4 * LINE_BYTES as u64).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if number == 1 {
            continue;
        }
        match parse_line(&line) {
            Some(entry) => visit(entry),
            None => return Ok(Some(number)),
        }
    }
    Ok(None)
}

/// The entry in a line; `None` if its epoch cannot be read.
fn parse_line(line: &[u8]) -> Option<Entry> {
    let (digits, rest) = line.split_at_checked(EPOCH_DIGITS)?;
    let epoch =
        std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let epoch = epoch.parse().ok()?;
    let mut message = [0; 32];
    let digits = rest.strip_prefix(b" ").map(|rest| rest.strip_suffix(b"\n").unwrap_or(rest));
    let read = digits.filter(|digits| hex::decode_to_slice(digits, &mut message).is_ok());
    Some(Entry { epoch, message: read.map(|_| message) })
}

/// What `inspect` tells of a record: its set, the digest of its public key, used epochs, and a damaged line.
pub(crate) struct Summary {
    /// Name of the parameter set.
    pub(crate) scheme: String,
    /// SHA-256 of the public key.
    pub(crate) public_key_sha256: String,
    /// Number of entries.
    pub(crate) used: u64,
    /// Entries whose message cannot be read.
    pub(crate) unreadable_messages: u64,
    /// The first line whose epoch cannot be read.
    pub(crate) damaged_line: Option<u64>,
}

/// Reads the bytes of a record, if they are one.
pub(crate) fn summary(bytes: &[u8]) -> Option<Summary> {
    let first = bytes.split(|&byte| byte == b'\n').next()?;
    let words = std::str::from_utf8(first).ok()?.strip_prefix(MAGIC)?;
    let (scheme, digest) = words.split_once(' ')?;
    let (mut used, mut unreadable_messages) = (0, 0);
    let damaged_line = read_entries(bytes, |entry| {
        used += 1;
        unreadable_messages += u64::from(entry.message.is_none());
    });
    Some(Summary {
        scheme: scheme.to_owned(),
        public_key_sha256: digest.to_owned(),
        used,
        unreadable_messages,
        damaged_line: damaged_line.ok()?,
    })
}
