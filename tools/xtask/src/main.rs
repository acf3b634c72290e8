//! The chores of the repository: `cargo xtask test`, `cargo xtask bindings`, `cargo xtask fuzz`, `cargo xtask help`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a command line tool speaks on standard output")]

mod backends;
mod benchmarks;
mod beside;
mod bindings;
mod cargo;
mod compare;
mod constant_time;
mod counts;
mod features;
mod fuzz;
mod package;
mod peers;
mod programs;
mod rest;
mod rules;
mod steps;
mod test;
mod vectors;

use std::process::ExitCode;
use steps::Steps;

const HELP: &str = "\
cargo xtask test
    What to run before a change: the rules of the repository, the tests of the workspace (every kernel on every backend
    of this CPU, the documentation's examples), the example programs, the vector files and the tour. The bindings and the
    comparison with other implementations are not among them. Stops at the first failure. The last line is `N passed, M
    failed` and counts steps. PHALANX_REQUIRE_BACKENDS=avx2,avx512-ifma makes it a failure when one of these backends is
    absent.

cargo xtask test --all
    The long rest, which does not repeat the above: the library's tests with each backend but the best forced, comparison
    with other implementations, the wiping of secrets in the profiles of release, the threads in every order (loom), constant time
    under valgrind, the bindings, the combinations of features, what packages contain, the fuzz targets' build.
    PHALANX_REQUIRE_VALGRIND=1 makes it a failure when valgrind is absent.

cargo xtask test --long
    The tests that are ignored for their duration, in release.

cargo xtask bindings [NAME...]
    Builds and tests the bindings for other languages: all, or those named (c, cpp, zig, python, wasm, neon). Installs by
    package name, below target/bindings/, what they need; one that cannot run here is named as not run.
    PHALANX_REQUIRE_BINDINGS=c,zig makes that a failure for those named.

cargo xtask compare [SYSTEM...] [--builds plain,haswell,native] [--record DATE-MACHINE]
    Builds the published peers in each way, runs them beside ours in one process, on the backends that belong there, and
    prints the ratios: above 1, phalanx is faster. A backend that this CPU lacks is named as not run. With --record the rows
    become files of docs/measurements, else of target/compare.

cargo xtask counts [OPERATION...]
    Counts the instructions that ran, of operations whose name begins so, on every backend of this CPU, and what LLVM's
    models of five CPUs make of them: a file for each backend in docs/counts. To see what a change did to CPUs that are not
    at hand. Needs LLVM 19 or later, and Linux on x86-64.

cargo xtask benchmarks [--check]
    Makes BENCHMARKS.md and the README's table of speed from docs/measurements. With --check it writes nothing, and fails
    where they differ.

cargo xtask package [OUT] [--only PART,...] [--check]
    Makes everything that a release consists of, for this machine's system, in OUT (target/package/out unless told
    otherwise): C archive, wheels, command line, Zig package, npm package, packages for Cargo's registry (parts c, python,
    threaded-python, musl-python, cli, zig, npm, crates), with SHA256SUMS, lists of what went in (CycloneDX) and licences.
    On Linux needs Zig, maturin and the like, which it installs from PyPI; a C compiler, CMake, strip. What is too large, or
    names a folder of this machine, is a failure. With --check it installs what is in OUT in empty folders, without Rust
    on the path, and uses it; PHALANX_THREADED_PYTHON names a free-threaded interpreter that is not on the path.

cargo xtask rules
    The rules of the repository that neither Cargo nor a lint can see: the sizes of files, imports between files in a
    circle, tests in what is built without them, links of documents, the table of examples, paths of somebody's machine,
    versions. A step of `cargo xtask test`.

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
        ["test"] => Steps::all(test::run),
        ["test", "--all"] => Steps::all(rest::run),
        ["test", "--long"] => Steps::all(test::long),
        ["bindings", wanted @ ..] => {
            match wanted.iter().find(|name| !bindings::names().any(|known| known == **name)) {
                None => Steps::all(|steps| bindings::run(steps, wanted)),
                Some(unknown) => usage(&format!("there is no binding `{unknown}`")),
            }
        }
        ["vectors", arguments @ ..] => vectors::run(arguments),
        ["compare", arguments @ ..] => match compare::Options::read(arguments) {
            Ok(options) => Steps::all(|steps| compare::run(steps, &options)),
            Err(problem) => usage(&problem),
        },
        ["counts", operations @ ..] => counts::run(operations),
        ["benchmarks"] => benchmarks::run(false),
        ["benchmarks", "--check"] => benchmarks::run(true),
        ["package", arguments @ ..] => match package::Options::read(arguments) {
            Ok(options) => Steps::all(|steps| package::run(steps, &options)),
            Err(problem) => usage(&problem),
        },
        ["rules"] => Steps::all(rules::run),
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
