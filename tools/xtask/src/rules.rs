//! `cargo xtask rules`: what neither Cargo nor a lint can see of the rules in `CONTRIBUTING.md`.
//!
//! Each reader is tested on snippets that break its rule, and each rule fails when it finds nothing to look at: a check that
//! cannot fail is no check.

mod cycles;
mod kernels;
mod modules;
mod tokens;
mod untested;

use std::fs;
use std::path::Path;

use crate::cargo::root;
use crate::steps::{Steps, Stop};

/// The largest number of lines of a source file.
const MAX_FILE_LINES: usize = 600;

/// Files that may be longer (tables are read as pictures): path, bound, and why.
const LONG_FILES: &[(&str, usize, &str)] = &[];

/// Folders that hold what tools produce, beside those called `target`.
const PRODUCED: &[&str] = &["fuzz/corpus", "fuzz/artifacts"];

/// The table of all examples.
const EXAMPLES: &str = "docs/examples.md";

/// Manifests that repeat the workspace's version: the file, and the text in it, with `{}` where the version stands.
const REPEATED: &[(&str, &str)] =
    &[("build.zig.zon", ".version = \"{}\","), ("bindings/zig/build.zig.zon", ".version = \"{}\",")];

/// Crates whose files may still import each other, and why.
const CIRCULAR: &[(&str, &str)] = &[];

/// A text file of the repository.
struct File {
    /// From the repository's root, with `/` on every system.
    path: String,
    text: String,
}

/// Checks all rules, each a step.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Stop> {
    let files = match files(&root()) {
        Ok(files) => files,
        Err(problem) => return Err(steps.fail("rules of the repository", &problem)),
    };
    steps.checked("no file is too long", sizes(&files))?;
    steps.checked("no two files import each other", import_cycles(&files))?;
    steps.checked("every kernel is in its crate's table", tables_of_kernels(&files))?;
    steps.checked("no test is left out", tests_left_out(&files))?;
    steps.checked("links lead somewhere", links(&files))?;
    steps.checked("every example is in the table", examples(&files))?;
    steps.checked("no file names a place on a machine", machine_places(&files))?;
    steps.checked("manifests agree on the version", versions(&files))
}

/// `Ok` if nothing was found.
fn outcome(bad: &[String]) -> Result<(), String> {
    if bad.is_empty() { Ok(()) } else { Err(format!("\n  {}", bad.join("\n  "))) }
}

// ---- the rules ----

fn sizes(files: &[File]) -> Result<(), String> {
    let lengths: Vec<_> = rust(files).map(|file| (&*file.path, file.text.lines().count())).collect();
    outcome(&oversized(&lengths, LONG_FILES))
}

fn oversized(lengths: &[(&str, usize)], exceptions: &[(&str, usize, &str)]) -> Vec<String> {
    let mut bad = Vec::new();
    for (path, len_lines) in lengths {
        let exception = exceptions.iter().find(|(known, ..)| known == path);
        let bound = exception.map_or(MAX_FILE_LINES, |(_, bound, _)| *bound);
        if *len_lines > bound {
            bad.push(format!("{path}: {len_lines} lines, at most {bound}"));
        } else if exception.is_some() && *len_lines <= MAX_FILE_LINES {
            bad.push(format!("{path}: {len_lines} lines, needs no exception any more"));
        }
    }
    let gone = exceptions.iter().filter(|(path, ..)| !lengths.iter().any(|(known, _)| known == path));
    bad.extend(gone.map(|(path, ..)| format!("{path}: an exception for a file that is gone")));
    bad
}

