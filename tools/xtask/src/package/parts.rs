//! The parts of a release, one function each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::bill::Bill;
use super::build::{Builder, GLIBC, strip};
use super::{pack, renewed, repository};
use crate::bindings;
use crate::cargo::{root, target};
use crate::programs::said;
use crate::steps::{Steps, Stop};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The largest that programs may be, unpacked.
const PROGRAM_BYTES_MAX: u64 = 14_000_000;
const BULK_BYTES_MAX: u64 = 4_000_000;

/// What the linker adds to programs on Linux, whose terms ask to be named.
const BESIDE: [&str; 2] = [
    "LLVM's libunwind: Apache-2.0 WITH LLVM-exception, https://llvm.org",
    "musl, in static programs: MIT, https://musl.libc.org",
];

/// The shells that the command line has completions for, and where these are looked for.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/phalanx"),
    ("zsh", "share/zsh/site-functions/_phalanx"),
    ("fish", "share/fish/vendor_completions.d/phalanx.fish"),
];

/// The C archive: the tree that CMake installs, with both libraries.
pub(super) fn c(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    let library = builder.package("phalanx-c");
    let mut library = library.map_err(|why| steps.fail("package: a compiler for the C library", &why))?;
    steps.run("package: the C library", &mut library)?;
    let name = format!("phalanx-c-{VERSION}-{}", builder.host);
    let folder = staged(steps, &name)?;
    let prebuilt = folder.with_file_name("c-libraries");
    let made = libraries(builder, &prebuilt);
    steps.checked("package: libraries without lines for debuggers", made)?;
    let tree = folder.with_file_name("c-cmake");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("bindings/c")).arg("-B").arg(&tree);
    configure.arg(format!("-DPHALANX_PREBUILT_DIR={}", prebuilt.display()));
    configure.args(["-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release"]).stdout(Stdio::null());
    steps.run("package: configure the C archive", &mut configure)?;
    let mut build = Command::new("cmake");
    steps.run(
        "package: build it",
        build.arg("--build").arg(&tree).args(["--config", "Release"]).stdout(Stdio::null()),
    )?;
    let mut install = Command::new("cmake");
    install.arg("--install").arg(&tree).arg("--prefix").arg(&folder).args(["--config", "Release"]);
    steps.run("package: install it", install.stdout(Stdio::null()))?;
    let licences = folder.join("share/licenses/phalanx");
    let finished = with_bill(builder, "phalanx-c", &licences, out, &name)
        .and_then(|()| copied("bindings/c/README.md", &folder.join("share/doc/phalanx/README.md")))
        .and_then(|()| copied("bindings/c/CPP.md", &folder.join("share/doc/phalanx/CPP.md")))
        .and_then(|()| no_path_of_this_machine(&folder))
        .and_then(|()| pack(&builder.tools.python(), &folder, &out.join(format!("{name}.tar.gz"))));
    steps.checked("package: the C archive", finished)
}

