//! The tests that link what others published: the comparison with their implementations, what is for their provers, and bulk
//! verification.

use serde_json::Value;
use std::path::{Path, PathBuf};

use crate::cargo::{cargo, root};
use crate::steps::{Steps, Stop};
use crate::test::{FEATURES, Kind, Program, programs};

/// All packages with tests in Rust but one, as one build: what `cargo xtask test` built is not built again. That third parties'
/// crates have the same features in both is the matter of what `tools/xtask/Cargo.toml` names and does not use.
const PACKAGES: &str =
    "--workspace --exclude phalanx-python --exclude phalanx-wasm --exclude phalanx-winterfell";

/// The folders of those whose tests are run here.
const FOLDERS: [&str; 3] = ["compare", "crates/bulk", "crates/plonky3"];

/// Runs them. What else is tested has been built.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    let arguments = "--no-run --message-format=json-render-diagnostics";
    let mut build = cargo(&format!("test {PACKAGES} {FEATURES} {arguments}"));
    for program in steps.ask("build of the tests with what others published", &mut build, read)? {
        steps.run(&format!("{} with what others published", program.name), &mut program.command())?;
    }
    let mut documentation = cargo(&format!("test {PACKAGES} {FEATURES} --doc"));
    steps.run("examples in the documentation, with what others published", &mut documentation)?;
    // With its own features: Winterfell's threads, which all features would bring, are another prover.
    steps.run("Winterfell's prover", &mut cargo("test -p phalanx-winterfell"))
}

/// Their programs of tests, of what Cargo built.
fn read(messages: &str) -> Result<Vec<Program>, String> {
    let folders = FOLDERS.map(|folder| root().join(folder));
    if let Some(again) = messages.lines().find_map(|line| built_again(line, &folders)) {
        return Err(format!(
            "{} was built a second time: `cargo tree -e features` of both builds shows what a peer asks for that \
             tools/xtask/Cargo.toml does not name",
            again.display()
        ));
    }
    let mut found = Vec::new();
    for (mut program, kind) in programs(messages)? {
        let folder = folders.iter().zip(FOLDERS).find(|(folder, _)| program.folder == **folder);
        if let (Some((_, name)), Kind::Tests) = (folder, kind) {
            program.name = format!("{name} {}", program.name);
            found.push(program);
        }
    }
    match FOLDERS.iter().find(|folder| !found.iter().any(|program| program.name.starts_with(*folder))) {
        Some(folder) => Err(format!("there are no tests of {folder}")),
        None => Ok(found),
    }
}

/// The manifest in a message of Cargo, if it says that a library of ours was compiled which none of `folders` has.
fn built_again(line: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let is_ours = manifest.starts_with(root().join("crates"))
        && !manifest.starts_with(root().join("crates/winterfell"))
        && !folders.iter().any(|folder| manifest.starts_with(folder));
    (is_ours && message["target"]["kind"][0] == "lib" && message["fresh"] == false)
        .then(|| manifest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn their_tests_are_run_and_nothing_of_ours_is_built_again() {
        let line = |folder: &str, kind: &str, fresh: bool| {
            serde_json::json!({
                "manifest_path": root().join(folder).join("Cargo.toml"), "executable": "x", "fresh": fresh,
                "target": { "kind": [kind], "name": "it" }, "profile": { "test": kind == "test" },
            })
            .to_string()
        };
        let mut messages: Vec<_> = FOLDERS.iter().map(|folder| line(folder, "test", false)).collect();
        messages.extend([line("crates/xmss", "lib", true), line("crates/bulk", "lib", false)]);
        messages.extend([line("crates/xmss", "test", false), line("compare", "bin", false)]);
        let names = |messages: &[String]| {
            let found = read(&messages.join("\n"))?;
            Ok::<_, String>(found.iter().map(|program| program.name.clone()).collect::<Vec<_>>())
        };
        let all = ["compare it", "crates/bulk it", "crates/plonky3 it"];
        assert_eq!(names(&messages).expect("all are there"), all);
        assert!(names(&messages[1..]).is_err(), "compare has no tests");
        messages.push(line("crates/xmss", "lib", false));
        assert!(names(&messages).is_err_and(|why| why.contains("xmss")), "built a second time");
    }
}
