//! Where ledgers are, what their files are, and which of several keeps a key.

use crate::support::{Folder, SET, adopt, sign};
use sha2::{Digest, Sha256};

const LEDGER: &str = "keys/secret-key.ssz.ledger";

/// A folder with a key that has signed at epoch 3.
fn signed() -> Folder {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    folder
}

#[test]
fn inspect_tells_what_files_of_ledgers_are() {
    let folder = signed();
    let (id, log, key) = (folder.ledger_id(), folder.witness(), folder.registered().remove(0));
    let shown = folder.good(&format!("inspect {LEDGER} {LEDGER}/ledger.sqlite3 {log} {key} --json")).json();
    let files = shown["files"].as_array().expect("a list");
    let kinds: Vec<_> =
        files.iter().map(|file| file["readings"][0]["kind"].as_str().expect("a text")).collect();
    assert_eq!(kinds, ["ledger", "store of a ledger", "side log of a ledger", "keeper of a key"]);
    assert!(files.iter().all(|file| file["problems"] == serde_json::json!([])), "{shown}");
    for (file, next) in [
        (0, format!("phalanx ledger status --ledger {LEDGER}")),
        (1, format!("phalanx ledger status --ledger {LEDGER}")),
        (2, format!("phalanx ledger check {log}")),
        (3, "phalanx ledger status --ledger DIR (DIR: of the key, KEY.ledger)".to_owned()),
    ] {
        assert_eq!(files[file]["readings"][0]["next"], next);
    }
    let details = &files[2]["readings"][0]["details"];
    assert_eq!(
        (&details["ledger"], &details["keys"], &details["verdict"]),
        (&id.clone().into(), &"1".into(), &"good".into())
    );
    assert_eq!(files[3]["readings"][0]["details"]["ledger"], id);
    assert_eq!(files[3]["readings"][0]["activation"], serde_json::json!({ "start": 0, "end": 256 }));
    // A log that only its store can explain, one that nothing can, and a folder that others reach.
    let whole = folder.read(&log);
    folder.write("cut", &whole[..whole.len() - 10]);
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    folder.write("changed", changed);
    folder.chmod(LEDGER, 0o755);
    let shown = folder.good(&format!("inspect cut changed {LEDGER} --json")).json();
    let said = |file: usize| shown["files"][file]["problems"].to_string();
    assert_eq!(
        (said(0), shown["files"][0]["readings"][0]["details"]["verdict"].as_str()),
        ("[]".to_owned(), Some("torn"))
    );
    assert!(said(1).contains("ledger check") && said(2).contains("0755"), "{shown}");
    folder.chmod(LEDGER, 0o700);
    // No folder is a file, but that of a ledger.
    folder.bad("inspect .", 2);
    folder
        .write("place", "0123456789abcdef0123456789abcdef 0123456789abcdef0123456789abcdef postgres:///x\n");
    let shown = folder.good("inspect place").stdout;
    assert!(
        shown.contains("postgres:///x") && shown.contains("next: phalanx ledger status --ledger .\n"),
        "{shown}"
    );
}

/// A key that an operator has given to another ledger signs there and nowhere else, whatever is done to the one it had.
#[test]
fn what_signs_elsewhere_goes_on_there() {
    let folder = signed();
    folder.copy("keys", "other");
    std::fs::remove_dir_all(folder.path("other/secret-key.ssz.ledger")).expect("it was copied");
    let (key, old) = (folder.key_id("keys/secret-key.ssz"), folder.ledger_id());
    folder.good(&adopt("other/secret-key.ssz", &key, 10));
    let there = |epoch, out: &str| sign(epoch, 1, out).replace("keys/", "other/");
    folder.good(&there(10, "b"));
    let (here, elsewhere) = (folder.bad(&sign(20, 1, "new"), 3), "(kept_elsewhere)");
    assert!(here.stderr.contains(elsewhere), "{}", here.stderr);
    // Neither another history nor a reconciliation takes the key back.
    folder.good(&format!("ledger export --ledger {LEDGER} --out history.json"));
    for verb in [
        format!("ledger import --ledger {LEDGER} history.json"),
        format!("ledger reconcile --ledger {LEDGER} --ledger-id {old} --reason test"),
    ] {
        let done = folder.good(&verb);
        assert!(done.stderr.contains("another ledger keeps this key"), "{verb}: {}", done.stderr);
        let here = folder.bad(&sign(200, 1, "new"), 3);
        assert!(here.stderr.contains(elsewhere), "{verb}: {}", here.stderr);
    }
    folder.good(&there(11, "c"));
    // One that has come with a file is taken.
    folder.good("ledger export --ledger other/secret-key.ssz.ledger --retire --out moved.json");
    folder.good("ledger init --ledger third");
    let done = folder.good("ledger import --ledger third moved.json");
    assert!(!done.stderr.contains("another ledger"), "{}", done.stderr);
    assert_eq!(folder.status("third")["state"], "active");
    // A reconciliation keeps the keys of the ledger that it replaces.
    let shown = folder.good("ledger status --ledger third --json").json();
    let id = shown["ledger_id"].as_str().expect("a text").to_owned();
    let done = folder.good(&format!("ledger reconcile --ledger third --ledger-id {id} --reason test"));
    assert!(!done.stderr.contains("another ledger"), "{}", done.stderr);
}

