//! Witnesses of x86-64 instruction sets.

cpufeatures::new!(avx2_cpu, "avx2", "fma", "pclmulqdq");
cpufeatures::new!(
    avx512_cpu,
    "avx2",
    "fma",
    "pclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "gfni",
    "vpclmulqdq"
);

cpufeatures::new!(sha_cpu, "sha", "ssse3", "sse4.1");

/// Proof that this CPU runs AVX2, FMA and PCLMULQDQ. Every CPU of AMD and Intel with the first has the others; a
/// virtual machine may hide one, and then runs the portable code.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// `Some` exactly if the CPU and the operating system support AVX2, FMA and PCLMULQDQ.
    pub fn detect() -> Option<Self> {
        avx2_cpu::get().then_some(Self(()))
    }
}

/// Proof that this CPU runs AVX-512 F, BW, DQ, VL, IFMA and VBMI, GFNI and VPCLMULQDQ, and what [`Avx2`] has: every
/// server CPU since Ice Lake and Zen 4.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// `Some` exactly if the CPU and the operating system support all of the set.
    pub fn detect() -> Option<Self> {
        avx512_cpu::get().then_some(Self(()))
    }

    /// The witness that is part of this one.
    #[must_use]
    pub const fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

/// Proof that this CPU runs the SHA extensions, for SHA-256 of one message: AMD's since Zen, Intel's since Ice Lake.
#[derive(Clone, Copy)]
pub struct Sha(());

impl Sha {
    /// `Some` exactly if the CPU supports them.
    pub fn detect() -> Option<Self> {
        sha_cpu::get().then_some(Self(()))
    }
}

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
