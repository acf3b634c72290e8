//! The house rules, kept honest: imports run downhill, files and functions stay small, `unsafe` lives in its rooms and
//! says why, links lead somewhere, and no file names a place on somebody's machine.
//!
//! The rules are in `CONTRIBUTING.md`. Each scanner is tested here on snippets that break its rule, and each rule fails
//! when it finds nothing to look at: a check that cannot fail is no check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "house/source.rs"]
mod source;
#[path = "house/versions.rs"]
mod versions;

// ---- the drawing ----

/// The stairs, lowest step first. A room may import from lower steps, and not from its neighbours.
const STAIRS: &[&[&str]] =
    &[&["simd"], &["fields"], &["hashes", "codes"], &["trees", "transcripts"], &["schemes"]];

/// Rooms beside the stairs: who they are, what they import, and who may import them.
const BESIDE: &[(&str, &[&str], &[&str])] = &[
    (
        "error",
        &[],
        &["simd", "fields", "hashes", "codes", "trees", "transcripts", "schemes", "wire", "threads"],
    ),
    ("wire", &["fields", "error"], &["schemes"]),
    ("threads", &["error"], &["simd", "fields", "hashes", "codes", "trees", "transcripts", "schemes"]),
];

/// The largest number of lines of a source file.
const MAX_FILE_LINES: usize = 600;

/// Files that may be longer (tables are read as pictures): path, bound, and why.
const LONG_FILES: &[(&str, usize, &str)] = &[];

/// The largest number of lines of a function, from `fn` to the closing brace.
const MAX_FUNCTION_LINES: usize = 110;

/// Functions that may be longer: file, name, bound, and why.
const LONG_FUNCTIONS: &[(&str, &str, usize, &str)] = &[];

/// Files outside the library's backends that need `unsafe`, and why.
const UNSAFE_FILES: &[(&str, &str)] = &[
    ("bindings/c/src/border.rs", "the C border: the caller's pointers are believed here, and nowhere else"),
    ("bindings/c/src/common.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/batch.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/files.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/keys.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/mod.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/prepared.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/sign.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/ssh.rs", "exported symbols of the C library"),
    ("bindings/c/src/ed25519/verify.rs", "exported symbols; a helper that reads the caller's claims"),
    ("bindings/c/src/ligerito/mod.rs", "exported symbols; a helper that reads a point"),
    ("bindings/c/src/ligerito/provable128.rs", "exported symbols; a helper that reads a point"),
    ("bindings/c/src/ligerito/prove.rs", "exported symbols of the C library"),
    ("bindings/c/src/ligerito/ref_v08.rs", "exported symbols; a helper that reads the claims"),
    ("bindings/c/src/ligerito/verify.rs", "exported symbols of the C library"),
    ("bindings/c/src/rescue/digests.rs", "exported symbols of the C library"),
    ("bindings/c/src/rescue/field.rs", "exported symbols of the C library"),
    ("bindings/c/src/rescue/hasher.rs", "exported symbols of the C library"),
    ("bindings/c/src/rescue/mod.rs", "exported symbols; helpers that read and write digests"),
    ("bindings/c/src/rescue/secret.rs", "exported symbols of the C library"),
    ("bindings/c/src/rescue/tree.rs", "exported symbols; a helper that reads the leaves"),
    ("bindings/c/src/pq/bytes.rs", "exported symbols; helpers that read and write for them"),
    ("bindings/c/src/pq/mod.rs", "exported symbols; helpers that read for them"),
    ("bindings/c/src/pq/refusals.rs", "exported symbols of the C library"),
    ("bindings/c/src/status.rs", "exported symbols of the C library"),
    ("bindings/c/src/xmss/keys.rs", "exported symbols; a callback's context that crosses threads"),
    ("bindings/c/src/xmss/mod.rs", "exported symbols of the C library"),
    ("bindings/c/src/xmss/verify.rs", "exported symbols of the C library"),
    ("cli/src/bench/memory.rs", "a setting of the C library's allocator"),
    ("cli/src/commands/ligerito/mapped.rs", "large files seen through the system's memory map, as words"),
    ("bindings/python/src/buffer.rs", "the memory of Python objects, without copying"),
    ("phalanx/src/fields/binary/rooms.rs", "room that is not cleared before it is written"),
    ("phalanx/src/fields/binary/slices.rs", "integers seen as elements, and zeroed room for them"),
    ("phalanx/src/threads/team/loom_tests.rs", "a place without a lock, which loom watches"),
    ("phalanx/src/threads/team.rs", "jobs that borrow from a caller who waits, given to threads that stay"),
    ("phalanx/tests/ligerito_memory.rs", "an allocator that counts what is held"),
    ("phalanx/tests/zeroing.rs", "an allocator that looks for secrets in blocks before they are freed"),
    ("phalanx/tests/zeroing/stack.rs", "reads what calls left below the stack pointer"),
    ("phalanx/tests/constant_time/memcheck.rs", "the instruction sequence that valgrind listens for"),
];

