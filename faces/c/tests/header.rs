//! The committed header is the one that the source gives. `UPDATE_HEADER=1` writes it anew.

use std::path::Path;

/// What stands between the includes and the declarations.
const CONVENTIONS: &str = r#"
/*
 * How every function works.
 *
 * Answers. Most functions answer a phalanx_status; 0 is success. Compilers warn if it is dropped. On
 * any other answer the outputs hold nothing to rely on, except where the function says so; a handle
 * that was to be made is null.
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
 * Threads. None are started unless an argument `threads` is above 1.
 *
 * Faults. No panic crosses into C: it comes back as PHALANX_ERROR_INTERNAL, with a line on standard
 * error. Only if memory runs out, the process ends.
 */

#define PHALANX_VERSION "@VERSION@"
#define PHALANX_VERSION_MAJOR @MAJOR@
#define PHALANX_VERSION_MINOR @MINOR@
#define PHALANX_VERSION_PATCH @PATCH@

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

fn generated() -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config =
        cbindgen::Config::from_file(here.join("cbindgen.toml")).expect("cbindgen.toml is well formed");
    let conventions = CONVENTIONS
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"));
    config.after_includes = Some(conventions);
    config.header = Some(
        "/* phalanx: Ed25519, hash-based signatures (XMSS), Rescue hashes and Ligerito commitments.\n\
         \x20* Made from the source of faces/c by `UPDATE_HEADER=1 cargo test -p phalanx-c`; do not edit. */"
            .to_owned(),
    );
    let bindings = cbindgen::Builder::new().with_config(config).with_src(here.join("src/lib.rs")).generate();
    let mut text = Vec::new();
    bindings.expect("the source can be read").write(&mut text);
    String::from_utf8(text).expect("the header is text")
}

#[test]
fn committed_header_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/phalanx.h");
    let generated = generated();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &generated).expect("include/ can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("include/phalanx.h is there");
    let differs = committed.lines().zip(generated.lines()).position(|(old, new)| old != new);
    assert!(
        committed == generated,
        "include/phalanx.h is not what the source gives (first difference in line {}): run `UPDATE_HEADER=1 cargo test -p phalanx-c --test header`",
        differs.map_or(committed.lines().count().min(generated.lines().count()), |line| line) + 1
    );
}
