//! One file of a record, open and locked.

use super::lines::{Content, Line, Tail};
use crate::exit::Failure;
use crate::faults;
use crate::private::{self, Privacy};
use crate::temporary::Temporary;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that is signing with the same key.
const PATIENCE: Duration = Duration::from_secs(20);

/// Longest first line that is repeated in an error; ours are shorter.
const MAX_SHOWN: usize = 400;

/// What a file says that stands where a record is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// It is the record.
    Good,
    /// It is empty, or its first line is cut short: nothing says what it held.
    Headless,
    /// It begins with this line and not with the record's.
    Foreign(String),
    /// This line of the record cannot be read.
    Damaged(u64),
}

/// The file. Nobody else appends to it until this is dropped.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    path: PathBuf,
    header_bytes: usize,
    pub(super) state: State,
    /// What can be read of it, if it is a record.
    pub(super) content: Content,
}

impl Log {
    /// Opens and locks what stands at `path`, and reads it as a record that begins with `header`. `None` if nothing
    /// stands there.
    ///
    /// # Errors
    /// Exit code 3 if it is not a regular file that is its owner's alone and has one name; 4 if the system fails or
    /// another process holds it too long.
    pub(super) fn find(path: &Path, header: &str) -> Result<Option<Self>, Failure> {
        let Some(mut file) = lock(path)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| cannot(path, &error))?;
        let (state, content) = match bytes.strip_prefix(header.as_bytes()) {
            Some(rest) => {
                let content = Content::parse(rest);
                (content.damaged_line.map_or(State::Good, State::Damaged), content)
            }
            None if header.as_bytes().starts_with(&bytes) => (State::Headless, Content::default()),
            None => {
                let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
                let shown = String::from_utf8_lossy(&first[..first.len().min(MAX_SHOWN)]).into_owned();
                (State::Foreign(shown), Content::default())
            }
        };
        Ok(Some(Self { file, path: path.to_owned(), header_bytes: header.len(), state, content }))
    }

    /// Makes a record of these lines at `path`, whole or not at all, and opens it. What stands there is kept beside it
    /// under another name.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(super) fn create(path: &Path, header: &str, lines: &[Line]) -> Result<Self, Failure> {
        let mut text = header.to_owned();
        lines.iter().for_each(|line| text.push_str(&line.to_string()));
        keep_aside(path).map_err(|error| cannot(path, &error))?;
        let placed = Temporary::create(path, text.as_bytes(), Privacy::Secret)
            .and_then(|temporary| temporary.place(path, true));
        placed.map_err(|error| cannot(path, &error))?;
        let made = Self::find(path, header)?;
        made.ok_or_else(|| {
            Failure::system(format_args!("'{}' was removed while it was made", path.display()))
        })
    }

    /// Cuts off a last line that was cut short, appends `lines` to the whole ones, and flushes.
    ///
    /// # Errors
    /// Exit code 4 if the system fails: then nothing may be signed.
    pub(super) fn append(&mut self, lines: &[Line]) -> Result<(), Failure> {
        if self.content.tail != Tail::Whole {
            let whole = self.header_bytes + self.content.whole_bytes;
            self.file.set_len(whole as u64).map_err(|error| cannot(&self.path, &error))?;
            if self.content.tail == Tail::Closes {
                self.content.lines.pop();
            }
            self.content.tail = Tail::Whole;
            faults::point();
        }
        if lines.is_empty() {
            return Ok(());
        }
        let text: String = lines.iter().map(ToString::to_string).collect();
        faults::write_all(&self.file, text.as_bytes()).map_err(|error| cannot(&self.path, &error))?;
        faults::point();
        self.file.sync_all().map_err(|error| cannot(&self.path, &error))?;
        faults::point();
        self.content.lines.extend_from_slice(lines);
        self.content.whole_bytes += text.len();
        Ok(())
    }

    /// Checks that the file is still the one at its path, and has no other name.
    ///
    /// # Errors
    /// Exit code 4: what was written may be gone with it.
    pub(super) fn check_in_place(&self) -> Result<(), Failure> {
        let metadata = self.file.metadata().map_err(|error| cannot(&self.path, &error));
        if private::is_at(&self.file, &self.path) && private::check(&self.path, &metadata?).is_ok() {
            return Ok(());
        }
        Err(Failure::system(format_args!(
            "the epoch record '{}' was exchanged meanwhile",
            self.path.display()
        ))
        .hint("no signature is released; its epoch is closed"))
    }

    /// Where it stands.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Copies what stands at `path`, if anything does, to the next of the names `<path>.old-1`, ...: nothing is ever deleted
/// that may be all that protects a key. (A copy and not a second name: a process killed now would leave two.)
fn keep_aside(path: &Path) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for number in 1u64.. {
        let aside = PathBuf::from(format!("{}.old-{number}", path.display()));
        let placed = Temporary::create(&aside, &bytes, Privacy::Secret)
            .and_then(|temporary| temporary.place(&aside, false));
        match placed {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return other,
        }
    }
    Ok(())
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::system(format_args!("cannot keep the epoch record '{}': {error}", path.display()))
        .hint("used epochs are recorded beside the secret key and in the state folder: both must be writable")
}

/// Opens the file at `path` and locks it; `None` if there is none.
fn lock(path: &Path) -> Result<Option<File>, Failure> {
    let begun = Instant::now();
    loop {
        let file = match private::open_to_append(path) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(None),
            Err(error) => {
                // What is no file at all is told by its kind, not by how opening it failed.
                if let Ok(metadata) = fs::symlink_metadata(path) {
                    private::check(path, &metadata)?;
                }
                return Err(cannot(path, &error));
            }
        };
        match file.try_lock() {
            // While we waited, the file may have been moved aside: then we hold one that nobody reads.
            Ok(()) if private::is_at(&file, path) => {
                private::check(path, &file.metadata().map_err(|error| cannot(path, &error))?)?;
                return Ok(Some(file));
            }
            Ok(()) if begun.elapsed() < PATIENCE => {}
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(()) => {
                return Err(Failure::system(format_args!(
                    "'{}' is being exchanged again and again",
                    path.display()
                )));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::system(format_args!(
                    "another process is using the key of '{}'",
                    path.display()
                ))
                .hint("try again when it has ended"));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(path, &error)),
        }
    }
}
