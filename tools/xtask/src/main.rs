//! The chores of the repository: `cargo xtask test`, `cargo xtask bindings`, `cargo xtask fuzz`, `cargo xtask help`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a command line tool speaks on standard output")]

mod backends;
mod bindings;
mod constant_time;
mod fuzz;
mod steps;
mod test;
mod vectors;

use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test [--long]
    Runs all tests: the workspace's, the library's once more on every backend this CPU has, the vector files, the tour,
    the faces in other languages, and a build check of the feature combinations. With --long also the tests that are
    ignored for their duration. Stops at the first failure. The last line is `N passed, M failed` and counts steps.
    PHALANX_REQUIRE_BACKENDS=avx2,avx512 makes it a failure when one of these backends is absent.
    With valgrind, also the constant-time test; PHALANX_REQUIRE_VALGRIND=1 makes it a failure when valgrind is absent.

cargo xtask bindings [NAME...]
    Builds and tests the faces in other languages: all, or those named (c, cpp, zig, python, wasm, neon). Installs by
    package name, below target/bindings/, what they need; a face that cannot run here is named as not run.
    PHALANX_REQUIRE_BINDINGS=c,zig makes that a failure for the faces named.

cargo xtask vectors PATH... [--backend all|NAME] [--threads N] [--json]
    Runs the vector files below PATH: every case, on every backend of this CPU. Exit code 1 if a case fails, 2 if something
    is not recognised, empty, or there is nothing to run. The last line is `N passed, M failed`.

cargo xtask fuzz [SECONDS]
    Runs every target of fuzz/ for SECONDS (60 unless told otherwise). Needs nightly Rust and cargo-fuzz.

cargo xtask help
    Prints this text.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["test"] => test::all(false),
        ["test", "--long"] => test::all(true),
        ["bindings", wanted @ ..] => {
            match wanted.iter().find(|name| !bindings::names().any(|face| face == **name)) {
                None => test::faces(wanted),
                Some(unknown) => usage(&format!("there is no face `{unknown}`")),
            }
        }
        ["vectors", arguments @ ..] => vectors::run(arguments),
        ["fuzz"] => fuzz::all(60),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds @ 1..) => fuzz::all(seconds),
            _ => usage(&format!("SECONDS is a whole number above zero, not `{seconds}`")),
        },
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        [] => usage("which chore?"),
        other => usage(&format!("unknown command `{}`", other.join(" "))),
    }
}

fn usage(problem: &str) -> ExitCode {
    eprintln!("xtask: error: {problem}");
    eprint!("{HELP}");
    ExitCode::from(2)
}

/// The repository's root. Cargo tells where the package is at run time; a moved binary falls back on where it was built.
fn root() -> PathBuf {
    let package =
        std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    let root = PathBuf::from(package).join("../..");
    root.canonicalize().map_or(root, simplified)
}

/// Cargo's target folder: a relative one is seen from the root, where we start Cargo.
fn target() -> PathBuf {
    let given = std::env::var_os("CARGO_TARGET_DIR");
    root().join(given.map_or_else(|| "target".into(), PathBuf::from))
}

/// Without the `\\?\` that Windows puts before canonical paths, and that some programs do not understand.
fn simplified(path: PathBuf) -> PathBuf {
    path.to_str().and_then(|text| text.strip_prefix(r"\\?\")).map(PathBuf::from).unwrap_or(path)
}
