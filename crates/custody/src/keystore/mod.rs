//! Encrypted key files: EIP-8310 version 5, and what the draft lacks.
//!
//! A [`Keystore`] is such a file, read and checked as far as that goes without its password; [`Keystore::open`] gives
//! the key. The rules, and the order in which they are checked, are fixed: any two readers give a file the same
//! [`Verdict`]. Costs are bounded before anything is spent, so a file from anywhere may be opened.
//!
//! ```
//! use phalanx_custody::keystore::{Keystore, Password, Policy, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let file = include_bytes!("../../../../vectors/custody/keystore/ok-ed25519.json");
//! let keystore = Keystore::parse(file)?;
//! assert_eq!(keystore.scheme().name(), "ed25519");
//! let password = Password::from_bytes(b"correct horse battery staple")?;
//! // The derivation of this file is cheap, for tests: it is refused unless the caller says that this is known.
//! let Err(refused) = keystore.open(&password, Policy::default()) else { panic!("it is weak") };
//! assert_eq!(refused.verdict(), Some(Verdict::WeakKdf));
//! let key = keystore.open(&password, Policy { accept_weak_kdf: true })?;
//! assert!(key.has_weak_kdf());
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod cipher;
mod document;
mod eip2335;
mod error;
mod fields;
#[cfg(unix)]
pub mod file;
mod header;
mod kdf;
mod master;
mod open;
mod openssh;
mod password;
mod payload;
mod pkcs8;
mod root;
mod scheme;
mod seal;
mod secret;
#[cfg(unix)]
pub mod trees;

pub use document::{Header, IndexMode, Keystore, Role, Use};
pub use error::{Error, Verdict};
pub use master::{Child, Master, MasterKeystore, SealedMaster};
pub use open::{OpenKey, Policy, Signable};
pub use password::Password;
pub use scheme::Scheme;
pub use seal::{Derivation, NewKey, SealedFile};
pub use secret::{KeySecret, SecretKind};
