//! Whether what was made works where there is no Rust: each artefact is installed in an empty folder and used by a program of
//! a few lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::parts::no_path_of_this_machine;
use super::renewed;
use super::tools::Tools;
use crate::bindings;
use crate::cargo::{root, target};
use crate::steps::{Steps, Stop};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where programs are looked for: nothing of rustup or Cargo.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What must not answer there.
const RUST: [&str; 3] = ["cargo", "rustc", "rustup"];

/// A check: its part, the names of its artefacts (how they begin, what is in them, how they end), and what uses them.
type Check = (&'static str, [&'static str; 3], fn(&mut Steps, &Place<'_>, &Path) -> Result<(), Stop>);

/// What is for musl loads where musl is, and is only read.
const CHECKS: [Check; 8] = [
    ("c", C_ARCHIVE, c),
    ("python", ["phalanx-", "-abi3-ma", ".whl"], wheel),
    ("threaded-python", ["phalanx-", "t-manylinux", ".whl"], threaded_wheel),
    ("musl-python", ["phalanx-", "-abi3-musl", ".whl"], musl_wheel),
    ("cli", ["phalanx-cli-", "", ".tar.gz"], cli),
    ("bulk", ["phalanx-verify-many-", "", ".tar.gz"], bulk),
    ("zig", ["phalanx-zig-", "", ".tar.gz"], zig),
    ("npm", ["phalanx-", "", ".tgz"], npm),
];

const C_ARCHIVE: [&str; 3] = ["phalanx-c-", "", ".tar.gz"];

/// The licence texts that are beside everything in which there is work of others.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES"];

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
    for (part, name, check) in CHECKS {
        if !wanted(part) || (part.contains("-python") && cfg!(not(target_os = "linux"))) {
            continue;
        }
        let artefact = artefact(out, name).map_err(|why| steps.fail(&format!("check: {part}"), &why))?;
        let place = Place { tools, out, folder: target().join("package").join("check").join(part) };
        renewed(&place.folder).map_err(|why| steps.fail("check: an empty folder", &why))?;
        check(steps, &place, &artefact)?;
    }
    Ok(())
}

/// The one file of this name.
fn artefact(out: &Path, [start, middle, end]: [&str; 3]) -> Result<PathBuf, String> {
    let entries = fs::read_dir(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.contains(middle) && name.ends_with(end)
    });
    match paths.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("{} files {start}…{middle}…{end} in {}", paths.len(), out.display())),
    }
}

/// The licences, below `folder`.
fn licences(steps: &mut Steps, part: &str, folder: &Path) -> Result<(), Stop> {
    let missing = LICENCES.iter().find(|name| !folder.join(name).is_file());
    let all = missing.map_or(Ok(()), |name| Err(format!("no {name} in {}", folder.display())));
    steps.checked(&format!("check: licences of {part}"), all)
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
    licences(steps, "the C archive", &prefix.join("share/licenses/phalanx"))?;
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
    use_wheel(steps, place, &place.tools.python(), wheel)
}

/// With an interpreter of that kind, if one is here.
fn threaded_wheel(steps: &mut Steps, place: &Place<'_>, wheel: &Path) -> Result<(), Stop> {
    match bindings::free_threaded() {
        Some(interpreter) => use_wheel(steps, place, &interpreter, wheel),
        None => {
            steps.not_run("check: the free-threaded wheel", "no interpreter that it loads with is here");
            contents(steps, place, wheel)
        }
    }
}

/// What is for musl loads where musl is: here it is looked into.
fn musl_wheel(steps: &mut Steps, place: &Place<'_>, wheel: &Path) -> Result<(), Stop> {
    contents(steps, place, wheel)
}

/// Installs a wheel where nothing is, with `interpreter`, and uses it.
fn use_wheel(steps: &mut Steps, place: &Place<'_>, interpreter: &Path, wheel: &Path) -> Result<(), Stop> {
    let environment = place.folder.join("venv");
    let mut make = place.command(interpreter);
    steps.run("check: a fresh environment", make.args(["-m", "venv"]).arg(&environment))?;
    let python = environment.join("bin/python");
    let mut install = place.command(&python);
    install.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]).arg(wheel);
    steps.run("check: pip install the wheel", &mut install)?;
    let program = put(steps, place, "tools/xtask/src/package/programs/installed.py", "installed.py")?;
    steps.run("check: a program in Python", place.command(&python).arg(program))?;
    contents(steps, place, wheel)
}

