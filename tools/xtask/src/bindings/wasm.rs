//! WebAssembly: the npm package in its five builds, their sizes, tests under Node, the demo page in headless
//! Chromium.
//!
//! Everything is made below target/bindings/wasm/: `package` is the npm package, `site` the demo page, `npm` a folder into
//! which both the tests' tools and the packed package are installed, as a user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::debian_rust::{Cargo, cargo_for};
use super::folders::{copy, programs};
use crate::cargo::target;
use crate::programs::said;
use crate::steps::{Outcome, Steps, Stop};

/// The builds: what is in it, the feature that says so, with SIMD or without.
const BUILDS: [(&str, &str); 5] =
    [("full", "simd"), ("full", "scalar"), ("verify", "simd"), ("verify", "scalar"), ("aggregate", "scalar")];

/// What the optimiser may use; everything that Node 20 and browsers of 2023 have, vectors apart.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Where the browser's program may be.
const CHROMIUM: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The data that the page fetches, each written by a program beside it, and what it is made from.
const DATA: [(&str, &str); 2] = [("examples", "vectors"), ("charts", "docs/measurements")];

/// Names a folder to write screenshots of the pages to.
const IMAGES: &str = "PHALANX_WASM_IMAGES";

/// The folders that the steps share.
struct Places {
    source: PathBuf,
    made: PathBuf,
    package: PathBuf,
    npm: PathBuf,
    tools: PathBuf,
}

impl Places {
    fn below(made: PathBuf) -> Self {
        Self {
            source: crate::cargo::root().join("bindings/wasm"),
            package: made.join("package"),
            npm: made.join("npm"),
            tools: target().join("bindings/tools"),
            made,
        }
    }
}

/// Makes the package that is shipped, compiled with these flags too, and gives its tarball. `notices` is about the work of
/// others in it.
pub(crate) fn npm_package(steps: &mut Steps, flags: &str, notices: &str) -> Result<PathBuf, Stop> {
    let places = Places::below(target().join("package/wasm"));
    let cargo = prepared(&places).map_err(|why| steps.fail("WebAssembly: the tools", &why))?;
    let told = put_together(&places).and_then(|()| {
        let file = places.package.join("THIRD-PARTY-NOTICES");
        fs::write(file, notices).map_err(|error| error.to_string())
    });
    told.map_err(|why| steps.fail("WebAssembly package", &why))?;
    let flags = format!("{flags} {}", cargo.remapped());
    for (part, kind) in BUILDS {
        build(steps, &places, &cargo, part, kind, &flags)?;
    }
    let tarball = places.made.join(packed(&places.package).map_err(|why| steps.fail("npm pack", &why))?);
    fs::remove_file(&tarball).ok();
    let mut pack = npm(&places.package);
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&places.made);
    steps.run("WebAssembly: npm pack", &mut pack)?;
    Ok(tarball)
}

/// What npm calls the packed package: its name without the signs of a scope, and its version.
fn packed(package: &Path) -> Result<String, String> {
    let manifest = package.join("package.json");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let manifest: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let name = manifest["name"].as_str().ok_or("package.json has no name")?;
    Ok(format!("{}-{}.tgz", name.trim_start_matches('@').replace('/', "-"), env!("CARGO_PKG_VERSION")))
}

/// Builds and tests it.
pub(super) fn run(steps: &mut Steps) -> Result<Outcome, Stop> {
    let places = Places::below(target().join("bindings/wasm"));
    let cargo = match prepared(&places) {
        Ok(cargo) => cargo,
        Err(why) => return Ok(Outcome::Skipped(why)),
    };
    println!("wasm: built by {}", cargo.described());
    put_together(&places).map_err(|why| steps.fail("WebAssembly package", &why))?;
    for (part, kind) in BUILDS {
        build(steps, &places, &cargo, part, kind, "")?;
    }
    let examples = pack(steps, &places)?;
    steps.run("WebAssembly: sizes", node(&places).arg("sizes.js").arg(&places.package))?;
    steps.run("WebAssembly: types", types(&places).args(&examples))?;
    for example in &examples {
        steps.run("WebAssembly: an example", node(&places).arg(example))?;
    }
    let mut publish = npm(&places.package);
    steps.run("WebAssembly: npm publish --dry-run", publish.args(["publish", "--dry-run", "--silent"]))?;
    let installed = places.npm.join("node_modules/@phalanx-crypto/phalanx");
    let mut tests = node(&places);
    tests.arg("--test").args(["vectors.test.js", "garbage.test.js", "tasks.test.js", "aggregate.test.js"]);
    tests.env("PHALANX_PACKAGE", &installed).env("PHALANX_VECTORS", crate::cargo::root().join("vectors"));
    steps.run("WebAssembly: vectors, garbage and first tasks under Node", &mut tests)?;
    demo(steps, &places, &installed)
}

