//! T10: people and programs exchange files, while the ledger is open and while it is not.

use super::stores::{Ledger, Store};
use super::support::{Folder, Journal, Wish, copy, overwrite};
use phalanx_custody::ledger::{EpochLedger, Health, Refused};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const STORE: &str = "ledger.sqlite3";
const WRITE_AHEAD: &str = "ledger.sqlite3-wal";
const WITNESS: &str = "witness-00000001.log";
const LOCK: &str = "ledger.lock";
const POSITIONS: u32 = 256;

/// What is done to a file, given as it was some time ago.
type Deed = fn(&Path, &Path);

/// What leaves another file at the path, or another name for this one.
const EXCHANGES: [(&str, Deed); 7] = [
    ("the same contents renamed over it", |path, _| {
        overwrite(path, &beside(path));
        fs::rename(beside(path), path).expect("it can be renamed");
    }),
    ("older contents renamed over it", |path, old| {
        overwrite(old, &beside(path));
        fs::rename(beside(path), path).expect("it can be renamed");
    }),
    ("a hard link", |path, _| fs::hard_link(path, beside(path)).expect("a link")),
    ("removed", |path, _| fs::remove_file(path).expect("it can be removed")),
    ("moved away", |path, _| fs::rename(path, beside(path)).expect("it can be renamed")),
    ("a symbolic link to it", |path, _| {
        fs::rename(path, beside(path)).expect("it can be renamed");
        symlink(beside(path), path).expect("a link");
    }),
    ("removed and made anew", |path, old| {
        fs::remove_file(path).expect("it can be removed");
        overwrite(old, path);
    }),
];

/// What leaves the same file at the path, with other contents.
const CHANGES: [(&str, Deed); 4] = [
    ("older contents written over it", |path, old| overwrite(old, path)),
    ("emptied", |path, _| fs::write(path, []).expect("it can be written")),
    ("its last bytes cut off", |path, _| {
        let mut bytes = fs::read(path).expect("it can be read");
        bytes.truncate(bytes.len().saturating_sub(700));
        fs::write(path, bytes).expect("it can be written");
    }),
    ("zeros written into it", |path, _| {
        let mut bytes = fs::read(path).expect("it can be read");
        let half = bytes.len() / 2;
        bytes[half..].fill(0);
        fs::write(path, bytes).expect("it can be written");
    }),
];

fn beside(path: &Path) -> PathBuf {
    path.with_file_name("elsewhere")
}

/// Asks for the positions of the first key, and notes what is released.
fn ask(ledger: &Ledger, epochs: std::ops::Range<u32>, message: u8, journal: &mut Journal, case: &str) {
    for epoch in epochs {
        let wish: Wish = (0, epoch, message);
        if ledger.answers(&[wish])[0].is_ok() {
            assert!(journal.note(wish), "{wish:?} signed twice: {case}");
        }
    }
}

/// A folder with a ledger, open, that has signed; and its files as they were in between.
fn running() -> (Folder, Folder, Ledger, Journal) {
    let (folder, old, mut journal) = (Folder::new(), Folder::new(), Journal::default());
    Ledger::make(folder.path());
    let ledger = Ledger::open(folder.path()).expect("nothing is wrong yet");
    ask(&ledger, 0..40, 1, &mut journal, "before");
    copy(folder.path(), old.path());
    ask(&ledger, 40..80, 1, &mut journal, "before");
    assert_eq!(journal.0.len(), 80);
    (folder, old, ledger, journal)
}

/// A start after all that: refused, or nothing is signed twice. Afterwards the same with what is restored meanwhile.
fn signs_nothing_twice(folder: &Folder, journal: &mut Journal, case: &str) {
    if let Ok(ledger) = Ledger::open(folder.path()) {
        ask(&ledger, 0..POSITIONS, 2, journal, case);
    }
}

#[test]
fn t10_an_exchange_stops_a_running_ledger_before_the_next_release() {
    for name in [STORE, WRITE_AHEAD, WITNESS, LOCK] {
        for (what, deed) in EXCHANGES {
            let case = format!("{name}, {what}");
            let (folder, old, ledger, mut journal) = running();
            deed(&folder.join(name), &old.join(name));
            for wish in [(0, 80, 1), (0, 3, 1), (1, 0, 1)] {
                assert_eq!(ledger.answers(&[wish]), [Err(Refused::Poisoned)], "{wish:?}: {case}");
            }
            assert!(matches!(ledger.ledger.health(), Health::Poisoned(_)), "{case}");
            drop(ledger);
            signs_nothing_twice(&folder, &mut journal, &case);
        }
    }
}

