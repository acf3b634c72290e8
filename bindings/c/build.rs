//! Gives the shared library the name under which programs ask for it at run time, and says whether it has custody.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(has_custody)");
    let is_set = |name| std::env::var_os(name).is_some();
    if is_set("CARGO_FEATURE_CUSTODY") && is_set("CARGO_CFG_UNIX") {
        println!("cargo:rustc-cfg=has_custody");
    }
    // While the major version is 0, every minor version may change what callers rely on.
    let (major, minor) = (version("MAJOR"), version("MINOR"));
    let abi = if major == "0" { format!("{major}.{minor}") } else { major };
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libphalanx.{abi}.dylib")
        }
        Ok("linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" | "illumos") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libphalanx.so.{abi}");
        }
        _ => {}
    }
}

/// A part of the package's version.
fn version(part: &str) -> String {
    std::env::var(format!("CARGO_PKG_VERSION_{part}")).expect("Cargo sets it")
}