/// Sees to the compiler and the tools, or says what is missing.
fn prepared(places: &Places) -> Result<Cargo, String> {
    let version = said(Command::new("node").arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|n| n.parse::<u32>().ok());
    if major.is_none_or(|major| major < 20) {
        return Err(format!("Node is {}, and 20 is wanted", version.trim()));
    }
    let cargo = cargo_for("wasm32-unknown-unknown")?;
    bindgen(places)?;
    let tests = places.source.join("tests");
    copy(&tests, &places.npm).map_err(|error| format!("{}: {error}", tests.display()))?;
    let mut install = npm(&places.npm);
    said(install.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]))?;
    Ok(cargo)
}

/// Installs wasm-bindgen's program, of the version that the manifest names, unless it is there.
fn bindgen(places: &Places) -> Result<(), String> {
    let manifest = places.source.join("Cargo.toml");
    let manifest =
        fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let version = bindgen_version(&manifest).ok_or("bindings/wasm/Cargo.toml pins no wasm-bindgen")?;
    let there = said(Command::new(places.tools.join("bin/wasm-bindgen")).arg("--version"));
    if there.is_ok_and(|there| there.trim().ends_with(version)) {
        return Ok(());
    }
    println!("wasm: cargo install wasm-bindgen-cli {version}");
    // A few calls of it take seconds as it is: not worth minutes of optimising. Its package has other programs, too.
    let mut install =
        crate::cargo::cargo("install --quiet wasm-bindgen-cli --bin wasm-bindgen --force --version");
    install.arg(version).arg("--root").arg(&places.tools);
    install.env("CARGO_TARGET_DIR", places.tools.join("build"));
    install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
    said(&mut install)?;
    fs::remove_dir_all(places.tools.join("build")).ok();
    Ok(())
}

fn bindgen_version(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("wasm-bindgen = \"="))?;
    line.strip_suffix('"')
}

/// The package without its modules: what is the same in every build.
fn put_together(places: &Places) -> Result<(), String> {
    let problem = |error: std::io::Error| error.to_string();
    fs::remove_dir_all(&places.package).ok();
    copy(&places.source.join("js"), &places.package).map_err(problem)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(crate::cargo::root().join(licence), places.package.join(licence)).map_err(problem)?;
    }
    fs::copy(places.source.join("README.md"), places.package.join("README.md")).map_err(problem)?;
    // All packages are of one version.
    let manifest = places.package.join("package.json");
    let text = fs::read_to_string(&manifest).map_err(problem)?;
    let (before, after) = text.split_once("\"version\": \"0.0.0\"").ok_or("package.json has no version")?;
    let version = env!("CARGO_PKG_VERSION");
    fs::write(&manifest, format!("{before}\"version\": \"{version}\"{after}")).map_err(problem)
}

/// One build: compiled, bound, optimised.
fn build(
    steps: &mut Steps,
    places: &Places,
    cargo: &Cargo,
    part: &str,
    kind: &str,
    more_flags: &str,
) -> Result<(), Stop> {
    let name = format!("{part}-{kind}");
    let flags = if kind == "simd" { "-C target-feature=+simd128" } else { "" };
    let flags = [flags, more_flags].join(" ");
    let flags = flags.trim();
    let profile = if part == "full" { "wasm" } else { "wasm-small" };
    let mut compile = cargo.command("build --quiet -p phalanx-wasm --profile", flags);
    compile.arg(profile).args(["--no-default-features", "--features", part]);
    steps.run(&format!("WebAssembly: compile {name}"), &mut compile)?;
    let out = places.package.join(&name);
    let mut bind = Command::new(places.tools.join("bin/wasm-bindgen"));
    bind.args(["--target", "web", "--no-typescript", "--out-name", "phalanx_wasm", "--out-dir"]).arg(&out);
    steps.run(
        &format!("WebAssembly: bind {name}"),
        bind.arg(cargo.outputs().join(profile).join("phalanx_wasm.wasm")),
    )?;
    let module = out.join("phalanx_wasm_bg.wasm");
    let mut optimise = node(places);
    optimise.arg("node_modules/binaryen/bin/wasm-opt").args(["-O3", "--strip-debug", "--strip-producers"]);
    optimise.args(FEATURES);
    if kind == "simd" {
        optimise.arg("--enable-simd");
    }
    steps.run(&format!("WebAssembly: optimise {name}"), optimise.arg(&module).arg("-o").arg(&module))
}

