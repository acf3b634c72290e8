//! The kernels of this crate: what its lists of `first_of!` say, which `cargo xtask rules` compares with them.

use phalanx_core::Algorithm;

/// Every algorithm that has a kernel for some instruction set.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm::new(
        "Ligerito: products in large binary fields",
        "binary/lanes/mod.rs",
        &["gfni512", "vpclmul", "avx2", "pmull"],
    ),
    Algorithm::new(
        "Ligerito: products of a large and a small field",
        "binary/mixed/mod.rs",
        &["gfni512", "gfni", "avx2"],
    ),
    Algorithm::new(
        "Ligerito: codes over GF(2^32)",
        "codes/encode/small.rs",
        &["gfni512", "gfni", "avx512", "avx2", "neon", "wasm128"],
    ),
    Algorithm::new(
        "BLAKE3, many rows",
        "hashes/blake3/mod.rs",
        &["avx512", "avx2", "neon", "wasm128", "sse2"],
    ),
    Algorithm::new(
        "SHA-256, many rows",
        "hashes/sha256/mod.rs",
        &["avx512", "avx2", "neon", "wasm128", "sse2"],
    ),
];