fn tables_of_kernels(files: &[File]) -> Result<(), String> {
    let sources: Vec<_> = rust(files)
        .filter(|file| !file.path.contains("/tests") && !file.path.starts_with("crates/core/src/simd/"))
        .filter_map(|file| Some((file.path.strip_prefix("crates/")?.split_once("/src/")?, &*file.text)))
        .collect();
    let tables = sources.iter().filter(|((_, path), _)| ["algorithms.rs", "algorithm.rs"].contains(path));
    let named: Vec<_> = tables
        .flat_map(|((package, _), text)| {
            kernels::table(text).into_iter().map(move |(source, kernels)| ((*package, source), kernels))
        })
        .collect();
    let mut bad = Vec::new();
    for ((package, path), text) in &sources {
        let listed = kernels::lists(text);
        let of_file = named.iter().filter(|((its, source), _)| its == package && source == path);
        let of_file = of_file.map(|(_, kernels)| kernels.clone()).collect();
        if listed != of_file {
            bad.push(format!(
                "crates/{package}/src/{path} lists {listed:?}, and the crate's table says {of_file:?}"
            ));
        }
    }
    for ((package, path), _) in &named {
        if !sources.iter().any(|(file, _)| file == &(*package, &**path)) {
            bad.push(format!("the table of crates/{package} names {path}, which is not there"));
        }
    }
    if named.is_empty() {
        bad.push("no crate has a table of its kernels".to_owned());
    }
    outcome(&bad)
}

fn import_cycles(files: &[File]) -> Result<(), String> {
    let (mut bad, mut seen) = (Vec::new(), 0);
    let read = |path: &Path| {
        let name = path.to_string_lossy().replace('\\', "/");
        files.iter().find(|file| file.path == name).map(|file| file.text.clone())
    };
    for root in rust(files).filter(|file| is_root(&file.path)) {
        let path = Path::new(&root.path);
        seen += cycles::imports(path, &read)?;
        let exception = CIRCULAR.iter().find(|(known, _)| *known == root.path);
        match (cycles::cycles(path, &read)?, exception) {
            (cycles, None) => bad.extend(cycles.iter().map(|cycle| format!("{}: {cycle}", root.path))),
            (cycles, Some(_)) if cycles.is_empty() => {
                bad.push(format!("{}: needs no exception any more", root.path));
            }
            (_, Some((path, reason))) => println!("{path}: import cycles are not looked at: {reason}"),
        }
    }
    if seen < 100 {
        return Err(format!("only {seen} imports found: is the reader blind?"));
    }
    outcome(&bad)
}

fn tests_left_out(files: &[File]) -> Result<(), String> {
    match untested::lost(files)? {
        (_, 0) => Err("nothing says `test = false`: is the reader blind?".to_owned()),
        (bad, _) => outcome(&bad),
    }
}

/// Whether a file is the root of a library or of a program.
fn is_root(path: &str) -> bool {
    path.ends_with("src/lib.rs") || path.ends_with("src/main.rs")
}

fn links(files: &[File]) -> Result<(), String> {
    let (mut bad, mut seen) = (Vec::new(), 0);
    for document in files.iter().filter(|file| file.path.ends_with(".md")) {
        let file = root().join(&document.path);
        // A link to a document is read where the document lies.
        let file = file.canonicalize().unwrap_or(file);
        for (line, link) in relative_links(&document.text) {
            seen += 1;
            if !file.parent().is_some_and(|folder| folder.join(&link).exists()) {
                bad.push(format!("{}:{line}: {link}", document.path));
            }
        }
    }
    if seen == 0 {
        return Err("no links found: is the reader blind?".to_owned());
    }
    outcome(&bad)
}

/// The table lists every example; that what it lists is there, the links say.
fn examples(files: &[File]) -> Result<(), String> {
    let table = files.iter().find(|file| file.path == EXAMPLES).ok_or(format!("there is no {EXAMPLES}"))?;
    let listed: Vec<_> = relative_links(&table.text).into_iter().map(|(_, link)| link).collect();
    let (mut bad, mut seen) = (Vec::new(), 0);
    for file in files.iter().filter(|file| is_example(&file.path)) {
        seen += 1;
        if !listed.contains(&format!("../{}", file.path)) {
            bad.push(format!("{}: not in {EXAMPLES}", file.path));
        }
    }
    if seen == 0 {
        return Err("no examples found: is the reader blind?".to_owned());
    }
    outcome(&bad)
}

