//! `cargo xtask test`: what to run before a change.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::backends;
use crate::benchmarks;
use crate::beside::Beside;
use crate::cargo::{cargo, root};
use crate::rules;
use crate::steps::{Steps, Stop};

/// The packages whose tests are run: all but the Python and WebAssembly packages, which have their own ways, and `compare`,
/// what is for other people's provers, and `phalanx-bulk`, which link what others published. Of the C library, its headers
/// and what only Rust can count are looked at here; what C programs see is the matter of `cargo xtask bindings c`.
const PACKAGES: &str = "--workspace --exclude compare --exclude phalanx-bulk --exclude phalanx-plonky3 \
    --exclude phalanx-winterfell --exclude phalanx-python --exclude phalanx-wasm";

/// One build for all: with every feature, so that no package is compiled again for what another asks of it.
pub(crate) const FEATURES: &str = "--all-features";

/// The vector files of the repository.
const VECTORS: [&str; 10] = [
    "xmss",
    "xmss-blake2s",
    "ed25519",
    "rescue",
    "ligerito",
    "ligerito-own",
    "ligerito-128",
    "ligerito-v2",
    "custody",
    "aggregate",
];

/// How many tests of a program run side by side.
const THREADS: &str = "RUST_TEST_THREADS";

/// Twice as many as there are cores: many a test waits for a disk, for another program or for a time.
fn threads() -> usize {
    2 * std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs it. All of it is one build, in one profile: also the runner of the vector files, and the command line for its tour.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    backends::require(steps)?;
    rules::run(steps)?;
    steps.checked("tables of benchmarks", benchmarks::check())?;
    let built = build(steps)?;
    // The vector files fill the cores where a test waits for another, or for a disk.
    let vectors = VECTORS.map(|folder| root().join("vectors").join(folder));
    let mut runner = Command::new(&built.vectors);
    runner.args(vectors).env_remove("PHALANX_BACKEND");
    let vectors = Beside::start(steps, "vector files", &mut runner)?;
    let mut tests = cargo(&format!("test {PACKAGES} {FEATURES} --tests"));
    if std::env::var_os(THREADS).is_none() {
        tests.env(THREADS, threads().to_string());
    }
    steps.run("tests of the workspace", &mut tests)?;
    examples(steps)?;
    steps.run("examples in the documentation", &mut cargo(&format!("test {PACKAGES} {FEATURES} --doc")))?;
    vectors.join(steps)?;
    steps.run("tour", Command::new(&built.phalanx).arg("tour").env_remove("PHALANX_BACKEND"))
}

/// Builds all examples, and runs those of the package that users name.
fn examples(steps: &mut Steps) -> Result<(), Stop> {
    let arguments = "--examples --message-format=json-render-diagnostics";
    let mut build = cargo(&format!("build {PACKAGES} {FEATURES} {arguments}"));
    for example in steps.ask("build of the examples", &mut build, read_examples)? {
        steps.run(&format!("example {}", example.name), &mut example.command())?;
    }
    Ok(())
}

/// Runs the tests that are ignored for their duration.
pub(crate) fn long(steps: &mut Steps) -> Result<(), Stop> {
    steps.run("long tests", &mut cargo(&format!("test --release {PACKAGES} {FEATURES} --tests -- --ignored")))
}

/// What Cargo built for the tests.
pub(crate) struct Built {
    /// The programs of the library's tests.
    pub(crate) library: Vec<Program>,
    /// The runner of vector files.
    vectors: PathBuf,
    /// The command line.
    phalanx: PathBuf,
}

/// What kind of program Cargo built.
#[derive(PartialEq)]
pub(crate) enum Kind {
    Tests,
    Example,
    Other,
}

/// A program that Cargo built.
pub(crate) struct Program {
    /// Its name; of tests with their package's folder: `crates/core phalanx_core`.
    pub(crate) name: String,
    executable: PathBuf,
    /// Of its package.
    pub(crate) folder: PathBuf,
}

