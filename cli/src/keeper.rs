//! What keeps a key's used epochs: the two files of its record, or its own ledger where it has one.

use crate::exit::Failure;
#[cfg(unix)]
use crate::key_ledger::{self, FileSystemArgs};
use crate::record::{self, Owner, Record, Standing};
use phalanx::xmss::{Error, SigningKey, hazmat};
#[cfg(unix)]
use phalanx_custody::{
    identity::xmss_key_id,
    ledger::record::KeyInstance,
    ledger::sqlite::SqliteLedger,
    ledger::{EpochLedger, Health, InitialState, Position, Request, xmss_instance},
};
use std::path::{Path, PathBuf};

/// The one that a key has, open and locked until dropped.
pub(crate) enum Keeper {
    /// Two files.
    Record(Box<Record>),
    /// A ledger, and its folder.
    #[cfg(unix)]
    Ledger(Box<SqliteLedger>, PathBuf),
}

impl Keeper {
    /// Opens what keeps the used epochs of `key`, which stands in `secret_key`.
    ///
    /// # Errors
    /// As [`Record::open`] and [`key_ledger::open`].
    pub(crate) fn open(
        secret_key: &Path,
        key: &SigningKey,
        #[cfg(unix)] file_systems: &FileSystemArgs,
    ) -> Result<Self, Failure> {
        #[cfg(unix)]
        {
            let folder = key_ledger::folder_of(secret_key);
            if folder.symlink_metadata().is_ok() {
                let ledger = key_ledger::open(&key_ledger::options(&folder, file_systems)?)?;
                check_is_known(&ledger, key)?;
                return Ok(Self::Ledger(Box::new(ledger), folder));
            }
        }
        Ok(Self::Record(Box::new(Record::open(secret_key, &Owner::of(key))?)))
    }

    /// Reserves `epoch` for `message`, durably, if the key can sign there; says whether it was reserved before.
    ///
    /// # Errors
    /// Exit code 3 if the epoch is another message's, closed, or not the key's; 4 if the system fails: then nothing may
    /// be signed.
    pub(crate) fn reserve(
        &mut self,
        key: &SigningKey,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<bool, Failure> {
        match self {
            Self::Record(record) => {
                let standing = record.standing(epoch, message);
                match standing {
                    Standing::Closed => return Err(Error::EpochUsed { epoch: epoch.into() }.into()),
                    Standing::Before { begin } => {
                        return Err(Failure::refused(format_args!(
                            "epoch {epoch} is closed: the record of this key begins at epoch {begin}"
                        )));
                    }
                    Standing::Unused | Standing::SameMessage => hazmat::check_can_sign(key, epoch)?,
                }
                record.reserve(epoch, message)?;
                Ok(standing == Standing::SameMessage)
            }
            #[cfg(unix)]
            Self::Ledger(ledger, _) => {
                hazmat::check_can_sign(key, epoch)?;
                let key_id = xmss_key_id(&key.verifying_key());
                let request = Request { key: &key_id, position: Position::Epoch(epoch), message };
                let reserved = ledger.reserve(request).map_err(key_ledger::refusal)?;
                Ok(reserved.is_repeat())
            }
        }
    }

    /// To be asked last, before a signature is released: the files are still those that were written.
    ///
    /// # Errors
    /// Exit code 4 if not.
    pub(crate) fn check_in_place(&self) -> Result<(), Failure> {
        match self {
            Self::Record(record) => record.check_in_place(),
            #[cfg(unix)]
            Self::Ledger(ledger, _) => match ledger.health() {
                Health::Open => Ok(()),
                other => Err(Failure::system(format_args!(
                    "the ledger has stopped ({other:?}): nothing is released"
                ))),
            },
        }
    }

    /// Whether a file is one of those that keep the used epochs.
    pub(crate) fn keeps(&self, file: &Path, secret_key: &Path) -> bool {
        let same = |path: &Path| path.canonicalize().is_ok_and(|path| path == file);
        let inside = match self {
            Self::Record(record) => same(record.witness_path()),
            #[cfg(unix)]
            Self::Ledger(_, folder) => folder.canonicalize().is_ok_and(|folder| file.starts_with(folder)),
        };
        inside || same(&record::path_beside(secret_key))
    }
}

/// Checks that exactly this key is the ledger's.
#[cfg(unix)]
fn check_is_known(ledger: &SqliteLedger, key: &SigningKey) -> Result<(), Failure> {
    let public_key = key.verifying_key();
    let standing = ledger.standing(&xmss_key_id(&public_key)).map_err(|error| key_ledger::failure(&error))?;
    let KeyInstance { role, mode, ordering, .. } = standing.instance;
    let instance = KeyInstance { mode, ordering, ..xmss_instance(key, &role) };
    let public_key = public_key.to_bytes(phalanx::xmss::Format::Ssz);
    ledger.register(&instance, &public_key, InitialState::Known).map_err(|error| key_ledger::failure(&error))
}
