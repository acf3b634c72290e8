//! aarch64: the library's tests under `qemu-user`, with the NEON kernels. Ed25519's are left out: it has no kernels for
//! aarch64, and under emulation its tests take longer than all others together.

use std::path::Path;
use std::process::Command;

use super::debian_rust::{Cargo, as_root, cargo_for};
use crate::cargo::root;
use crate::programs::said;
use crate::steps::{Outcome, Steps, Stop};

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The emulator, the linker and the C library that programs for the target are linked with.
const PACKAGES: &str = "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross";

/// Where the last of them lies; the emulator looks there for what programs load.
const SYSTEM: &str = "/usr/aarch64-linux-gnu";

/// The tests inside the crates: kernels, schemes and vector files.
const TESTS: &str = "test -p phalanx-core -p phalanx-xmss -p phalanx-rescue -p phalanx-ligerito --lib \
                     --features phalanx-ligerito/ref-v08";

/// Tests that prove that kernels are among what ran.
const AMONG_THEM: [&str; 4] = [
    "neon_keeps_the_contract",
    "keccak::tests::every_backend_equals_portable",
    "permutation::tests::every_count_on_every_backend",
    "both_ways_of_detection_agree",
];

/// Of all tests, what the extensions of NEON matter to, and a scheme that is built on it.
const WITHOUT_EXTENSIONS: [&str; 3] = ["simd", "keccak", "small_keys_end_to_end_on_every_backend"];

/// Builds and tests it.
pub(super) fn run(steps: &mut Steps) -> Result<Outcome, Stop> {
    if cfg!(target_arch = "aarch64") {
        println!("aarch64: this is one, and the tests of the workspace run the NEON kernels");
        return Ok(Outcome::Ran);
    }
    if let Err(why) = emulator() {
        return Ok(Outcome::Skipped(format!("no emulator or no linker for aarch64: {why}")));
    }
    let cargo = match cargo_for(TARGET) {
        Ok(cargo) => cargo,
        Err(why) => return Ok(Outcome::Skipped(why)),
    };
    println!("aarch64: compiled by {}", cargo.described());

    let mut list = tests(&cargo, "max");
    list.args(["--", "--list"]);
    steps.ask("aarch64: the tests are there", &mut list, |names| {
        match AMONG_THEM.iter().find(|test| !names.contains(*test)) {
            Some(missing) => Err(format!("there is no test `{missing}`")),
            None => Ok(()),
        }
    })?;
    // Exact arithmetic on integers of any size is the same everywhere, and slow in emulation.
    let mut whole = tests(&cargo, "max");
    whole.args(["--", "--skip", "soundness"]);
    steps.run("aarch64: tests on NEON", &mut whole)?;
    // The witness must not promise what the CPU lacks: an instruction of SHA-3 would end the emulator here.
    let mut plain = tests(&cargo, "cortex-a72");
    plain.arg("--").args(WITHOUT_EXTENSIONS);
    steps.run("aarch64: tests on a CPU without SHA-3 instructions", &mut plain)?;
    Ok(Outcome::Ran)
}

/// The tests, on an emulated CPU of this model.
fn tests(cargo: &Cargo, cpu: &str) -> Command {
    let mut command = cargo.command(TESTS, "");
    command.env("RUSTC_WORKSPACE_WRAPPER", root().join("tools/xtask/src/bindings/tests_alone.sh"));
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", format!("qemu-aarch64 -L {SYSTEM}"));
    // The portable code is the same everywhere, and slow in emulation.
    command.env("QEMU_CPU", cpu).env("PHALANX_BACKEND", "neon").env("PHALANX_TESTS_ONE_BACKEND", "1");
    // What the machine itself has to have is not asked of the emulated one.
    command.env("PHALANX_REQUIRE_BACKENDS", "neon");
    command
}

/// Sees to it that emulator and linker are there.
fn emulator() -> Result<(), String> {
    if present().is_ok() {
        return Ok(());
    }
    let install =
        || said(&mut as_root(&format!("apt-get install -qq -y --no-install-recommends {PACKAGES}")));
    // A machine that never asked has no lists of packages.
    install().or_else(|_| said(&mut as_root("apt-get update -qq")).and_then(|_| install()))?;
    present()
}

fn present() -> Result<(), String> {
    said(Command::new("qemu-aarch64").arg("--version"))?;
    said(Command::new("aarch64-linux-gnu-gcc").arg("--version"))?;
    let start = Path::new(SYSTEM).join("lib/crt1.o");
    if start.exists() { Ok(()) } else { Err(format!("{} is missing", start.display())) }
}
