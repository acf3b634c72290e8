//! The one place that asks "which CPU?".
//!
//! A *witness* such as [`Avx512`] is a zero-sized value that only a detection function can make: holding one is the
//! proof that its instructions exist. Kernels take a witness, so the few `unsafe` entries into code compiled for an
//! instruction set are justified by the argument in hand.
//!
//! The choice is made once per public operation by [`Isa::current`] and handed down, never asked again inside. There
//! [`first_of!`](crate::first_of) runs the first of an algorithm's kernels whose witness is in the set; one that has
//! none for some instruction set runs another there, in the end its portable form.
//!
//! A generic kernel is a [`Kernel`], entered by [`Witness::enter`]: that is where it is compiled for the instruction
//! set. The pattern that keeps a large one inlined in a plain build: what is generic and all methods of the witnesses
//! ([`lanes`](crate::lanes)) are `#[inline(always)]`, every helper of an instruction-set file carries `#[inline]` and
//! its own `#[target_feature]`, and closures and iterator adaptors stay out of the hot loops. What a large kernel does
//! many times over it runs as [`Witness::step`]: so it takes much less time to compile, and is as fast.

#[cfg(target_arch = "x86_64")]
mod barrier;
mod enter;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm128;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub use barrier::opaque;
#[cfg(target_arch = "x86_64")]
pub use barrier::{
    after_zmm, align_frame, in_order_three_zmm, in_order_ymm, in_order_zmm, opaque_pointer, opaque_ymm,
    opaque_zmm,
};
pub use enter::{Kernel, Witness};
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub use neon::{Neon, Pmull, Sha2, Sha3};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm128::Wasm128;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub use x86::add_masked;
#[cfg(target_arch = "x86_64")]
pub use x86::{Adx, Avx2, Avx512, Gfni, Gfni512, Ifma, Sha, Sse2, Vpclmul};

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
    /// Plain Rust, no assumption about the CPU: on x86-64 hashes have the four lanes of SSE2, which all of them have. The
    /// others give the same results.
    Portable,
    /// WebAssembly with `simd128`, four 32-bit or two 64-bit lanes: in modules that were compiled with it.
    Wasm128,
    /// aarch64 with NEON, four 32-bit or two 64-bit lanes, and with carry-less products and SHA-3 instructions where
    /// the CPU has them.
    Neon,
    /// x86-64 with AVX2, FMA and PCLMULQDQ: eight 32-bit or four 64-bit lanes. Intel's since Haswell, AMD's since Zen.
    Avx2,
    /// The same with GFNI and VPCLMULQDQ: 32 bytes times bit matrices, two products of binary polynomials at a time.
    /// Laptops since Alder Lake.
    Avx2Gfni,
    /// x86-64 with AVX-512 F, BW, CD, DQ and VL and nothing more: sixteen 32-bit or eight 64-bit lanes. Servers from
    /// Skylake to Cascade Lake.
    Avx512,
    /// The same with IFMA, VBMI, GFNI and VPCLMULQDQ: 52-bit products, 64 bytes times bit matrices. Servers since Ice
    /// Lake and Zen 4.
    Avx512Ifma,
}

impl Backend {
    /// Every backend this version knows, slowest first.
    pub const ALL: [Self; 7] = [
        Self::Portable,
        Self::Wasm128,
        Self::Neon,
        Self::Avx2,
        Self::Avx2Gfni,
        Self::Avx512,
        Self::Avx512Ifma,
    ];

