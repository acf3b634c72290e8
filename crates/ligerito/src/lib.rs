//! Ligerito: a multilinear polynomial commitment scheme over binary fields.
//!
//! A polynomial in mu variables is given by its 2^mu values on the Boolean cube, elements of GF(2^32) as `u32`: bit j
//! of the index is coordinate j. [`commit`] gives a [`Commitment`] of 34 bytes; [`ProverData::open`] the values at
//! points of GF(2^128)^mu and one proof for all of them; [`verify`] checks them with a work that grows with the square
//! root of the polynomial at most. 100 bits of security are proved, not conjectured (docs/ligerito.md, section 8);
//! [`provable128`] has 128. ([`johnson128`], opt-in, has shorter proofs: 128 bits, conditional on a theorem of 2026,
//! [eprint 2026/2056](https://eprint.iacr.org/2026/2056), Theorem 5.12, whose Lean proof is reported and was not built
//! here; the conservative suite is `provable128`.) All are against classical provers: the generic bounds against
//! quantum ones are about half of that. Of the 100 bits of [`Preset::Compact`] 16 are proof of work. Not hiding: a
//! proof reveals some of the polynomial.
//!
//! ```
//! use phalanx_ligerito::{self as ligerito, Accepted, EvaluationClaim, Gf128, Preset};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let polynomial: Vec<u32> = (0..1 << 10).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
//! let (commitment, data) = ligerito::commit(Preset::Balanced, &polynomial)?;
//!
//! let point: Vec<Gf128> = (1..=10).map(Gf128).collect();
//! let opening = data.open(&[&point], b"what this proof is for")?;
//!
//! let accepted = Accepted::exactly(Preset::Balanced, 10);
//! let claim = EvaluationClaim { point: &point, value: opening.values[0] };
//! ligerito::verify(&accepted, &commitment, &[claim], &opening.proof, b"what this proof is for")?;
//! # Ok(())
//! # }
//! ```
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithms;
mod batches;
mod binary;
mod caller;
mod claims;
mod codes;
mod commitment;
mod described;
mod error;
mod functions;
mod generators;
mod hashes;
#[cfg(feature = "hazmat")]
pub mod hazmat;
pub mod johnson128;
mod layout;
mod matrix;
mod opening;
mod orbit;
mod orbit_tables;
mod parallel;
#[doc(hidden)]
pub mod parts;
mod preset;
mod provable100;
pub mod provable128;
mod prove;
#[cfg(feature = "ref-v08")]
pub mod ref_v08;
mod rounds;
mod row_hash;
mod shape;
#[cfg(feature = "soundness")]
pub mod soundness;
mod stack;
mod statement;
mod streaming;
mod suite;
mod terms;
#[cfg(all(test, feature = "parallel"))]
mod tests;
mod tower;
mod transcript;
mod transcripts;
mod verify;

#[doc(hidden)]
pub use algorithms::ALGORITHMS;
pub use binary::Gf128;
pub use claims::{EvaluationClaim, MAX_CLAIMS, PlanesClaim, SumClaim, Tensor, TensorsClaim};
pub use commitment::{AcceptedOf, CommitmentOf};
pub use described::{DescribedClaim, PublicWeight};
pub use error::{Error, ProofError, StreamError};
pub use layout::MAX_COMMITMENTS;
pub use orbit::{aes_basis, value_of_planes};
#[cfg(feature = "std")]
pub use phalanx_core::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Backend, Inline, Job, Malformed, Pool};
pub use preset::{MAX_VARIABLES, MIN_VARIABLES, PresetOf};
pub use provable100::{
    Accepted, Commitment, Preset, commit, commit_bits, commit_bits_on, commit_on, commit_streamed,
    commit_streamed_on, commit_watched_on, verify, verify_planes, verify_sums, verify_sums_bridged,
    verify_sums_in, verify_together, verify_together_in,
};
pub use prove::{Opening, ProverData};
pub use shape::{Level, Shape};
pub use stack::Stack;
pub use suite::{SUITE, SUMS_SUITE};
pub use terms::{Orbit, Weight};
pub use tower::PLANES;
pub use transcript::{ProofReader, ProofWriter, Transcript};
