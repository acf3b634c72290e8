//! Files of `vectors/ligerito` (proofs of the published crate) and `vectors/ligerito-own` and `vectors/ligerito-128`
//! (our own suites, [`suite`]), and of `vectors/ligerito-v2` ([`sums`], [`callers`]; its table of shapes is one of [`params`]): what they hold is told by their keys. Of the
//! published crate: [`codes`], [`published`], [`transcript`]; of our own: [`basics`], [`params`], [`own`]; `merkle.json` and `transcript.json` are of the crate.
//! Proofs are in `.bin` files, which some JSON file names ([`binaries`]).

mod basics;
mod binaries;
mod callers;
mod codes;
mod described;
mod elements;
mod own;
mod params;
mod parts;
mod published;
mod replay_own;
mod replay_published;
mod suite;
mod sums;
mod together;
mod transcript;

pub(crate) use binaries::run as run_proof;

use crate::files::VectorFile;
use crate::json::Object;
use crate::report::Recorder;
use phalanx::Threads;
use serde_json::Value;

/// Names of the files; others of the same forms may add to them, as in `reject-2.json`.
const NAMES: [&str; 19] = [
    "basics",
    "params",
    "proof",
    "reject",
    "section_a3",
    "section_ab",
    "section_c",
    "batch1",
    "section_d",
    "section_e",
    "johnson128_shapes",
    "planes_algebra",
    "eval_proofs",
    "fft",
    "fields",
    "merkle",
    "reed_solomon",
    "tampered",
    "transcript",
];

/// Whether a file called `name`, in the folder `folder`, is one of these.
pub(crate) fn is_ours(name: &str, folder: &str) -> bool {
    let Some(stem) = name.strip_suffix(".json") else { return false };
    ["ligerito", "ligerito-own", "ligerito-128", "ligerito-v2"].contains(&folder)
        || NAMES.iter().any(|known| stem.starts_with(known))
}

/// Runs a file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &VectorFile, value: Value, pool: &Threads) {
    match value {
        Value::Array(list) => {
            // A list without the cases that it should begin with is told by none of its keys.
            let has = |key: &str| list.first().is_some_and(|case| case.get(key).is_some());
            if has("proof_file") {
                own::run_accepted(recorder, file, &list);
            } else if has("trace") {
                published::run_proofs(recorder, file, &list, pool);
            } else if has("eval_rounds") {
                published::run_claims(recorder, file, &list);
            } else if has("rows_seed") {
                codes::run_trees(recorder, &list);
            } else if has("field_bits") {
                sums::run_planes(recorder, &list);
            } else if has("log_message") {
                codes::run_codewords(recorder, &list);
            } else if has("log_n") {
                codes::run_transforms(recorder, &list);
            } else if has("script") {
                transcript::run(recorder, &list);
            } else {
                recorder.not_understood("file", "no list of cases of a form that this version knows");
            }
        }
        value => {
            let Some(mut file_keys) = Object::new(recorder, "", value) else { return };
            if file_keys.has("entries") {
                params::run(recorder, &mut file_keys);
            } else if file_keys.has("protocols") {
                callers::run(recorder, &mut file_keys);
            } else if file_keys.has("cases") && !file_keys.has("base") {
                together::run(recorder, &mut file_keys);
            } else if file_keys.has("tails") {
                together::run_table(recorder, &mut file_keys);
            } else if file_keys.has("base") {
                own::run_rejected(recorder, file, &mut file_keys, pool);
            } else if file_keys.has("base_file") {
                published::run_tampered(recorder, file, &mut file_keys, pool);
            } else if file_keys.has("embeddings") {
                codes::run_fields(recorder, &mut file_keys);
            } else if file_keys.has("phi_powers") {
                basics::run(recorder, &mut file_keys);
            } else {
                recorder.not_understood("file", "no keys of a form that this version knows");
            }
            file_keys.finish(recorder);
        }
    }
}