/// Copies what Cargo built to `folder`, stripped.
fn libraries(builder: &Builder<'_>, folder: &Path) -> Result<(), String> {
    const NAMES: [&str; 7] = [
        "libphalanx.a",
        "libphalanx.so",
        "libphalanx.dylib",
        "phalanx.lib",
        "phalanx.dll",
        "phalanx.dll.lib",
        "libphalanx.dll.a",
    ];
    renewed(folder)?;
    let mut found = 0;
    for name in NAMES {
        let from = builder.outputs().join(name);
        if from.is_file() {
            fs::copy(&from, folder.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
            found += 1;
        }
    }
    if found < 2 {
        return Err(format!("{} has no two libraries", builder.outputs().display()));
    }
    let archive = folder.join("libphalanx.a");
    if archive.is_file() { strip(&archive) } else { Ok(()) }
}

/// A program that was built, and the archive that it goes into.
struct Program {
    built: PathBuf,
    /// What the archive is called.
    name: String,
    /// What is packed.
    folder: PathBuf,
    licences: PathBuf,
}

/// Builds the program of a package, on Linux a static one, for an archive whose name begins with `start`.
fn program(
    steps: &mut Steps,
    builder: &Builder<'_>,
    package: &str,
    program: &str,
    start: &str,
) -> Result<Program, Stop> {
    let (built, triple) = if cfg!(target_os = "linux") {
        (builder.static_package(package), builder.host.replace("-gnu", "-musl"))
    } else {
        (builder.package(package).map(|command| (command, builder.outputs())), builder.host.clone())
    };
    let (mut command, outputs) =
        built.map_err(|why| steps.fail(&format!("package: a compiler for {triple}"), &why))?;
    steps.run(&format!("package: the program {program}"), &mut command)?;
    let name = format!("{start}-{VERSION}-{triple}");
    let folder = staged(steps, &name)?;
    let built = outputs.join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    let licences = folder.join("share/licenses").join(program);
    Ok(Program { built, name, folder, licences })
}

impl Program {
    /// Puts the program, the licences and the list of what went in where they are packed from.
    fn put(&self, builder: &Builder<'_>, package: &str, out: &Path, largest: u64) -> Result<(), String> {
        let Self { built, name, folder, licences } = self;
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).map_err(|error| format!("{}: {error}", bin.display()))?;
        let to = bin.join(built.file_name().unwrap_or_default());
        let size = fs::copy(built, to).map_err(|error| format!("{}: {error}", built.display()))?;
        if size > largest {
            return Err(format!("the program has {size} bytes, and the limit is {largest}"));
        }
        println!("{size:>10}  {}, unpacked", built.file_name().unwrap_or_default().to_string_lossy());
        copied("LICENSE-APACHE", &licences.join("LICENSE-APACHE"))?;
        copied("LICENSE-MIT", &licences.join("LICENSE-MIT"))?;
        with_bill(builder, package, licences, out, name)
    }

    fn pack(&self, builder: &Builder<'_>, out: &Path) -> Result<(), String> {
        no_path_of_this_machine(&self.folder)?;
        pack(&builder.tools.python(), &self.folder, &out.join(format!("{}.tar.gz", self.name)))
    }
}

/// The command line with its manual pages and completions.
pub(super) fn cli(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    let program = program(steps, builder, "phalanx-cli", "phalanx", "phalanx-cli")?;
    let Program { built, folder, .. } = &program;
    let put = || -> Result<(), String> {
        let told = |error: std::io::Error| format!("{}: {error}", folder.display());
        program.put(builder, "phalanx-cli", out, PROGRAM_BYTES_MAX)?;
        said(Command::new(built).args(["man", "--out"]).arg(folder.join("share/man/man1")))?;
        for (shell, place) in COMPLETIONS {
            let script = said(Command::new(built).args(["completions", shell]))?;
            let place = folder.join(place);
            fs::create_dir_all(place.parent().unwrap_or(folder)).map_err(told)?;
            fs::write(&place, script).map_err(told)?;
        }
        copied("docs/command-line.md", &folder.join("share/doc/phalanx/command-line.md"))?;
        copied("CHANGELOG.md", &folder.join("share/doc/phalanx/CHANGELOG.md"))?;
        program.pack(builder, out)
    };
    steps.checked("package: the command line's archive", put())
}

/// The program that `phalanx verify-many` starts, with the chapter about it.
pub(super) fn bulk(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    let program = program(steps, builder, "phalanx-bulk", "phalanx-verify-many", "phalanx-verify-many")?;
    let page = program.folder.join("share/doc/phalanx-verify-many/bulk.md");
    let put = program
        .put(builder, "phalanx-bulk", out, BULK_BYTES_MAX)
        .and_then(|()| copied("docs/bulk.md", &page))
        .and_then(|()| program.pack(builder, out));
    steps.checked("package: the archive of phalanx-verify-many", put)
}

/// The wheel for every CPython since 3.9, with the licences of what is in it.
pub(super) fn wheel(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    wheel_for(steps, builder, out, "wheel", &builder.tools.python(), None)
}

