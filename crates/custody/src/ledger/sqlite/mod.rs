//! The ledger whose store is in SQLite: what is this database's own.
#![forbid(unsafe_code)]

mod database;
pub(super) mod open;
pub(super) mod reconcile;

pub use database::SCHEMA;

use super::durable::Ledger;

/// A ledger whose store is in SQLite.
///
/// ```
/// use phalanx_custody::identity::{xmss_key_id, xmss_one_time_key_id};
/// use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger};
/// use phalanx_custody::ledger::sqlite::SqliteLedger;
/// use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Request, xmss_instance};
/// use phalanx_xmss::{Format, ParameterSet, SigningKey};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("phalanx-doc-ledger-{}", std::process::id()));
/// let options = LedgerOptions::new(&folder);
/// # let options = options.allow_file_system("overlay");
/// SqliteLedger::create(&options, NewLedger::default())?;
/// let ledger = SqliteLedger::open(&options)?;
///
/// let key = SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[7; 32], 0..32)?;
/// let instance = xmss_instance(&key, "attester");
/// let public_key = key.verifying_key().to_bytes(Format::Ssz);
/// ledger.register(&instance, &public_key, InitialState::New)?;
///
/// let request = |message| Request { key: &instance.key_id, position: Position::Epoch(3), message };
/// assert!(!ledger.reserve(request(&[1; 32]))?.is_repeat());
/// assert!(ledger.reserve(request(&[1; 32]))?.is_repeat(), "the same message again");
/// assert_eq!(ledger.reserve(request(&[2; 32])).expect_err("another message").code(), "epoch_used");
/// # drop(ledger);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
pub type SqliteLedger = Ledger;