/// Folders that hold what tools produce.
const PRODUCED: &[&str] = &["target", "fuzz/corpus", "fuzz/artifacts"];

// ---- the rules ----

#[test]
fn imports_run_downhill() {
    let library: Vec<_> = rust_files().into_iter().filter(|f| f.path.starts_with("phalanx/src/")).collect();
    assert!(library.len() > 5, "only {} library files found", library.len());
    let files: Vec<_> =
        library.iter().map(|f| (f.path["phalanx/src/".len()..].to_owned(), &*f.text)).collect();
    let mentions: usize =
        files.iter().map(|(path, text)| source::modules(text, &home(path)).mentions.len()).sum();
    assert!(mentions > 5, "only {mentions} paths found in the library: is the scanner blind?");
    report("a lower room reaches up", &climbs(&files));
}

#[test]
fn files_stay_small() {
    let lengths: Vec<_> = rust_files().into_iter().map(|f| (f.path, f.text.lines().count())).collect();
    report("a file grows wild", &oversized(&lengths, LONG_FILES));
}

#[test]
fn functions_fit_in_the_mind() {
    let mut bad = Vec::new();
    let mut seen = 0;
    for file in rust_files() {
        for function in source::functions(&file.text) {
            seen += 1;
            let exception =
                LONG_FUNCTIONS.iter().find(|(path, name, ..)| *path == file.path && *name == function.name);
            let bound = exception.map_or(MAX_FUNCTION_LINES, |(_, _, bound, _)| *bound);
            if function.len_lines > bound {
                let (path, line, name) = (&file.path, function.line, &function.name);
                bad.push(format!(
                    "{path}:{line}: `{name}` has {} lines, at most {bound}",
                    function.len_lines
                ));
            }
        }
    }
    assert!(seen > 50, "only {seen} functions found: is the scanner blind?");
    report("a function grows wild", &bad);
}

#[test]
fn unsafe_lives_in_its_rooms() {
    let (mut bad, mut at_home) = (Vec::new(), 0);
    for file in rust_files() {
        let lines = source::unsafe_lines(&file.text);
        if may_be_unsafe(&file.path) {
            at_home += lines.len();
        } else {
            bad.extend(lines.iter().map(|line| format!("{}:{line}", file.path)));
        }
    }
    assert!(at_home > 0, "no `unsafe` found in any backend: is the scanner blind?");
    report("`unsafe`, or leave for it, outside the backends", &bad);

    let root = read("phalanx/src/lib.rs");
    let denied = root.contains("#![deny(unsafe_code)]") || root.contains("#![forbid(unsafe_code)]");
    assert!(denied, "phalanx/src/lib.rs says #![deny(unsafe_code)]");
}

#[test]
fn every_unsafe_says_why() {
    let mut bad = Vec::new();
    for file in rust_files() {
        bad.extend(source::unexplained_unsafe(&file.text).iter().map(|line| format!("{}:{line}", file.path)));
    }
    report("`unsafe` without `// SAFETY:` or `# Safety` above it", &bad);
}