/// The wheel for `interpreter`, or for what a file says of it.
fn wheel_for(
    steps: &mut Steps,
    builder: &Builder<'_>,
    out: &Path,
    name: &str,
    interpreter: &Path,
    config: Option<&Path>,
) -> Result<(), Stop> {
    let mut maturin = bindings::maturin(&builder.tools.python(), interpreter);
    if cfg!(target_os = "linux") {
        let platform = format!("manylinux_{}", GLIBC.replace('.', "_"));
        maturin.args(["--target", &builder.host, "--compatibility", &platform]);
    } else {
        maturin.args(["--compatibility", "pypi"]);
    }
    let compiler = builder.for_host(&mut maturin);
    compiler.map_err(|why| steps.fail(&format!("package: a compiler for the {name}"), &why))?;
    if let Some(config) = config {
        maturin.env("PYO3_CONFIG_FILE", config);
    }
    one_wheel(steps, builder, out, name, maturin)
}

/// What PyO3 asks an interpreter for, of those without a lock: none need be here to compile for them.
const THREADED: &str = "implementation=CPython\nversion=3.14\nshared=true\npointer_width=64\nbuild_flags=Py_GIL_DISABLED\n\
                        suppress_build_script_link_lines=false\n";

/// The same for the CPython without an interpreter lock, which the other wheel does not load with.
pub(super) fn threaded_wheel(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    const NAME: &str = "free-threaded wheel";
    if cfg!(not(target_os = "linux")) {
        steps.not_run(NAME, "it is made on Linux");
        return Ok(());
    }
    let config = target().join("package").join("threaded.txt");
    let written = fs::write(&config, THREADED).map_err(|error| error.to_string());
    steps.checked("package: what an interpreter without a lock is", written)?;
    wheel_for(steps, builder, out, NAME, Path::new("python3.14t"), Some(&config))
}

/// The same for Linux with musl, such as Alpine.
pub(super) fn musl_wheel(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    const NAME: &str = "wheel for musl";
    if cfg!(not(target_os = "linux")) {
        steps.not_run(NAME, "it is for Linux");
        return Ok(());
    }
    let mut maturin = bindings::maturin(&builder.tools.python(), &builder.tools.python());
    maturin.args(["--zig", "--compatibility", "musllinux_1_2"]);
    let added = builder.for_musl(&mut maturin).map(drop);
    added.map_err(|why| steps.fail(&format!("package: a compiler for the {NAME}"), &why))?;
    one_wheel(steps, builder, out, NAME, maturin)
}

/// Runs maturin, puts the licences into what it made, and looks at it as the index would.
fn one_wheel(
    steps: &mut Steps,
    builder: &Builder<'_>,
    out: &Path,
    name: &str,
    mut maturin: Command,
) -> Result<(), Stop> {
    let place = staged(steps, &name.replace(' ', "-"))?;
    steps.run(&format!("package: the {name}"), maturin.arg("--out").arg(&place))?;
    let finished = || -> Result<PathBuf, String> {
        let made = only_file(&place, "whl")?;
        let texts = place.join("texts");
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            copied(licence, &texts.join(licence))?;
        }
        let stem = made.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        with_bill(builder, "phalanx-python", &texts, out, &stem)?;
        let entries = fs::read_dir(&texts).map_err(|error| error.to_string())?;
        let mut texts: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        texts.sort();
        let bill = out.join(format!("{stem}.cdx.json"));
        said(builder.tools.script("licences.py").arg(&made).arg(bill).args(texts))?;
        let made = only_file(&place, "whl")?;
        let to = out.join(made.file_name().ok_or("a wheel without a name")?);
        fs::copy(&made, &to).map(|_| to).map_err(|error| error.to_string())
    };
    let wheel = finished().map_err(|why| steps.fail(&format!("package: licences in the {name}"), &why))?;
    let mut twine = Command::new(builder.tools.python());
    steps.run("package: twine check", twine.args(["-m", "twine", "check", "--strict"]).arg(wheel))
}

/// The Zig package: its sources, and those of the library.
pub(super) fn zig(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    let made = bindings::zig_package(&builder.tools.python(), &target().join("package")).and_then(|file| {
        fs::copy(&file, out.join(file.file_name().unwrap_or_default())).map_err(|e| e.to_string())
    });
    steps.checked("package: the Zig package", made.map(drop))
}

