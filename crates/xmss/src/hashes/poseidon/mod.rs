//! Poseidon2 and Poseidon1 over KoalaBear, widths 16 and 24, S-box `x^3`.
//!
//! An [`Engine`] is one way of computing them: scalar ([`portable`]), packed 32-bit lanes ([`packed`]), or 52-bit
//! products ([`ifma`]). Everything above (chains, sponges, trees) is written once, generic over the engine, and
//! entered through [`with_engine!`].

pub(crate) mod constants;
mod engine;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) mod packed;
pub(crate) mod portable;
#[cfg(test)]
mod tests;

pub(crate) use engine::{Engine, MAX_LANES, Version};

/// Runs `$body` with `$engine` bound to the best engine of `$isa`; the body is compiled once for each.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "std"))))]
macro_rules! with_engine {
    ($isa:expr, $engine:ident => $body:expr) => {
        phalanx_core::first_of!($isa;
            ifma(witness) => {
                let $engine = $crate::hashes::poseidon::ifma::X16::new(witness);
                $crate::hashes::apart(|| $body)
            },
            avx512(witness) => {
                let $engine = $crate::hashes::poseidon::packed::of_avx512(witness);
                $crate::hashes::apart(|| $body)
            },
            avx2(witness) => {
                let $engine = $crate::hashes::poseidon::packed::of_avx2(witness);
                $crate::hashes::apart(|| $body)
            },
            neon(witness) => {
                let $engine = $crate::hashes::poseidon::packed::neon::engine(witness);
                $crate::hashes::apart(|| $body)
            },
            wasm128(witness) => {
                let $engine = $crate::hashes::poseidon::packed::wasm128::engine(witness);
                $crate::hashes::apart(|| $body)
            },
            // Not where a target does without: its code is not compiled for vectors, and words of that engine are some.
            sse2(witness) if cfg!(target_feature = "sse2") => {
                let $engine = $crate::hashes::poseidon::packed::sse2::engine(witness);
                $crate::hashes::apart(|| $body)
            },
            else => {
                let $engine = $crate::hashes::poseidon::portable::Scalar;
                $crate::hashes::apart(|| $body)
            },
        )
    };
}

/// Without std nothing can force another backend, and a module of verifiers alone is not to carry two engines.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "std")))]
macro_rules! with_engine {
    ($isa:expr, $engine:ident => $body:expr) => {{
        let witness = $isa.wasm128().expect("the module was compiled with simd128");
        let $engine = $crate::hashes::poseidon::packed::wasm128::engine(witness);
        $body
    }};
}
pub(crate) use with_engine;
