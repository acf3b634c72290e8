//! What runs where: the kernels of an algorithm, as its `first_of!` lists them.

use crate::simd::Isa;

/// An algorithm that has kernels for some instruction sets, beside the portable code that runs everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    name: &'static str,
    source: &'static str,
    kernels: &'static [&'static str],
}

impl Algorithm {
    /// An algorithm. `source` is the file in its crate's `src` whose `first_of!` has these `kernels`, the best first, by
    /// the names of their witnesses; `cargo xtask rules` compares the two.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, source: &'static str, kernels: &'static [&'static str]) -> Self {
        Self { name, source, kernels }
    }

    /// The name, as people say it: `Keccak-f[1600], eight states`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The file whose list this is, in its crate's `src`.
    #[doc(hidden)]
    #[must_use]
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// The kernel that calls on this thread run now, by the instruction set that it takes: `ifma`, say, or `portable`.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        let isa = Isa::current();
        self.kernels.iter().find(|witness| isa.has(witness) == Some(true)).unwrap_or(&"portable")
    }

    /// The instruction sets that this CPU lacks, or that are not in the forced backend, with which a better kernel would
    /// run; the best first.
    pub fn better(&self) -> impl Iterator<Item = &'static str> {
        let isa = Isa::current();
        let known = self.kernels.iter().copied().filter(move |witness| isa.has(witness).is_some());
        known.take_while(move |witness| isa.has(witness) == Some(false))
    }
}

/// Those of this crate.
#[doc(hidden)]
pub const ALGORITHMS: &[Algorithm] =
    &[Algorithm::new("SHA-256, one message", "sha256/mod.rs", &["sha", "sha2"])];

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::Backend;
    use std::vec::Vec;

    /// Of the three sets the portable backend has none; a set of no architecture is never taken or missed.
    #[test]
    fn the_first_that_is_there_runs() {
        let algorithm = Algorithm::new("a", "a.rs", &["ifma", "avx2", "neon", "nonsense"]);
        let on = |backend: Backend| {
            let seen = || (algorithm.kernel(), algorithm.better().collect::<Vec<_>>());
            backend.force(seen).ok()
        };
        let lacks: &[&str] = if cfg!(target_arch = "x86_64") {
            &["ifma", "avx2"]
        } else if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
            &["neon"]
        } else {
            &[]
        };
        assert_eq!(on(Backend::Portable), Some(("portable", lacks.to_vec())));
        if let Some(seen) = on(Backend::Avx2) {
            assert_eq!(seen, ("avx2", std::vec!["ifma"]));
        }
        if let Some(seen) = on(Backend::Avx512Ifma) {
            assert_eq!(seen, ("ifma", Vec::new()));
        }
        if let Some(seen) = on(Backend::Neon) {
            assert_eq!(seen, ("neon", Vec::new()));
        }
    }
}
