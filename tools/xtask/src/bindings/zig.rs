//! The Zig package: `zig build test` with the library that Cargo built, and a program that takes the package as a tarball and
//! by path.

mod package;

use crate::cargo::{cargo, target};
use crate::programs::said;
use crate::steps::{Outcome, Steps, Stop};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Zig that the package is for, by the name and version of its package on PyPI.
const ZIG: &str = "ziglang==0.15.2";

/// Builds and tests it.
pub(super) fn run(steps: &mut Steps) -> Result<Outcome, Stop> {
    let work = target().join("bindings").join("zig");
    let zig = match Zig::install(&work) {
        Ok(zig) => zig,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let (source, library) =
        (crate::cargo::root().join("bindings").join("zig"), target().join("release").join("libphalanx.a"));
    // `c` has built the same: then there is nothing to do.
    steps.run("zig: the static library", &mut cargo("build --locked --release --package phalanx-c"))?;
    if !library.is_file() {
        return Ok(Outcome::Skipped(format!(
            "{} is what is linked, and this system has another",
            library.display()
        )));
    }
    let linked = format!("-Dphalanx-lib={}", library.display());
    steps.run("zig fmt", zig.command(&source).args(["fmt", "--check", "."]))?;
    steps.run("zig build test", zig.command(&source).args(["build", "test", "--summary", "all", &linked]))?;
    steps.run("zig build bench", zig.command(&source).args(["build", "bench", &linked, "--", "--quick"]))?;

    let tarball = match package::make(&zig.python, &work) {
        Ok(package) => {
            // Its sources are whole, and its lock file fits them. Dependencies are not checked a second time.
            let manifest = package.folder.join("rust").join("Cargo.toml");
            let mut check = cargo("check --locked --package phalanx-c --manifest-path");
            check.arg(manifest).arg("--target-dir").arg(target());
            steps.run("zig: the package's library", &mut check)?;
            package.tarball
        }
        Err(reason) => return Err(steps.fail("zig: the package", &reason)),
    };
    let consumer = match package::consumer(&work, &source) {
        Ok(consumer) => consumer,
        Err(reason) => return Err(steps.fail("zig: a program that uses the package", &reason)),
    };
    let fetch = &mut zig.command(&consumer);
    steps.run("zig fetch of the tarball", fetch.args(["fetch", "--save=phalanx"]).arg(tarball))?;
    steps.run("zig: a program with the tarball", zig.command(&consumer).args(["build", "run", &linked]))?;
    if !crate::cargo::root().join(".git").exists() {
        steps.not_run("zig fetch of the repository", "this is no checkout of git");
        return Ok(Outcome::Ran);
    }
    // As it comes from git, where the package's own folder is one among many.
    let archive = work.join("repository.tar.gz");
    let mut git = Command::new("git");
    git.args(["archive", "--format=tar.gz", "--prefix=phalanx/", "--output"]).arg(&archive).arg("HEAD");
    steps.run("zig: the repository as an archive", git.current_dir(crate::cargo::root()))?;
    let fetch_all = &mut zig.command(&consumer);
    steps.run("zig fetch of the repository", fetch_all.args(["fetch", "--save=phalanx"]).arg(archive))?;
    steps
        .run("zig: a program with the repository", zig.command(&consumer).args(["build", "run", &linked]))?;
    Ok(Outcome::Ran)
}

/// Makes the package that is shipped below `work`.
pub(crate) fn zig_package(python: &Path, work: &Path) -> Result<PathBuf, String> {
    package::make(python, &work.join("zig")).map(|package| package.tarball)
}

/// A Zig compiler in an environment of its own.
struct Zig {
    python: PathBuf,
    work: PathBuf,
}

impl Zig {
    /// Installs it below `work`, if it is not there; or says why that does not work.
    fn install(work: &Path) -> Result<Self, String> {
        let environment = work.join("venv");
        let python = ["bin/python", "Scripts/python.exe"].map(|path| environment.join(path));
        let found = || python.iter().find(|path| path.is_file()).cloned();
        if found().is_none() {
            let make = |name: &str| said(Command::new(name).args(["-m", "venv"]).arg(&environment));
            make("python3")
                .or_else(|problem| make("python").map_err(|_| problem))
                .map_err(|problem| format!("Python 3 with its module venv is not here: {problem}"))?;
        }
        let zig =
            Self { python: found().ok_or("the Python environment has no Python")?, work: work.to_owned() };
        let listed = said(Command::new(&zig.python).args(["-m", "pip", "freeze"]))?;
        if !listed.lines().any(|line| line == ZIG) {
            said(Command::new(&zig.python).args(["-m", "pip", "install", "--quiet", ZIG]))
                .map_err(|problem| format!("pip cannot install {ZIG}: {problem}"))?;
        }
        Ok(zig)
    }

    /// The compiler, in `folder`. What it keeps lies below `work`.
    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command
            .args(["-m", "ziglang"])
            .current_dir(folder)
            .env("ZIG_GLOBAL_CACHE_DIR", self.work.join("cache").join("global"))
            .env("ZIG_LOCAL_CACHE_DIR", self.work.join("cache").join("local"))
            .env_remove("PHALANX_BACKEND");
        command
    }
}
