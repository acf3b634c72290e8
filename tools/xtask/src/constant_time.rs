//! The constant-time test: Ed25519 signing, Rescue, and keys of XMSS over BLAKE2s under valgrind, with their secrets marked
//! undefined.

use std::process::{Command, Stdio};

use crate::steps::{Steps, Stop};

/// What valgrind can run; the second with ADX. It knows no AVX-512: `cargo bench -p phalanx --bench timing_ed25519` looks at that.
const BACKENDS: [&str; 2] = ["portable", "avx2"];

/// What the step is called.
const NAME: &str = "constant time under valgrind";

/// Runs the test on `available` backends. Without valgrind that is said, or fails if `PHALANX_REQUIRE_VALGRIND` is set.
pub(crate) fn run(
    steps: &mut Steps,
    available: &[&str],
    cargo: impl Fn(&str) -> Command,
) -> Result<(), Stop> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        steps.not_run(NAME, "its requests to valgrind are written for x86-64 Linux");
        return Ok(());
    }
    let quietly = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    if !quietly(Command::new("valgrind").arg("--version")).is_ok_and(|status| status.success()) {
        let reason = "valgrind does not answer; install it (package `valgrind`)";
        if std::env::var_os("PHALANX_REQUIRE_VALGRIND").is_some() {
            return Err(steps.fail(NAME, reason));
        }
        steps.not_run(NAME, reason);
        return Ok(());
    }
    // Other flags than everything else: in a folder of its own, neither is built again because of the other.
    for backend in BACKENDS.iter().filter(|backend| available.contains(backend)) {
        let mut test = cargo(
            "test --release -p phalanx --no-default-features --features std,ed25519,rescue,xmss,hazmat",
        );
        // Errors count, and those that the checks of the checks make on purpose are many: it must not stop after a thousand.
        test.args(["--config", "target.'cfg(all())'.runner='valgrind --quiet --error-limit=no'"]);
        test.arg("--target-dir").arg(crate::cargo::target().join("taint"));
        test.args(["--test", "constant_time", "--", "--test-threads=1"]);
        test.env("PHALANX_BACKEND", backend).env("RUSTFLAGS", "--cfg phalanx_taint");
        test.env_remove("CARGO_ENCODED_RUSTFLAGS");
        steps.run(&format!("{NAME}, {backend}"), &mut test)?;
    }
    Ok(())
}
