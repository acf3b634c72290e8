//! The service: signatures over HTTP, from keys in keystores, each position once.
//!
//! Requests come by the event loop, wait in a queue, and are signed by threads that reserve together what waits together;
//! another thread watches the ledger, and others compute trees ahead. Whatever is wrong with the disk, nothing is signed,
//! and the process stays up and says so. docs/signer.md describes the configuration.
#![forbid(unsafe_code)]

mod body;
pub mod config;
mod errors;
#[cfg(feature = "hazmat")]
#[doc(hidden)]
pub mod fuzzing;
mod hardening;
mod journal;
mod keys;
mod limits;
mod listen;
mod metrics;
mod notify;
pub mod openapi;
mod opened;
mod page;
mod passwords;
pub mod permissions;
mod readiness;
mod routes;
mod running;
mod service;
mod signing;
mod subject;
mod tls;
mod tokens;
mod unread;
mod watching;
mod windows;
mod wire;

pub use config::{Config, ConfigError};
pub use errors::{Code, Failure, FailureBody};
pub use passwords::Prompt;
pub use running::{Signer, Start, StartError};
pub use wire::{FailedFile, Reloaded};
