//! Signatures, hashes and polynomial commitments, computed many at a time in SIMD lanes that are chosen at run time.
//!
//! Each scheme is a module, behind a feature of the same name and in a crate of its own (`phalanx-ed25519` and so on):
//!
//! - [`ed25519`]: signatures of RFC 8032, with five named acceptance rules and a result for every signature of a batch;
//! - [`xmss`]: Generalized XMSS, hash-based signatures that are byte-compatible with leanSig;
//! - [`rescue`]: the Rescue hashes over the Goldilocks field, as Winterfell and Miden compute them;
//! - [`ligerito`]: a polynomial commitment scheme over binary fields;
//! - `aggregate` (a feature that is off by default): one proof for many signatures of XMSS over BLAKE2s.
//!
//! [`Backend`] names the kernels that this CPU can run. Answers never depend on it. Functions that end in `_on` take a
//! [`Pool`] of threads; nothing else starts any.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | randomness of the operating system, the record of used XMSS epochs of a process |
//! | `ed25519`, `xmss`, `rescue`, `ligerito` | yes | the schemes; without `std` they need `alloc` only |
//! | `parallel` | yes | `Threads`, a pool |
//! | `json` | yes | XMSS keys and signatures as JSON |
//! | `signature` | yes | the traits of the crate `signature`, for Ed25519 keys |
//! | `minisign`, `pkcs8`, `serde` | no | files of minisign, and the traits of the crates `pkcs8` and `serde`, for Ed25519 |
//! | `digest` | no | the traits of the crate `digest`, for Rescue |
//! | `ligerito-ref-v08` | no | proofs of the published crate `ligerito` 0.8.0, for interoperability |
//! | `aggregate` | no | the module `aggregate`: one proof for many signatures of XMSS over BLAKE2s |
//! | `soundness` | no | the soundness error of Ligerito's proofs and of aggregates, in exact arithmetic |
//! | `custody` | no | the module `custody`: keystores, and a ledger of used epochs that outlives the process |
//! | `hazmat` | no | parts of the schemes that are easy to misuse |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "aggregate")]
#[doc(inline)]
pub use phalanx_aggregate as aggregate;
#[cfg(feature = "custody")]
#[doc(inline)]
pub use phalanx_custody as custody;
#[cfg(feature = "ed25519")]
#[doc(inline)]
pub use phalanx_ed25519 as ed25519;
#[cfg(feature = "ligerito")]
#[doc(inline)]
pub use phalanx_ligerito as ligerito;
#[cfg(feature = "rescue")]
#[doc(inline)]
pub use phalanx_rescue as rescue;
/// Generalized XMSS, hash-based signatures that are byte-compatible with leanSig: the crate `phalanx-xmss`.
#[cfg(feature = "xmss")]
pub mod xmss {
    #[doc(inline)]
    pub use phalanx_xmss::*;

    // Features of a crate are those that anybody in the program asks for, and `custody` asks for its hooks: the module is
    // in the way of theirs, so that only who names the feature here reaches them.
    #[cfg(not(feature = "hazmat"))]
    #[allow(
        hidden_glob_reexports,
        reason = "hidden on purpose; there is nothing to hide unless somebody asked for it"
    )]
    mod hazmat {}
}

#[cfg(feature = "std")]
pub use phalanx_core::BackendUnavailable;
#[cfg(feature = "parallel")]
pub use phalanx_core::Threads;
pub use phalanx_core::{Algorithm, Backend, Inline, InvalidSignature, Job, Malformed, Pool};

/// The algorithms of the schemes that are here, each with the kernel that runs on this CPU and what would bring a better
/// one.
///
/// ```
/// # #[cfg(feature = "xmss")] {
/// let keccak = phalanx::algorithms().find(|algorithm| algorithm.name().starts_with("Keccak")).expect("XMSS is here");
/// let kernel = keccak.kernel(); // "avx512", say
/// assert!(keccak.better().all(|other| other != kernel));
/// # }
/// ```
pub fn algorithms() -> impl Iterator<Item = Algorithm> {
    let schemes: [&[Algorithm]; 6] = [
        phalanx_core::ALGORITHMS,
        #[cfg(feature = "ed25519")]
        phalanx_ed25519::ALGORITHMS,
        #[cfg(not(feature = "ed25519"))]
        &[],
        #[cfg(feature = "xmss")]
        phalanx_xmss::ALGORITHMS,
        #[cfg(not(feature = "xmss"))]
        &[],
        #[cfg(feature = "rescue")]
        phalanx_rescue::ALGORITHMS,
        #[cfg(not(feature = "rescue"))]
        &[],
        #[cfg(feature = "ligerito")]
        phalanx_ligerito::ALGORITHMS,
        #[cfg(not(feature = "ligerito"))]
        &[],
        #[cfg(feature = "aggregate")]
        phalanx_aggregate::ALGORITHMS,
        #[cfg(not(feature = "aggregate"))]
        &[],
    ];
    schemes.into_iter().flatten().copied()
}

/// The README's code, compiled and run.
#[cfg(all(doctest, feature = "xmss", feature = "ed25519", feature = "rescue", feature = "ligerito"))]
#[doc = include_str!("../README.md")]
struct Readme;