    /// The name, as in `PHALANX_BACKEND` and in benchmark output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Wasm128 => "wasm128",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx2Gfni => "avx2-gfni",
            Self::Avx512 => "avx512",
            Self::Avx512Ifma => "avx512-ifma",
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
        Isa::of(self).is_some()
    }

    /// The backend that operations called from this thread use now: the one of [`force`](Self::force), else (with
    /// `std`) the one that the environment variable `PHALANX_BACKEND` named at first use if this CPU has it, else the
    /// best.
    #[must_use]
    pub fn current() -> Self {
        Isa::current().backend()
    }

    /// Runs `work` with this backend forced for the calling thread. For tests, benchmarks and `PHALANX_BACKEND`;
    /// answers never depend on the backend.
    ///
    /// # Errors
    /// [`BackendUnavailable`] if this CPU cannot run it; `work` is then not called.
    #[cfg(feature = "std")]
    pub fn force<R>(self, work: impl FnOnce() -> R) -> Result<R, BackendUnavailable> {
        let isa = Isa::of(self).ok_or(BackendUnavailable(self))?;
        /// Puts the former choice back, also when `work` panics.
        struct Restore(Option<Isa>);
        impl Drop for Restore {
            fn drop(&mut self) {
                forced::FORCED.set(self.0);
            }
        }
        let _restore = Restore(forced::FORCED.replace(Some(isa)));
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
    use super::{Backend, Isa};
    use core::cell::Cell;
    use std::sync::OnceLock;

    /// The set that the environment names. A name that is unknown or not available is left to the command line and
    /// the tests to report: a library has nobody to tell.
    pub(super) fn by_environment() -> Option<Isa> {
        static ISA: OnceLock<Option<Isa>> = OnceLock::new();
        *ISA.get_or_init(|| Isa::of(Backend::from_name(&std::env::var("PHALANX_BACKEND").ok()?)?))
    }

    std::thread_local! {
        /// The choice of the innermost [`super::Backend::force`] on this thread.
        pub(super) static FORCED: Cell<Option<Isa>> = const { Cell::new(None) };
    }
}

