//! Records of earlier versions, `<secret key>.epochs`: no key signs by them any more, `phalanx ledger adopt-records` makes
//! ledgers of them.
//!
//! ```text
//! phalanx-epochs v1 <parameter set> <SHA-256 of the public key>
//! 0000000017 <SHA-256 of the message>
//! ```
//!
//! In the place of one that was taken over stands `phalanx-epochs v2 moved-to-ledger <ledger id>`, which earlier versions
//! take for another key's, and refuse.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What every record begins with.
const MAGIC: &str = "phalanx-epochs v1 ";

/// What stands in the place of one whose key has a ledger.
const MOVED: &str = "phalanx-epochs v2 moved-to-ledger ";

/// What a file says that stands where a record is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A record, as far as anybody can tell.
    Record,
    /// The used epochs are in this ledger.
    Moved {
        /// Its name.
        ledger: String,
    },
}

/// Where the record of a secret key is.
pub(crate) fn path_beside(secret_key: &Path) -> PathBuf {
    let mut name = OsString::from(secret_key.as_os_str());
    name.push(".epochs");
    PathBuf::from(name)
}

/// What stands beside a secret key; `None` if nothing does.
pub(crate) fn beside(secret_key: &Path) -> Option<Kind> {
    let path = path_beside(secret_key);
    path.symlink_metadata().ok()?;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut bytes));
    Some(read.ok().and_then(|_| moved(&bytes)).unwrap_or(Kind::Record))
}

fn moved(bytes: &[u8]) -> Option<Kind> {
    let first = bytes.split(|&byte| byte == b'\n').next()?;
    let ledger = std::str::from_utf8(first).ok()?.strip_prefix(MOVED)?;
    Some(Kind::Moved { ledger: ledger.to_owned() })
}

/// The text that stands in the place of a record whose key has this ledger.
pub(crate) fn moved_text(ledger: &str) -> String {
    format!("{MOVED}{ledger}\n")
}

/// Refuses to take a key for unused from an epoch on, if the record beside its file knows better.
///
/// # Errors
/// Exit code 2 if so, 3 if the record cannot be read.
#[cfg(all(unix, feature = "custody"))]
pub(crate) fn check_above(
    secret_key: &Path,
    scheme: &str,
    public_key: &[u8],
    from: u64,
) -> Result<(), crate::exit::Failure> {
    use crate::exit::Failure;
    if beside(secret_key) != Some(Kind::Record) {
        return Ok(());
    }
    let path = path_beside(secret_key);
    let bytes = crate::files::read(&path)?;
    let record = phalanx_custody::ledger::migration::read_record(&bytes, scheme, public_key, 1 << 32)
        .map_err(|problem| Failure::refused(format_args!("'{}': {}", path.display(), problem.code())))?;
    match record.entries.last_key_value() {
        Some((&last, _)) if from <= last => {
            Err(Failure::usage(format_args!("epoch {from} is too low: the key has signed at epoch {last}")))
        }
        _ => Ok(()),
    }
}

/// What `inspect` tells of a record.
pub(crate) struct Summary {
    /// The ledger that has the used epochs now.
    pub(crate) moved_to: Option<String>,
    /// Name of the parameter set.
    pub(crate) scheme: Option<String>,
    /// SHA-256 of the public key.
    pub(crate) public_key_sha256: Option<String>,
    /// Number of lines.
    pub(crate) used: Option<u64>,
}

/// Reads the bytes of a record, if they are one.
pub(crate) fn summary(bytes: &[u8]) -> Option<Summary> {
    if let Some(Kind::Moved { ledger }) = moved(bytes) {
        return Some(Summary { moved_to: Some(ledger), scheme: None, public_key_sha256: None, used: None });
    }
    let (first, rest) = bytes.split_at_checked(bytes.iter().position(|&byte| byte == b'\n')?)?;
    let (scheme, public_key) = std::str::from_utf8(first).ok()?.strip_prefix(MAGIC)?.split_once(' ')?;
    let lines = rest.iter().filter(|&&byte| byte == b'\n').count() - 1;
    Some(Summary {
        moved_to: None,
        scheme: Some(scheme.to_owned()),
        public_key_sha256: Some(public_key.to_owned()),
        used: Some(lines as u64),
    })
}
