//! The kernels of this crate: what its lists of `first_of!` say, which `cargo xtask rules` compares with them.

use phalanx_core::Algorithm;

/// Every algorithm that has a kernel for some instruction set.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm::new(
        "Poseidon over KoalaBear",
        "hashes/poseidon/mod.rs",
        &["ifma", "avx512", "avx2", "neon", "wasm128", "sse2"],
    ),
    Algorithm::new(
        "Keccak-f[1600], many states",
        "hashes/keccak/mod.rs",
        &["avx512", "avx2", "sha3", "neon", "wasm128"],
    ),
    Algorithm::new(
        "BLAKE2s, many messages",
        "hashes/blake2s/mod.rs",
        &["avx512", "avx2", "neon", "wasm128", "sse2"],
    ),
];
