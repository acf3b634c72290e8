//! The permutations on packed 32-bit lanes: the vector algorithm once, generic over an instruction set.
//!
//! A lane holds the Montgomery word of an element, radix `2^32` as in [`KoalaBear`], so loading and storing are copies.
//! *Reduced* means below `p`; every word is reduced between the steps below. `p` takes almost all of 32 bits (`2 p` is
//! `2^32 - 2^25 + 2`), so one addition of reduced words fits and no more: [`add`](lanes::add) costs three operations.
//!
//! The S-box takes any signed integer between `-p` and `p`. A reduced word plus a round constant from `-p..0` is one,
//! so adding the constant costs one operation.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dots;
mod engine;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod four;
#[cfg(any(target_arch = "x86_64", test))]
mod halves;
mod lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(crate) mod neon;
mod partial;
mod poseidon1;
mod poseidon2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod sse2;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod wasm128;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
use avx2::single::Single;
#[cfg(target_arch = "x86_64")]
use engine::Packed;
#[cfg(target_arch = "x86_64")]
use phalanx_core::simd::{Avx2, Avx512};

/// The engine of a CPU with AVX2.
#[cfg(target_arch = "x86_64")]
pub(crate) fn of_avx2(witness: Avx2) -> Packed<Avx2, Single> {
    Packed(witness, Single::new(witness))
}

/// The engine of a CPU with AVX-512. One instance alone has words for two or three vectors of AVX2.
#[cfg(target_arch = "x86_64")]
pub(crate) fn of_avx512(witness: Avx512) -> Packed<Avx512, Single> {
    Packed(witness, Single::new(witness.avx2()))
}
