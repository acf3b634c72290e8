//! Generalized XMSS (leanSig-compatible), XMSS over BLAKE2s in [`xmss_blake2s`], in [`ligerito`] our own polynomial
//! commitment suite, and in [`aggregate`] one proof for many signatures, written to be read.
//!
//! This crate follows the specification of each scheme line by line and does nothing else: no SIMD, no Montgomery
//! arithmetic, no caching beyond tables of constants, no constant-time code. The fast crate `phalanx` shares no code
//! with it and is compared with it on random and edge inputs, so a mistake has to be made twice to go unseen.
//!
//! "Spec section N" in the comments means section N of the project's XMSS specification, which is worded so that
//! the two can lie open side by side. Field elements are canonical `u32` values in `[0, p)` everywhere except inside
//! [`wire`], where the bincode forms carry them in Montgomery representation.
//!
//! **Never sign with this crate in earnest**: it keeps no record of used epochs, wipes nothing, and its running time
//! depends on secrets.
//!
//! # Examples
//!
//! ```
//! use phalanx_reference::{keygen, params, sign, verify};
//!
//! let params = params::by_name("xmss-poseidon1-l8-d4b8-test").expect("a known parameter set");
//! let secret_key = keygen(params, &[7; 32], 100, 40).expect("the window fits the lifetime");
//! let message = [1; 32];
//! let signature = sign(&secret_key, 101, &message).expect("epoch 101 is prepared");
//! assert!(verify(params, &secret_key.public_key(), 101, &message, &signature));
//! assert!(!verify(params, &secret_key.public_key(), 102, &message, &signature));
//! ```

pub mod aggregate;
pub mod chain;
mod constants;
pub mod encoding;
pub mod field;
pub mod hypercube;
pub mod key;
pub mod ligerito;
pub mod params;
pub mod permutation;
pub mod poseidon1;
pub mod poseidon2;
pub mod prf;
pub mod rng;
pub mod sign;
pub mod tree;
pub mod tweaks;
pub mod verify;
pub mod wire;
pub mod xmss_blake2s;

pub use chain::chain_walk;
pub use encoding::{MessageHash, Search, message_hash, message_hash_encode, search};
pub use key::{PublicKey, SecretKey, advance, keygen};
pub use params::{Family, Params};
pub use permutation::{compress, permute};
pub use prf::{prf_chain_start, prf_randomness};
pub use sign::{Signature, sign};
pub use tree::{leaf, node};
pub use verify::verify;
