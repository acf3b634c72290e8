//! The folder that a file stands in.

use std::fs::File;
use std::io;
use std::path::Path;

/// The folder that `path` stands in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Flushes the folder that `path` stands in, so that its name survives a loss of power.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        File::open(folder_of(path))?.sync_all()
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        Ok(())
    }
}
