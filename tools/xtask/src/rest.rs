//! `cargo xtask test --all`: the long rest, on top of `cargo xtask test`.

use std::process::Command;

use crate::backends;
use crate::beside::Beside;
use crate::bindings;
use crate::cargo::{cargo, target};
use crate::constant_time;
use crate::features;
use crate::fuzz;
use crate::package;
use crate::peers;
use crate::steps::{Steps, Stop};
use crate::test;

/// Runs it.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    backends::require(steps)?;
    // What needs no optimised build comes first: it fails soonest.
    features::run(steps)?;
    package::for_the_registry(steps)?;
    fuzz::builds(steps)?;
    // Much of what is left runs one program at a time: what shares little with it fills the cores.
    let mut others = Command::new(std::env::current_exe().unwrap_or_else(|_| "xtask".into()));
    others.arg("bindings").args(bindings::BESIDE);
    let others = Beside::start(steps, "WebAssembly, aarch64 and Python", &mut others)?;
    on_each_backend(steps)?;
    peers::run(steps)?;
    wiped_in_each_profile(steps)?;
    threads_in_every_order(steps)?;
    constant_time::run(steps, &backends::available(), cargo)?;
    let rest: Vec<_> = bindings::names().filter(|name| !bindings::BESIDE.contains(name)).collect();
    bindings::run(steps, &rest)?;
    others.join(steps)
}

/// Tests that each try every backend, and compute for long before they do.
const TRY_EVERY_BACKEND: [&str; 2] = ["rejects_verify::", "reference::keys_of_"];

/// The programs of the library's tests once more, with each backend forced but the one that ran unforced. What tries every
/// backend by itself did so in `cargo xtask test`. Custody computes nothing itself: what it signs with has its turn in the
/// schemes' own tests. What is held in memory is the same on every backend.
fn on_each_backend(steps: &mut Steps) -> Result<(), Stop> {
    let mut programs = test::build(steps)?.library;
    let again = |name: &str| !name.starts_with("crates/custody ") && !name.ends_with(" memory");
    programs.retain(|program| again(&program.name));
    for backend in backends::other_than_unforced() {
        for program in &programs {
            let mut command = program.command();
            command.args(TRY_EVERY_BACKEND.iter().flat_map(|tests| ["--skip", tests]));
            command.env("PHALANX_BACKEND", backend).env("PHALANX_TESTS_AGAIN", "1");
            steps.run(&format!("{} on {backend}", program.name), &mut command)?;
        }
    }
    for backend in backends::absent() {
        steps.not_run(&format!("tests on {backend}"), "this CPU or this build does not have it");
    }
    Ok(())
}

/// What stays on the stack depends on how functions are inlined: also as the command line is built, and as one piece. In release
/// as the C library has it: one build serves both.
fn wiped_in_each_profile(steps: &mut Steps) -> Result<(), Stop> {
    let as_in_c = "-p phalanx-c --features phalanx-c/default";
    let by_itself = "--features std,xmss,ed25519,rescue,parallel,json,minisign";
    for (profile, features) in [("release", as_in_c), ("wasm", by_itself)] {
        let test =
            format!("test -p phalanx {features} --no-default-features --test zeroing --profile {profile}");
        steps.run(&format!("secrets are wiped in profile {profile}"), &mut cargo(&test))?;
    }
    Ok(())
}

/// The team of threads under loom, which is a dependency of this build only. Other flags than everything else: a folder of
/// its own, so that neither is built again because of the other.
fn threads_in_every_order(steps: &mut Steps) -> Result<(), Stop> {
    let mut test = cargo("test --release -p phalanx-core --features parallel --lib loom_tests");
    test.arg("--target-dir").arg(target().join("loom"));
    test.env("RUSTFLAGS", "--cfg phalanx_loom").env_remove("CARGO_ENCODED_RUSTFLAGS");
    steps.run("threads in every order", &mut test)
}
