//! The file that is left of a ledger in the folder of a host: its name, that of the side log here, and where the store is.
#![forbid(unsafe_code)]

use crate::hexadecimal;
use crate::ledger::durable::place::{failed, in_database};
use crate::ledger::refused::{LedgerError, Problem};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What it says: three words on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) ledger_id: [u8; 16],
    pub(super) witness_id: [u8; 16],
    pub(super) url: String,
}

impl Names {
    /// Reads that in `folder`.
    pub(super) fn read(folder: &Path) -> Result<Self, LedgerError> {
        let path = in_database(folder);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let text = format_args!("this host has not joined a ledger: there is no {}", path.display());
                LedgerError::new(Problem::NoLedger, text)
            }
            _ => failed("read", &path, &error),
        })?;
        let mut words = text.split_whitespace();
        let mut id = || words.next().and_then(hexadecimal::array::<16>);
        let (Some(ledger_id), Some(witness_id), Some(url), None) = (id(), id(), words.next(), words.next())
        else {
            let text = format_args!("{} does not name a ledger, a side log and a store", path.display());
            return Err(LedgerError::new(Problem::Malformed, text));
        };
        Ok(Self { ledger_id, witness_id, url: url.to_owned() })
    }

    /// Writes it to the disk, whole, in the place of the one that is there.
    pub(super) fn write(&self, folder: &Path) -> Result<(), LedgerError> {
        let path = in_database(folder);
        let ids = [self.ledger_id, self.witness_id].map(|id| hexadecimal::text(&id));
        let text = format!("{} {} {}\n", ids[0], ids[1], self.url);
        let temporary = path.with_extension("tmp");
        let _ = fs::remove_file(&temporary);
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            File::open(folder)?.sync_all()
        };
        write().map_err(|error| failed("write", &path, &error))
    }
}
