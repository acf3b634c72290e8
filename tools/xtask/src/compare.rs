//! `cargo xtask compare`: phalanx beside the published peers, which are built in several ways.
//!
//! Most peers choose their instructions when they are compiled. A plain build is what their users get who do nothing; the
//! others are the best that their users can have, on a laptop and on the machine at hand. Ours is compared as the user of
//! such a machine gets it.

use crate::cargo::{cargo, root, target};
use crate::steps::{Steps, Stop};
use phalanx_core::Backend;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to build the peers.
struct Build {
    name: &'static str,
    /// Flags of the compiler, beside those of the environment.
    flags: &'static str,
    /// Our backends beside it. Of those that the machine lacks nothing is said to be measured.
    backends: &'static [Backend],
}

const BUILDS: [Build; 3] = [
    Build {
        name: "plain",
        flags: "",
        backends: &[Backend::Portable, Backend::Wasm128, Backend::Neon, Backend::Avx2, Backend::Avx512Ifma],
    },
    Build { name: "haswell", flags: "-C target-cpu=haswell", backends: &[Backend::Avx2, Backend::Avx2Gfni] },
    Build {
        name: "native",
        flags: "-C target-cpu=native",
        backends: &[Backend::Neon, Backend::Avx2, Backend::Avx2Gfni, Backend::Avx512, Backend::Avx512Ifma],
    },
];

const SYSTEMS: [&str; 4] = ["ed25519", "xmss", "rescue", "ligerito"];

/// What to compare, and where the rows go.
#[derive(Default)]
pub(crate) struct Options {
    builds: Vec<&'static Build>,
    systems: Vec<&'static str>,
    /// `DATE-MACHINE`, the beginning of the files' names, if they are to be measurements of `docs/measurements`.
    record: Option<String>,
}

impl Options {
    /// Reads `[SYSTEM...] [--builds NAMES] [--record DATE-MACHINE]`.
    pub(crate) fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match *argument {
                "--builds" => {
                    for name in value()?.split(',') {
                        let build = BUILDS.iter().find(|build| build.name == name);
                        options.builds.push(build.ok_or(format!("there is no build `{name}`"))?);
                    }
                }
                "--record" => options.record = Some((*value()?).to_owned()),
                name => {
                    let system = SYSTEMS.into_iter().find(|system| *system == name);
                    options.systems.push(system.ok_or(format!("there is no system `{name}`"))?);
                }
            }
        }
        if options.builds.is_empty() {
            options.builds.extend(&BUILDS);
        }
        if options.systems.is_empty() {
            options.systems.extend(SYSTEMS);
        }
        Ok(options)
    }
}

/// Builds the peers in each way first, so that nothing is compiled beside what is timed, and then compares.
pub(crate) fn run(steps: &mut Steps, options: &Options) -> Result<(), Stop> {
    let programs: Vec<_> =
        options.builds.iter().map(|build| built(steps, build)).collect::<Result<_, _>>()?;
    for (build, program) in options.builds.iter().zip(&programs) {
        let (here, absent): (Vec<Backend>, Vec<_>) =
            build.backends.iter().partition(|backend| backend.is_available());
        for backend in absent.iter().filter(|backend| is_of_this_architecture(**backend)) {
            let name = format!("{} beside the peers' {} build", backend.name(), build.name);
            steps.not_run(&name, "this CPU does not have it");
        }
        let names = here.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(",");
        for system in &options.systems {
            let file = rows_file(options, build, system);
            let mut compare = Command::new(program);
            compare.args([system, "--backend", &names, "--json"]).arg(&file).env_remove("PHALANX_BACKEND");
            steps.run(&format!("{system} beside the peers' {} build", build.name), &mut compare)?;
            if options.record.is_some() {
                let outcome = register(&file, build, system);
                steps.checked(&format!("{} in runs.json", file.display()), outcome)?;
            }
        }
    }
    Ok(())
}

/// Backends of other architectures are absent from every CPU of this one.
fn is_of_this_architecture(backend: Backend) -> bool {
    let x86 = [Backend::Avx2, Backend::Avx2Gfni, Backend::Avx512, Backend::Avx512Ifma].contains(&backend);
    backend == Backend::Portable || x86 == cfg!(target_arch = "x86_64") && backend != Backend::Wasm128
}

/// The program with the peers as `build` wants them, in a target folder of its own.
fn built(steps: &mut Steps, build: &Build) -> Result<PathBuf, Stop> {
    let folder = target().join("compare").join(build.name);
    let mut command = cargo("build --release -p compare");
    command.env("CARGO_TARGET_DIR", &folder);
    if !build.flags.is_empty() {
        let given = std::env::var("RUSTFLAGS").unwrap_or_default();
        command.env("RUSTFLAGS", format!("{given} {}", build.flags)).env_remove("CARGO_ENCODED_RUSTFLAGS");
    }
    steps.run(&format!("the peers' {} build", build.name), &mut command)?;
    Ok(folder.join("release").join(format!("compare{}", std::env::consts::EXE_SUFFIX)))
}

/// Where the rows go: into the repository if they are to be recorded, or else below the target folder.
fn rows_file(options: &Options, build: &Build, system: &str) -> PathBuf {
    match &options.record {
        Some(beginning) => {
            let name = format!("{beginning}-compare-{}-{system}.json", build.name);
            root().join(crate::benchmarks::FOLDER).join(name)
        }
        None => target().join("compare").join(format!("{}-{system}.json", build.name)),
    }
}

/// Says in `runs.json` where the rows of `file` are from.
fn register(file: &Path, build: &Build, system: &str) -> Result<(), String> {
    let index = file.with_file_name(crate::benchmarks::INDEX);
    let text = std::fs::read_to_string(&index).map_err(|error| format!("{}: {error}", index.display()))?;
    let mut runs: serde_json::Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()).output();
    let head = head.map_err(|error| format!("git: {error}"))?;
    let name = file.file_name().ok_or("a file has a name")?.to_string_lossy().into_owned();
    let command = format!("cargo xtask compare {system} --builds {}", build.name);
    let commit = String::from_utf8_lossy(&head.stdout).trim().to_owned();
    runs.insert(name, json!({ "command": command, "commit": commit }));
    let text = serde_json::to_string_pretty(&runs).map_err(|error| error.to_string())? + "\n";
    std::fs::write(&index, text).map_err(|error| format!("{}: {error}", index.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let all = Options::read(&[]).expect("nothing is needed");
        assert_eq!((all.builds.len(), all.systems.len(), all.record), (3, 4, None));
        let some = Options::read(&["xmss", "--builds", "native,plain", "--record", "2026-01-02-laptop"]);
        let some = some.expect("names that there are");
        assert_eq!(some.builds.iter().map(|build| build.name).collect::<Vec<_>>(), ["native", "plain"]);
        assert_eq!((some.systems, some.record.as_deref()), (vec!["xmss"], Some("2026-01-02-laptop")));
        for wrong in [&["--builds"][..], &["--builds", "fast"], &["aes"]] {
            assert!(Options::read(wrong).is_err(), "{wrong:?}");
        }
    }

    /// What this CPU lacks is named, not what no CPU of its kind can have.
    #[test]
    fn a_backend_of_another_architecture_is_not_missed() {
        assert!(is_of_this_architecture(Backend::Portable));
        assert!(!is_of_this_architecture(Backend::Wasm128));
        assert_eq!(is_of_this_architecture(Backend::Avx2), cfg!(target_arch = "x86_64"));
        assert_eq!(is_of_this_architecture(Backend::Neon), !cfg!(target_arch = "x86_64"));
    }
}
