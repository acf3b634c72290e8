//! Libraries and programs whose manifest says `test = false`, so that Cargo compiles no second one for tests: they have none.

use std::path::{Path, PathBuf};

use super::File;
use super::modules::Crate;

/// The tests that would never run, and how many libraries and programs were looked at.
pub(super) fn lost(files: &[File]) -> Result<(Vec<String>, usize), String> {
    let read = |path: &Path| {
        let name = path.to_string_lossy().replace('\\', "/");
        files.iter().find(|file| file.path == name).map(|file| file.text.clone())
    };
    let (mut bad, mut seen) = (Vec::new(), 0);
    for manifest in files.iter().filter(|file| file.path.ends_with("/Cargo.toml") && !is_of_fuzzing(file)) {
        for root in roots(&manifest.text) {
            let root = Path::new(&manifest.path).with_file_name(root);
            seen += 1;
            for module in Crate::read(&root, &read)?.modules {
                let text = read(&module.file).unwrap_or_default();
                let file = module.file.display().to_string();
                // An inline module is in the file of another.
                if has_test(&text) && !bad.contains(&file) {
                    bad.push(file);
                }
            }
        }
    }
    Ok((bad, seen))
}

/// What is fuzzed has no tests by what it is.
fn is_of_fuzzing(manifest: &File) -> bool {
    manifest.path.starts_with("fuzz/")
}

/// The root files of what a manifest builds no tests of.
fn roots(manifest: &str) -> Vec<PathBuf> {
    let sections = manifest.split("\n[").skip(1);
    let untested = sections.filter(|section| section.lines().any(|line| line == "test = false"));
    let root = |section: &str| {
        let usual = match section.lines().next()? {
            "lib]" => "src/lib.rs",
            "[bin]]" => "src/main.rs",
            _ => return None,
        };
        let path = section.lines().find_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
        Some(PathBuf::from(path.unwrap_or(usual)))
    };
    untested.filter_map(root).collect()
}

fn has_test(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("#[test]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_would_not_run_is_seen() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let manifest =
            "[package]\nname = \"x\"\n\n[[bin]]\nname = \"x\"\npath = \"src/main.rs\"\ntest = false\n";
        let files = |inner: &str, library: &str| {
            [
                file("x/Cargo.toml", manifest),
                file("x/src/main.rs", "mod inner;\nfn main() {}\n"),
                file("x/src/inner.rs", inner),
                file("x/src/lib.rs", library),
            ]
        };
        let test = "mod tests {\n    #[test]\n    fn a() {}\n}\n";
        assert_eq!(lost(&files("", test)).expect("it reads"), (vec![], 1), "the library is tested");
        let (bad, _) = lost(&files(test, "")).expect("it reads");
        assert_eq!(bad.len(), 1, "{bad:?}");
        assert!(bad[0].ends_with("inner.rs"), "{bad:?}");
        assert_eq!(roots("[package]\n\n[lib]\ntest = false\n"), [PathBuf::from("src/lib.rs")]);
        assert!(roots("[package]\n\n[lib]\ndoc = false\n\n[[bench]]\ntest = false\n").is_empty());
    }
}
