//! C++: wrapper header, CMake package, pkg-config, benchmark.

use super::folders;
use crate::cargo::{root, target};
use crate::programs::answers;
use crate::steps::{Outcome, Steps, Stop};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What these steps cannot do without, by Debian's package names: cmake, make, gcc, g++, clang, pkg-config. What it
/// would like beside them: libclang-rt-dev, libbenchmark-dev, valgrind.
const PROGRAMS: &[&str] = &["cmake", "make", "gcc", "g++", "clang", "clang++", "pkg-config"];

/// The test programs that also run under valgrind, with their second argument.
const UNDER_VALGRIND: &[(&str, Option<&str>)] = &[
    ("aggregate", Some("brief")),
    ("core", None),
    ("no_exceptions", None),
    ("example", None),
    ("rescue", None),
    ("rescue_prime", None),
    ("ligerito", None),
    ("xmss", None),
    ("ed25519", Some("brief")),
];

/// Builds and tests it.
pub(super) fn run(steps: &mut Steps) -> Result<Outcome, Stop> {
    let missing: Vec<_> = PROGRAMS.iter().copied().filter(|program| !answers(program)).collect();
    if !missing.is_empty() {
        return Ok(Outcome::Skipped(format!("not installed: {}", missing.join(", "))));
    }
    let mut left_out = Vec::new();
    let places = Places::new();
    if let Err(problem) = example_is_the_printed_one(&places.root.join("bindings/c")) {
        return Err(steps.fail("C++: the example of CPP.md", &problem));
    }
    let has_benchmark = has_google_benchmark();
    if !has_benchmark {
        left_out.push("the benchmark (Google Benchmark is not installed: libbenchmark-dev)");
    }

    // g++, and everything that hangs on it.
    let bench = format!("-DPHALANX_BENCH={}", if has_benchmark { "ON" } else { "OFF" });
    let options = ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_CXX_FLAGS=-O1", &bench];
    let gcc = places.folder("gcc");
    places.build_and_test(steps, "g++", &gcc, &options)?;
    if has_benchmark {
        let mut bench = Command::new(gcc.join("bench/phalanx_bench_rescue"));
        steps.run("C++: benchmark runs", bench.arg("--benchmark_min_time=0.01"))?;
    }
    if answers("valgrind") {
        for (program, argument) in UNDER_VALGRIND {
            under_valgrind(steps, &gcc, program, *argument)?;
        }
    } else {
        left_out.push("the tests under valgrind (not installed)");
    }

    // clang++, with what it knows of undefined behaviour and of memory.
    let (name, flags) = if has_sanitizers() {
        ("clang++ with sanitizers", "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all")
    } else {
        left_out.push("the sanitizers (clang's run-time library is not installed: libclang-rt-dev)");
        ("clang++", "-O1")
    };
    let flags = format!("-DCMAKE_CXX_FLAGS={flags}");
    let options = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++", &flags];
    places.build_and_test(steps, name, &places.folder("clang"), &options)?;

    places.packages(steps, &gcc)?;
    if left_out.is_empty() { Ok(Outcome::Ran) } else { Ok(Outcome::Skipped(left_out.join("; "))) }
}

/// Where things are built.
struct Places {
    /// The repository.
    root: PathBuf,
    /// Cargo's target folder.
    target: PathBuf,
}

impl Places {
    fn new() -> Self {
        let root = root();
        Self { root, target: target() }
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.target.join("bindings/cpp").join(name)
    }

    /// Cargo builds in the folder where everything else is built.
    fn cargo_target(&self) -> String {
        format!("-DPHALANX_CARGO_TARGET_DIR={}", self.target.display())
    }

    fn configure(
        &self,
        steps: &mut Steps,
        name: &str,
        from: &Path,
        to: &Path,
        options: &[&str],
    ) -> Result<(), Stop> {
        let mut cmake = Command::new("cmake");
        cmake.arg("-S").arg(from).arg("-B").arg(to).args(["-G", "Unix Makefiles"]);
        cmake.arg(self.cargo_target()).args(options).stdout(Stdio::null());
        steps.run(&format!("C++: configure {name}"), &mut cmake)
    }

    fn build_and_test(&self, steps: &mut Steps, name: &str, to: &Path, options: &[&str]) -> Result<(), Stop> {
        let options: Vec<_> = options.iter().copied().chain(["-DPHALANX_TESTS=ON"]).collect();
        self.configure(
            steps,
            &format!("the tests with {name}"),
            &self.root.join("bindings/c"),
            to,
            &options,
        )?;
        build(steps, &format!("the tests with {name}"), to)?;
        steps.run(&format!("C++: tests with {name}"), &mut ctest(to))
    }