#[test]
fn links_lead_somewhere() {
    let documents: Vec<_> = text_files().into_iter().filter(|f| f.path.ends_with(".md")).collect();
    assert!(documents.iter().any(|f| f.path == "README.md"), "there is no README.md");
    let (mut bad, mut seen) = (Vec::new(), 0);
    for document in documents {
        let folder = root().join(&document.path).parent().expect("a file lies in a folder").to_path_buf();
        for (line, link) in relative_links(&document.text) {
            seen += 1;
            if !folder.join(&link).exists() {
                bad.push(format!("{}:{line}: {link}", document.path));
            }
        }
    }
    assert!(seen > 0, "no links found: is the scanner blind?");
    report("a link leads nowhere", &bad);
}

#[test]
fn no_file_names_a_place_on_a_machine() {
    let mut bad = Vec::new();
    for file in text_files() {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(place) = machine_place(line) {
                bad.push(format!("{}:{}: {place}", file.path, number + 1));
            }
        }
    }
    report("a path of somebody's machine", &bad);
}

#[test]
fn exceptions_name_files_that_exist() {
    let paths = LONG_FILES.iter().map(|(path, ..)| *path);
    let paths = paths.chain(LONG_FUNCTIONS.iter().map(|(path, ..)| *path));
    let paths = paths.chain(UNSAFE_FILES.iter().map(|(path, _)| *path));
    let gone: Vec<_> = paths.filter(|path| !root().join(path).exists()).map(str::to_owned).collect();
    report("an exception for a file that is gone", &gone);
}

// ---- how the rules read the house ----

struct File {
    /// From the repository's root, with `/` on every system.
    path: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rust_files() -> Vec<File> {
    let files: Vec<_> = text_files().into_iter().filter(|file| file.path.ends_with(".rs")).collect();
    assert!(files.len() > 5, "only {} Rust files found", files.len());
    files
}

fn text_files() -> Vec<File> {
    let mut files = Vec::new();
    collect(&root(), "", &mut files);
    assert!(files.iter().any(|file| file.path == "Cargo.toml"), "this is not the repository");
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.expect("a folder can be listed");
        let name = entry.file_name().into_string().expect("file names are UTF-8");
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let kind = entry.file_type().expect("an entry has a type");
        let hidden = name.starts_with('.') && ![".ci", ".github", ".cargo", ".gitignore"].contains(&&*name);
        let produced = name == "target" || PRODUCED.contains(&&*path);
        if kind.is_dir() && !hidden && !produced {
            collect(&entry.path(), &path, files);
        } else if kind.is_file() && !hidden {
            let bytes = fs::read(entry.path()).unwrap_or_else(|error| panic!("{path}: {error}"));
            // Keys and signatures of the vectors are bytes, not text.
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(File { path, text });
            }
        }
    }
}

fn report(what: &str, bad: &[String]) {
    assert!(bad.is_empty(), "{what}:\n  {}\n", bad.join("\n  "));
}

/// The module that a file of `phalanx/src` is: `hashes/poseidon/mod.rs` is `hashes::poseidon`.
fn home(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").expect("a Rust file");
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
}

/// Every import in `files` (path below `phalanx/src`, text) that the drawing does not allow.
fn climbs(files: &[(String, &str)]) -> Vec<String> {
    let read: Vec<_> = files
        .iter()
        .map(|(path, text)| (path, home(path), source::modules(text, &home(path)), text))
        .collect();
    let tests: BTreeSet<&Vec<String>> =
        read.iter().flat_map(|(_, _, modules, _)| &modules.test_files).collect();
    let mut bad = Vec::new();
    for (path, home, modules, text) in &read {
        let Some(room) = home.first() else { continue }; // lib.rs stands above all rooms
        if !is_room(room) {
            bad.push(format!("{path}: `{room}` is no room of the drawing in tests/house.rs"));
            continue;
        }
        if source::tokens(text)
            .windows(3)
            .any(|t| t[0].text == "#" && t[1].text == "[" && t[2].text == "path")
        {
            bad.push(format!("{path}: #[path] hides where a module lives"));
        }
        if (1..=home.len()).any(|len| tests.contains(&home[..len].to_vec())) {
            continue; // a file that only tests see
        }
        for mention in modules.mentions.iter().filter(|mention| !mention.in_test) {
            let target = mention.target.first().map_or("", String::as_str);
            if !may_import(room, target) {
                let target = if is_room(target) { target } else { "lib.rs" };
                let full = mention.target.join("::");
                bad.push(format!("{path}:{}: {room} reaches {target} (crate::{full})", mention.line));
            }
        }
    }
    bad
}

