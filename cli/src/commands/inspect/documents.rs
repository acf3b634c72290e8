//! Documents of keys: what they hold, and whether the files beside a list of validators are those of its lines.

use super::privacy;
use crate::files;
use phalanx::xmss::Format;
use phalanx_identify::documents::{self, Entry, Validators};
use phalanx_identify::xmss::{Filter, Value, candidates};
use phalanx_identify::{Kind, Reading};
use std::path::Path;

/// Files of secret keys of a list that are read; of a longer list the rest is counted.
const MAX_FILES: usize = 256;

/// The readings of a file, if it is a document with keys or signatures in it.
pub(super) fn readings(file: &Path, bytes: &[u8], problems: &mut Vec<String>) -> Option<Vec<Reading>> {
    let document = documents::read(bytes)?;
    let mut readings = documents::describe(&document);
    if readings.iter().any(|reading| reading.kind == Kind::SecretKey.name()) {
        privacy::check(file, problems);
    }
    if let Some(validators) = &document.validators {
        problems.extend(validators.problems.iter().cloned());
        let seen = check_files(file, validators, problems);
        if let (Some(reading), Some(seen)) = (readings.first_mut(), seen) {
            reading.details.insert("files beside it", seen);
        }
    }
    Some(readings)
}

/// Compares the keys of a list with the files of secret keys that it names and that stand beside it.
fn check_files(list: &Path, validators: &Validators, problems: &mut Vec<String>) -> Option<String> {
    let named = validators.entries.iter().filter(|entry| entry.secret_file.is_some());
    let (mut good, mut absent, mut unread) = (0, 0, 0);
    for (i, entry) in named.enumerate() {
        if i >= MAX_FILES {
            unread += 1;
            continue;
        }
        match check_file(list, entry) {
            Ok(true) => good += 1,
            Ok(false) => absent += 1,
            Err(problem) => problems.push(problem),
        }
    }
    let rest = if unread > 0 { format!(", {unread} not looked at") } else { String::new() };
    (good + absent + unread > 0)
        .then(|| format!("{good} hold the key of their line, {absent} are not here{rest}"))
}

/// Whether the file that a line names is there; an error if it holds another key.
fn check_file(list: &Path, entry: &Entry) -> Result<bool, String> {
    let name = entry.secret_file.as_deref().unwrap_or_default();
    // A name, not a path: nothing outside the folder is read.
    if Path::new(name).file_name().is_none_or(|last| last != name) {
        return Err(format!("{} names '{name}', which is not a file name", entry.path));
    }
    let path = list.with_file_name(name);
    if !path.is_file() {
        return Ok(false);
    }
    let bytes = files::read(&path).map_err(|failure| failure.message)?;
    let found = candidates(&bytes, Filter { kind: Some(Kind::SecretKey), ..Filter::default() });
    let keys = found.map_err(|_| format!("'{name}', which {} names, is no secret key", entry.path))?;
    let belongs = |value: &Value| {
        let Value::SecretKey(key) = value else { return false };
        let public = key.verifying_key().to_bytes(Format::Ssz);
        public.is_ok_and(|public| entry.public_key == Some(public))
    };
    if keys.iter().any(|candidate| belongs(&candidate.value)) {
        return Ok(true);
    }
    let role = entry.role.map_or("", |role| role.name());
    Err(format!("'{name}' is not the secret key of the {role} key in {}", entry.path).replace("  ", " "))
}
