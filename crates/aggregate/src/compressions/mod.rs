//! Compressions of BLAKE2s, each with public and hidden slots, in one proof (docs/aggregate.md, section 7).
//!
//! A [`Statement`] says of every compression what is in its public slots; [`verify`] checks that somebody knows the
//! others: pre-images, for instance ([`of_message`]). **A hidden slot is not stated, and it is not a secret**: a proof
//! is no zero-knowledge proof, and what it opens says something about every bit. [`sha256`] has the same of SHA-256.
//!
//! # Examples
//!
//! ```
//! use phalanx_aggregate::compressions::{Statement, inputs_of_message, of_message, prove, verify};
//! use phalanx_aggregate::{Limits, Profile};
//!
//! // BLAKE2s-256 of 32 bytes that are 7.
//! let digest = [
//!     0x21, 0xa0, 0xa6, 0x6f, 0x5a, 0x04, 0xd1, 0x1d, 0xc2, 0xa1, 0xe6, 0xf1, 0x24, 0x26, 0xa6, 0x27,
//!     0x3b, 0x57, 0x34, 0xa7, 0xa6, 0xf7, 0x8f, 0x42, 0x95, 0x69, 0x95, 0x55, 0x9b, 0x7f, 0xd3, 0xba,
//! ];
//! let statement = Statement::of(&[of_message(&digest, 32).expect("two slots")])?;
//! let inputs = inputs_of_message(&[7; 32]).expect("two slots");
//! let proof = prove(Profile::Provable128, &statement, &[inputs], b"example")?;
//! assert!(verify(&Limits::new(&[Profile::Provable128]), &statement, b"example", &proof).is_ok());
//! # Ok::<(), phalanx_aggregate::Error>(())
//! ```
#![forbid(unsafe_code)]

mod blake2s;
mod function;
mod functions;
mod prover;
pub mod sha256;
mod statement;
mod verifier;

#[cfg(feature = "soundness")]
pub(crate) use blake2s::Blake2s;
#[cfg(feature = "hazmat")]
pub use blake2s::hazmat;
pub use blake2s::{
    Inputs, PUBLIC_SLOTS, Public, Statement, inputs_of_message, memory_len, of_message, prove, prove_on,
    verify,
};
#[cfg(feature = "soundness")]
pub(crate) use function::Function;
#[cfg(feature = "soundness")]
pub(crate) use statement::log2_blocks;
pub use statement::{MAX_BLOCKS, StatementOf};
