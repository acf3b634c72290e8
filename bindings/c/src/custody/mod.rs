//! Custody: ledgers of used epochs that outlive the process, keys that sign only through them, encrypted key files.

mod config;
mod guarded;
mod keystore;
mod ledger;
mod refusals;
mod roles;
mod store;

pub(crate) use keystore::ed25519_key;
pub(crate) use ledger::adopt;
pub(crate) use store::{Store, open};
