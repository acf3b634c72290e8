//! The WebAssembly package of phalanx: what JavaScript calls.
//!
//! These functions take and give flat arrays and plain numbers. The module around them (`js/`) gives them the shapes that
//! JavaScript's users expect, and checks the types of what it is given. The features say which of them a module has: everything
//! (`full`), the verifiers (`verify`), the verifier of aggregates (`aggregate`).
#![deny(unsafe_code)]
// The macro's exports are what JavaScript reaches: Rust's own users have the library.
#![allow(unreachable_pub, reason = "exports of wasm-bindgen are public")]

#[cfg(feature = "aggregate")]
mod aggregate;
#[cfg(feature = "verify")]
mod ed25519;
mod error;
#[cfg(feature = "full")]
mod identify;
#[cfg(feature = "verify")]
mod ligerito;
#[cfg(feature = "full")]
mod rescue;
#[cfg(feature = "verify")]
mod xmss;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The name of the kernels that run.
#[wasm_bindgen]
#[must_use]
pub fn backend() -> String {
    phalanx::Backend::current().name().to_owned()
}
