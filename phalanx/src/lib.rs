//! phalanx: signatures and hashes that run side by side in SIMD lanes.
//!
//! Doors: [`ed25519`] (Ed25519 with five named acceptance rules and a verdict for every signature), [`xmss`] (Generalized
//! XMSS, byte-compatible with leanSig) and [`rescue`] (Rescue hashes over Goldilocks, bit-exact with Winterfell and Miden).
//! Beside them, [`Backend`] says which kernels this CPU runs, and [`Pool`] is how the few functions that can use threads are
//! given some.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod error;
mod simd;
mod threads;

// The rooms that some scheme lives on; none without a scheme.
#[cfg(feature = "ligerito")]
mod codes;
#[cfg(any(feature = "xmss", feature = "ed25519", feature = "rescue", feature = "ligerito"))]
mod fields;
#[cfg(any(feature = "xmss", feature = "ed25519", feature = "rescue", feature = "ligerito"))]
mod hashes;
#[cfg(any(feature = "xmss", feature = "ed25519", feature = "rescue", feature = "ligerito"))]
mod schemes;
#[cfg(feature = "ligerito")]
mod transcripts;
#[cfg(any(feature = "xmss", feature = "rescue", feature = "ligerito"))]
mod trees;
#[cfg(any(feature = "xmss", feature = "ligerito"))]
mod wire;

#[cfg(feature = "ed25519")]
pub use schemes::ed25519;
#[cfg(feature = "ligerito")]
pub use schemes::ligerito;
#[cfg(feature = "rescue")]
pub use schemes::rescue;
#[cfg(feature = "xmss")]
pub use schemes::xmss;

pub use error::{InvalidSignature, Malformed};
pub use simd::Backend;
#[cfg(feature = "std")]
pub use simd::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use threads::Threads;
pub use threads::{Inline, Job, Pool};

/// The README's code, compiled and run.
#[cfg(all(doctest, feature = "xmss", feature = "ed25519"))]
#[doc = include_str!("../../README.md")]
struct Readme;
