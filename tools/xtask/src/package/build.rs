//! How what is shipped is compiled: for old systems too, without paths of this machine, and stripped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tools::Tools;
use crate::bindings::debian_rust::cargo_for;
use crate::cargo::{cargo, cargo_home, root, target};
use crate::programs::said;

/// The oldest C library of GNU that shared libraries and wheels load with: Debian 10, RHEL 8, Ubuntu 20.04.
pub(super) const GLIBC: &str = "2.28";

/// Where and for what is compiled.
pub(super) struct Builder<'a> {
    pub(super) tools: &'a Tools,
    /// This machine, as Rust calls it.
    pub(super) host: String,
    folder: PathBuf,
}

impl<'a> Builder<'a> {
    pub(super) fn new(tools: &'a Tools) -> Result<Self, String> {
        let answer = said(Command::new("rustc").arg("-vV").current_dir(root()))?;
        let host = answer.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or("rustc does not say what it runs on")?.to_owned();
        Ok(Self { tools, host, folder: target().join("package").join("build") })
    }

    /// `cargo build` of one package, for this machine.
    pub(super) fn package(&self, name: &str) -> Result<Command, String> {
        let mut command = cargo("build");
        command.args(["--target", &self.host, "--locked", "--release", "--package", name]);
        self.for_host(&mut command)?;
        Ok(command)
    }

    /// Has a command that starts Cargo compile for this machine. Zig links on Linux, for [`GLIBC`].
    ///
    /// Cargo compiles everything anew where another linker is named. So cargo-zigbuild is asked what it would tell Cargo, and
    /// Cargo and maturin, which would bring a cargo-zigbuild of its own, are told that: what both need is compiled once.
    pub(super) fn for_host(&self, command: &mut Command) -> Result<(), String> {
        if cfg!(target_os = "linux") {
            let script = self.tools.bin().join("tell-environment");
            if !script.is_file() {
                executable(&script, "#!/bin/sh\nexec env -0\n")?;
            }
            let mut ask = self.zigbuild();
            ask.arg("--target").arg(format!("{}.{GLIBC}", self.host)).env("CARGO", &script);
            self.surroundings(&mut ask, "");
            for (name, value) in told(&said(&mut ask)?) {
                command.env(name, value);
            }
        }
        self.surroundings(command, "");
        Ok(())
    }

    /// The same for Linux without a C library of its own: programs that run anywhere. Where such programs end up, too.
    pub(super) fn static_package(&self, name: &str) -> Result<(Command, PathBuf), String> {
        let mut command = self.zigbuild();
        command.args(["--locked", "--release", "--package", name]);
        let outputs = self.for_musl(&mut command)?;
        Ok((command, outputs))
    }

    /// Has a command that starts Cargo compile for Linux with musl, and gives the folder of what comes out.
    pub(super) fn for_musl(&self, command: &mut Command) -> Result<PathBuf, String> {
        let triple = self.host.replace("-gnu", "-musl");
        let compiler = cargo_for(&triple)?;
        // Two compilers do not share a folder.
        let folder = if compiler.build_std().is_none() {
            self.folder.clone()
        } else {
            self.folder.with_file_name("other-build")
        };
        command.args(["--target", &triple]).args(compiler.build_std());
        self.surroundings(command, &compiler.remapped());
        compiler.chosen(command);
        command.env("CARGO_TARGET_DIR", &folder);
        Ok(folder.join(triple).join("release"))
    }

    /// Where what [`Self::package`] builds ends up.
    pub(super) fn outputs(&self) -> PathBuf {
        self.folder.join(&self.host).join("release")
    }

    fn zigbuild(&self) -> Command {
        let mut command = Command::new(self.tools.bin().join("cargo-zigbuild"));
        command.arg("zigbuild").current_dir(root());
        command
    }

    /// What compilers are told by their environment.
    pub(super) fn surroundings(&self, command: &mut Command, more_flags: &str) {
        let mut path = vec![self.tools.bin()];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        command.env("PATH", std::env::join_paths(path).unwrap_or_default());
        command.env("CARGO_TARGET_DIR", &self.folder).env("SOURCE_DATE_EPOCH", &self.tools.epoch);
        command.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
        command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("PHALANX_BACKEND");
        let (mut rust, mut c) = (String::new(), "-g0".to_owned());
        for (from, to) in self.renamed() {
            rust += &format!("--remap-path-prefix={}={to} ", from.display());
            c += &format!(" -ffile-prefix-map={}={to}", from.display());
        }
        command.env("RUSTFLAGS", format!("{rust}{more_flags}").trim_end());
        if cfg!(unix) {
            command.env("CFLAGS", c);
        }
    }

    /// Folders of this machine, and what they are called in what is shipped. Later ones win.
    fn renamed(&self) -> Vec<(PathBuf, &'static str)> {
        let mut folders = vec![(root(), "/phalanx")];
        folders.extend(cargo_home().map(|folder| (folder, "/cargo")));
        folders.push((self.folder.clone(), "/build"));
        folders
    }
}

/// Writes a program.
fn executable(path: &Path, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::write(path, text).map_err(told)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(told)?;
    Ok(())
}

/// The variables in what `env -0` prints that tell Cargo about a compiler.
fn told(environment: &str) -> Vec<(&str, &str)> {
    const STARTS: [&str; 8] = [
        "AR_",
        "CC_",
        "CXX_",
        "RANLIB_",
        "CARGO_TARGET_",
        "CARGO_UNSTABLE_",
        "CARGO_ZIGBUILD_",
        "__CARGO_TEST_",
    ];
    let variables = environment.split('\0').filter_map(|variable| variable.split_once('='));
    variables.filter(|(name, _)| STARTS.iter().any(|start| name.starts_with(start))).collect()
}

/// Takes out of a static library what the compiler leaves there: lines for debuggers, and LLVM's form of the standard
/// library, for optimising whole programs, which linkers leave out anyway and which is a third of it.
pub(super) fn strip(library: &Path) -> Result<(), String> {
    let (program, arguments): (_, &[&str]) = match () {
        () if cfg!(target_os = "linux") => (
            "objcopy",
            &[
                "--strip-debug",
                "--enable-deterministic-archives",
                "--remove-section=.llvmbc",
                "--remove-section=.llvmcmd",
            ],
        ),
        () if cfg!(target_os = "macos") => ("strip", &["-S"]),
        () => return Ok(()),
    };
    said(Command::new(program).args(arguments).arg(library)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn of_an_environment_the_compiler_is_taken() {
        let environment = "HOME=/root\0CC_x86_64_unknown_linux_gnu=/zig cc\0CARGO=/script\0\
                           CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=/zig=1\0";
        let wanted = [
            ("CC_x86_64_unknown_linux_gnu", "/zig cc"),
            ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", "/zig=1"),
        ];
        assert_eq!(told(environment), wanted);
    }
}