/// A wheel has one module, which asks for nothing but the C library, and the licences.
fn contents(steps: &mut Steps, place: &Place<'_>, wheel: &Path) -> Result<(), Stop> {
    let folder = place.folder.join("contents");
    let mut unpack = place.command(place.tools.python());
    unpack.args(["-m", "zipfile", "--extract"]).arg(wheel).arg(&folder);
    steps.run("check: unpack the wheel", &mut unpack)?;
    let about = folder.join(format!("phalanx-{VERSION}.dist-info"));
    licences(steps, "the wheel", &about.join("licenses"))?;
    let told = fs::read_to_string(about.join("METADATA")).map_err(|error| error.to_string());
    let has_source = told.and_then(|text| {
        let has = text.contains("\nProject-URL: Source, ");
        if has { Ok(()) } else { Err("its metadata has no `Project-URL: Source`".to_owned()) }
    });
    steps.checked("check: the wheel says where its sources are", has_source)?;
    steps.checked("check: paths in the wheel", no_path_of_this_machine(&folder))?;
    if cfg!(not(target_os = "linux")) {
        return Ok(());
    }
    let module = only(&folder.join("phalanx"), ".so");
    let module = module.map_err(|why| steps.fail("check: the module in the wheel", &why))?;
    let mut ask = place.command("readelf");
    ask.args(["--dynamic", "--wide"]).arg(module);
    steps.ask("check: what the module asks for", &mut ask, |text| {
        let needed: Vec<&str> =
            text.lines().filter(|line| line.contains("(NEEDED)")).filter_map(in_brackets).collect();
        match needed.iter().find(|name| !SYSTEM.iter().any(|start| name.starts_with(start))) {
            Some(other) => Err(format!("{other}, which is not on every system")),
            None if needed.is_empty() => Err("nothing: it is no module".to_owned()),
            None => Ok(()),
        }
    })
}

/// How the names of libraries begin that are on every Linux: those of glibc, and musl's one.
const SYSTEM: [&str; 7] = ["libc.", "libm.", "libdl.", "libpthread.", "librt.", "libgcc_s.", "ld-linux"];

/// The name in a line such as `0x1 (NEEDED) Shared library: [libc.so.6]`.
fn in_brackets(line: &str) -> Option<&str> {
    line.rsplit_once('[')?.1.split(']').next()
}

/// The one file in `folder` whose name ends so.
fn only(folder: &Path, end: &str) -> Result<PathBuf, String> {
    artefact(folder, ["", "", end])
}

fn npm(steps: &mut Steps, place: &Place<'_>, tarball: &Path) -> Result<(), Stop> {
    let mut install = place.command("npm");
    install
        .args(["install", "--offline", "--no-audit", "--no-fund", "--silent", "--prefix", "."])
        .arg(tarball);
    steps.run("check: npm install the tarball", &mut install)?;
    let installed = place.folder.join("node_modules/@phalanx-crypto/phalanx");
    licences(steps, "the npm package", &installed)?;
    steps.checked("check: paths in the npm package", no_path_of_this_machine(&installed))?;
    let program = put(steps, place, "bindings/wasm/examples/readme.js", "readme.mjs")?;
    steps.run("check: a program in JavaScript", place.command("node").arg(program))
}

