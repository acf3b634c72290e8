//! Which files there are.

use crate::report::FileReport;
use std::fs;
use std::path::{Path, PathBuf};

/// A file below one of the paths.
pub(crate) struct VectorFile {
    /// As the user can find it.
    pub(crate) label: String,
    /// Its name.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// The folder that it is in.
    folder: PathBuf,
}

impl VectorFile {
    /// The name of its folder.
    pub(crate) fn folder_name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes of the file called `name` beside it.
    pub(crate) fn beside(&self, name: &str) -> Result<Vec<u8>, String> {
        fs::read(self.folder.join(name)).map_err(|_| format!("{name} is missing"))
    }
}

/// Something that a walk found.
pub(crate) enum Found {
    /// A file.
    File(VectorFile),
    /// A file or folder that is reported as it is.
    Report(FileReport),
}

/// Everything under `path`, in order of names. Nothing is left out: what cannot be read is reported.
pub(crate) fn walk(path: &Path, found: &mut Vec<Found>) {
    /// Deeper nesting than this is a loop of links.
    const MAX_DEPTH: usize = 32;
    walk_below(path, MAX_DEPTH, found);
}

fn walk_below(path: &Path, depth: usize, found: &mut Vec<Found>) {
    let label = path.display().to_string();
    let refused = |reason: String| Found::Report(FileReport::not_understood(label.clone(), reason));
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return found.push(refused(format!("cannot be read: {error}"))),
    };
    if depth == 0 {
        return found.push(refused("nested too deeply".to_owned()));
    }
    if metadata.is_file() {
        return found.push(file(path));
    }
    if !metadata.is_dir() {
        return found.push(refused("neither file nor folder".to_owned()));
    }
    let entries = fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = match entries {
        Ok(entries) => entries,
        Err(error) => return found.push(refused(format!("cannot be read: {error}"))),
    };
    entries.sort();
    let before = found.len();
    entries.iter().for_each(|entry| walk_below(entry, depth - 1, found));
    let documentation = |found: &Found| matches!(found, Found::Report(report) if report.failed == 0);
    if found[before..].iter().all(documentation) {
        found.push(refused("a folder with nothing to run".to_owned()));
    }
}

fn file(path: &Path) -> Found {
    let label = path.display().to_string();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // Notices of licences travel with the data.
    if name == "README.md" || name.starts_with("LICENSE") {
        return Found::Report(FileReport::documentation(label));
    }
    match fs::read(path) {
        Ok(bytes) => {
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
            Found::File(VectorFile { label, name, bytes, folder })
        }
        Err(error) => {
            Found::Report(FileReport::not_understood(label, format_args!("cannot be read: {error}")))
        }
    }
}