    /// Installs what was built in `built`, and builds a project on it in every way that there is.
    fn packages(&self, steps: &mut Steps, built: &Path) -> Result<(), Stop> {
        let (prefix, project) = (self.folder("installed"), self.root.join("bindings/c/tests/consumer"));
        // What is no longer installed must not be found either.
        std::fs::remove_dir_all(&prefix).ok();
        let mut install = Command::new("cmake");
        install.arg("--install").arg(built).arg("--prefix").arg(&prefix).stdout(Stdio::null());
        steps.run("C++: install", &mut install)?;

        let version = format!("-DWANTED_VERSION={}", env!("CARGO_PKG_VERSION"));
        let installed = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
        let (folder, name) = (self.folder("consumer"), "a project with find_package");
        self.configure(steps, name, &project, &folder, &[&version, &installed])?;
        build(steps, name, &folder)?;
        steps.run(&format!("C++: {name}"), &mut ctest(&folder))?;

        let source = format!("-DPHALANX_SOURCE={}", self.root.display());
        let (folder, name) = (self.folder("consumer-from-source"), "a project with FetchContent");
        self.configure(steps, name, &project, &folder, &[&source])?;
        build(steps, name, &folder)?;
        steps.run(&format!("C++: {name}"), &mut ctest(&folder))?;

        self.with_pkg_config(steps, &prefix, &project)?;
        self.without_rust(steps, &project)
    }

    /// The packages once more, from libraries that are built already, where no Cargo is to be found.
    fn without_rust(&self, steps: &mut Steps, project: &Path) -> Result<(), Stop> {
        let (tree, prefix) = (self.folder("prebuilt"), self.folder("installed-prebuilt"));
        for old in [&tree, &prefix] {
            std::fs::remove_dir_all(old).ok();
        }
        let cmake = || {
            let mut cmake = Command::new("cmake");
            cmake.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", &tree).env_remove("CARGO_HOME");
            cmake.stdout(Stdio::null());
            cmake
        };
        let mut configure = cmake();
        configure.arg("-S").arg(self.root.join("bindings/c")).arg("-B").arg(&tree);
        configure.arg(format!("-DPHALANX_PREBUILT_DIR={}", self.target.join("release").display()));
        steps.run("C++: configure with libraries that are built", &mut configure)?;
        steps.run("C++: build it", cmake().arg("--build").arg(&tree))?;
        steps.run("C++: install it", cmake().arg("--install").arg(&tree).arg("--prefix").arg(&prefix))?;
        let licences = prefix.join("share/licenses/phalanx/LICENSE-MIT");
        let there = if licences.is_file() { Ok(()) } else { Err(format!("no {}", licences.display())) };
        steps.checked("C++: licences are installed", there)?;
        let folder = self.folder("consumer-prebuilt");
        let mut configure = cmake();
        configure.arg("-S").arg(project).arg("-B").arg(&folder);
        configure.arg(format!("-DWANTED_VERSION={}", env!("CARGO_PKG_VERSION")));
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        steps.run("C++: configure a project with them", &mut configure)?;
        steps.run("C++: build the project", cmake().arg("--build").arg(&folder))?;
        steps.run("C++: run the project", &mut ctest(&folder))
    }

    fn with_pkg_config(&self, steps: &mut Steps, prefix: &Path, project: &Path) -> Result<(), Stop> {
        let libraries = prefix.join(library_folder(prefix));
        let search = libraries.join("pkgconfig");
        let mut asked = |what: &str, arguments: &[&str]| {
            let mut command = Command::new("pkg-config");
            command.env("PKG_CONFIG_PATH", &search).args(arguments).arg("phalanx");
            steps.ask(&format!("C++: pkg-config {what}"), &mut command, |text| Ok(text.trim().to_owned()))
        };
        let version = asked("version", &["--modversion"])?;
        let shared = asked("flags", &["--cflags", "--libs"])?;
        let fixed = asked("flags for static programs", &["--static", "--cflags", "--libs"])?;
        if version != env!("CARGO_PKG_VERSION") {
            return Err(steps.fail("C++: pkg-config version", &format!("it says {version}")));
        }
        let program = self.folder("with-pkg-config");
        let mut compile = Command::new("g++");
        compile.arg("-std=c++20").arg(project.join("main.cpp")).arg("-o").arg(&program);
        compile.args(shared.split_whitespace()).arg(format!("-Wl,-rpath,{}", libraries.display()));
        steps.run("C++: compile with pkg-config", &mut compile)?;
        steps.run("C++: a program with pkg-config", &mut Command::new(&program))?;
        let mut compile = Command::new("gcc");
        compile
            .arg("-static")
            .arg(project.join("main.c"))
            .arg("-o")
            .arg(&program)
            .args(fixed.split_whitespace());
        // The linker warns about what Rust's standard library could do with host names.
        compile.stderr(Stdio::null());
        steps.run("C: compile a static program with pkg-config", &mut compile)?;
        steps.run("C: a static program with pkg-config", &mut Command::new(&program))?;
        self.examples(steps, &shared, &libraries)
    }

