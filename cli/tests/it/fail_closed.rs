//! The sequences of ordinary commands by which an audit made keys sign twice. Each of them exited 0 throughout.

use crate::support::{Folder, SET, begin, message, sign};
use std::fs;

const SECRET: &str = "keys/secret-key.ssz";
const RECORD: &str = "keys/secret-key.ssz.epochs";

/// `sign` with the secret key in another file.
fn sign_with(secret_key: &str, epoch: u64, n: u8, out: &str) -> String {
    sign(epoch, n, out).replace(SECRET, secret_key)
}

/// The arguments of a key from a seed.
fn keygen(scheme: &str, start: u64, active: u64, out: &str, seed: u8) -> String {
    let seed = message(seed);
    format!(
        "xmss keygen --scheme {scheme} --start {start} --active {active} --out {out} --insecure-seed-hex {seed} --insecure"
    )
}

/// F1: the interval changes the root, and so changed what the record knew the key by. Six such signatures were a forgery.
#[test]
fn one_seed_makes_one_key() {
    let folder = Folder::new();
    let taken = "phalanx: error: another key with the same one-time keys is known: xmss-poseidon2-l8-d64b8 for epochs 0..32\n\
                 phalanx: hint: one seed makes one key: take another seed, or the same parameter set and epochs\n";
    folder.good(&keygen(SET, 0, 32, "keys", 7));
    folder.good(&sign(3, 1, "a"));
    for (scheme, start, active) in [
        (SET, 0, 48),
        (SET, 16, 32),
        ("xmss-poseidon1-l8-d4b8-test", 0, 32),
        ("xmss-poseidon2-l18-d64b8", 0, 32),
        ("xmss-poseidon2-l32-d64b8", 0, 32),
        ("xmss-poseidon2-l32-d48b10", 0, 32),
        ("xmss-poseidon2-l32-d32b26", 0, 32),
        ("xmss-poseidon1-l32-d46b8", 0, 32),
    ] {
        // At once, not after the hours that the long lifetimes take; whatever the folder, and whatever --force says.
        for more in ["", "--force"] {
            for out in ["keys", "elsewhere"] {
                let args = format!("{} {more}", keygen(scheme, start, active, out, 7));
                let code = if out == "keys" && more.is_empty() { 2 } else { 3 };
                let refused = folder.bad(&args, code);
                assert!(code == 2 || refused.stderr.ends_with(taken), "{}", refused.stderr);
            }
        }
    }
    assert!(!folder.exists("elsewhere"));
    // A file of another instance that comes from elsewhere does not sign here either.
    let there = Folder::new();
    there.good(&keygen(SET, 0, 48, "keys", 7));
    fs::copy(there.path(SECRET), folder.path("wide")).expect("copied");
    for args in
        [sign_with("wide", 3, 2, "b"), sign_with("wide", 40, 2, "b"), begin("wide", 0), begin("wide", 48)]
    {
        folder.bad(&args, 3);
    }
    assert!(!folder.exists("b"));
    folder.good(&sign(4, 1, "c"));
}

/// The same key made again elsewhere: what it has signed here is known there.
#[test]
fn the_same_key_elsewhere_shares_its_witness() {
    let folder = Folder::new();
    folder.good(&keygen(SET, 0, 256, "keys", 8));
    folder.good(&sign(3, 1, "a"));
    let again = folder.good(&keygen(SET, 0, 256, "again", 8));
    assert!(again.stderr.contains("its used epochs stay used"), "{}", again.stderr);
    let copy = "again/secret-key.ssz";
    folder.bad(&sign_with(copy, 3, 2, "b"), 3);
    folder.good(&sign_with(copy, 3, 1, "b"));
    folder.good(&sign_with(copy, 4, 1, "c"));
    folder.bad(&sign(4, 2, "d"), 3);
    assert_eq!(folder.witnesses().len(), 1);
    // Also where the first folder is gone, or lacks its record.
    fs::remove_dir_all(folder.path("keys")).expect("it was there");
    folder.good(&keygen(SET, 0, 256, "keys", 8));
    folder.bad(&sign(4, 2, "d"), 3);
    fs::remove_file(folder.path(RECORD)).expect("it was there");
    folder.good(&format!("{} --force", keygen(SET, 0, 256, "keys", 8)));
    folder.bad(&sign(4, 2, "d"), 3);
    folder.good(&sign(5, 2, "d"));
}

