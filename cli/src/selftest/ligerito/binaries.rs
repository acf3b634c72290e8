//! Proofs in files of their own: each belongs to a JSON file of its folder, which names it and runs it.

use crate::selftest::files::{Folder, VectorFile};
use crate::selftest::report::{Recorder, same};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Runs the proof called `name`, which a JSON file beside it has to name.
pub(in crate::selftest) fn run(recorder: &mut Recorder<'_>, name: &str, file: &VectorFile) {
    match owner(&file.folder, name) {
        Some(owner) => {
            recorder.case_once(format_args!("named by {owner}"), || {
                same("bytes read twice", file.folder.read(name).as_deref(), Some(&*file.bytes))
            });
        }
        None => recorder.not_understood("file", "no JSON file of its folder names it"),
    }
}

/// The JSON file of the folder that names the file `name`.
fn owner(folder: &Folder, name: &str) -> Option<String> {
    /// Names of the last folder asked for, with the files that name them: a folder has many proofs.
    static LAST: Mutex<Option<(PathBuf, BTreeMap<String, String>)>> = Mutex::new(None);
    let Folder::Disk(path) = folder else { return named(folder).remove(name) };
    let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match &mut *last {
        Some((known, names)) if known == path => names.get(name).cloned(),
        _ => {
            let names = named(folder);
            let owner = names.get(name).cloned();
            *last = Some((path.clone(), names));
            owner
        }
    }
}

/// All proofs that JSON files of the folder name, with the file that does.
fn named(folder: &Folder) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for owner in folder.names().into_iter().filter(|name| name.ends_with(".json")) {
        let value: Option<Value> = folder.read(&owner).and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(value) = value {
            collect(&value, &mut |name| drop(names.insert(name.to_owned(), owner.clone())));
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
                    Value::String(name) if ["proof_file", "base_file", "file"].contains(&&**key) => {
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