/// Packs the package, and installs it where the tests are. Gives the examples there.
fn pack(steps: &mut Steps, places: &Places) -> Result<Vec<PathBuf>, Stop> {
    let mut pack = npm(&places.package);
    steps.run(
        "WebAssembly: npm pack",
        pack.args(["pack", "--silent", "--pack-destination"]).arg(&places.made),
    )?;
    let mut install = npm(&places.npm);
    install.args(["install", "--no-save", "--no-audit", "--no-fund", "--silent"]);
    let packed = format!("phalanx-crypto-phalanx-{}.tgz", env!("CARGO_PKG_VERSION"));
    steps.run("WebAssembly: npm install", install.arg(places.made.join(packed)))?;
    // The examples are as a user has them: below a folder where the package is installed.
    let folder = places.npm.join("examples");
    fs::remove_dir_all(&folder).ok();
    let copied = copy(&places.source.join("examples"), &folder).map_err(|error| error.to_string());
    let examples = copied.and_then(|()| programs(&folder, "js"));
    examples.map_err(|why| steps.fail("WebAssembly: examples", &why))
}

fn types(places: &Places) -> Command {
    let mut check = node(places);
    check.args(["node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--target", "es2022"]);
    check.args([
        "--module",
        "nodenext",
        "--moduleResolution",
        "nodenext",
        "--types",
        "",
        "--allowJs",
        "--checkJs",
    ]);
    check.arg("types.ts");
    check
}

/// The demo page, served and visited.
fn demo(steps: &mut Steps, places: &Places, package: &Path) -> Result<Outcome, Stop> {
    let site = places.made.join("site");
    let put = || -> std::io::Result<()> {
        fs::remove_dir_all(&site).ok();
        copy(&places.source.join("demo"), &site)?;
        for (maker, _) in DATA {
            fs::remove_file(site.join(format!("make-{maker}.js")))?;
        }
        fs::create_dir_all(site.join("data"))?;
        copy(package, &site.join("phalanx"))
    };
    put().map_err(|error| steps.fail("WebAssembly: demo page", &error.to_string()))?;
    for (what, from) in DATA {
        let mut maker = node(places);
        maker.arg(places.source.join(format!("demo/make-{what}.js"))).arg(crate::cargo::root().join(from));
        let name = format!("WebAssembly: {what} of the demo page");
        steps.run(&name, maker.arg(site.join(format!("data/{what}.json"))))?;
    }

    let answers = |name: &&&str| said(Command::new(name).arg("--version")).is_ok();
    let Some(chromium) = CHROMIUM.iter().find(answers) else {
        return Ok(Outcome::Skipped(
            "its demo page: no Chromium answers (package `chromium`); all else ran".to_owned(),
        ));
    };
    let mut visit = node(places);
    visit
        .arg("browser.js")
        .arg(&site)
        .arg(chromium)
        .env("PHALANX_VECTORS", crate::cargo::root().join("vectors"));
    visit.env("PHALANX_PACKAGE", package);
    if let Some(images) = std::env::var_os(IMAGES) {
        visit.arg(crate::cargo::root().join(images));
    }
    steps.run("WebAssembly: demo page in Chromium", &mut visit)?;
    status_page(steps, places, chromium)?;
    Ok(Outcome::Ran)
}

/// The signer's status page, visited with the same tools: no WebAssembly, but what visits pages is here.
fn status_page(steps: &mut Steps, places: &Places, chromium: &str) -> Result<(), Stop> {
    let custody = crate::cargo::root().join("crates/custody");
    let name = "signer: status page in Chromium";
    fs::copy(custody.join("tests/status/status.js"), places.npm.join("status.js"))
        .map_err(|error| steps.fail(name, &error.to_string()))?;
    let mut visit = node(places);
    visit.arg("status.js").arg(custody.join("src/signer/status.html")).arg(chromium);
    if let Some(images) = std::env::var_os(IMAGES) {
        visit.arg(crate::cargo::root().join(images));
    }
    steps.run(name, &mut visit)
}

/// Node, in the folder of the tests.
fn node(places: &Places) -> Command {
    let mut node = Command::new("node");
    node.current_dir(&places.npm);
    node
}

/// npm, in `folder`; on Windows it is a script.
fn npm(folder: &Path) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder);
    npm
}

#[cfg(test)]
mod tests {
    use super::bindgen_version;

    #[test]
    fn the_tools_version_is_the_pinned_one() {
        assert_eq!(bindgen_version("[a]\nwasm-bindgen = \"=0.2.1\"\n"), Some("0.2.1"));
        assert_eq!(bindgen_version("wasm-bindgen = \"0.2.1\"\n"), None);
    }
}
