//! Whether what was made works where there is no Rust: each artefact is installed in an empty folder and used by a program of
//! a few lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::renewed;
use super::tools::Tools;
use crate::cargo::{root, target};
use crate::steps::{Steps, Stop};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where programs are looked for: nothing of rustup or Cargo.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What must not answer there.
const RUST: [&str; 3] = ["cargo", "rustc", "rustup"];

/// A check: its part, the names of its artefacts (how they begin and end), and what uses them.
type Check =
    (&'static str, &'static str, &'static str, fn(&mut Steps, &Place<'_>, &Path) -> Result<(), Stop>);

const CHECKS: [Check; 5] = [
    ("c", "phalanx-c-", ".tar.gz", c),
    ("python", "phalanx-", ".whl", wheel),
    ("cli", "phalanx-cli-", ".tar.gz", cli),
    ("zig", "phalanx-zig-", ".tar.gz", zig),
    ("npm", "phalanx-", ".tgz", npm),
];

/// Where an artefact is tried.
struct Place<'a> {
    tools: &'a Tools,
    out: &'a Path,
    folder: PathBuf,
}

impl Place<'_> {
    /// A program in the empty folder, with an environment that has nothing of ours.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", PATH).env("HOME", &self.folder).env("LC_ALL", "C.UTF-8");
        command.current_dir(&self.folder);
        command
    }

    /// Unpacks an archive, and gives the folder that is in it.
    fn unpack(&self, steps: &mut Steps, archive: &Path) -> Result<PathBuf, Stop> {
        let mut tar = self.command("tar");
        steps.run("check: unpack", tar.arg("-xzf").arg(archive))?;
        let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(self.folder.join(name.trim_end_matches(".tar.gz")))
    }
}

/// Checks sums, then what is `wanted` of the artefacts in `out`.
pub(super) fn run(
    steps: &mut Steps,
    tools: &Tools,
    out: &Path,
    wanted: &impl Fn(&str) -> bool,
) -> Result<(), Stop> {
    if cfg!(not(unix)) {
        return Err(steps.fail("check", "artefacts are tried on Unix systems"));
    }
    steps.run(
        "check: sums",
        Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(out),
    )?;
    let rust =
        RUST.iter().find(|program| PATH.split(':').any(|folder| Path::new(folder).join(program).exists()));
    let none = rust.map_or(Ok(()), |program| Err(format!("{program} is in {PATH}: nothing is shown here")));
    steps.checked("check: no Rust on the path", none)?;
    for (part, start, end, check) in CHECKS {
        if !wanted(part) {
            continue;
        }
        let artefact =
            artefact(out, start, end).map_err(|why| steps.fail(&format!("check: {part}"), &why))?;
        let place = Place { tools, out, folder: target().join("package").join("check").join(part) };
        renewed(&place.folder).map_err(|why| steps.fail("check: an empty folder", &why))?;
        check(steps, &place, &artefact)?;
    }
    Ok(())
}

/// The one file of this name.
fn artefact(out: &Path, start: &str, end: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // What is for musl loads where musl is.
        name.starts_with(start) && name.ends_with(end) && !name.contains("musllinux")
    });
    match paths.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("{} files {start}…{end} in {}", paths.len(), out.display())),
    }
}

/// Copies one of our programs into the folder.
fn put(steps: &mut Steps, place: &Place<'_>, source: &str, name: &str) -> Result<PathBuf, Stop> {
    let to = place.folder.join(name);
    match fs::copy(root().join(source), &to) {
        Ok(_) => Ok(to),
        Err(error) => Err(steps.fail("check: the program", &format!("{source}: {error}"))),
    }
}

