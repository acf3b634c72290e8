//! Messages of any length, from the command line or from a file; hashed in pieces where the signature allows it.

use crate::exit::Failure;
use crate::output::Output;
use crate::progress::{Display, Unit};
use crate::{digits, files};
use sha2::{Digest, Sha512};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The longest message that is read as a whole: plain Ed25519 hashes a message twice.
const MAX_WHOLE_BYTES: u64 = 1 << 30;

/// Files from this length on are shown with a progress bar.
const LONG_BYTES: u64 = 256 << 20;

/// The message, from the command line or from a file.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(crate) struct MessageArgs {
    /// The message in hexadecimal digits
    #[arg(long, value_name = "H")]
    message_hex: Option<String>,
    /// File that holds the message, of any length (`-`: standard input) [default: what is piped in]
    #[arg(short, long, value_name = "F")]
    message_file: Option<PathBuf>,
}

impl MessageArgs {
    /// The message in a file, or what is piped in.
    pub(crate) fn of_file(file: Option<PathBuf>) -> Self {
        Self { message_hex: None, message_file: file }
    }

    /// The file that holds the message, or `-`.
    pub(super) fn path(&self) -> Option<&Path> {
        if self.message_hex.is_some() { None } else { files::or_piped(self.message_file.as_deref()) }
    }

    /// Whether it can be read once only.
    pub(super) fn is_standard(&self) -> bool {
        self.path().is_some_and(files::is_standard)
    }

    /// The message as a whole.
    ///
    /// # Errors
    /// Digits that are none, a file that cannot be read or is longer than 1 GiB.
    pub(super) fn read(&self) -> Result<Vec<u8>, Failure> {
        if let Some(digits) = &self.message_hex {
            return digits::argument("message", digits);
        }
        let mut bytes = files::read_at_most(self.file()?, MAX_WHOLE_BYTES).map_err(|failure| {
            let hint = "a message is signed in pieces with --prehash, --format minisign or --format sshsig";
            if failure.message.contains("too long") { failure.hint(hint) } else { failure }
        })?;
        Ok(std::mem::take(&mut *bytes))
    }

    /// Gives the message to `hash` in pieces.
    ///
    /// # Errors
    /// As [`read`](Self::read), at any length.
    pub(super) fn hash(&self, mut hash: impl FnMut(&[u8]), output: &Output) -> Result<(), Failure> {
        if let Some(digits) = &self.message_hex {
            hash(&digits::argument("message", digits)?);
            return Ok(());
        }
        let path = self.file()?;
        let cannot =
            |error: io::Error| Failure::system(format_args!("cannot read '{}': {error}", path.display()));
        if files::is_standard(path) {
            return hash_all(io::stdin().lock(), None, &mut hash).map_err(cannot);
        }
        let file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(Failure::usage(format_args!("'{}' is a folder, wanted a file", path.display())));
        }
        let total = metadata.len();
        let display = (total >= LONG_BYTES).then(|| Display::new(output, total, Unit::Bytes));
        let done =
            hash_all(file, display.as_ref().map(|display| (display, total)), &mut hash).map_err(cannot);
        display.inspect(Display::finish);
        done
    }

    /// The SHA-512 of the message.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    pub(super) fn sha512(&self, output: &Output) -> Result<[u8; 64], Failure> {
        let mut hash = Sha512::new();
        self.hash(|piece| hash.update(piece), output)?;
        Ok(hash.finalize().into())
    }

    fn file(&self) -> Result<&Path, Failure> {
        files::named_or_piped(self.message_file.as_deref(), "the message")
    }
}

/// Gives all of `source` to `hash`.
fn hash_all(
    mut source: impl Read,
    display: Option<(&Display<'_>, u64)>,
    hash: &mut impl FnMut(&[u8]),
) -> io::Result<()> {
    let mut piece = vec![0; 1 << 20];
    let mut done = 0;
    loop {
        let read = match source.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if read == 0 {
            return Ok(());
        }
        hash(&piece[..read]);
        done += read as u64;
        if let Some((display, total)) = display {
            display.show(done, total);
        }
    }
}
