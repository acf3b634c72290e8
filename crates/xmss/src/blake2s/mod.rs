//! XMSS over BLAKE2s: the generation after the Poseidon sets, with 32-byte public keys and 1208-byte signatures.
//!
//! What lean Ethereum clients have run since the middle of 2026. The definition is profile B of the project's
//! specification of XMSS over BLAKE2s; profile A, of August 2026, is for verification only. Types and functions have the
//! names and shapes of those of the crate's root, but types of their own: a key has exactly the epochs that were asked
//! for, none is rounded outwards, and its bytes are the same in every encoding.
//!
//! ```
//! use phalanx_xmss::blake2s::SigningKey;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut key = SigningKey::from_seed(&[7; 32], 100..132)?;
//! let message = [1; 32];
//! let signature = key.sign(103, &message)?;
//! key.verifying_key().verify(103, &message, &signature)?;
//! assert!(key.verifying_key().verify(104, &message, &signature).is_err());
//! assert!(key.sign(103, &[2; 32]).is_err(), "an epoch signs one message");
//! assert_eq!(signature.to_bytes().len(), 1208);
//! # Ok(())
//! # }
//! ```

pub(crate) mod encoding;
mod full_walk;
mod generation;
pub(crate) mod hashing;
pub(crate) mod keys;
pub(crate) mod parameters;
#[doc(hidden)]
pub mod parts;
mod signing_key;
mod trees;
mod verify;
mod wire;

pub use generation::KeyGeneration;
pub use keys::{Signature, VerifyingKey};
pub use parameters::ParameterSet;
pub use signing_key::{NextTree, SigningKey};
#[cfg(feature = "std")]
pub use verify::verify_many_on;
pub use verify::{SignedMessage, verify_many};
