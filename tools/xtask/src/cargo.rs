//! Cargo, and where it works: the repository's root and the target folder.

use std::path::PathBuf;
use std::process::Command;

/// Cargo in the repository's root, as the same toolchain that runs us, and with no backend forced.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.split_whitespace()).current_dir(root()).env_remove("PHALANX_BACKEND");
    command
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

/// Without the `\\?\` that Windows puts before canonical paths, and that some programs do not understand.
fn simplified(path: PathBuf) -> PathBuf {
    path.to_str().and_then(|text| text.strip_prefix(r"\\?\")).map(PathBuf::from).unwrap_or(path)
}
