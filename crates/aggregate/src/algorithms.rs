//! The kernels of this crate: what its lists of `first_of!` say, which `cargo xtask rules` compares with them.

use phalanx_core::Algorithm;

/// Every algorithm that has a kernel for some instruction set.
pub const ALGORITHMS: &[Algorithm] = &[Algorithm::new(
    "Aggregates: bits of many compressions",
    "circuit/words.rs",
    &["avx512", "avx2", "neon", "wasm128"],
)];
