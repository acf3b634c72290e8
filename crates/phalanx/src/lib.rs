//! phalanx: signatures, hashes and polynomial commitments that run side by side in SIMD lanes.
//!
//! A scheme is a module, and a feature of the same name: [`ed25519`] (five named acceptance rules and a result for every
//! signature), [`xmss`] (Generalized XMSS, byte-compatible with leanSig), [`rescue`] (Rescue hashes over Goldilocks, as
//! Winterfell and Miden compute them) and [`ligerito`] (a polynomial commitment scheme over binary fields). Each is a crate
//! of its own, `phalanx-ed25519` and so on, for those who want one without the others.
//!
//! [`Backend`] says which kernels this CPU runs, and [`Pool`] is how the functions that can use threads are given some.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "ed25519")]
#[doc(inline)]
pub use phalanx_ed25519 as ed25519;
#[cfg(feature = "ligerito")]
#[doc(inline)]
pub use phalanx_ligerito as ligerito;
#[cfg(feature = "rescue")]
#[doc(inline)]
pub use phalanx_rescue as rescue;
#[cfg(feature = "xmss")]
#[doc(inline)]
pub use phalanx_xmss as xmss;

#[cfg(feature = "std")]
pub use phalanx_core::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Backend, Inline, InvalidSignature, Job, Malformed, Pool};

/// The README's code, compiled and run.
#[cfg(all(doctest, feature = "xmss", feature = "ed25519", feature = "rescue", feature = "ligerito"))]
#[doc = include_str!("../README.md")]
struct Readme;