/// F2: each way to lose the record, on a key that has signed at epoch 3 and then at 4.
#[test]
fn a_record_that_is_missing_or_old_refuses() {
    type Step = fn(&Folder) -> &'static str;
    let steps: [(&str, Step); 12] = [
        ("cp of the key alone", |folder| {
            fs::copy(folder.path(SECRET), folder.path("copy")).expect("copied");
            "copy"
        }),
        ("mv of the key alone", |folder| {
            fs::rename(folder.path(SECRET), folder.path("moved")).expect("moved");
            "moved"
        }),
        ("rm of the record", |folder| {
            fs::remove_file(folder.path(RECORD)).expect("removed");
            SECRET
        }),
        ("rm of the witness", |folder| {
            fs::remove_file(folder.path(&folder.witness())).expect("removed");
            SECRET
        }),
        ("rm of both", |folder| {
            fs::remove_file(folder.path(RECORD)).expect("removed");
            fs::remove_dir_all(folder.path("state")).expect("removed");
            SECRET
        }),
        ("an empty record", |folder| {
            folder.write(RECORD, "");
            SECRET
        }),
        ("an empty witness", |folder| {
            folder.write(&folder.witness(), "");
            SECRET
        }),
        ("a record cut down to its first line", |folder| {
            let text = String::from_utf8(folder.read(RECORD)).expect("text");
            folder.write(RECORD, &text[..=text.find('\n').expect("a line")]);
            SECRET
        }),
        ("a witness cut down to its first line", |folder| {
            let text = String::from_utf8(folder.read(&folder.witness())).expect("text");
            folder.write(&folder.witness(), &text[..=text.find('\n').expect("a line")]);
            SECRET
        }),
        ("a folder restored to its first day", |folder| {
            fs::remove_dir_all(folder.path("keys")).expect("removed");
            fs::rename(folder.path("backup"), folder.path("keys")).expect("restored");
            SECRET
        }),
        ("a second name of the key", |folder| {
            fs::hard_link(folder.path(SECRET), folder.path("linked")).expect("linked");
            fs::copy(folder.path(RECORD), folder.path("linked.epochs")).expect("copied");
            "linked"
        }),
        ("a second name of the record", |folder| {
            fs::hard_link(folder.path(RECORD), folder.path("elsewhere")).expect("linked");
            SECRET
        }),
    ];
    for (name, step) in steps {
        let folder = Folder::new();
        folder.keygen("");
        fs::create_dir(folder.path("backup")).expect("created");
        for file in fs::read_dir(folder.path("keys")).expect("there") {
            let file = file.expect("readable");
            fs::copy(file.path(), folder.path("backup").join(file.file_name())).expect("copied");
        }
        folder.good(&sign(3, 1, "a"));
        folder.good(&sign(4, 1, "b"));
        let secret_key = step(&folder);
        for (epoch, n) in [(3, 2), (4, 2), (3, 1), (9, 1)] {
            let refused = folder.bad(&sign_with(secret_key, epoch, n, "new"), 3);
            assert!(refused.stderr.contains("phalanx: hint: "), "{name}: {}", refused.stderr);
        }
        assert!(!folder.exists("new"), "{name}");
    }
}

/// On purpose, with a number that the operator answers for, and written down.
#[test]
fn a_record_is_begun_on_purpose() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    folder.good(&sign(7, 1, "b"));
    let status = format!("xmss record --secret-key {SECRET} --scheme {SET}");
    assert_eq!(folder.good(&format!("{status} --json")).json()["used_epochs"], 2);
    fs::remove_file(folder.path(&folder.witness())).expect("it was there");
    folder.bad(&status, 3);
    // Below what is known to be used, and outside the interval, nothing begins; nor without a number.
    for from in [0, 3, 7, 257, u64::MAX] {
        folder.bad(&begin(SECRET, from), 2);
    }
    folder.bad(&format!("{status} --begin"), 2);
    folder.bad(&format!("{status} --from-epoch 8"), 2);
    folder.good(&begin(SECRET, 10));
    let object = folder.good(&format!("{status} --json")).json();
    assert_eq!(
        (&object["begins_at"], &object["used_epochs"]),
        (&serde_json::json!(10), &serde_json::json!(2))
    );
    let text = String::from_utf8(folder.read(RECORD)).expect("text");
    assert!(text.ends_with("\nbegin 0000000010\n"), "{text}");
    let refused = folder.bad(&sign(9, 1, "c"), 3);
    assert_eq!(
        refused.stderr,
        "phalanx: error: epoch 9 is closed: the record of this key begins at epoch 10\n"
    );
    folder.bad(&sign(3, 2, "c"), 3);
    folder.good(&sign(3, 1, "c"));
    folder.good(&sign(10, 1, "d"));
    // Upwards only; from both files that are in order; up to the end, where nothing signs any more.
    folder.bad(&begin(SECRET, 10), 2);
    folder.good(&begin(SECRET, 12));
    folder.bad(&sign(11, 1, "e"), 3);
    folder.good(&begin(SECRET, 256));
    folder.bad(&sign(255, 1, "e"), 3);
    assert!(!folder.exists("e"));
    let inspected = folder.good(&format!("inspect {RECORD} {} --json", folder.witness())).json();
    for (at, kind) in [(0, "epoch record"), (1, "epoch witness")] {
        let reading = &inspected["files"][at]["readings"][0];
        assert_eq!((&reading["kind"], &reading["scheme"]), (&kind.into(), &SET.into()));
        assert_eq!(reading["details"]["closed below"], "256");
    }
}

