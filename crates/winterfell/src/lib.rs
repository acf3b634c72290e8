//! The parts of Winterfell's prover (0.13) that hash, with Rescue in SIMD lanes chosen at run time.
//!
//! A prover names these types where it named Winterfell's; the proofs are the same, byte for byte:
//!
//! | `winter_prover::Prover` | instead of | write |
//! |---|---|---|
//! | `HashFn` | `hashers::Rp64_256` | [`Rp64_256`] |
//! | `VC` | `MerkleTree` | [`PackedMerkleTree`] |
//! | `RandomCoin` | `DefaultRandomCoin` | [`PackedRandomCoin`] |
//! | `TraceLde<E>` | `DefaultTraceLde` | [`PackedTraceLde`] |
//! | `ConstraintCommitment<E>` | `DefaultConstraintCommitment` | [`PackedConstraintCommitment`] |
//!
//! Verifiers stay as they are, with Winterfell's hash function or [`Rp64_256`]: digests have the same type.
//!
//! ```
//! use phalanx_winterfell::{PackedMerkleTree, Rp64_256};
//! use winter_crypto::{ElementHasher, MerkleTree, VectorCommitment, hashers};
//! use winter_math::fields::f64::BaseElement;
//!
//! let leaves: Vec<_> = (0..8).map(|i| Rp64_256::hash_elements(&[BaseElement::new(i)])).collect();
//! let tree = PackedMerkleTree::<Rp64_256>::new(leaves.clone()).expect("eight leaves");
//! let theirs = MerkleTree::<hashers::Rp64_256>::new(leaves).expect("eight leaves");
//! assert_eq!(tree.commitment(), *theirs.root());
//! ```
//!
//! One place is out of reach: the leaves of FRI layers, which Winterfell's FRI prover hashes one at a time.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod coin;
mod constraints;
mod hashers;
mod pool;
mod rows;
mod trace;
mod tree;

pub use coin::PackedRandomCoin;
pub use constraints::PackedConstraintCommitment;
pub use hashers::{PackedHasher, Rp64_256, RpJive64_256, digest_from, digest_to};
pub use trace::PackedTraceLde;
pub use tree::PackedMerkleTree;
