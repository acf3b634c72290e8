//! Custody as its users see it: vectors, files, faults.

mod keystore;
#[cfg(unix)]
mod keystore_crash;
#[cfg(unix)]
mod keystore_files;
mod keystore_mutants;
mod keystore_rules;
mod keystore_writing;
mod ledger;
