//! The version is written once, in the root `Cargo.toml`; manifests that cannot read it there repeat it, and agree.

use super::{read, report};

/// Manifests that repeat the version: the file, and the text in it, with `{}` where the version stands.
const REPEATED: &[(&str, &str)] = &[("bindings/zig/build.zig.zon", ".version = \"{}\",")];

/// The version of `[workspace.package]`.
fn version(manifest: &str) -> Option<&str> {
    let package = manifest.split("[workspace.package]").nth(1)?;
    package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
}

/// What is wrong with a manifest called `path` whose text is `text`.
fn disagreement(path: &str, text: &str, pattern: &str, version: &str) -> Option<String> {
    let wanted = pattern.replace("{}", version);
    (!text.contains(&wanted)).then(|| format!("{path}: nowhere says `{wanted}`"))
}

#[test]
fn versions_agree() {
    let manifest = read("Cargo.toml");
    let version = version(&manifest).expect("the workspace has a version");
    let bad: Vec<_> = REPEATED
        .iter()
        .filter_map(|(path, pattern)| disagreement(path, &read(path), pattern, version))
        .collect();
    report("another version than the workspace's", &bad);
}

#[test]
fn bite_other_versions_are_seen() {
    let manifest = "[a]\nversion = \"9.9.9\"\n[workspace.package]\nversion = \"1.2.3\"\nedition = \"2024\"\n";
    assert_eq!(version(manifest), Some("1.2.3"));
    assert_eq!(version("[package]\nversion = \"1.2.3\"\n"), None);
    assert_eq!(disagreement("a.json", "{ \"version\": \"1.2.3\" }", "\"version\": \"{}\"", "1.2.3"), None);
    assert!(disagreement("a.json", "{ \"version\": \"1.2.4\" }", "\"version\": \"{}\"", "1.2.3").is_some());
}
