//! Features: the combinations that must build, what `hazmat` keeps away, and how little one scheme brings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::cargo::{cargo, root, target};
use crate::steps::{Steps, Stop};

/// Combinations that must build. Those without `std` are `no_std` with `alloc`.
const COMBINATIONS: &[&str] = &[
    "",
    "xmss",
    "ed25519",
    "rescue",
    "ligerito",
    "xmss,ed25519,rescue,ligerito",
    "std,xmss",
    "std,ed25519",
    "std,rescue",
    "std,ligerito",
    "aggregate",
    "std,aggregate",
    "xmss,json",
    "parallel,xmss,ed25519,rescue,ligerito",
    "ed25519,minisign",
    "ed25519,pkcs8",
    "ed25519,serde",
    "ed25519,signature",
    "rescue,digest",
    "ligerito-ref-v08",
    "soundness",
    "hazmat,xmss,rescue,ligerito",
    "custody",
];

/// How many crates a program gets with `phalanx` when Ed25519 is all that it asks for, `phalanx` itself not counted.
const MAX_CRATES_OF_ED25519: usize = 8;

/// Crates that `cargo tour` may bring, its own and the build scripts' included.
const MAX_CRATES_OF_TOUR: usize = 24;

/// Checks all of it.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    for features in COMBINATIONS {
        let name = if features.is_empty() { "no features" } else { features };
        let mut check = cargo("check --quiet -p phalanx --no-default-features --features");
        steps.run(&format!("builds with {name}"), check.arg(features))?;
    }
    let mut check = cargo("check --quiet -p phalanx-cli --no-default-features");
    steps.run("the command line builds without custody and aggregates", &mut check)?;
    crates_of_tour(steps)?;
    crates_of_ed25519(steps)?;
    one_build_for_bindings(steps)?;
    without_hazmat(steps)
}

/// `cargo tour` is what newcomers build first: it must not wait for what it does not show.
fn crates_of_tour(steps: &mut Steps) -> Result<(), Stop> {
    let mut tree = cargo("tree --quiet -e normal,build -p phalanx-tour --prefix none");
    steps.ask("the tour brings few crates", &mut tree, |tree| {
        let crates = crates(tree);
        if !["phalanx-ed25519", "phalanx-ligerito", "phalanx-rescue", "phalanx-xmss"]
            .iter()
            .all(|scheme| crates.contains(scheme))
        {
            return Err("these are not its crates".to_owned());
        }
        match crates.len() {
            count if count <= MAX_CRATES_OF_TOUR => Ok(()),
            count => Err(format!("it brings {count}")),
        }
    })
}

fn crates_of_ed25519(steps: &mut Steps) -> Result<(), Stop> {
    let mut tree =
        cargo("tree --quiet -e normal -p phalanx --no-default-features --features ed25519 --prefix none");
    steps.ask("Ed25519 alone brings few crates", &mut tree, |tree| {
        let crates = crates(tree);
        if !crates.contains("phalanx-ed25519") {
            return Err("phalanx-ed25519 is not among them".to_owned());
        }
        let count = crates.len() - usize::from(crates.contains("phalanx"));
        if count <= MAX_CRATES_OF_ED25519 { Ok(()) } else { Err(format!("it brings {count}")) }
    })
}

/// What the C library and the Python package have in common is compiled once for both: the schemes took a minute and a half of CPU
/// again when one of them alone had got a feature, and nothing else showed it.
fn one_build_for_bindings(steps: &mut Steps) -> Result<(), Stop> {
    let name = "the C library and the Python package share a build";
    let tree = |package: &str| {
        let mut tree = cargo("tree --quiet -e normal,build --prefix none --format");
        tree.args(["{p} [{f}]", "-p", package]);
        tree
    };
    let c =
        steps.ask("what the C library is built of", &mut tree("phalanx-c"), |tree| Ok(tree.to_owned()))?;
    steps.ask(name, &mut tree("phalanx-python"), |python| match built_twice(&c, python) {
        Ok(twice) if twice.is_empty() => Ok(()),
        Ok(twice) => Err(format!("these are built with other features for each: {}", twice.join(", "))),
        Err(problem) => Err(problem.to_owned()),
    })
}

