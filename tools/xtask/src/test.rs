//! `cargo xtask test`: what to run before a change.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::backends;
use crate::benchmarks;
use crate::cargo::{cargo, root};
use crate::rules;
use crate::steps::{Steps, Stop};

/// The packages whose tests are run: all but the Python and WebAssembly packages, which have their own ways, and `compare`,
/// which links what others published. Of the C library, its headers and what only Rust can count are looked at here; what
/// C programs see is the matter of `cargo xtask bindings c`.
const PACKAGES: &str = "--workspace --exclude compare --exclude phalanx-python --exclude phalanx-wasm";

/// One build for all: with every feature, so that no package is compiled again for what another asks of it.
const FEATURES: &str = "--all-features";

/// Runs it.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    backends::require(steps)?;
    rules::run(steps)?;
    steps.checked("tables of benchmarks", benchmarks::check())?;
    steps.run(
        "tests of the workspace",
        &mut cargo(&format!("test {PACKAGES} {FEATURES} --tests --examples")),
    )?;
    steps.run("examples in the documentation", &mut cargo(&format!("test {PACKAGES} {FEATURES} --doc")))?;
    steps.run(
        "vector files",
        &mut cargo(
            "run --quiet --release -p phalanx-vectors -- vectors/xmss vectors/ed25519 vectors/rescue vectors/ligerito vectors/ligerito-own vectors/ligerito-128",
        ),
    )?;
    steps.run("tour", &mut cargo("run --quiet --release -p phalanx-cli -- tour"))
}

/// Runs the tests that are ignored for their duration.
pub(crate) fn long(steps: &mut Steps) -> Result<(), Stop> {
    steps.run("long tests", &mut cargo(&format!("test --release {PACKAGES} {FEATURES} --tests -- --ignored")))
}

/// A program of tests that Cargo built.
pub(crate) struct Program {
    /// Its package's folder and its name: `crates/core phalanx_core`.
    pub(crate) name: String,
    executable: PathBuf,
    folder: PathBuf,
}

impl Program {
    /// Runs all its tests, as Cargo would.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// The programs of the library's crates, as they are in the folder that [`run`] built in.
pub(crate) fn library_programs(steps: &mut Steps) -> Result<Vec<Program>, Stop> {
    let arguments = "--tests --examples --no-run --message-format=json-render-diagnostics";
    let mut build = cargo(&format!("test {PACKAGES} {FEATURES} {arguments}"));
    steps.ask("programs of the library's tests", &mut build, |messages| {
        let programs = programs(messages)?;
        if programs.is_empty() { Err("there are none".to_owned()) } else { Ok(programs) }
    })
}

/// Reads Cargo's messages, one JSON object on each line.
fn programs(messages: &str) -> Result<Vec<Program>, String> {
    let crates = root().join("crates");
    let mut found = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            continue;
        }
        let (Some(executable), Some(manifest)) =
            (message["executable"].as_str(), message["manifest_path"].as_str())
        else {
            continue;
        };
        let folder = PathBuf::from(manifest).parent().map(PathBuf::from).unwrap_or_default();
        if message["target"]["kind"][0] == "example" || !folder.starts_with(&crates) {
            continue;
        }
        let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("crates/{package} {}", message["target"]["name"].as_str().unwrap_or_default());
        found.push(Program { name, executable: executable.into(), folder });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_messages_the_librarys_programs_are_taken() {
        let manifest = root().join("crates/core/Cargo.toml");
        let elsewhere = root().join("cli/Cargo.toml");
        let line = |manifest: &PathBuf, kind: &str, executable: Option<&str>, test: bool| {
            serde_json::json!({
                "reason": "compiler-artifact", "manifest_path": manifest, "executable": executable,
                "target": { "kind": [kind], "name": "a" }, "profile": { "test": test },
            })
            .to_string()
        };
        let messages = [
            line(&manifest, "lib", Some("x"), true),
            line(&manifest, "test", Some("y"), true),
            line(&manifest, "example", Some("z"), true),
            line(&manifest, "lib", None, false),
            line(&elsewhere, "bin", Some("w"), true),
            serde_json::json!({ "reason": "build-finished" }).to_string(),
        ];
        let found = programs(&messages.join("\n")).expect("JSON");
        let found: Vec<_> = found.iter().map(|program| &*program.executable).collect();
        assert_eq!(found, [std::path::Path::new("x"), std::path::Path::new("y")]);
        assert!(programs("no JSON").is_err());
    }
}
