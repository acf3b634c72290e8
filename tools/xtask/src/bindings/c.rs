//! The C library: headers, symbols, tests in C natively and under valgrind, a client of the lean names.

use super::{folders, lines};
use crate::cargo::{cargo, target};
use crate::programs::answers;
use crate::steps::{Outcome, Steps, Stop};
use std::path::{Path, PathBuf};
use std::process::Command;

/// As strict as compilers are.
const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"];

/// What a program needs beside `libphalanx.a`.
const SYSTEM_LIBRARIES: &[&str] =
    if cfg!(target_os = "linux") { &["-lpthread", "-ldl", "-lm"] } else { &["-lpthread", "-lm"] };

/// What a failed check of valgrind ends with.
const VALGRIND: [&str; 5] = [
    "--quiet",
    "--error-exitcode=9",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect,possible",
    "--track-origins=no",
];

/// What the shared library may have on x86-64. The static command has the same kernels and a limit, which only a release would
/// meet: who adds more than this leaves room for looks at both (`cargo xtask package --only cli`).
const SHARED_BYTES_MAX: u64 = 9_000_000;

/// The vectors that a program for libsodium reads.
const FOR_SODIUM: [&str; 7] =
    ["rfc8032", "sign_input", "cctv", "speccheck", "wycheproof", "wycheproof-subgroup", "batches"];

/// Builds and tests it.
pub(super) fn run(steps: &mut Steps) -> Result<Outcome, Stop> {
    if cfg!(not(unix)) {
        return Ok(Outcome::Skipped("its tests call the compiler as Unix systems do".to_owned()));
    }
    if !answers("cc") {
        return Ok(Outcome::Skipped("no C compiler answers to `cc`".to_owned()));
    }
    let work = target().join("bindings").join("c");
    let lines = work.join("vectors");
    // Where the ledgers of the tests are made.
    let scratch = work.join("scratch");
    steps.checked("c: a folder for ledgers", renewed(&scratch).map_err(|error| error.to_string()))?;
    steps.checked(
        "c: vector files as lines",
        lines::write_all(&crate::cargo::root().join("vectors"), &lines),
    )?;
    let library = build(steps, &work)?;
    exported_symbols(steps, &library)?;
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        steps.checked("c: size of the shared library", no_larger_than(&library, SHARED_BYTES_MAX))?;
    }
    headers_compile(steps, &work)?;
    let mut programs = programs(&lines);
    programs.extend(examples(&scratch).map_err(|why| steps.fail("c: examples", &why))?);
    for program in &programs {
        program.build(steps, &work, &library)?;
        steps.run(&format!("c: {}", program.name), &mut program.command(&work, None))?;
    }
    with_shared_library(steps, &work)?;
    beside_another_rust_library(steps, &work)?;
    match (like_libsodium(steps, &work, &lines, &library)?, under_valgrind(steps, &work, &programs)?) {
        (Outcome::Ran, outcome) | (outcome, Outcome::Ran) => Ok(outcome),
        (Outcome::Skipped(one), Outcome::Skipped(other)) => Ok(Outcome::Skipped(format!("{one}; {other}"))),
    }
}

/// Makes `folder` anew, and empty.
fn renewed(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)
}

/// A test program.
struct Program {
    name: String,
    source: String,
    standard: &'static str,
    arguments: Vec<PathBuf>,
    /// What makes it short enough for valgrind; `None` if nothing does.
    shorter: Option<Vec<PathBuf>>,
    /// Whether it is linked with the library that has a function which panics.
    panics: bool,
}

