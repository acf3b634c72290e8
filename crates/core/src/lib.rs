//! What the crates of phalanx share: CPU detection and its witnesses, vectors of words and bytes, threads, memory,
//! errors, readers of bytes, SHA-256, Merkle subtrees.
//!
//! Users of phalanx get what they need of it from the facade `phalanx` or from a scheme's crate: [`Backend`],
//! [`Pool`] with [`Job`] and [`Inline`] (with the feature `parallel`, also `Threads`), and the errors
//! [`InvalidSignature`] and [`Malformed`], and what runs where ([`Algorithm`]). All else is hidden from the documentation, is there for the other crates
//! of the same version, and may change in any release.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithm;
#[doc(hidden)]
pub mod blocks;
#[doc(hidden)]
pub mod bytes;
#[cfg(feature = "clock")]
#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod declassify;
mod error;
#[doc(hidden)]
pub mod lanes;
#[cfg(all(feature = "locked", unix))]
#[doc(hidden)]
pub mod locked;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod process;
#[doc(hidden)]
pub mod secret;
#[doc(hidden)]
pub mod sha256;
#[doc(hidden)]
pub mod simd;
#[doc(hidden)]
pub mod subtree;
#[doc(hidden)]
pub mod threads;

#[doc(hidden)]
pub use algorithm::ALGORITHMS;
pub use algorithm::Algorithm;
pub use error::{InvalidSignature, Malformed};
pub use simd::Backend;
#[cfg(feature = "std")]
pub use simd::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use threads::Threads;
pub use threads::{Inline, Job, Pool};
