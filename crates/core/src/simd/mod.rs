//! The one place that asks "which CPU?".
//!
//! A *witness* such as [`Avx512`] is a zero-sized value that only a detection function can make: holding one is the
//! proof that its instructions exist. Kernels take a witness, so the few `unsafe` entries into code compiled for an
//! instruction set are justified by the argument in hand.
//!
//! The choice is made once per public operation by [`Level::current`] and handed down, never asked again inside.
//!
//! The pattern that keeps a large kernel inlined in a plain build: every helper of an instruction-set file carries
//! `#[inline]` and its own `#[target_feature]`, and generic kernels call lane operations through witnesses whose
//! methods are `#[inline(always)]`; closures and iterator adaptors stay out of the hot loops.
//!
//! An algorithm that has no kernel of some level runs its portable form there.

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod lanes32;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(target_arch = "x86_64")]
mod transpose;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm128;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub use lanes32::Lanes32;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[allow(unused_imports, reason = "each extension is used by some features only")]
pub use neon::{Neon, Pmull, Sha3};
#[cfg(target_arch = "x86_64")]
pub use transpose::transpose8;
#[cfg(target_arch = "x86_64")]
pub use transpose::{transpose8x32, transpose16};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm128::Wasm128;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub use x86::{add_masked, opaque};

/// The same number, from which the optimiser concludes nothing.
#[cfg(any(miri, not(target_arch = "x86_64")))]
pub use core::hint::black_box as opaque;

/// a + b modulo 2^64, and 2^32 - 1 if it carried, or else 0.
#[cfg(any(miri, not(target_arch = "x86_64")))]
#[inline(always)]
pub fn add_masked(a: u64, b: u64) -> (u64, u64) {
    let (sum, carry) = a.overflowing_add(b);
    (sum, u64::from(0u32.wrapping_sub(u32::from(carry))))
}

/// A family of kernels, by the name users and `PHALANX_BACKEND` know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Plain Rust, no assumption about the CPU. The law that the others obey.
    Portable,
    /// WebAssembly with `simd128`, four 32-bit or two 64-bit lanes: in modules that were compiled with it.
    Wasm128,
    /// aarch64 with NEON, four 32-bit or two 64-bit lanes, and with carry-less products and SHA-3 instructions where the
    /// CPU has them.
    Neon,
    /// x86-64 with AVX2, FMA and PCLMULQDQ: eight 32-bit or four 64-bit lanes.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ, VL, IFMA and VBMI, GFNI and VPCLMULQDQ: eight 64-bit lanes, 52-bit products, 64 bytes
    /// times bit matrices.
    Avx512,
}

impl Backend {
    /// Every backend this version knows, slowest first.
    pub const ALL: [Self; 5] = [Self::Portable, Self::Wasm128, Self::Neon, Self::Avx2, Self::Avx512];

    /// The name, as in `PHALANX_BACKEND` and in benchmark output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Wasm128 => "wasm128",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The backend called `name`, or `None` if this version has none of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.name() == name)
    }

    /// Whether this CPU can run the backend.
    #[must_use]
    pub fn is_available(self) -> bool {
        Level::of(self).is_some()
    }

    /// The backend that operations called from this thread use now: the one of [`force`](Self::force), else (with `std`)
    /// the one that the environment variable `PHALANX_BACKEND` named at first use if this CPU has it, else the best.
    #[must_use]
    pub fn current() -> Self {
        Level::current().backend()
    }

    /// Runs `work` with this backend forced for the calling thread. For tests, benchmarks and `PHALANX_BACKEND`;
    /// answers never depend on the backend.
    ///
    /// # Errors
    /// [`BackendUnavailable`] if this CPU cannot run it; `work` is then not called.
    #[cfg(feature = "std")]
    pub fn force<R>(self, work: impl FnOnce() -> R) -> Result<R, BackendUnavailable> {
        let level = Level::of(self).ok_or(BackendUnavailable(self))?;
        /// Puts the former choice back, also when `work` panics.
        struct Restore(Option<Level>);
        impl Drop for Restore {
            fn drop(&mut self) {
                forced::FORCED.set(self.0);
            }
        }
        let _restore = Restore(forced::FORCED.replace(Some(level)));
        Ok(work())
    }
}

/// The CPU lacks the instructions of a backend.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendUnavailable(pub Backend);

#[cfg(feature = "std")]
impl core::fmt::Display for BackendUnavailable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "this CPU cannot run the backend '{}'", self.0.name())
    }
}

#[cfg(feature = "std")]
impl core::error::Error for BackendUnavailable {}

#[cfg(feature = "std")]
mod forced {
    use super::{Backend, Level};
    use core::cell::Cell;
    use std::sync::OnceLock;

    /// The level that the environment names. A name that is unknown or not available is left to the faces and tests to
    /// report: a library has nobody to tell.
    pub(super) fn by_environment() -> Option<Level> {
        static LEVEL: OnceLock<Option<Level>> = OnceLock::new();
        *LEVEL.get_or_init(|| Level::of(Backend::from_name(&std::env::var("PHALANX_BACKEND").ok()?)?))
    }

    std::thread_local! {
        /// The choice of the innermost [`super::Backend::force`] on this thread.
        pub(super) static FORCED: Cell<Option<Level>> = const { Cell::new(None) };
    }
}

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
    pub fn current() -> Self {
        #[cfg(feature = "std")]
        if let Some(level) = forced::FORCED.get().or_else(forced::by_environment) {
            return level;
        }
        Self::best()
    }

    /// The best level the CPU has.
    fn best() -> Self {
        Backend::ALL.into_iter().rev().find_map(Self::of).unwrap_or(Self::Portable)
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

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn forcing_is_scoped_and_restored() {
        let before = Backend::current();
        let inside = Backend::Portable.force(Backend::current).expect("portable is always there");
        assert_eq!(inside, Backend::Portable);
        assert_eq!(Backend::current(), before);
    }

    /// So that a test run under `PHALANX_BACKEND` cannot pass on another backend.
    #[test]
    fn the_environment_is_heard() {
        if let Ok(name) = std::env::var("PHALANX_BACKEND") {
            assert_eq!(Backend::current().name(), name, "PHALANX_BACKEND names a backend that this CPU has");
        }
    }

    #[test]
    fn names_round_trip() {
        for backend in Backend::ALL {
            assert_eq!(Backend::from_name(backend.name()), Some(backend));
        }
        assert_eq!(Backend::from_name("native"), None);
    }
}
