//! `sqlite.sql` and `postgresql.sql`: every table, column and trigger that they have is in our store.

use crate::files::VectorFile;
use crate::report::{Recorder, ensure, text};
use phalanx_custody::ledger::sqlite::SCHEMA;
use std::collections::{BTreeMap, BTreeSet};

/// Columns that only PostgreSQL needs: of `ledger` because SQLite keeps its version in a pragma, and has no clusters; of
/// `ranges` because several signers share a store.
const POSTGRESQL_ONLY: [&str; 4] =
    ["ledger.schema_version", "ledger.system_identifier", "ledger.timeline", "ranges.holder"];

/// Runs a file.
pub(super) fn run(recorder: &mut Recorder<'_>, file: &VectorFile) {
    let Some(theirs) = recorder.prepare("text", || String::from_utf8(file.bytes.clone()).map_err(text))
    else {
        return;
    };
    let (ours, tables) = (columns(SCHEMA), columns(&theirs));
    recorder.case_once("tables", || ensure(tables.len() >= 8, "tables are missing"));
    for (table, columns) in tables {
        recorder.case_once(format_args!("table {table}"), || {
            let ours = ours.get(&table).ok_or("our store has no such table")?;
            let is_ours = |column: &&String| {
                ours.contains(*column) || POSTGRESQL_ONLY.contains(&&format!("{table}.{column}")[..])
            };
            let missing: Vec<_> = columns.iter().filter(|column| !is_ours(column)).collect();
            ensure(missing.is_empty(), &format!("our store lacks {missing:?}"))
        });
    }
    if file.name == "sqlite.sql" {
        for trigger in triggers(&theirs) {
            recorder.case_once(format_args!("trigger {trigger}"), || {
                ensure(triggers(SCHEMA).contains(&trigger), "our store lacks it")
            });
        }
    }
}

/// The names of triggers.
fn triggers(sql: &str) -> BTreeSet<String> {
    let after = sql.split("CREATE TRIGGER ").skip(1);
    after.filter_map(|rest| rest.split_whitespace().next().map(str::to_owned)).collect()
}

/// The columns of each table.
fn columns(sql: &str) -> BTreeMap<String, BTreeSet<String>> {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    let sql = lines.collect::<Vec<_>>().join("\n");
    let tables = sql.split("CREATE TABLE ").skip(1).filter_map(|rest| {
        let (name, rest) = rest.split_once('(')?;
        Some((name.trim().to_owned(), parts(rest).iter().filter_map(|part| column(part)).collect()))
    });
    tables.collect()
}

/// The parts of a list that ends at its closing bracket.
fn parts(list: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0usize);
    for c in list.chars() {
        match c {
            ')' if depth == 0 => break,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        parts.last_mut().expect("there is one from the start").push(c);
    }
    parts
}

/// The name of the column that a part of a table is, if it is one.
fn column(part: &str) -> Option<String> {
    let name = part.split_whitespace().next()?;
    (!matches!(name, "PRIMARY" | "UNIQUE") && !name.starts_with("CHECK")).then(|| name.to_owned())
}