#[test]
fn t10_contents_changed_in_place_sign_nothing_twice() {
    for name in [STORE, WRITE_AHEAD, WITNESS, LOCK] {
        for (what, deed) in CHANGES {
            let case = format!("{name}, {what}");
            let (folder, old, ledger, mut journal) = running();
            deed(&folder.join(name), &old.join(name));
            ask(&ledger, 60..120, 3, &mut journal, &case);
            drop(ledger);
            signs_nothing_twice(&folder, &mut journal, &case);
        }
    }
}

/// Files of a stopped ledger, and with which code the next start is refused; `opens` if a repair is right.
#[test]
fn t10_a_stopped_ledger_refuses_what_was_restored() {
    let (deeds, mut wrong) = (EXCHANGES.iter().chain(&CHANGES), Vec::new());
    for (what, deed) in deeds {
        for name in [STORE, WITNESS, LOCK] {
            let case = format!("{name}, {what}");
            let (folder, old, ledger, mut journal) = running();
            drop(ledger);
            deed(&folder.join(name), &old.join(name));
            let code = Ledger::open(folder.path()).map_or_else(|error| error, |_| "opens".to_owned());
            let code = code.split(':').next().unwrap_or_default().to_owned();
            if !expected(name, what).contains(&code.as_str()) {
                wrong.push(format!("{case}: {code}"));
            }
            signs_nothing_twice(&folder, &mut journal, &case);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The codes of 3.7 for a file of a stopped ledger.
fn expected(name: &str, what: &str) -> &'static [&'static str] {
    match (name, what) {
        (_, "a hard link" | "a symbolic link to it") => &["insecure_files"],
        (LOCK, "removed" | "moved away" | "removed and made anew" | "the same contents renamed over it") => {
            &["moved"]
        }
        (LOCK, "older contents renamed over it") => &["moved"],
        (LOCK, _) => &["opens"],
        (_, "the same contents renamed over it") => &["moved"],
        (STORE, "removed" | "moved away") => &["no_ledger"],
        (WITNESS, "removed" | "moved away" | "emptied") => &["witness_missing"],
        (STORE, "emptied") => &["store_version"],
        // Which of the first reads of SQLite meets the damage, and with it the code, is a matter of chance.
        (STORE, "its last bytes cut off" | "zeros written into it") => {
            &["store_damaged", "store_version", "store_not_durable"]
        }
        // What was copied while it ran lacks its write-ahead log.
        (STORE, _) => &["store_older", "store_damaged"],
        (WITNESS, "zeros written into it") => &["witness_damaged", "witness_older"],
        _ => &["witness_older"],
    }
}

#[test]
fn t10_a_copied_folder_is_refused_and_a_moved_one_is_not() {
    let (folder, _, ledger, mut journal) = running();
    drop(ledger);
    let (copied, moved) = (Folder::new(), Folder::new());
    copy(folder.path(), copied.path());
    let refusal = Ledger::open(copied.path()).map(drop).expect_err("a copy");
    assert!(refusal.starts_with("moved"), "{refusal}");
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::rename(&path, moved.join(path.file_name().expect("a name").to_str().expect("text")))
            .expect("it can");
    }
    let ledger = Ledger::open(moved.path()).expect("the same files, under another path");
    ask(&ledger, 0..POSITIONS, 2, &mut journal, "moved");
}

/// Somebody edits the rows. What SQLite lets through, the side log knows better.
#[test]
fn t10_rows_changed_by_hand_are_seen() {
    let edits = [
        "DROP TRIGGER entries_delete; DELETE FROM entries WHERE p0 = 7",
        "DROP TRIGGER entries_update; UPDATE entries SET digest = randomblob(32) WHERE p0 = 7",
        "UPDATE entries SET digest = NULL, message = NULL WHERE p0 = 7",
        "INSERT INTO entries SELECT key_id, domain, 5000, p1, p2, digest, NULL, NULL, witness_id, grp, NULL
         FROM entries WHERE p0 = 7",
        "DROP TRIGGER keys_update; UPDATE keys SET low_watermark = 9",
        "UPDATE keys SET high_watermark = 9",
        "UPDATE keys SET state = 'retired'",
        "UPDATE keys SET ordering = 'strict'",
    ];
    for edit in edits {
        let (folder, _, ledger, mut journal) = running();
        drop(ledger);
        let db = rusqlite::Connection::open(folder.join(STORE)).expect("a store");
        db.execute_batch(edit).unwrap_or_else(|error| panic!("{error}: {edit}"));
        db.close().expect("nobody else has it");
        let refusal = Ledger::open(folder.path()).map(drop).expect_err(edit);
        assert!(
            refusal.starts_with("store_disagrees") || refusal.starts_with("store_damaged"),
            "{refusal}: {edit}"
        );
        signs_nothing_twice(&folder, &mut journal, edit);
    }
}
