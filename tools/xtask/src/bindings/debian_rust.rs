//! Rust for other targets: the toolchain that runs us where it has, or can fetch, the target's standard library; else
//! Debian's packaged compiler, unpacked below target/bindings/, which builds the standard library from its sources.

use crate::cargo::target;
use crate::programs::said;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set to anything, it skips the ordinary ways: to try the other one where they work.
const FORCE: &str = "PHALANX_DEBIAN_RUST";

/// Debian's compiler for programs of the web, which follows the stable releases, and the library's sources.
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// What of their dependencies is needed, by how the names begin: the compiler's own library and LLVM.
const PARTS: [&str; 2] = ["libstd-rust-web", "libllvm"];

/// Cargo that builds for one target: add a subcommand and its arguments to [`Self::command`].
pub(crate) struct Cargo {
    target: String,
    /// Debian's compiler, if the ordinary ones cannot.
    debian: Option<PathBuf>,
}

/// Cargo for `target`, or why there is none.
///
/// Tries, in this order: the target as it is installed, `rustup target add`, Debian's packages.
pub(crate) fn cargo_for(target: &str) -> Result<Cargo, String> {
    let forced = std::env::var_os(FORCE).is_some();
    if !forced && (installed(target) || (added(target) && installed(target))) {
        return Ok(Cargo { target: target.to_owned(), debian: None });
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(format!("`rustup target add {target}` did not work"));
    }
    let folder = unpacked().map_err(|why| {
        format!("no standard library for {target}: rustup did not add it, and of Debian's compiler: {why}")
    })?;
    Ok(Cargo { target: target.to_owned(), debian: Some(folder) })
}

impl Cargo {
    /// Cargo in the repository's root, building for the target; `arguments` are parted at spaces.
    ///
    /// `flags` are the compiler's, on top of none: `RUSTFLAGS` of the surroundings are not meant for another target.
    pub(super) fn command(&self, arguments: &str, flags: &str) -> Command {
        let mut command = crate::cargo::cargo("");
        command.env("CARGO_BUILD_TARGET", &self.target).env("CARGO_TARGET_DIR", self.target_dir());
        command.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", flags);
        let variable = format!("CARGO_TARGET_{}_LINKER", self.target.to_uppercase().replace('-', "_"));
        if let Some(linker) = self.linker() {
            command.env(variable, linker);
        }
        self.chosen(&mut command);
        command.args(self.build_std()).args(arguments.split_whitespace());
        command
    }

    /// Tells a command that starts Cargo which compiler it is to use.
    pub(crate) fn chosen(&self, command: &mut Command) {
        if let Some(folder) = &self.debian {
            command.env("RUSTC", folder.join("usr/bin/rustc")).env("LD_LIBRARY_PATH", libraries(folder));
            command.env("RUSTDOC", folder.join("usr/bin/rustdoc"));
            // The compiler is a release; this lets it build its own library.
            command.env("RUSTC_BOOTSTRAP", "1");
        }
    }

    /// The argument that makes Cargo build the standard library too, if it must.
    pub(crate) fn build_std(&self) -> Option<&'static str> {
        self.debian.as_ref()?;
        let abort = self.target.starts_with("wasm32-");
        Some(if abort { "-Zbuild-std=std,panic_abort" } else { "-Zbuild-std=std,panic_unwind,test" })
    }

    /// The compiler's flag that calls its own folder by the same name on every machine; empty if it needs none.
    pub(crate) fn remapped(&self) -> String {
        let folder = self.debian.as_ref();
        folder.map(|folder| format!("--remap-path-prefix={}=/rust", folder.display())).unwrap_or_default()
    }

    /// Where the target's programs end up: `debug` and `release` are in it.
    pub(super) fn outputs(&self) -> PathBuf {
        self.target_dir().join(&self.target)
    }

    /// Says which compiler it is.
    pub(super) fn described(&self) -> &'static str {
        if self.debian.is_some() {
            "Debian's compiler and a standard library built from source"
        } else {
            "this toolchain"
        }
    }

    /// Two compilers do not share a folder: each would build everything again.
    fn target_dir(&self) -> PathBuf {
        match self.debian {
            Some(_) => target().join("bindings/debian-build"),
            None => target(),
        }
    }

    /// Where the compiler does not know it by itself.
    fn linker(&self) -> Option<PathBuf> {
        if self.target.starts_with("aarch64-unknown-linux-gnu") && cfg!(not(target_arch = "aarch64")) {
            return Some("aarch64-linux-gnu-gcc".into());
        }
        // Debian's compiler comes without it; any version links any.
        let lld = || installed_lib("x86_64-unknown-linux-gnu")?.parent().map(|at| at.join("bin/rust-lld"));
        self.debian.as_ref()?;
        lld().filter(|path| self.target.starts_with("wasm32-") && path.exists())
    }
}