fn is_room(name: &str) -> bool {
    step(name).is_some() || BESIDE.iter().any(|(room, ..)| *room == name)
}

fn step(room: &str) -> Option<usize> {
    STAIRS.iter().position(|rooms| rooms.contains(&room))
}

fn may_import(room: &str, target: &str) -> bool {
    if room == target {
        return true;
    }
    if let Some((_, _, users)) = BESIDE.iter().find(|(name, ..)| *name == target) {
        return users.contains(&room);
    }
    if let Some((_, imports, _)) = BESIDE.iter().find(|(name, ..)| *name == room) {
        return imports.contains(&target);
    }
    // What is no room is a name that lib.rs draws, and lib.rs stands above.
    matches!((step(room), step(target)), (Some(room), Some(target)) if target < room)
}

fn oversized(lengths: &[(String, usize)], exceptions: &[(&str, usize, &str)]) -> Vec<String> {
    let mut bad = Vec::new();
    for (path, len_lines) in lengths {
        let exception = exceptions.iter().find(|(name, ..)| name == path);
        let bound = exception.map_or(MAX_FILE_LINES, |(_, bound, _)| *bound);
        if *len_lines > bound {
            bad.push(format!("{path}: {len_lines} lines, at most {bound}"));
        } else if exception.is_some() && *len_lines <= MAX_FILE_LINES {
            bad.push(format!("{path}: {len_lines} lines, needs no exception any more"));
        }
    }
    bad
}

fn may_be_unsafe(path: &str) -> bool {
    let Some(inside) = path.strip_prefix("phalanx/src/") else {
        return UNSAFE_FILES.iter().any(|(file, _)| *file == path);
    };
    let name = inside.rsplit('/').next().unwrap_or(inside);
    inside.starts_with("simd/")
        || inside.contains("/avx512/")
        || inside.contains("/avx2/")
        || inside.contains("/neon/")
        || inside.contains("/wasm128/")
        || (name.starts_with("avx512") && name.ends_with(".rs"))
        || ["avx2.rs", "neon.rs", "wasm128.rs"].contains(&name)
        || UNSAFE_FILES.iter().any(|(file, _)| *file == path)
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

// ---- the rules bite ----

/// What `climbs` says about a library that consists of these files.
fn climbs_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<_> = files.iter().map(|(path, text)| ((*path).to_owned(), *text)).collect();
    climbs(&files)
}

