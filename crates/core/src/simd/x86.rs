//! Witnesses of x86-64 instruction sets.

/// A witness that a detection by `cpuid` makes.
macro_rules! witness {
    ($(#[$doc:meta])* $name:ident, $detection:ident: $($feature:tt),+) => {
        cpufeatures::new!($detection, $($feature),+);

        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name(());

        impl $name {
            /// `Some` exactly if the CPU and the operating system support all of the set.
            pub fn detect() -> Option<Self> {
                $detection::get().then_some(Self(()))
            }
        }
    };
}

/// Witnesses that are part of another, which has all their features.
macro_rules! part_of {
    ($whole:ident: $($name:ident -> $part:ident),+) => {
        impl $whole {
            $(
                #[doc = concat!("The witness [`", stringify!($part), "`], which is part of this one.")]
                #[inline(always)]
                #[must_use]
                pub const fn $name(self) -> $part {
                    $part(())
                }
            )+
        }
    };
}

witness!(
    /// Proof that this CPU runs AVX2, FMA and PCLMULQDQ. Every CPU of AMD and Intel with the first has the others; a
    /// virtual machine may hide one, and then runs the portable code.
    Avx2, avx2_cpu: "avx2", "fma", "pclmulqdq"
);
witness!(
    /// Proof that this CPU runs GFNI on 32 bytes, beside what [`Avx2`] has: Intel's since Alder Lake, AMD's since
    /// Zen 4.
    Gfni, gfni_cpu: "avx2", "fma", "pclmulqdq", "gfni"
);
witness!(
    /// Proof that this CPU multiplies two pairs of binary polynomials at a time (VPCLMULQDQ on 32 bytes), beside what
    /// [`Avx2`] has: AMD's since Zen 3, Intel's since Ice Lake.
    Vpclmul, vpclmul_cpu: "avx2", "fma", "pclmulqdq", "vpclmulqdq"
);
witness!(
    /// Proof that this CPU runs AVX-512 F, BW, CD, DQ and VL, and what [`Avx2`] has: every server CPU of Intel since
    /// Skylake and of AMD since Zen 4.
    Avx512, avx512_cpu:
        "avx2", "fma", "pclmulqdq", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"
);
witness!(
    /// Proof that this CPU has products of 52 bits in eight lanes (AVX-512 IFMA), and what [`Avx512`] has: server
    /// CPUs since Ice Lake and Zen 4.
    Ifma, ifma_cpu:
        "avx2", "fma", "pclmulqdq", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512ifma"
);
witness!(
    /// Proof that this CPU runs VBMI, GFNI and VPCLMULQDQ on 64 bytes, and what [`Avx512`] has: server CPUs since Ice
    /// Lake and Zen 4.
    Gfni512, gfni512_cpu:
        "avx2", "fma", "pclmulqdq", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi", "gfni",
        "vpclmulqdq"
);
witness!(
    /// Proof that this CPU runs the SHA extensions, for SHA-256 of one message: AMD's since Zen, Intel's since Ice
    /// Lake.
    Sha, sha_cpu: "sha", "ssse3", "sse4.1"
);
#[cfg(not(phalanx_taint))]
witness!(
    /// Proof that this CPU has products that leave the flags alone and two chains of carries (BMI2 and ADX), beside
    /// what [`Avx2`] has: Intel's since Broadwell, AMD's since Zen.
    Adx, adx_cpu: "avx2", "fma", "pclmulqdq", "bmi1", "bmi2", "adx"
);
#[cfg(phalanx_taint)]
witness!(
    /// The same for valgrind, which runs both chains of carries and whose CPU does not say so.
    Adx, adx_cpu: "avx2", "fma", "pclmulqdq", "bmi1", "bmi2"
);

/// SSE2, which every CPU of x86-64 has: what portable code may use there, without a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sse2;

part_of!(Adx: avx2 -> Avx2);
part_of!(Gfni: avx2 -> Avx2);
part_of!(Vpclmul: avx2 -> Avx2);
part_of!(Avx512: avx2 -> Avx2);
part_of!(Ifma: avx512 -> Avx512, avx2 -> Avx2);
part_of!(Gfni512: avx512 -> Avx512, gfni -> Gfni, vpclmul -> Vpclmul, avx2 -> Avx2);

/// a + b modulo 2^64, and 2^32 - 1 if it carried, or else 0: the carry spread over a 32-bit register, which the
/// optimiser only finds in half of the places.
#[cfg(not(miri))]
#[inline(always)]
#[allow(unsafe_code, reason = "an addition and a subtraction of registers")]
pub fn add_masked(mut a: u64, b: u64) -> (u64, u64) {
    let mask: u64;
    // SAFETY: two instructions on registers that are named.
    unsafe {
        core::arch::asm!(
            "add {a}, {b}",
            "sbb {b:e}, {b:e}",
            a = inout(reg) a,
            b = inout(reg) b => mask,
            options(pure, nomem, nostack)
        );
    };
    (a, mask)
}
