//! The kernels of this crate: what its lists of `first_of!` say, which `cargo xtask rules` compares with them.

use phalanx_core::Algorithm;

/// Every algorithm that has a kernel for some instruction set.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm::new("Ed25519: sign", "curve/base_mul/mod.rs", &["ifma", "adx"]),
    Algorithm::new("Ed25519: sign many", "curve/base_mul/mod.rs", &["ifma", "avx512", "adx"]),
    Algorithm::new("Ed25519: verify", "curve/scalar_mul.rs", &["ifma", "avx2"]),
    Algorithm::new("Ed25519: decode a point", "curve/decode.rs", &["ifma", "adx"]),
    Algorithm::new("Ed25519: verify with a prepared key", "curve/comb.rs", &["ifma", "avx2"]),
    Algorithm::new("Ed25519: verify many", "many.rs", &["ifma", "avx512", "avx2"]),
    Algorithm::new("Ed25519: verify a batch", "curve/msm/mod.rs", &["ifma", "avx512", "avx2"]),
    Algorithm::new("Ed25519: decode many points", "batch/decode.rs", &["ifma", "avx512", "avx2"]),
    Algorithm::new("Ed25519: scalars modulo L, many", "fields/scalar25519/mod.rs", &["ifma"]),
    Algorithm::new("SHA-512, one message", "sha512/single.rs", &["avx2"]),
    Algorithm::new("SHA-512, many messages", "sha512/mod.rs", &["avx512", "avx2"]),
];