/// All tests, with their arguments.
fn programs(lines: &Path) -> Vec<Program> {
    let vectors = crate::cargo::root().join("vectors");
    let keystores = vectors.join("custody").join("keystore");
    let aggregates = vectors.join("aggregate");
    let vectors = vectors.join("xmss");
    let scratch = lines.with_file_name("scratch");
    let (xmss, ed25519) = (lines.join("xmss"), lines.join("ed25519"));
    let blake2s = lines.join("xmss-blake2s");
    let program = |name: &str, source: &str, arguments: &[PathBuf], shorter: Option<&[PathBuf]>| Program {
        name: name.to_owned(),
        source: source.to_owned(),
        standard: "-std=c11",
        arguments: arguments.to_vec(),
        shorter: shorter.map(<[PathBuf]>::to_vec),
        panics: name == "panic",
    };
    let short = PathBuf::from("short");
    vec![
        program("api", "tests/api.c", &[], Some(&[])),
        program("records", "tests/records.c", &[], Some(&[])),
        program("panic", "tests/panic.c", &[], Some(&[])),
        program(
            "client of the lean names",
            "tests/lean_client.c",
            &[scratch.clone(), PathBuf::from("long")],
            Some(std::slice::from_ref(&scratch)),
        ),
        program(
            "custody",
            "tests/custody.c",
            std::slice::from_ref(&scratch),
            Some(&[scratch.clone(), short.clone()]),
        ),
        program(
            "keystores",
            "tests/keystores.c",
            &[scratch.clone(), keystores.clone()],
            Some(&[scratch.clone(), keystores, short.clone()]),
        ),
        program(
            "xmss vectors",
            "tests/vectors_xmss.c",
            &[xmss.clone(), vectors.clone()],
            Some(&[xmss, vectors, short.clone()]),
        ),
        program(
            "xmss-blake2s vectors",
            "tests/vectors_xmss_blake2s.c",
            std::slice::from_ref(&blake2s),
            Some(std::slice::from_ref(&blake2s)),
        ),
        program(
            "aggregate",
            "tests/aggregate.c",
            &[lines.join("aggregate"), aggregates.clone()],
            Some(&[lines.join("aggregate"), aggregates, short.clone()]),
        ),
        program(
            "ed25519 vectors",
            "tests/vectors_ed25519.c",
            std::slice::from_ref(&ed25519),
            Some(&[ed25519.clone(), short]),
        ),
    ]
}

/// The examples, as C99: they need no more. Where files are kept, that is in a folder which is named to all of them.
fn examples(scratch: &Path) -> Result<Vec<Program>, String> {
    let files = folders::programs(&source("examples"), "c")?;
    let program = |file: &PathBuf| {
        let name = folders::stem(file);
        Program {
            source: format!("examples/{name}.c"),
            standard: "-std=c99",
            arguments: vec![scratch.to_owned()],
            shorter: (name == "readme").then(Vec::new),
            panics: false,
            name: format!("example {name}"),
        }
    };
    Ok(files.iter().map(program).collect())
}

impl Program {
    /// Where it is built.
    fn path(&self, work: &Path) -> PathBuf {
        work.join(self.name.replace(' ', "-"))
    }

    /// Compiles and links it.
    fn build(&self, steps: &mut Steps, work: &Path, library: &Path) -> Result<(), Stop> {
        let mut compile = compiler("cc", self.standard);
        compile.arg("-g").arg(source(&self.source)).arg("-o").arg(self.path(work));
        compile.arg(if self.panics {
            work.join("with-panic").join("libphalanx.a")
        } else {
            library.to_owned()
        });
        steps.run(&format!("c: compile {}", self.source), compile.args(SYSTEM_LIBRARIES))
    }

    /// Its run, as it is, or with the arguments `shorter` under valgrind.
    fn command(&self, work: &Path, shorter: Option<&[PathBuf]>) -> Command {
        let mut command = match shorter {
            None => Command::new(self.path(work)),
            Some(_) => Command::new("valgrind"),
        };
        if shorter.is_some() {
            command.args(VALGRIND).arg(suppressed()).arg(self.path(work));
        }
        command.args(shorter.unwrap_or(&self.arguments));
        // A panic on purpose needs no backtrace.
        command.env("RUST_BACKTRACE", "0").env_remove("PHALANX_BACKEND");
        command
    }
}

/// Builds the library: first with the function that panics, which is put aside, then as it is shipped. Both have the
/// same dependencies, which are built once; what is linked for one test is not optimised again.
fn build(steps: &mut Steps, work: &Path) -> Result<PathBuf, Stop> {
    let built = target().join("release").join("libphalanx.a");
    let package = "--locked --release --package phalanx-c";
    let with_panic =
        format!("rustc {package} --lib --crate-type staticlib --features panic-test -- -C opt-level=0");
    steps.run("c: the library with a panic", &mut cargo(&with_panic))?;
    let aside = work.join("with-panic");
    let copied =
        std::fs::create_dir_all(&aside).and_then(|()| std::fs::copy(&built, aside.join("libphalanx.a")));
    if let Err(error) = copied {
        return Err(steps.fail("c: the library with a panic", &error.to_string()));
    }
    steps.run("c: the library", &mut cargo(&format!("build {package}")))?;
    Ok(built)
}

/// The shared library beside `library` has at most `max` bytes.
fn no_larger_than(library: &Path, max: u64) -> Result<(), String> {
    let len = std::fs::metadata(library.with_extension("so")).map_err(|error| error.to_string())?.len();
    if len > max { Err(format!("it has {len} bytes, and the limit is {max}")) } else { Ok(()) }
}