    /// The examples, compiled as they say, with all that compilers warn about.
    fn examples(&self, steps: &mut Steps, flags: &str, libraries: &Path) -> Result<(), Stop> {
        let folder = self.root.join("bindings/c/examples");
        let examples = folders::programs(&folder, "cpp").map_err(|why| steps.fail("C++: examples", &why))?;
        for example in examples {
            let name = folders::stem(&example);
            let program = self.folder(&format!("example-{name}"));
            let mut compile = Command::new("clang++");
            compile.args("-std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror".split(' '));
            compile.arg(&example).arg("-o").arg(&program).args(flags.split_whitespace());
            compile.arg(format!("-Wl,-rpath,{}", libraries.display()));
            steps.run(&format!("C++: compile example {name}"), &mut compile)?;
            steps.run(&format!("C++: example {name}"), &mut Command::new(&program))?;
        }
        Ok(())
    }
}

/// Where below `prefix` the libraries were installed: the name depends on the system.
fn library_folder(prefix: &Path) -> PathBuf {
    let folders =
        [PathBuf::from("lib64"), Path::new("lib").join(format!("{}-linux-gnu", std::env::consts::ARCH))];
    folders
        .into_iter()
        .find(|folder| prefix.join(folder).join("pkgconfig").exists())
        .unwrap_or_else(|| "lib".into())
}

fn build(steps: &mut Steps, name: &str, folder: &Path) -> Result<(), Stop> {
    let mut build = Command::new("cmake");
    build.arg("--build").arg(folder).args(["--parallel", "2"]).stdout(Stdio::null());
    steps.run(&format!("C++: build {name}"), &mut build)
}

fn ctest(folder: &Path) -> Command {
    let mut ctest = Command::new("ctest");
    ctest.current_dir(folder).args(["--output-on-failure", "--no-tests=error"]);
    ctest
}

fn under_valgrind(
    steps: &mut Steps,
    built: &Path,
    program: &str,
    argument: Option<&str>,
) -> Result<(), Stop> {
    let mut valgrind = Command::new("valgrind");
    // What is "possibly lost" is the handle that Rust's standard library keeps of the main thread.
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
    valgrind.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
    valgrind.arg(built.join("tests/cpp").join(format!("phalanx_test_{program}")));
    valgrind.arg(root().join("vectors")).args(argument);
    steps.run(&format!("C++: {program} under valgrind"), &mut valgrind)
}

/// The code in CPP.md is the program that is run, but for the remark at its head.
fn example_is_the_printed_one(folder: &Path) -> Result<(), String> {
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| format!("bindings/c/{name}: {error}"))
    };
    let (document, program) = (read("CPP.md")?, read("tests/cpp/example.cpp")?);
    let printed = document.split_once("```cpp\n").and_then(|(_, rest)| rest.split_once("```"));
    let (_, wanted) = program.split_once('\n').unwrap_or_default();
    if printed.is_some_and(|(printed, _)| printed == wanted) {
        Ok(())
    } else {
        Err("the code there is not tests/cpp/example.cpp".to_owned())
    }
}

/// Whether clang has the library that programs with AddressSanitizer are linked with.
fn has_sanitizers() -> bool {
    let answer = Command::new("clang++").arg("-print-runtime-dir").stdin(Stdio::null()).output();
    let folder = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
    let entries = folder.ok().and_then(|folder| std::fs::read_dir(folder).ok());
    entries.is_some_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().contains("asan"))
    })
}

fn has_google_benchmark() -> bool {
    let mut command = Command::new("pkg-config");
    command.args(["--exists", "benchmark"]).stdin(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
