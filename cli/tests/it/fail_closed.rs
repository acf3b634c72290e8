//! The sequences of ordinary commands by which an audit made keys sign twice. Each of them exited 0 throughout.

use crate::support::{Folder, SET, message, sign};
use std::fs;

const SECRET: &str = "keys/secret-key.ssz";
const LEDGER: &str = "keys/secret-key.ssz.ledger";
const STORE: &str = "keys/secret-key.ssz.ledger/ledger.sqlite3";

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
    let taken = "phalanx: error: another key with the same one-time keys is known: xmss-poseidon2-l8-d64b8 for epochs 0..32 \
                 (same_one_time_keys)\n\
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
    // A file of another instance that comes from elsewhere does not sign here either, with its ledger or without.
    let there = Folder::new();
    there.good(&keygen(SET, 0, 48, "keys", 7));
    fs::rename(there.path("keys"), folder.path("wide")).expect("moved");
    for secret_key in ["wide/secret-key.ssz", "wide/copy"] {
        fs::copy(folder.path("wide/secret-key.ssz"), folder.path("wide/copy")).expect("copied");
        let key_id = folder.key_id(secret_key);
        for args in [
            sign_with(secret_key, 3, 2, "b"),
            sign_with(secret_key, 40, 2, "b"),
            crate::support::adopt(secret_key, &key_id, 0),
            crate::support::adopt(secret_key, &key_id, 48),
        ] {
            folder.bad(&args, 3);
        }
    }
    assert!(!folder.exists("b"));
    folder.good(&sign(4, 1, "c"));
}

/// The same key made again elsewhere signs nothing: one ledger keeps it.
#[test]
fn the_same_key_elsewhere_signs_nothing() {
    let folder = Folder::new();
    folder.good(&keygen(SET, 0, 256, "keys", 8));
    folder.good(&sign(3, 1, "a"));
    let again = folder.good(&keygen(SET, 0, 256, "again", 8));
    assert!(again.stderr.contains("the file that is written now signs nothing"), "{}", again.stderr);
    let copy = "again/secret-key.ssz";
    for (epoch, n) in [(3, 1), (3, 2), (4, 1)] {
        folder.bad(&sign_with(copy, epoch, n, "b"), 3);
    }
    assert_eq!(folder.registered().len(), 1);
    // Where the ledger is gone the seed brings back the key, and an operator the right to sign.
    fs::remove_dir_all(folder.path("keys")).expect("it was there");
    folder.good(&keygen(SET, 0, 256, "keys", 8));
    folder.bad(&sign(4, 2, "b"), 3);
    folder.adopt(SECRET, 3, 2);
    folder.adopt(SECRET, 5, 0);
    for epoch in [3, 4] {
        folder.bad(&sign(epoch, 2, "b"), 3);
    }
    folder.good(&sign(5, 1, "c"));
    // The other file of it signs as little as before, and takes the right to sign from this one only on purpose.
    folder.bad(&sign_with(copy, 6, 1, "b"), 3);
    folder.adopt(copy, 5, 2);
    folder.adopt(copy, 6, 0);
    folder.bad(&sign(6, 2, "b"), 3);
    let refused = folder.bad(&sign(7, 2, "b"), 3);
    assert!(refused.stderr.contains("kept in another ledger"), "{}", refused.stderr);
    folder.good(&sign_with(copy, 6, 1, "d"));
    assert!(!folder.exists("b"));
}

/// A ledger without its key: the same seed makes it again, and it goes on where it was.
#[test]
fn a_lost_key_comes_back_to_its_ledger() {
    let folder = Folder::new();
    folder.good(&keygen(SET, 0, 256, "keys", 8));
    folder.good(&sign(3, 1, "a"));
    fs::remove_file(folder.path(SECRET)).expect("it was there");
    // Not to another key, whose ledger then would be used up; and never by accident.
    folder.bad(&format!("{} --force", keygen(SET, 0, 48, "keys", 8)), 3);
    fs::remove_file(folder.path("keys/public-key.ssz")).expect("it was there");
    fs::remove_file(folder.path("keys/key.json")).expect("it was there");
    let refused = folder.bad(&keygen(SET, 0, 256, "keys", 9), 2);
    assert!(refused.stderr.contains("is the ledger of another key"), "{}", refused.stderr);
    let again = folder.good(&keygen(SET, 0, 256, "keys", 8));
    assert!(again.stderr.contains("its used epochs stay used"), "{}", again.stderr);
    folder.bad(&sign(3, 2, "b"), 3);
    folder.good(&sign(3, 1, "b"));
    folder.good(&sign(4, 1, "c"));
    // Without the state folder the ledger does not open, and is not put aside: it is all that knows of epoch 3.
    fs::remove_dir_all(folder.path("state")).expect("removed");
    let refused = folder.bad(&format!("{} --force", keygen(SET, 0, 256, "keys", 8)), 4);
    assert!(refused.stderr.contains("witness_missing"), "{}", refused.stderr);
    folder.bad(&sign(3, 2, "d"), 3);
}

