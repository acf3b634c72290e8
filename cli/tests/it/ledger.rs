//! Ledgers: made of records of earlier versions, and what an operator does with them.

use crate::support::{Folder, Run, SET, sign, verify};
use sha2::{Digest, Sha256};
use std::fs;

const SECRET: &str = "keys/secret-key.ssz";
const RECORD: &str = "keys/secret-key.ssz.epochs";
const LEDGER: &str = "keys/secret-key.ssz.ledger";

fn adopt_records() -> String {
    format!("ledger adopt-records --secret-key {SECRET} --scheme {SET}")
}

/// A line of a record.
fn line(epoch: u32, n: u8) -> String {
    format!("{epoch:010} {}\n", hex::encode(Sha256::digest([n; 32])))
}

/// A key of an earlier version, whose record has these lines.
fn old_key(lines: &str) -> Folder {
    let folder = Folder::new();
    folder.keygen("");
    fs::remove_dir_all(folder.path(LEDGER)).expect("removed");
    fs::remove_dir_all(folder.path("state")).expect("removed");
    write_record(&folder, RECORD, lines);
    folder
}

fn write_record(folder: &Folder, name: &str, lines: &str) {
    let public_key = hex::encode(Sha256::digest(folder.read("keys/public-key.ssz")));
    folder.write(name, format!("phalanx-epochs v1 {SET} {public_key}\n{lines}"));
    folder.chmod(name, 0o600);
}

/// A key that has signed at epochs 3 and 4.
fn signed_twice() -> Folder {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    folder.good(&sign(4, 1, "b"));
    folder
}

fn key_id(folder: &Folder) -> String {
    folder.status(LEDGER)["key_id"].as_str().expect("text").to_owned()
}

#[test]
fn a_record_becomes_a_ledger() {
    let folder = old_key(&format!("{}{}0000000006 12", line(3, 1), line(4, 1)));
    let refused = folder.bad(&sign(9, 1, "new"), 3);
    assert!(refused.stderr.contains("adopt-records"), "{}", refused.stderr);
    folder.good(&adopt_records());
    let key = folder.status(LEDGER);
    let wanted = serde_json::json!({ "state": "active", "low_watermark": 0, "highest": 6, "remaining": 253 });
    for (name, value) in wanted.as_object().expect("an object") {
        assert_eq!(&key[name], value, "{name}");
    }
    // What was signed stays signed; a line that was cut closes its epoch.
    for (epoch, n) in [(3, 2), (4, 2), (6, 1)] {
        let refused = folder.bad(&sign(epoch, n, "new"), 3);
        assert!(refused.stderr.contains("(epoch_used)"), "{}", refused.stderr);
    }
    assert_eq!(folder.good(&format!("{} --json", sign(3, 1, "a"))).json()["again"], true);
    folder.good(&sign(5, 1, "b"));
    folder.good(&verify(5, 1, "b"));
    // The window moves, and is saved; what has passed, or is not the key's, costs no position.
    folder.good(&sign(200, 1, "d"));
    folder.bad(&sign(7, 1, "new"), 3);
    folder.bad(&sign(256, 1, "new"), 3);
    assert_eq!(folder.status(LEDGER)["highest"], 200);
    assert!(!folder.exists("new"));
    // An earlier version takes the record for another key's.
    assert!(folder.read(RECORD).starts_with(b"phalanx-epochs v2 moved-to-ledger "));
    folder.bad(&adopt_records(), 3);
}

/// Copies of one key that have signed apart: an epoch with two messages is closed.
#[test]
fn records_of_copies_are_united() {
    let folder = old_key(&format!("{}{}", line(3, 1), line(4, 1)));
    write_record(&folder, "other.epochs", &format!("{}{}", line(3, 2), line(5, 2)));
    let done = folder.good(&format!("{} --with other.epochs", adopt_records()));
    assert!(done.stderr.contains("epoch 3 has two messages"), "{}", done.stderr);
    for (epoch, n) in [(3, 1), (3, 2), (4, 2), (5, 1)] {
        folder.bad(&sign(epoch, n, "new"), 3);
    }
    folder.good(&sign(4, 1, "a"));
    folder.good(&sign(5, 2, "b"));
    assert!(folder.read("other.epochs").starts_with(b"phalanx-epochs v2 "));
}