// ---- the ordinary ways ----

fn rustc() -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(crate::cargo::root());
    rustc
}

/// The folder of a target's libraries, whether it exists or not.
fn installed_lib(target: &str) -> Option<PathBuf> {
    let answer = said(rustc().args(["--print", "target-libdir", "--target", target])).ok()?;
    Some(PathBuf::from(answer.trim()))
}

fn installed(target: &str) -> bool {
    let entries = installed_lib(target).and_then(|folder| fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libstd-") && Path::new(&*name).extension().is_some_and(|kind| kind == "rlib")
    })
}

fn added(target: &str) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]).current_dir(crate::cargo::root());
    said(&mut rustup).is_ok()
}

// ---- Debian's ----

/// The folder that holds Debian's compiler, fetched by package name unless it is there.
fn unpacked() -> Result<PathBuf, String> {
    let folder = target().join("bindings/debian-rust");
    let (root, packages) = (folder.join("root"), folder.join("packages"));
    let ready = folder.join("ready");
    if ready.exists() {
        return Ok(root);
    }
    let wanted = match closure() {
        Ok(wanted) => wanted,
        // A machine that never asked has no lists.
        Err(_) => said(&mut as_root("apt-get update -qq")).and_then(|_| closure())?,
    };
    fs::create_dir_all(&packages).map_err(|error| format!("{}: {error}", packages.display()))?;
    let mut download = Command::new("apt-get");
    said(download.args(["download", "-qq"]).args(&wanted).current_dir(&packages))?;
    let files = fs::read_dir(&packages).map_err(|error| error.to_string())?;
    for file in files.flatten() {
        said(Command::new("dpkg").arg("-x").arg(file.path()).arg(&root))?;
    }
    let version = said(
        Command::new(root.join("usr/bin/rustc")).arg("--version").env("LD_LIBRARY_PATH", libraries(&root)),
    )?;
    fs::write(&ready, version).map_err(|error| error.to_string())?;
    Ok(root)
}

/// The packages to fetch: [`PACKAGES`], and those of their dependencies that are [`PARTS`] of the compiler.
fn closure() -> Result<BTreeSet<String>, String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = PACKAGES.iter().map(|&name| name.to_owned()).collect();
    while let Some(name) = open.pop() {
        let answer = said(Command::new("apt-cache").args(["depends", "--important", &name]))?;
        if !answer.contains("Depends:") && PACKAGES[0] == name {
            return Err(format!("apt knows no package `{name}`"));
        }
        open.extend(parts(&answer).filter(|part| !found.contains(part)));
        found.insert(name);
    }
    Ok(found)
}

/// The names in what `apt-cache depends` says that are [`PARTS`].
fn parts(answer: &str) -> impl Iterator<Item = String> {
    let names = answer.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    names.filter(|name| PARTS.iter().any(|part| name.starts_with(part))).map(str::to_owned)
}

fn libraries(root: &Path) -> PathBuf {
    root.join("usr/lib/x86_64-linux-gnu")
}

/// A command of the administrator's: as it is for root, else through `sudo`, which must not ask.
pub(super) fn as_root(line: &str) -> Command {
    let is_root = said(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let mut words = line.split_whitespace();
    let mut command = Command::new(if is_root { words.next().unwrap_or("true") } else { "sudo" });
    if !is_root {
        command.arg("-n");
    }
    command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

#[cfg(test)]
mod tests {
    use super::{cargo_for, parts};
    use crate::programs::said;

    #[test]
    fn of_the_dependencies_the_compilers_own_are_taken() {
        let answer = "rustc-web\n  Depends: libc6\n  Depends: libstd-rust-web-dev\n  Depends: <libc-dev>\n    \
                      libc6-dev\n  Recommends: rust-web-llvm\n  Depends: libllvm22\n";
        assert_eq!(parts(answer).collect::<Vec<_>>(), ["libstd-rust-web-dev", "libllvm22"]);
    }

    #[test]
    #[ignore = "may fetch 130 MB and compile the standard library: half a minute for each target"]
    fn both_targets_build() {
        for target in ["wasm32-unknown-unknown", "aarch64-unknown-linux-gnu"] {
            let cargo = cargo_for(target).expect("a compiler");
            said(&mut cargo.command("build -p xtask", ""))
                .unwrap_or_else(|why| panic!("{}: {why}", cargo.described()));
            let built = ["xtask.wasm", "xtask"].map(|name| cargo.outputs().join("debug").join(name));
            assert!(built.iter().any(|path| path.exists()), "{target}");
        }
    }
}
