//! Keys and signatures of any generation: one type for each, where a program learns only as it runs what it is given.
//!
//! The root of the crate has the sets over KoalaBear, [`blake2s`](crate::blake2s) the generation after them. Here both are
//! variants of one type, with the functions that they share and the same answers; what only one has is reached by `match`.
//!
//! ```
//! use phalanx_xmss::Format;
//! use phalanx_xmss::any::{KeyGeneration, ParameterSet, Signature};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! for name in ["xmss-poseidon2-l8-d64b8", "xmss-blake2s-l32-d42b8"] {
//!     let set = ParameterSet::from_name(name).ok_or("no such set")?;
//!     let mut key = KeyGeneration::from_seed(set, &[7; 32], 0..32)?.run_on(&phalanx_xmss::Inline)?;
//!     let bytes = key.sign(3, &[1; 32])?.to_bytes(Format::Ssz)?;
//!     let signature = Signature::from_bytes(set, Format::Ssz, &bytes)?;
//!     key.verifying_key().verify(3, &[1; 32], &signature)?;
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod moving;
mod parameters;
mod resuming;
mod signing;
mod verify;

pub use parameters::ParameterSet;
pub use signing::{KeyGeneration, NextTree, SigningKey};
#[cfg(feature = "std")]
pub use verify::verify_many_on;
pub use verify::{Signature, SignedMessage, VerifyingKey, verify_many};

/// Does the same with whichever variant it is.
macro_rules! either {
    ($value:expr, $inner:ident => $answer:expr) => {
        match $value {
            Self::KoalaBear($inner) => $answer,
            Self::Blake2s($inner) => $answer,
        }
    };
}
use either;
