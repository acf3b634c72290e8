//! Witnesses of aarch64 instruction sets.

/// Proof that this CPU runs NEON, which is part of every target that this file is compiled for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Neon(());

/// Proof that this CPU runs NEON with the `aes` extension, of which products of polynomials over GF(2) are a part.
/// Not every CPU has them: the Raspberry Pi's before the fifth do not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pmull(());

/// Proof that this CPU runs NEON with the `sha3` extension, sums of three and rotations: Apple's CPUs, and server
/// CPUs since Neoverse V1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sha3(());

/// Proof that this CPU runs NEON with the `sha2` extension, for SHA-256 of one message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sha2(());

impl Sha2 {
    /// `Some` exactly if CPU and operating system support the extension.
    #[must_use]
    pub fn detect() -> Option<Self> {
        extensions().sha2.then_some(Self(()))
    }
}

impl Neon {
    /// Always `Some`.
    #[must_use]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

impl Pmull {
    /// `Some` exactly if CPU and operating system support the extension.
    #[must_use]
    pub fn detect() -> Option<Self> {
        extensions().aes.then_some(Self(()))
    }
}

impl Sha3 {
    /// `Some` exactly if CPU and operating system support the extension.
    #[must_use]
    pub fn detect() -> Option<Self> {
        extensions().sha3.then_some(Self(()))
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

/// Which extensions there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extensions {
    /// Carry-less products are part of it.
    aes: bool,
    sha2: bool,
    sha3: bool,
}

/// Those of this CPU.
#[cfg(feature = "std")]
fn extensions() -> Extensions {
    use std::arch::is_aarch64_feature_detected as detected;
    Extensions { aes: detected!("aes"), sha2: detected!("sha2"), sha3: detected!("sha3") }
}

/// Those of this CPU.
#[cfg(not(feature = "std"))]
fn extensions() -> Extensions {
    without_std()
}

/// The same by RustCrypto's crate, which knows Linux, Android and Apple's systems; on others it believes the compiler
/// only.
#[cfg(any(not(feature = "std"), test))]
fn without_std() -> Extensions {
    cpufeatures::new!(aes_cpu, "aes");
    cpufeatures::new!(sha2_cpu, "sha2");
    cpufeatures::new!(sha3_cpu, "sha3");
    Extensions { aes: aes_cpu::get(), sha2: sha2_cpu::get(), sha3: sha3_cpu::get() }
}

#[cfg(all(test, feature = "std", any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_detection_agree() {
        let here = extensions();
        assert_eq!(here, without_std());
        assert_eq!(Pmull::detect().is_some(), here.aes);
        assert_eq!(Sha2::detect().is_some(), here.sha2);
        assert_eq!(Sha3::detect().is_some(), here.sha3);
    }
}
