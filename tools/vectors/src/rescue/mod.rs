//! Files of `vectors/rescue`: what they hold is told by their keys. `constants.json` goes to [`constants`],
//! `field.json` to [`field`], and the lists of one function to [`cases`], each case alone and beside others in every
//! lane ([`groups`]).

mod cases;
mod constants;
mod field;
mod groups;

use crate::json::Object;
use crate::report::{Recorder, ensure};
use phalanx::Threads;
use phalanx::rescue::Function;
use serde_json::Value;

/// Names of the files of functions; others of the same forms may add to them, as in `rpo256-2.json`. A name comes
/// before the one that it begins with.
const NAMES: [(&str, Function); 4] = [
    ("rp64_256_jive", Function::RpJive64_256),
    ("rp64_256", Function::Rp64_256),
    ("rpo256", Function::Rpo256),
    ("rpx256", Function::Rpx256),
];

/// How the files call the functions: the first word of `system`.
const SYSTEMS: [(&str, Function); 4] = [
    ("RpJive64_256", Function::RpJive64_256),
    ("Rp64_256", Function::Rp64_256),
    ("RPO-256", Function::Rpo256),
    ("RPX-256", Function::Rpx256),
];

/// Whether a file called `name`, in the folder `folder`, is one of these.
pub(crate) fn is_ours(name: &str, folder: &str) -> bool {
    let Some(stem) = name.strip_suffix(".json") else { return false };
    folder == "rescue" || ["constants", "field"].contains(&stem) || by_name(stem).is_some()
}

/// The function that the name of a file means.
fn by_name(stem: &str) -> Option<Function> {
    NAMES.iter().find(|(name, _)| stem.starts_with(name)).map(|&(_, function)| function)
}

/// Runs the file called `name`.
pub(crate) fn run(recorder: &mut Recorder<'_>, name: &str, file: Value, pool: &Threads) {
    let Some(mut file) = Object::new(recorder, "", file) else { return };
    if file.has("alpha") {
        constants::run(recorder, &mut file);
    } else if file.has("binary") {
        field::run(recorder, &mut file);
    } else if let Some(function) = function(recorder, name, &mut file) {
        cases::run(recorder, function, &mut file, pool);
    }
    file.finish(recorder);
}

/// Whose lists these are: by the name of the file, and by its key `system`, which agree where both say something.
fn function(recorder: &mut Recorder<'_>, name: &str, file: &mut Object) -> Option<Function> {
    let named = by_name(name);
    let told = match file.required(recorder, "system")? {
        Value::String(system) => {
            let word = system.split(' ').next().unwrap_or_default();
            SYSTEMS.iter().find(|(known, _)| *known == word).map(|&(_, function)| function)
        }
        _ => None,
    };
    if let (Some(named), Some(told)) = (named, told) {
        recorder
            .case_once("system", || ensure(named == told, "not the function that the name of the file says"));
    }
    let function = told.or(named);
    if function.is_none() {
        recorder.not_understood("system", "not a function that is known");
    }
    function
}
