//! Witnesses of aarch64 instruction sets.

/// Proof that this CPU runs NEON, which is part of every target that this file is compiled for.
#[derive(Clone, Copy)]
pub struct Neon(());

/// Proof that this CPU runs NEON with the `aes` extension, of which products of polynomials over GF(2) are a part.
/// Not every CPU has them: the Raspberry Pi's before the fifth do not.
#[derive(Clone, Copy)]
pub struct Pmull(());

/// Proof that this CPU runs NEON with the `sha3` extension, sums of three and rotations: Apple's CPUs, and server
/// CPUs since Neoverse V1.
#[derive(Clone, Copy)]
pub struct Sha3(());

impl Neon {
    /// Always `Some`.
    #[expect(clippy::unnecessary_wraps, reason = "as for the other instruction sets")]
    #[must_use]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

impl Pmull {
    /// `Some` exactly if CPU and operating system support the extension.
    #[must_use]
    pub fn detect() -> Option<Self> {
        extensions().0.then_some(Self(()))
    }
}

impl Sha3 {
    /// `Some` exactly if CPU and operating system support the extension.
    #[must_use]
    pub fn detect() -> Option<Self> {
        extensions().1.then_some(Self(()))
    }

    /// The witness that is part of this one.
    #[must_use]
    pub const fn neon(self) -> Neon {
        Neon(())
    }
}

impl Pmull {
    /// The witness that is part of this one.
    #[must_use]
    pub const fn neon(self) -> Neon {
        Neon(())
    }
}

/// Whether there are carry-less products, and whether there is `sha3`.
#[cfg(feature = "std")]
fn extensions() -> (bool, bool) {
    (std::arch::is_aarch64_feature_detected!("aes"), std::arch::is_aarch64_feature_detected!("sha3"))
}

/// Whether there are carry-less products, and whether there is `sha3`.
#[cfg(not(feature = "std"))]
fn extensions() -> (bool, bool) {
    without_std()
}

/// The same by RustCrypto's crate, which knows Linux, Android and Apple's systems; on others it believes the compiler
/// only.
#[cfg(any(not(feature = "std"), test))]
fn without_std() -> (bool, bool) {
    cpufeatures::new!(aes_cpu, "aes");
    cpufeatures::new!(sha3_cpu, "sha3");
    (aes_cpu::get(), sha3_cpu::get())
}

#[cfg(all(test, feature = "std", any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_detection_agree() {
        assert_eq!(extensions(), without_std());
        assert_eq!((Pmull::detect().is_some(), Sha3::detect().is_some()), extensions());
    }
}