/// The shared library exports our names only, and is asked for by the name that its version gives.
fn exported_symbols(steps: &mut Steps, library: &Path) -> Result<(), Stop> {
    let name = "c: symbols of the shared library";
    if !cfg!(target_os = "linux") || !answers("nm") || !answers("readelf") {
        steps.not_run(name, "it is looked at with nm and readelf, on Linux");
        return Ok(());
    }
    let shared = library.with_extension("so");
    steps.ask(name, Command::new("nm").args(["-D", "--defined-only"]).arg(&shared), |symbols| {
        let names: Vec<_> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
        let ours = |name: &&&str| name.starts_with("phalanx_") || name.starts_with("pq_");
        let others: Vec<_> = names.iter().filter(|name| !ours(name)).collect();
        if !others.is_empty() {
            return Err(format!("it also exports {others:?}"));
        }
        if names.contains(&"phalanx_panic_test") || !names.contains(&"phalanx_xmss_sign") {
            return Err("it is not the library that is shipped".to_owned());
        }
        Ok(())
    })?;
    steps.ask("c: name of the shared library", Command::new("readelf").arg("-d").arg(&shared), |dynamic| {
        let wanted = format!("[{}]", soname());
        if dynamic.contains(&wanted) { Ok(()) } else { Err(format!("no soname {wanted}")) }
    })
}

/// `libphalanx.so.` and what callers rely on of the version: see `bindings/c/build.rs`.
fn soname() -> String {
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    if major == "0" { format!("libphalanx.so.0.{minor}") } else { format!("libphalanx.so.{major}") }
}

/// The headers alone, in every language that includes them, without a warning.
fn headers_compile(steps: &mut Steps, work: &Path) -> Result<(), Stop> {
    let file = work.join("headers.c");
    let text = "#include <phalanx_sodium.h>\n#include <phalanx_pq.h>\n#include <phalanx.h>\nint main(void) { return 0; }\n";
    if let Err(error) = std::fs::write(&file, text) {
        return Err(steps.fail("c: headers", &error.to_string()));
    }
    for (program, language, standard) in [
        ("cc", "c", "-std=c99"),
        ("cc", "c", "-std=c11"),
        ("g++", "c++", "-std=c++11"),
        ("g++", "c++", "-std=c++20"),
        ("clang", "c", "-std=c11"),
    ] {
        let name = format!("c: headers by {program} {standard}");
        if !answers(program) {
            steps.not_run(&name, &format!("{program} does not answer"));
            continue;
        }
        let mut compile = compiler(program, standard);
        compile.args(["-x", language, "-fsyntax-only"]).arg(&file);
        steps.run(&name, &mut compile)?;
    }
    for test in [
        "tests/aggregate.c",
        "tests/api.c",
        "tests/records.c",
        "tests/vectors_xmss.c",
        "tests/vectors_xmss_blake2s.c",
        "tests/vectors_ed25519.c",
    ] {
        let mut compile = compiler("cc", "-std=c99");
        steps.run(&format!("c: {test} as C99"), compile.arg("-fsyntax-only").arg(source(test)))?;
    }
    Ok(())
}

/// The README's example with the shared library, found by its name.
fn with_shared_library(steps: &mut Steps, work: &Path) -> Result<(), Stop> {
    let name = "c: README example with the shared library";
    if !cfg!(target_os = "linux") {
        steps.not_run(name, "it is tried on Linux");
        return Ok(());
    }
    let folder = work.join("shared");
    let built = target().join("release").join("libphalanx.so");
    let copied = std::fs::create_dir_all(&folder).and_then(|()| {
        std::fs::copy(&built, folder.join(soname()))?;
        std::fs::copy(&built, folder.join("libphalanx.so"))
    });
    if let Err(error) = copied {
        return Err(steps.fail(name, &error.to_string()));
    }
    let program = work.join("readme-shared");
    let mut compile = compiler("cc", "-std=c99");
    compile.arg(source("examples/readme.c")).arg("-o").arg(&program).arg("-L").arg(&folder).arg("-lphalanx");
    steps.run("c: link the shared library", &mut compile)?;
    steps.run(name, Command::new(program).env("LD_LIBRARY_PATH", &folder))
}

