//! A key's own ledger: made of its record, asked by `sign`, and what an operator does with it.

use crate::support::{Folder, Run, SET, sign, verify};
use std::fs;

const SECRET: &str = "keys/secret-key.ssz";
const RECORD: &str = "keys/secret-key.ssz.epochs";
const LEDGER: &str = "keys/secret-key.ssz.ledger";

/// The tests may run on an overlay; what they flush is not what they test.
const HERE: &str = "--allow-file-system overlay";

fn adopt_records() -> String {
    format!("ledger adopt-records --secret-key {SECRET} --scheme {SET} {HERE}")
}

fn status() -> String {
    format!("ledger status --ledger {LEDGER} {HERE} --json")
}

/// Signs through the ledger.
fn signed(epoch: u64, n: u8, out: &str) -> String {
    format!("{} {HERE}", sign(epoch, n, out))
}

/// A key that has signed at epochs 3 and 4, and has a ledger.
fn with_ledger() -> Folder {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    folder.good(&sign(4, 1, "b"));
    folder.good(&adopt_records());
    folder
}

fn key_id(folder: &Folder) -> String {
    folder.good(&status()).json()["keys"][0]["key_id"].as_str().expect("text").to_owned()
}

fn ledger_id(folder: &Folder) -> String {
    folder.good(&status()).json()["ledger_id"].as_str().expect("text").to_owned()
}

/// The folder and all that is in it, as `cp -a` copies it.
fn copy_folder(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).expect("created");
    fs::set_permissions(to, fs::metadata(from).expect("there").permissions()).expect("ours");
    for entry in fs::read_dir(from).expect("there") {
        let entry = entry.expect("readable");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

#[test]
fn a_record_becomes_a_ledger() {
    let folder = with_ledger();
    let key = &folder.good(&status()).json()["keys"][0];
    let wanted = serde_json::json!({ "state": "active", "low_watermark": 0, "highest": 4, "remaining": 254 });
    for (name, value) in wanted.as_object().expect("an object") {
        assert_eq!(&key[name], value, "{name}");
    }
    // What was signed stays signed; the same message again gives the same bytes.
    folder.bad(&signed(3, 2, "new"), 3);
    folder.good(&signed(3, 1, "again"));
    assert_eq!(folder.read("a"), folder.read("again"));
    assert_eq!(folder.good(&format!("{} --json", signed(5, 1, "c"))).json()["again"], false);
    folder.good(&verify(5, 1, "c"));
    let refused = folder.bad(&signed(5, 2, "new"), 3);
    assert!(refused.stderr.contains("epoch_used"), "{}", refused.stderr);
    // The window moves, and is saved; what has passed, or is not the key's, costs no position.
    folder.good(&signed(200, 1, "d"));
    folder.good(&verify(200, 1, "d"));
    folder.bad(&signed(6, 1, "new"), 3);
    folder.bad(&signed(256, 1, "new"), 3);
    assert_eq!(folder.good(&status()).json()["keys"][0]["highest"], 200);
    assert!(!folder.exists("new"));
    // An earlier version takes the record for another key's.
    assert!(folder.read(RECORD).starts_with(b"phalanx-epochs v2 moved-to-ledger "));
    for args in [
        format!("xmss record --secret-key {SECRET} --scheme {SET}"),
        format!("xmss record --secret-key {SECRET} --scheme {SET} --begin --from-epoch 250"),
        format!("convert {SECRET} other --to bincode"),
        adopt_records(),
    ] {
        folder.bad(&args, 3);
    }
    folder.bad(&format!("xmss keygen --scheme {SET} --start 0 --active 256 --out keys --force"), 2);
    folder.bad(&format!("{} --force", signed(201, 1, &format!("{LEDGER}/ledger.sqlite3"))), 2);
}

/// Copies of the key from before, with their records, meet the witness that says that a ledger has the epochs now.
#[test]
fn copies_of_the_record_sign_no_more() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    copy_folder(&folder.path("keys"), &folder.path("copy"));
    folder.good(&adopt_records());
    let copied = |args: String| args.replace("keys/", "copy/");
    for (epoch, n) in [(3, 1), (3, 2), (9, 1)] {
        let refused = folder.bad(&copied(sign(epoch, n, "new")), 3);
        assert!(refused.stderr.contains("kept in a ledger"), "{}", refused.stderr);
    }
    folder.bad(&copied(adopt_records()), 3);
    // Without its ledger the key itself does not sign either.
    fs::rename(folder.path(LEDGER), folder.path("elsewhere")).expect("moved");
    folder.bad(&signed(9, 1, "new"), 3);
    // The same seed does not bring it back.
    fs::rename(folder.path("elsewhere"), folder.path(LEDGER)).expect("moved back");
    folder.good(&signed(9, 1, "b"));
    assert!(!folder.exists("new"));
}