/// F2: each way to lose the record, on a key that has signed at epoch 3 and then at 4.
#[test]
fn a_ledger_that_is_missing_or_old_refuses() {
    type Step = fn(&Folder) -> &'static str;
    let steps: [(&str, i32, Step); 14] = [
        ("cp of the key alone", 3, |folder| {
            fs::copy(folder.path(SECRET), folder.path("copy")).expect("copied");
            "copy"
        }),
        ("mv of the key alone", 3, |folder| {
            fs::rename(folder.path(SECRET), folder.path("moved")).expect("moved");
            "moved"
        }),
        ("cp of the key and its ledger", 3, |folder| {
            folder.copy("keys", "copy");
            "copy/secret-key.ssz"
        }),
        ("rm of the ledger", 3, |folder| {
            fs::remove_dir_all(folder.path(LEDGER)).expect("removed");
            SECRET
        }),
        ("rm of the side log", 4, |folder| {
            fs::remove_file(folder.path(&folder.witness())).expect("removed");
            SECRET
        }),
        ("rm of what says whose the key is", 3, |folder| {
            fs::remove_file(folder.path(&folder.registered()[0])).expect("removed");
            SECRET
        }),
        ("what says whose the key is, emptied", 3, |folder| {
            folder.write(&folder.registered()[0], "");
            SECRET
        }),
        ("rm of both", 3, |folder| {
            fs::remove_dir_all(folder.path(LEDGER)).expect("removed");
            fs::remove_dir_all(folder.path("state")).expect("removed");
            SECRET
        }),
        ("an empty store", 4, |folder| {
            folder.write(STORE, "");
            SECRET
        }),
        ("an empty side log", 4, |folder| {
            folder.write(&folder.witness(), "");
            SECRET
        }),
        ("a side log cut down to its first line", 4, |folder| {
            let text = String::from_utf8(folder.read(&folder.witness())).expect("text");
            folder.write(&folder.witness(), &text[..=text.find('\n').expect("a line")]);
            SECRET
        }),
        ("a folder restored to its first day", 4, |folder| {
            fs::remove_dir_all(folder.path("keys")).expect("removed");
            fs::rename(folder.path("backup"), folder.path("keys")).expect("restored");
            SECRET
        }),
        ("a second name of the key", 3, |folder| {
            fs::hard_link(folder.path(SECRET), folder.path("linked")).expect("linked");
            SECRET
        }),
        ("a second name of the store", 3, |folder| {
            fs::hard_link(folder.path(STORE), folder.path("elsewhere")).expect("linked");
            SECRET
        }),
    ];
    for (name, code, step) in steps {
        let folder = Folder::new();
        folder.keygen("");
        folder.copy("keys", "backup");
        folder.good(&sign(3, 1, "a"));
        folder.good(&sign(4, 1, "b"));
        let secret_key = step(&folder);
        for (epoch, n) in [(3, 2), (4, 2), (3, 1), (9, 1)] {
            let refused = folder.run(&sign_with(secret_key, epoch, n, "new"));
            assert_eq!(refused.code, Some(code), "{name}: {}", refused.stderr);
            assert!(refused.stderr.contains("phalanx: hint: "), "{name}: {}", refused.stderr);
        }
        assert!(!folder.exists("new"), "{name}");
    }
}