/// As the README says: with one symbol renamed, the static library can be linked beside one of another Rust version. A
/// panic is caught there too.
fn beside_another_rust_library(steps: &mut Steps, work: &Path) -> Result<(), Stop> {
    let name = "c: beside another Rust library";
    if !cfg!(target_os = "linux") || !answers("objcopy") {
        steps.not_run(name, "it needs objcopy, on Linux");
        return Ok(());
    }
    let (library, program) = (work.join("with-panic").join("libphalanx-beside.a"), work.join("beside"));
    let mut rename = Command::new("objcopy");
    for symbol in ["rust_eh_personality", "DW.ref.rust_eh_personality"] {
        rename.args(["--redefine-sym", &format!("{symbol}={}", symbol.replace("rust_", "phalanx_rust_"))]);
    }
    rename.arg(work.join("with-panic").join("libphalanx.a")).arg(&library);
    steps.run("c: rename the personality", &mut rename)?;
    let mut compile = compiler("cc", "-std=c99");
    compile.arg(source("tests/panic.c")).arg(source("tests/personality.c"));
    compile.arg("-o").arg(&program).arg(&library).args(SYSTEM_LIBRARIES);
    steps.run("c: link beside another Rust library", &mut compile)?;
    steps.run(name, Command::new(program).env("RUST_BACKTRACE", "0"))
}

/// A program for libsodium says the same, word for word, when it is compiled against us: its signatures, and what it lets
/// verify of all that is crafted to be judged differently.
fn like_libsodium(steps: &mut Steps, work: &Path, lines: &Path, library: &Path) -> Result<Outcome, Stop> {
    let has_sodium = Command::new("pkg-config").args(["--exists", "libsodium"]).status();
    if !has_sodium.is_ok_and(|status| status.success()) {
        return Ok(Outcome::Skipped(
            "the comparison with libsodium (it is not installed: libsodium-dev)".to_owned(),
        ));
    }
    let mut said = Vec::new();
    for (name, is_ours) in [("libsodium", false), ("phalanx_sodium.h", true)] {
        let program = work.join(format!("sodium-{name}"));
        let mut compile = compiler("cc", "-std=c99");
        compile.arg(source("tests/sodium.c")).arg("-o").arg(&program);
        if is_ours {
            compile.arg("-DWITH_PHALANX").arg(library).args(SYSTEM_LIBRARIES);
        } else {
            compile.arg("-lsodium");
        }
        steps.run(&format!("c: compile tests/sodium.c with {name}"), &mut compile)?;
        let mut run = Command::new(program);
        run.args(FOR_SODIUM.map(|file| lines.join("ed25519").join(file).with_extension("lines")));
        said.push(
            steps.ask(&format!("c: tests/sodium.c with {name}"), &mut run, |text| Ok(text.to_owned()))?,
        );
    }
    let verdicts = |verdict: &str| said[0].lines().filter(|line| *line == verdict).count();
    let outcome = if verdicts("verify 0") < 500 || verdicts("verify -1") < 500 {
        Err("libsodium judged too little".to_owned())
    } else {
        match said[0].lines().zip(said[1].lines()).position(|(theirs, ours)| theirs != ours) {
            Some(line) => Err(format!("line {} differs", line + 1)),
            None if said[0] == said[1] => Ok(()),
            None => Err("one says more than the other".to_owned()),
        }
    };
    steps.checked("c: the same as libsodium", outcome)?;
    Ok(Outcome::Ran)
}

/// All programs once more, under valgrind.
fn under_valgrind(steps: &mut Steps, work: &Path, programs: &[Program]) -> Result<Outcome, Stop> {
    if !answers("valgrind") {
        let reason = "valgrind does not answer; install it (package `valgrind`)";
        if std::env::var_os("PHALANX_REQUIRE_VALGRIND").is_some() {
            return Err(steps.fail("c: valgrind", reason));
        }
        return Ok(Outcome::Skipped(format!("only its run under valgrind is left out: {reason}")));
    }
    for program in programs {
        if let Some(shorter) = &program.shorter {
            steps.run(
                &format!("c: {} under valgrind", program.name),
                &mut program.command(work, Some(shorter)),
            )?;
        }
    }
    Ok(Outcome::Ran)
}

/// What valgrind does not count.
fn suppressed() -> String {
    format!("--suppressions={}", source("tests/valgrind.supp").display())
}

/// A strict compiler that finds our headers, also under the name that lean clients include.
fn compiler(program: &str, standard: &str) -> Command {
    let mut command = Command::new(program);
    let include = source("include");
    command.args(STRICT).arg(standard).arg("-I").arg(&include).arg("-I").arg(include.join("lean"));
    command
}

/// A file of the package.
fn source(path: &str) -> PathBuf {
    crate::cargo::root().join("bindings").join("c").join(path)
}