#[test]
fn a_record_begun_on_purpose_keeps_its_beginning() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    folder.good(&format!("xmss record --secret-key {SECRET} --scheme {SET} --begin --from-epoch 10"));
    folder.good(&adopt_records());
    assert_eq!(folder.good(&status()).json()["keys"][0]["low_watermark"], 10);
    let refused = folder.bad(&signed(9, 1, "new"), 3);
    assert!(refused.stderr.contains("(passed)"), "{}", refused.stderr);
    folder.good(&signed(3, 1, "again"));
    folder.good(&signed(10, 1, "b"));
}

/// Restored, copied, or without its side log: nothing is signed until an operator has answered for it.
#[test]
fn a_ledger_that_is_not_what_it_was_refuses() {
    let folder = with_ledger();
    let id = ledger_id(&folder);
    copy_folder(&folder.path(LEDGER), &folder.path("backup"));
    folder.good(&signed(5, 1, "c"));
    folder.good(&signed(6, 1, "d"));
    // The store of before, in its old place.
    for name in ["ledger.sqlite3", "ledger.sqlite3-wal"] {
        let (from, to) = (folder.path("backup").join(name), folder.path(LEDGER).join(name));
        let _ = if from.exists() { fs::copy(from, to).map(drop) } else { fs::remove_file(to) };
    }
    for (epoch, n) in [(5, 2), (6, 1), (7, 1)] {
        let refused = folder.bad(&signed(epoch, n, "new"), 4);
        assert!(refused.stderr.contains("store_older"), "{}", refused.stderr);
    }
    // All that is known together: nothing that was signed is open, and it goes on.
    let args =
        |id: &str| format!("ledger reconcile --ledger {LEDGER} {HERE} --ledger-id {id} --reason restored");
    folder.bad(&args(&"0".repeat(32)), 3);
    let done = folder.good(&format!("{} --json", args(&id))).json();
    let new = done["ledger_id"].as_str().expect("text").to_owned();
    for epoch in [3, 4, 5, 6] {
        folder.bad(&signed(epoch, 9, "new"), 3);
    }
    folder.good(&signed(20, 1, "e"));
    // The folder somewhere else: a copy.
    fs::rename(folder.path(LEDGER), folder.path("moved")).expect("moved");
    copy_folder(&folder.path("moved"), &folder.path(LEDGER));
    let refused = folder.bad(&signed(21, 1, "new"), 3);
    assert!(
        refused.stderr.contains("(moved)") && refused.stderr.contains("accept-move"),
        "{}",
        refused.stderr
    );
    let accept = |id: &str| {
        format!(
            "ledger accept-move --ledger {LEDGER} {HERE} --ledger-id {id} --i-accept-epoch 30 --reason copied"
        )
    };
    folder.bad(&accept(&id), 3);
    folder.good(&accept(&new));
    folder.bad(&signed(29, 1, "new"), 3);
    folder.good(&signed(30, 1, "f"));
    fs::remove_dir_all(folder.path("state")).expect("removed");
    folder.bad(&signed(31, 1, "new"), 4);
    assert!(!folder.exists("new"));
}

