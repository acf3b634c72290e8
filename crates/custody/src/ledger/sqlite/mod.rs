//! The ledger on SQLite.
#![forbid(unsafe_code)]

/// The tables, constraints and triggers of the store.
pub const SCHEMA: &str = include_str!("schema.sql");