/// Whether a file is a program that shows a crate or a binding, and not a part of one.
fn is_example(path: &str) -> bool {
    let mut folders = path.split('/');
    let is_of_users = matches!(folders.next(), Some("crates" | "bindings"));
    is_of_users && folders.nth(1) == Some("examples") && folders.count() == 1
}

fn machine_places(files: &[File]) -> Result<(), String> {
    let mut bad = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(place) = machine_place(line) {
                bad.push(format!("{}:{}: {place}", file.path, number + 1));
            }
        }
    }
    outcome(&bad)
}

fn versions(files: &[File]) -> Result<(), String> {
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path);
        file.map(|file| &*file.text).ok_or_else(|| format!("there is no {path}"))
    };
    let version = version(text("Cargo.toml")?).ok_or("the workspace has no version")?;
    let mut bad = Vec::new();
    for (path, pattern) in REPEATED {
        let wanted = pattern.replace("{}", version);
        if !text(path)?.contains(&wanted) {
            bad.push(format!("{path}: nowhere says `{wanted}`"));
        }
    }
    outcome(&bad)
}

/// The version of `[workspace.package]`.
fn version(manifest: &str) -> Option<&str> {
    let package = manifest.split("[workspace.package]").nth(1)?;
    package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
}

// ---- how files are read ----

fn rust(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.ends_with(".rs"))
}

/// The text files below `folder`, but for what is hidden and what tools produce.
fn files(folder: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    collect(folder, "", &mut files).map_err(|error| error.to_string())?;
    let is_there = |path: &str| files.iter().any(|file| file.path == path);
    if is_there("Cargo.toml") && is_there("README.md") { Ok(files) } else { Err("no repository".to_owned()) }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let kind = entry.file_type()?;
        let hidden = name.starts_with('.') && ![".ci", ".github", ".cargo", ".gitignore"].contains(&&*name);
        let produced = name == "target" || PRODUCED.contains(&&*path);
        if kind.is_dir() && !hidden && !produced {
            collect(&entry.path(), &path, files)?;
        } else if kind.is_file() && !hidden {
            // Keys and signatures of the vectors are bytes, not text.
            if let Ok(text) = String::from_utf8(fs::read(entry.path())?) {
                files.push(File { path, text });
            }
        }
    }
    Ok(())
}

/// Targets of `[text](target)` that stay inside the repository, outside code; anchors are cut off.
fn relative_links(document: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut in_code = false;
    for (number, line) in document.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        for rest in prose.split("](").skip(1) {
            let target = rest.split([')', ' ', '#']).next().unwrap_or("");
            if !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:") {
                links.push((number + 1, target.to_owned()));
            }
        }
    }
    links
}

