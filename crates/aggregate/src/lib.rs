//! One proof that many XMSS signatures over BLAKE2s verify.
//!
//! A [`Statement`] lists groups: an epoch, a message, keys. [`verify`] checks that somebody knows a signature for each.
//!
//! **What it is not.** An aggregate saves bytes, not verifier time, and bytes only from about 199 signatures on with 100
//! bits, 307 with 128; below that the signatures are shorter. It is not zero-knowledge and hides nothing; two
//! aggregates are not merged into one. With [`Profile::Provable100`] it is weaker than the signatures in it, which
//! is why a caller names the profile: there is no default. Source: docs/aggregate.md.
//!
//! [`compressions`] proves single compressions of BLAKE2s with public and hidden slots by the same arguments.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithms;
mod circuit;
pub mod compressions;
mod error;
mod profile;
mod prove;
mod signatures;
#[cfg(feature = "soundness")]
pub mod soundness;
mod statement;
mod suites;
mod sums;
mod transcript;
mod verify;
mod wiring;
mod witness;
mod zerocheck;

#[doc(hidden)]
pub use algorithms::ALGORITHMS;
pub use error::{Error, ProofError};
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Backend, Inline, Job, Pool};
pub use profile::{Limits, Profile};
#[cfg(feature = "hazmat")]
pub use prove::hazmat;
pub use prove::{DEFAULT_MEMORY_LIMIT, Stage, aggregate, aggregate_on, aggregate_watched_on, memory_len};
pub use statement::{Group, MAX_SIGNATURES, Signer, Statement};
pub use verify::{max_len_bytes, verify};