impl Program {
    /// Runs it as Cargo would.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// Builds all tests, and says what was built. The second time there is nothing to do.
pub(crate) fn build(steps: &mut Steps) -> Result<Built, Stop> {
    let arguments = "--tests --no-run --message-format=json-render-diagnostics";
    let mut build = cargo(&format!("test {PACKAGES} {FEATURES} {arguments}"));
    steps.ask("build of the tests", &mut build, read)
}

/// Reads Cargo's messages, one JSON object on each line: a program, and whether it is one of tests, an example or another.
pub(crate) fn programs(messages: &str) -> Result<Vec<(Program, Kind)>, String> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let target = &message["target"];
        let (Some(executable), Some(manifest)) =
            (message["executable"].as_str(), message["manifest_path"].as_str())
        else {
            continue;
        };
        let kind = match (&message["profile"]["test"], &target["kind"][0]) {
            (Value::Bool(true), _) => Kind::Tests,
            (_, kind) if kind == "example" => Kind::Example,
            _ => Kind::Other,
        };
        let folder = PathBuf::from(manifest).parent().map(PathBuf::from).unwrap_or_default();
        let name = target["name"].as_str().unwrap_or_default().to_owned();
        programs.push((Program { name, executable: executable.into(), folder }, kind));
    }
    Ok(programs)
}

/// What is run of what Cargo built with the tests.
fn read(messages: &str) -> Result<Built, String> {
    let crates = root().join("crates");
    let (mut library, mut vectors, mut phalanx) = (Vec::new(), None, None);
    for (mut program, kind) in programs(messages)? {
        match (kind, &*program.name) {
            (Kind::Tests, name) if program.folder.starts_with(&crates) => {
                let package = program.folder.file_name().unwrap_or_default().to_string_lossy();
                program.name = format!("crates/{package} {name}");
                library.push(program);
            }
            (Kind::Other, "phalanx-vectors") => vectors = Some(program.executable),
            (Kind::Other, "phalanx") => phalanx = Some(program.executable),
            _ => {}
        }
    }
    if library.is_empty() {
        return Err("there are no tests of the library".to_owned());
    }
    let missing = |name| format!("`{name}` was not built: has its package lost its tests?");
    Ok(Built {
        library,
        vectors: vectors.ok_or_else(|| missing("phalanx-vectors"))?,
        phalanx: phalanx.ok_or_else(|| missing("phalanx"))?,
    })
}

/// Of the examples, those of the package that users name.
fn read_examples(messages: &str) -> Result<Vec<Program>, String> {
    let package = root().join("crates").join("phalanx");
    let all = programs(messages)?.into_iter();
    let examples: Vec<_> =
        all.filter(|(program, kind)| *kind == Kind::Example && program.folder == package).collect();
    if examples.is_empty() {
        return Err("there are no examples".to_owned());
    }
    Ok(examples.into_iter().map(|(program, _)| program).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_messages_what_is_run_is_taken() {
        let manifest = root().join("crates/core/Cargo.toml");
        let elsewhere = root().join("cli/Cargo.toml");
        let facade = root().join("crates/phalanx/Cargo.toml");
        let line = |manifest: &PathBuf, kind: &str, name: &str, executable: Option<&str>, test: bool| {
            serde_json::json!({
                "reason": "compiler-artifact", "manifest_path": manifest, "executable": executable,
                "target": { "kind": [kind], "name": name }, "profile": { "test": test },
            })
            .to_string()
        };
        let messages = [
            line(&manifest, "lib", "a", Some("x"), true),
            line(&manifest, "test", "a", Some("y"), true),
            line(&manifest, "example", "a", Some("z"), false),
            line(&facade, "example", "xmss", Some("q"), false),
            line(&manifest, "lib", "a", None, false),
            line(&elsewhere, "bin", "phalanx", Some("w"), true),
            line(&elsewhere, "bin", "phalanx", Some("v"), false),
            line(&elsewhere, "bin", "phalanx-vectors", Some("u"), false),
            serde_json::json!({ "reason": "build-finished" }).to_string(),
        ];
        let found = read(&messages.join("\n")).expect("all are there");
        let library: Vec<_> = found.library.iter().map(|program| &*program.executable).collect();
        assert_eq!(library, ["x", "y"].map(std::path::Path::new));
        assert_eq!((found.phalanx, found.vectors), ("v".into(), "u".into()));
        assert!(read("no JSON").is_err() && read(&messages[..7].join("\n")).is_err());
        let examples = read_examples(&messages.join("\n")).expect("there is one");
        assert_eq!(examples.iter().map(|example| &*example.name).collect::<Vec<_>>(), ["xmss"]);
        assert!(read_examples(&messages[..3].join("\n")).is_err(), "none of the facade");
    }
}
