//! Keeps one-time keys from signing twice.
//!
//! A hash-based key is spent epoch by epoch: two messages signed at one epoch are enough to forge a third. This crate
//! holds what a signer needs beside the mathematics: names for keys that follow the one-time secrets and not the file
//! ([`identity`]), encrypted key files (`keystore`), and the record of used epochs (`ledger`), which is on two files
//! before a signature leaves.

mod epoch_key;
mod hexadecimal;
pub mod identity;
pub mod json;
#[cfg(feature = "keystore")]
pub mod keystore;
#[cfg(feature = "ledger")]
pub mod ledger;
#[cfg(feature = "remote")]
pub mod remote;
#[cfg(all(unix, feature = "signer"))]
pub mod signer;

pub use epoch_key::EpochKey;
