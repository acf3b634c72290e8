//! Rescue hashes over the Goldilocks field p = 2^64 - 2^32 + 1, bit-exact with Winterfell and Miden.
//!
//! A [`Function`] names one of four. Elements are `u64`, taken modulo p as the references do; digests are canonical.
//!
//! ```
//! use phalanx_rescue::{Digest, Function};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rescue = Function::Rp64_256;
//! let left = rescue.hash_elements(&[1, 2, 3]);
//! let right = rescue.hash(b"seven bytes at a time")?;
//! let root = rescue.merge(&left, &right);
//! assert_eq!(Digest::from_bytes(&root.to_bytes())?, root);
//!
//! // Eight pairs at a time on AVX-512, six on AVX2, the same answers everywhere.
//! assert_eq!(rescue.merge_pairs(&[[left, right], [right, left]])[0], root);
//! # Ok(())
//! # }
//! ```
//!
//! # One, many, and where
//!
//! A sponge is sequential: one input fills one lane. Forms for lists (`*_many`, [`merge_pairs`](Function::merge_pairs),
//! [`merge_with_ints`](Function::merge_with_ints)) fill the lanes, whatever mixture of lengths they get, and
//! [`MerkleTree`] is made with them. Forms ending in `_on` take a [`Pool`](crate::Pool) and use its threads; nothing else
//! starts any. Forms ending in `_secret` are for secret inputs: no branch and no address depends on a word, and their
//! working memory is wiped. [`Hasher`] takes bytes in pieces.
//!
//! # Bytes
//!
//! Seven bytes make a word. winter-crypto's Rp64_256 has a flaw in the rule for the last word: above 56 bytes it answers
//! only for multiples of 7, without marking the end of the message, and panics for other lengths.
//! [`hash`](Function::hash) gives its answers and an error instead of the panics; [`hash_padded`](Function::hash_padded)
//! is the function with the rule repaired, under a name of its own.
//!
//! # Under other crates' traits
//!
//! With the feature `winterfell`, the module `winterfell` has the hash functions under the traits of `winter-crypto`,
//! and with `digest`, the module `hashers` has the byte hashes under those of `digest`.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod digest;
mod error;
mod function;
mod goldilocks;
mod hasher;
#[cfg(feature = "digest")]
pub mod hashers;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod many;
mod merkle;
mod permutation;
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
#[cfg(feature = "std")]
pub use phalanx_core::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Backend, Inline, Job, Malformed, Pool};
