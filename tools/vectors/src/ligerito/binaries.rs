//! Proofs in files of their own: each belongs to a JSON file of its folder, which names it and runs it.

use crate::files::VectorFile;
use crate::report::{Recorder, same};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Runs the proof, which a JSON file beside it has to name.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &VectorFile) {
    match owner(file) {
        Some(owner) => recorder.case_once(format_args!("named by {owner}"), || {
            same("bytes read twice", file.beside(&file.name)?, &*file.bytes)
        }),
        None => recorder.not_understood("file", "no JSON file of its folder names it"),
    }
}

/// The JSON file of the folder that names the file.
fn owner(file: &VectorFile) -> Option<String> {
    /// Names of the last folder asked for, with the files that name them: a folder has many proofs.
    static LAST: Mutex<(Option<PathBuf>, BTreeMap<String, String>)> = Mutex::new((None, BTreeMap::new()));
    let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if last.0.as_deref() != Some(file.folder()) {
        *last = (Some(file.folder().to_owned()), named(file.folder()));
    }
    last.1.get(&file.name).cloned()
}

/// All proofs that JSON files of the folder name, with the file that does.
fn named(folder: &Path) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let Some(owner) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if !owner.ends_with(".json") {
            continue;
        }
        let value: Option<Value> = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(value) = value {
            collect(&value, &mut |name| drop(names.insert(name.to_owned(), owner.to_owned())));
        }
    }
    names
}

/// Calls `found` with every file name in `value`: the keys that name files are few.
fn collect(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(name)
                        if ["proof_file", "base_file", "file", "statement", "aggregate"]
                            .contains(&&**key) =>
                    {
                        found(name)
                    }
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}
