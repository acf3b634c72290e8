//! Files of `vectors/custody`: keystores, names of keys, side logs, start-ups, requests, interchange, records of earlier
//! versions, schemas. An index (`expected.json`, `logs.json`, `interchange.json`, `migration.json`) runs every file that
//! it names; such a file by itself is only asked whether its index names it.

mod identity;
mod interchange;
mod keystore;
mod ledger;
mod logs;
mod schema;

use crate::files::VectorFile;
use crate::json::Object;
use crate::report::{Recorder, ensure};
use phalanx::Threads;
use serde_json::Value;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `identity.json`.
    Identity,
    /// `logs.json`.
    Logs,
    /// `startup.json`.
    StartUp,
    /// `requests.json`.
    Requests,
    /// `interchange.json`.
    Interchange,
    /// `migration.json`.
    Migration,
    /// `expected.json`, of keystores.
    Keystores,
    /// A file that the index of this name names.
    Named(&'static str),
    /// `sqlite.sql` and `postgresql.sql`.
    Schema,
}

impl Kind {
    /// What the name of a file, and that of its folder, say it is.
    pub(crate) fn of(name: &str, folder: &str) -> Option<Self> {
        let is_json = name.ends_with(".json");
        match name {
            "identity.json" => Some(Self::Identity),
            "logs.json" => Some(Self::Logs),
            "startup.json" => Some(Self::StartUp),
            "requests.json" => Some(Self::Requests),
            "interchange.json" => Some(Self::Interchange),
            "migration.json" => Some(Self::Migration),
            "expected.json" => Some(Self::Keystores),
            "sqlite.sql" | "postgresql.sql" => Some(Self::Schema),
            _ if name.ends_with(".log") => Some(Self::Named("logs.json")),
            _ if name.ends_with(".epochs") => Some(Self::Named("migration.json")),
            _ if is_json
                && folder == "ledger"
                && (name.starts_with("eip3076-") || name.starts_with("own-")) =>
            {
                Some(Self::Named("interchange.json"))
            }
            _ if is_json && folder == "keystore" => Some(Self::Named("expected.json")),
            _ => None,
        }
    }

    /// What the files beside it say it is, in a folder of another name.
    pub(crate) fn of_named(file: &VectorFile) -> Option<Self> {
        keystore::is_named_beside(file).then_some(Self::Named("expected.json"))
    }
}

/// Runs a file.
pub(crate) fn run(recorder: &mut Recorder<'_>, kind: Kind, file: &VectorFile, threads: &Threads) {
    match kind {
        Kind::Named(index) => return run_named(recorder, index, file),
        Kind::Schema => return schema::run(recorder, file),
        _ => {}
    }
    let Some(value) = recorder.json(&file.bytes) else { return };
    let Some(mut object) = Object::new(recorder, "", value) else { return };
    object.note(recorder, "format");
    match kind {
        Kind::Identity => identity::run(recorder, &mut object),
        Kind::Logs => logs::run(recorder, &mut object, file),
        Kind::StartUp => ledger::run_start_ups(recorder, &mut object, file),
        Kind::Requests => ledger::run_requests(recorder, &mut object),
        Kind::Interchange => interchange::run(recorder, &mut object, file),
        Kind::Migration => ledger::run_migration(recorder, &mut object, file),
        Kind::Keystores => keystore::run(recorder, &mut object, file, threads),
        Kind::Named(_) | Kind::Schema => {}
    }
    object.finish(recorder);
}

/// A file that an index names has its cases there.
fn run_named(recorder: &mut Recorder<'_>, index: &str, file: &VectorFile) {
    let named = || {
        let index: Value = serde_json::from_slice(&file.beside(index)?).map_err(|error| error.to_string())?;
        let lists = ["files", "cases"].into_iter().filter_map(|list| index.get(list)?.as_array());
        let names = lists.flatten().filter_map(|entry| entry.get("file")?.as_str());
        ensure(names.into_iter().any(|name| name == file.name), "its index does not name it")
    };
    recorder.case_once(format_args!("named in {index}"), named);
}
