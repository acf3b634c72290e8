//! Folders: copies of them, and lists of the programs in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Copies a file, or a folder with all that is in it.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}

/// The programs in `folder`: all its files that end with `extension`, by name. Examples are run from such a list, so that a new
/// one cannot be forgotten.
pub(super) fn programs(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let told = |error: io::Error| format!("{}: {error}", folder.display());
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.extension().is_some_and(|its| its == extension) {
            programs.push(path);
        }
    }
    programs.sort();
    if programs.is_empty() {
        Err(format!("{}: no .{extension} files", folder.display()))
    } else {
        Ok(programs)
    }
}

/// The name of a program's file without what it ends with.
pub(super) fn stem(program: &Path) -> String {
    program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{programs, stem};

    #[test]
    fn all_programs_of_a_folder_are_listed() {
        let folder = crate::cargo::root().join("bindings/c/examples");
        let names = |extension| {
            programs(&folder, extension).map(|list| list.iter().map(|path| stem(path)).collect::<Vec<_>>())
        };
        let in_c = names("c").expect("there are some");
        assert!(
            in_c.is_sorted() && ["custody", "readme"].iter().all(|name| in_c.contains(&(*name).to_owned())),
            "{in_c:?}"
        );
        assert!(
            names("cpp").is_ok_and(|list| !list.contains(&"readme".to_owned())),
            "there is no readme.cpp"
        );
        assert!(names("zig").is_err(), "a list of nothing is no list");
        assert!(programs(&folder.join("none"), "c").is_err());
    }
}
