//! An epoch signs one message, whatever processes do.

use crate::support::{Folder, Run, message, sign, verify};
use std::fs;

const RECORD: &str = "keys/secret-key.ssz.epochs";

#[test]
fn a_second_message_is_refused() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(9, 1, "a"));
    let refused = folder.bad(&sign(9, 2, "b"), 3);
    assert_eq!(refused.stderr, "phalanx: error: epoch 9 has already signed another message\n");
    assert!(!folder.exists("b"));
    let again = folder.good(&format!("{} --json", sign(9, 1, "c")));
    assert_eq!(again.json()["again"], true);
    assert_eq!(folder.read("a"), folder.read("c"), "the same message gives the same bytes");
    assert_eq!(String::from_utf8_lossy(&folder.read(RECORD)).lines().count(), 2);
}

#[test]
fn many_processes_sign_one_message() {
    let folder = Folder::new();
    folder.keygen("");
    let children: Vec<_> = (0..24).map(|n| (n, folder.start(&sign(3, n, &format!("s{n}"))))).collect();
    let mut signed = Vec::new();
    for (n, child) in children {
        let run: Run = child.wait_with_output().expect("it ends").into();
        match run.code {
            Some(0) => signed.push(n),
            _ => {
                run.check_bad("sign", 3);
                assert!(!folder.exists(&format!("s{n}")));
            }
        }
    }
    let [n] = signed[..] else { panic!("signed: {signed:?}") };
    folder.good(&verify(3, n, &format!("s{n}")));
}

#[test]
fn many_processes_sign_many_epochs() {
    let folder = Folder::new();
    folder.keygen("");
    // Within the prepared interval, so that none passes another by.
    let children: Vec<_> = (0..24).map(|n| folder.start(&sign(n.into(), n, &format!("s{n}")))).collect();
    for child in children {
        let run: Run = child.wait_with_output().expect("it ends").into();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    for n in 0..24 {
        folder.good(&verify(n.into(), n, &format!("s{n}")));
        folder.bad(&sign(n.into(), n + 1, "other"), 3);
    }
    assert_eq!(String::from_utf8_lossy(&folder.read(RECORD)).lines().count(), 25);
}

/// Killed at any moment, a process has either not released its signature, or its epoch is closed.
#[test]
fn killed_processes_leave_no_open_epoch() {
    let folder = Folder::new();
    folder.keygen("");
    let mut released = 0;
    for n in 0..48u32 {
        let (first, second) = (format!("a{n}"), format!("b{n}"));
        let mut child = folder.start(&sign(n.into(), 1, &first));
        std::thread::sleep(std::time::Duration::from_micros(250) * n);
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let run = folder.run(&sign(n.into(), 2, &second));
        assert_eq!(folder.exists(&second), run.code == Some(0), "{}", run.stderr);
        assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
        assert!(!(folder.exists(&first) && folder.exists(&second)), "epoch {n} signed twice");
        released += u32::from(folder.exists(&first));
    }
    assert!(released < 48, "no process was killed in time");
}

/// A record cut short after every byte: what can be read stays closed, and nothing else is signed on top of a line that
/// cannot be read.
#[test]
fn torn_records_fail_closed() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(4, 1, "a"));
    let header = folder.read(RECORD).split_inclusive(|&byte| byte == b'\n').next().expect("a line").len();
    folder.good(&sign(5, 1, "b"));
    let whole = folder.read(RECORD);
    let second = header + 76;
    assert_eq!(whole.len(), second + 76);
    for cut in [1, 5, 9, 10, 11, 40, 74] {
        folder.write(RECORD, &whole[..second + cut]);
        let readable = cut >= 10;
        let run = folder.bad(&sign(5, 1, "c"), 3);
        assert_eq!(run.stderr.contains("hint"), !readable, "{cut}: {}", run.stderr);
        folder.bad(&sign(4, 2, "c"), 3);
        if readable {
            folder.good(&format!("{} --force", sign(6, 1, "d")));
            folder.bad(&sign(5, 1, "c"), 3);
            folder.bad(&sign(6, 2, "c"), 3);
            folder.good(&format!("{} --force", sign(6, 1, "d")));
        } else {
            folder.bad(&sign(6, 1, "c"), 3);
        }
    }
    // Cut inside the first line nothing was signed yet: it is begun again.
    for cut in [0, 1, header - 1] {
        folder.write(RECORD, &whole[..cut]);
        folder.good(&format!("{} --force", sign(7, 1, "d")));
    }
    for garbage in ["garbage\n", "\0\0\0\0", "phalanx-epochs v9 x y\n"] {
        folder.write(RECORD, garbage);
        folder.bad(&sign(8, 1, "c"), 3);
    }
    let mut zeros = whole.clone();
    zeros.extend([0; 76]);
    folder.write(RECORD, &zeros);
    folder.bad(&sign(8, 1, "c"), 3);
}