#[test]
fn bite_reaching_up_is_seen() {
    for (path, text) in [
        ("simd/mod.rs", "use crate::fields::Packed;"),
        ("simd/lanes.rs", "use crate::{\n    simd::Lanes,\n    fields::{koala_bear::P},\n};"),
        ("fields/mod.rs", "pub(crate) use crate::schemes::xmss as x;"),
        ("fields/mod.rs", "fn f() { let x = crate::trees::root(); }"),
        ("fields/koala_bear/mod.rs", "use super::super::hashes::State;"),
        ("fields/koala_bear/mod.rs", "use super::{super::hashes::State, P};"),
        ("fields/koala_bear.rs", "mod inner { use super::super::super::hashes::State; }"),
        ("fields/mod.rs", "use super::wire::Reader;"),
        ("fields/mod.rs", "use self::super::trees::Tree;"),
        ("fields/mod.rs", "use crate::*;"),
        ("fields/mod.rs", "use super::*;"),
        ("fields/mod.rs", "use crate as root;"),
        ("fields/mod.rs", "use super as root;"),
        ("fields/mod.rs", "use crate::{self as root};"),
        ("fields/mod.rs", "use crate::xmss::Signature;"),
        ("fields/mod.rs", "macro_rules! m { () => { $crate::trees::root() } }"),
        ("fields/mod.rs", "#[cfg(feature = \"test\")]\nmod m { use crate::trees::root; }"),
        ("fields/mod.rs", "#[cfg(test)]\nmod tests {}\nuse crate::trees::root;"),
        ("fields/mod.rs", "const Q: char = '\"'; use crate::trees::root; const R: char = '\"';"),
        ("fields/mod.rs", "fn f<'a>(x: &'a u8) { crate::trees::root('{') }"),
        ("hashes/mod.rs", "use crate::codes::Ntt;"),
        ("trees/mod.rs", "use crate::wire::Reader;"),
        ("wire/mod.rs", "use crate::simd::Lanes;"),
        ("wire/mod.rs", "use crate::threads::Threads;"),
        ("error.rs", "use crate::fields::P;"),
        ("threads.rs", "use crate::schemes::xmss::Key;"),
        ("utils.rs", ""),
        ("fields/mod.rs", "#[path = \"../schemes/mod.rs\"] mod schemes;"),
    ] {
        assert_eq!(climbs_of(&[(path, text)]).len(), 1, "{path}: {text}");
    }
}

#[test]
fn bite_messages_name_the_line_and_the_path() {
    let text = "//! Lanes.\nuse crate::{\n    error::Error,\n    fields::{self, koala_bear::P},\n};\n";
    let expected = [
        "simd/lanes.rs:4: simd reaches fields (crate::fields)",
        "simd/lanes.rs:4: simd reaches fields (crate::fields::koala_bear::P)",
    ];
    assert_eq!(climbs_of(&[("simd/lanes.rs", text)]), expected);
}

#[test]
fn bite_going_down_is_allowed() {
    for (path, text) in [
        ("schemes/xmss/mod.rs", "use crate::{error::Error, wire::{ssz, Reader}, trees, fields::*, simd};"),
        ("schemes/xmss/mod.rs", "use super::wots; pub(in crate::schemes) fn f() {}"),
        ("hashes/poseidon/kernel.rs", "use super::super::rescue; use crate::threads::Threads;"),
        ("hashes/poseidon/kernel.rs", "fn f() { g::<crate::fields::P>(); crate::simd::run::<u8>() }"),
        ("wire/mod.rs", "use crate::fields::P; use crate::error::Error;"),
        (
            "simd/mod.rs",
            "// use crate::fields::P;\n/* /* */ crate::fields */ const S: &str = \"crate::fields\";",
        ),
        (
            "simd/mod.rs",
            "const S: &str = r#\"a \" crate::fields\"#; const B: u8 = b'\\''; use crate::error::E;",
        ),
        ("simd/mod.rs", "pub(crate) mod lanes { use super::Lane; use self::inner::X; }"),
        (
            "simd/mod.rs",
            "#[cfg(test)]\n#[allow(dead_code)]\nmod tests { mod deep { use crate::fields::P; } }",
        ),
        (
            "simd/mod.rs",
            "#[cfg(all(test, feature = \"std\"))]\npub(crate) mod tests { use crate::fields::P; }",
        ),
        ("lib.rs", "pub mod xmss { pub use crate::schemes::xmss::Signature; }"),
    ] {
        assert_eq!(climbs_of(&[(path, text)]), Vec::<String>::new(), "{path}: {text}");
    }
}

#[test]
fn bite_test_files_are_known_by_their_declaration() {
    let tests = ("fields/tests.rs", "use crate::hashes::State;");
    assert!(climbs_of(&[("fields/mod.rs", "#[cfg(test)]\nmod tests;"), tests]).is_empty());
    assert_eq!(climbs_of(&[("fields/mod.rs", "mod tests;"), tests]).len(), 1);
    assert_eq!(climbs_of(&[tests]).len(), 1);
}

