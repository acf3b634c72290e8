//! The backends of this CPU, and those that a machine is required to have.

use phalanx_core::Backend;

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
}
