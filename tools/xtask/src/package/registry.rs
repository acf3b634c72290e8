//! What would be published: every package can be put together, and holds what it needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::Builder;
use crate::cargo::{cargo, cargo_home, target};
use crate::steps::{Steps, Stop};

/// The packages that are for Cargo's registry, those that others need first.
const PUBLISHED: &[&str] = &[
    "phalanx-core",
    "phalanx-ed25519",
    "phalanx-xmss",
    "phalanx-rescue",
    "phalanx-ligerito",
    "phalanx-aggregate",
    "phalanx-custody",
    "phalanx",
    "phalanx-plonky3",
    "phalanx-winterfell",
    "phalanx-rustls",
    "phalanx-bulk",
];

/// Puts all of them together, without compiling them again: that they build by themselves is checked before a release.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    put_together(steps, &mut cargo("package --quiet --allow-dirty --no-verify")).map(drop)
}

/// Puts all of them together, compiles each from what is in it, and copies them to `out`.
pub(super) fn make(steps: &mut Steps, _: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    let forgotten =
        forget(&folder()).and_then(|()| cargo_home().map_or(Ok(()), |home| forget_unpacked(&home)));
    if let Err(error) = forgotten {
        return Err(steps.fail("packages for the registry", &format!("what was made before: {error}")));
    }
    let folder = put_together(steps, &mut cargo("package --quiet --locked"))?;
    let copied = PUBLISHED.iter().try_for_each(|name| {
        let file = file_of(name);
        std::fs::copy(folder.join(&file), out.join(&file))
            .map(drop)
            .map_err(|error| format!("{file}: {error}"))
    });
    steps.checked("package: packages for the registry", copied)
}

/// Where packages are put together.
fn folder() -> PathBuf {
    target().join("xtask").join("package")
}

/// Takes away what Cargo unpacked below its home of packages that came from no registry on a network: it goes by the version, and
/// would compile what the same version held before.
fn forget_unpacked(home: &Path) -> std::io::Result<()> {
    let Ok(registries) = std::fs::read_dir(home.join("registry").join("src")) else {
        return Ok(());
    };
    for registry in registries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with('-'))
    {
        for name in PUBLISHED {
            forget(&registry.path().join(file_of(name).trim_end_matches(".crate")))?;
        }
    }
    Ok(())
}

fn forget(folder: &Path) -> std::io::Result<()> {
    if folder.exists() { std::fs::remove_dir_all(folder) } else { Ok(()) }
}

/// The file of a package.
fn file_of(name: &str) -> String {
    format!("{name}-{}.crate", env!("CARGO_PKG_VERSION"))
}

/// Runs `package` on all of them, looks through what came out, and says where it is.
fn put_together(steps: &mut Steps, package: &mut Command) -> Result<PathBuf, Stop> {
    let folder = folder();
    for name in PUBLISHED {
        package.args(["--package", name]);
    }
    steps.run("packages for the registry", package.arg("--target-dir").arg(&folder))?;
    for name in PUBLISHED {
        let file = file_of(name);
        let mut list = Command::new("tar");
        list.arg("-tvzf").arg(folder.join("package").join(&file));
        steps.ask(&format!("contents of {file}"), &mut list, judge)?;
    }
    Ok(folder.join("package"))
}

/// Looks through what `tar -tv` prints of a package.
fn judge(contents: &str) -> Result<(), String> {
    let files: Vec<&str> = contents.lines().filter_map(|line| line.split_whitespace().last()).collect();
    if let Some(link) = contents.lines().find(|line| line.starts_with('l')) {
        return Err(format!("a link, which other systems do not follow: {link}"));
    }
    for wanted in ["README.md", "Cargo.toml"] {
        let holds =
            |file: &&str| Path::new(file).components().count() == 2 && Path::new(file).ends_with(wanted);
        if !files.iter().any(holds) {
            return Err(format!("no {wanted}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{forget, forget_unpacked, judge};
    use std::fs;

    #[test]
    fn a_package_is_looked_through() {
        let line = |kind: char, name: &str| format!("{kind}rw-r--r-- 0/0 12 2006-07-24 01:21 a-0.1.0/{name}");
        let whole = [line('-', "Cargo.toml"), line('-', "README.md"), line('-', "src/lib.rs")];
        assert_eq!(judge(&whole.join("\n")), Ok(()));
        assert!(judge(&whole[..1].join("\n")).is_err());
        assert!(judge(&[&whole[0], &line('l', "README.md")].map(String::as_str).join("\n")).is_err());
        assert!(judge(&[&whole[0], &line('-', "docs/README.md")].map(String::as_str).join("\n")).is_err());
    }

    #[test]
    fn what_was_unpacked_of_our_packages_is_forgotten() {
        let home = std::env::temp_dir().join(format!("phalanx-forgotten-{}", std::process::id()));
        let version = env!("CARGO_PKG_VERSION");
        let folder = |registry: &str, name: &str| {
            home.join("registry/src").join(registry).join(format!("{name}-{version}"))
        };
        let (ours, other) = (folder("-0123", "phalanx-core"), folder("-0123", "somebody-s"));
        let published = folder("index.crates.io-0123", "phalanx-core");
        for folder in [&ours, &other, &published] {
            fs::create_dir_all(folder).expect("a folder");
        }
        forget_unpacked(&home).expect("they can go");
        assert!(!ours.exists() && other.exists() && published.exists());
        forget(&home).expect("it can go");
        assert!(forget_unpacked(&home).is_ok(), "nothing was unpacked there");
    }
}
