//! T21: stores of other versions. There is one version of the schema so far, so that nothing is migrated: every other one is
//! refused, and not touched.

use super::stores::{Ledger, Store};
use super::support::{Folder, Wish};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// Marks a store, as another version would.
fn mark(store: &Path, pragma: &str, value: i64) {
    let db = Connection::open(store).expect("a store");
    db.pragma_update(None, pragma, value).expect("it can be written");
}

#[test]
fn t21_a_store_of_another_version_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    Ledger::make(folder.path());
    let wishes: [Wish; 2] = [(0, 3, 1), (1, 4, 2)];
    assert!(Ledger::open(folder.path()).expect("it opens").answers(&wishes).iter().all(Result::is_ok));
    let store = folder.join("ledger.sqlite3");
    let ours = fs::read(&store).expect("the store");
    let others = [0, 2, 3, 1000, i64::from(i32::MAX), -1].map(|version| ("user_version", version));
    let strangers = [0, 1, -1].map(|id| ("application_id", id));
    for (pragma, value) in others.into_iter().chain(strangers) {
        mark(&store, pragma, value);
        let before = fs::read(&store).expect("the store");
        let refusal = Ledger::open(folder.path()).err().unwrap_or_else(|| panic!("{pragma} {value} opens"));
        assert!(refusal.starts_with("store_version:"), "{pragma} {value}: {refusal}");
        assert!(fs::read(&store).expect("the store") == before, "{pragma} {value} was changed");
        fs::write(&store, &ours).expect("it can be written");
    }
    let answers = Ledger::open(folder.path()).expect("it is ours again").answers(&wishes);
    assert_eq!(answers, [Ok(true), Ok(true)], "and remembers");
}
