//! The committed headers are those that the source gives. `UPDATE_HEADER=1` writes them anew.

use std::path::{Path, PathBuf};

/// What stands between the includes and the declarations.
const CONVENTIONS: &str = r#"
/*
 * How every function works.
 *
 * Answers. Most functions answer a phalanx_status; 0 is success. Compilers warn if it is dropped. On
 * any other answer the outputs hold nothing to rely on, except where the function says so; a handle
 * that was to be made is null.
 *
 * Families. phalanx_status_family says of what kind an error is, so that all of a kind can be treated
 * alike: it does not verify (PHALANX_FAMILY_DOES_NOT_VERIFY), bytes from outside are malformed, the key
 * must not sign, the caller's mistake, the system.
 *
 * Order of arguments: the object, outputs, inputs. A length stands right behind its pointer. Where a
 * function names no length, its comment or a macro says how many bytes there are.
 *
 * Pointers. Inputs are read and outputs written during the call only; nothing of the caller's memory
 * is kept, unless a function says so. Null is allowed with a length of 0, and where a function says
 * so; anywhere else it is PHALANX_ERROR_NULL_POINTER. Texts end with a zero byte and are UTF-8.
 * Outputs may not overlap inputs.
 *
 * Buffers. Outputs whose length varies take a buffer, its capacity, and where to write the length. If
 * the buffer is too small, only the length is written (PHALANX_ERROR_BUFFER_TOO_SMALL): a null buffer
 * of capacity 0 asks for it.
 *
 * Choices (parameter sets, formats, profiles) are numbers of 32 bits, named by enums; a number that
 * names nothing is PHALANX_ERROR_INVALID_ARGUMENT.
 *
 * Objects with a handle live on the heap until their _free function, which takes null too and wipes
 * secrets. Different objects may be used by different threads at the same time; one object may be
 * used by several if all of them pass it as const, or if the object's comment says so.
 *
 * Threads. An argument `threads` says how many work in the call, the calling one included: 1 starts
 * none, 0 is one for each core. They start and end with the call; a phalanx_pool keeps them for the
 * functions whose names end with _on, so that small batches gain from them too. Nothing else starts
 * any, but for an open ledger, which has one of its own that writes.
 *
 * Faults. No panic crosses into C: it comes back as PHALANX_ERROR_INTERNAL, with a line on standard
 * error. Only if memory runs out, the process ends.
 */

#define PHALANX_VERSION "@VERSION@"
#define PHALANX_VERSION_MAJOR @MAJOR@
#define PHALANX_VERSION_MINOR @MINOR@
#define PHALANX_VERSION_PATCH @PATCH@

/* Keystores and ledgers (custody). Define PHALANX_NO_CUSTODY for a library that was built without. */
#if !defined(_WIN32) && !defined(PHALANX_NO_CUSTODY)
#define PHALANX_HAS_CUSTODY 1
#endif

#if defined(__cplusplus) && __cplusplus >= 201703L
#define PHALANX_MUST_CHECK [[nodiscard]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define PHALANX_MUST_CHECK [[nodiscard]]
#elif defined(__GNUC__) || defined(__clang__)
#define PHALANX_MUST_CHECK __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define PHALANX_MUST_CHECK _Check_return_
#else
#define PHALANX_MUST_CHECK
#endif
"#;

/// What stands between the includes and the declarations of the compatibility header.
const PQ_CONVENTIONS: &str = r#"
/*
 * The names that lean clients call, with the structs, arguments and answers of the bindings that
 * Lantern links (c-hash-sig, later c-leanvm-xmss): compile against this header, or only link
 * libphalanx instead of theirs.
 *
 * Parameter set: xmss-poseidon1-l32-d46b8, that of leanSig of 2026-04 (devnet 4), unless
 * phalanx_pq_use_parameter_set chose another one.
 *
 * Other than there: pq_sign refuses until phalanx_pq_use_ledger has named a ledger of used epochs, or
 * phalanx_pq_forget_used_epochs_at_exit was called; an epoch signs one message; pq_key_gen starts no
 * threads; nothing aggregates (the names refuse). Handles are ended by their free function, once.
 * New programs use phalanx.h.
 */