#[test]
fn bite_long_files_are_seen() {
    let lengths = |len_lines| [("a/table.rs".to_owned(), len_lines)];
    let exceptions = [("a/table.rs", 900, "a table")];
    assert_eq!(oversized(&lengths(600), &[]).len(), 0);
    assert_eq!(oversized(&lengths(601), &[]).len(), 1);
    assert_eq!(oversized(&lengths(900), &exceptions).len(), 0);
    assert_eq!(oversized(&lengths(901), &exceptions).len(), 1);
    assert_eq!(oversized(&lengths(600), &exceptions).len(), 1);
}

#[test]
fn bite_functions_are_measured() {
    let text = "impl A {\n  fn one<T: Fn(u8) -> [u8; { 2 }]>(x: T) -> u8\n  where T: Copy {\n    if a < b { c }\n  }\n}\n\
                trait B { fn none(&self) -> u8; fn two() { \"}\" } }\ntype F = fn(u8) -> u8;\n";
    let found: Vec<_> = source::functions(text).into_iter().map(|f| (f.name, f.line, f.len_lines)).collect();
    assert_eq!(found, [("one".to_owned(), 2, 4), ("two".to_owned(), 7, 1)]);
}

#[test]
fn bite_unsafe_is_seen() {
    assert_eq!(source::unsafe_lines("fn f() {\n    unsafe { g() }\n}\n"), [2]);
    assert_eq!(source::unsafe_lines("#![allow(dead_code, unsafe_code)]\n"), [1]);
    assert_eq!(source::unsafe_lines("#[expect(unsafe_code, reason = \"x\")]\nmod m;"), [1]);
    assert!(source::unsafe_lines("#![deny(unsafe_code)] // unsafe\nconst S: &str = \"unsafe\";").is_empty());
    for path in ["phalanx/src/simd/mod.rs", "phalanx/src/hashes/poseidon/avx512/mod.rs"] {
        assert!(may_be_unsafe(path), "{path}");
    }
    for path in ["phalanx/src/fields/koala_bear/avx2.rs", "phalanx/src/hashes/keccak/avx512_rotate.rs"] {
        assert!(may_be_unsafe(path), "{path}");
    }
    for path in ["phalanx/src/lib.rs", "phalanx/src/fields/portable.rs", "cli/src/avx2.rs", "a/simd/b.rs"] {
        assert!(!may_be_unsafe(path), "{path}");
    }
}

#[test]
fn bite_unexplained_unsafe_is_seen() {
    for bad in [
        "fn f() {\n    unsafe { g() }\n}",
        "// SAFETY: of another one.\nlet a = 1;\nlet b = unsafe { g() };",
        "// SAFETY: too far away.\n\nunsafe { g() }",
        "/// Adds.\nunsafe fn f() {}",
        "unsafe impl Send for A {}",
        "let s = \"SAFETY:\"; unsafe { g() }",
    ] {
        assert_eq!(source::unexplained_unsafe(bad).len(), 1, "{bad}");
    }
    for good in [
        "// SAFETY: the witness says so.\nunsafe { g() }",
        "// SAFETY: the witness says so,\n// in two lines.\nlet x: u8 =\n    unsafe { g() };",
        "unsafe { g() } // SAFETY: the witness says so.",
        "/// Adds.\n///\n/// # Safety\n/// The CPU has it.\n#[inline]\n#[target_feature(enable = \"avx2\")]\nunsafe fn f() {}",
        "type F = unsafe fn(u8);",
        "// unsafe",
    ] {
        assert!(source::unexplained_unsafe(good).is_empty(), "{good}");
    }
}

#[test]
fn bite_links_are_seen() {
    let text = "[a](docs/a.md#part) and ![b](b.png \"title\"), `[c](c.md)`\n```\n[d](d.md)\n```\n[e](https://e/) [f](#f)";
    let found = relative_links(text);
    assert_eq!(found, [(1, "docs/a.md".to_owned()), (1, "b.png".to_owned())]);
}

#[test]
fn bite_machine_places_are_seen() {
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