/// What is no record of the key, or says what cannot be read, is not taken over; an operator can answer for the key.
#[test]
fn records_that_cannot_be_read_refuse() {
    for (header, line, code) in [
        (usize::MAX, "garbage\n", "damaged_record"),
        (20, "\n", "foreign_record"),
        (0, "phalanx-epochs v2 moved-to-ledger 00\n", "no_state"),
    ] {
        let folder = old_key("");
        let whole = folder.read(RECORD);
        folder.write(RECORD, [&whole[..header.min(whole.len())], line.as_bytes()].concat());
        let refused = folder.bad(&adopt_records(), 3);
        assert!(refused.stderr.contains(code), "{code}: {}", refused.stderr);
        folder.bad(&sign(3, 1, "new"), 3);
        folder.adopt(SECRET, 7, 0);
        folder.bad(&sign(6, 1, "new"), 3);
        folder.good(&sign(7, 1, "a"));
    }
}

/// Copies of the key from before, with their records, meet a state folder that says that a ledger has the epochs now.
#[test]
fn copies_of_a_record_sign_no_more() {
    let folder = old_key(&line(3, 1));
    folder.copy("keys", "copy");
    folder.good(&adopt_records());
    let copied = |args: String| args.replace("keys/", "copy/");
    for (epoch, n) in [(3, 1), (3, 2), (9, 1)] {
        folder.bad(&copied(sign(epoch, n, "new")), 3);
    }
    folder.bad(&copied(adopt_records()), 3);
    folder.good(&sign(9, 1, "b"));
    assert!(!folder.exists("new"));
}

/// Restored, copied, or without its side log: nothing is signed until an operator has answered for it.
#[test]
fn a_ledger_that_is_not_what_it_was_refuses() {
    let folder = signed_twice();
    let id = folder.ledger_id();
    folder.copy(LEDGER, "backup");
    folder.good(&sign(5, 1, "c"));
    folder.good(&sign(6, 1, "d"));
    // The store of before, in its old place.
    for name in ["ledger.sqlite3", "ledger.sqlite3-wal"] {
        let (from, to) = (folder.path("backup").join(name), folder.path(LEDGER).join(name));
        let _ = if from.exists() { fs::copy(from, to).map(drop) } else { fs::remove_file(to) };
    }
    for (epoch, n) in [(5, 2), (6, 1), (7, 1)] {
        let refused = folder.bad(&sign(epoch, n, "new"), 4);
        assert!(refused.stderr.contains("store_older"), "{}", refused.stderr);
    }
    // All that is known together: nothing that was signed is open, and it goes on.
    let args = |id: &str| format!("ledger reconcile --ledger {LEDGER} --ledger-id {id} --reason restored");
    folder.bad(&args(&"0".repeat(32)), 3);
    let done = folder.good(&format!("{} --json", args(&id))).json();
    let new = done["ledger_id"].as_str().expect("text").to_owned();
    for epoch in [3, 4, 5, 6] {
        folder.bad(&sign(epoch, 9, "new"), 3);
    }
    folder.good(&sign(20, 1, "e"));
    // The folder somewhere else: a copy.
    fs::rename(folder.path(LEDGER), folder.path("moved")).expect("moved");
    folder.copy("moved", LEDGER);
    let refused = folder.bad(&sign(21, 1, "new"), 3);
    assert!(
        refused.stderr.contains("(moved)") && refused.stderr.contains("accept-move"),
        "{}",
        refused.stderr
    );
    let accept = |id: &str| {
        format!("ledger accept-move --ledger {LEDGER} --ledger-id {id} --i-accept-epoch 30 --reason copied")
    };
    folder.bad(&accept(&id), 3);
    folder.good(&accept(&new));
    folder.bad(&sign(29, 1, "new"), 3);
    folder.good(&sign(30, 1, "f"));
    fs::remove_dir_all(folder.path("state")).expect("removed");
    folder.bad(&sign(31, 1, "new"), 3);
    assert!(!folder.exists("new"));
}