/// With pkg-config, shared and static; with CMake, in C and C++.
fn c(steps: &mut Steps, place: &Place<'_>, archive: &Path) -> Result<(), Stop> {
    let prefix = place.unpack(steps, archive)?;
    let program = put(steps, place, "bindings/c/examples/readme.c", "readme.c")?;
    let search = prefix.join("lib/pkgconfig");
    for kind in ["shared", "static"] {
        let mut ask = place.command("pkg-config");
        ask.env("PKG_CONFIG_PATH", &search).args(["--cflags", "--libs", "phalanx"]);
        if kind == "static" {
            ask.arg("--static");
        }
        let flags =
            steps.ask(&format!("check: pkg-config, {kind}"), &mut ask, |text| Ok(text.trim().to_owned()))?;
        let built = place.folder.join(kind);
        let mut compile = place.command("cc");
        compile.arg("-std=c99").arg(&program).arg("-o").arg(&built);
        if kind == "static" {
            // Or the linker would take the shared one that lies beside it.
            compile.args(
                flags.split_whitespace().filter(|flag| *flag != "-lphalanx" && !flag.starts_with("-L")),
            );
            compile.arg(prefix.join("lib/libphalanx.a")).args(["-lpthread", "-lm", "-ldl"]);
        } else {
            compile.args(flags.split_whitespace());
            compile.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
        }
        steps.run(&format!("check: cc with pkg-config, {kind}"), &mut compile)?;
        steps.run(&format!("check: a program in C, {kind}"), &mut place.command(&built))?;
    }
    let project = place.folder.join("project");
    let mut configure = place.command("cmake");
    configure.arg("-S").arg(root().join("bindings/c/tests/consumer")).arg("-B").arg(&project);
    configure
        .arg(format!("-DWANTED_VERSION={VERSION}"))
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    steps.run("check: configure a project with find_package", configure.stdout(Stdio::null()))?;
    let mut build = place.command("cmake");
    steps.run("check: build it", build.arg("--build").arg(&project).stdout(Stdio::null()))?;
    let mut test = place.command("ctest");
    steps.run("check: run it", test.current_dir(&project).args(["--output-on-failure", "--no-tests=error"]))
}

fn wheel(steps: &mut Steps, place: &Place<'_>, wheel: &Path) -> Result<(), Stop> {
    let environment = place.folder.join("venv");
    let mut make = place.command(place.tools.python());
    steps.run("check: a fresh environment", make.args(["-m", "venv"]).arg(&environment))?;
    let python = environment.join("bin/python");
    let mut install = place.command(&python);
    install.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]).arg(wheel);
    steps.run("check: pip install the wheel", &mut install)?;
    let program = put(steps, place, "tools/xtask/src/package/programs/installed.py", "installed.py")?;
    steps.run("check: a program in Python", place.command(&python).arg(program))
}

fn npm(steps: &mut Steps, place: &Place<'_>, tarball: &Path) -> Result<(), Stop> {
    let mut install = place.command("npm");
    install
        .args(["install", "--offline", "--no-audit", "--no-fund", "--silent", "--prefix", "."])
        .arg(tarball);
    steps.run("check: npm install the tarball", &mut install)?;
    let program = put(steps, place, "bindings/wasm/examples/readme.js", "readme.mjs")?;
    steps.run("check: a program in JavaScript", place.command("node").arg(program))
}

/// With the library of the C archive: the one that Cargo would build is not to be had.
fn zig(steps: &mut Steps, place: &Place<'_>, tarball: &Path) -> Result<(), Stop> {
    let library =
        artefact(place.out, "phalanx-c-", ".tar.gz").map_err(|why| steps.fail("check: zig", &why))?;
    let library = place.unpack(steps, &library)?.join("lib/libphalanx.a");
    for name in ["build.zig", "build.zig.zon", "main.zig"] {
        put(steps, place, &format!("bindings/zig/tests/consumer/{name}"), name)?;
    }
    let zig = || {
        let mut zig = place.command(place.tools.python());
        zig.args(["-m", "ziglang"]);
        zig
    };
    steps.run("check: zig fetch the tarball", zig().args(["fetch", "--save=phalanx"]).arg(tarball))?;
    let linked = format!("-Dphalanx-lib={}", library.display());
    steps.run("check: a program in Zig", zig().args(["build", "run", &linked]))
}

fn cli(steps: &mut Steps, place: &Place<'_>, archive: &Path) -> Result<(), Stop> {
    let prefix = place.unpack(steps, archive)?;
    let program = prefix.join("bin/phalanx");
    if cfg!(target_os = "linux") {
        let mut ask = place.command("readelf");
        steps.ask(
            "check: the program is static",
            ask.args(["--program-headers", "--wide"]).arg(&program),
            |text| {
                if text.contains("INTERP") { Err("it asks for a loader".to_owned()) } else { Ok(()) }
            },
        )?;
    }
    let parts = [
        "share/man/man1/phalanx.1",
        "share/bash-completion/completions/phalanx",
        "share/zsh/site-functions/_phalanx",
    ];
    let missing = parts.iter().find(|part| !prefix.join(part).is_file());
    steps
        .checked("check: pages and completions", missing.map_or(Ok(()), |part| Err(format!("no {part}"))))?;
    put(steps, place, "docs/command-line.md", "letter")?;
    for line in
        ["version", "keygen", "sign -k keys letter", "verify -k keys letter", "hash letter", "selftest"]
    {
        let mut command = place.command(&program);
        steps.run(&format!("check: phalanx {line}"), command.args(line.split(' ')))?;
    }
    Ok(())
}