#[test]
fn an_operator_only_takes_away() {
    let folder = with_ledger();
    let (key, id) = (key_id(&folder), ledger_id(&folder));
    let verb = |verb: &str, more: &str| {
        format!("ledger {verb} --ledger {LEDGER} {HERE} --key-id {key} --reason test {more}")
    };
    folder.good(&verb("raise-low", "--to 20"));
    folder.bad(&verb("raise-low", "--to 19"), 3);
    folder.bad(&verb("raise-low", "--to 257"), 3);
    folder.bad(&verb("raise-low", "--to 30").replace(&key, &"0".repeat(64)), 3);
    folder.bad(&verb("raise-low", "--to 30").replace(&key, &key[..63]), 2);
    folder.bad(&signed(19, 1, "new"), 3);
    folder.good(&signed(20, 1, "c"));
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
    let (here, there) = (with_ledger(), Folder::new());
    let export = format!("ledger export --ledger {LEDGER} {HERE}");
    here.good(&format!("{export} --eip3076 --out eip3076.json"));
    here.good(&format!("{export} --out copy.json"));
    assert_eq!(here.mode("copy.json"), 0o600);
    here.bad(&format!("{export} --retire --out copy.json"), 2);
    here.good(&signed(5, 1, "c"));
    here.good(&format!("{export} --retire --out history.json"));
    for (epoch, n) in [(5, 1), (5, 2), (9, 1)] {
        let refused = here.bad(&signed(epoch, n, "new"), 3);
        assert!(refused.stderr.contains("retired"), "{}", refused.stderr);
    }
    fs::create_dir(there.path("keys")).expect("created");
    for name in [SECRET, "history.json"] {
        fs::copy(here.path(name), there.path(name)).expect("copied");
    }
    there.bad(&signed(9, 1, "new"), 3);
    there.good(&format!("ledger init --ledger {LEDGER} {HERE}"));
    there.bad(&signed(9, 1, "new"), 3);
    there.good(&format!("ledger import --ledger {LEDGER} {HERE} history.json"));
    there.bad(&signed(5, 2, "new"), 3);
    there.good(&signed(9, 1, "d"));
    assert!(!here.exists("new") && !there.exists("new"));
    // A copy that did not retire its source gives no right to sign.
    let copy = Folder::new();
    fs::create_dir(copy.path("keys")).expect("created");
    for name in [SECRET, "copy.json"] {
        fs::copy(here.path(name), copy.path(name)).expect("copied");
    }
    copy.good(&format!("ledger init --ledger {LEDGER} {HERE}"));
    copy.good(&format!("ledger import --ledger {LEDGER} {HERE} copy.json"));
    let refused = copy.bad(&signed(9, 1, "new"), 3);
    assert!(refused.stderr.contains("quarantined"), "{}", refused.stderr);
    let key = key_id(&copy);
    copy.good(&format!(
        "ledger adopt --ledger {LEDGER} {HERE} --key-id {key} --i-accept-epoch 10 --reason test"
    ));
    copy.bad(&signed(9, 1, "new"), 3);
    copy.good(&signed(10, 1, "e"));
}

#[test]
fn many_processes_sign_one_message_through_a_ledger() {
    let folder = with_ledger();
    let children: Vec<_> = (0..8).map(|n| (n, folder.start(&signed(9, n, &format!("s{n}"))))).collect();
    let mut released = Vec::new();
    for (n, child) in children {
        let run: Run = child.wait_with_output().expect("it ends").into();
        match run.code {
            Some(0) => released.push(n),
            _ => run.check_bad("sign", 3),
        }
    }
    let [n] = released[..] else { panic!("signed: {released:?}") };
    folder.good(&verify(9, n, &format!("s{n}")));
}

/// Killed at any moment: the next process opens the ledger, and what was released is known.
#[test]
fn killed_processes_leave_a_ledger_that_opens() {
    let folder = with_ledger();
    for n in 0..24u32 {
        let epoch = u64::from(n) + 5;
        let (first, second) = (format!("a{n}"), format!("b{n}"));
        let mut child = folder.start(&signed(epoch, 1, &first));
        std::thread::sleep(std::time::Duration::from_micros(1500) * n);
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let run = folder.run(&signed(epoch, 2, &second));
        assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
        assert!(!(folder.exists(&first) && folder.exists(&second)), "epoch {epoch} signed twice");
        if folder.exists(&first) {
            folder.good(&signed(epoch, 1, &format!("c{n}")));
        }
    }
}

/// Killed while the record becomes a ledger: the same command goes on, and no epoch opens on the way.
#[test]
fn an_adoption_that_is_killed_goes_on() {
    for n in 0..12u32 {
        let folder = Folder::new();
        folder.keygen("");
        folder.good(&sign(3, 1, "a"));
        let mut child = folder.start(&adopt_records());
        std::thread::sleep(std::time::Duration::from_millis(4) * n);
        let _ = child.kill();
        child.wait().expect("it ends");
        folder.run(&signed(3, 2, "new"));
        assert!(!folder.exists("new"), "epoch 3 signed twice");
        let again = folder.run(&adopt_records());
        if again.code != Some(0) {
            // It was as good as done: what is left is the operator's word.
            again.check_bad("adopt-records", 3);
            assert!(folder.run(&status()).code == Some(0), "after {n}: {}", again.stderr);
            let key = folder.good(&status()).json()["keys"][0].clone();
            if key["state"] == "quarantined" {
                let id = key["key_id"].as_str().expect("text");
                folder.good(&format!(
                    "ledger adopt --ledger {LEDGER} {HERE} --key-id {id} --i-accept-epoch 4 --reason killed"
                ));
            }
        }
        folder.bad(&signed(3, 2, "new"), 3);
        folder.good(&signed(9, 1, "b"));
    }
}
