//! Records of earlier versions become history of a ledger.
#![forbid(unsafe_code)]

use super::Ledger;
use super::disk::no_follow;
use super::place::failed;
use crate::hexadecimal;
use crate::identity::KeyId;
use crate::ledger::migration::{OldRecord, read_record};
use crate::ledger::record::KeyState;
use crate::ledger::refused::{LedgerError, Problem};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The record of an earlier version, beside the secret key that it is of. Several keys with one name, such as two intervals
/// of one seed, have several.
#[derive(Clone, Debug)]
pub struct OldRecordFile {
    /// Where it is.
    pub path: PathBuf,
    /// The parameter set of its key.
    pub scheme: String,
    /// The public key of that key, in SSZ.
    pub public_key: Vec<u8>,
    /// The number of epochs of the parameter set.
    pub lifetime: u64,
}

impl OldRecordFile {
    fn open(&self) -> Result<File, LedgerError> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).custom_flags(no_follow()).open(&self.path);
        opened.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                LedgerError::new(Problem::NoState, format_args!("there is no record {}", self.path.display()))
            }
            _ => failed("open", &self.path, &error),
        })
    }

    /// What the file that was opened says now.
    fn read(&self, file: &mut File) -> Result<OldRecord, LedgerError> {
        let mut bytes = Vec::new();
        let read = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
        read.map_err(|error| failed("read", &self.path, &error))?;
        read_record(&bytes, &self.scheme, &self.public_key, self.lifetime).map_err(|problem| {
            LedgerError::new(problem, format_args!("{}: {}", self.path.display(), problem.code()))
        })
    }

    /// Puts a file in its place that an earlier version takes for another key's, and refuses.
    fn replace(&self, ledger_id: &[u8; 16]) -> Result<(), LedgerError> {
        let text = format!("phalanx-epochs v2 moved-to-ledger {}\n", hexadecimal::text(ledger_id));
        let mut temporary = self.path.clone().into_os_string();
        temporary.push(".moving");
        let temporary = PathBuf::from(temporary);
        let folder = self.path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let replace = || {
            let _ = fs::remove_file(&temporary);
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &self.path)?;
            File::open(folder)?.sync_all()
        };
        replace().map_err(|error| failed("replace", &self.path, &error))
    }
}

impl Ledger {
    /// Takes over the records `files` of the key called `key`, which is registered, best as
    /// [`crate::ledger::InitialState::Quarantined`]. It signs nothing until every record has been taken in, replaced by a
    /// file that earlier versions refuse, and read once more: an old process may have written last. Answers the epochs
    /// with two messages, which are closed.
    ///
    /// After a crash between these steps the key stays quarantined, and this may be done again while a record is left.
    ///
    /// # Errors
    /// [`Problem::NoState`] if a record is missing, [`Problem::ForeignRecord`], [`Problem::DamagedRecord`]; the key is
    /// then quarantined if it was before.
    pub fn adopt_records(&self, key: &KeyId, files: &[OldRecordFile]) -> Result<Vec<u64>, LedgerError> {
        let mut open = files.iter().map(OldRecordFile::open).collect::<Result<Vec<_>, _>>()?;
        let mut first = OldRecord::default();
        for (file, open) in files.iter().zip(&mut open) {
            first.unite(&file.read(open)?);
        }
        self.unite_record(key, &first)?;
        for file in files {
            file.replace(&self.ledger_id())?;
        }
        let mut last = first.clone();
        for (file, open) in files.iter().zip(&mut open) {
            last.unite(&file.read(open)?);
        }
        if last != first {
            self.unite_record(key, &last)?;
        }
        let reason = "the old record is replaced";
        self.set_state(key, KeyState::Active, "adopt-records", reason)?;
        Ok(last.compromised)
    }
}
