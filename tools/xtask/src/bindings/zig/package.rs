//! The Zig package as it is shipped: with the header, the Rust sources that `build.zig` hands to Cargo, and the licences.

use super::super::folders::copy;
use crate::cargo::{cargo, root};
use crate::package::pack;
use crate::programs::said;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A package, and the same as one file.
pub(super) struct Package {
    pub(super) folder: PathBuf,
    pub(super) tarball: PathBuf,
}

/// What goes into the package: from the repository's root, and where to.
const CONTENTS: &[(&str, &str)] = &[
    ("bindings/zig/build.zig", "build.zig"),
    ("bindings/zig/build.zig.zon", "build.zig.zon"),
    ("bindings/zig/README.md", "README.md"),
    ("bindings/zig/src", "src"),
    ("bindings/zig/tests", "tests"),
    ("bindings/zig/examples", "examples"),
    ("bindings/zig/bench", "bench"),
    ("bindings/c/include/phalanx.h", "include/phalanx.h"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("Cargo.lock", "rust/Cargo.lock"),
    ("bindings/c/build.rs", "rust/bindings/c/build.rs"),
    ("bindings/c/src", "rust/bindings/c/src"),
];

/// The crates of the library: their sources, and their READMEs, which their manifests name.
const CRATES: &[&str] = &[
    "crates/core",
    "crates/ed25519",
    "crates/xmss",
    "crates/rescue",
    "crates/ligerito",
    "crates/aggregate",
    "crates/custody",
    "crates/phalanx",
];

/// The members of the workspace that go into the package.
fn members() -> impl Iterator<Item = &'static str> + Clone {
    CRATES.iter().copied().chain(["bindings/c"])
}

/// Makes the package below `work`.
pub(super) fn make(python: &Path, work: &Path) -> Result<Package, String> {
    let folder = work.join("package").join("phalanx");
    let tarball = work.join("package").join(format!("phalanx-zig-{}.tar.gz", env!("CARGO_PKG_VERSION")));
    let told = |error: io::Error| error.to_string();
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    for (from, to) in CONTENTS {
        copy(&root().join(from), &folder.join(to)).map_err(|error| format!("{from}: {error}"))?;
    }
    for path in CRATES.iter().flat_map(|name| ["src", "README.md"].map(|part| format!("{name}/{part}"))) {
        let to = folder.join("rust").join(&path);
        copy(&root().join(&path), &to).map_err(|error| format!("{path}: {error}"))?;
    }
    let read = |path: &str| fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    fs::write(folder.join("rust/Cargo.toml"), workspace(&read("Cargo.toml")?)?).map_err(told)?;
    for member in members() {
        let manifest = format!("{member}/Cargo.toml");
        fs::write(folder.join("rust").join(&manifest), without_tests(&read(&manifest)?)).map_err(told)?;
    }
    // Takes out of the lock file what only the rest of the workspace needs. The tree of this machine's target: sources for
    // other systems, which `cargo metadata` would look at, nobody may have fetched.
    said(cargo("tree --offline --quiet --manifest-path").arg(folder.join("rust/Cargo.toml")))?;
    pack(python, &folder, &tarball)?;
    Ok(Package { folder, tarball })
}

/// A copy of the program that uses the package, where it can be written to.
pub(super) fn consumer(work: &Path, source: &Path) -> Result<PathBuf, String> {
    let folder = work.join("consumer");
    let told = |error: io::Error| error.to_string();
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    copy(&source.join("tests").join("consumer"), &folder).map_err(told)?;
    Ok(folder)
}

/// The workspace's manifest, for the members that are in the package.
fn workspace(manifest: &str) -> Result<String, String> {
    let missing = || "Cargo.toml has no list of members".to_owned();
    let (before, rest) = manifest.split_once("\nmembers = [").ok_or_else(missing)?;
    let (_, after) = rest.split_once(']').ok_or_else(missing)?;
    let after = after.lines().filter(|line| !line.starts_with("exclude =")).collect::<Vec<_>>().join("\n");
    Ok(format!("{before}\nmembers = {:?}{after}\n", members().collect::<Vec<_>>()))
}

/// A member's manifest without what is for tests, which are not in the package.
fn without_tests(manifest: &str) -> String {
    const LEFT_OUT: &[&str] = &["[dev-dependencies]", "[[bench]]", "[[example]]", "[[test]]"];
    let mut kept = String::new();
    let mut keep = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            let table = line.trim_end();
            keep = !LEFT_OUT.contains(&table) && !table.ends_with(".dev-dependencies]");
        }
        if keep {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_lose_what_is_not_in_the_package() {
        let manifest = "[package]\nname = \"a\"\n[dev-dependencies]\n# why\nb = \"1\"\n[target.'cfg(x)'.dev-dependencies]\ne = \"1\"\n[[test]]\nname = \"c\"\n[lints]\nd = 1\n";
        assert_eq!(without_tests(manifest), "[package]\nname = \"a\"\n[lints]\nd = 1\n");
        let all =
            "[workspace]\nmembers = [\n    \"x\",\n    \"y\",\n]\nexclude = [\"fuzz\"]\n[profile.release]\n";
        let few = workspace(all).expect("it has members");
        assert!(few.starts_with("[workspace]\nmembers = [\"crates/core\", "), "{few}");
        assert!(few.ends_with("\"bindings/c\"]\n[profile.release]\n"), "{few}");
        assert!(workspace("[workspace]\n").is_err());
    }
}