"#;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A header: configuration and conventions in front, made from the sources that `from` names.
fn generate(config: cbindgen::Config, title: &str, conventions: &str, from: &str) -> String {
    let mut config = config;
    config.header = Some(format!(
        "/* {title}\n * Made from the source of bindings/c by `UPDATE_HEADER=1 cargo test -p phalanx-c`; do not edit. */"
    ));
    config.after_includes = Some(conventions.to_owned());
    let bindings = cbindgen::Builder::new().with_config(config).with_src(here().join(from)).generate();
    let mut text = Vec::new();
    bindings.expect("the source can be read").write(&mut text);
    String::from_utf8(text).expect("the header is text")
}

fn config() -> cbindgen::Config {
    cbindgen::Config::from_file(here().join("cbindgen.toml")).expect("cbindgen.toml is well formed")
}

/// The names that belong to the compatibility header: everything public in `src/pq/`.
fn pq_names() -> Vec<String> {
    let files = std::fs::read_dir(here().join("src/pq")).expect("src/pq can be read");
    let paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    let mut names = Vec::new();
    for path in paths {
        let source = std::fs::read_to_string(path).expect("a source file");
        for line in source.lines() {
            let starts = ["pub extern \"C\" fn ", "pub struct ", "pub enum ", "pub const "];
            let rest = starts.iter().find_map(|start| line.strip_prefix(start));
            names.extend(rest.map(|rest| {
                rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()
            }));
        }
    }
    names
}

fn main_header() -> String {
    let mut config = config();
    config.export.exclude.extend(pq_names());
    config.export.exclude.push("phalanx_panic_test".to_owned());
    let conventions = CONVENTIONS
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"));
    let title =
        "phalanx: Ed25519, hash-based signatures (XMSS), Rescue hashes, Ligerito commitments and aggregates.";
    generate(config, title, &conventions, "src/lib.rs")
}

fn pq_header() -> String {
    let mut config = config();
    config.include_guard = Some("PHALANX_PQ_H".to_owned());
    config.usize_is_size_t = false;
    config.sys_includes = ["stdarg.h", "stdbool.h", "stdint.h", "stdlib.h"].map(str::to_owned).to_vec();
    config.export.include.clear();
    config.enumeration.rename_variants = cbindgen::RenameRule::None;
    generate(config, "phalanx under the names that lean clients call.", PQ_CONVENTIONS, "src/pq/mod.rs")
}

fn compare(name: &str, generated: &str) {
    let path = here().join("include").join(name);
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, generated).expect("include/ can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("the header is committed");
    let same = committed.lines().zip(generated.lines()).take_while(|(old, new)| old == new).count();
    assert!(
        committed == generated,
        "include/{name} is not what the source gives, from line {} on: run `UPDATE_HEADER=1 cargo test -p phalanx-c`",
        same + 1
    );
}

#[test]
fn committed_headers_are_current() {
    compare("phalanx.h", &main_header());
    compare("phalanx_pq.h", &pq_header());
}

#[test]
fn readme_shows_the_example() {
    let example = std::fs::read_to_string(here().join("examples/readme.c")).expect("the example");
    let readme = std::fs::read_to_string(here().join("README.md")).expect("the README");
    assert!(
        readme.contains(&format!("```c\n{example}```")),
        "README.md shows another program than examples/readme.c"
    );
}

#[test]
fn every_exported_function_is_in_a_header() {
    let headers = main_header() + &pq_header();
    let mut folders = vec![here().join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source file");
            for name in source.lines().filter_map(|line| line.strip_prefix("pub extern \"C\" fn ")) {
                let name = name.split('(').next().unwrap_or_default();
                let declared = headers.contains(&format!("{name}("));
                // The one for the test of panics is in no header.
                assert!(declared || name == "phalanx_panic_test", "{name} is in no header");
                seen += 1;
            }
        }
    }
    assert!(seen > 80, "only {seen} exported functions found: is the scanner blind?");
}
