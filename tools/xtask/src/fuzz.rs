//! `cargo xtask fuzz`: every fuzz target for a short while.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::cargo::{cargo, root};
use crate::steps::{Steps, Stop};

/// What Cargo says when it cannot reach the registry, in its several ways.
const OFFLINE: &[&str] = &[
    "failed to download",
    "download of",
    "network",
    "could not resolve",
    "couldn't resolve",
    "could not connect",
    "couldn't connect",
    "failed to connect",
    "timed out",
    "timeout",
    "offline",
    "spurious",
];

/// Checks that the targets build, unless they are absent or what they depend on is out of reach.
pub(crate) fn builds(steps: &mut Steps) -> Result<(), Stop> {
    let name = "the fuzz targets build";
    let manifest = root().join("fuzz").join("Cargo.toml");
    if !manifest.exists() {
        steps.not_run(name, "there is no fuzz/Cargo.toml");
        return Ok(());
    }
    let fetched = cargo("fetch --locked --manifest-path").arg(&manifest).stdin(Stdio::null()).output();
    let problem = match fetched {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(problem) = problem {
        if looks_offline(&problem) {
            steps.not_run(name, "what they depend on could not be fetched; is this machine offline?");
            return Ok(());
        }
        return Err(steps.fail(name, &format!("cargo fetch: {}", problem.trim())));
    }
    let mut check = cargo("check --locked --manifest-path");
    check.arg(&manifest);
    // A check links nothing, so libFuzzer need not be compiled, and no C++ compiler has to be there.
    check.env("CUSTOM_LIBFUZZER_PATH", Path::new("unused").join("libfuzzer.a"));
    steps.run(name, &mut check)
}

fn looks_offline(problem: &str) -> bool {
    let problem = problem.to_lowercase();
    // A lock file that is out of date is no matter of the network, though Cargo's advice then names it.
    !problem.contains("--locked") && OFFLINE.iter().any(|words| problem.contains(words))
}

/// Runs every target of `fuzz/Cargo.toml` for `seconds`, also when one of them found something.
pub(crate) fn all(seconds: u32) -> ExitCode {
    let manifest = root().join("fuzz").join("Cargo.toml");
    let targets = match std::fs::read_to_string(&manifest) {
        Ok(text) => targets(&text),
        Err(error) => {
            return refuse(&format!("fuzz/Cargo.toml: {error}"), "run it in a checkout that has fuzz/");
        }
    };
    if targets.is_empty() {
        return refuse("fuzz/Cargo.toml lists no target", "each target is a [[bin]] with a name");
    }
    let installed =
        nightly("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !installed.is_ok_and(|status| status.success()) {
        return refuse(
            "fuzzing needs nightly Rust and cargo-fuzz, and they do not answer",
            "rustup toolchain install nightly && cargo install cargo-fuzz --locked",
        );
    }
    let mut steps = Steps::new();
    for target in &targets {
        let mut command = nightly("run");
        // SQLite has two constants of one name, each in a part of its own; the sanitizer takes them for one, twice.
        command.env("ASAN_OPTIONS", "detect_odr_violation=0");
        // What a run finds is kept in the corpus, which is not committed; the seeds are, small and valid.
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        if let Err(error) = std::fs::create_dir_all(root().join(&corpus)) {
            return refuse(&format!("{corpus}: {error}"), "is the repository writable?");
        }
        command.args([target.as_str(), &corpus]);
        command.args(root().join(&seeds).is_dir().then_some(&seeds));
        command.args(["--", &format!("-max_total_time={seconds}"), "-print_final_stats=1"]);
        // A target that found something is counted, and the others still run.
        steps.run(&format!("fuzz {target}"), &mut command).ok();
    }
    steps.finish()
}

/// `cargo +nightly fuzz ...`, in the form that also works from inside another toolchain's Cargo.
fn nightly(subcommand: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz", subcommand]).current_dir(root());
    for inherited in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "PHALANX_BACKEND"] {
        command.env_remove(inherited);
    }
    command
}

fn refuse(problem: &str, hint: &str) -> ExitCode {
    eprintln!("xtask: error: {problem}");
    eprintln!("xtask: hint: {hint}");
    ExitCode::FAILURE
}

/// The names of the `[[bin]]` sections of a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut names = Vec::new();
    for line in manifest.lines().map(|line| line.split('#').next().unwrap_or("").trim()) {
        if line.starts_with('[') {
            section = line;
        } else if section == "[[bin]]"
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "name"
        {
            names.push(value.trim().trim_matches('"').to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{looks_offline, targets};

    #[test]
    fn a_broken_manifest_is_not_mistaken_for_a_missing_network() {
        assert!(looks_offline("error: failed to get `x`\n  Could not resolve host: index.crates.io"));
        assert!(looks_offline("error: attempting to make an HTTP request, but --offline was specified"));
        assert!(!looks_offline("error: no matching package named `x` found"));
        assert!(!looks_offline("error: failed to parse manifest at `fuzz/Cargo.toml`"));
        assert!(!looks_offline(
            "error: cannot update the lock file because --locked was passed\nhelp: use --offline instead"
        ));
    }

    #[test]
    fn targets_are_the_binaries() {
        let manifest = "[package]\nname = \"fuzz\"\n\n[[bin]]\nname = \"ssz\" # one\npath = \"a.rs\"\n[[bin]]\n\
                        path = \"b.rs\"\nname=\"bincode\"\n[dependencies]\nname = \"1\"\n";
        assert_eq!(targets(manifest), ["ssz", "bincode"]);
        assert!(targets("[package]\nname = \"fuzz\"\n").is_empty());
    }
}