/// A key of another tool comes without a record, and one that moved here lost its witness.
#[test]
fn a_key_from_elsewhere_signs_after_its_record_was_begun() {
    let (there, here) = (Folder::new(), Folder::new());
    there.keygen("");
    there.good(&sign(3, 1, "a"));
    fs::rename(there.path("keys"), here.path("keys")).expect("moved");
    here.bad(&sign(3, 2, "b"), 3);
    here.bad(&begin(SECRET, 3), 2);
    here.good(&begin(SECRET, 4));
    here.bad(&sign(3, 2, "b"), 3);
    here.good(&sign(4, 2, "b"));
    // It comes back, to a witness of its former life.
    fs::rename(here.path("keys"), there.path("keys")).expect("moved");
    there.bad(&sign(4, 3, "c"), 3);
    there.good(&begin(SECRET, 5));
    there.bad(&sign(4, 3, "c"), 3);
    there.good(&sign(5, 3, "c"));
}

/// What others can read or write is refused before it signs, not noted.
#[cfg(unix)]
#[test]
fn files_that_are_open_to_others_refuse() {
    let folder = Folder::new();
    folder.keygen("");
    let witness = folder.witness();
    for name in [SECRET, RECORD, &witness] {
        for mode in [0o640, 0o604, 0o620, 0o666] {
            folder.chmod(name, mode);
            let refused = folder.bad(&sign(1, 1, "a"), 3);
            assert!(refused.stderr.contains("chmod 600"), "{}", refused.stderr);
        }
        folder.chmod(name, 0o600);
    }
    folder.chmod("state/phalanx", 0o750);
    let refused = folder.bad(&sign(1, 1, "a"), 3);
    assert!(refused.stderr.contains("chmod 700"), "{}", refused.stderr);
    folder.chmod("state/phalanx", 0o700);
    assert!(!folder.exists("a"));
    folder.good(&sign(1, 1, "a"));
}

/// `convert` gives no right to sign that its source does not have.
#[test]
fn converting_makes_no_right_to_sign() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    fs::copy(folder.path(SECRET), folder.path("copy")).expect("copied");
    let run = folder.good("convert copy other --to bincode");
    assert!(run.stderr.contains("no record of used epochs came with this key"), "{}", run.stderr);
    for (secret_key, format) in [("copy", "ssz"), ("other", "bincode")] {
        folder.bad(&format!("{} --format {format}", sign_with(secret_key, 3, 2, "b")), 3);
        folder.bad(&format!("{} --format {format}", sign_with(secret_key, 5, 2, "b")), 3);
    }
    // Onto the key itself: it would leave the record to a file without one.
    folder.bad(&format!("convert copy {SECRET} --to bincode --force"), 3);
    folder.good(&sign(5, 1, "b"));
}

