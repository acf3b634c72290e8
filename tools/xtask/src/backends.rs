//! The backends of this CPU, and those that a machine is required to have.

use phalanx_core::Backend;
use phalanx_core::simd::Isa;

use crate::steps::{Steps, Stop};

/// Fails if `PHALANX_REQUIRE_BACKENDS` (names between commas) has one that this CPU, or this build, lacks.
pub(crate) fn require(steps: &mut Steps) -> Result<(), Stop> {
    let required = std::env::var("PHALANX_REQUIRE_BACKENDS").unwrap_or_default();
    let missing = missing(&required, &available());
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(", ");
    let reason = format!("PHALANX_REQUIRE_BACKENDS={required}, but this CPU or this build has no {names}");
    Err(steps.fail("required backends", &reason))
}

/// The names of those that are here, the portable one first.
pub(crate) fn available() -> Vec<&'static str> {
    all(true)
}

/// The names of those that are not.
pub(crate) fn absent() -> Vec<&'static str> {
    all(false)
}

fn all(available: bool) -> Vec<&'static str> {
    let fits = |backend: &Backend| backend.is_available() == available;
    Backend::ALL.into_iter().filter(fits).map(Backend::name).collect()
}

/// Those that are not what runs unforced: what a test does without force it need not do again with the same set forced.
pub(crate) fn other_than_unforced() -> Vec<&'static str> {
    let other = |backend: &Backend| Isa::of(*backend).is_some_and(|set| set != Isa::detect());
    Backend::ALL.into_iter().filter(other).map(Backend::name).collect()
}

/// The names in `required` that are not in `available`.
fn missing<'a>(required: &'a str, available: &[&str]) -> Vec<&'a str> {
    let names = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.filter(|name| !available.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_backends_must_be_available() {
        let available = ["portable", "avx2"];
        assert!(missing("", &available).is_empty());
        assert!(missing("portable, avx2", &available).is_empty());
        assert_eq!(missing("avx2,avx512,misspelt", &available), ["avx512", "misspelt"]);
    }

    #[test]
    fn every_machine_has_the_portable_one() {
        assert!(available().contains(&"portable") && !absent().contains(&"portable"));
    }

    #[test]
    fn at_most_the_best_is_what_runs_unforced() {
        let (all, others) = (available(), other_than_unforced());
        let best = Isa::detect().backend().name();
        assert!(all.iter().all(|name| *name == best || others.contains(name)), "{all:?} {others:?}");
        assert!(others.iter().all(|name| all.contains(name)), "{all:?} {others:?}");
    }
}