/// With the library of the C archive: the one that Cargo would build is not to be had.
fn zig(steps: &mut Steps, place: &Place<'_>, tarball: &Path) -> Result<(), Stop> {
    let library = artefact(place.out, C_ARCHIVE).map_err(|why| steps.fail("check: zig", &why))?;
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

/// On Linux a program asks for nothing.
fn is_static(steps: &mut Steps, place: &Place<'_>, program: &Path) -> Result<(), Stop> {
    if cfg!(not(target_os = "linux")) {
        return Ok(());
    }
    let mut ask = place.command("readelf");
    ask.args(["--program-headers", "--wide"]).arg(program);
    steps.ask("check: the program is static", &mut ask, |text| {
        if text.contains("INTERP") { Err("it asks for a loader".to_owned()) } else { Ok(()) }
    })
}

/// Rows of RFC 8032 as CSV: all verify; with one message changed its status says so.
fn bulk(steps: &mut Steps, place: &Place<'_>, archive: &Path) -> Result<(), Stop> {
    let prefix = place.unpack(steps, archive)?;
    licences(steps, "phalanx-verify-many", &prefix.join("share/licenses/phalanx-verify-many"))?;
    let program = prefix.join("bin/phalanx-verify-many");
    is_static(steps, place, &program)?;
    let good = signed_rows();
    let good = good.map_err(|why| steps.fail("check: rows for phalanx-verify-many", &why))?;
    let last = good.trim_end().rsplit_once('\n').map_or("", |(_, last)| last);
    // The message is first.
    let bad = format!("{good}00{last}\n");
    for (name, rows, wanted) in [("good", good, 0), ("bad", bad, 1)] {
        let file = format!("{name}.csv");
        let written = fs::write(place.folder.join(&file), rows).map_err(|error| error.to_string());
        steps.checked("check: rows for phalanx-verify-many", written)?;
        let mut verify = place.command(&program);
        let status = verify.args([&*file, "--out", name, "--quiet"]).status();
        let result = match status.map(|status| status.code()) {
            Ok(Some(code)) if code == wanted => Ok(()),
            Ok(code) => Err(format!("its status is {code:?}, not {wanted}")),
            Err(error) => Err(error.to_string()),
        };
        steps.checked(&format!("check: phalanx-verify-many of {name} rows"), result)?;
    }
    Ok(())
}

/// The signatures of RFC 8032 as rows of CSV.
fn signed_rows() -> Result<String, String> {
    let path = root().join("vectors/ed25519/rfc8032.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let cases = file["cases"].as_array().ok_or("rfc8032.json has no cases")?;
    let mut rows = "message,scheme,public_key,signature\n".to_owned();
    for case in cases {
        let word = |key: &str| case[key].as_str().ok_or(format!("no {key} in {case}"));
        rows += &format!("{},ed25519,{},{}\n", word("msg")?, word("pk")?, word("sig")?);
    }
    Ok(rows)
}

fn cli(steps: &mut Steps, place: &Place<'_>, archive: &Path) -> Result<(), Stop> {
    let prefix = place.unpack(steps, archive)?;
    licences(steps, "the command line", &prefix.join("share/licenses/phalanx"))?;
    let program = prefix.join("bin/phalanx");
    is_static(steps, place, &program)?;
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

#[cfg(test)]
mod tests {
    use super::{CHECKS, artefact, in_brackets, renewed};

    #[test]
    fn each_artefact_is_found_among_all() {
        let folder = std::env::temp_dir().join(format!("phalanx-artefacts-{}", std::process::id()));
        renewed(&folder).expect("a folder");
        let names = [
            ("c", "phalanx-c-0.1.0-x86_64-unknown-linux-gnu.tar.gz"),
            ("python", "phalanx-0.1.0-cp39-abi3-manylinux_2_28_x86_64.whl"),
            ("threaded-python", "phalanx-0.1.0-cp314-cp314t-manylinux_2_28_x86_64.whl"),
            ("musl-python", "phalanx-0.1.0-cp39-abi3-musllinux_1_2_x86_64.whl"),
            ("cli", "phalanx-cli-0.1.0-x86_64-unknown-linux-musl.tar.gz"),
            ("bulk", "phalanx-verify-many-0.1.0-x86_64-unknown-linux-musl.tar.gz"),
            ("zig", "phalanx-zig-0.1.0.tar.gz"),
            ("npm", "phalanx-crypto-phalanx-0.1.0.tgz"),
        ];
        for (_, name) in names {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        for (part, wanted, _) in CHECKS {
            let found = artefact(&folder, wanted).expect("one");
            let name = names.iter().find(|(name, _)| *name == part).expect("a part").1;
            assert_eq!(found, folder.join(name));
        }
        std::fs::remove_dir_all(&folder).expect("it can go");
    }

    #[test]
    fn the_name_of_a_library_is_read() {
        let line = " 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]";
        assert_eq!(in_brackets(line), Some("libc.so.6"));
        assert_eq!(in_brackets("nothing"), None);
    }
}
