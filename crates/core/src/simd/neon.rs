//! Witnesses of aarch64 instruction sets.

/// Proof that this CPU runs NEON, with what it has of the two extensions that some kernels use. NEON itself is part of every
/// target that this file is compiled for.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "each extension is used by some features only")]
pub struct Neon {
    /// Products of polynomials over GF(2). Not every CPU has them: the Raspberry Pi's before the fifth do not.
    pub pmull: Option<Pmull>,
    /// Sums of three and rotations, as Keccak uses them: Apple's CPUs, and server CPUs since Neoverse V1.
    pub sha3: Option<Sha3>,
}

/// Proof that this CPU runs NEON with the `aes` extension, of which carry-less products are a part.
#[derive(Clone, Copy)]
pub struct Pmull(());

/// Proof that this CPU runs NEON with the `sha3` extension.
#[derive(Clone, Copy)]
pub struct Sha3(());

impl Neon {
    /// `Some`, with the extensions that CPU and operating system support.
    #[allow(clippy::unnecessary_wraps, reason = "as for the other instruction sets")]
    pub fn detect() -> Option<Self> {
        let (pmull, sha3) = extensions();
        Some(Self { pmull: pmull.then_some(Pmull(())), sha3: sha3.then_some(Sha3(())) })
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

/// The same by RustCrypto's crate, which knows Linux, Android and Apple's systems; on others it believes the compiler only.
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
        let witness = Neon::detect().expect("part of the target");
        assert_eq!((witness.pmull.is_some(), witness.sha3.is_some()), extensions());
    }
}
