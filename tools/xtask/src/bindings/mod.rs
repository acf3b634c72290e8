//! `cargo xtask bindings`: builds and tests the library's faces in other languages.
//!
//! A face whose toolchain is not here, and cannot be installed by package name, is named as not run;
//! `PHALANX_REQUIRE_BINDINGS=c,zig` makes that a failure for the faces named.

mod c;
mod cpp;
mod debian_rust;
mod neon;
mod python;
mod wasm;
mod zig;

use crate::steps::{Outcome, Steps, Stop};

/// A face: its name, and what builds and tests it.
type Face = (&'static str, fn(&mut Steps) -> Result<Outcome, Stop>);

/// All faces, in the order in which they run: the C library comes before those that link it.
const FACES: &[Face] = &[
    ("c", c::run),
    ("cpp", cpp::run),
    ("zig", zig::run),
    ("python", python::run),
    ("wasm", wasm::run),
    ("neon", neon::run),
];

/// The names of all faces.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FACES.iter().map(|(name, _)| *name)
}

/// Builds and tests the faces called `wanted`, or all if that is empty. Every name is one of [`names`].
pub(crate) fn run(steps: &mut Steps, wanted: &[&str]) -> Result<(), Stop> {
    let required = std::env::var("PHALANX_REQUIRE_BINDINGS").unwrap_or_default();
    let required: Vec<_> = required.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = required.iter().find(|name| !names().any(|known| known == **name)) {
        return Err(
            steps.fail("required faces", &format!("PHALANX_REQUIRE_BINDINGS names no face `{unknown}`"))
        );
    }
    for (name, face) in FACES {
        if !wanted.is_empty() && !wanted.contains(name) {
            continue;
        }
        match face(steps)? {
            Outcome::Ran => {}
            Outcome::Skipped(reason) if required.contains(name) => {
                return Err(steps.fail(&format!("face {name}"), &format!("required, but skipped: {reason}")));
            }
            Outcome::Skipped(reason) => steps.not_run(&format!("face {name}"), &reason),
        }
    }
    Ok(())
}
