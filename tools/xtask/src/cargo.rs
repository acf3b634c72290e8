//! Cargo, and where it works: the repository's root and the target folder.

use std::path::PathBuf;
use std::process::Command;

/// Cargo in the repository's root, as the same toolchain that runs us, and with no backend forced. What Cargo told us of our own
/// package is not passed on: build scripts look at it (ring's does), and would run again whenever somebody had typed Cargo's
/// command themselves in between, with all that depends on them.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.split_whitespace()).current_dir(root()).env_remove("PHALANX_BACKEND");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(of_a_package) {
            command.env_remove(name);
        }
    }
    command
}

/// Whether Cargo sets this variable for the program of a package that it runs.
fn of_a_package(name: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
        .iter()
        .any(|start| name.starts_with(start))
        || name == "CARGO_PRIMARY_PACKAGE"
}

/// The repository's root. Cargo tells where the package is at run time; a moved binary falls back on where it was built.
pub(crate) fn root() -> PathBuf {
    let package =
        std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    let root = PathBuf::from(package).join("../..");
    root.canonicalize().map_or(root, simplified)
}

/// Cargo's target folder: a relative one is seen from the root, where we start Cargo.
pub(crate) fn target() -> PathBuf {
    let given = std::env::var_os("CARGO_TARGET_DIR");
    root().join(given.map_or_else(|| "target".into(), PathBuf::from))
}

/// Where Cargo keeps what it fetched.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    let usual = || std::env::home_dir().map(|home| home.join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(usual)
}

/// Without the `\\?\` that Windows puts before canonical paths, and that some programs do not understand.
fn simplified(path: PathBuf) -> PathBuf {
    path.to_str().and_then(|text| text.strip_prefix(r"\\?\")).map(PathBuf::from).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_says_of_us_is_not_passed_on() {
        assert!(
            std::env::var_os("CARGO_MANIFEST_DIR").is_some() && std::env::var_os("CARGO_PKG_NAME").is_some()
        );
        let command = cargo("version");
        let removed = |name: &str| command.get_envs().any(|(key, value)| key == name && value.is_none());
        assert!(removed("CARGO_MANIFEST_DIR") && removed("CARGO_PKG_NAME") && removed("PHALANX_BACKEND"));
        assert!(!removed("PATH") && !removed("CARGO_TARGET_DIR") && !removed("CARGO_HOME"));
        assert!(!of_a_package("CARGO_INCREMENTAL") && !of_a_package("CARGO"));
    }
}