/// On purpose, with a number that the operator answers for, and written down.
#[test]
fn a_ledger_is_begun_on_purpose() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    folder.good(&sign(7, 1, "b"));
    fs::remove_dir_all(folder.path(LEDGER)).expect("removed");
    // Below what any side log knows, and outside the interval, nothing begins; nor without a name, or with another's.
    for from in [0, 3, 7, 257, u64::MAX] {
        folder.adopt(SECRET, from, 2);
    }
    folder.bad(&crate::support::adopt(SECRET, &"0".repeat(64), 8), 3);
    folder.bad(&crate::support::adopt(SECRET, "", 8), 2);
    assert!(!folder.exists(LEDGER));
    folder.adopt(SECRET, 10, 0);
    let status = folder.status(LEDGER);
    assert_eq!((&status["low_watermark"], &status["state"]), (&10.into(), &"active".into()));
    let logs = folder.side_logs();
    assert!(logs.iter().any(|log| log.contains(" O adopt ")), "{logs:?}");
    let refused = folder.bad(&sign(9, 1, "c"), 3);
    assert!(refused.stderr.contains("(passed)"), "{}", refused.stderr);
    // What is only known to be used cannot be repeated.
    folder.bad(&sign(3, 1, "c"), 3);
    folder.good(&sign(10, 1, "d"));
    // Upwards only; up to the end, where nothing signs any more.
    folder.adopt(SECRET, 10, 2);
    folder.adopt(SECRET, 12, 0);
    folder.bad(&sign(11, 1, "e"), 3);
    folder.adopt(SECRET, 256, 0);
    folder.bad(&sign(255, 1, "e"), 3);
    assert!(!folder.exists("c") && !folder.exists("e"));
}

/// A key folder that moves to another machine lacks its side log, and meets that of its former life when it comes back.
#[test]
fn a_key_folder_from_elsewhere_signs_after_an_answer() {
    let (there, here) = (Folder::new(), Folder::new());
    there.keygen("");
    there.good(&sign(3, 1, "a"));
    let reconcile = |folder: &Folder, id: &str, more: &str| {
        folder
            .run(&format!("ledger reconcile --ledger {LEDGER} --ledger-id {id} --reason moved --json {more}"))
    };
    let first = there.ledger_id();
    fs::rename(there.path("keys"), here.path("keys")).expect("moved");
    here.bad(&sign(3, 2, "b"), 3);
    here.bad(&sign(9, 2, "b"), 3);
    assert_eq!(reconcile(&here, &first, "").code, Some(3));
    assert_eq!(reconcile(&here, &"0".repeat(32), "--i-accept-epoch 6").code, Some(3));
    let done = reconcile(&here, &first, "--i-accept-epoch 6");
    let second = done.json()["ledger_id"].as_str().expect("text").to_owned();
    for epoch in [3, 5] {
        here.bad(&sign(epoch, 2, "b"), 3);
    }
    here.good(&sign(6, 2, "b"));
    fs::rename(here.path("keys"), there.path("keys")).expect("moved");
    there.bad(&sign(6, 3, "c"), 4);
    assert_eq!(reconcile(&there, &second, "--i-accept-epoch 7").code, Some(0));
    there.bad(&sign(6, 3, "c"), 3);
    there.good(&sign(7, 3, "c"));
}

/// What others can read or write is refused before it signs, not noted.
#[test]
fn files_that_are_open_to_others_refuse() {
    let folder = Folder::new();
    folder.keygen("");
    let (witness, registered) = (folder.witness(), folder.registered().remove(0));
    for name in [SECRET, STORE, &witness, &registered] {
        for mode in [0o640, 0o604, 0o620, 0o666] {
            folder.chmod(name, mode);
            let refused = folder.bad(&sign(1, 1, "a"), 3);
            assert!(refused.stderr.contains("chmod 600"), "{}", refused.stderr);
        }
        folder.chmod(name, 0o600);
    }
    for name in ["state/phalanx", LEDGER] {
        folder.chmod(name, 0o750);
        let refused = folder.bad(&sign(1, 1, "a"), 3);
        assert!(refused.stderr.contains("chmod 700"), "{}", refused.stderr);
        folder.chmod(name, 0o700);
    }
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
    assert!(run.stderr.contains("no ledger came with this key"), "{}", run.stderr);
    for (secret_key, format) in [("copy", "ssz"), ("other", "bincode")] {
        folder.bad(&format!("{} --format {format}", sign_with(secret_key, 3, 2, "b")), 3);
        folder.bad(&format!("{} --format {format}", sign_with(secret_key, 5, 2, "b")), 3);
    }
    // Onto the key itself: it would leave the ledger to a file that had none.
    folder.bad(&format!("convert copy {SECRET} --to bincode --force"), 3);
    folder.good(&sign(5, 1, "b"));
}