#[test]
fn an_operator_only_takes_away() {
    let folder = signed_twice();
    let (key, id) = (key_id(&folder), folder.ledger_id());
    let verb = |verb: &str, more: &str| {
        format!("ledger {verb} --ledger {LEDGER} --yes-key-id {key} --reason test {more}")
    };
    folder.good(&verb("burn", "--to 20"));
    folder.bad(&verb("burn", "--to 19"), 3);
    folder.bad(&verb("raise-low", "--to 257"), 3);
    folder.bad(&verb("burn", "--to 30").replace(&key, &"0".repeat(64)), 3);
    folder.bad(&verb("burn", "--to 30").replace(&key, &key[..63]), 2);
    let unnamed = folder.bad(&verb("burn", "--to 30").replace(&format!("--yes-key-id {key} "), ""), 2);
    assert!(unnamed.stderr.contains("ledger status"), "{}", unnamed.stderr);
    folder.bad(&sign(19, 1, "new"), 3);
    folder.good(&sign(20, 1, "c"));
    // The side log by itself; cut and damaged.
    let log = format!("state/phalanx/{id}/witness-00000001.log");
    let checked = folder.good(&format!("ledger check {log} --json")).json();
    assert_eq!((&checked["verdict"], &checked["keys"]), (&"good".into(), &1.into()));
    let mut bytes = folder.read(&log);
    folder.write("torn", &bytes[..bytes.len() - 1]);
    assert_eq!(folder.good("ledger check torn --json").json()["verdict"], "torn");
    bytes[40] ^= 1;
    folder.write("damaged", &bytes);
    let damaged = folder.run("ledger check damaged --json");
    assert_eq!((damaged.code, &damaged.json()["verdict"]), (Some(1), &"damaged".into()));
}

/// A key moves to another machine: it signs there, from where it was, and here no more.
#[test]
fn a_key_moves_with_its_history() {
    let (here, there) = (signed_twice(), Folder::new());
    let export = format!("ledger export --ledger {LEDGER}");
    here.good(&format!("{export} --eip3076 --out eip3076.json"));
    here.good(&format!("{export} --out copy.json"));
    assert_eq!(here.mode("copy.json"), 0o600);
    here.bad(&format!("{export} --retire --out copy.json"), 2);
    here.good(&sign(5, 1, "c"));
    here.good(&format!("{export} --retire --out history.json"));
    for (epoch, n) in [(5, 1), (5, 2), (9, 1)] {
        let refused = here.bad(&sign(epoch, n, "new"), 3);
        assert!(refused.stderr.contains("retired"), "{}", refused.stderr);
    }
    fs::create_dir(there.path("keys")).expect("created");
    for name in [SECRET, "history.json"] {
        fs::copy(here.path(name), there.path(name)).expect("copied");
    }
    there.bad(&sign(9, 1, "new"), 3);
    there.good(&format!("ledger init --ledger {LEDGER}"));
    there.bad(&sign(9, 1, "new"), 3);
    there.good(&format!("ledger import --ledger {LEDGER} history.json"));
    there.bad(&sign(5, 2, "new"), 3);
    there.good(&sign(9, 1, "d"));
    // Back on the first machine the key has another ledger, and the old one stays retired.
    here.good("ledger init --ledger other");
    here.good("ledger import --ledger other history.json");
    here.bad(&sign(9, 1, "new"), 3);
    assert!(!here.exists("new") && !there.exists("new"));
    // A copy that did not retire its source gives no right to sign.
    let copy = Folder::new();
    fs::create_dir(copy.path("keys")).expect("created");
    for name in [SECRET, "copy.json"] {
        fs::copy(here.path(name), copy.path(name)).expect("copied");
    }
    copy.good(&format!("ledger init --ledger {LEDGER}"));
    copy.good(&format!("ledger import --ledger {LEDGER} copy.json"));
    copy.bad(&sign(9, 1, "new"), 3);
    let key = key_id(&copy);
    copy.good(&format!(
        "ledger adopt --ledger {LEDGER} --yes-key-id {key} --i-accept-epoch 10 --reason test"
    ));
    copy.bad(&sign(9, 1, "new"), 3);
    copy.good(&sign(10, 1, "e"));
}

