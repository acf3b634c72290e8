//! Where a ledger is kept: the one place that knows of its kinds.

use super::config::Config;
use crate::ffi;
use crate::status::{Status, sentence};
use core::ffi::c_char;
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::durable::LedgerOptions;
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, LedgerError};
use std::sync::Arc;

/// What C asks of a ledger, whatever it is kept in.
pub(crate) trait Store: EpochLedger {
    /// Its name.
    fn id(&self) -> [u8; 16];

    /// Answers for a quarantined key: it has signed nothing from `low` on.
    fn adopt(&self, key: &KeyId, low: u64, reason: &str) -> Result<(), LedgerError>;
}

impl Store for SqliteLedger {
    fn id(&self) -> [u8; 16] {
        self.ledger_id()
    }

    fn adopt(&self, key: &KeyId, low: u64, reason: &str) -> Result<(), LedgerError> {
        self.adopt(key, low, reason)
    }
}

/// Why a ledger was not opened or made.
pub(crate) enum Failure {
    /// Told by the ledger, with a sentence.
    Ledger(LedgerError),
    /// Noticed before it was asked.
    Status(Status),
}

impl Failure {
    /// What it is, for people.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Ledger(error) => format!("{error} ({})", error.code()),
            Self::Status(status) => sentence(*status as u32).to_string_lossy().into_owned(),
        }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Ledger(error) => error.problem().into(),
            Failure::Status(status) => status,
        }
    }
}

/// A path, and its configuration.
///
/// # Safety
/// As [`ffi::text`]; the configuration may be null.
unsafe fn arguments(
    path_or_url: *const c_char,
    config_toml: *const c_char,
) -> Result<(LedgerOptions, Config), Status> {
    // SAFETY: as the caller's.
    let place = unsafe { ffi::text(path_or_url) }?;
    // SAFETY: as the caller's.
    let text = if config_toml.is_null() { None } else { Some(unsafe { ffi::text(config_toml) }?) };
    let config = Config::parse(text)?;
    let options = config.options(place)?;
    Ok((options, config))
}

/// Makes a ledger.
///
/// # Safety
/// As [`ffi::text`]; `config_toml` may be null.
pub(crate) unsafe fn create(path_or_url: *const c_char, config_toml: *const c_char) -> Result<(), Failure> {
    // SAFETY: as the caller's.
    let (options, config) = unsafe { arguments(path_or_url, config_toml) }?;
    Ok(SqliteLedger::create(&options, config.settings()?)?)
}

/// Opens a ledger, and says in which order keys sign that are registered from here.
///
/// # Safety
/// As [`ffi::text`]; `config_toml` may be null.
pub(crate) unsafe fn open(
    path_or_url: *const c_char,
    config_toml: *const c_char,
) -> Result<(Arc<dyn Store>, Ordering), Failure> {
    // SAFETY: as the caller's.
    let (options, config) = unsafe { arguments(path_or_url, config_toml) }?;
    let store = SqliteLedger::open(&options)?;
    Ok((Arc::new(store), config.ordering()))
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;
    use crate::custody::guarded::{
        phalanx_guarded_key_free, phalanx_guarded_key_new, phalanx_guarded_key_sign,
    };
    use crate::custody::ledger::{phalanx_ledger_free, phalanx_ledger_open, phalanx_ledger_register};
    use crate::status::{PHALANX_ERROR_LEDGER_EPOCH_USED, PHALANX_OK};
    use crate::xmss::XmssParameterSet;
    use crate::xmss::keys::phalanx_xmss_signing_key_from_seed;
    use phalanx_custody::ledger::postgres::{ROLES, SCHEMA};
    use phalanx_testing::postgres::Server;
    use std::ffi::CString;
    use std::ptr::null_mut;

    /// A ledger in a database is made at its URL, and opened by its folder.
    #[test]
    fn a_ledger_in_a_database() {
        let Some(server) = Server::start() else { return };
        server.sql(SCHEMA);
        server.sql(ROLES);
        server.sql("CREATE ROLE host_a LOGIN; GRANT phalanx_signer TO host_a");
        let folder = phalanx_testing::programs::folder("c-postgres");
        let text = |text: String| CString::new(text).expect("no zero bytes");
        let url = text(format!("postgres:///postgres?host={}&user=host_a", server.sockets().display()));
        let own = folder.join("ledger");
        let usual =
            format!("witness = '{}'\nallow_file_systems = ['overlay']\n", folder.join("witness").display());
        let config = text(format!("{usual}folder = '{}'\nhost = 'a'\n", own.display()));
        // SAFETY: texts that end with a zero byte.
        unsafe { create(url.as_ptr(), config.as_ptr()) }
            .unwrap_or_else(|failure| panic!("{}", failure.text()));
        let (own, usual) = (text(own.display().to_string()), text(usual));
        // SAFETY: the same.
        let opened = unsafe { open(own.as_ptr(), usual.as_ptr()) };
        let (store, _) = opened.unwrap_or_else(|failure| panic!("{}", failure.text()));
        let shown: String = store.id().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(server.sql("SELECT encode(ledger_id, 'hex') FROM phalanx.ledger"), shown);
        // SAFETY: the same.
        let again = unsafe { open(url.as_ptr(), config.as_ptr()) }.map(|_| ()).map_err(Status::from);
        assert_eq!(again, Err(crate::status::PHALANX_ERROR_LEDGER_IN_USE));
        drop(store);
        signs(&own, &usual);
        assert_eq!(server.sql("SELECT p0 FROM phalanx.entries"), "3");
        std::fs::remove_dir_all(folder).expect("it is ours");
    }

    /// What a program does with the ledger in a folder, in two lives.
    fn signs(folder: &CString, config: &CString) {
        for is_first in [true, false] {
            let (mut ledger, mut key, mut guarded) = (null_mut(), null_mut(), null_mut());
            assert_eq!(phalanx_ledger_open(&raw mut ledger, folder.as_ptr(), config.as_ptr()), PHALANX_OK);
            let set = XmssParameterSet::PHALANX_XMSS_POSEIDON2_L8_D64B8 as u32;
            let seed = [7; 32];
            let made = phalanx_xmss_signing_key_from_seed(
                &raw mut key,
                set,
                seed.as_ptr(),
                0,
                32,
                1,
                None,
                null_mut(),
            );
            assert_eq!(made, PHALANX_OK);
            if is_first {
                assert_eq!(phalanx_ledger_register(ledger, key, 0, 0), PHALANX_OK);
            }
            assert_eq!(phalanx_guarded_key_new(&raw mut guarded, ledger, key), PHALANX_OK);
            let sign = |byte: u8| {
                let (mut signature, mut len, mut is_repeat) = ([0; 4096], 0, false);
                let (out, repeated) = (signature.as_mut_ptr(), &raw mut is_repeat);
                let message = [byte; 32];
                let status = phalanx_guarded_key_sign(
                    guarded,
                    out,
                    signature.len(),
                    &raw mut len,
                    repeated,
                    3,
                    message.as_ptr(),
                );
                (status, is_repeat)
            };
            assert_eq!(sign(1), (PHALANX_OK, !is_first));
            assert_eq!(sign(2), (PHALANX_ERROR_LEDGER_EPOCH_USED, false));
            phalanx_guarded_key_free(guarded);
            phalanx_ledger_free(ledger);
        }
    }
}