/// F3: the disk is full in the middle of a write. The key is not lost, and signs again when there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_key() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "a"));
    let log = folder.read(&folder.witness()).len();
    // A limit on the length of files cuts the side log, the store and its journal where we like.
    let limits = [log, log + 1, log + 200, log + 330, log + 560, 4096, 8300, 20_000];
    for (epoch, limit) in (10..).zip(limits) {
        let limited = std::process::Command::new("prlimit")
            .arg(format!("--fsize={limit}"))
            .arg(env!("CARGO_BIN_EXE_phalanx"))
            .args(sign(epoch, 1, "full").split(' '))
            .env("XDG_STATE_HOME", folder.path("state"))
            .env("PHALANX_ALLOW_FILE_SYSTEM", "overlay")
            .current_dir(folder.path(""))
            .output();
        let Ok(run) = limited else { return eprintln!("not run: prlimit is missing") };
        assert_ne!(run.status.code(), Some(0), "{limit}");
        assert!(!folder.exists("full"), "nothing is released");
        folder.good(&format!("{} --force", sign(epoch + 10, 1, "b")));
        folder.bad(&sign(3, 2, "c"), 3);
        folder.bad(&sign(epoch + 10, 2, "c"), 3);
    }
}

/// F4: while a key signs, older copies of a file of its ledger take its place, again and again.
#[test]
fn a_ledger_exchanged_while_signing() {
    use std::sync::atomic::{AtomicBool, Ordering};
    for exchanged in ["store", "side log"] {
        let folder = Folder::new();
        folder.keygen("");
        let path = if exchanged == "store" { STORE.to_owned() } else { folder.witness() };
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

/// Killed at any moment, key generation leaves nothing that holds the secret, or the whole key; and the same command makes
/// it, with its ledger.
#[test]
fn a_killed_generation_is_done_again() {
    let folder = Folder::new();
    let mut written = 0;
    for n in 0..32u8 {
        let out = format!("k{n}");
        let args = keygen(SET, 0, 256, &out, n);
        let mut child = folder.start(&args);
        std::thread::sleep(std::time::Duration::from_micros(700) * u32::from(n));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let secret_key = format!("{out}/secret-key.ssz");
        let was_written = folder.exists(&secret_key);
        if was_written {
            assert!(folder.exists(&format!("{secret_key}.ledger")), "the ledger comes first");
            written += 1;
        }
        let killed: Vec<_> = fs::read_dir(folder.path(&out)).into_iter().flatten().collect();
        let again = if was_written { format!("{args} --force") } else { args };
        folder.good(&again);
        let secret = folder.read(&secret_key);
        for file in killed {
            let file = file.expect("readable").path();
            // What was there before, as far as it is there still.
            if file.is_file() && !file.ends_with("secret-key.ssz") && file.exists() {
                let bytes = fs::read(&file).expect("readable");
                assert!(!bytes.starts_with(&secret[..32]), "{}", file.display());
            }
        }
        folder.good(&sign_with(&secret_key, 3, 1, &format!("s{n}")));
        folder.bad(&sign_with(&secret_key, 3, 2, "other"), 3);
    }
    eprintln!("{written} of 32 were killed after their key was written");
    // What another version, or another system, left behind is removed by the next run, and named.
    let secret = folder.read("k1/secret-key.ssz");
    folder.write("k1/.secret-key.ssz.0123456789abcdef.tmp", &secret);
    folder.write("k1/.keygen.checkpoint.0123456789abcdef.tmp", "seed");
    let run = folder.good(&format!("{} --force", keygen(SET, 0, 256, "k1", 1)));
    assert_eq!(run.stderr.matches("which a killed process left").count(), 2, "{}", run.stderr);
    folder.write("k1/.secret-key.ssz.0123456789abcdef.tmp", &secret);
    let run = folder.good(&sign_with("k1/secret-key.ssz", 1, 1, "a"));
    assert!(run.stderr.contains("which a killed process left"), "{}", run.stderr);
    assert!(!folder.exists("k1/.secret-key.ssz.0123456789abcdef.tmp"));
}

/// Killed before it had a seed of its own to go on with, a generation does not stand in its own way.
#[test]
fn an_unused_ledger_makes_room() {
    let folder = Folder::new();
    folder.keygen("");
    for name in ["secret-key.ssz", "public-key.ssz", "key.json"] {
        fs::remove_file(folder.path("keys").join(name)).expect("it was there");
    }
    let again = folder.keygen("");
    assert!(again.stderr.contains("kept in 'keys/secret-key.ssz.ledger.old-1'"), "{}", again.stderr);
    folder.good(&sign(3, 1, "a"));
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