/// An absolute path under a folder where people and machines keep their own things.
fn machine_place(line: &str) -> Option<&'static str> {
    // Spelled in pieces, so that this file does not find itself.
    let places = [
        concat!("/wo", "rk/"),
        concat!("/tm", "p/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/Use", "rs/"),
        concat!("C:\\Use", "rs\\"),
    ];
    // After a letter, a dot or a closing brace it is the middle of another path, or of a web address.
    let starts_path = |at: usize| {
        let before = line[..at].chars().next_back().unwrap_or(' ');
        line[..at].ends_with("://") || !(before.is_alphanumeric() || "._-~/*$>}])".contains(before))
    };
    places.into_iter().find(|place| line.match_indices(place).any(|(at, _)| starts_path(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_seen() {
        let lengths = |len_lines| [("a/table.rs", len_lines)];
        let exceptions = [("a/table.rs", 900, "a table")];
        assert_eq!(oversized(&lengths(600), &[]).len(), 0);
        assert_eq!(oversized(&lengths(601), &[]).len(), 1);
        assert_eq!(oversized(&lengths(900), &exceptions).len(), 0);
        assert_eq!(oversized(&lengths(901), &exceptions).len(), 1);
        assert_eq!(oversized(&lengths(600), &exceptions).len(), 1);
        assert_eq!(oversized(&[], &exceptions).len(), 1);
    }

    #[test]
    fn a_planted_cycle_is_seen() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let many: String = (0..100).map(|i| format!("pub struct A{i};\n")).collect();
        let mut files = vec![file(
            "x/src/lib.rs",
            &(0..100).map(|i| format!("mod f{i};\nmod g{i};\n")).collect::<String>(),
        )];
        for i in 0..100 {
            files.push(file(&format!("x/src/f{i}.rs"), &format!("use crate::g{i}::G; {many}")));
            files.push(file(&format!("x/src/g{i}.rs"), "pub struct G;"));
        }
        assert_eq!(import_cycles(&files), Ok(()));
        let planted = files.iter_mut().find(|file| file.path == "x/src/g7.rs").expect("it is there");
        planted.text += "use crate::f7::A3;";
        let seen = import_cycles(&files).expect_err("a cycle");
        assert!(seen.contains("x/src/g7.rs:1 names crate::f7::A3, of x/src/f7.rs"), "{seen}");
        assert!(import_cycles(&files[..1]).is_err(), "a file is missing");
    }

    #[test]
    fn the_workspaces_version_is_read() {
        let manifest =
            "[a]\nversion = \"9.9.9\"\n[workspace.package]\nversion = \"1.2.3\"\nedition = \"2024\"\n";
        assert_eq!(version(manifest), Some("1.2.3"));
        assert_eq!(version("[package]\nversion = \"1.2.3\"\n"), None);
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let zig = |path: &str, version: &str| file(path, &format!(".version = \"{version}\","));
        let all = |root: &str, inner: &str| {
            [
                file("Cargo.toml", manifest),
                zig("build.zig.zon", root),
                zig("bindings/zig/build.zig.zon", inner),
            ]
        };
        assert_eq!(versions(&all("1.2.3", "1.2.3")), Ok(()));
        assert!(versions(&all("1.2.3", "1.2.4")).is_err() && versions(&all("1.2.4", "1.2.3")).is_err());
    }

    #[test]
    fn links_are_seen() {
        let text = "[a](docs/a.md#part) and ![b](b.png \"title\"), `[c](c.md)`\n```\n[d](d.md)\n```\n[e](https://e/) [f](#f)";
        let found = relative_links(text);
        assert_eq!(found, [(1, "docs/a.md".to_owned()), (1, "b.png".to_owned())]);
    }

    #[test]
    fn a_forgotten_example_is_seen() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let table =
            "| [xmss.c](../bindings/c/examples/xmss.c) | [xmss.rs](../crates/phalanx/examples/xmss.rs) |";
        let mut files = vec![file(EXAMPLES, table), file("bindings/c/examples/xmss.c", "")];
        assert_eq!(examples(&files), Ok(()));
        for part in ["crates/winterfell/examples/computations/mod.rs", "reference/examples/sha256_vectors.rs"]
        {
            files.push(file(part, ""));
        }
        assert_eq!(examples(&files), Ok(()), "parts of programs, and what writes vectors");
        files.push(file("bindings/zig/examples/xmss.zig", ""));
        let seen = examples(&files).expect_err("it is not in the table");
        assert!(
            seen.contains("bindings/zig/examples/xmss.zig: not in") && !seen.contains("xmss.c:"),
            "{seen}"
        );
        assert!(examples(&files[..1]).is_err(), "no examples");
        assert!(examples(&files[1..]).is_err(), "no table");
    }

    #[test]
    fn machine_places_are_seen() {
        for place in [
            concat!("/wo", "rk/x"),
            concat!("cd /tm", "p/y"),
            concat!("\"/ho", "me/z\""),
            concat!("file:///ro", "ot/"),
        ] {
            assert!(machine_place(place).is_some(), "{place}");
        }
        for fine in ["trees/root/mod.rs", "https://example.org/work/a", "./tmp/a", "${{ x }}/work/a"] {
            assert!(machine_place(fine).is_none(), "{fine}");
        }
    }
}
