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
//! # One form in one domain
//!
//! The references do not separate all their forms from each other, and digests are the references'. What one form hashes,
//! another can hash to the same digest:
//!
//! - Rp64_256 and RpJive64_256 hash bytes as the elements that seven of them make: [`hash`](Function::hash) and
//!   [`hash_elements`](Function::hash_elements) share digests. RPO and RPX tell bytes from elements.
//! - Above 56 bytes Rp64_256's [`hash`](Function::hash) does not mark the end of the message, and
//!   [`hash_padded`](Function::hash_padded) does: they share digests with each other.
//! - [`merge`](Function::merge) is [`hash_elements`](Function::hash_elements) of the eight words, except for Jive.
//!
//! So where digests are compared, in one tree or one protocol say, use one form, or put a different first element, or for
//! RPO and RPX a domain, before each kind of input.
//!
//! ```
//! use phalanx_rescue::Function;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rescue = Function::Rp64_256;
//! // 62 bytes in the padded form, and 63 bytes in the reference's.
//! let mut message = [7; 63];
//! message[62] = 1;
//! assert_eq!(rescue.hash_padded(&message[..62]), rescue.hash(&message)?);
//! // 63 bytes of zero, and nine elements of zero.
//! assert_eq!(rescue.hash(&[0; 63])?, rescue.hash_elements(&[0; 9]));
//! // 20 bytes, and the three words that they make with the end mark.
//! assert_eq!(rescue.hash(&[0; 20])?, rescue.hash_elements(&[0, 0, 1 << 48]));
//! // A node of a tree, and a leaf of eight elements.
//! let (left, right) = (rescue.hash_elements(&[1]), rescue.hash_elements(&[2]));
//! let words = [left.to_elements(), right.to_elements()].concat();
//! assert_eq!(rescue.merge(&left, &right), rescue.hash_elements(&words));
//! # Ok(())
//! # }
//! ```
//!
//! # Security
//!
//! The designers aim at 128 bits against collisions and preimages; Rp64_256 and RpJive64_256 have seven rounds, a margin of
//! 40 % where the specification of Rescue-Prime asks for 50 %. All four are young beside SHA-2 or BLAKE3 and their
//! cryptanalysis moves: docs/rescue.md names the sources, and what has not been checked.
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
//! With the feature `digest`, the module `hashers` has the byte hashes under the traits of `digest`. The crate
//! `phalanx-winterfell` has the hash functions, trees and commitments of Winterfell's prover.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithms;
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

#[doc(hidden)]
pub use algorithms::ALGORITHMS;
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