/// F3: the disk is full in the middle of a line. The key is not lost, and signs again when there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_key() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    let (near, witness) = (folder.read(RECORD), folder.read(&folder.witness()));
    // The witness is the longer file, and comes first: a limit on the length of files cuts it where we like.
    for more in [0, 1, 9, 10, 11, 40, 75, 76] {
        folder.write(RECORD, &near);
        folder.write(&folder.witness(), &witness);
        let limited = std::process::Command::new("prlimit")
            .arg(format!("--fsize={}", witness.len() + more))
            .arg(env!("CARGO_BIN_EXE_phalanx"))
            .args(sign(4, 1, "full").split(' '))
            .env("XDG_STATE_HOME", folder.path("state"))
            .current_dir(folder.path(""))
            .output();
        let Ok(run) = limited else { return eprintln!("not run: prlimit is missing") };
        assert_ne!(run.status.code(), Some(0), "{more}");
        assert!(!folder.exists("full"), "nothing is released");
        folder.good(&format!("{} --force", sign(5, 1, "b")));
        folder.bad(&sign(3, 2, "c"), 3);
        folder.bad(&sign(5, 2, "c"), 3);
        let other = folder.run(&format!("{} --force", sign(4, 2, "d")));
        assert_eq!(other.code, Some(if more < 10 { 0 } else { 3 }), "{more}: {}", other.stderr);
    }
}

/// F4: while a key signs, older copies of its record take the place of the record, again and again.
#[cfg(unix)]
#[test]
fn a_record_exchanged_while_signing() {
    use std::sync::atomic::{AtomicBool, Ordering};
    for exchanged in ["near", "witness"] {
        let folder = Folder::new();
        folder.keygen("");
        let path = if exchanged == "near" { RECORD.to_owned() } else { folder.witness() };
        let (stop, mut released) = (AtomicBool::new(false), 0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    fs::copy(folder.path(&path), folder.path("older")).expect("copied");
                    std::thread::sleep(std::time::Duration::from_millis(3));
                    fs::rename(folder.path("older"), folder.path(&path)).expect("renamed");
                }
            });
            for epoch in 0..24u32 {
                let at = u64::from(epoch);
                let [first, second] = [(1, "a"), (2, "b")].map(|(n, name)| {
                    let out = format!("{name}{epoch}");
                    let run = folder.run(&sign(at, n, &out));
                    assert!(matches!(run.code, Some(0 | 3 | 4)), "{}", run.stderr);
                    folder.exists(&out)
                });
                assert!(!(first && second), "epoch {epoch} signed twice with an exchanged {exchanged}");
                released += u32::from(first || second);
            }
            stop.store(true, Ordering::Relaxed);
        });
        eprintln!("{exchanged}: {released} of 24 epochs signed");
    }
}

/// Killed at any moment, key generation leaves nothing that holds the secret; or the whole key with its record.
#[cfg(unix)]
#[test]
fn a_killed_generation_leaves_no_secret() {
    let folder = Folder::new();
    folder.good(&keygen(SET, 0, 256, "wanted", 9));
    let secret = folder.read("wanted/secret-key.ssz");
    for n in 0..40u32 {
        let out = format!("k{n}");
        let mut child = folder.start(&keygen(SET, 0, 256, &out, 9));
        std::thread::sleep(std::time::Duration::from_micros(800) * n);
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let Ok(files) = fs::read_dir(folder.path(&out)) else { continue };
        for file in files {
            let file = file.expect("readable").path();
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            let holds_secret = fs::read(&file).expect("readable").starts_with(&secret[..32]);
            assert_eq!(holds_secret, name == "secret-key.ssz", "{name}");
        }
        if folder.exists(&format!("{out}/secret-key.ssz")) {
            assert!(folder.exists(&format!("{out}/secret-key.ssz.epochs")), "the record comes first");
        }
    }
    // What another version, or another system, left behind is removed by the next run, and named.
    folder.write("wanted/.secret-key.ssz.0123456789abcdef.tmp", &secret);
    folder.write("wanted/.keygen.checkpoint.0123456789abcdef.tmp", "seed");
    let run = folder.good(&format!("{} --force", keygen(SET, 0, 256, "wanted", 9)));
    assert_eq!(run.stderr.matches("which a killed process left").count(), 2, "{}", run.stderr);
    folder.write("wanted/.secret-key.ssz.0123456789abcdef.tmp", &secret);
    let run = folder.good(&sign(1, 1, "a").replace(SECRET, "wanted/secret-key.ssz"));
    assert!(run.stderr.contains("which a killed process left"), "{}", run.stderr);
    assert!(!folder.exists("wanted/.secret-key.ssz.0123456789abcdef.tmp"));
}

/// Commands that only look or show need no state folder, and make none.
#[test]
fn looking_leaves_no_trace() {
    let folder = Folder::new();
    folder.good("cpu");
    folder.good("tour");
    folder.bad("inspect missing", 4);
    assert!(!folder.exists("state"));
}
