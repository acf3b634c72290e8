//! `cargo xtask package`: everything that a release consists of, made from one version; and whether it works where there is no
//! Rust.

mod bill;
mod build;
mod check;
mod parts;
mod registry;
mod tools;

pub(crate) use registry::run as for_the_registry;
pub(crate) use tools::pack;

use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo::{root, target};
use crate::steps::{Steps, Stop};
use build::Builder;
use tools::Tools;

/// What the command line asks for.
pub(crate) struct Options {
    out: PathBuf,
    /// Look at what is in `out` instead of making it.
    check: bool,
    /// Empty for all.
    only: Vec<String>,
}

/// A part of a release: its name, and what makes it below a folder.
type Part = (&'static str, fn(&mut Steps, &Builder<'_>, &Path) -> Result<(), Stop>);

/// All of them. The C library comes first: what others are made of is built there.
const PARTS: [Part; 9] = [
    ("c", parts::c),
    ("python", parts::wheel),
    ("threaded-python", parts::threaded_wheel),
    ("musl-python", parts::musl_wheel),
    ("cli", parts::cli),
    ("bulk", parts::bulk),
    ("zig", parts::zig),
    ("npm", parts::npm),
    ("crates", registry::make),
];

/// The largest that an artefact may be in millions of bytes, by what its name contains.
const LIMITS: [(&str, u64); 4] =
    [("phalanx-c-", 12), ("phalanx-cli-", 14), ("phalanx-verify-many-", 2), (".whl", 6)];

impl Options {
    /// Reads `[OUT] [--check] [--only PART,…]`.
    pub(crate) fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self { out: target().join("package").join("out"), check: false, only: Vec::new() };
        let mut arguments = arguments.iter();
        let mut has_out = false;
        while let Some(&argument) = arguments.next() {
            match argument {
                "--check" => options.check = true,
                "--only" => {
                    let list = arguments.next().ok_or("--only wants parts, such as c,cli")?;
                    options.only = list.split(',').map(str::to_owned).collect();
                }
                folder if !folder.starts_with('-') && !has_out => {
                    has_out = true;
                    options.out = std::path::absolute(folder).map_err(|error| error.to_string())?;
                }
                other => return Err(format!("`{other}` is no argument of package")),
            }
        }
        let known = |name: &&String| PARTS.iter().any(|(part, _)| part == name);
        match options.only.iter().find(|name| !known(name)) {
            Some(unknown) => {
                Err(format!("there is no part `{unknown}`: {}", PARTS.map(|(name, _)| name).join(", ")))
            }
            None => Ok(options),
        }
    }
}

/// Makes a release, or looks at one.
pub(crate) fn run(steps: &mut Steps, options: &Options) -> Result<(), Stop> {
    let tools = Tools::install().map_err(|why| steps.fail("package: tools from PyPI", &why))?;
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    if options.check {
        return check::run(steps, &tools, &options.out, &wanted);
    }
    let builder = Builder::new(&tools).map_err(|why| steps.fail("package: the compiler", &why))?;
    // A list must not name what an earlier run left.
    renewed(&options.out).map_err(|why| steps.fail("package: the folder", &why))?;
    for (name, make) in PARTS {
        if wanted(name) {
            make(steps, &builder, &options.out)?;
        }
    }
    let listed = list(&options.out);
    if let Ok(lines) = &listed {
        print!("{lines}");
    }
    steps.checked("package: checksums and sizes", listed.map(drop))
}

/// Makes `folder` anew, and empty.
fn renewed(folder: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(told)?;
    }
    fs::create_dir_all(folder).map_err(told)
}

/// Writes `SHA256SUMS`, and gives a line with the size of each file. What is too large is an error.
fn list(out: &Path) -> Result<String, String> {
    let entries = fs::read_dir(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (mut sums, mut lines) = (String::new(), String::new());
    for path in paths {
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(limit) = over(&name, bytes.len() as u64) {
            return Err(format!("{name} has {} bytes, and the limit is {limit}", bytes.len()));
        }
        for byte in phalanx_core::sha256::digest(&[&bytes]) {
            sums += &format!("{byte:02x}");
        }
        sums += &format!("  {name}\n");
        lines += &format!("{:>10}  {name}\n", bytes.len());
    }
    fs::write(out.join("SHA256SUMS"), sums).map_err(|error| error.to_string())?;
    Ok(lines)
}

/// The limit that a file is above.
fn over(name: &str, size: u64) -> Option<u64> {
    let limit =
        LIMITS.iter().find(|(part, _)| name.contains(part) && !name.ends_with(".json"))?.1 * 1_000_000;
    (size > limit).then_some(limit)
}

/// The text of a file of the repository.
fn repository(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_noticed() {
        assert_eq!(over("phalanx-c-0.1.0-x86_64-unknown-linux-gnu.tar.gz", 12_000_000), None);
        assert_eq!(over("phalanx-c-0.1.0-x86_64-unknown-linux-gnu.tar.gz", 12_000_001), Some(12_000_000));
        assert_eq!(over("phalanx-0.1.0-cp39-abi3-manylinux_2_28_x86_64.whl", 6_000_001), Some(6_000_000));
        assert_eq!(over("phalanx-cli-0.1.0-x86_64-unknown-linux-musl.tar.gz", 14_000_001), Some(14_000_000));
        let bulk = "phalanx-verify-many-0.1.0-x86_64-unknown-linux-musl";
        assert_eq!(over(&format!("{bulk}.tar.gz"), 2_000_001), Some(2_000_000));
        assert_eq!(over(&format!("{bulk}.cdx.json"), 2_000_001), None);
        assert_eq!(over("phalanx-core-0.1.0.crate", 60_000_000), None);
    }

    #[test]
    fn arguments_are_read() {
        let options = Options::read(&["--only", "c,cli", "--check"]).expect("they are right");
        assert!(options.check && options.only == ["c", "cli"]);
        assert!(Options::read(&["--only", "d"]).is_err() && Options::read(&["--only"]).is_err());
        assert!(Options::read(&["a", "b"]).is_err() && Options::read(&["--chekc"]).is_err());
    }

    #[test]
    fn sums_are_those_of_sha256sum() {
        let folder = std::env::temp_dir().join(format!("phalanx-sums-{}", std::process::id()));
        renewed(&folder).expect("a folder");
        fs::write(folder.join("abc"), "abc").expect("a file");
        assert_eq!(list(&folder).expect("a list"), "         3  abc\n");
        let sums = fs::read_to_string(folder.join("SHA256SUMS")).expect("sums");
        assert_eq!(sums, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc\n");
        fs::remove_dir_all(&folder).expect("it can go");
    }
}