#[test]
fn a_record_belongs_to_its_key() {
    let folder = Folder::new();
    folder.keygen("");
    fs::rename(folder.path("keys"), folder.path("others")).expect("renamed");
    folder.keygen("");
    fs::copy(folder.path("others/secret-key.ssz.epochs"), folder.path(RECORD)).expect("copied");
    let refused = folder.bad(&sign(1, 1, "a"), 3);
    assert!(refused.stderr.contains("belongs to another key"), "{}", refused.stderr);
    fs::copy(folder.path("others/secret-key.ssz"), folder.path("keys/secret-key.ssz")).expect("copied");
    let refused = folder.bad(&sign(1, 1, "a"), 2);
    assert!(refused.stderr.contains("is not the key that"), "{}", refused.stderr);
}

#[test]
fn a_key_without_a_record_gets_one() {
    let folder = Folder::new();
    folder.keygen("");
    fs::remove_file(folder.path(RECORD)).expect("it was there");
    let run = folder.good(&sign(1, 1, "a"));
    assert!(run.stderr.starts_with("phalanx: note: no epoch record beside this key"), "{}", run.stderr);
    folder.bad(&sign(1, 2, "b"), 3);
}

#[test]
fn generating_the_same_key_again_keeps_its_record() {
    let folder = Folder::new();
    let seed = message(0x11);
    folder.keygen(&format!("--insecure-seed-hex {seed}"));
    folder.good(&sign(1, 1, "a"));
    folder.keygen(&format!("--insecure-seed-hex {seed} --force"));
    folder.bad(&sign(1, 2, "b"), 3);
}

#[test]
fn a_converted_key_takes_its_record_along() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(1, 1, "a"));
    folder.good("convert keys/secret-key.ssz key.bincode --to bincode");
    let args = sign(1, 2, "b").replace("keys/secret-key.ssz", "key.bincode");
    folder.bad(&format!("{args} --format bincode"), 3);
    folder.good(&format!("{} --format bincode", args.replace(&message(2), &message(1))));
}

/// A symbolic link to a key is the key.
#[cfg(unix)]
#[test]
fn links_share_the_record() {
    let folder = Folder::new();
    folder.keygen("");
    std::os::unix::fs::symlink(folder.path("keys/secret-key.ssz"), folder.path("link")).expect("linked");
    folder.good(&sign(1, 1, "a"));
    folder.bad(&sign(1, 2, "b").replace("keys/secret-key.ssz", "link"), 3);
    folder.good(&sign(100, 1, "c").replace("keys/secret-key.ssz", "link"));
    assert!(fs::symlink_metadata(folder.path("link")).expect("there").is_symlink());
}

#[cfg(unix)]
#[test]
fn without_a_durable_record_nothing_is_signed() {
    let folder = Folder::new();
    folder.keygen("");
    fs::remove_file(folder.path(RECORD)).expect("it was there");
    fs::create_dir(folder.path(RECORD)).expect("created");
    folder.bad(&sign(1, 1, "a"), 4);
    assert!(!folder.exists("a"));
}
