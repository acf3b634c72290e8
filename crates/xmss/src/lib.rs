//! Generalized XMSS: hash-based signatures, byte-compatible with leanSig.
//!
//! A key signs once per *epoch*, for the epochs of its activation interval. A [`ParameterSet`] is a named, versioned
//! choice of hash functions, chains and lifetime; every key and signature knows its own.
//!
//! ```
//! use phalanx_xmss::{ParameterSet, SigningKey};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let set = ParameterSet::POSEIDON2_L8_D64B8;
//! let mut key = SigningKey::from_seed(set, &[7; 32], 0..256)?;
//! let message = [1; 32];
//! let signature = key.sign(3, &message)?;
//! key.verifying_key().verify(3, &message, &signature)?;
//! assert!(key.verifying_key().verify(4, &message, &signature).is_err());
//! assert!(key.sign(3, &[2; 32]).is_err(), "an epoch signs one message");
//! # Ok(())
//! # }
//! ```
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithms;
pub mod any;
pub mod blake2s;
mod chain;
mod digest;
mod encoding;
mod error;
mod family;
mod fields;
mod hashes;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod hypercube;
mod identity;
mod key;
mod keygen;
mod lanes;
mod leaf;
mod message;
mod padding;
mod parameters;
#[doc(hidden)]
pub mod poseidon;
mod prf;
mod prf_key;
mod progress;
mod sign;
mod signature;
mod tree;
mod tweak;
mod used;
mod verify;
mod window;
mod wire;

#[doc(hidden)]
pub use algorithms::ALGORITHMS;
pub use error::Error;
pub use identity::{KeyId, OneTimeKeyId};
pub use key::{NextTree, SigningKey, VerifyingKey};
pub use keygen::KeyGeneration;
pub use parameters::ParameterSet;
#[cfg(feature = "std")]
pub use phalanx_core::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Backend, Inline, InvalidSignature, Job, Malformed, Pool};
pub use progress::Progress;
pub use signature::Signature;
#[cfg(feature = "std")]
pub use verify::verify_many_on;
pub use verify::{SignedMessage, verify_many};
pub use wire::Format;
