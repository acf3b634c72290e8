//! Custody as its users see it: vectors, files, faults.

mod keystore;
#[cfg(unix)]
mod keystore_crash;
#[cfg(unix)]
mod keystore_files;
#[cfg(unix)]
mod keystore_master;
mod keystore_mutants;
mod keystore_rules;
#[cfg(unix)]
mod keystore_trees;
mod keystore_writing;
#[cfg(unix)]
mod ledger;
#[cfg(all(target_os = "linux", feature = "postgres"))]
mod postgres;
#[cfg(all(unix, feature = "postgres"))]
mod schemas;
mod secrets;
#[cfg(all(unix, feature = "signer"))]
mod signer;