/// The side log is where the caller says, and the ledger does not open without it.
#[test]
fn a_side_log_has_a_place_of_its_own() {
    let folder = Folder::new();
    folder.good(&format!("xmss keygen --scheme {SET} --start 0 --active 256 --out keys --witness disk"));
    let witness = |args: String| format!("{args} --witness disk");
    folder.good(&witness(sign(3, 1, "a")));
    assert!(folder.side_logs().is_empty(), "not in the state folder");
    let refused = folder.bad(&sign(4, 1, "new"), 4);
    assert!(refused.stderr.contains("(witness_missing)"), "{}", refused.stderr);
    let shown = folder.good(&witness(format!("ledger status --ledger {LEDGER} --json"))).json();
    let id = shown["ledger_id"].as_str().expect("a text");
    assert!(folder.exists(&format!("disk/{id}/witness-00000001.log")));
    // What a side log there knows is known, too, where an operator answers for the key.
    folder.copy("keys", "other");
    std::fs::remove_dir_all(folder.path("other/secret-key.ssz.ledger")).expect("it was copied");
    let key = shown["keys"][0]["key_id"].as_str().expect("a text");
    folder.bad(&witness(adopt("other/secret-key.ssz", key, 3)), 2);
    folder.good(&witness(adopt("other/secret-key.ssz", key, 4)));
    folder.good(&witness(format!("ledger reconcile --ledger {LEDGER} --ledger-id {id} --reason test")));
}

/// A key of an earlier version in `keys`, from the seed in the file `seed`: without ledger, with a record of `signed`.
fn old_key(folder: &Folder, keys: &str, active: u32, signed: &[(u32, u8)]) {
    folder.good(&format!(
        "xmss keygen --scheme {SET} --start 0 --active {active} --out {keys} --seed-file seed"
    ));
    for made in [&format!("{keys}/secret-key.ssz.ledger"), "state"] {
        std::fs::remove_dir_all(folder.path(made)).expect("it was made");
    }
    let public_key = hex::encode(Sha256::digest(folder.read(&format!("{keys}/public-key.ssz"))));
    let line = |&(epoch, n): &(u32, u8)| format!("{epoch:010} {}\n", hex::encode(Sha256::digest([n; 32])));
    let lines: String = signed.iter().map(line).collect();
    let record = format!("{keys}/secret-key.ssz.epochs");
    folder.write(&record, format!("phalanx-epochs v1 {SET} {public_key}\n{lines}"));
    folder.chmod(&record, 0o600);
}

/// Folders of an earlier version's keys become ledgers at once: one for each seed, which knows what all its files signed.
#[test]
fn folders_of_records_become_ledgers() {
    let folder = Folder::new();
    folder.write("seed", [7; 32]);
    folder.chmod("seed", 0o600);
    old_key(&folder, "old/a", 256, &[(3, 1), (4, 1)]);
    folder.copy("old/a", "old/deep/copy");
    old_key(&folder, "old/b", 64, &[(4, 2), (9, 1)]);
    folder.copy("old", "elsewhere");
    // A key of which nothing says what it has signed: nothing is done for the others either.
    let record = folder.read("old/a/secret-key.ssz.epochs");
    std::fs::remove_file(folder.path("old/a/secret-key.ssz.epochs")).expect("it was written");
    let refused = folder.bad("ledger adopt-records old", 3);
    assert!(
        refused.stderr.contains("old/a/secret-key.ssz': there is neither")
            && !folder.exists("old/b/secret-key.ssz.ledger")
    );
    folder.write("old/a/secret-key.ssz.epochs", record);
    folder.bad("ledger adopt-records old --instance old/a/secret-key.ssz --instance old/b/secret-key.ssz", 2);
    let done = folder.good("ledger adopt-records old --instance old/b/secret-key.ssz");
    assert_eq!(done.stderr.matches("signs no more").count(), 2, "{}", done.stderr);
    assert!(done.stderr.contains("epoch 4 has two messages"), "{}", done.stderr);
    let sign = |keys: &str, epoch, n, out: &str| sign(epoch, n, out).replace("keys/", &format!("{keys}/"));
    for (epoch, n) in [(3, 2), (4, 1), (4, 2), (9, 2)] {
        let refused = folder.bad(&sign("old/b", epoch, n, "new"), 3);
        assert!(refused.stderr.contains("(epoch_used)"), "{epoch}: {}", refused.stderr);
    }
    for (epoch, n, out) in [(3, 1, "s"), (9, 1, "t"), (5, 2, "u")] {
        folder.good(&sign("old/b", epoch, n, out));
    }
    for other in ["old/a", "old/deep/copy", "elsewhere/a", "elsewhere/b"] {
        folder.bad(&sign(other, 20, 1, "new"), 3);
    }
    // Copies that were not there then are somebody else's now, and what was adopted is done.
    folder.bad("ledger adopt-records elsewhere", 3);
    folder.bad("ledger adopt-records old", 2);
}
