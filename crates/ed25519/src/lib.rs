//! Ed25519 (RFC 8032): sign, verify one, verify many with a result for each, verify batches.
//!
//! Which signatures are accepted at the edges is a value, [`Profile`], and never depends on the number of signatures,
//! on the CPU or on threads. The default is [`Profile::Strict`].
//!
//! ```
//! use phalanx_ed25519::{InvalidSignature, Profile, SignedMessage, SigningKey, verify_many};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let key = SigningKey::from_seed(&[7; 32]);
//! let signature = key.sign(b"a message");
//! key.verifying_key().verify(b"a message", &signature)?;
//! assert!(key.verifying_key().verify(b"another", &signature).is_err());
//!
//! let (public_key, signature) = (key.verifying_key().to_bytes(), signature.to_bytes());
//! let signed = |message| SignedMessage { public_key: &public_key, message, signature: &signature };
//! let results = verify_many(Profile::Strict, &[signed(b"a message"), signed(b"another")]);
//! assert_eq!(results, [Ok(()), Err(InvalidSignature)]);
//! # Ok(())
//! # }
//! ```
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithms;
mod batch;
mod curve;
mod domain;
mod error;
mod fields;
mod formats;
mod hashed;
mod key;
mod many;
mod prepared;
mod profile;
#[cfg(test)]
mod recorder;
mod sha512;
mod sign;
mod signature;
#[cfg(test)]
mod tests;
mod verify;
mod wiped;

#[doc(hidden)]
pub use algorithms::ALGORITHMS;
pub use batch::{BatchReport, BatchVerifier, verify_batch, verify_batch_deterministic, verify_batch_on};
pub use error::{Error, Reason};
#[cfg(feature = "minisign")]
pub use formats::minisign;
pub use formats::{KeyFormat, sshsig};
pub use hashed::SignedMessage;
pub use key::{SigningKey, VerifyingKey};
pub use many::{verify_many, verify_many_on};
#[cfg(feature = "std")]
pub use phalanx_core::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Backend, Inline, InvalidSignature, Job, Pool};
pub use prepared::PreparedKey;
pub use profile::Profile;
pub use sign::{sign_many, sign_many_on};
pub use signature::Signature;
pub use verify::{explain, explain_all, verify};

/// The README's code, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