/// The crates that two programs have in common, but not with the same features, in what `cargo tree` prints in the format
/// `{p} [{f}]`; an error if there is nothing in common.
fn built_twice<'a>(one: &'a str, other: &'a str) -> Result<Vec<&'a str>, &'static str> {
    let (one, other) = (builds(one), builds(other));
    let mut common = one.keys().filter(|crate_| other.contains_key(*crate_)).peekable();
    if common.peek().is_none() {
        return Err("they have nothing in common");
    }
    Ok(common.filter(|crate_| one[*crate_] != other[*crate_]).copied().collect())
}

/// The sets of features that each crate is built with.
fn builds(tree: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut builds = BTreeMap::<_, BTreeSet<_>>::new();
    for (crate_, features) in tree.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once(" [")) {
        builds.entry(crate_).or_default().insert(features);
    }
    builds
}

/// The names in what `cargo tree --prefix none` prints.
fn crates(tree: &str) -> BTreeSet<&str> {
    tree.lines().filter_map(|line| line.split_whitespace().next()).collect()
}

/// A program without the feature `hazmat` reaches the scheme, and nothing of `hazmat`; not of XMSS either when another part
/// of the program has the feature, as `custody` does.
fn without_hazmat(steps: &mut Steps) -> Result<(), Stop> {
    let name = "hazmat is out of reach without its feature";
    let folder = match consumer() {
        Ok(folder) => folder,
        Err(error) => return Err(steps.fail(name, &error.to_string())),
    };
    let check = |source: &str| -> Result<Command, std::io::Error> {
        fs::write(folder.join("src").join("lib.rs"), source)?;
        let mut check = cargo("check --quiet --manifest-path");
        check.arg(folder.join("Cargo.toml")).arg("--target-dir").arg(target());
        Ok(check)
    };
    let sound = check("pub use phalanx::{ligerito, rescue, xmss::SigningKey};\n");
    match sound {
        Ok(mut check) => steps.run("a program that uses the library", &mut check)?,
        Err(error) => return Err(steps.fail(name, &error.to_string())),
    }
    for scheme in ["xmss", "rescue", "ligerito"] {
        let refused =
            check(&format!("pub use phalanx::{scheme}::hazmat;\n")).and_then(|mut check| check.output());
        let outcome = match refused {
            Ok(output) if output.status.success() => Err("it is reached".to_owned()),
            Ok(output) => {
                let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
                let unresolved = ["E0432", "E0433", "E0603"].iter().any(|code| complaint.contains(code));
                if unresolved { Ok(()) } else { Err(complaint) }
            }
            Err(error) => Err(error.to_string()),
        };
        steps.checked(&format!("{name}: {scheme}"), outcome)?;
    }
    Ok(())
}

/// A package outside the workspace that depends on the library as users do.
fn consumer() -> Result<PathBuf, std::io::Error> {
    let folder = target().join("xtask").join("consumer");
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nphalanx = {{ path = {:?} }}\n\
         phalanx-xmss = {{ path = {:?}, features = [\"hazmat\"] }}\n",
        root().join("crates").join("phalanx"),
        root().join("crates").join("xmss")
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // The versions that everything else is built with.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::{built_twice, crates};

    #[test]
    fn a_crate_counts_once() {
        let tree = "phalanx v0.1.0 (/a)\nsha2 v0.11.1\ndigest v0.11.3\ndigest v0.11.3 (*)\n";
        assert_eq!(crates(tree).into_iter().collect::<Vec<_>>(), ["digest", "phalanx", "sha2"]);
    }

    #[test]
    fn a_crate_with_other_features_is_built_twice() {
        let c =
            "phalanx-c v0.1.0 (/c) [default]\nsha2 v0.11.1 [alloc]\nsyn v3.0.9 [full]\nsyn v3.0.9 [] (*)\n";
        let python =
            "phalanx-python v0.1.0 (/p) []\nsha2 v0.11.1 [alloc]\nsyn v3.0.9 []\nsyn v3.0.9 [full]\n";
        assert_eq!(built_twice(c, python), Ok(vec![]));
        let more = python.replace("sha2 v0.11.1 [alloc]", "sha2 v0.11.1 [alloc,zeroize]");
        assert_eq!(built_twice(c, &more), Ok(vec!["sha2 v0.11.1"]));
        assert!(built_twice(c, "").is_err());
    }
}
