//! Files of `vectors/ed25519`: what they hold is told by their keys. `cases` with a `verdict` go to [`acceptance`],
//! with a `seed` and a `sig` to [`signing`], with encodings to [`keys`]; `batches` go to [`batches`].

mod acceptance;
mod batches;
mod entries;
mod keys;
mod lanes;
mod signing;

use crate::json::Object;
use crate::report::Recorder;
use phalanx::Threads;
use phalanx::ed25519::Profile;
use serde_json::Value;

/// Names of the files; others of the same forms may add to them, as in `batches-2.json`.
const NAMES: [&str; 8] =
    ["rfc8032", "sign_input", "sign_noise", "cctv", "wycheproof", "speccheck", "batches", "keys"];

/// Whether a file called `name`, in the folder `folder`, is one of these.
pub(crate) fn is_ours(name: &str, folder: &str) -> bool {
    let Some(stem) = name.strip_suffix(".json") else { return false };
    folder == "ed25519" || NAMES.iter().any(|known| stem.starts_with(known))
}

/// Runs a file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: Value, pool: &Threads) {
    let Some(mut file) = Object::new(recorder, "", file) else { return };
    for (key, is_required) in [("set", true), ("source", false), ("rule", false)] {
        match file.optional(key) {
            Some(Value::String(_)) => {}
            None if !is_required => {}
            None => recorder.not_understood(key, "missing"),
            Some(_) => recorder.not_understood(key, "not a text"),
        }
    }
    if file.has("batches") {
        let profiles = profiles(recorder, &mut file);
        let list = file.list(recorder, "batches");
        batches::run(recorder, &profiles, &list, pool);
        return file.finish(recorder);
    }
    let list = file.list(recorder, "cases");
    let has = |key: &str| list.first().is_some_and(|case| case.get(key).is_some());
    if has("verdict") {
        let profiles = profiles(recorder, &mut file);
        acceptance::run(recorder, &profiles, &list, pool);
    } else if has("sig_noise") {
        signing::run::<signing::WithNoise>(recorder, &list, pool);
    } else if has("seed") && has("sig") {
        signing::run::<signing::Plain>(recorder, &list, pool);
    } else if has("pkcs8_v1_der") {
        let rejects = file.list(recorder, "reject");
        keys::run(recorder, &list, &rejects);
    } else if !list.is_empty() {
        recorder.not_understood("cases", "of no form that this version knows");
    }
    file.finish(recorder);
}

/// The list `profiles` of a file.
fn profiles(recorder: &mut Recorder<'_>, file: &mut Object) -> Vec<Profile> {
    let mut found = Vec::new();
    for (i, value) in file.list(recorder, "profiles").iter().enumerate() {
        match value.as_str().and_then(Profile::from_name) {
            Some(profile) if !found.contains(&profile) => found.push(profile),
            Some(_) => recorder.not_understood(format_args!("profiles[{i}]"), "named twice"),
            None => recorder.not_understood(format_args!("profiles[{i}]"), "not a profile that is known"),
        }
    }
    found
}
