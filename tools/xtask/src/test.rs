//! `cargo xtask test`: everything that has to hold, step by step.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::backends;
use crate::bindings;
use crate::constant_time;
use crate::steps::{Steps, Stop};

/// Feature combinations that must build; the first five are `no_std` with `alloc`.
const FEATURES: &[&str] = &[
    "",
    "xmss",
    "ed25519",
    "rescue",
    "ligerito",
    "std",
    "xmss,std",
    "ed25519,std",
    "rescue,std",
    "ligerito,std",
    "ligerito,parallel",
    "soundness",
    "ed25519,minisign",
    "ed25519,pkcs8",
    "ed25519,serde",
    "xmss,parallel",
    "ed25519,parallel",
    "xmss,json",
];

/// Packages outside the workspace that must build where they exist.
const OUTSIDE: &[&str] = &["fuzz"];

/// What Cargo says when it cannot reach the registry, in its several ways.
const OFFLINE: &[&str] = &[
    "failed to download",
    "download of",
    "network",
    "could not resolve",
    "couldn't resolve",
    "could not connect",
    "couldn't connect",
    "failed to connect",
    "timed out",
    "timeout",
    "offline",
    "spurious",
];

/// Runs all tests and prints the summary.
pub(crate) fn all(long: bool) -> ExitCode {
    let mut steps = Steps::new();
    if run(&mut steps, long).is_err() {
        println!("\nstopped at the first failure: later steps did not run");
    }
    steps.finish()
}

/// Builds and tests the faces called `wanted`, or all if that is empty, and prints the summary.
pub(crate) fn faces(wanted: &[&str]) -> ExitCode {
    let mut steps = Steps::new();
    if bindings::run(&mut steps, wanted).is_err() {
        println!("\nstopped at the first failure: later steps did not run");
    }
    steps.finish()
}

fn run(steps: &mut Steps, long: bool) -> Result<(), Stop> {
    // `--tests --examples` and `--doc` together are what plain `cargo test` runs.
    steps.run("tests of the workspace", &mut cargo("test --workspace --tests --examples"))?;
    // The workspace asks for some features only; the traits of other crates are behind the rest.
    steps.run(
        "tests of key files with all features",
        &mut cargo("test -p phalanx --all-features --lib formats"),
    )?;
    // What stays on the stack depends on how functions are inlined: also as the command line is built, and as one piece.
    for profile in ["release", "wasm"] {
        steps.run(
            &format!("secrets are wiped in profile {profile}"),
            &mut cargo(&format!("test -p phalanx --test zeroing --profile {profile}")),
        )?;
    }
    threads_in_every_order(steps)?;
    steps.run("examples in the documentation", &mut cargo("test --workspace --doc"))?;
    tests_on_each_backend(steps)?;
    steps.run(
        "vector files",
        &mut cargo(
            "run --quiet --release -p phalanx-cli -- selftest vectors/xmss vectors/ed25519 vectors/rescue vectors/ligerito vectors/ligerito-own vectors/ligerito-128",
        ),
    )?;
    steps.run("tour", &mut cargo("run --quiet --release -p phalanx-cli -- tour"))?;
    bindings::run(steps, &[])?;
    for features in FEATURES {
        let mut check = cargo("check -p phalanx --no-default-features");
        if !features.is_empty() {
            check.args(["--features", features]);
        }
        let name = if features.is_empty() { "no features" } else { features };
        steps.run(&format!("builds with {name}"), &mut check)?;
    }
    for folder in OUTSIDE {
        builds_outside(steps, folder)?;
    }
    if long {
        steps.run("long tests", &mut cargo("test --release --workspace --tests -- --ignored"))?;
    }
    Ok(())
}

/// The team of threads under loom, which is a dependency of this build only. Other flags than everything else: a folder of
/// its own, so that neither is built again because of the other.
fn threads_in_every_order(steps: &mut Steps) -> Result<(), Stop> {
    let mut test =
        cargo("test --release -p phalanx --no-default-features --features std,parallel --lib loom_tests");
    test.arg("--target-dir").arg(crate::target().join("loom"));
    test.env("RUSTFLAGS", "--cfg phalanx_loom").env_remove("CARGO_ENCODED_RUSTFLAGS");
    steps.run("threads in every order", &mut test)
}

fn tests_on_each_backend(steps: &mut Steps) -> Result<(), Stop> {
    let mut question = cargo("run --quiet --release -p phalanx-cli -- cpu --json");
    let backends = steps.ask("backends of this CPU", &mut question, backends::parse)?;

    let required = std::env::var("PHALANX_REQUIRE_BACKENDS").unwrap_or_default();
    let missing = backends::missing(&required, &backends);
    if !missing.is_empty() {
        let reason = format!(
            "PHALANX_REQUIRE_BACKENDS={required}, but this CPU or this build has no {}",
            missing.join(", ")
        );
        return Err(steps.fail("required backends", &reason));
    }
    for backend in &backends {
        let name = format!("tests on {}", backend.name);
        if backend.available {
            steps.run(&name, cargo("test -p phalanx --tests").env("PHALANX_BACKEND", &backend.name))?;
        } else {
            steps.not_run(&backend.name, "this CPU or this build does not have it");
        }
    }
    let available: Vec<_> =
        backends.iter().filter(|backend| backend.available).map(|backend| &*backend.name).collect();
    constant_time::run(steps, &available, cargo)
}

/// Checks that a package outside the workspace builds, unless it is absent or its dependencies are out of reach.
fn builds_outside(steps: &mut Steps, folder: &str) -> Result<(), Stop> {
    let name = format!("builds: {folder}");
    let manifest = format!("{folder}/Cargo.toml");
    if !crate::root().join(&manifest).exists() {
        steps.not_run(&name, "the folder does not exist");
        return Ok(());
    }
    let mut fetch = cargo("fetch --manifest-path");
    let fetched = fetch.arg(&manifest).stdin(Stdio::null()).output();
    let problem = match fetched {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Some(error.to_string()),
    };
    match problem {
        Some(problem) if looks_offline(&problem) => {
            steps.not_run(&name, "its dependencies could not be fetched; is this machine offline?");
            Ok(())
        }
        Some(problem) => Err(steps.fail(&name, &format!("cargo fetch: {}", problem.trim()))),
        None => {
            let mut check = cargo("check --manifest-path");
            check.arg(&manifest);
            if folder == "fuzz" {
                // A check links nothing, so libFuzzer need not be compiled, and no C++ compiler has to be there.
                check.env("CUSTOM_LIBFUZZER_PATH", Path::new("unused").join("libfuzzer.a"));
            }
            steps.run(&name, &mut check)
        }
    }
}

fn looks_offline(problem: &str) -> bool {
    let problem = problem.to_lowercase();
    OFFLINE.iter().any(|words| problem.contains(words))
}

/// Cargo in the repository's root, as the same toolchain that runs us, and with no backend forced.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.split_whitespace()).current_dir(crate::root()).env_remove("PHALANX_BACKEND");
    command
}

#[cfg(test)]
mod tests {
    use super::looks_offline;

    #[test]
    fn a_broken_manifest_is_not_mistaken_for_a_missing_network() {
        assert!(looks_offline("error: failed to get `x`\n  Could not resolve host: index.crates.io"));
        assert!(looks_offline("error: attempting to make an HTTP request, but --offline was specified"));
        assert!(!looks_offline("error: no matching package named `x` found"));
        assert!(!looks_offline("error: failed to parse manifest at `fuzz/Cargo.toml`"));
    }
}