/// The npm package, as the WebAssembly binding packs it.
pub(super) fn npm(steps: &mut Steps, builder: &Builder<'_>, out: &Path) -> Result<(), Stop> {
    let mut flags = Command::new("rustc");
    builder.surroundings(&mut flags, "");
    let flags = flags.get_envs().find(|(name, _)| *name == "RUSTFLAGS").and_then(|(_, value)| value);
    let flags = flags.unwrap_or_default().to_string_lossy().into_owned();
    let notices = Bill::of("phalanx-wasm", "wasm32-unknown-unknown").and_then(|bill| {
        fs::write(
            out.join(format!("phalanx-npm-{VERSION}.cdx.json")),
            bill.cyclonedx(&repository("Cargo.lock")?),
        )
        .map_err(|error| error.to_string())?;
        bill.notices(&[])
    });
    let notices = notices.map_err(|why| steps.fail("package: what the npm package is made of", &why))?;
    let file = bindings::npm_package(steps, &flags, &notices)?;
    let copied = fs::copy(&file, out.join(file.file_name().unwrap_or_default()));
    steps.checked("package: the npm package", copied.map(drop).map_err(|error| error.to_string()))?;
    let mut dry = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    dry.args(["publish", "--dry-run", "--access", "public"]).arg(&file).current_dir(out);
    steps.run("package: npm publish --dry-run", &mut dry)
}

/// An empty folder of this name, to be packed.
fn staged(steps: &mut Steps, name: &str) -> Result<PathBuf, Stop> {
    let folder = target().join("package").join("staged").join(name);
    renewed(&folder).map_err(|why| steps.fail("package: the folder", &why)).map(|()| folder)
}

/// Writes the list of what went in to `out`, and the notices to `licences`.
fn with_bill(
    builder: &Builder<'_>,
    package: &str,
    licences: &Path,
    out: &Path,
    name: &str,
) -> Result<(), String> {
    let bill = Bill::of(package, &builder.host)?;
    let list = bill.cyclonedx(&repository("Cargo.lock")?);
    fs::write(out.join(format!("{name}.cdx.json")), list).map_err(|error| error.to_string())?;
    fs::create_dir_all(licences).map_err(|error| error.to_string())?;
    let beside: &[&str] = if cfg!(target_os = "linux") { &BESIDE } else { &[] };
    fs::write(licences.join("THIRD-PARTY-NOTICES"), bill.notices(beside)?).map_err(|error| error.to_string())
}

/// Copies a file of the repository.
fn copied(from: &str, to: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{from}: {error}");
    fs::create_dir_all(to.parent().ok_or("a file without a folder")?).map_err(told)?;
    fs::copy(root().join(from), to).map(drop).map_err(told)
}

/// The one file of a kind in `folder`.
fn only_file(folder: &Path, kind: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == kind));
    match found.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("{} files .{kind} in {}", found.len(), folder.display())),
    }
}

/// Nothing that is shipped names a folder of who built it.
pub(super) fn no_path_of_this_machine(folder: &Path) -> Result<(), String> {
    let home = std::env::home_dir().map(|home| home.join(".cargo"));
    let ours: Vec<String> =
        [Some(root()), home].into_iter().flatten().map(|path| path.to_string_lossy().into_owned()).collect();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).map_err(|error| error.to_string())?;
            open.extend(entries.flatten().map(|entry| entry.path()));
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let holds = |part: &&String| bytes.windows(part.len()).any(|window| window == part.as_bytes());
        if let Some(part) = ours.iter().find(holds) {
            return Err(format!("{} names {part}", path.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_this_machine_is_noticed() {
        let folder = std::env::temp_dir().join(format!("phalanx-paths-{}", std::process::id()));
        renewed(&folder).expect("a folder");
        fs::write(folder.join("program"), "\u{1}/phalanx/crates\u{2}").expect("a file");
        assert_eq!(no_path_of_this_machine(&folder), Ok(()));
        fs::write(folder.join("program"), format!("\u{1}{}/crates", root().display())).expect("a file");
        assert!(no_path_of_this_machine(&folder).is_err());
        fs::remove_dir_all(&folder).expect("it can go");
    }
}
