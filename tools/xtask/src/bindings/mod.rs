//! `cargo xtask bindings`: builds and tests the bindings for other languages.
//!
//! A binding whose toolchain is not here, and cannot be installed by package name, is named as not run;
//! `PHALANX_REQUIRE_BINDINGS=c,zig` makes that a failure for those named.

mod c;
mod cpp;
pub(crate) mod debian_rust;
mod folders;
mod lines;
mod neon;
mod python;
mod wasm;
mod zig;

pub(crate) use python::{MATURIN, free_threaded, maturin};
pub(crate) use wasm::npm_package;
pub(crate) use zig::zig_package;

use crate::steps::{Outcome, Steps, Stop};

/// A binding: its name, and what builds and tests it.
type Binding = (&'static str, fn(&mut Steps) -> Result<Outcome, Stop>);

/// All of them, in the order in which they run: the C library comes before those that link it.
const BINDINGS: &[Binding] = &[
    ("c", c::run),
    ("cpp", cpp::run),
    ("zig", zig::run),
    ("python", python::run),
    ("wasm", wasm::run),
    ("neon", neon::run),
];

/// Those that share no folder with the others, or only that where Cargo builds, which it locks: they run while these do.
pub(crate) const BESIDE: [&str; 3] = ["wasm", "neon", "python"];

/// The names of all bindings.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BINDINGS.iter().map(|(name, _)| *name)
}

/// Builds and tests the bindings called `wanted`, or all if that is empty. Every name is one of [`names`].
pub(crate) fn run(steps: &mut Steps, wanted: &[&str]) -> Result<(), Stop> {
    let required = std::env::var("PHALANX_REQUIRE_BINDINGS").unwrap_or_default();
    let required: Vec<_> = required.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = required.iter().find(|name| !names().any(|known| known == **name)) {
        return Err(steps
            .fail("required bindings", &format!("PHALANX_REQUIRE_BINDINGS names no binding `{unknown}`")));
    }
    for (name, binding) in BINDINGS {
        if !wanted.is_empty() && !wanted.contains(name) {
            continue;
        }
        match binding(steps)? {
            Outcome::Ran => {}
            Outcome::Skipped(reason) if required.contains(name) => {
                return Err(
                    steps.fail(&format!("binding {name}"), &format!("required, but skipped: {reason}"))
                );
            }
            Outcome::Skipped(reason) => steps.not_run(&format!("binding {name}"), &reason),
        }
    }
    Ok(())
}
