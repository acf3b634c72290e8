//! `PROFILE.e2e.json`: keys from seeds, what they sign, and what must be rejected.

mod generate;
mod reject;
mod sign;
pub(crate) mod vector;

use crate::files::VectorFile;
use crate::json::Object;
use crate::progress::Watch;
use crate::report::{Recorder, text};
use phalanx::Threads;
use phalanx::xmss::ParameterSet;
use serde::Deserialize;
use serde_json::Value;
use vector::{Context, KeyVector, SignatureVector};

/// The keys under which [`KeyVector`] leaves lists of cases to others.
const LISTS: [&str; 6] = [
    "signatures",
    "after_advance_preparation",
    "sign_out_of_range",
    "verify_cases_ssz",
    "verify_cases_bincode1",
    "sk_cases_ssz",
];

/// A key's vector, and its lists of cases.
type Split = (KeyVector, Object);

/// Splits a key of a file into its description and its lists; notes what is not understood.
fn split(recorder: &mut Recorder<'_>, name: &str, value: Value) -> Option<Split> {
    let Value::Object(mut map) = value else {
        recorder.not_understood(name, "not an object");
        return None;
    };
    let lists = LISTS.iter().filter_map(|&list| Some((list.to_owned(), map.remove(list)?))).collect();
    match KeyVector::deserialize(Value::Object(map)) {
        Ok(vector) => Some((vector, Object::new(recorder, name, Value::Object(lists))?)),
        Err(error) => {
            recorder.not_understood(name, error);
            None
        }
    }
}

/// The keys of the file with these bytes, with the signatures of each; for files that belong to a key.
pub(crate) fn keys_of(bytes: &[u8]) -> Result<Vec<(KeyVector, Vec<SignatureVector>)>, String> {
    let file: Vec<serde_json::Map<String, Value>> = serde_json::from_slice(bytes).map_err(text)?;
    let key = |mut map: serde_json::Map<String, Value>| {
        let signatures = map.remove("signatures").unwrap_or_default();
        LISTS.iter().for_each(|&list| drop(map.remove(list)));
        let vector = KeyVector::deserialize(Value::Object(map)).map_err(text)?;
        let signatures =
            Deserialize::deserialize(signatures).map_err(|error: serde_json::Error| error.to_string())?;
        Ok((vector, signatures))
    };
    file.into_iter().map(key).collect()
}

/// Runs the file of `set`.
pub(crate) fn run(
    recorder: &mut Recorder<'_>,
    set: ParameterSet,
    file: &VectorFile,
    value: Value,
    threads: &Threads,
    watch: &Watch,
) {
    let Value::Array(keys) = value else { return recorder.not_understood("file", "not a list of keys") };
    let mut valid = Vec::new();
    for (i, value) in keys.into_iter().enumerate() {
        let name = format!("[{i}]");
        let Some((vector, mut lists)) = split(recorder, &name, value) else { continue };
        let generate = || generate::key(set, &vector, threads, watch);
        let Some(key) = recorder.prepare(format_args!("{name} key generation"), generate) else { continue };
        let public = key.verifying_key();
        let context = Context { set, name, vector: &vector, public, key: &key };
        generate::run(recorder, &context, file);
        sign::run(recorder, &context, &mut lists, &mut valid);
        reject::run(recorder, &context, &mut lists);
        lists.finish(recorder);
    }
    sign::batches(recorder, &valid, threads);
}
