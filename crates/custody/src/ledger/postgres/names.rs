//! The file that is left of a ledger in the folder of a host: its name, that of the side log here, and where the store is.
#![forbid(unsafe_code)]

use crate::ledger::durable::place::{failed, in_database};
use crate::ledger::layout::Names;
use crate::ledger::refused::{LedgerError, Problem};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

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
        Self::parse(&text).ok_or_else(|| {
            let text = format_args!("{} does not name a ledger, a side log and a store", path.display());
            LedgerError::new(Problem::Malformed, text)
        })
    }

    /// Writes it to the disk, whole, in the place of the one that is there.
    pub(super) fn write(&self, folder: &Path) -> Result<(), LedgerError> {
        let path = in_database(folder);
        let temporary = path.with_extension("tmp");
        let _ = fs::remove_file(&temporary);
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
            file.write_all(self.to_string().as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            File::open(folder)?.sync_all()
        };
        write().map_err(|error| failed("write", &path, &error))
    }
}
