//! On macOS a library may leave names open, which the interpreter fills in, only if the linker is told so. (maturin tells
//! it; a plain `cargo build --workspace` would not.)

#![allow(clippy::print_stdout, reason = "this is how Cargo is spoken to")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-undefined");
        println!("cargo::rustc-cdylib-link-arg=dynamic_lookup");
    }
}
