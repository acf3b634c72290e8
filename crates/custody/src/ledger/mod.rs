//! The record of used positions.
//!
//! A one-time key may sign one message, whatever happens between. So every position that is to be signed is first
//! reserved for one message, in two files that must agree: a store and a side log, its witness. Only when both are on the
//! disk is the signature released. Whoever asks again with the same message gets the identical signature; with another, a
//! refusal. Where the files do not tell what was signed, the ledger does not open.
//!
//! The rules are pure functions over [`accounts::Accounts`]: [`rules`] answers requests, [`log`] reads and writes the side
//! log, [`startup`] compares it with the store.
#![forbid(unsafe_code)]

pub mod accounts;
pub(crate) mod consensus;
#[cfg(unix)]
mod database;
#[cfg(unix)]
pub mod durable;
mod guarded;
pub mod interchange;
pub mod layout;
pub mod log;
#[cfg(feature = "hazmat")]
mod memory;
pub mod migration;
mod observer;
#[cfg(unix)]
mod opening;
mod position;
#[cfg(all(unix, feature = "postgres"))]
pub mod postgres;
pub mod record;
pub mod refused;
#[cfg(unix)]
pub mod registry;
mod request;
pub mod rules;
pub mod sign_bytes;
#[cfg(unix)]
pub mod sqlite;
pub mod startup;

pub use consensus::{ConsensusSignature, GuardedConsensus, ed25519_instance};
#[cfg(unix)]
pub use durable::Ledger;
pub use guarded::{GuardError, Guarded, SharedKey, Signed, Wanted, check_known, sign_through};
#[cfg(feature = "hazmat")]
pub use memory::MemoryLedger;
pub use observer::{Committed, Observer};
pub use position::{Position, Step};
pub use refused::{LedgerError, Problem, Refused};
pub use request::{EpochLedger, Health, InitialState, Request, Reserved, Standing, strict, xmss_instance};
