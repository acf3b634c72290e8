//! The runner bites: every value, list and key of a vector file that is changed must be noticed.
//!
//! Copies are damaged one value at a time. The values are found by walking the files, so a new list is covered without
//! a word here; what may change unnoticed is listed by name.

mod aggregate;
mod ed25519;
mod ligerito;
mod rescue;
mod support;
mod walk;
mod xmss;