/// Makes [`Isa`] of a list of witnesses, by the names that [`first_of!`](crate::first_of) takes.
macro_rules! witnesses {
    ($(#[$where:meta] $name:ident: $witness:ident,)*) => {
        /// The instruction sets that a call may use: a set of witnesses. Holding one is the proof that its
        /// instructions exist.
        ///
        /// An algorithm lists its kernels, best first, each with the witness that it takes;
        /// [`first_of!`](crate::first_of) runs the first whose witness is in the set. A [`Backend`] is only a name for
        /// a set, to force one; without force the set is all that the CPU has, under whatever name.
        #[derive(Clone, Copy, PartialEq, Eq, Default)]
        pub struct Isa {
            $(#[$where] $name: Option<$witness>,)*
        }

        impl Isa {
            /// No instruction set: what every CPU runs.
            pub const PORTABLE: Self = Self { $(#[$where] $name: None,)* };

            /// All that this CPU has.
            #[must_use]
            pub fn detect() -> Self {
                Self { $(#[$where] $name: $witness::detect(),)* }
            }

            /// Whether the witness called `name` is in the set; `None` if this architecture has none of that name.
            #[must_use]
            pub fn has(self, name: &str) -> Option<bool> {
                match name {
                    $(#[$where] stringify!($name) => Some(self.$name.is_some()),)*
                    _ => None,
                }
            }

            $(
                #[doc = concat!("The witness [`", stringify!($witness), "`], if it is in the set.")]
                #[$where]
                #[inline(always)]
                #[must_use]
                pub const fn $name(self) -> Option<$witness> {
                    self.$name
                }
            )*
        }
    };
}

witnesses! {
    #[cfg(target_arch = "x86_64")]
    avx2: Avx2,
    #[cfg(target_arch = "x86_64")]
    gfni: Gfni,
    #[cfg(target_arch = "x86_64")]
    vpclmul: Vpclmul,
    #[cfg(target_arch = "x86_64")]
    avx512: Avx512,
    #[cfg(target_arch = "x86_64")]
    ifma: Ifma,
    #[cfg(target_arch = "x86_64")]
    gfni512: Gfni512,
    #[cfg(target_arch = "x86_64")]
    sha: Sha,
    #[cfg(target_arch = "x86_64")]
    adx: Adx,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    neon: Neon,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    pmull: Pmull,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    sha2: Sha2,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    sha3: Sha3,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    wasm128: Wasm128,
}

impl Isa {
    /// What every CPU of x86-64 has, and so every set.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    #[must_use]
    pub const fn sse2(self) -> Option<Sse2> {
        Some(Sse2)
    }

    /// The set that `backend` names, if the CPU has all of it. SHA-256 of one message and the chains of carries have
    /// witnesses of their own in the sets of x86-64: CPUs of one name have them or not.
    #[must_use]
    pub fn of(backend: Backend) -> Option<Self> {
        #[allow(unused_variables, reason = "architectures without a witness")]
        let all = Self::detect();
        match backend {
            Backend::Portable => Some(Self::PORTABLE),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Backend::Wasm128 => all.wasm128.map(|_| all),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Backend::Neon => all.neon.map(|_| all),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => all.avx2.map(|avx2| Self { sha: all.sha, adx: all.adx, ..Self::from(avx2) }),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2Gfni => {
                let (gfni, vpclmul) = all.gfni.zip(all.vpclmul)?;
                Some(Self { gfni: Some(gfni), vpclmul: Some(vpclmul), ..Self::of(Backend::Avx2)? })
            }
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => {
                all.avx512.map(|avx512| Self { sha: all.sha, adx: all.adx, ..Self::from(avx512) })
            }
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512Ifma => all.ifma.and(all.gfni512).map(|_| all),
            _ => None,
        }
    }

    /// The forced set of this thread, else all that the CPU has.
    #[must_use]
    pub fn current() -> Self {
        #[cfg(feature = "std")]
        if let Some(isa) = forced::FORCED.get().or_else(forced::by_environment) {
            return isa;
        }
        Self::detect()
    }

    /// The best backend whose witnesses are all in this set.
    #[must_use]
    pub fn backend(self) -> Backend {
        crate::first_of!(self;
            ifma(_) if self.has("gfni512") == Some(true) => Backend::Avx512Ifma,
            avx512(_) => Backend::Avx512,
            gfni(_) if self.has("vpclmul") == Some(true) => Backend::Avx2Gfni,
            avx2(_) => Backend::Avx2,
            neon(_) => Backend::Neon,
            wasm128(_) => Backend::Wasm128,
            else => Backend::Portable,
        )
    }
}

/// What a kernel hands to others that choose again.
#[cfg(target_arch = "x86_64")]
macro_rules! set_of {
    ($($witness:ident: $($part:ident),+;)*) => {
        $(impl From<$witness> for Isa {
            #[inline(always)]
            fn from(witness: $witness) -> Self {
                set_of!(@ witness $($part),+)
            }
        })*
    };
    (@ $witness:ident $own:ident $(, $part:ident)*) => {
        Self { $own: Some($witness), $($part: Some($witness.$part()),)* ..Self::PORTABLE }
    };
}

#[cfg(target_arch = "x86_64")]
set_of! {
    Avx2: avx2;
    Gfni: gfni, avx2;
    Vpclmul: vpclmul, avx2;
    Avx512: avx512, avx2;
    Ifma: ifma, avx512, avx2;
    Gfni512: gfni512, avx512, gfni, vpclmul, avx2;
}

/// The value of the first arm whose witness is in the set: `first_of!(isa; avx512(w) => ..., avx2(w) => ..., else =>
/// ...)`.
///
/// Arms are tried as they are written. One whose instruction set belongs to another architecture than the one
/// compiled for is left out, with all that it names. An arm may have a condition: `avx2(w) if rows.is_empty() =>
/// ...`. Every body is followed by a comma.
#[macro_export]
#[doc(hidden)]
macro_rules! first_of {
    (@arms $out:lifetime $isa:ident; else => $body:expr $(,)?) => {
        break $out ($body)
    };
    (@arms $out:lifetime $isa:ident; sse2($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.sse2() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; avx2($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.avx2() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; gfni($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.gfni() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; vpclmul($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.vpclmul() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; avx512($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.avx512() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; ifma($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.ifma() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; gfni512($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.gfni512() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; sha($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.sha() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; adx($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($w) = $isa.adx() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; neon($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some($w) = $isa.neon() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; pmull($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some($w) = $isa.pmull() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; sha2($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some($w) = $isa.sha2() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; sha3($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some($w) = $isa.sha3() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    (@arms $out:lifetime $isa:ident; wasm128($w:pat) $(if $if:expr)? => $body:expr, $($rest:tt)*) => {{
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if let Some($w) = $isa.wasm128() $(&& $if)? {
            break $out ($body);
        }
        $crate::first_of!(@arms $out $isa; $($rest)*)
    }};
    ($isa:expr; $($arms:tt)+) => {
        'chosen: {
            let isa: $crate::simd::Isa = $isa;
            let _ = isa;
            $crate::first_of!(@arms 'chosen isa; $($arms)+)
        }
    };
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
