//! The proofs of the published crate `ligerito`, version 0.8.0, bit for bit: suite `ligerito-ref-v08`.
//!
//! docs/ligerito-ref-v08.md describes them. For those who have such proofs, or need them. Not compatible with our own
//! suite and without its level of security, which is stated and proved: the crate opens 148 rows of every level
//! whatever its size, and opens coefficients only, not points.
//!
//! ```
//! use phalanx_ligerito::ref_v08::{self, CoefficientClaim, Config, TranscriptKind};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config = Config::published(12).expect("a published size");
//! let polynomial: Vec<u32> = (0..1 << 12).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
//! let root = ref_v08::commit(&config, &polynomial)?;
//!
//! let claims = [CoefficientClaim { index: 7, value: polynomial[7] }];
//! let proof = ref_v08::prove(&config, TranscriptKind::Sha256, &polynomial, &claims)?;
//! ref_v08::verify(&config, TranscriptKind::Sha256, &root, &claims, &proof)?;
//! # Ok(())
//! # }
//! ```

mod config;
mod error;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod prove;
mod statement;
#[cfg(test)]
mod tests;
mod verify;
mod wire;

pub use config::{Config, Dimensions};
pub use error::{Error, ProofError};
pub use prove::{commit, commit_on, prove, prove_on};
pub use statement::{CoefficientClaim, TranscriptKind};
pub use verify::verify;

/// The name of the suite.
pub const SUITE: &str = "ligerito-ref-v08";
