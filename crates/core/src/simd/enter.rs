//! The way into code that is compiled for an instruction set.
#![allow(unsafe_code, reason = "the entry into such code, on the strength of a witness")]

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use super::neon::{Neon, Pmull, Sha3};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm128::Wasm128;
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Gfni, Gfni512, Ifma, Sse2, Vpclmul};

/// Code that is written once and compiled for every witness `W` it is entered under.
///
/// [`run`](Self::run) and all that it calls on the way to the operations of `W` are `#[inline(always)]`: what stays a
/// function of its own is compiled without the instructions, and slow.
pub trait Kernel<W> {
    /// What it answers.
    type Output;

    /// Does it.
    fn run(self, witness: W) -> Self::Output;
}

/// A proof that instructions exist, in the hand of who enters code compiled for them.
pub trait Witness: Copy {
    /// Runs `kernel`, compiled for these instructions. A call of a function, so it should be worth one.
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output;

    /// Runs `kernel` inside of one that was entered: some tens of operations that come again and again there. The
    /// compiler makes a function of them, simplifies it once, and only then inlines it wherever it is run. Without it,
    /// every operation is inlined by itself in every place, from a call that passes vectors through memory; that was
    /// most of the time it took to compile a hash.
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output;
}

/// The entry under a witness.
#[allow(unused_macros, reason = "targets without a witness")]
macro_rules! entry {
    ($witness:ident, $features:literal) => {
        const _: () = {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn entered<K: Kernel<$witness>>(witness: $witness, kernel: K) -> K::Output {
                kernel.run(witness)
            }

            #[target_feature(enable = $features)]
            #[inline]
            fn stepped<K: Kernel<$witness>>(witness: $witness, kernel: K) -> K::Output {
                kernel.run(witness)
            }

            impl Witness for $witness {
                #[inline(always)]
                #[allow(unused_unsafe, reason = "WebAssembly asks for none")]
                fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output {
                    // SAFETY: `self` is the proof that this CPU has all that is named.
                    unsafe { entered(self, kernel) }
                }

                #[inline(always)]
                #[allow(unused_unsafe, reason = "WebAssembly asks for none")]
                fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
                    // SAFETY: `self` is the proof that this CPU has all that is named.
                    unsafe { stepped(self, kernel) }
                }
            }
        };
    };
}

#[cfg(target_arch = "x86_64")]
entry!(Sse2, "sse2");
#[cfg(target_arch = "x86_64")]
entry!(Avx2, "avx2,fma,pclmulqdq");
#[cfg(target_arch = "x86_64")]
entry!(Gfni, "avx2,fma,pclmulqdq,gfni");
#[cfg(target_arch = "x86_64")]
entry!(Vpclmul, "avx2,fma,pclmulqdq,vpclmulqdq");
#[cfg(target_arch = "x86_64")]
entry!(Avx512, "avx2,fma,pclmulqdq,avx512f,avx512bw,avx512cd,avx512dq,avx512vl");
#[cfg(target_arch = "x86_64")]
entry!(Ifma, "avx2,fma,pclmulqdq,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512ifma");
#[cfg(target_arch = "x86_64")]
entry!(Gfni512, "avx2,fma,pclmulqdq,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,gfni,vpclmulqdq");
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
entry!(Neon, "neon");
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
entry!(Pmull, "neon,aes");
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
entry!(Sha3, "neon,sha3");
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
entry!(Wasm128, "simd128");