/// Two hosts have a part of the epochs each.
#[test]
fn a_key_is_split() {
    let (here, there) = (signed_twice(), Folder::new());
    let key = key_id(&here);
    let split = |at: u32, out: &str| {
        format!("ledger split --ledger {LEDGER} --yes-key-id {key} --at {at} --to host-b --out {out}")
    };
    here.bad(&split(4, "early.json"), 3);
    here.good(&split(100, "range.json"));
    let refused = here.bad(&sign(100, 1, "new"), 3);
    assert!(refused.stderr.contains("(not_in_range)"), "{}", refused.stderr);
    here.good(&sign(5, 1, "c"));
    fs::create_dir(there.path("keys")).expect("created");
    for name in [SECRET, "range.json"] {
        fs::copy(here.path(name), there.path(name)).expect("copied");
    }
    there.good(&format!("ledger init --ledger {LEDGER}"));
    there.good(&format!("ledger import --ledger {LEDGER} range.json"));
    there.bad(&sign(99, 1, "new"), 3);
    there.good(&sign(100, 1, "d"));
    assert!(!here.exists("new") && !there.exists("new"));
}

/// Killed while the record becomes a ledger: the same command goes on, and no epoch opens on the way.
#[test]
fn an_adoption_that_is_killed_goes_on() {
    for n in 0..12u32 {
        let folder = old_key(&line(3, 1));
        let mut child = folder.start(&adopt_records());
        std::thread::sleep(std::time::Duration::from_millis(3) * n);
        let _ = child.kill();
        child.wait().expect("it ends");
        folder.run(&sign(3, 2, "new"));
        assert!(!folder.exists("new"), "epoch 3 signed twice");
        let again = folder.run(&adopt_records());
        if again.code != Some(0) {
            // The record has gone: it is done, or what is left is the operator's word.
            again.check_bad("adopt-records", 3);
            assert!(folder.read(RECORD).starts_with(b"phalanx-epochs v2 "), "{}", again.stderr);
            if folder.status(LEDGER)["state"] == "quarantined" {
                folder.adopt(SECRET, 4, 0);
            }
        }
        folder.bad(&sign(3, 2, "new"), 3);
        folder.good(&sign(9, 1, "b"));
    }
}

/// A container's file system is refused until somebody says that it is known what it is.
#[test]
fn file_systems_are_allowed_by_name() {
    let folder = Folder::new();
    let keygen = format!("xmss keygen --scheme {SET} --start 0 --active 256 --out keys");
    let run = |args: &str, allowed: Option<&str>| -> Run {
        let mut command = folder.command(args);
        command.env_remove("PHALANX_ALLOW_FILE_SYSTEM");
        allowed.map(|names| command.env("PHALANX_ALLOW_FILE_SYSTEM", names));
        command.output().expect("the program starts").into()
    };
    let refused = run(&keygen, None);
    if refused.code == Some(0) {
        return eprintln!("not run: this file system is a disk's");
    }
    refused.check_bad("keygen", 3);
    assert!(refused.stderr.contains("(network_file_system)"), "{}", refused.stderr);
    assert!(!folder.exists(SECRET));
    run(&keygen, Some("nfs")).check_bad("keygen", 2);
    assert_eq!(run(&keygen, Some("fuse,overlay")).code, Some(0));
    run(&sign(1, 1, "a"), None).check_bad("sign", 3);
    let named = format!("{} --allow-file-system overlay", sign(1, 1, "a"));
    assert_eq!(run(&named, None).code, Some(0));
}
