//! Which file a path to a key means: a file, or a folder of keygen's.

use crate::checkpoint;
use crate::exit::Failure;
use crate::files;
use crate::key_json::{self, KeyJson, is_file_name};
use std::path::{Path, PathBuf};

/// The file of a secret key: `path`, or in a folder the one that the `key.json` in it lists.
///
/// # Errors
/// Exit code 2 for a folder without such a file.
pub(crate) fn secret(path: &Path) -> Result<PathBuf, Failure> {
    file(path, "secret-key.")
}

/// The file of a public key, likewise.
///
/// # Errors
/// As [`secret`].
pub(crate) fn public(path: &Path) -> Result<PathBuf, Failure> {
    file(path, "public-key.")
}

fn file(path: &Path, prefix: &str) -> Result<PathBuf, Failure> {
    if files::is_standard(path) || !path.is_dir() {
        return Ok(path.to_owned());
    }
    let shown = path.display();
    let unusable = |problem: &str| Failure::usage(format_args!("'{shown}' is a folder {problem}"));
    let json = path.join(key_json::NAME);
    if !json.exists() {
        return Err(if path.join(checkpoint::NAME).exists() {
            unusable("with an unfinished key").hint("run keygen again as before: it resumes")
        } else {
            unusable("without a key.json").hint("name the file of the key")
        });
    }
    let key = KeyJson::parse(&files::read(&json)?).ok_or_else(|| unusable("whose key.json is damaged"))?;
    let name = key.files.keys().find(|name| is_file_name(name) && name.starts_with(prefix));
    let name =
        name.ok_or_else(|| unusable("whose key.json lists no such key").hint("name the file of the key"))?;
    Ok(path.join(name))
}
