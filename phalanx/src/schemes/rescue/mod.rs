//! Rescue hashes over the Goldilocks field p = 2^64 - 2^32 + 1, bit-exact with Winterfell and Miden.
//!
//! A [`Function`] names one of four. Elements are `u64`, taken modulo p as the references do; digests are canonical.
//!
//! ```
//! use phalanx::rescue::{Digest, Function};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rescue = Function::Rp64_256;
//! let left = rescue.hash_elements(&[1, 2, 3]);
//! let right = rescue.hash(b"seven bytes at a time")?;
//! let root = rescue.merge(&left, &right);
//! assert_eq!(Digest::from_bytes(&root.to_bytes())?, root);
//!
//! // Eight pairs at a time on AVX-512, four on AVX2, the same answers everywhere.
//! assert_eq!(rescue.merge_pairs(&[[left, right], [right, left]])[0], root);
//! # Ok(())
//! # }
//! ```

mod digest;
mod error;
mod function;
mod hasher;
#[cfg(feature = "digest")]
pub mod hashers;
pub mod hazmat;
mod many;
mod merkle;
mod secret;
mod sponge;
#[cfg(test)]
mod tests;
#[cfg(feature = "winterfell")]
pub mod winterfell;

pub use digest::Digest;
pub use error::Error;
pub use function::Function;
pub use hasher::Hasher;
pub use merkle::MerkleTree;
