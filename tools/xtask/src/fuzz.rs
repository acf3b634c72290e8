//! `cargo xtask fuzz`: every fuzz target for a short while.

use std::process::{Command, ExitCode, Stdio};

use crate::steps::Steps;

/// Runs every target of `fuzz/Cargo.toml` for `seconds`, also when one of them found something.
pub(crate) fn all(seconds: u32) -> ExitCode {
    let manifest = crate::root().join("fuzz").join("Cargo.toml");
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
        // What a run finds is kept in the corpus, which is not committed; the seeds are, small and valid.
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        if let Err(error) = std::fs::create_dir_all(crate::root().join(&corpus)) {
            return refuse(&format!("{corpus}: {error}"), "is the repository writable?");
        }
        command.args([target.as_str(), &corpus]);
        command.args(crate::root().join(&seeds).is_dir().then_some(&seeds));
        command.args(["--", &format!("-max_total_time={seconds}"), "-print_final_stats=1"]);
        // A target that found something is counted, and the others still run.
        steps.run(&format!("fuzz {target}"), &mut command).ok();
    }
    steps.finish()
}

/// `cargo +nightly fuzz ...`, in the form that also works from inside another toolchain's Cargo.
fn nightly(subcommand: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz", subcommand]).current_dir(crate::root());
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
    use super::targets;

    #[test]
    fn targets_are_the_binaries() {
        let manifest = "[package]\nname = \"fuzz\"\n\n[[bin]]\nname = \"ssz\" # one\npath = \"a.rs\"\n[[bin]]\n\
                        path = \"b.rs\"\nname=\"bincode\"\n[dependencies]\nname = \"1\"\n";
        assert_eq!(targets(manifest), ["ssz", "bincode"]);
        assert!(targets("[package]\nname = \"fuzz\"\n").is_empty());
    }
}
