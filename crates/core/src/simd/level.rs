//! Gone when every crate asks [`super::Isa`].

use super::*;

/// A chosen backend together with the witness that this CPU can run it.
#[derive(Clone, Copy)]
pub enum Level {
    /// No witness needed.
    Portable,
    /// Holds the proof of simd128.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[allow(dead_code, reason = "not every system has kernels for it")]
    Wasm128(Wasm128),
    /// Holds the proof of NEON, and of its extensions where they are.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    #[allow(dead_code, reason = "not every system has kernels for it")]
    Neon(Neon),
    /// Holds the proof of AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Holds the proof of AVX-512 with IFMA.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Level {
    /// The level of `backend`, if the CPU has it.
    pub fn of(backend: Backend) -> Option<Self> {
        match backend {
            Backend::Portable => Some(Self::Portable),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Backend::Wasm128 => Wasm128::detect().map(Self::Wasm128),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Backend::Neon => Neon::detect().map(Self::Neon),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => Avx512::detect().map(Self::Avx512),
            _ => None,
        }
    }

    /// The forced level of this thread, else the best the CPU has.
    #[must_use]
    pub fn current() -> Self {
        Self::of(Isa::current().backend()).unwrap_or(Self::Portable)
    }

    /// Which backend this is.
    pub fn backend(self) -> Backend {
        match self {
            Self::Portable => Backend::Portable,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Wasm128(_) => Backend::Wasm128,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Self::Neon(_) => Backend::Neon,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Backend::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Backend::Avx512,
        }
    }
}

impl From<Level> for Isa {
    fn from(level: Level) -> Self {
        Self::of(level.backend()).unwrap_or_default()
    }
}
